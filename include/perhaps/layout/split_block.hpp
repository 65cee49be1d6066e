// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// SplitBlock: all bits of a key in one block, at most one in each of its eight lanes: made for vector registers.
///
///     lane    0       1       2       3       4       5       6       7
///     block   |...1...|1......|.....1.|..1....|.......|....1..|.1.....|.......|      k = 6, lanes 0 to 5
///
///     layout               block      k             bits per key at 10 %   1 %    0.1 %   10^-4   10^-5
///     SplitBlock<64, 8>    64 bytes   1 to 8, 16                  4.86  10.10    15.73   22.9    30.0
///     SplitBlock<32, 8>    32 bytes   8                           5.99   10.53   16.89   26.3    41.0
///     SplitBlock<16, 8>    16 bytes   1 to 8                      5.01   10.93   19.39   32.5    55.3
///     (classic)                       any                         4.79   9.59    14.38   19.2    24.0
///
/// 64-bit lanes: k = 8 puts a bit into each lane, a smaller k into k lanes from a random one on, k = 16 two into each;
/// sizing picks the k that needs the least bits, but k = 8, which is the fastest, where no other saves more than 3 % (k
/// = 6 saves 1.7 % at 1 %, and takes a fifth to a third more time). Close to `Blocked<512>` in space, several times as
/// fast.
///
/// 32-bit lanes: Apache Parquet's split-block filter, byte for byte when keys are hashed as Parquet does (parquet.hpp).
/// Its patterns have 32 bits: an absent key has that of a key in its block with a probability of 2^-32 each.
///
/// 16-bit lanes: for counters. 128 of four bits are a cache line, and each lane is a word of it, so that a key is put
/// in, taken out and looked up in a few instructions (kernel/counter_kernel.hpp). For bits the others are better.
///
/// Apache Parquet, "Parquet Bloom Filter" (BloomFilter.md of parquet-format). Putze, Sanders and Singler, "Cache-,
/// Hash- and Space-Efficient Bloom Filters", 2007.
#ifndef PERHAPS_LAYOUT_SPLIT_BLOCK_HPP
#define PERHAPS_LAYOUT_SPLIT_BLOCK_HPP

