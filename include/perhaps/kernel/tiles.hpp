// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Batches go tile by tile: up to 16 keys are hashed and the memory that they need is asked for; while it comes,
/// the tile before is worked off, one bit of an answer each. So the processor waits for many cache lines at once, not
/// for one after the other, and the choice of an instruction set costs next to nothing for each key.
#ifndef PERHAPS_KERNEL_TILES_HPP
#define PERHAPS_KERNEL_TILES_HPP

#include <perhaps/version.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// What a for statement can run over: its elements are keys, in any spelling, or digests.
template <class R>
concept KeyRange = requires(R& range) {
  *std::begin(range);
  std::end(range);
};

/// Where answers can be written to, one after the other. Not `std::output_iterator<bool>`, which the iterators of
/// `std::vector<bool>` become in C++23 only.
template <class Out>
concept AnswerIterator = std::movable<Out> && requires(Out out, bool answer) { *out++ = answer; };

namespace detail {

// Few enough that preparing one tile and working off another overlap within what a processor looks ahead.
inline constexpr std::size_t tile_size = 16;

// Memory up to this size is in a cache near the processor: asking for it ahead costs more than it gains.
inline constexpr std::size_t l2_bytes = std::size_t{2} << 20U;

// Prefetching for filters that ask for one cache line a key is worth it beyond the first-level cache already.
inline constexpr std::size_t l1_bytes = std::size_t{32} << 10U;

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

// For storage that threads share, like for reading: what is asked for to be written is taken from the other processors,
// and most of it may turn out to have its bits already.
template <class Words>
void prefetch_for_insert(const void* address) noexcept {
  if constexpr (requires { requires Words::concurrent; }) {
    prefetch_for_reading(address);
  } else {
    prefetch_for_writing(address);
  }
}

// What is known of the keys of one tile. Tests run over all of it, whatever the number of keys: loops of a fixed length
// are straight-line code, and what is not a key is a copy of one, or zero.
template <class Entry>
using Tile = std::array<Entry, tile_size>;

// Prepares the next keys, up to a tile of them; how many there were.
template <class Iterator, class End, class Prepare, class Entry>
std::size_t fill_tile(Iterator& next, const End& end, const Prepare& prepare, Tile<Entry>& tile) {
  std::size_t count = 0;
  if constexpr (requires { end - next > std::ptrdiff_t{0}; }) {
    if (end - next >= std::ptrdiff_t{tile_size}) {
      for (; count < tile_size; ++next) tile[count++] = prepare(*next);
      return count;
    }
  }
  for (; count < tile_size && next != end; ++next) tile[count++] = prepare(*next);
  return count;
}

// Calls `process(tile, count)` with prepare(key) of all keys, up to a tile of them at a time, in their order, until one
// says false. Each tile is processed after the next has been prepared: so memory is asked for all the time, and has as
// long to come. Any input range: keys are hashed as they come, and not kept. Flattened, so that hashing and answering
// are in the loop. What works off a tile with the set that the processor turns out to have is not: it is compiled once
// for each kind of filter.
template <class Keys, class Prepare, class Process>
[[gnu::flatten]] void for_each_tile(Keys&& keys, const Prepare& prepare, const Process& process) {
  using Entry = decltype(prepare(*std::begin(keys)));
  std::array<Tile<Entry>, 2> tiles{};
  auto next = std::begin(keys);
  const auto end = std::end(keys);
  unsigned current = 0;
  std::size_t count = 0;
  do {
    const std::size_t following = fill_tile(next, end, prepare, tiles[current ^ 1U]);
    if (count != 0 && !process(tiles[current], count)) return;
    current ^= 1U;
    count = following;
  } while (count != 0);
}

// Calls `step(i)` for the keys of a tile; a full one, as almost all are, in a loop of fixed length.
template <class Step>
void for_each_index(std::size_t count, const Step& step) {
  if (count == tile_size) {
    for (std::size_t i = 0; i < tile_size; ++i) step(i);
  } else {
    for (std::size_t i = 0; i < count; ++i) step(i);
  }
}

// Calls `answer(i, bool)` for all keys, by bit i of test(tile).
template <class Keys, class Prepare, class Answer, class Test>
void answer_tiles(Keys&& keys, const Prepare& prepare, Answer& answer, const Test& test) {
  std::size_t first = 0;
  for_each_tile(keys, prepare, [&](const auto& tile, std::size_t count) {
    const std::uint64_t answers = test(tile);
    for_each_index(count, [&](std::size_t i) { answer(first + i, (answers >> i & 1U) != 0); });
    first += count;
    return true;
  });
}

// Bit i of the answer: test(tile[i]). In the order in which memory was asked for.
template <class Entry, class Test>
std::uint64_t answer_each(const Tile<Entry>& tile, Test test) {
  std::uint64_t answers = 0;
  for (std::size_t i = 0; i < tile.size(); ++i) answers |= std::uint64_t{test(tile[i])} << i;
  return answers;
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
