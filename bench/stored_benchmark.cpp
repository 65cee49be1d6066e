// SPDX-License-Identifier: BSL-1.0
//
// Saving, loading and opening a filter of 100 MB, beside what nobody can do without: a copy of its bytes into new
// memory and a checksum over them. bytes_per_second counts the payload.
#include <perhaps/perhaps.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Bloom = perhaps::BloomFilter<std::uint64_t>;
using Cuckoo = perhaps::CuckooFilter<std::uint64_t>;
constexpr std::uint64_t megabytes = 100;

template <class F>
const F& example() {
  static const F filter = [] {
    if constexpr (requires { F::fingerprint_bits; }) {
      F table(perhaps::CuckooParameters{.buckets = megabytes * 8'000'000 / 48});
      const auto keys = static_cast<std::uint64_t>(0.9 * static_cast<double>(table.capacity()));
      for (std::uint64_t key = 0; key < keys; ++key) static_cast<void>(table.insert(key));
      return table;
    } else {
      F bits({.bits = megabytes * 8'000'000, .hashes = 7});
      for (std::uint64_t key = 0; key < megabytes * 800'000; ++key) bits.insert(key);
      return bits;
    }
  }();
  return filter;
}

template <class F>
const std::vector<std::byte>& stored() {
  static const std::vector<std::byte> bytes = perhaps::to_bytes(example<F>());
  return bytes;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(megabytes * 1'000'000));
}

// What the figures are compared with: a copy into memory got for it, and XXH3 over the payload.
void copy_and_checksum(benchmark::State& state) {
  const auto& bytes = stored<Bloom>();
  for ([[maybe_unused]] auto _ : state) {
    const std::unique_ptr<std::byte[]> copy(new std::byte[bytes.size()]);
    std::memcpy(copy.get(), bytes.data(), bytes.size());
    benchmark::DoNotOptimize(XXH3_64bits(bytes.data(), bytes.size()));
    benchmark::DoNotOptimize(copy.get());
  }
  count_bytes(state);
}

template <class F>
void save(benchmark::State& state) {
  const F& filter = example<F>();
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(perhaps::to_bytes(filter).data());
  count_bytes(state);
}

template <class F>
void load(benchmark::State& state) {
  const auto& bytes = stored<F>();
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(perhaps::from_bytes<F>(bytes).bytes());
  count_bytes(state);
}

// From a stream that lies in memory.
template <class F>
void load_stream(benchmark::State& state) {
  std::istringstream stream(std::string(reinterpret_cast<const char*>(stored<F>().data()), stored<F>().size()));
  for ([[maybe_unused]] auto _ : state) {
    stream.seekg(0);
    benchmark::DoNotOptimize(perhaps::read<F>(stream).bytes());
  }
  count_bytes(state);
}

template <perhaps::Verify How>
void view(benchmark::State& state) {
  const auto& bytes = stored<Bloom>();
  for ([[maybe_unused]] auto _ : state) {
    auto opened = perhaps::try_view_bytes<Bloom>(bytes, How);
    benchmark::DoNotOptimize(opened);
  }
  if (How == perhaps::Verify::everything) count_bytes(state);
}

}  // namespace

BENCHMARK(copy_and_checksum)->Unit(benchmark::kMillisecond);
BENCHMARK(save<Bloom>)->Unit(benchmark::kMillisecond);
BENCHMARK(load<Bloom>)->Unit(benchmark::kMillisecond);
BENCHMARK(load_stream<Bloom>)->Unit(benchmark::kMillisecond);
BENCHMARK(save<Cuckoo>)->Unit(benchmark::kMillisecond);
BENCHMARK(load<Cuckoo>)->Unit(benchmark::kMillisecond);
BENCHMARK(view<perhaps::Verify::structure>)->Unit(benchmark::kNanosecond);
BENCHMARK(view<perhaps::Verify::everything>)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
