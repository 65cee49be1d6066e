// SPDX-License-Identifier: BSL-1.0
//
// Moved-from filters, and copies and moves of them: all kinds deny nothing, hold nothing, give nothing back, take no
// harm from any operation, and where one refuses it says what is true. Assigned to, they are as good as new.
#include <perhaps/perhaps.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"

// NOLINTBEGIN(bugprone-use-after-move): what moved-from filters do is documented.
namespace {

using Bloom = perhaps::BloomFilter<std::uint64_t>;
using Blocked = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Blocked<512>>;
using Split = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<64, 8>>;
using Counting = perhaps::CountingBloomFilter<std::uint64_t>;
using Counters = perhaps::CountingBloomFilter<std::uint64_t, 4, perhaps::XxHash3, perhaps::SplitBlock<16, 8>>;
using Cuckoo = perhaps::CuckooFilter<std::uint64_t>;

constexpr double endless = std::numeric_limits<double>::infinity();

template <class F>
F filled(std::uint64_t seed = 0) {
  F filter({.keys = 100, .fpr = 0.01}, perhaps::XxHash3(seed));
  for (std::uint64_t key = 0; key < 50; ++key) {
    if constexpr (std::same_as<F, Cuckoo>) REQUIRE(filter.insert(key));
    else filter.insert(key);
  }
  return filter;
}

template <class F>
std::uint64_t cells(const F& filter) {
  if constexpr (requires { filter.bits(); }) return filter.bits();
  else if constexpr (requires { filter.counters(); }) return filter.counters();
  else return filter.buckets();
}

// A filter that was moved from in every way there is, and what then was done with it.
template <class F>
std::vector<F> moved_from(std::uint64_t seed = 0) {
  std::vector<F> all;
  F by_construction = filled<F>(seed);
  const F first(std::move(by_construction));
  F by_assignment = filled<F>(seed);
  F second = filled<F>(seed);
  second = std::move(by_assignment);
  F copied_to = filled<F>(seed);
  copied_to = by_construction;
  F moved_to = filled<F>(seed);
  F moved_twice = by_construction;
  moved_to = std::move(moved_twice);
  F swapped = filled<F>(seed);
  F other = by_construction;
  swap(swapped, other);
  REQUIRE(other == first);
  all.reserve(7);
  all.push_back(by_construction);
  all.push_back(std::move(by_assignment));
  all.push_back(copied_to);
  all.push_back(moved_to);
  all.push_back(moved_twice);
  all.push_back(F(swapped));
  all.push_back(F(F(by_construction)));
  return all;
}

}  // namespace

TEMPLATE_TEST_CASE("moved-from filters of all kinds behave alike", "", Bloom, Blocked, Split, Counting, Counters,
                   Cuckoo) {
  for (TestType& filter : moved_from<TestType>()) {
    const std::vector<std::uint64_t> keys{1, 2, 3};
    CHECK(cells(filter) == 0);
    CHECK(filter.bytes() == 0);
    CHECK(filter.empty());
    CHECK(filter.may_contain(7U));
    std::array<bool, 3> answers{};
    filter.may_contain_range(keys, answers.begin());
    CHECK((answers[0] && answers[1] && answers[2]));
    if constexpr (std::same_as<TestType, Cuckoo>) {
      CHECK_FALSE(filter.insert(7U));
      CHECK(filter.insert_range(keys) == 0);
      CHECK((filter.size() == 0 && filter.capacity() == 0 && filter.load_factor() == 1));
    } else {
      filter.insert(7U);
      filter.insert_range(keys);
      CHECK(filter.fill_ratio() == 1);
      CHECK(filter.estimated_size() == endless);
      CHECK(filter.hashes() == 0);
    }
    if constexpr (requires { filter.erase(7U); }) {
      CHECK(filter.count(7U) == 0);
      CHECK_FALSE(filter.erase(7U));
    } else {
      CHECK(filter.test_and_insert(7U));
      CHECK(filter.estimated_size_error() == endless);
    }
    CHECK(filter.current_fpr() == 1);
    CHECK(filter.expected_fpr(0) == 1);
    CHECK(filter.expected_fpr(1000) == 1);
    filter.clear();
    CHECK(filter.empty());
    const TestType copy = filter;
    CHECK(copy == filter);
    CHECK_FALSE(copy == filled<TestType>());

    filter = filled<TestType>();
    CHECK(filter == filled<TestType>());
    for (std::uint64_t key = 0; key < 50; ++key) CHECK(filter.may_contain(key));
  }
}

