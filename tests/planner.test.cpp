// SPDX-License-Identifier: BSL-1.0
//
// The planner: which filter is smallest, and that each plan is what the filter would be.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::Blocked;
using perhaps::Classic;
using perhaps::FilterKind;
using perhaps::Plan;
using perhaps::SplitBlock;
using perhaps::XxHash3;

const Plan* find(const std::vector<Plan>& plans, FilterKind kind) {
  const auto found = std::ranges::find(plans, kind, &Plan::kind);
  return found == plans.end() ? nullptr : &*found;
}

const Plan* find(const std::vector<Plan>& plans, FilterKind kind, std::string_view layout) {
  const auto found =
      std::ranges::find_if(plans, [&](const Plan& plan) { return plan.kind == kind && plan.layout == layout; });
  return found == plans.end() ? nullptr : &*found;
}

bool close(double value, double expected) { return std::abs(value - expected) <= 1e-9 * std::abs(expected); }

// The memory of the cuckoo filter that a plan is about.
template <unsigned Bits = 4>
std::uint64_t table_bytes(const Plan& plan) {
  if (plan.fingerprint_bits == Bits) {
    const std::uint64_t bytes =
        plan.bucket_size == 2   ? perhaps::detail::FingerprintTable<Bits, 2>::bytes_for(plan.cells)
        : plan.bucket_size == 4 ? perhaps::detail::FingerprintTable<Bits, 4>::bytes_for(plan.cells)
                                : perhaps::detail::FingerprintTable<Bits, 8>::bytes_for(plan.cells);
    return (bytes + 7) / 8 * 8;
  }
  if constexpr (Bits < perhaps::max_fingerprint_bits) return table_bytes<Bits + 1>(plan);
  return 0;
}

// The rate by the layout's model; 2 for a k that it does not take.
template <class Layout>
double rate_of(std::uint64_t bits, unsigned k, std::uint64_t keys) {
  return Layout::takes_hashes(k) ? Layout::expected_fpr(bits, k, static_cast<double>(keys)) : 2;
}

}  // namespace

TEST_CASE("facts: Bloom filters are smallest above 0.4 %, cuckoo filters below") {
  for (const double fpr : {0.1, 0.03, 0.01, 0.005}) {
    INFO("fpr = " << fpr);
    CHECK(perhaps::plan_filters({.keys = 1'000'000, .fpr = fpr}).front().kind == FilterKind::bloom);
  }
  for (const double fpr : {0.001, 1e-4, 1e-6}) {
    INFO("fpr = " << fpr);
    CHECK(perhaps::plan_filters({.keys = 1'000'000, .fpr = fpr}).front().kind == FilterKind::cuckoo);
  }
  const auto plans = perhaps::plan_filters({.keys = 1'000'000, .fpr = 0.001});
  CHECK(std::abs(find(plans, FilterKind::bloom)->bits_per_key - 14.4) < 0.05);
  CHECK(std::abs(find(plans, FilterKind::cuckoo)->bits_per_key - 13.6) < 0.05);
}

TEST_CASE("plans are sorted, meet the target and are what the filters are") {
  for (const std::uint64_t n : {0ULL, 1ULL, 10ULL, 1000ULL, 1'000'000ULL}) {
    for (const double fpr : {0.3, 0.01, 1e-5}) {
      const auto plans = perhaps::plan_filters({.keys = n, .fpr = fpr});
      INFO("n = " << n << ", fpr = " << fpr);
      REQUIRE(plans.size() == 3);
      CHECK(std::ranges::is_sorted(plans, {}, &Plan::bytes));
      for (const Plan& plan : plans) CHECK(plan.expected_fpr <= fpr);
      const perhaps::BloomFilter<int> bloom({.keys = n, .fpr = fpr});
      const perhaps::CountingBloomFilter<int> counting({.keys = n, .fpr = fpr});
      CHECK(find(plans, FilterKind::bloom)->bytes == bloom.bytes());
      CHECK(find(plans, FilterKind::bloom)->hashes == bloom.hashes());
      CHECK(find(plans, FilterKind::counting_bloom)->bytes == counting.bytes());
      const Plan& cuckoo = *find(plans, FilterKind::cuckoo);
      const auto sized = perhaps::cuckoo_parameters({.keys = n, .fpr = fpr}, cuckoo.bucket_size);
      CHECK(sized.fingerprint_bits == cuckoo.fingerprint_bits);
      CHECK(sized.bytes == cuckoo.bytes);
      for (const unsigned bucket_size : {2U, 4U, 8U}) {
        CHECK(cuckoo.bytes <= perhaps::cuckoo_parameters({.keys = n, .fpr = fpr}, bucket_size).bytes);
      }
    }
  }
}

