// SPDX-License-Identifier: BSL-1.0
//
// Lookups on the classic layout in vector registers: eight probes, a position in each lane; one gather of their words,
// one test of their bits. Hits, misses and mixed traffic take the same time, for k up to eight without a branch.
#ifndef PERHAPS_KERNEL_CLASSIC_KERNEL_HPP
#define PERHAPS_KERNEL_CLASSIC_KERNEL_HPP

#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/lane_probes.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/version.hpp>

#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class Isa, class Probes>
struct ClassicKernel {
  static constexpr bool exists = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <class Probes>
requires(LaneProbes<Probes>::exist) struct ClassicKernel<isa::Avx512, Probes> {
  static constexpr bool exists = true;

  // Fast range in lanes is exact below 2^32; larger filters wait for memory, not for arithmetic.
  static constexpr bool takes(std::uint64_t bits) noexcept { return bits >> 32U == 0; }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test(const std::uint64_t* words, std::uint64_t bits,
                                                                 unsigned hashes, Digest digest) noexcept {
    if (hashes > 8) [[unlikely]]
      return test_groups(words, bits, hashes, digest.g, digest.h);
    LaneProbes<Probes> probes(digest);
    return test_some(words, fast_range_lanes(probes.next(), U64x8{} + bits), lowest_lanes(hashes));
  }

  // The digest as two numbers: as one object it would go through memory, here and where eight probes are enough.
  [[PERHAPS_AVX512, gnu::noinline]] static bool test_groups(const std::uint64_t* words, std::uint64_t bits,
                                                            unsigned hashes, std::uint64_t g,
                                                            std::uint64_t h) noexcept {
    LaneProbes<Probes> probes(Digest{g, h});
    const U64x8 size = U64x8{} + bits;
    for (; hashes > 8; hashes -= 8) {
      if (!test_some(words, fast_range_lanes(probes.next(), size), 0xFF)) return false;
    }
    return test_some(words, fast_range_lanes(probes.next(), size), lowest_lanes(hashes));
  }

  static constexpr Mask8 lowest_lanes(unsigned count) noexcept { return static_cast<Mask8>((1U << count) - 1); }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test_some(const std::uint64_t* words, U64x8 positions,
                                                                      Mask8 lanes) noexcept {
    const U64x8 found = gather(words, positions >> 6, lanes);
    return lanes_in_common(found, rotate_left(U64x8{} + 1, positions)) == lanes;
  }
};

#endif

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
