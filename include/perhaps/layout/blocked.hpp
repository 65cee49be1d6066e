// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Blocked: all k bits of a key in one block of the size of a cache line.
///
///     block   0          1          2                      M-1
///             |..........|.1..1..1.1|..........|  ...  |..........|       one cache line per operation
///
/// The first hash picks the block by fast range, the second alone makes the probes within it, so the two are
/// independent. 9.92 bits per key for 1 %, 15.55 for 0.1 %, where the classic layout takes 9.59 and 14.38. With
/// counters in place of bits, a block of B positions takes B counters: `Blocked<128>` fits 4-bit counters into a line.
///
/// Putze, Sanders and Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007.
#ifndef PERHAPS_LAYOUT_BLOCKED_HPP
#define PERHAPS_LAYOUT_BLOCKED_HPP

#include <perhaps/cardinality.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/block_batch.hpp>
#include <perhaps/kernel/blocked_kernel.hpp>
#include <perhaps/kernel/shared_kernel.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/layout/position_sequence.hpp>
#include <perhaps/model/blocked.hpp>
#include <perhaps/model/counting.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstdint>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// The layout with all k bits of a key in one block of `BlockBits` bits: one cache line per operation. Its positions
/// can be taken one by one, so it serves counting filters too (CellLayout).
template <unsigned BlockBits = 512, ProbeSequence Probes = RotatingDoubleHashing>
struct Blocked : detail::PositionVisitor<Blocked<BlockBits, Probes>> {
  static_assert(BlockBits >= 64 && BlockBits <= 512 && std::has_single_bit(BlockBits),
                "perhaps: a block has 64, 128, 256 or 512 bits: whole words, and no more than a cache line.");

  using probe_sequence = Probes;  ///< How probes follow from a digest
  /// Its name, in messages.
  static constexpr std::string_view name = BlockBits == 64    ? "Blocked<64>"
                                           : BlockBits == 128 ? "Blocked<128>"
                                           : BlockBits == 256 ? "Blocked<256>"
                                                              : "Blocked<512>";
  static constexpr std::uint64_t block_bits = BlockBits;  ///< The size of a block in bits: m is a multiple of it
  static constexpr detail::BuiltinId stored_id{0x1000 + BlockBits};  ///< Its id in stored filters
  static constexpr bool folds = true;                                ///< m/d positions are those of m, divided by d

  static constexpr std::string_view hashes_rule = "from 1 to 64";  ///< takes_hashes() in words
  /// Which k there are.
  static constexpr bool takes_hashes(unsigned hashes) noexcept { return hashes >= 1 && hashes <= max_hashes; }

  /// How many 64-bit words m bits take.
  static constexpr std::uint64_t words_for(std::uint64_t bits) noexcept { return bits / 64; }

  /// Sets the k bits of `digest`. `storage` holds at least words_for(bits) words, bits > 0. O(k), one cache line.
  template <InstructionSet Isa = isa::Native, class Words>
  static void insert(Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    using Kernel = detail::BlockedKernel<Isa, BlockBits, Probes>;
    if constexpr (Kernel::exists && ContiguousStorage<Words>) {
      if (hashes == 0) return;
      Kernel::insert(storage.words().data() + first_position(bits, digest) / 64, hashes, digest.h);
    } else {
      const std::uint64_t first = first_position(bits, digest) / 64;
      if (detail::surely_has<Kernel, Isa, BlockBits / 64>(storage, detail::to_size(first), hashes, digest.h)) {
        return;
      }
      detail::set_bits(storage, hashes, positions_of(bits, digest));
    }
  }

  /// Sets them and says whether all had been set before. O(k), one cache line.
  template <InstructionSet Isa = isa::Native, class Words>
  static bool test_and_insert(Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    return detail::test_and_set_bits(storage, hashes, positions_of(bits, digest));
  }

  /// Whether all k bits are set. O(k), one cache line.
  template <InstructionSet Isa = isa::Native, class Words>
  static bool may_contain(const Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    using Kernel = detail::LookupKernel<detail::BlockedKernel<Isa, BlockBits, Probes>, Isa, BlockBits / 64, Words>;
    if constexpr (Kernel::exists) {
      if (hashes == 0) return true;
      const std::uint64_t* block = storage.words().data() + first_position(bits, digest) / 64;
      return Kernel::test(block, hashes, digest.h);
    }
    return detail::test_bits(storage, hashes, positions_of(bits, digest));
  }

