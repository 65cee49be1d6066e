// SPDX-License-Identifier: BSL-1.0
//
// Speed of BloomFilter on every layout, one by one and in batches, beside what memory alone takes: `bare` touches one
// random cache line of as many bytes for each key. Boost.Bloom joins where it is found. items_per_second is operations
// per second on one thread; sizes are for 1 %.
#include <perhaps/perhaps.hpp>

#include <benchmark/benchmark.h>

#include "traffic.hpp"

#if defined(PERHAPS_BENCH_BOOST)
#include <boost/bloom.hpp>
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace {

using bench::drive_batches;
using bench::Traffic;
using bench::traffic;

template <class Layout>
struct Perhaps {
  perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, Layout> filter;

  explicit Perhaps(std::uint64_t keys) : filter({.keys = keys, .fpr = 0.01}) {}
  void insert(std::uint64_t key) { filter.insert(key); }
  bool may_contain(std::uint64_t key) const { return filter.may_contain(key); }
  void insert_all(std::span<const std::uint64_t> keys) { filter.insert_range(keys); }
  std::uint64_t count(std::span<const std::uint64_t> keys) const { return bench::count_in_batch(filter, keys); }
  double bytes() const { return static_cast<double>(filter.bytes()); }
};

#if defined(PERHAPS_BENCH_BOOST)
template <class Filter>
struct Boost {
  Filter filter;

  explicit Boost(std::uint64_t keys) : filter(keys, 0.01) {}
  void insert(std::uint64_t key) { filter.insert(key); }
  bool may_contain(std::uint64_t key) const { return filter.may_contain(key); }
  void insert_all(std::span<const std::uint64_t> keys) { filter.insert(keys.begin(), keys.end()); }
  std::uint64_t count(std::span<const std::uint64_t> keys) const {
    std::uint64_t found = 0;
    filter.may_contain(keys.begin(), keys.end(), [&](std::uint64_t, bool answer) { found += answer ? 1U : 0U; });
    return found;
  }
  double bytes() const { return static_cast<double>(filter.capacity()) / 8; }
};
#endif

template <class Contender>
void insert(benchmark::State& state) {
  const Traffic& keys = traffic(static_cast<std::size_t>(state.range(0)));
  Contender contender(static_cast<std::uint64_t>(state.range(0)));
  bench::drive(state, keys.present, [&](std::uint64_t key) {
    contender.insert(key);
    return true;
  });
  state.counters["bytes"] = contender.bytes();
}

template <class Contender>
void lookup(benchmark::State& state, std::vector<std::uint64_t> Traffic::*which) {
  const Traffic& keys = traffic(static_cast<std::size_t>(state.range(0)));
  Contender contender(static_cast<std::uint64_t>(state.range(0)));
  contender.insert_all(keys.present);
  bench::report_share(state,
                      bench::drive(state, keys.*which, [&](std::uint64_t key) { return contender.may_contain(key); }));
}

template <class Contender>
void batch_insert(benchmark::State& state) {
  const Traffic& keys = traffic(static_cast<std::size_t>(state.range(0)));
  Contender contender(static_cast<std::uint64_t>(state.range(0)));
  drive_batches(state, keys.present, [&](std::span<const std::uint64_t> some) {
    contender.insert_all(some);
    return some.size();
  });
}

template <class Contender>
void batch_lookup(benchmark::State& state, std::vector<std::uint64_t> Traffic::*which) {
  const Traffic& keys = traffic(static_cast<std::size_t>(state.range(0)));
  Contender contender(static_cast<std::uint64_t>(state.range(0)));
  contender.insert_all(keys.present);
  drive_batches(state, keys.*which, [&](std::span<const std::uint64_t> some) { return contender.count(some); });
}

// One cache line of as much memory as a filter for 1 % has, at a random position for each key, asked for 32 keys ahead.
void bare(benchmark::State& state) {
  const Traffic& keys = traffic(static_cast<std::size_t>(state.range(0)));
  const std::uint64_t lines = static_cast<std::uint64_t>(state.range(0)) * 10 / 512 + 1;
  perhaps::OwnedWords words(static_cast<std::size_t>(lines * 8));
  const std::uint64_t* memory = words.words().data();
  drive_batches(state, keys.mixed, [&](std::span<const std::uint64_t> some) {
    std::array<std::size_t, 32> positions{};
    std::uint64_t sum = 0;
    for (std::size_t first = 0; first + positions.size() <= some.size(); first += positions.size()) {
      for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] = static_cast<std::size_t>(perhaps::fast_range(some[first + i], lines) * 8);
        perhaps::detail::prefetch_for_reading(memory + positions[i]);
      }
      for (const std::size_t position : positions) sum += memory[position];
    }
    return sum;
  });
}

void sizes(benchmark::internal::Benchmark* entry) {
  for (const std::int64_t size : {10'000, 1'000'000, 10'000'000}) entry->Arg(size);
  // 2.4 GB of keys: asked for by hand only.
  if (std::getenv("PERHAPS_BENCH_LARGE") != nullptr) entry->Arg(100'000'000);
}

template <class Contender>
void add(const std::string& name) {
  const auto enter = [&](const std::string& what, auto function) {
    sizes(benchmark::RegisterBenchmark((what + "/" + name).c_str(), function));
  };
  enter("insert", insert<Contender>);
  enter("hit", [](benchmark::State& state) { lookup<Contender>(state, &Traffic::present); });
  enter("miss", [](benchmark::State& state) { lookup<Contender>(state, &Traffic::absent); });
  enter("mixed", [](benchmark::State& state) { lookup<Contender>(state, &Traffic::mixed); });
  enter("batch_insert", batch_insert<Contender>);
  enter("batch_hit", [](benchmark::State& state) { batch_lookup<Contender>(state, &Traffic::present); });
  enter("batch_miss", [](benchmark::State& state) { batch_lookup<Contender>(state, &Traffic::absent); });
  enter("batch_mixed", [](benchmark::State& state) { batch_lookup<Contender>(state, &Traffic::mixed); });
}

}  // namespace

int main(int argc, char** argv) {
  add<Perhaps<perhaps::Classic<>>>("classic");
  add<Perhaps<perhaps::Blocked<512>>>("blocked_512");
  add<Perhaps<perhaps::SplitBlock<64, 8>>>("split_64x8");
  add<Perhaps<perhaps::SplitBlock<32, 8>>>("split_32x8");
#if defined(PERHAPS_BENCH_BOOST)
  using boost::bloom::filter;
  add<Boost<filter<std::uint64_t, 7>>>("boost_classic_7");
  add<Boost<filter<std::uint64_t, 1, boost::bloom::fast_multiblock64<8>>>>("boost_fast_multiblock64_8");
  add<Boost<filter<std::uint64_t, 1, boost::bloom::fast_multiblock32<8>>>>("boost_fast_multiblock32_8");
#endif
  sizes(benchmark::RegisterBenchmark("bare", bare));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
