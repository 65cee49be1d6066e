// SPDX-License-Identifier: BSL-1.0
//
// PackedCounters: counters of 2, 4, 8 or 16 bits side by side in 64-bit words, lowest first; none straddles two words.
//
//     word of 4-bit counters   | 0 | 0 | 3 | 0 | 0 | 1 | 15| 0 | ... | 2 | 0 |      counter 0 is the rightmost
//
// Saturating: a counter at its maximum has lost count, so it stays there, whatever is added or taken away. No operation
// touches a neighbour: what could carry or borrow across is caught before it is stored.
//
// All counters of a word at once: Hank Dietz, "The Aggregate Magic Algorithms", SIMD within a register.
#ifndef PERHAPS_DETAIL_PACKED_COUNTERS_HPP
#define PERHAPS_DETAIL_PACKED_COUNTERS_HPP

#include <perhaps/detail/to_size.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <unsigned Bits>
struct PackedCounters {
  static constexpr unsigned per_word = 64 / Bits;
  static constexpr std::uint64_t maximum = (std::uint64_t{1} << Bits) - 1;

  // A 1 in the lowest, and in the highest bit of each counter.
  static constexpr std::uint64_t lowest = ~std::uint64_t{0} / maximum;
  static constexpr std::uint64_t highest = lowest << (Bits - 1);

  // Where counter `position` lies: its word, and its bits there. They follow from the position alone, so that little
  // has to wait for the word to come from memory; what waits limits how many operations a processor overlaps.
  struct Location {
    constexpr explicit Location(std::uint64_t position) noexcept
        : word(to_size(position / per_word)), shift(static_cast<unsigned>(position * Bits % 64)) {}
    constexpr std::uint64_t one() const noexcept { return std::uint64_t{1} << shift; }
    constexpr std::uint64_t mask() const noexcept { return maximum << shift; }

    std::size_t word;
    unsigned shift;
  };

  static constexpr std::uint64_t get(std::span<const std::uint64_t> words, std::uint64_t position) noexcept {
    const Location at(position);
    return (words[at.word] >> at.shift) & maximum;
  }

  static constexpr bool is_set(std::span<const std::uint64_t> words, std::uint64_t position) noexcept {
    const Location at(position);
    return (words[at.word] & at.mask()) != 0;
  }

  // Adds one, unless the counter is at its maximum.
  static constexpr void increment(std::span<std::uint64_t> words, std::uint64_t position) noexcept {
    const Location at(position);
    // What would overflow shows as 0, with a carry into the neighbour: then it isn't stored.
    const std::uint64_t next = words[at.word] + at.one();
    if ((next & at.mask()) != 0) [[likely]]
      words[at.word] = next;
  }

  // Takes one away, unless the counter is at its maximum. False, and nothing changed, if it is 0.
  static constexpr bool decrement(std::span<std::uint64_t> words, std::uint64_t position) noexcept {
    const Location at(position);
    const std::uint64_t word = words[at.word];
    if ((word & at.mask()) == 0) [[unlikely]]
      return false;
    if ((word & at.mask()) != at.mask()) [[likely]]
      words[at.word] = word - at.one();
    return true;
  }

  // The lowest bit of each counter that is not 0.
  static constexpr std::uint64_t nonzero(std::uint64_t word) noexcept {
    for (unsigned reach = 1; reach < Bits; reach *= 2) word |= word >> reach;
    return word & lowest;
  }

  // The lowest bit of each counter that is at its maximum.
  static constexpr std::uint64_t saturated(std::uint64_t word) noexcept { return lowest & ~nonzero(~word); }

  // Counter by counter, the sum or the maximum, whichever is less.
  static constexpr std::uint64_t add(std::uint64_t a, std::uint64_t b) noexcept {
    // Without their highest bits no two counters carry into the next; those bits are added without carry.
    const std::uint64_t sum = ((a & ~highest) + (b & ~highest)) ^ ((a ^ b) & highest);
    const std::uint64_t carry = ((a & b) | ((a | b) & ~sum)) & highest;
    return sum | (carry >> (Bits - 1)) * maximum;
  }

  // The lowest bits of a word's counters, moved together to the low end.
  static constexpr std::uint64_t gather(std::uint64_t flags) noexcept {
    unsigned apart = Bits - 1;
    for (unsigned width = 1; width < per_word; width *= 2, apart *= 2) {
      // Pairs of runs of `width` flags close up to runs twice as long.
      flags |= flags >> apart;
      const unsigned run = 2 * width;
      const unsigned period = run * Bits;
      const std::uint64_t mask = (run == 64 ? 0 : std::uint64_t{1} << run) - 1;
      std::uint64_t runs = 0;
      for (unsigned first = 0; first < 64; first += period) runs |= mask << first;
      flags &= runs;
    }
    return flags;
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