  /// insert and may_contain for many digests at once, tile by tile.
  template <class Words>
  using Batch = detail::BlockBatch<detail::BlockOfProbes<BlockBits, Probes>, Words>;

  /// The expected rate with n keys, exact for any number of blocks: never falls as n grows, never rises as m grows.
  /// Throws std::invalid_argument for bits that are no whole blocks, for hashes that there are not, and for keys below
  /// 0 or NaN.
  static double expected_fpr(std::uint64_t bits, unsigned hashes, double keys) {
    if (!detail::demand_model<Blocked>(bits, hashes, keys)) return detail::not_a_number();
    if (detail::is_huge(keys)) return 1;
    const double blocks = static_cast<double>(bits / BlockBits);
    const double fpr = detail::blocked_fpr(BlockBits, blocks, hashes, keys);
    return (detail::min)(1.0, fpr + Probes::excess_fpr(BlockBits, hashes, keys / blocks));
  }

  /// The rate of a filter whose bits are word(0), word(1) ..: the mean of (X/B)^k over its blocks, X bits of each set.
  /// Unevenly filled blocks count as what they are. O(m/64).
  template <class WordAt>
  static double current_fpr(std::uint64_t bits, unsigned hashes, WordAt word) noexcept {
    double sum = 0;
    for (std::uint64_t first = 0; first < words_for(bits); first += BlockBits / 64) {
      unsigned set = 0;
      for (std::uint64_t i = 0; i < BlockBits / 64; ++i) set += static_cast<unsigned>(std::popcount(word(first + i)));
      sum += detail::pow(static_cast<double>(set) / BlockBits, hashes);
    }
    return sum / static_cast<double>(bits / BlockBits);
  }

  /// Distinct keys in a filter with `set_bits` bits set: a key leaves a bit of its block alone with probability
  /// z = (1 - 1/B)^k.
  static double estimated_keys(std::uint64_t bits, unsigned hashes, std::uint64_t set_bits) {
    if (!detail::demand_geometry<Blocked>("bits", bits, hashes)) return detail::not_a_number();
    return estimated_blocked_keys(bits, BlockBits, hit(hashes), set_bits);
  }

  /// The variance of that estimate (cardinality.hpp). Two given bits of its block are both set by a key with
  /// probability 1 - 2z + (1 - 2/B)^k.
  static double estimate_variance(std::uint64_t bits, unsigned hashes, double keys) {
    if (!detail::demand_model<Blocked>(bits, hashes, keys)) return detail::not_a_number();
    const double pair = 2 * hit(hashes) + detail::expm1(hashes * detail::log1p(-2.0 / BlockBits));
    return detail::blocked_variance(static_cast<double>(bits / BlockBits), hit(hashes), keys, [&](double mean) {
      return (detail::expm1(mean * hit(hashes)) + (BlockBits - 1) * detail::expm1(mean * pair)) / BlockBits;
    });
  }

  /// The probability that a given one of so many counters is at `threshold` or above once `keys` distinct keys are in:
  /// the keys of a block add to it k times with probability 1/B each.
  static double counter_reaches(std::uint64_t counters, unsigned hashes, double keys, std::uint64_t threshold) {
    const bool valid =
        detail::demand_geometry<Blocked>("counters", counters, hashes) && detail::demand_threshold(keys, threshold);
    if (!valid) return detail::not_a_number();
    return detail::blocked_counter_tail(BlockBits, static_cast<double>(counters / BlockBits), hashes, keys,
                                        static_cast<double>(threshold));
  }

 private:
  friend detail::PositionVisitor<Blocked>;

  static detail::BlockedPositions<BlockBits, Probes> positions_of(std::uint64_t positions, Digest digest) noexcept {
    return {first_position(positions, digest), digest.h};
  }

  // The probability that a key sets a given bit of its block.
  static double hit(unsigned hashes) noexcept { return -detail::expm1(hashes * detail::log1p(-1.0 / BlockBits)); }

  static std::uint64_t first_position(std::uint64_t positions, Digest digest) noexcept {
    return fast_range(digest.g, positions / BlockBits) * BlockBits;
  }
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
