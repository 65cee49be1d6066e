// SPDX-License-Identifier: BSL-1.0
//
// Counters of four bits in SplitBlock<16, 8>, in vector registers: each lane of the block is one word, of 16 counters,
// and the block is a cache line. A key has at most one counter in a lane.
//
//     h, in all lanes  ->  four times the lane's field  ->  shift the lane's 1 or 0 left by that  =  what a key adds
//
// Saturated counters stay, and what is not in is not taken out, as the layout does it counter by counter, but without a
// branch for each. `line` is the first word of the block, aligned to 64 bytes.
#ifndef PERHAPS_KERNEL_COUNTER_KERNEL_HPP
#define PERHAPS_KERNEL_COUNTER_KERNEL_HPP

#include <perhaps/detail/packed_counters.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/layout/position_sequence.hpp>
#include <perhaps/layout/split_pattern.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// No kernel: the layout goes counter by counter.
template <class Isa, unsigned LaneBits, unsigned CounterBits>
struct CounterKernel {
  static constexpr bool exists = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <>
struct CounterKernel<isa::Avx512, 16, 4> {
  static constexpr bool exists = true;

  // A 1 in the lowest bit of each counter of the key.
  [[PERHAPS_AVX512, gnu::always_inline]] static inline U64x8 added(std::uint64_t h, unsigned hashes) noexcept {
    using Pattern = SplitPattern<16>;
    const U64x8 ones = load_eight(&Pattern::ones[hashes][Pattern::first_lane(h)]);
    return ones << (((U64x8{} + h) >> U64x8{58, 54, 50, 46, 42, 38, 34, 30}) & 60);
  }

  // The lowest bit of a counter: whether any of its bits is set, or all. The other bits mean nothing.
  [[PERHAPS_AVX512, gnu::always_inline]] static inline U64x8 any(U64x8 counters) noexcept {
    const U64x8 pairs = counters | counters >> 1;
    return pairs | pairs >> 2;
  }
  [[PERHAPS_AVX512, gnu::always_inline]] static inline U64x8 all(U64x8 counters) noexcept {
    const U64x8 pairs = counters & counters >> 1;
    return pairs & pairs >> 2;
  }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test(const std::uint64_t* line, unsigned hashes,
                                                                 std::uint64_t h) noexcept {
    return is_zero(~any(*vectors_at<U64x8>(line)) & added(h, hashes));
  }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline void insert(std::uint64_t* line, unsigned hashes,
                                                                   std::uint64_t h) noexcept {
    const U64x8 counters = *vectors_at<U64x8>(line);
    *vectors_at<U64x8>(line) = counters + (added(h, hashes) & ~all(counters));
  }

  // False, and nothing changed, if one of the counters is 0.
  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool erase(std::uint64_t* line, unsigned hashes,
                                                                  std::uint64_t h) noexcept {
    const U64x8 counters = *vectors_at<U64x8>(line);
    const U64x8 taken = added(h, hashes);
    if (!is_zero(~any(counters) & taken)) [[unlikely]]
      return false;
    *vectors_at<U64x8>(line) = counters - (taken & ~all(counters));
    return true;
  }
};

template <>
struct CounterKernel<isa::Avx2, 16, 4> {
  static constexpr bool exists = true;

  struct Halves {
    U64x4 low;
    U64x4 high;
  };

  [[PERHAPS_AVX2, gnu::always_inline]] static inline Halves load(const std::uint64_t* line) noexcept {
    const auto* halves = vectors_at<U64x4>(line);
    return {halves[0], halves[1]};
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline Halves added(std::uint64_t h, unsigned hashes) noexcept {
    using Pattern = SplitPattern<16>;
    const std::uint64_t* ones = &Pattern::ones[hashes][Pattern::first_lane(h)];
    const U64x4 all_lanes = U64x4{} + h;
    return {load_four(ones) << ((all_lanes >> U64x4{58, 54, 50, 46}) & 60),
            load_four(ones + 4) << ((all_lanes >> U64x4{42, 38, 34, 30}) & 60)};
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline U64x4 any(U64x4 counters) noexcept {
    const U64x4 pairs = counters | counters >> 1;
    return pairs | pairs >> 2;
  }
  [[PERHAPS_AVX2, gnu::always_inline]] static inline U64x4 all(U64x4 counters) noexcept {
    const U64x4 pairs = counters & counters >> 1;
    return pairs & pairs >> 2;
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool holds(Halves counters, Halves key) noexcept {
    return contains_all(U64x4{}, (~any(counters.low) & key.low) | (~any(counters.high) & key.high));
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool test(const std::uint64_t* line, unsigned hashes,
                                                               std::uint64_t h) noexcept {
    return holds(load(line), added(h, hashes));
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline void insert(std::uint64_t* line, unsigned hashes,
                                                                 std::uint64_t h) noexcept {
    const Halves counters = load(line);
    const Halves key = added(h, hashes);
    auto* halves = vectors_at<U64x4>(line);
    halves[0] = counters.low + (key.low & ~all(counters.low));
    halves[1] = counters.high + (key.high & ~all(counters.high));
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool erase(std::uint64_t* line, unsigned hashes,
                                                                std::uint64_t h) noexcept {
    const Halves counters = load(line);
    const Halves key = added(h, hashes);
    if (!holds(counters, key)) [[unlikely]]
      return false;
    auto* halves = vectors_at<U64x4>(line);
    halves[0] = counters.low - (key.low & ~all(counters.low));
    halves[1] = counters.high - (key.high & ~all(counters.high));
    return true;
  }
};

#endif

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
