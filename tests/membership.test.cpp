// SPDX-License-Identifier: BSL-1.0
//
// Law 1: a key accepted and not erased is found, after any mix of insertion, copy, move, swap, merge and clear.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/keys.hpp"

namespace {

using Filters = support::Concatenated<support::AllFilters, support::CompoundFilters>::type;

template <class F>
bool finds_all(const F& filter, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t i = first; i < last; ++i) {
    if (!filter.may_contain(support::key_for<F>(i))) return false;
  }
  return true;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("every accepted key is found", "", Filters) {
  using F = TestType;
  for (const std::uint64_t n : {1U, 2U, 3U, 10U, 100U, 1000U, 30'000U}) {
    for (const double fpr : {0.5, 0.1, 0.001}) {
      auto filter = support::make_filter<F>(n, fpr);
      CHECK(filter.empty());
      for (std::uint64_t i = 0; i < n; ++i) REQUIRE(support::add(filter, support::key_for<F>(i)));
      CHECK_FALSE(filter.empty());
      CHECK(finds_all(filter, 0, n));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("integers in every pattern are found", "", support::IntegerFilters) {
  for (const auto& pattern : support::integer_patterns()) {
    auto filter = support::make_filter<TestType>(10'000, 0.01);
    for (std::uint64_t i = 0; i < 10'000; ++i) REQUIRE(support::add(filter, pattern.key(i)));
    bool all = true;
    for (std::uint64_t i = 0; i < 10'000; ++i) all &= filter.may_contain(pattern.key(i));
    INFO(pattern.name);
    CHECK(all);
  }
}

TEMPLATE_LIST_TEST_CASE("a fresh filter denies everything", "", Filters) {
  for (const double fpr : {0.001, 0.9}) {
    const auto filter = support::make_filter<TestType>(1000, fpr);
    for (std::uint64_t i = 0; i < 1000; ++i) REQUIRE_FALSE(filter.may_contain(support::key_for<TestType>(i)));
  }
}

TEMPLATE_LIST_TEST_CASE("a filter for no keys takes keys", "", Filters) {  // BUGS S01
  auto filter = support::make_filter<TestType>(0, 0.01);
  const auto key = support::key_for<TestType>(7);
  CHECK_FALSE(filter.may_contain(key));
  REQUIRE(support::add(filter, key));
  CHECK(filter.may_contain(key));
}

TEMPLATE_LIST_TEST_CASE("a copy is equal and independent", "", Filters) {
  using F = TestType;
  auto original = support::make_filter<F>(200, 0.01);
  for (std::uint64_t i = 0; i < 100; ++i) REQUIRE(support::add(original, support::key_for<F>(i)));
  F copy = original;
  CHECK(copy == original);
  REQUIRE(support::add(copy, support::key_for<F>(1000)));
  CHECK(copy != original);
  CHECK(finds_all(copy, 0, 100));
  original = copy;
  CHECK(copy == original);
  auto other_size = support::make_filter<F>(5, 0.1);
  other_size = copy;
  CHECK(other_size == copy);
  const F& alias = other_size;
  other_size = alias;
  CHECK(other_size == copy);
  CHECK(finds_all(other_size, 0, 100));
}

TEMPLATE_LIST_TEST_CASE("moving keeps the keys and leaves a filter that denies none", "", Filters) {
  using F = TestType;
  auto source = support::make_filter<F>(100, 0.01);
  for (std::uint64_t i = 0; i < 100; ++i) REQUIRE(support::add(source, support::key_for<F>(i)));
  const F reference = source;
  F target = std::move(source);
  CHECK(target == reference);
  CHECK(finds_all(source, 0, 200));  // NOLINT(bugprone-use-after-move): what a moved-from filter does is documented
  auto assigned = support::make_filter<F>(5, 0.1);
  assigned = std::move(target);
  CHECK(assigned == reference);
  target = assigned;
  CHECK(target == reference);
  F& alias = target;
  target = std::move(alias);
  CHECK(target == reference);
}

TEMPLATE_LIST_TEST_CASE("swap exchanges two filters, also one with itself", "", Filters) {  // BUGS M05
  using F = TestType;
  auto left = support::make_filter<F>(100, 0.01);
  auto right = support::make_filter<F>(10, 0.1);
  for (std::uint64_t i = 0; i < 50; ++i) REQUIRE(support::add(left, support::key_for<F>(i)));
  const F was_left = left;
  const F was_right = right;
  swap(left, right);
  CHECK(left == was_right);
  CHECK(right == was_left);
  swap(right, right);
  CHECK(right == was_left);
}

TEMPLATE_LIST_TEST_CASE("clear makes a filter like new", "", Filters) {  // BUGS E05
  using F = TestType;
  const auto fresh = support::make_filter<F>(100, 0.01);
  auto filter = fresh;
  for (std::uint64_t i = 0; i < 100; ++i) REQUIRE(support::add(filter, support::key_for<F>(i)));
  filter.clear();
  CHECK(filter == fresh);
  CHECK(filter.empty());
  CHECK(filter.bytes() == fresh.bytes());
  CHECK(filter.current_fpr() == 0);
  CHECK_FALSE(filter.may_contain(support::key_for<F>(0)));
}

TEMPLATE_LIST_TEST_CASE("a digest made once serves every filter of equal policy", "", Filters) {
  using F = TestType;
  auto by_key = support::make_filter<F>(100, 0.01, 5);
  auto by_digest = support::make_filter<F>(100, 0.01, 5);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const auto key = support::key_for<F>(i);
    REQUIRE(support::add(by_key, key));
    REQUIRE(support::add(by_digest, by_key.digest(key)));
  }
  CHECK(by_key == by_digest);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto key = support::key_for<F>(i);
    REQUIRE(by_key.may_contain(key) == by_key.may_contain(by_digest.digest(key)));
  }
}

TEMPLATE_LIST_TEST_CASE("the same keys in the same order make equal filters", "", Filters) {  // BUGS T04
  using F = TestType;
  auto first = support::make_filter<F>(1000, 0.01, 9);
  auto second = support::make_filter<F>(1000, 0.01, 9);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    REQUIRE(support::add(first, support::key_for<F>(i)));
    REQUIRE(support::add(second, support::key_for<F>(i)));
  }
  CHECK(first == second);
}

TEMPLATE_LIST_TEST_CASE("emptiness is counted, not remembered", "", Filters) {  // BUGS N04
  using F = TestType;
  auto filter = support::make_filter<F>(100, 0.01);
  const F fresh = filter;
  REQUIRE(support::add(filter, support::key_for<F>(1)));
  const F saved = filter;
  filter.clear();
  CHECK(filter.empty());
  CHECK_FALSE(filter.may_contain(support::key_for<F>(1)));
  filter = saved;
  CHECK_FALSE(filter.empty());
  CHECK(filter.may_contain(support::key_for<F>(1)));
  auto other = fresh;
  swap(filter, other);
  CHECK(filter.empty());
  CHECK_FALSE(other.empty());
  filter = std::move(other);
  CHECK_FALSE(filter.empty());
  CHECK(filter.may_contain(support::key_for<F>(1)));
}
