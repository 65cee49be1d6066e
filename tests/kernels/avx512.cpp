// SPDX-License-Identifier: BSL-1.0
//
// Compiled with -mavx512f -mavx512dq -mavx512vl -mavx512bw -mbmi2.
#include <perhaps/kernel/lane_probes.hpp>
#include <perhaps/kernel/vectors.hpp>

#include <concepts>
#include <cstring>

#include "kernels/apply.hpp"

namespace kernels {
namespace {

void append(std::vector<std::uint64_t>& values, perhaps::detail::U64x8 lanes) {
  for (int lane = 0; lane < 8; ++lane) values.push_back(lanes[lane]);
}

template <class Probes>
std::vector<std::uint64_t> lanes_of(perhaps::Digest digest) {
  perhaps::detail::LaneProbes<Probes> probes(digest);
  std::vector<std::uint64_t> values;
  for (int group = 0; group < 8; ++group) append(values, probes.next());
  return values;
}

}  // namespace

static_assert(std::same_as<perhaps::isa::Native, perhaps::isa::Avx512>);

std::vector<bool> apply_avx512(LayoutId layout, Operation operation, std::uint64_t* words, std::size_t size,
                               std::uint64_t m, unsigned k, const std::vector<perhaps::Digest>& digests) {
  return apply_with<perhaps::isa::Avx512>(layout, operation, Lent(words, size), m, k, digests);
}

bool count_avx512(CounterOperation operation, std::uint64_t* line, unsigned k, std::uint64_t h) {
  return count_with<perhaps::isa::Avx512>(operation, line, k, h);
}

std::vector<std::uint64_t> rotating_lanes(perhaps::Digest digest) {
  return lanes_of<perhaps::RotatingDoubleHashing>(digest);
}

std::vector<std::uint64_t> double_lanes(perhaps::Digest digest) { return lanes_of<perhaps::DoubleHashing>(digest); }

std::vector<std::uint64_t> fast_range_of(const std::vector<std::uint64_t>& probes, std::uint64_t size) {
  perhaps::detail::U64x8 lanes;
  std::memcpy(&lanes, probes.data(), sizeof(lanes));
  std::vector<std::uint64_t> values;
  append(values, perhaps::detail::fast_range_lanes(lanes, perhaps::detail::U64x8{} + size));
  return values;
}

}  // namespace kernels
