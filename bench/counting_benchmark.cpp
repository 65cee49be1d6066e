// SPDX-License-Identifier: BSL-1.0
//
// Speed of CountingBloomFilter: items_per_second is operations per second on one thread.
#include <perhaps/perhaps.hpp>

#include <benchmark/benchmark.h>

#include "traffic.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using bench::drive;
using bench::Traffic;
using bench::traffic;

using Filter = perhaps::CountingBloomFilter<std::uint64_t>;

Filter make(std::size_t keys) { return Filter({.counters = 10 * std::uint64_t{keys}, .hashes = 7}); }

// Passes over the keys take turns: all in, all out. So neither saturates counters nor meets keys that are not there,
// and only the passes of the kind that is measured are timed.
template <bool Erasing>
void insert_or_erase(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::vector<std::uint64_t>& keys = traffic(size).present;
  Filter filter = make(size);
  std::size_t next = size;
  std::uint64_t erased = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (next + bench::batch > size) {
      state.PauseTiming();
      next = 0;
      filter.clear();
      if (Erasing) {
        for (const std::uint64_t key : keys) filter.insert(key);
      }
      state.ResumeTiming();
    }
    for (const std::size_t end = next + bench::batch; next < end; ++next) {
      if constexpr (Erasing) erased += filter.erase(keys[next]) ? 1U : 0U;
      else filter.insert(keys[next]);
    }
  }
  benchmark::DoNotOptimize(erased);
  benchmark::DoNotOptimize(filter.words().data());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(bench::batch));
}

void insert(benchmark::State& state) { insert_or_erase<false>(state); }
void erase(benchmark::State& state) { insert_or_erase<true>(state); }

void lookup(benchmark::State& state, std::vector<std::uint64_t> Traffic::*which) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Traffic& keys = traffic(size);
  Filter filter = make(size);
  for (const std::uint64_t key : keys.present) filter.insert(key);
  bench::report_share(state, drive(state, keys.*which, [&](std::uint64_t key) { return filter.may_contain(key); }));
}

void hit(benchmark::State& state) { lookup(state, &Traffic::present); }
void miss(benchmark::State& state) { lookup(state, &Traffic::absent); }
void mixed(benchmark::State& state) { lookup(state, &Traffic::mixed); }

BENCHMARK(insert)->Apply(bench::sizes);
BENCHMARK(erase)->Apply(bench::sizes);
BENCHMARK(hit)->Apply(bench::sizes);
BENCHMARK(miss)->Apply(bench::sizes);
BENCHMARK(mixed)->Apply(bench::sizes);

}  // namespace

BENCHMARK_MAIN();
