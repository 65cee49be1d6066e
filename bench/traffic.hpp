// SPDX-License-Identifier: BSL-1.0
//
// Keys for benchmarks, and the loop that runs an operation over them. Keys lie in memory in random order, as a caller's
// would; every answer is counted, so nothing can be optimised away.
#ifndef PERHAPS_BENCH_TRAFFIC_HPP
#define PERHAPS_BENCH_TRAFFIC_HPP

#include <perhaps/digest.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace bench {

inline constexpr std::size_t batch = 1024;         // keys between two looks at the clock, one by one
inline constexpr std::size_t keys_at_once = 8192;  // keys that a batch operation gets

// Keys that were inserted, as many that were not, and both in random order. mix_word is a bijection: all are distinct.
struct Traffic {
  explicit Traffic(std::size_t size) {
    for (std::uint64_t i = 0; i < size; ++i) {
      present.push_back(perhaps::mix_word(2 * i, 1).g);
      absent.push_back(perhaps::mix_word(2 * i + 1, 1).g);
    }
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < size; ++i) mixed.push_back(random() % 2 == 0 ? present[i] : absent[i]);
  }

  std::vector<std::uint64_t> present;
  std::vector<std::uint64_t> absent;
  std::vector<std::uint64_t> mixed;
};

// Made once for each size: the benchmark library calls a benchmark several times to find its number of iterations.
inline const Traffic& traffic(std::size_t size) {
  static std::vector<std::pair<std::size_t, Traffic>> known;
  if (known.empty() || known.front().first != size) {
    known.clear();
    known.emplace_back(size, Traffic(size));
  }
  return known.front().second;
}

// Keys per second, and the time that each takes.
inline void count_keys(benchmark::State& state, std::size_t keys_per_iteration) {
  const std::int64_t keys = state.iterations() * static_cast<std::int64_t>(keys_per_iteration);
  state.SetItemsProcessed(keys);
  state.counters["time_per_key"] =
      benchmark::Counter(static_cast<double>(keys), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Runs `operation` on the keys over and over, a batch at a time, and returns how often it said true.
template <class Operation>
std::uint64_t drive(benchmark::State& state, std::span<const std::uint64_t> keys, Operation operation) {
  std::uint64_t count = 0;
  std::size_t first = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (first + batch > keys.size()) first = 0;
    for (const std::uint64_t key : keys.subspan(first, batch)) count += operation(key) ? 1U : 0U;
    first += batch;
    benchmark::DoNotOptimize(count);
  }
  count_keys(state, batch);
  return count;
}

// Runs `operation` on 8192 keys at a time, or on all if there are fewer.
template <class Operation>
void drive_batches(benchmark::State& state, std::span<const std::uint64_t> keys, Operation operation) {
  const std::size_t at_once = keys.size() < keys_at_once ? keys.size() : keys_at_once;
  std::size_t first = 0;
  std::uint64_t count = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (first + at_once > keys.size()) first = 0;
    count += operation(keys.subspan(first, at_once));
    first += at_once;
    benchmark::DoNotOptimize(count);
  }
  count_keys(state, at_once);
}

// How many of the keys the filter says "perhaps" to, in one call.
template <class Filter>
std::uint64_t count_in_batch(const Filter& filter, std::span<const std::uint64_t> keys) {
  std::uint64_t found = 0;
  filter.may_contain_range(keys, [&](std::size_t, bool answer) { found += answer ? 1U : 0U; });
  return found;
}

inline void report_share(benchmark::State& state, std::uint64_t count) {
  const auto operations = static_cast<double>(state.iterations()) * static_cast<double>(batch);
  state.counters["share_true"] = static_cast<double>(count) / operations;
}

// Lookups of those keys in the filter that make(n) makes, with all present ones in it.
template <class Make>
void lookup(benchmark::State& state, std::vector<std::uint64_t> Traffic::*which, Make make) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Traffic& keys = traffic(size);
  auto filter = make(size);
  for (const std::uint64_t key : keys.present) static_cast<void>(filter.insert(key));
  report_share(state, drive(state, keys.*which, [&](std::uint64_t key) { return filter.may_contain(key); }));
}

template <class Make>
void batch_lookup(benchmark::State& state, std::vector<std::uint64_t> Traffic::*which, Make make) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Traffic& keys = traffic(size);
  auto filter = make(size);
  for (const std::uint64_t key : keys.present) static_cast<void>(filter.insert(key));
  drive_batches(state, keys.*which, [&](std::span<const std::uint64_t> some) { return count_in_batch(filter, some); });
}

inline void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t size : {10'000, 1'000'000, 10'000'000}) benchmark->Arg(size);
}

}  // namespace bench

#endif
