// SPDX-License-Identifier: BSL-1.0
//
// Speed of CountingBloomFilter with ten counters of four bits a key, on the classic layout and on those of one cache
// line a key: items_per_second is operations per second on one thread.
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

template <class Layout>
using Filter = perhaps::CountingBloomFilter<std::uint64_t, 4, perhaps::XxHash3, Layout>;

using Classic = perhaps::Classic<>;
using Blocked128 = perhaps::Blocked<128>;
using Blocked512 = perhaps::Blocked<512>;
using Split16x8 = perhaps::SplitBlock<16, 8>;

// Ten counters for each key, in whole blocks of any of the layouts, and about the best k for each.
template <class Layout>
Filter<Layout> make(std::size_t keys) {
  const unsigned hashes = Layout::block_bits == 128 ? 6 : 7;
  return Filter<Layout>({.counters = (10 * std::uint64_t{keys} / 512 + 1) * 512, .hashes = hashes});
}

// Passes over the keys take turns: all in, all out. So neither saturates counters nor meets keys that are not there,
// and only the passes of the kind that is measured are timed.
template <class Layout, bool Erasing>
void insert_or_erase(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::vector<std::uint64_t>& keys = traffic(size).present;
  auto filter = make<Layout>(size);
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
  bench::count_keys(state, bench::batch);
}

template <class Layout>
void insert(benchmark::State& state) {
  insert_or_erase<Layout, false>(state);
}

template <class Layout>
void erase(benchmark::State& state) {
  insert_or_erase<Layout, true>(state);
}

template <class Layout>
void hit(benchmark::State& state) {
  bench::lookup(state, &Traffic::present, make<Layout>);
}

template <class Layout>
void miss(benchmark::State& state) {
  bench::lookup(state, &Traffic::absent, make<Layout>);
}

template <class Layout>
void mixed(benchmark::State& state) {
  bench::lookup(state, &Traffic::mixed, make<Layout>);
}

template <class Layout>
void batch_mixed(benchmark::State& state) {
  bench::batch_lookup(state, &Traffic::mixed, make<Layout>);
}

BENCHMARK(insert<Classic>)->Apply(bench::sizes);
BENCHMARK(insert<Blocked512>)->Apply(bench::sizes);
BENCHMARK(insert<Blocked128>)->Apply(bench::sizes);
BENCHMARK(insert<Split16x8>)->Apply(bench::sizes);
BENCHMARK(erase<Classic>)->Apply(bench::sizes);
BENCHMARK(erase<Blocked512>)->Apply(bench::sizes);
BENCHMARK(erase<Blocked128>)->Apply(bench::sizes);
BENCHMARK(erase<Split16x8>)->Apply(bench::sizes);
BENCHMARK(hit<Classic>)->Apply(bench::sizes);
BENCHMARK(hit<Blocked512>)->Apply(bench::sizes);
BENCHMARK(hit<Blocked128>)->Apply(bench::sizes);
BENCHMARK(hit<Split16x8>)->Apply(bench::sizes);
BENCHMARK(miss<Classic>)->Apply(bench::sizes);
BENCHMARK(miss<Blocked512>)->Apply(bench::sizes);
BENCHMARK(miss<Blocked128>)->Apply(bench::sizes);
BENCHMARK(miss<Split16x8>)->Apply(bench::sizes);
BENCHMARK(mixed<Classic>)->Apply(bench::sizes);
BENCHMARK(mixed<Blocked512>)->Apply(bench::sizes);
BENCHMARK(mixed<Blocked128>)->Apply(bench::sizes);
BENCHMARK(mixed<Split16x8>)->Apply(bench::sizes);
BENCHMARK(batch_mixed<Classic>)->Apply(bench::sizes);
BENCHMARK(batch_mixed<Blocked512>)->Apply(bench::sizes);
BENCHMARK(batch_mixed<Blocked128>)->Apply(bench::sizes);
BENCHMARK(batch_mixed<Split16x8>)->Apply(bench::sizes);

}  // namespace

BENCHMARK_MAIN();
