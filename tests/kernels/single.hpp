// SPDX-License-Identifier: BSL-1.0
//
// Single operations with an instruction set, each compiled in a translation unit of its own with the flags for it, and
// called from a program without these flags.
#ifndef PERHAPS_TESTS_KERNELS_SINGLE_HPP
#define PERHAPS_TESTS_KERNELS_SINGLE_HPP

#include <perhaps/digest.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernels {

enum class LayoutId {
  classic,
  classic_double,
  classic_enhanced,
  blocked_64,
  blocked_128,
  blocked_256,
  blocked_512,
  blocked_512_double,
  split_64,
  split_32,
  split_16,
};

enum class Operation { insert, test_and_insert, may_contain };

// Applies the operation to words of m bits for each digest in turn: what it answered, true for insert.
using Apply = std::vector<bool>(LayoutId layout, Operation operation, std::uint64_t* words, std::size_t size,
                                std::uint64_t m, unsigned k, const std::vector<perhaps::Digest>& digests);

Apply apply_scalar;
Apply apply_avx2;
Apply apply_avx512;
Apply apply_neon;

// Puts counters of four bits in one line, SplitBlock<16, 8>, up by one, or down, or asks whether all are set: what
// `insert` (then true), `erase` or `may_contain` say of it.
enum class CounterOperation { insert, erase, may_contain };
using Count = bool(CounterOperation operation, std::uint64_t* line, unsigned k, std::uint64_t h);

Count count_avx2;
Count count_avx512;

// The first 64 probes of a digest by LaneProbes of RotatingDoubleHashing and DoubleHashing, eight by eight.
std::vector<std::uint64_t> rotating_lanes(perhaps::Digest digest);
std::vector<std::uint64_t> double_lanes(perhaps::Digest digest);

// fast_range_lanes of eight probes.
std::vector<std::uint64_t> fast_range_of(const std::vector<std::uint64_t>& probes, std::uint64_t size);

}  // namespace kernels

#endif
