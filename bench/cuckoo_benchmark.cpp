// SPDX-License-Identifier: BSL-1.0
//
// Speed of CuckooFilter, filled to 95 %: items_per_second is operations per second on one thread.
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

template <unsigned FingerprintBits>
using Filter = perhaps::CuckooFilter<std::uint64_t, FingerprintBits>;

template <unsigned FingerprintBits>
Filter<FingerprintBits> make(std::size_t keys) {
  return Filter<FingerprintBits>({.buckets = static_cast<std::uint64_t>(static_cast<double>(keys) / 0.95 / 4) + 1});
}

// Filling an empty filter, whole: the last keys cost twenty times as much as the first.
template <unsigned FingerprintBits>
void fill(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::vector<std::uint64_t>& keys = traffic(size).present;
  auto filter = make<FingerprintBits>(size);
  std::uint64_t accepted = 0;
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    filter.clear();
    state.ResumeTiming();
    for (const std::uint64_t key : keys) accepted += filter.insert(key) ? 1U : 0U;
  }
  bench::count_keys(state, size);
  state.counters["accepted"] = static_cast<double>(accepted) / static_cast<double>(state.items_processed());
}

template <unsigned FingerprintBits>
void empty(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const std::vector<std::uint64_t>& keys = traffic(size).present;
  auto full = make<FingerprintBits>(size);
  for (const std::uint64_t key : keys) static_cast<void>(full.insert(key));
  auto filter = full;
  std::uint64_t erased = 0;
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    filter = full;
    state.ResumeTiming();
    for (const std::uint64_t key : keys) erased += filter.erase(key) ? 1U : 0U;
  }
  bench::count_keys(state, size);
  state.counters["erased"] = static_cast<double>(erased) / static_cast<double>(state.items_processed());
}

template <unsigned FingerprintBits>
void hit(benchmark::State& state) {
  bench::lookup(state, &Traffic::present, make<FingerprintBits>);
}
template <unsigned FingerprintBits>
void miss(benchmark::State& state) {
  bench::lookup(state, &Traffic::absent, make<FingerprintBits>);
}
template <unsigned FingerprintBits>
void mixed(benchmark::State& state) {
  bench::lookup(state, &Traffic::mixed, make<FingerprintBits>);
}
template <unsigned FingerprintBits>
void batch_hit(benchmark::State& state) {
  bench::batch_lookup(state, &Traffic::present, make<FingerprintBits>);
}
template <unsigned FingerprintBits>
void batch_miss(benchmark::State& state) {
  bench::batch_lookup(state, &Traffic::absent, make<FingerprintBits>);
}
template <unsigned FingerprintBits>
void batch_mixed(benchmark::State& state) {
  bench::batch_lookup(state, &Traffic::mixed, make<FingerprintBits>);
}

BENCHMARK(fill<8>)->Apply(bench::sizes);
BENCHMARK(fill<12>)->Apply(bench::sizes);
BENCHMARK(fill<16>)->Apply(bench::sizes);
BENCHMARK(empty<8>)->Apply(bench::sizes);
BENCHMARK(empty<12>)->Apply(bench::sizes);
BENCHMARK(empty<16>)->Apply(bench::sizes);
BENCHMARK(hit<8>)->Apply(bench::sizes);
BENCHMARK(hit<12>)->Apply(bench::sizes);
BENCHMARK(hit<16>)->Apply(bench::sizes);
BENCHMARK(miss<8>)->Apply(bench::sizes);
BENCHMARK(miss<12>)->Apply(bench::sizes);
BENCHMARK(miss<16>)->Apply(bench::sizes);
BENCHMARK(mixed<8>)->Apply(bench::sizes);
BENCHMARK(mixed<12>)->Apply(bench::sizes);
BENCHMARK(mixed<16>)->Apply(bench::sizes);
BENCHMARK(batch_hit<8>)->Apply(bench::sizes);
BENCHMARK(batch_hit<12>)->Apply(bench::sizes);
BENCHMARK(batch_hit<16>)->Apply(bench::sizes);
BENCHMARK(batch_miss<8>)->Apply(bench::sizes);
BENCHMARK(batch_miss<12>)->Apply(bench::sizes);
BENCHMARK(batch_miss<16>)->Apply(bench::sizes);
BENCHMARK(batch_mixed<8>)->Apply(bench::sizes);
BENCHMARK(batch_mixed<12>)->Apply(bench::sizes);
BENCHMARK(batch_mixed<16>)->Apply(bench::sizes);

}  // namespace

BENCHMARK_MAIN();
