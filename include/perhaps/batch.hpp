// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Batches: many keys in one call, with the answers of as many single calls, sooner. Keys are hashed tile by tile, 16
/// at a time, the memory that a tile needs is asked for all at once, and kernels work it off with the best instruction
/// set that this processor has, whatever the program was compiled for.
///
///     filter.insert_range(keys);                                  any range, of keys in any spelling or of digests
///     filter.may_contain_range(keys, answers.begin());            a bool for each, to an output iterator
///     filter.may_contain_range(rows, [&](std::size_t i, bool perhaps) { if (perhaps) send(rows[i]); });
///
/// Worth it where single calls wait for memory: beyond the first-level cache on layouts of one cache line a key, from
/// some megabytes on elsewhere. Small filters answer as fast one by one.
#ifndef PERHAPS_BATCH_HPP
#define PERHAPS_BATCH_HPP

#include <perhaps/digest.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {

namespace detail {

template <class Keys>
using KeyIn = std::remove_cvref_t<decltype(*std::begin(std::declval<Keys&>()))>;

}  // namespace detail

/// Lookups of many keys, for filters that answer tiles: the base of all of them.
template <class Filter, class Key>
class BatchLookups {
 public:
  /// may_contain(key) for every key of a range, or for every digest, in order: to an output iterator of bool, whose end
  /// is returned. Any range that a for statement takes. O(k) for each key, plus hashing.
  template <KeyRange Keys, AnswerIterator Out, InstructionSet Isa = isa::Native>
  Out may_contain_range(Keys&& keys, Out out) const {
    answer_all<Isa>(keys, [&out](std::size_t, bool perhaps) { *out++ = perhaps; });
    return out;
  }

  /// may_contain(key) for every key of a range, or for every digest, in order: to answer(i, bool), i counting from 0.
  template <KeyRange Keys, std::invocable<std::size_t, bool> Answer, InstructionSet Isa = isa::Native>
  void may_contain_range(Keys&& keys, Answer answer) const {
    answer_all<Isa>(keys, answer);
  }

  /// may_contain(key) for every key in braces, in order: to an output iterator of bool, whose end is returned, or to
  /// answer(i, bool).
  template <class Out, InstructionSet Isa = isa::Native>
  auto may_contain_range(std::initializer_list<Key> keys, Out out) const {
    return may_contain_range<const std::initializer_list<Key>&, Out, Isa>(keys, std::move(out));
  }

  /// `key` hashed, as insert and may_contain do it: for asking many filters with an equal hash policy. Throws
  /// std::invalid_argument for a value that no Key has. Precondition: a RollingBloomFilter was not moved from. O(length
  /// of the key).
  template <class Q = Key>
  [[nodiscard]] Digest digest(const Q& key) const {
    return detail::to_digest<Key>(static_cast<const Filter&>(*this).hash_policy(), key);
  }

  /// Asks for the memory that may_contain(digest) is going to read, where that is likely to be far: for callers who ask
  /// several filters, or do something else before. Changes nothing. O(k).
  void prefetch(Digest digest) const noexcept { static_cast<const Filter&>(*this).prefetch_digest(digest); }

  /// Always equal: there is no state here.
  friend bool operator==(const BatchLookups&, const BatchLookups&) = default;

 private:
  // Keys whose answer is not that of one digest are asked one by one: those of a type with values that no Key has.
  template <InstructionSet Isa, class Keys, class Answer>
  void answer_all(Keys&& keys, const Answer& answer) const {
    const auto& filter = static_cast<const Filter&>(*this);
    using Asked = detail::KeyIn<Keys>;
    if constexpr (detail::AskedByDigest<Key, typename Filter::hasher, Asked>) {
      filter.template answer_batch<Isa>(keys, answer);
    } else {
      std::size_t i = 0;
      for (auto&& key : keys) answer(i++, filter.template may_contain<Asked, Isa>(key));
    }
  }
};

namespace detail {

// For layouts without tiles of their own: one digest after the other, as isa::Scalar, since this class has one name in
// all translation units.
template <class Layout, class Words>
class ScalarBatch {
 public:
  ScalarBatch(Words& storage, std::uint64_t bits, unsigned hashes) noexcept
      : storage_(storage), bits_(bits), hashes_(hashes) {}

