// SPDX-License-Identifier: BSL-1.0
//
// CountingBloomFilter: erasing, counting and adding, up to saturation and beyond.
#include <perhaps/counting_bloom_filter.hpp>
#include <perhaps/filter_concepts.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/counters.hpp"
#include "support/filters.hpp"
#include "support/keys.hpp"

namespace {

using support::counter;
using support::positions_of;

using perhaps::BloomFilter;
using perhaps::BloomTarget;
using perhaps::CountingBloomFilter;
using perhaps::CountingParameters;
using perhaps::Digest;

using Integers = CountingBloomFilter<std::uint64_t>;

static_assert(perhaps::ErasableFilter<Integers> && !perhaps::MergeableFilter<Integers>);
static_assert(std::is_nothrow_move_constructible_v<Integers> && std::is_nothrow_move_assignable_v<Integers>);
static_assert(!std::default_initializable<Integers>);
static_assert(!std::convertible_to<int, Integers>);
static_assert(!std::convertible_to<BloomTarget, Integers>);
static_assert(sizeof(Integers) <= 64);

template <class F, class G>
concept Adds = requires(F& filter, const G& other) { filter += other; };
static_assert(Adds<Integers, Integers> && !Adds<Integers, CountingBloomFilter<std::uint64_t, 8>>);

// A key whose probes all land on different positions that `others` leave free.
template <class F>
std::uint64_t lone_key(const F& filter) {
  for (std::uint64_t key = 1;; ++key) {
    if (positions_of(filter, filter.digest(key)).size() == filter.hashes() && !filter.may_contain(key)) return key;
  }
}

// A policy that puts a on {2, 5}, b on {5, 9} and c on {1, 9} of 12 positions.
struct Given {
  static constexpr unsigned digest_bits = 64;
  static std::uint64_t probe(std::uint64_t position) { return (2 * position + 1) * (~std::uint64_t{0} / 24); }
  Digest operator()(std::string_view key) const {
    const std::uint64_t first = key == "a" ? 2 : key == "b" ? 5 : 1;
    const std::uint64_t second = key == "a" ? 5 : 9;
    return {probe(first), probe(second) - probe(first)};
  }
};

template <class Argument>
std::string refusal(const Argument& argument) {
  try {
    const Integers filter(argument);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

template <class F>
std::string addition_refusal(F left, const F& right) {
  const F was_left = left;
  const F was_right = right;
  std::string message = "accepted";
  try {
    left += right;
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  CHECK(left == was_left);
  CHECK(right == was_right);
  CHECK_FALSE(left.try_add(right));
  CHECK(left == was_left);
  return message;
}

}  // namespace

TEST_CASE("the example of the design") {
  CountingBloomFilter<std::string> stock({.keys = 50'000, .fpr = 0.001});
  stock.insert("owl");
  stock.insert("owl");
  CHECK(stock.may_contain("owl"));
  CHECK(stock.count("owl") == 2);
  CHECK(stock.erase("owl"));
  CHECK(stock.may_contain("owl"));
  CHECK(stock.erase("owl"));
  CHECK_FALSE(stock.may_contain("owl"));
  CHECK_FALSE(stock.erase("owl"));
  CHECK(stock.empty());
}

TEST_CASE("facts: with counters, removing a key keeps the other") {
  CountingBloomFilter<std::string, 4, Given, perhaps::Classic<perhaps::DoubleHashing>> filter(
      {.counters = 12, .hashes = 2});
  filter.insert("a");
  filter.insert("b");
  CHECK(counter(filter, 2) == 1);
  CHECK(counter(filter, 5) == 2);
  CHECK(counter(filter, 9) == 1);
  CHECK(filter.erase("a"));
  CHECK_FALSE(filter.may_contain("a"));
  CHECK(filter.may_contain("b"));
  CHECK_FALSE(filter.may_contain("c"));
  CHECK(counter(filter, 2) == 0);
  CHECK(counter(filter, 5) == 1);
  CHECK(counter(filter, 9) == 1);
}

TEST_CASE("m and k are those of sizing, or those given") {
  const auto sized = perhaps::counting_parameters({.keys = 1000, .fpr = 0.001});
  const Integers by_target({.keys = 1000, .fpr = 0.001});
  CHECK(by_target.counters() == sized.counters);
  CHECK(by_target.hashes() == sized.hashes);
  CHECK(by_target.bytes() == sized.bytes);
  CHECK(Integers(sized) == by_target);
  CHECK(by_target.expected_fpr(1000) <= 0.001);
  const Integers by_hand({.counters = 65, .hashes = 3});
  CHECK(by_hand.counters() == 65);
  CHECK(by_hand.hashes() == 3);
  CHECK(by_hand.bytes() == 4 * 16);
  CHECK(CountingBloomFilter<int, 16>({.counters = 65, .hashes = 3}).bytes() == 16 * 16);
}

TEST_CASE("arguments that make no counting filter are refused by name and value") {
  CHECK(refusal(BloomTarget{.keys = 10, .fpr = 0}) ==
        "perhaps: fpr must be above 0 and below 1, got 0, as if fpr was not given");
  CHECK(refusal(CountingParameters{.counters = 0, .hashes = 3}) == "perhaps: counters must be above 0, got 0");
  CHECK(refusal(CountingParameters{.counters = 10, .hashes = 0}) == "perhaps: hashes must be from 1 to 64, got 0");
  CHECK(refusal(CountingParameters{.counters = 10, .hashes = 65}) == "perhaps: hashes must be from 1 to 64, got 65");
  // 2^64 counters of 16 bits are beyond any address; what is within may still lack memory, and takes long to find out.
  using Wide = CountingBloomFilter<std::uint64_t, 16>;
  const CountingParameters most{.counters = ~std::uint64_t{0}, .hashes = 1};
  CHECK_THROWS_AS(Wide(most), std::length_error);
  CHECK_FALSE(Wide::make(most));
  CHECK_FALSE(Integers::make(BloomTarget{.keys = 10, .fpr = 2}));
  CHECK_FALSE(Integers::make(CountingParameters{.counters = 0, .hashes = 1}));
  const auto made = Integers::make(BloomTarget{.keys = 100, .fpr = 0.01}, perhaps::XxHash3(3));
  REQUIRE(made);
  CHECK(*made == Integers({.keys = 100, .fpr = 0.01}, perhaps::XxHash3(3)));
}

TEMPLATE_LIST_TEST_CASE("counters lie where the probes say, and hold how many do", "", support::CountingFilters) {
  using F = TestType;
  for (const std::uint64_t positions : {1U, 2U, 3U, 15U, 16U, 17U, 63U, 64U, 65U, 1000U, 4000U}) {
    const std::uint64_t m = support::whole_blocks<typename F::layout>(positions);
    F filter(CountingParameters{.counters = m, .hashes = F::layout::takes_hashes(9) ? 9U : 7U});
    std::map<std::uint64_t, std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 30; ++i) {
      filter.insert(support::key_for<F>(i));
      for (const auto& [position, probes] : positions_of(filter, filter.digest(support::key_for<F>(i)))) {
        expected[position] += probes;
      }
    }
    std::uint64_t stuck = 0;
    for (std::uint64_t position = 0; position < filter.words().size() * (64 / F::counter_bits); ++position) {
      const auto found = expected.find(position);
      const std::uint64_t probes = found == expected.end() ? 0 : found->second;
      REQUIRE(counter(filter, position) == (std::min)(probes, F::max_count));
      stuck += probes >= F::max_count ? 1U : 0U;
    }
    CHECK(filter.set_counters() == expected.size());
    CHECK(filter.saturated_counters() == stuck);
  }
}

TEMPLATE_LIST_TEST_CASE("sums of filters: counters add and clamp", "", support::CountingFilters) {  // BUGS C06, M05
  using F = TestType;
  const CountingParameters parameters{.counters = support::whole_blocks<typename F::layout>(200), .hashes = 3};
  F left(parameters);
  F right(parameters);
  F both(parameters);
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto key = support::key_for<F>(i);
    for (std::uint64_t times = 0; times < i % 7; ++times) {
      (times % 2 == 0 ? left : right).insert(key);
      both.insert(key);
    }
  }
  const F was_right = right;
  CHECK((left + right) == both);
  CHECK((right + left) == both);
  F sum = left;
  CHECK(sum.try_add(right));
  CHECK(sum == both);
  CHECK(right == was_right);
  // Counter by counter, up to the maximum: doubled until all that are not 0 stick.
  for (unsigned doubling = 0; doubling <= F::counter_bits; ++doubling) {
    const F before = sum;
    sum += sum;
    for (std::uint64_t position = 0; position < sum.counters(); ++position) {
      const std::uint64_t value = counter(before, position);
      // A counter at its maximum sticks; 0 + 0 = 0.
      REQUIRE(counter(sum, position) == (std::min)(2 * value, F::max_count));
    }
  }
  CHECK(sum.saturated_counters() == sum.set_counters());
  const F stuck = sum;
  for (std::uint64_t i = 0; i < 60; ++i) {
    for (std::uint64_t times = 0; times < i % 7; ++times) CHECK(sum.erase(support::key_for<F>(i)));
  }
  CHECK(sum == stuck);
}

TEST_CASE("ten and ten are fifteen, for ever") {  // BUGS C06
  Integers left({.counters = 1000, .hashes = 7});
  Integers right = left;
  const std::uint64_t key = lone_key(left);
  for (int i = 0; i < 10; ++i) {
    left.insert(key);
    right.insert(key);
  }
  left += right;
  for (const auto& position : positions_of(left, left.digest(key))) CHECK(counter(left, position.first) == 15);
  for (int i = 0; i < 20; ++i) CHECK(left.erase(key));
  CHECK(left.may_contain(key));
}

TEST_CASE("counting filters that differ are refused by the field and both values") {  // BUGS M01
  const Integers filter({.counters = 1000, .hashes = 7});
  CHECK(addition_refusal(filter, Integers({.counters = 1064, .hashes = 7})) ==
        "perhaps: +=: counters differ: 1000 and 1064");
  CHECK(addition_refusal(filter, Integers({.counters = 1000, .hashes = 8})) == "perhaps: +=: hashes differ: 7 and 8");
  CHECK(addition_refusal(filter, Integers({.counters = 1000, .hashes = 7}, perhaps::XxHash3(5))) ==
        "perhaps: +=: seeds differ: 0 and 5");
}

TEMPLATE_LIST_TEST_CASE("to_bloom is the Bloom filter of the same keys", "", support::CountingFilters) {
  using F = TestType;
  using Layout = typename F::layout;
  using Bloom = BloomFilter<typename F::key_type, typename F::hasher, Layout>;
  static_assert(std::same_as<decltype(std::declval<F>().to_bloom()), Bloom>);
  for (const std::uint64_t m : {1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U, 4096U}) {
    if (m % Layout::block_bits != 0) continue;
    for (const unsigned k : {1U, 3U, 7U, 8U, 9U, 20U}) {
      if (!Layout::takes_hashes(k)) continue;
      F filter(CountingParameters{.counters = m, .hashes = k}, perhaps::XxHash3(m));
      Bloom bloom({.bits = m, .hashes = k}, perhaps::XxHash3(m));
      CHECK(filter.to_bloom() == bloom);
      for (std::uint64_t i = 0; i < 2 * m / k + 1; ++i) {
        filter.insert(support::key_for<F>(i));
        bloom.insert(support::key_for<F>(i));
      }
      REQUIRE(filter.to_bloom() == bloom);
      CHECK(filter.set_counters() == bloom.set_bits());
      CHECK(filter.current_fpr() == bloom.current_fpr());
    }
  }
  // After erasing, that of the keys that are left.
  auto filter = support::make_filter<F>(500, 0.01);
  Bloom bloom({.keys = 500, .fpr = 0.01});
  const std::uint64_t keys = F::counter_bits == 2 ? 40 : 500;  // few enough that nothing saturates
  for (std::uint64_t i = 0; i < keys; ++i) filter.insert(support::key_for<F>(i));
  REQUIRE(filter.saturated_counters() == 0);
  for (std::uint64_t i = 0; i < keys; i += 2) CHECK(filter.erase(support::key_for<F>(i)));
  for (std::uint64_t i = 1; i < keys; i += 2) bloom.insert(support::key_for<F>(i));
  CHECK(filter.to_bloom() == bloom);
}

TEST_CASE("what a counting filter says of itself") {
  Integers filter({.counters = 10'000, .hashes = 7});
  CHECK(filter.fill_ratio() == 0);
  CHECK(filter.current_fpr() == 0);
  CHECK(filter.estimated_size() == 0);
  for (std::uint64_t key = 0; key < 900; ++key) filter.insert(key);
  CHECK(filter.fill_ratio() == static_cast<double>(filter.set_counters()) / 10'000);
  CHECK(filter.current_fpr() == perhaps::current_fpr(10'000, 7, filter.set_counters()));
  CHECK(std::abs(filter.estimated_size() / 900 - 1) < 0.05);
  for (std::uint64_t key = 900; key < 1100; ++key) filter.insert(key);
  CHECK(filter.saturated_counters() == 0);
  for (std::uint64_t key = 0; key < 1100; ++key) CHECK(filter.erase(key));
  CHECK(filter.empty());
  CHECK(filter.estimated_size() == 0);
}

TEST_CASE("a full counting filter is honest") {  // BUGS E01
  Integers filter({.counters = 64, .hashes = 8});
  for (std::uint64_t key = 0; filter.set_counters() < 64; ++key) filter.insert(key);
  CHECK(filter.fill_ratio() == 1);
  CHECK(filter.current_fpr() == 1);
  CHECK(filter.estimated_size() == std::numeric_limits<double>::infinity());
}

TEST_CASE("any number of hashes counts alike") {
  for (unsigned k = 1; k <= 40; ++k) {
    Integers filter({.counters = 4000, .hashes = k});
    for (std::uint64_t key = 0; key < 40; ++key) filter.insert(key);
    bool all_right = true;
    for (std::uint64_t key = 0; key < 2000; ++key) {
      const auto positions = positions_of(filter, filter.digest(key));
      const bool expected = std::all_of(positions.begin(), positions.end(),
                                        [&](const auto& position) { return counter(filter, position.first) != 0; });
      all_right &= filter.may_contain(key) == expected;
    }
    INFO("k = " << k);
    CHECK(all_right);
  }
  Integers most({.counters = 100'000, .hashes = perhaps::max_hashes});
  most.insert(1);
  CHECK(most.count(1) == 1);
  CHECK(most.erase(1));
  CHECK(most.empty());
}

TEST_CASE("a moved-from counting filter says perhaps to everything and takes no harm") {
  Integers filter({.keys = 100, .fpr = 0.01});
  const Integers taken = std::move(filter);
  // NOLINTBEGIN(bugprone-use-after-move): the documented state
  filter.insert(1);
  CHECK(filter.may_contain(2));
  CHECK_FALSE(filter.erase(2));
  CHECK(filter.count(3) == 0);
  CHECK(filter.counters() == 0);
  CHECK(filter.bytes() == 0);
  CHECK(filter.fill_ratio() == 1);
  CHECK(filter.current_fpr() == 1);
  CHECK(filter.expected_fpr(5) == 1);
  CHECK(filter.estimated_size() == std::numeric_limits<double>::infinity());
  filter.clear();
  // NOLINTEND(bugprone-use-after-move)
  CHECK_FALSE(taken.may_contain(2));
}
