// SPDX-License-Identifier: BSL-1.0
//
// The time of sizing itself: one filter's parameters for n keys at a rate of 10^-p, by layout; a filter of n keys is
// built from nothing else.
#include <perhaps/perhaps.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>

namespace {

template <class Layout>
void size(benchmark::State& state) {
  const perhaps::BloomTarget target{.keys = static_cast<std::uint64_t>(state.range(0)),
                                    .fpr = std::pow(10.0, -static_cast<double>(state.range(1)))};
  for ([[maybe_unused]] auto _ : state) {
    auto sized = perhaps::bloom_parameters<Layout>(target);
    benchmark::DoNotOptimize(sized);
  }
}

void targets(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"n", "p"})->ArgsProduct({{1, 1000, 1'000'000, 10'000'000'000}, {1, 2, 6}});
  benchmark->Unit(benchmark::kMicrosecond);
}

}  // namespace

BENCHMARK(size<perhaps::Classic<>>)->Apply(targets);
BENCHMARK(size<perhaps::Blocked<64>>)->Apply(targets);
BENCHMARK(size<perhaps::Blocked<512>>)->Apply(targets);
BENCHMARK(size<perhaps::SplitBlock<64, 8>>)->Apply(targets);
BENCHMARK(size<perhaps::SplitBlock<32, 8>>)->Apply(targets);
BENCHMARK(size<perhaps::SplitBlock<16, 8>>)->Apply(targets);

BENCHMARK_MAIN();