  Digest prepare_lookup(Digest digest) const noexcept { return digest; }
  Digest prepare_insert(Digest digest) const noexcept { return digest; }

  std::uint64_t test(const Tile<Digest>& tile) const noexcept {
    return answer_each(tile, [this](Digest digest) {
      return Layout::template may_contain<isa::Scalar>(storage_, bits_, hashes_, digest);
    });
  }

  void insert(std::span<const Digest> tile) const noexcept {
    for (const Digest& digest : tile) Layout::template insert<isa::Scalar>(storage_, bits_, hashes_, digest);
  }

 private:
  Words& storage_;
  std::uint64_t bits_;
  unsigned hashes_;
};

template <class Layout, class Words>
struct BatchOf {
  using type = ScalarBatch<Layout, Words>;
};

template <class Layout, class Words>
requires requires { typename Layout::template Batch<Words>; } struct BatchOf<Layout, Words> {
  using type = typename Layout::template Batch<Words>;
};

// Asks for what a lookup reads: by what a batch does so for classic layouts, else by preparing a lookup.
template <class Batch>
void prefetch_lookup(const Batch& batch, Digest digest) noexcept {
  if constexpr (requires { batch.prefetch(digest); }) batch.prefetch(digest);
  else static_cast<void>(batch.prepare_lookup(digest));
}

// Whether single calls that use Isa are as fast as tiles: the memory is near, and this processor has nothing better.
template <InstructionSet Isa>
bool single_calls_will_do(std::size_t bytes) noexcept {
  return bytes <= l2_bytes && is_best<Isa>();
}

// Batches whose tiles can be worked off within the loop over them, where that is compiled for what the processor has.
template <class Batch, class Isa>
concept InlineBatch = requires(const Batch& batch, const Digest& key) {
  batch.template insert_one<Isa>(key);
  batch.template test_one<Isa>(key);
};

// Inserts all keys into a filter of `bytes` bytes, by tiles of `batch` or by calls of `insert(digest)`, whichever is
// sooner.
template <InstructionSet Isa, class Batch, class Keys, class ToDigest, class Insert>
void insert_keys(std::size_t bytes, const Batch& batch, Keys&& keys, ToDigest to_digest, Insert insert) {
  const auto prepare = [&](const auto& key) { return batch.prepare_insert(to_digest(key)); };
  if constexpr (InlineBatch<Batch, Isa>) {
    if (bytes > l1_bytes && is_best<Isa>()) {
      for_each_tile(keys, prepare, [&](const auto& tile, std::size_t count) {
        for_each_index(count, [&](std::size_t i) { batch.template insert_one<Isa>(tile[i]); });
        return true;
      });
      return;
    }
  }
  if (single_calls_will_do<Isa>(bytes)) {
    for (auto&& key : keys) insert(to_digest(key));
    return;
  }
  for_each_tile(keys, prepare, [&](const auto& tile, std::size_t count) {
    batch.insert(std::span<const Digest>(tile.data(), count));
    return true;
  });
}

// Answers for all keys, by tiles of `batch` or by calls of `test(digest)`, whichever is sooner.
template <InstructionSet Isa, class Batch, class Keys, class ToDigest, class Answer, class Test>
void answer_keys(std::size_t bytes, const Batch& batch, Keys&& keys, ToDigest to_digest, Answer& answer, Test test) {
  const auto prepare = [&](const auto& key) { return batch.prepare_lookup(to_digest(key)); };
  if constexpr (InlineBatch<Batch, Isa>) {
    if (bytes > l1_bytes && is_best<Isa>()) {
      std::size_t answered = 0;
      for_each_tile(keys, prepare, [&](const auto& tile, std::size_t count) {
        for_each_index(count, [&](std::size_t i) { answer(answered + i, batch.template test_one<Isa>(tile[i])); });
        answered += count;
        return true;
      });
      return;
    }
  }
  if (single_calls_will_do<Isa>(bytes)) {
    std::size_t i = 0;
    for (auto&& key : keys) answer(i++, test(to_digest(key)));
    return;
  }
  answer_tiles(keys, prepare, answer, [&](const auto& tile) { return batch.test(tile); });
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