TEST_CASE("what can erase, what may refuse, and what is out of reach") {
  const auto plans = perhaps::plan_filters({.keys = 100, .fpr = 0.01});
  CHECK_FALSE(find(plans, FilterKind::bloom)->erases());
  CHECK(find(plans, FilterKind::counting_bloom)->erases());
  CHECK_FALSE(find(plans, FilterKind::counting_bloom)->may_refuse());
  CHECK(find(plans, FilterKind::cuckoo)->may_refuse());
  // Below 2b/2^32 no fingerprint is long enough.
  CHECK(find(perhaps::plan_filters({.keys = 1'000'000, .fpr = 1e-12}), FilterKind::cuckoo) == nullptr);
  CHECK_THROWS_AS(perhaps::plan_filters({.keys = 100, .fpr = 1.5}), std::invalid_argument);
}

TEST_CASE("layouts are planned side by side; counters only where a layout has cells") {
  const auto plans = perhaps::plan_filters<Classic<>, Blocked<512>, Blocked<128>, SplitBlock<64, 8>, SplitBlock<32, 8>>(
      {.keys = 100'000, .fpr = 0.01});
  CHECK(plans.size() == 5 + 3 + 1);
  CHECK(std::ranges::is_sorted(plans, {}, &Plan::bytes));
  CHECK(find(plans, FilterKind::counting_bloom, "SplitBlock<64, 8>") == nullptr);
  const perhaps::BloomFilter<int, XxHash3, SplitBlock<64, 8>> split({.keys = 100'000, .fpr = 0.01});
  CHECK(find(plans, FilterKind::bloom, "SplitBlock<64, 8>")->bytes == split.bytes());
  CHECK(find(plans, FilterKind::bloom, "SplitBlock<64, 8>")->hashes == split.hashes());
  const perhaps::CountingBloomFilter<int, 4, XxHash3, Blocked<128>> counting({.keys = 100'000, .fpr = 0.01});
  CHECK(find(plans, FilterKind::counting_bloom, "Blocked<128>")->bytes == counting.bytes());
  for (const Plan& plan : plans) {
    CHECK(plan.keys == 100'000);
    CHECK(close(plan.bits_per_key, 8.0 * static_cast<double>(plan.bytes) / 100'000));
  }
  // One that can't meet the target is left out: a digest of 32 bits is too short for SplitBlock too, so all are.
  CHECK_THROWS_AS((perhaps::plan_filters<Classic<>, SplitBlock<>>({.keys = 1'000'000, .fpr = 1e-5}, 32)),
                  std::invalid_argument);
}

TEST_CASE("cache lines: k in the classic layout, one in a block, four in a block of 4-bit counters, two buckets") {
  const auto plans = perhaps::plan_filters<Classic<>, Blocked<512>, Blocked<128>, SplitBlock<32, 8>>(
      {.keys = 10'000'000, .fpr = 0.01});
  const auto lines = [&](FilterKind kind, std::string_view layout) { return find(plans, kind, layout)->cache_lines; };
  const Plan& classic = *find(plans, FilterKind::bloom, "Classic");
  CHECK(std::abs(classic.cache_lines - classic.hashes) < 0.001);
  CHECK(lines(FilterKind::bloom, "Blocked<512>") == 1);
  CHECK(lines(FilterKind::bloom, "SplitBlock<32, 8>") == 1);
  CHECK(lines(FilterKind::counting_bloom, "Blocked<128>") == 1);
  // Four lines, each missed by k probes with probability (3/4)^k.
  const Plan& counters = *find(plans, FilterKind::counting_bloom, "Blocked<512>");
  CHECK(close(counters.cache_lines, 4 * (1 - std::pow(0.75, counters.hashes))));

  // Counted: the lines in which the first 512 buckets lie, of which a lookup asks two.
  const Plan& cuckoo = *find(plans, FilterKind::cuckoo, "");
  const std::uint64_t width = std::uint64_t{cuckoo.fingerprint_bits} * cuckoo.bucket_size;
  double lines_of_buckets = 0;
  for (std::uint64_t bucket = 0; bucket < 512; ++bucket) {
    lines_of_buckets += static_cast<double>(((bucket + 1) * width - 1) / 512 - bucket * width / 512 + 1);
  }
  CHECK(std::abs(cuckoo.cache_lines - 2 * lines_of_buckets / 512) < 0.001);

  // A filter of one line, or two, has no more than that.
  for (const Plan& plan : perhaps::plan_filters({.keys = 10, .fpr = 0.01})) {
    CHECK(plan.cache_lines <= std::ceil(static_cast<double>(plan.bytes) / 64));
    CHECK(plan.cache_lines >= 1);
  }
}

TEST_CASE("the lowest rate in given memory: no other k has a lower one, and the filter is no larger") {
  for (const std::uint64_t keys : {1ULL, 100ULL, 20'000ULL}) {
    for (const std::uint64_t bytes : {64ULL, 200ULL, 1000ULL, 30'001ULL}) {
      if (bytes * 2 < keys) continue;
      const auto plans =
          perhaps::plan_lowest_fpr<Classic<>, Blocked<512>, SplitBlock<64, 8>, SplitBlock<32, 8>>({keys, bytes});
      INFO("keys = " << keys << ", bytes = " << bytes);
      CHECK(std::ranges::is_sorted(plans, {}, &Plan::expected_fpr));
      for (const Plan& plan : plans) CHECK(plan.bytes <= bytes);
      const auto check = [&]<class Layout>() {
        const Plan& plan = *find(plans, FilterKind::bloom, Layout::name);
        const std::uint64_t bits = bytes / 8 * 64 / Layout::block_bits * Layout::block_bits;
        CHECK(plan.bytes == bits / 8);
        const double rate = rate_of<Layout>(bits, plan.hashes, keys);
        CHECK(close(plan.expected_fpr,
                    rate + perhaps::collision_fpr(static_cast<double>(keys), perhaps::default_digest_bits)));
        for (unsigned k = 1; k <= 64; ++k) CHECK(rate_of<Layout>(bits, k, keys) >= rate);
        const perhaps::BloomFilter<int, XxHash3, Layout> filter({.bits = bits, .hashes = plan.hashes});
        CHECK(filter.bytes() == plan.bytes);
      };
      check.template operator()<Classic<>>();
      check.template operator()<Blocked<512>>();
      check.template operator()<SplitBlock<64, 8>>();
      check.template operator()<SplitBlock<32, 8>>();
      if (const Plan* cuckoo = find(plans, FilterKind::cuckoo)) CHECK(table_bytes(*cuckoo) <= bytes);
    }
  }
}

TEST_CASE("memory of cuckoo filters is counted as they take it") {
  const auto plans = perhaps::plan_lowest_fpr({.keys = 900, .bytes = 1536});
  const Plan& cuckoo = *find(plans, FilterKind::cuckoo);
  REQUIRE(cuckoo.fingerprint_bits == 12);
  REQUIRE(cuckoo.bucket_size == 4);
  const perhaps::CuckooFilter<int> filter({.keys = 900, .fpr = cuckoo.expected_fpr});
  CHECK(filter.buckets() == cuckoo.cells);
  CHECK(filter.bytes() == table_bytes(cuckoo));
  CHECK(filter.bytes() <= 1536);
}

TEST_CASE("the most keys in given memory: one more would not do, and sizing agrees") {
  // log2(1/0.36) is nearer to 1, but k = 2 holds more.
  for (const double fpr : {0.36, 0.1, 0.01, 1e-3}) {
    for (const std::uint64_t bytes : {64ULL, 1000ULL, 30'000ULL}) {
      const auto plans = perhaps::plan_most_keys<Classic<>, Blocked<512>, SplitBlock<64, 8>>({fpr, bytes});
      INFO("fpr = " << fpr << ", bytes = " << bytes);
      CHECK(std::ranges::is_sorted(plans, std::greater<>{}, &Plan::keys));
      for (const Plan& plan : plans) {
        CHECK(plan.bytes <= bytes);
        CHECK(plan.expected_fpr <= fpr);
      }
      const auto check = [&]<class Layout>() {
        const Plan* plan = find(plans, FilterKind::bloom, Layout::name);
        if (plan == nullptr) {
          CHECK(perhaps::bloom_parameters<Layout>({.keys = 1, .fpr = fpr}).bytes > bytes);
          return;
        }
        for (unsigned k = 1; k <= 64; ++k) CHECK(rate_of<Layout>(plan->bytes * 8, k, plan->keys + 1) > fpr);
        // Sizing takes up to 3 % more bits for the k that a layout prefers.
        const auto sized = perhaps::bloom_parameters<Layout>({.keys = plan->keys, .fpr = fpr});
        const bool prefers = std::same_as<Layout, SplitBlock<64, 8>> && sized.hashes != plan->hashes;
        CHECK(sized.bytes <= (prefers ? plan->bytes + plan->bytes * 3 / 100 : bytes));
        CHECK(perhaps::bloom_parameters<Layout>({.keys = plan->keys + 1, .fpr = fpr}).bytes > plan->bytes);
      };
      check.template operator()<Classic<>>();
      check.template operator()<Blocked<512>>();
      check.template operator()<SplitBlock<64, 8>>();
      const Plan* cuckoo = find(plans, FilterKind::cuckoo);
      REQUIRE(cuckoo != nullptr);
      CHECK(table_bytes(*cuckoo) <= bytes);
      const auto sized =
          perhaps::cuckoo_parameters({.keys = cuckoo->keys, .fpr = fpr}, cuckoo->bucket_size, cuckoo->fingerprint_bits);
      CHECK(sized.bytes <= bytes);
      for (const unsigned bucket_size : {2U, 4U, 8U}) {
        const auto more =
            perhaps::cuckoo_parameters({.keys = cuckoo->keys + 1 + cuckoo->keys / 50, .fpr = fpr}, bucket_size);
        CHECK((more.bytes + 14) / 8 * 8 > bytes);
      }
    }
  }
}

TEST_CASE("memory that holds nothing, or more than there are bits") {
  CHECK(perhaps::plan_lowest_fpr({.keys = 5, .bytes = 0}).empty());
  CHECK(perhaps::plan_most_keys({.fpr = 0.01, .bytes = 7}).empty());
  CHECK((perhaps::plan_lowest_fpr<Blocked<512>, SplitBlock<>>({.keys = 1000, .bytes = 63})).empty());
  // A word of bits, but not four of them; one key, but not in a block.
  const auto small = perhaps::plan_most_keys<Classic<>, Blocked<512>>({.fpr = 0.01, .bytes = 31});
  REQUIRE(small.size() == 2);
  CHECK(find(small, FilterKind::bloom)->layout == "Classic");
  CHECK(find(small, FilterKind::cuckoo) != nullptr);
  const auto huge = perhaps::plan_most_keys({.fpr = 0.01, .bytes = ~std::uint64_t{0}}, 128);
  CHECK(std::abs(find(huge, FilterKind::bloom)->bits_per_key - 9.59) < 0.01);
  CHECK(find(huge, FilterKind::cuckoo)->keys <= std::uint64_t{8} << 48U);
  CHECK_THROWS_AS(perhaps::plan_most_keys({.fpr = 1, .bytes = 100}), std::invalid_argument);
  CHECK_THROWS_AS(perhaps::plan_most_keys({.fpr = 0, .bytes = 100}), std::invalid_argument);
  // A hash of 32 bits has its own rate, and no memory helps.
  for (const Plan& plan : perhaps::plan_lowest_fpr({.keys = 1'000'000, .bytes = 100'000'000}, 32)) {
    CHECK(plan.expected_fpr >= perhaps::collision_fpr(1e6, 32));
  }
  for (const Plan& plan : perhaps::plan_most_keys({.fpr = 1e-5, .bytes = 100'000'000}, 32)) CHECK(plan.keys < 43'000);
}
