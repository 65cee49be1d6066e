// SPDX-License-Identifier: BSL-1.0
//
// Speed of BloomFilter and of hashing: items_per_second is operations per second on one thread.
#include <perhaps/perhaps.hpp>

#include <benchmark/benchmark.h>

#include "traffic.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Filter = perhaps::BloomFilter<std::uint64_t>;

using bench::batch;
using bench::drive;
using bench::report_share;
using bench::sizes;
using bench::Traffic;
using bench::traffic;

perhaps::BloomParameters ten_bits_per_key(std::uint64_t keys) { return {.bits = 10 * keys, .hashes = 7}; }

perhaps::BloomParameters one_in_a_thousand(std::uint64_t keys) {
  return perhaps::bloom_parameters({.keys = keys, .fpr = 0.001});
}

using Sizing = perhaps::BloomParameters (*)(std::uint64_t);

void insert(benchmark::State& state, Sizing sizing) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Traffic& keys = traffic(size);
  Filter filter(sizing(size));
  drive(state, keys.present, [&](std::uint64_t key) {
    filter.insert(key);
    return true;
  });
  benchmark::DoNotOptimize(filter.words().data());
}

void test_and_insert(benchmark::State& state, Sizing sizing) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Traffic& keys = traffic(size);
  Filter filter(sizing(size));
  report_share(state, drive(state, keys.present, [&](std::uint64_t key) { return filter.test_and_insert(key); }));
}

void lookup(benchmark::State& state, Sizing sizing, std::vector<std::uint64_t> Traffic::*which) {
  bench::lookup(state, which, [sizing](std::size_t size) { return Filter(sizing(size)); });
}

void hit(benchmark::State& state, Sizing sizing) { lookup(state, sizing, &Traffic::present); }
void miss(benchmark::State& state, Sizing sizing) { lookup(state, sizing, &Traffic::absent); }
void mixed(benchmark::State& state, Sizing sizing) { lookup(state, sizing, &Traffic::mixed); }

void hash_integer(benchmark::State& state) {
  const perhaps::XxHash3 hash;
  const Traffic& keys = traffic(10'000);
  std::uint64_t sum = 0;
  drive(state, keys.present, [&](std::uint64_t key) {
    const perhaps::Digest digest = hash(key);
    sum += digest.g ^ digest.h;
    return true;
  });
  benchmark::DoNotOptimize(sum);
}

void hash_string(benchmark::State& state) {
  const auto length = static_cast<std::size_t>(state.range(0));
  std::mt19937_64 random(1);
  std::vector<std::string> keys(batch, std::string(length, ' '));
  for (std::string& key : keys) {
    for (char& letter : key) letter = static_cast<char>('a' + random() % 26);
  }
  const perhaps::XxHash3 hash;
  std::uint64_t sum = 0;
  for ([[maybe_unused]] auto _ : state) {
    for (const std::string& key : keys) {
      const perhaps::Digest digest = hash(std::string_view(key));
      sum += digest.g ^ digest.h;
    }
    benchmark::DoNotOptimize(sum);
  }
  bench::count_keys(state, batch);
  state.SetBytesProcessed(state.items_processed() * state.range(0));
}

BENCHMARK_CAPTURE(insert, 10_bits_k7, ten_bits_per_key)->Apply(sizes);
BENCHMARK_CAPTURE(hit, 10_bits_k7, ten_bits_per_key)->Apply(sizes);
BENCHMARK_CAPTURE(miss, 10_bits_k7, ten_bits_per_key)->Apply(sizes);
BENCHMARK_CAPTURE(mixed, 10_bits_k7, ten_bits_per_key)->Apply(sizes);
BENCHMARK_CAPTURE(test_and_insert, 10_bits_k7, ten_bits_per_key)->Apply(sizes);

BENCHMARK_CAPTURE(insert, 1_in_1000, one_in_a_thousand)->Apply(sizes);
BENCHMARK_CAPTURE(hit, 1_in_1000, one_in_a_thousand)->Apply(sizes);
BENCHMARK_CAPTURE(miss, 1_in_1000, one_in_a_thousand)->Apply(sizes);
BENCHMARK_CAPTURE(mixed, 1_in_1000, one_in_a_thousand)->Apply(sizes);
BENCHMARK_CAPTURE(test_and_insert, 1_in_1000, one_in_a_thousand)->Apply(sizes);

BENCHMARK(hash_integer);
BENCHMARK(hash_string)->Arg(8)->Arg(16)->Arg(32)->Arg(64);

}  // namespace

BENCHMARK_MAIN();