TEMPLATE_TEST_CASE("what moved-from Bloom filters refuse, they refuse with a true sentence", "", Bloom, Blocked,
                   Split) {
  const TestType live = filled<TestType>();
  const std::string m = std::to_string(live.bits());
  for (TestType& filter : moved_from<TestType>()) {
    TestType target = live;
    CHECK_THROWS_WITH(target |= filter, "perhaps: |=: bits differ: " + m + " and 0");
    CHECK_THROWS_WITH(target &= filter, "perhaps: &=: bits differ: " + m + " and 0");
    CHECK_THROWS_WITH(target | filter, "perhaps: |=: bits differ: " + m + " and 0");
    CHECK_THROWS_WITH(filter |= live, "perhaps: |=: bits differ: 0 and " + m);
    CHECK_THROWS_WITH(perhaps::estimate_sets(live, filter), "perhaps: estimate_sets: bits differ: " + m + " and 0");
    CHECK_THROWS_WITH(perhaps::estimate_sets(filter, live), "perhaps: estimate_sets: bits differ: 0 and " + m);
    CHECK_FALSE(target.try_unite(filter));
    CHECK_FALSE(filter.try_intersect(live));
    CHECK(target == live);
    CHECK_FALSE(perhaps::try_estimate_sets(live, filter));

    TestType other = moved_from<TestType>().front();
    CHECK_THROWS_WITH(perhaps::estimate_sets(filter, other),
                      "perhaps: estimate_sets: this filter was moved from, it has no bits");
    CHECK_FALSE(perhaps::try_estimate_sets(filter, other));
    filter |= other;
    filter &= other;
    CHECK(filter.bits() == 0);

    CHECK_THROWS_WITH(filter.folded(1), "perhaps: folded: this filter was moved from, it has no bits");
    CHECK_THROWS_WITH(filter.folded(0), "perhaps: folded: this filter was moved from, it has no bits");
    CHECK_THROWS_WITH(filter.fold_to(0.5), "perhaps: fold_to: this filter was moved from, it has no bits");
    CHECK_FALSE(filter.try_folded(1));
    CHECK_FALSE(filter.try_fold_to(0.5));
  }
  CHECK_THROWS_WITH(perhaps::estimate_sets(filled<TestType>(1), filled<TestType>(2)),
                    "perhaps: estimate_sets: seeds differ: 1 and 2");
}

TEMPLATE_TEST_CASE("what moved-from counting filters refuse, they refuse with a true sentence", "", Counting,
                   Counters) {
  const TestType live = filled<TestType>();
  const std::string m = std::to_string(live.counters());
  for (TestType& filter : moved_from<TestType>()) {
    TestType target = live;
    CHECK_THROWS_WITH(target += filter, "perhaps: +=: counters differ: " + m + " and 0");
    CHECK_THROWS_WITH(filter += live, "perhaps: +=: counters differ: 0 and " + m);
    CHECK_FALSE(target.try_add(filter));
    CHECK(target == live);
    filter += moved_from<TestType>().front();
    CHECK(filter.counters() == 0);
    CHECK((filter.saturated_counters() == 0 && filter.set_counters() == 0));
    CHECK(filter.to_bloom().bits() == 0);
    CHECK(filter.to_bloom().may_contain(7U));
  }
}

TEST_CASE("moved-from filters save to bytes that do not load") {
  Bloom bloom = filled<Bloom>();
  Counting counting = filled<Counting>();
  Cuckoo cuckoo = filled<Cuckoo>();
  const Bloom first = std::move(bloom);
  const Counting second = std::move(counting);
  const Cuckoo third = std::move(cuckoo);
  CHECK_FALSE(perhaps::try_from_bytes<Bloom>(perhaps::to_bytes(bloom)));
  CHECK_FALSE(perhaps::try_from_bytes<Counting>(perhaps::to_bytes(counting)));
  CHECK_FALSE(perhaps::try_from_bytes<Cuckoo>(perhaps::to_bytes(cuckoo)));
}

namespace {

// As good as XxHash3, with a state besides its seed: policies of equal seeds may differ.
struct Turned : perhaps::XxHash3 {
  Turned() = default;
  explicit Turned(std::uint64_t seed, unsigned by = 0) : XxHash3(seed), turn(by) {}
  friend bool operator==(const Turned& left, const Turned& right) {
    return left.seed() == right.seed() && left.turn == right.turn;
  }
  unsigned turn = 0;
};

}  // namespace

TEST_CASE("filters whose policies differ in more than a seed are told so") {
  using Filter = perhaps::BloomFilter<std::uint64_t, Turned>;
  Filter left({.bits = 100, .hashes = 3}, Turned(5, 1));
  const Filter right({.bits = 100, .hashes = 3}, Turned(5, 2));
  CHECK_THROWS_WITH(left |= right, "perhaps: |=: hash policies differ");
  CHECK_THROWS_WITH(left |= Filter({.bits = 100, .hashes = 3}, Turned(6, 1)), "perhaps: |=: seeds differ: 5 and 6");
}
// NOLINTEND(bugprone-use-after-move)
