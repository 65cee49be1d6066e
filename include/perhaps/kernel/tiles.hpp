// SPDX-License-Identifier: BSL-1.0
//
// Batches go tile by tile: up to 64 keys are hashed, then the memory that they need is asked for, then the answers are
// worked out, one bit each. So the processor waits for many cache lines at once, not for one after the other, and the
// choice of an instruction set costs next to nothing for each key.
#ifndef PERHAPS_KERNEL_TILES_HPP
#define PERHAPS_KERNEL_TILES_HPP

#include <perhaps/digest.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

namespace perhaps::inline PERHAPS_ABI {

// What a for statement can run over: its elements are keys, in any spelling, or digests.
template <class R>
concept KeyRange = requires(R& range) {
  *std::begin(range);
  std::end(range);
};

// Where answers can be written to, one after the other. Not std::output_iterator<bool>, which the iterators of
// std::vector<bool> become in C++23 only.
template <class Out>
concept AnswerIterator = std::movable<Out> && requires(Out out, bool answer) {
  *out++ = answer;
};

namespace detail {

inline constexpr std::size_t tile_size = 64;

// Memory up to this size is in a cache near the processor: asking for it ahead costs more than it gains.
inline constexpr std::size_t near_bytes = std::size_t{1} << 20U;

inline void prefetch_for_reading([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(address, 0);
#endif
}

inline void prefetch_for_writing([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(address, 1);
#endif
}

// Calls `process(tile)` with the digests of all keys, up to tile_size of them at a time, in their order, until one says
// false. Any input range: keys are hashed as they come, and not kept.
template <class Keys, class ToDigest, class Process>
void for_each_tile(Keys&& keys, ToDigest to_digest, Process process) {
  std::array<Digest, tile_size> digests;
  std::size_t count = 0;
  for (auto&& key : keys) {
    digests[count] = to_digest(key);
    if (++count < tile_size) continue;
    count = 0;
    if (!process(std::span<const Digest>(digests))) return;
  }
  if (count != 0) process(std::span<const Digest>(digests).first(count));
}

// Calls `answer(i, bool)` for all keys, by bit i of test(tile).
template <class Keys, class ToDigest, class Answer, class Test>
void answer_tiles(Keys&& keys, ToDigest to_digest, Answer& answer, Test test) {
  std::size_t first = 0;
  for_each_tile(keys, to_digest, [&](std::span<const Digest> tile) {
    const std::uint64_t answers = test(tile);
    for (std::size_t i = 0; i < tile.size(); ++i) answer(first + i, (answers >> i & 1U) != 0);
    first += tile.size();
    return true;
  });
}

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
