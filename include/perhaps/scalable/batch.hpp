// SPDX-License-Identifier: BSL-1.0
//
// Batch lookups in a chain of filters: keys are hashed once, a few hundred at a time. All of them are asked of the
// newest stage, by that filter's own batches, which ask for memory ahead; those that it denies of the stage before; and
// so on. So most memory accesses of all stages overlap, and what is found early costs nothing later.
#ifndef PERHAPS_SCALABLE_BATCH_HPP
#define PERHAPS_SCALABLE_BATCH_HPP

#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Over the filters of a chain, the oldest first. A chain without filters says "perhaps" to everything.
template <class F>
class ChainBatch {
 public:
  explicit ChainBatch(std::span<const F> stages) noexcept : stages_(stages) {}

  // Calls `answer(i, bool)` for all keys, in order.
  template <InstructionSet Isa, class Keys, class ToDigest, class Answer>
  void answer(Keys&& keys, const ToDigest& to_digest, Answer& answer) const {
    std::array<Digest, chunk_size> chunk{};
    std::array<bool, chunk_size> answers{};
    std::size_t first = 0;
    std::size_t count = 0;
    const auto flush = [&] {
      answer_chunk<Isa>(std::span(chunk).first(count), answers);
      for (std::size_t i = 0; i < count; ++i) answer(first + i, bool{answers[i]});
      first += count;
      count = 0;
    };
    for (auto&& key : keys) {
      chunk[count++] = to_digest(key);
      if (count == chunk_size) flush();
    }
    flush();
  }

 private:
  static constexpr std::size_t chunk_size = 256;

  // Overwrites `asked`.
  template <InstructionSet Isa>
  void answer_chunk(std::span<Digest> asked, std::array<bool, chunk_size>& answers) const {
    std::array<std::uint16_t, chunk_size> indices{};
    for (std::size_t i = 0; i < asked.size(); ++i) {
      indices[i] = static_cast<std::uint16_t>(i);
      answers[i] = stages_.empty();
    }
    for (std::size_t stage = stages_.size(); stage-- > 0 && !asked.empty();) {
      std::size_t denied = 0;
      // Moves the denied digests to the front. Digests are read before they are answered, and `denied` is at most i.
      const auto sift = [&](std::size_t i, bool perhaps) {
        answers[indices[i]] = perhaps;
        asked[denied] = asked[i];
        indices[denied] = indices[i];
        denied += perhaps ? 0 : 1;
      };
      stages_[stage].template may_contain_range<const std::span<Digest>&, decltype(sift), Isa>(asked, sift);
      asked = asked.first(denied);
    }
  }

  std::span<const F> stages_;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
