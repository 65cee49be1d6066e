// SPDX-License-Identifier: BSL-1.0
//
// Probe sequences eight at a time, one in each lane of a 512-bit vector, and fast range for them. Sequences without a
// closed form in few instructions have no LaneProbes: layouts then take them one by one.
#ifndef PERHAPS_KERNEL_LANE_PROBES_HPP
#define PERHAPS_KERNEL_LANE_PROBES_HPP

#include <perhaps/digest.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class Probes>
struct LaneProbes {
  static constexpr bool exist = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <>
struct LaneProbes<RotatingDoubleHashing> {
  static constexpr bool exist = true;

  std::uint64_t g;
  std::uint64_t h;

  constexpr explicit LaneProbes(Digest digest) noexcept : g(digest.g), h(digest.h ^ RotatingDoubleHashing::whitening) {}

  // The next eight probes.
  [[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 next() noexcept {
    constexpr std::uint64_t r = RotatingDoubleHashing::rotation;
    const U64x8 probes =
        (U64x8{} + g) + rotate_left(U64x8{} + h, U64x8{0, r, 2 * r, 3 * r, 4 * r, 5 * r, 6 * r, 7 * r});
    h = std::rotl(h, static_cast<int>(8 * r % 64));
    return probes;
  }
};

template <>
struct LaneProbes<DoubleHashing> {
  static constexpr bool exist = true;

  std::uint64_t g;
  std::uint64_t h;

  constexpr explicit LaneProbes(Digest digest) noexcept : g(digest.g), h(nonzero_step(digest.h)) {}

  [[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 next() noexcept {
    const U64x8 step = U64x8{} + h;
    constexpr std::uint64_t all = ~std::uint64_t{0};
    // Multiples from shifted steps: a 64-bit multiplication takes three times as long as an addition.
    const U64x8 multiples = (step & U64x8{0, all, 0, all, 0, all, 0, all}) +
                            ((step << 1) & U64x8{0, 0, all, all, 0, 0, all, all}) +
                            ((step << 2) & U64x8{0, 0, 0, 0, all, all, all, all});
    const U64x8 probes = (U64x8{} + g) + multiples;
    g += 8 * h;
    return probes;
  }
};

// fast_range of each lane; exact for size < 2^32.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 fast_range_lanes(U64x8 probes, U64x8 size) noexcept {
  return (multiply_low_halves(probes >> 32, size) + (multiply_low_halves(probes, size) >> 32)) >> 32;
}

#endif

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
