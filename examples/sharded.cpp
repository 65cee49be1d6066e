// SPDX-License-Identifier: BSL-1.0
//
// Building a filter in parts: eight workers, here threads, elsewhere machines, each fill a filter of the same size with
// their share of the keys and send its bytes; OR-ed together, they are the one filter, byte for byte.
#include <perhaps/perhaps.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

using Filter = perhaps::BloomFilter<std::uint64_t>;
constexpr std::uint64_t keys = 1'000'000;
constexpr std::uint64_t shards = 8;

// Sized for all keys, not for its share: only filters of equal parameters unite.
Filter empty_filter() { return Filter({.keys = keys, .fpr = 0.01}); }

// What a worker sends.
std::vector<std::byte> build_shard(std::uint64_t shard) {
  Filter filter = empty_filter();
  for (std::uint64_t key = shard; key < keys; key += shards) filter.insert(key);
  return perhaps::to_bytes(filter);
}

}  // namespace

int main() {
  std::vector<std::vector<std::byte>> received(shards);
  std::vector<std::thread> workers;
  for (std::uint64_t shard = 0; shard < shards; ++shard) {
    workers.emplace_back([&received, shard] { received[shard] = build_shard(shard); });
  }
  for (std::thread& worker : workers) worker.join();

  Filter merged = empty_filter();
  for (const auto& bytes : received) merged |= perhaps::from_bytes<Filter>(bytes);

  Filter whole = empty_filter();
  for (std::uint64_t key = 0; key < keys; ++key) whole.insert(key);
  const bool same = perhaps::to_bytes(merged) == perhaps::to_bytes(whole);
  std::printf("%llu shards of %zu bytes each; merged, the filter of all keys byte for byte: %s\n",
              static_cast<unsigned long long>(shards), received[0].size(), same ? "yes" : "no");

  // How much two shards have in common: nothing here, and the estimate says how sure that is.
  const auto sets =
      perhaps::estimate_sets(perhaps::from_bytes<Filter>(received[0]), perhaps::from_bytes<Filter>(received[1]));
  std::printf("two shards together: %.0f +- %.0f keys, in common: %.0f +- %.0f\n", sets.both, sets.both_error(),
              sets.intersection(), sets.intersection_error());
  return same ? 0 : 1;
}