#include <perhaps/cardinality.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/block_batch.hpp>
#include <perhaps/kernel/counter_kernel.hpp>
#include <perhaps/kernel/shared_kernel.hpp>
#include <perhaps/kernel/split_kernel.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/layout/split_pattern.hpp>
#include <perhaps/model/blocked.hpp>
#include <perhaps/model/counting.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace perhaps {
inline namespace PERHAPS_ABI {

template <unsigned LaneBits = 64, unsigned Lanes = 8>
struct SplitBlock;

namespace detail {

struct NoVisits {};

// Of split blocks, those with 16-bit lanes take their positions one by one too.
template <unsigned LaneBits, unsigned Lanes>
using SplitVisits = std::conditional_t<LaneBits == 16, PositionVisitor<SplitBlock<LaneBits, Lanes>>, NoVisits>;

}  // namespace detail

/// The layout with at most one bit of a key in each of eight lanes of one block (two for k = 16): one cache line and a
/// few vector instructions per operation. `LaneBits` is 64, 32 for Apache Parquet's filter, or 16 for
/// counters; `Lanes` is 8.
template <unsigned LaneBits, unsigned Lanes>
struct SplitBlock : detail::SplitVisits<LaneBits, Lanes> {
 private:
  using Block = detail::BlockOfLanes<LaneBits>;

 public:
  static_assert(
      (LaneBits == 64 || LaneBits == 32 || LaneBits == 16) && Lanes == 8,
      "perhaps: split blocks have eight lanes of 64 bits, of 32 for Apache Parquet's, or of 16 for counters.");

  /// Its name, in messages.
  static constexpr std::string_view name = LaneBits == 64   ? "SplitBlock<64, 8>"
                                           : LaneBits == 32 ? "SplitBlock<32, 8>"
                                                            : "SplitBlock<16, 8>";
  static constexpr std::uint64_t block_bits = std::uint64_t{LaneBits} * Lanes;  ///< In bits: m is a multiple of it
  static constexpr detail::BuiltinId stored_id{0x2000 + LaneBits};              ///< Its id in stored filters
  static constexpr bool folds = true;  ///< m/d positions are those of m, divided by d

  /// takes_hashes() in words.
  static constexpr std::string_view hashes_rule = LaneBits == 64   ? "from 1 to 8, or 16"
                                                  : LaneBits == 32 ? "8"
                                                                   : "from 1 to 8";
  /// Which k there are.
  static constexpr bool takes_hashes(unsigned hashes) noexcept {
    if (LaneBits == 32) return hashes == 8;
    return (hashes >= 1 && hashes <= 8) || (LaneBits == 64 && hashes == 16);
  }

  /// The k that sizing prefers to those that save no more than 3 % of the bits: with a bit in every lane, operations
  /// take a fifth less time than with k = 6. 0: none.
  static constexpr unsigned preferred_hashes = LaneBits == 64 ? 8 : 0;

  /// How many 64-bit words m bits take.
  static constexpr std::uint64_t words_for(std::uint64_t bits) noexcept { return bits / 64; }

  /// Sets the bits of `digest`. `storage` holds at least words_for(bits) words, bits > 0. One cache line.
  template <InstructionSet Isa = isa::Native, class Words>
  static void insert(Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    if (hashes == 0) return;
    const std::size_t first = first_word(bits, digest);
    if constexpr (Kernel<Isa>::exists && ContiguousStorage<Words>) {
      Kernel<Isa>::insert(storage.words().data() + first, hashes, digest.h);
    } else {
      if (detail::surely_has<Kernel<Isa>, Isa, words>(storage, first, hashes, digest.h)) return;
      Block::insert(storage, first, hashes, digest.h);
    }
  }

  /// Sets them and says whether all had been set before. One cache line.
  template <InstructionSet Isa = isa::Native, class Words>
  static bool test_and_insert(Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    if (hashes == 0) return true;
    const std::size_t first = first_word(bits, digest);
    if constexpr (Kernel<Isa>::exists && ContiguousStorage<Words>) {
      return Kernel<Isa>::test_and_insert(storage.words().data() + first, hashes, digest.h);
    } else {
      if (detail::surely_has<Kernel<Isa>, Isa, words>(storage, first, hashes, digest.h)) return true;
      return detail::test_and_set_masks(storage, first, Pattern::masks(digest.h, hashes));
    }
  }

  /// Whether all of them are set. One cache line, no branches.
  template <InstructionSet Isa = isa::Native, class Words>
  static bool may_contain(const Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    if (hashes == 0) return true;
    const std::size_t first = first_word(bits, digest);
    using Lookup = detail::LookupKernel<Kernel<Isa>, Isa, words, Words>;
    if constexpr (Lookup::exists) {
      return Lookup::test(storage.words().data() + first, hashes, digest.h);
    } else {
      return Block::contains(storage, first, hashes, digest.h);
    }
  }

  /// insert and may_contain for many digests at once, tile by tile.
  template <class Words>
  using Batch = detail::BlockBatch<Block, Words>;

  /// Counters instead of bits, a block at a time.
  template <class Isa, unsigned CounterBits>
  using CounterKernel = detail::CounterKernel<Isa, LaneBits, CounterBits>;
  /// The positions of a key in its block, one after the other.
  static detail::SplitPositions<LaneBits> positions_in_block(std::uint64_t first_position, std::uint64_t h) noexcept {
    return {first_position, h};
  }

  /// The expected rate with n keys, exact for any number of blocks: never falls as n grows, never rises as m grows.
  /// Throws std::invalid_argument for bits that are no whole blocks, for hashes that there are not, and for keys below
  /// 0 or NaN.
  static double expected_fpr(std::uint64_t bits, unsigned hashes, double keys) {
    if (!detail::demand_model<SplitBlock>(bits, hashes, keys)) return detail::not_a_number();
    if (detail::is_huge(keys)) return 1;
    const double blocks = static_cast<double>(bits / block_bits);
    if (LaneBits == 32) {
      const double fpr = detail::split_fpr(LaneBits, Lanes, blocks, 1, keys);
      return (detail::min)(1.0, fpr + keys / blocks * 0x1p-32);
    }
    if (hashes < Lanes) return detail::partial_split_fpr(LaneBits, Lanes, blocks, hashes, keys);
    return detail::split_fpr(LaneBits, Lanes, blocks, hashes / Lanes, keys);
  }

  /// The rate of a filter whose bits are word(0), word(1) ..: the mean over its blocks of the product of the shares of
  /// bits set in the lanes that an absent key asks. Unevenly filled blocks count as what they are. O(m/64).
  template <class WordAt>
  static double current_fpr(std::uint64_t bits, unsigned hashes, WordAt word) noexcept {
    double sum = 0;
    for (std::uint64_t first = 0; first < words_for(bits); first += words) {
      std::array<double, Lanes> fill{};
      for (unsigned lane = 0; lane < Lanes; ++lane) {
        const std::uint64_t lanes = word(first + lane * LaneBits / 64) >> (lane * LaneBits % 64);
        const std::uint64_t own = lanes & (~std::uint64_t{0} >> (64 - LaneBits));
        fill[lane] = static_cast<double>(std::popcount(own)) / LaneBits;
      }
      sum += block_fpr(fill, hashes);
    }
    return sum / static_cast<double>(bits / block_bits);
  }

  /// Distinct keys in a filter with `set_bits` bits set: a key sets a given bit of its block with probability k/B, or
  /// 1 - (1 - 1/w)^2 if it has two bits in every lane of w.
  static double estimated_keys(std::uint64_t bits, unsigned hashes, std::uint64_t set_bits) {
    if (!detail::demand_geometry<SplitBlock>("bits", bits, hashes)) return detail::not_a_number();
    return estimated_blocked_keys(bits, block_bits, hit(hashes), set_bits);
  }

  /// The variance of that estimate (cardinality.hpp), from how often a key sets two given bits of its block: in one
  /// lane never, or both its bits there, 2/w^2; in lanes d apart, where it has bits in both, once in w^2.
  static double estimate_variance(std::uint64_t bits, unsigned hashes, double keys) {
    if (!detail::demand_model<SplitBlock>(bits, hashes, keys)) return detail::not_a_number();
    constexpr double one = 1.0 / LaneBits;
    return detail::blocked_variance(static_cast<double>(bits / block_bits), hit(hashes), keys, [&](double mean) {
      double sum = detail::expm1(mean * hit(hashes));
      if (hashes > Lanes) {
        const double same = detail::expm1(mean * 2 * one * one);
        const double apart = detail::expm1(mean * hit(hashes) * hit(hashes));
        return (sum + (LaneBits - 1) * same + (Lanes - 1) * LaneBits * apart) / static_cast<double>(block_bits);
      }
      for (unsigned distance = 1; distance < Lanes; ++distance) {
        unsigned starts = hashes > distance ? hashes - distance : 0;
        if (hashes + distance > Lanes) starts += hashes + distance - Lanes;
        sum += LaneBits * detail::expm1(mean * starts / Lanes * one * one);
      }
      return sum / static_cast<double>(block_bits);
    });
  }

  /// The probability that a given one of so many counters is at `threshold` or above once `keys` distinct keys are in:
  /// each adds to it once with probability k/m, since no two of its positions are equal.
  static double counter_reaches(std::uint64_t counters, unsigned hashes, double keys, std::uint64_t threshold)
      requires(LaneBits == 16) {
    const bool valid =
        detail::demand_geometry<SplitBlock>("counters", counters, hashes) && detail::demand_threshold(keys, threshold);
    if (!valid) return detail::not_a_number();
    return detail::binomial_tail(keys, static_cast<double>(counters) / hashes, static_cast<double>(threshold));
  }

 private:
  friend detail::SplitVisits<LaneBits, Lanes>;

  static detail::SplitPositions<LaneBits> positions_of(std::uint64_t positions, Digest digest) noexcept {
    return positions_in_block(fast_range(digest.g, positions / block_bits) * block_bits, digest.h);
  }

  using Pattern = detail::SplitPattern<LaneBits>;
  template <class Isa>
  using Kernel = typename Block::template Kernel<Isa>;

  static constexpr std::size_t words = Pattern::words;

  // The probability that a key sets a given bit of its block.
  static double hit(unsigned hashes) noexcept {
    constexpr double one = 1.0 / LaneBits;
    return hashes > Lanes ? one * (2 - one) : hashes / static_cast<double>(block_bits);
  }

  static std::size_t first_word(std::uint64_t bits, Digest digest) noexcept {
    return detail::to_size(fast_range(digest.g, bits / block_bits)) * words;
  }

  static double block_fpr(const std::array<double, Lanes>& fill, unsigned hashes) noexcept {
    double every = 1;
    for (const double share : fill) every *= share;
    if (hashes == Lanes) return every;
    if (hashes > Lanes) return every * every;
    double sum = 0;
    for (unsigned first = 0; first < Lanes; ++first) {
      double run = 1;
      for (unsigned i = 0; i < hashes; ++i) run *= fill[(first + i) % Lanes];
      sum += run;
    }
    return sum / Lanes;
  }
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
