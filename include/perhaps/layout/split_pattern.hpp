// SPDX-License-Identifier: BSL-1.0
//
// Which bits of a block a key has in a split block: at most one in each of eight lanes, or two in each. All of it
// follows from the second hash, so it is independent of the block, which follows from the first.
//
//     64-bit lanes, k < 8    fields of six bits of h, from the top; only in k lanes of the eight, from a random one on
//     64-bit lanes, k = 8    a field for each lane
//     64-bit lanes, k = 16   the same again with the fields of h * C
//     16-bit lanes           fields of four bits, likewise, k = 1 to 8
//     32-bit lanes, k = 8    the top five bits of eight products of the upper half of h: Apache Parquet's pattern
//
// Apache Parquet, "Parquet Bloom Filter" (BloomFilter.md of parquet-format).
#ifndef PERHAPS_LAYOUT_SPLIT_PATTERN_HPP
#define PERHAPS_LAYOUT_SPLIT_PATTERN_HPP

#include <perhaps/kernel/vectors.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// For lanes of 64 or 16 bits.
template <unsigned LaneBits>
struct SplitPattern {
  static constexpr std::size_t words = std::size_t{LaneBits} * 8 / 64;
  using Masks = std::array<std::uint64_t, words>;

  static constexpr unsigned field_bits = std::bit_width(LaneBits - 1);
  static constexpr unsigned field_shift(unsigned lane) noexcept { return 64 - field_bits * (lane + 1); }
  static constexpr std::uint64_t field(std::uint64_t h, unsigned lane) noexcept {
    return (h >> field_shift(lane)) % LaneBits;
  }
  static constexpr std::uint64_t second_factor = 0xD6E8FEB86659FD93U;

  // The first of the k lanes that have a bit, from bits of h below the fields.
  static constexpr unsigned first_lane(std::uint64_t h) noexcept { return static_cast<unsigned>(h >> 13U) % 8; }

  // Bit i of the lowest eight: whether lane i has a bit. The bits above mean nothing.
  static constexpr std::uint64_t lanes(std::uint64_t h, unsigned hashes) noexcept {
    return (((std::uint64_t{1} << hashes) - 1) * 0x0101010101010101U) >> first_lane(h);
  }

  // The bits of `h` in each word of the block.
  static constexpr Masks masks(std::uint64_t h, unsigned hashes) noexcept {
    Masks masks{};
    const std::uint64_t second = h * second_factor;
    const unsigned first = first_lane(h);
    for (unsigned lane = 0; lane < 8; ++lane) {
      const unsigned shift = lane * LaneBits % 64;
      const std::uint64_t one = hashes >= 8 || (lane + first) % 8 < hashes ? std::uint64_t{1} << shift : 0;
      std::uint64_t& word = masks[lane * LaneBits / 64];
      word |= one << field(h, lane);
      if (hashes > 8) word |= one << field(second, lane);
    }
    return masks;
  }

#if PERHAPS_HAS_X86_KERNELS || PERHAPS_HAS_NEON_KERNELS
  // ones[k][first + lane]: whether `lane` has a bit.
  alignas(64) static constexpr auto ones = [] {
    std::array<std::array<std::uint64_t, 16>, 9> rows{};
    for (unsigned k = 0; k <= 8; ++k) {
      for (unsigned i = 0; i < 16; ++i) rows[k][i] = i % 8 < k ? 1 : 0;
    }
    return rows;
  }();
#endif
};

// The positions of a key with k up to 8 in the block that begins at position `first`, lane by lane from the first one
// that has a bit.
template <unsigned LaneBits>
struct SplitPositions {
  using Pattern = SplitPattern<LaneBits>;

  SplitPositions(std::uint64_t first_position, std::uint64_t key) noexcept
      : first(first_position), h(key), lane(8 - Pattern::first_lane(key)) {}

  [[gnu::always_inline]] std::uint64_t next() noexcept {
    const unsigned here = lane++ % 8;
    return first + here * LaneBits + Pattern::field(h, here);
  }

  std::uint64_t first;
  std::uint64_t h;
  unsigned lane;
};

template <>
struct SplitPattern<32> {
  static constexpr std::size_t words = 4;
  using Masks = std::array<std::uint64_t, words>;

  static constexpr std::array<std::uint32_t, 8> salts = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                                         0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};

  static constexpr std::uint32_t key(std::uint64_t h) noexcept { return static_cast<std::uint32_t>(h >> 32U); }

  static constexpr Masks masks(std::uint64_t h, unsigned hashes) noexcept {
    Masks masks{};
    if (hashes == 0) return masks;
    for (unsigned lane = 0; lane < 8; ++lane) {
      const std::uint64_t bit = std::uint64_t{1} << ((key(h) * salts[lane]) >> 27U);
      masks[lane / 2] |= bit << (lane % 2 * 32);
    }
    return masks;
  }
};

// A pattern against the words from `first` on, one by one.
template <class Words, class Masks>
bool contains_masks(const Words& storage, std::size_t first, const Masks& masks) noexcept {
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < masks.size(); ++i) missing |= masks[i] & ~storage.load(first + i);
  return missing == 0;
}

template <class Words, class Masks>
void set_masks(Words& storage, std::size_t first, const Masks& masks) noexcept {
  for (std::size_t i = 0; i < masks.size(); ++i) storage.set(first + i, masks[i]);
}

// test_and_set_masks on storage that threads share: as claim_bits of layout/position_sequence.hpp, but by words. The
// last word that lacked a bit when a thread looked is the one to claim: it is written after all others, at once, and
// whoever adds a bit to it was first.
template <class Words, class Masks>
bool claim_masks(Words& storage, std::size_t first, const Masks& masks) noexcept {
  std::size_t last = masks.size();
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if ((masks[i] & ~storage.load_acquire(first + i)) != 0) last = i;
  }
  if (last == masks.size()) return true;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (i != last) storage.set(first + i, masks[i]);
  }
  return storage.test_and_set(first + last, masks[last]);
}

// Sets it and says whether all of it had been set before.
template <class Words, class Masks>
bool test_and_set_masks(Words& storage, std::size_t first, const Masks& masks) noexcept {
  if constexpr (ConcurrentStorage<Words>) return claim_masks(storage, first, masks);
  bool present = true;
  for (std::size_t i = 0; i < masks.size(); ++i) present &= storage.test_and_set(first + i, masks[i]);
  return present;
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
