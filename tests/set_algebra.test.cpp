// SPDX-License-Identifier: BSL-1.0
//
// Union and intersection: exact where they promise it, refused where filters differ, harmless to both when refused.
#include <perhaps/perhaps.hpp>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/keys.hpp"

namespace {

using Integers = perhaps::BloomFilter<std::uint64_t>;

struct Keyed {
  static constexpr unsigned digest_bits = 128;
  std::uint64_t key = 0;
  perhaps::Digest operator()(std::uint64_t word) const { return perhaps::mix_word(word, key); }
  bool operator==(const Keyed&) const = default;
};

template <class F>
F filled(std::uint64_t first, std::uint64_t last, std::uint64_t keys = 2000) {
  auto filter = support::make_filter<F>(keys, 0.01);
  for (std::uint64_t i = first; i < last; ++i) filter.insert(support::key_for<F>(i));
  return filter;
}

template <class F>
std::string refusal(F left, const F& right, bool intersect = false) {
  const F was_left = left;
  const F was_right = right;
  std::string message = "accepted";
  try {
    if (intersect) left &= right;
    else left |= right;
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  CHECK(left == was_left);
  CHECK(right == was_right);
  CHECK_FALSE((intersect ? left.try_intersect(right) : left.try_unite(right)));
  CHECK(left == was_left);
  return message;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("the union is the filter of both sets' keys", "", support::BloomFilters) {  // BUGS M03
  using F = TestType;
  auto left = filled<F>(0, 1000);
  const auto right = filled<F>(500, 1500);
  CHECK((left | right) == filled<F>(0, 1500));
  CHECK((right | left) == filled<F>(0, 1500));
  left |= right;
  CHECK(left == filled<F>(0, 1500));
  CHECK(std::abs(left.estimated_size() / 1500 - 1) < 0.05);
}

TEMPLATE_LIST_TEST_CASE("the intersection finds every common key", "", support::BloomFilters) {
  using F = TestType;
  const auto left = filled<F>(0, 1000);
  const auto right = filled<F>(500, 1500);
  const auto both = left & right;
  bool all = true;
  for (std::uint64_t i = 500; i < 1000; ++i) all &= both.may_contain(support::key_for<F>(i));
  CHECK(all);
  CHECK(both.fill_ratio() <= left.fill_ratio());
}

TEMPLATE_LIST_TEST_CASE("a filter united or intersected with itself is itself", "",
                        support::BloomFilters) {  // BUGS M05
  using F = TestType;
  auto filter = filled<F>(0, 1000);
  const F copy = filter;
  const F& itself = filter;
  filter |= itself;
  CHECK(filter == copy);
  filter &= itself;
  CHECK(filter == copy);
  CHECK(filter.try_unite(filter));
  CHECK(filter.try_intersect(filter));
  CHECK(filter == copy);
}

TEMPLATE_LIST_TEST_CASE("eight shards united are the one filter", "", support::BloomFilters) {  // BUGS M06
  using F = TestType;
  const auto whole = filled<F>(0, 20'000, 20'000);
  for (const bool backwards : {false, true}) {
    auto merged = support::make_filter<F>(20'000, 0.01);
    for (std::uint64_t step = 0; step < 8; ++step) {
      const std::uint64_t shard = backwards ? 7 - step : step;
      merged |= filled<F>(shard * 2500, (shard + 1) * 2500, 20'000);
    }
    CHECK(merged == whole);
  }
}

TEST_CASE("filters that differ are refused by the field and both values") {  // BUGS M01
  const Integers filter({.bits = 1000, .hashes = 7});
  CHECK(refusal(filter, Integers({.bits = 1064, .hashes = 7})) == "perhaps: |=: bits differ: 1000 and 1064");
  CHECK(refusal(filter, Integers({.bits = 1000, .hashes = 8})) == "perhaps: |=: hashes differ: 7 and 8");
  CHECK(refusal(filter, Integers({.bits = 1000, .hashes = 7}, perhaps::XxHash3(5)), true) ==
        "perhaps: &=: seeds differ: 0 and 5");
  using KeyedFilter = perhaps::BloomFilter<std::uint64_t, Keyed>;
  CHECK(refusal(KeyedFilter({.bits = 64, .hashes = 2}, Keyed{1}), KeyedFilter({.bits = 64, .hashes = 2}, Keyed{2})) ==
        "perhaps: |=: hash policies differ");
}

TEST_CASE("sizes of union and intersection are estimated from the filters") {
  auto left = Integers({.keys = 20'000, .fpr = 0.001});
  auto right = left;
  for (std::uint64_t i = 0; i < 8000; ++i) left.insert(i);
  for (std::uint64_t i = 5000; i < 15'000; ++i) right.insert(i);
  const auto sets = perhaps::estimate_sets(left, right);
  CHECK(std::abs(sets.left / 8000 - 1) < 0.02);
  CHECK(std::abs(sets.right / 10'000 - 1) < 0.02);
  CHECK(std::abs(sets.both / 15'000 - 1) < 0.02);
  CHECK(std::abs(sets.intersection() - 3000) < 300);
  CHECK(std::abs(sets.jaccard() - 0.2) < 0.03);
  CHECK_THROWS_AS(perhaps::estimate_sets(left, Integers({.bits = 64, .hashes = 2})), std::invalid_argument);
}

TEST_CASE("facts: deleting by clearing bits loses others' keys, so Bloom filters have no erase") {
  static_assert(!perhaps::ErasableFilter<Integers>);
  static_assert(perhaps::MergeableFilter<Integers>);
}
