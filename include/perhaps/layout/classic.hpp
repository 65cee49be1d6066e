// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Classic: the classic layout. Each probe lands anywhere in the m bits.
///
///     bit   0                                             m-1
///           |..1.....1..........1....1........1...1......|       k = 6 probes, six cache lines
///
/// Best rate per bit of all layouts, (1 - e^(-kn/m))^k, and any m from 1 bit up; k memory accesses per operation.
///
/// Burton H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970.
#ifndef PERHAPS_LAYOUT_CLASSIC_HPP
#define PERHAPS_LAYOUT_CLASSIC_HPP

#include <perhaps/cardinality.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/classic_kernel.hpp>
#include <perhaps/kernel/classic_tiles.hpp>
#include <perhaps/kernel/shared_kernel.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/layout/position_sequence.hpp>
#include <perhaps/model/classic.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// The classic layout, the default: each of the k probes lands anywhere in the m bits. The best rate per bit, any m, k
/// cache lines per operation. Its positions can be taken one by one (CellLayout).
template <ProbeSequence Probes = RotatingDoubleHashing>
struct Classic : detail::PositionVisitor<Classic<Probes>> {
  using probe_sequence = Probes;                       ///< How probes follow from a digest
  static constexpr std::string_view name = "Classic";  ///< Its name, in messages
  static constexpr detail::BuiltinId stored_id{1};     ///< Its id in stored filters
  static constexpr bool folds = true;                  ///< m/d positions are those of m, divided by d

  /// Any number of bits will do.
  static constexpr std::uint64_t block_bits = 1;

  static constexpr std::string_view hashes_rule = "from 1 to 64";  ///< takes_hashes() in words
  /// Which k there are.
  static constexpr bool takes_hashes(unsigned hashes) noexcept { return hashes >= 1 && hashes <= max_hashes; }

  /// How many 64-bit words m bits take.
  static constexpr std::uint64_t words_for(std::uint64_t bits) noexcept { return bits / 64 + (bits % 64 != 0 ? 1 : 0); }

  /// Sets the k bits of `digest`. `storage` holds at least words_for(bits) words, bits > 0. O(k).
  template <InstructionSet Isa = isa::Native, class Words>
  [[gnu::always_inline]] static void insert(Words& storage, std::uint64_t bits, unsigned hashes,
                                            Digest digest) noexcept {
    detail::set_bits(storage, hashes, positions_of(bits, digest));
  }

  /// Sets them and says whether all had been set before. O(k).
  template <InstructionSet Isa = isa::Native, class Words>
  static bool test_and_insert(Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    return detail::test_and_set_bits(storage, hashes, positions_of(bits, digest));
  }

  /// Whether all k bits are set. O(k).
  template <InstructionSet Isa = isa::Native, class Words>
  [[gnu::always_inline]] static bool may_contain(const Words& storage, std::uint64_t bits, unsigned hashes,
                                                 Digest digest) noexcept {
    using Kernel = detail::ClassicKernel<Isa, Probes>;
    if constexpr (Kernel::exists && (ContiguousStorage<Words> || ConcurrentStorage<Words>)) {
      detail::before_gather<Words>();
      if (Kernel::takes(bits)) return Kernel::test(storage.words().data(), bits, hashes, digest);
    }
    return detail::test_bits(storage, hashes, positions_of(bits, digest));
  }

  /// insert and may_contain for many digests at once, tile by tile.
  template <class Words>
  using Batch = detail::ClassicBatch<Probes, Words>;

  /// Up to this many keys the model is the exact expectation; beyond, the classic formula is within 0.1 % of it.
  static constexpr double exact_up_to = 10'000;

  /// The expected rate with n keys: never falls as n grows, never rises as m grows. O(k^3) at most.
  /// Throws std::invalid_argument for 0 bits, for hashes that there are not, and for keys below 0 or NaN.
  static double expected_fpr(std::uint64_t bits, unsigned hashes, double keys) {
    if (!detail::demand_model<Classic>(bits, hashes, keys)) return detail::not_a_number();
    if (detail::is_huge(keys)) return 1;
    const auto m = static_cast<double>(bits);
    double fpr = 0;
    if (keys <= exact_up_to) {
      fpr = detail::exact_fpr(m, hashes, keys);
    } else {
      fpr = detail::classic_fpr(m, hashes, keys);
      // One step down where the formulas meet would break the promise.
      if (keys < 2 * exact_up_to) fpr = (detail::max)(fpr, detail::exact_fpr(m, hashes, exact_up_to));
    }
    return (detail::min)(1.0, fpr + Probes::excess_fpr(m, hashes, keys));
  }

  /// The rate of a filter whose bits are word(0), word(1) ..: (X/m)^k, X of them set. A better estimate for one filter
  /// than the model, which knows only how many keys went in. O(m/64).
  template <class WordAt>
  static double current_fpr(std::uint64_t bits, unsigned hashes, WordAt word) noexcept {
    std::uint64_t set = 0;
    for (std::uint64_t i = 0; i < words_for(bits); ++i) set += static_cast<unsigned>(std::popcount(word(i)));
    return detail::pow(static_cast<double>(set) / static_cast<double>(bits), hashes);
  }

  /// Distinct keys in a filter with `set_bits` bits set. Swamidass and Baldi 2007.
  static double estimated_keys(std::uint64_t bits, unsigned hashes, std::uint64_t set_bits) {
    return perhaps::estimated_keys(bits, hashes, set_bits);
  }

  /// The variance of that estimate (cardinality.hpp). Whang, Vander-Zanden and Taylor 1990.
  static double estimate_variance(std::uint64_t bits, unsigned hashes, double keys) {
    if (!detail::demand_model<Classic>(bits, hashes, keys)) return detail::not_a_number();
    return detail::classic_variance(static_cast<double>(bits), hashes, keys);
  }

 private:
  friend detail::PositionVisitor<Classic>;

  static detail::ClassicPositions<Probes> positions_of(std::uint64_t positions, Digest digest) noexcept {
    return {positions, digest};
  }
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
