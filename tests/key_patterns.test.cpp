// SPDX-License-Identifier: BSL-1.0
//
// The law of integers: whatever pattern they come in, filters have the rates of their models, and cuckoo tables their
// loads; from one block of a layout to many.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/key_patterns.hpp"
#include "support/statistics.hpp"
#include "support/suite.hpp"

namespace {

using perhaps::BloomParameters;
using perhaps::Digest;
using perhaps::XxHash3;
using support::NamedPattern;

constexpr std::uint64_t queries = 1000;

// The digests of keys 0 to `count` under several seeds: the same for all filters.
std::vector<std::vector<Digest>> digests_of(const NamedPattern& pattern, std::uint64_t count, std::uint64_t seeds) {
  std::vector<std::vector<Digest>> all(seeds);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const XxHash3 hash(seed);
    for (std::uint64_t i = 0; i < count; ++i) all[seed].push_back(hash(pattern.key(i)));
  }
  return all;
}

template <class L, unsigned K>
struct Case {
  using Layout = L;
  static constexpr unsigned hashes = K;
};

// Bits on every layout; counters have the same places.
using AllCases = std::tuple<Case<perhaps::Scattered<>, 3>, Case<perhaps::Scattered<>, 7>, Case<perhaps::Blocked<64>, 4>,
                            Case<perhaps::Blocked<128>, 7>, Case<perhaps::Blocked<512>, 6>,
                            Case<perhaps::SplitBlock<64, 8>, 3>, Case<perhaps::SplitBlock<64, 8>, 6>,
                            Case<perhaps::SplitBlock<64, 8>, 8>, Case<perhaps::SplitBlock<64, 8>, 16>,
                            Case<perhaps::SplitBlock<32, 8>, 8>, Case<perhaps::SplitBlock<16, 8>, 6>>;
using Cases = support::Suite<
    AllCases, std::tuple<Case<perhaps::Scattered<>, 3>, Case<perhaps::Scattered<>, 7>, Case<perhaps::Blocked<512>, 6>,
                         Case<perhaps::SplitBlock<64, 8>, 8>, Case<perhaps::SplitBlock<64, 8>, 3>,
                         Case<perhaps::SplitBlock<32, 8>, 8>, Case<perhaps::SplitBlock<16, 8>, 6>>>;

template <class L>
std::uint64_t bits_for(std::uint64_t blocks) {
  return L::block_bits == 1 ? blocks * 499 : blocks * L::block_bits;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("rates follow the model for integers in every pattern, from one block on", "", Cases) {
  using Layout = typename TestType::Layout;
  constexpr unsigned k = TestType::hashes;
  constexpr std::uint64_t seeds = 24;
  constexpr std::array<std::uint64_t, 5> sizes{1, 2, 5, 16, 100};
  const auto keys_for = [](std::uint64_t blocks) { return (std::max)(std::uint64_t{4}, bits_for<Layout>(blocks) / 8); };
  for (const NamedPattern& pattern : support::many_patterns()) {
    const auto digests = digests_of(pattern, keys_for(sizes.back()) + queries, seeds);
    for (const std::uint64_t blocks : sizes) {
      const std::uint64_t bits = bits_for<Layout>(blocks);
      const std::uint64_t n = keys_for(blocks);
      const double model = Layout::expected_fpr(bits, k, static_cast<double>(n));
      const auto measured = support::mean_over_seeds(seeds, [&](std::uint64_t seed) {
        perhaps::BloomFilter<std::uint64_t, XxHash3, Layout> filter(BloomParameters{.bits = bits, .hashes = k});
        for (std::uint64_t i = 0; i < n; ++i) filter.insert(digests[seed][i]);
        std::uint64_t hits = 0;
        for (std::uint64_t i = n; i < n + queries; ++i) hits += filter.may_contain(digests[seed][i]) ? 1U : 0U;
        return static_cast<double>(hits) / static_cast<double>(queries);
      });
      INFO(pattern.name << ", k = " << k << ", " << blocks << " blocks: " << measured.rate << " +- " << measured.error
                        << ", model " << model);
      // The scatter of so few filters is badly known: a block's rate scatters by 60 % at most.
      const double scatter = 0.6 * model / std::sqrt(static_cast<double>(seeds * blocks));
      const double counting = std::sqrt(model / static_cast<double>(seeds * queries));
      CHECK(measured.rate <= model + 5 * (std::max)(measured.error, std::hypot(scatter, counting)));
      // Keys that are spread more evenly than random ones, as some patterns are, are welcome; none at all are not.
      CHECK(measured.rate >= 0.8 * model - 5 * std::hypot(scatter, counting));
    }
  }
}

TEMPLATE_TEST_CASE("cuckoo tables fill as far for integers in every pattern, and keep their rates", "",
                   (perhaps::CuckooFilter<std::uint64_t, 12>), (perhaps::CuckooFilter<std::uint64_t, 8>),
                   (perhaps::CuckooFilter<std::uint64_t, 16, 2>)) {
  const double load = TestType::bucket_size == 2 ? 0.85 : 0.96;
  constexpr std::uint64_t seeds = 3;
  for (const std::uint64_t buckets : {4096U, 2999U}) {
    for (const NamedPattern& pattern : support::many_patterns()) {
      std::uint64_t hits = 0;
      double model = 0;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        TestType filter({.buckets = buckets}, XxHash3(seed));
        std::uint64_t n = 0;
        while (filter.insert(pattern.key(n))) ++n;
        INFO(pattern.name << ", " << buckets << " buckets, seed " << seed << ": full at " << filter.load_factor());
        CHECK(filter.load_factor() >= load);
        for (std::uint64_t i = n + 1; i <= n + 10'000; ++i) hits += filter.may_contain(pattern.key(i)) ? 1U : 0U;
        model += filter.current_fpr() / seeds;
      }
      INFO(pattern.name << ", " << buckets << " buckets: " << hits << " hits, model " << model);
      CHECK(support::consistent(hits, 10'000 * seeds, model, 0.02));
    }
  }
}
