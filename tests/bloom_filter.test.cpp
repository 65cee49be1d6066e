// SPDX-License-Identifier: BSL-1.0
//
// BloomFilter itself: construction and its errors, what it reports about itself, test_and_insert.
#include <perhaps/bloom_filter.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_set>

#include "support/catch.hpp"
#include "support/keys.hpp"

namespace {

using perhaps::BloomFilter;
using perhaps::BloomParameters;
using perhaps::BloomTarget;

using Integers = BloomFilter<std::uint64_t>;

static_assert(std::copyable<Integers> && std::equality_comparable<Integers> && std::swappable<Integers>);
static_assert(std::is_nothrow_move_constructible_v<Integers> && std::is_nothrow_move_assignable_v<Integers>);
static_assert(!std::default_initializable<Integers>);
static_assert(!std::convertible_to<int, Integers>);
static_assert(!std::convertible_to<BloomTarget, Integers>);
static_assert(sizeof(Integers) <= 64);

template <class Argument>
std::string refusal(const Argument& argument) {
  try {
    const Integers filter(argument);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("the example of the README") {
  BloomFilter<std::string> seen({.keys = 1'000'000, .fpr = 0.01});
  seen.insert("owl");
  CHECK(seen.may_contain("owl"));
  CHECK_FALSE(seen.may_contain("fox"));
  CHECK(seen.bits() == 9'592'955);
  CHECK(seen.hashes() == 7);
  CHECK(seen.bytes() == (9'592'955 + 63) / 64 * 8);
}

TEST_CASE("m and k are those of sizing, or those given") {
  const auto sized = perhaps::bloom_parameters({.keys = 1000, .fpr = 0.001});
  const Integers by_target({.keys = 1000, .fpr = 0.001});
  CHECK(by_target.bits() == sized.bits);
  CHECK(by_target.hashes() == sized.hashes);
  CHECK(by_target.bytes() == sized.bytes);
  CHECK(Integers(sized) == by_target);
  CHECK(by_target.expected_fpr(1000) <= 0.001);
  CHECK(by_target.expected_fpr(1001) > 0.0009);
  const Integers by_hand({.bits = 65, .hashes = 3});
  CHECK(by_hand.bits() == 65);
  CHECK(by_hand.hashes() == 3);
  CHECK(by_hand.bytes() == 16);
}

TEST_CASE("arguments that make no filter are refused by name and value") {
  CHECK(refusal(BloomTarget{.keys = 10, .fpr = 0}) ==
        "perhaps: fpr must be above 0 and below 1, got 0, as if fpr was not given");
  CHECK(refusal(BloomTarget{.keys = 10, .fpr = 10}) == "perhaps: fpr must be above 0 and below 1, got 10");
  CHECK(refusal(BloomParameters{.bits = 0, .hashes = 3}) == "perhaps: bits must be above 0, got 0");
  CHECK(refusal(BloomParameters{.bits = 10, .hashes = 0}) == "perhaps: hashes must be from 1 to 64, got 0");
  CHECK(refusal(BloomParameters{.bits = 10, .hashes = 65'535}) == "perhaps: hashes must be from 1 to 64, got 65535");
  CHECK_THROWS_AS(Integers(BloomTarget{.keys = std::uint64_t{1} << 62U, .fpr = 0.25}), std::length_error);
  CHECK_FALSE(Integers::make(BloomTarget{.keys = 10, .fpr = 2}));
  CHECK_FALSE(Integers::make(BloomParameters{.bits = 0, .hashes = 1}));
  CHECK_FALSE(Integers::make(BloomParameters{.bits = 1, .hashes = 257}));
  CHECK_FALSE(Integers::make(BloomTarget{.keys = std::uint64_t{1} << 62U, .fpr = 0.25}));
}

TEST_CASE("make gives the filter that the constructor would") {
  const std::optional<Integers> made = Integers::make(BloomTarget{.keys = 100, .fpr = 0.01}, perhaps::XxHash3(3));
  REQUIRE(made);
  CHECK(*made == Integers({.keys = 100, .fpr = 0.01}, perhaps::XxHash3(3)));
}

TEST_CASE("bits lie where the probes say, and nowhere else") {
  for (const std::uint64_t bits : {1U, 2U, 63U, 64U, 65U, 127U, 1000U}) {
    Integers filter({.bits = bits, .hashes = 5});
    std::unordered_set<std::uint64_t> positions;
    for (std::uint64_t key = 0; key < 20; ++key) {
      perhaps::RotatingDoubleHashing probes(filter.digest(key));
      for (int i = 0; i < 5; ++i) positions.insert(perhaps::fast_range(probes.next(), bits));
      filter.insert(key);
    }
    CHECK(filter.set_bits() == positions.size());
    for (const std::uint64_t position : positions) {
      REQUIRE(position < bits);
      CHECK(((filter.words()[position / 64] >> (position % 64)) & 1U) == 1);
    }
  }
}

TEST_CASE("any number of hashes works alike") {
  // Lookups take probes in groups of eight: every count around the groups' ends.
  for (unsigned k = 1; k <= 40; ++k) {
    Integers filter({.bits = 4000, .hashes = k});
    Integers other({.bits = 4000, .hashes = k});
    for (std::uint64_t key = 0; key < 40; ++key) filter.insert(key);
    for (std::uint64_t key = 0; key < 40; ++key) other.test_and_insert(key);
    CHECK(filter == other);
    const auto expected = [&](std::uint64_t key) {
      perhaps::RotatingDoubleHashing probes(filter.digest(key));
      for (unsigned i = 0; i < k; ++i) {
        const std::uint64_t position = perhaps::fast_range(probes.next(), 4000);
        if (((filter.words()[position / 64] >> (position % 64)) & 1U) == 0) return false;
      }
      return true;
    };
    bool all_right = true;
    for (std::uint64_t key = 0; key < 2000; ++key) all_right &= filter.may_contain(key) == expected(key);
    INFO("k = " << k);
    CHECK(all_right);
  }
  Integers most({.bits = 100'000, .hashes = perhaps::max_hashes});
  most.insert(1);
  CHECK(most.may_contain(1));
  CHECK_FALSE(most.may_contain(2));
}

TEST_CASE("test_and_insert says what may_contain would have said") {  // BUGS A01
  Integers filter({.keys = 5000, .fpr = 0.01});
  std::uint64_t fresh = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const std::uint64_t key = support::scramble(i) % 5000;
    const bool before = filter.may_contain(key);
    const bool seen = filter.test_and_insert(key);
    REQUIRE(seen == before);
    REQUIRE(filter.may_contain(key));
    fresh += seen ? 0U : 1U;
  }
  CHECK(fresh > 4000);
  CHECK_FALSE(Integers({.keys = 1, .fpr = 0.1}).test_and_insert(1));
}

TEST_CASE("what a filter says of itself") {
  Integers filter({.bits = 10'000, .hashes = 7});
  CHECK(filter.fill_ratio() == 0);
  CHECK(filter.current_fpr() == 0);
  CHECK(filter.estimated_size() == 0);
  for (std::uint64_t key = 0; key < 900; ++key) filter.insert(key);
  std::uint64_t count = 0;
  for (const std::uint64_t word : filter.words()) count += static_cast<unsigned>(std::popcount(word));
  CHECK(filter.set_bits() == count);
  CHECK(filter.fill_ratio() == static_cast<double>(count) / 10'000);
  CHECK(filter.current_fpr() == perhaps::current_fpr(10'000, 7, count));
  CHECK(filter.estimated_size() == perhaps::estimated_keys(10'000, 7, count));
  CHECK(std::abs(filter.estimated_size() / 900 - 1) < 0.05);
  for (std::uint64_t key = 0; key < 900; ++key) filter.insert(key);
  CHECK(filter.set_bits() == count);  // the same keys again change nothing
  for (std::uint64_t key = 900; key < 1100; ++key) filter.insert(key);
  CHECK(filter.fill_ratio() > 0.5);
}

TEST_CASE("facts: an overfull filter tells") {
  Integers filter({.bits = 5000, .hashes = 7});
  for (std::uint64_t key = 0; key < 5000; ++key) filter.insert(key);
  CHECK(std::abs(filter.fill_ratio() - 0.999) < 0.0015);
  CHECK(std::abs(filter.current_fpr() - 0.994) < 0.01);
}

TEST_CASE("a full filter is honest") {  // BUGS E01
  Integers filter({.bits = 64, .hashes = 8});
  for (std::uint64_t key = 0; filter.set_bits() < 64; ++key) filter.insert(key);
  CHECK(filter.fill_ratio() == 1);
  CHECK(filter.current_fpr() == 1);
  CHECK(filter.estimated_size() == std::numeric_limits<double>::infinity());
  CHECK(filter.may_contain(123'456));
}

TEST_CASE("rates are rates, at sizes beyond 32 bits too") {  // BUGS E02
  CHECK(perhaps::current_fpr(std::uint64_t{1} << 33U, 7, std::uint64_t{1} << 32U) == 0.0078125);
  for (const std::uint64_t keys : {1ULL, 75'000'000ULL, 150'000'000ULL, 10'000'000'000ULL}) {
    const auto sized = perhaps::bloom_parameters({.keys = 150'000'000, .fpr = 1e-4});
    const double rate = perhaps::expected_fpr(sized.bits, sized.hashes, static_cast<double>(keys));
    CHECK(rate >= 0);
    CHECK(rate <= 1);
  }
}

TEST_CASE("a moved-from filter says perhaps to everything and takes no harm") {
  Integers filter({.keys = 100, .fpr = 0.01});
  const Integers taken = std::move(filter);
  // NOLINTBEGIN(bugprone-use-after-move): the documented state
  filter.insert(1);
  CHECK(filter.may_contain(2));
  CHECK(filter.test_and_insert(3));
  CHECK(filter.bits() == 0);
  CHECK(filter.bytes() == 0);
  CHECK(filter.fill_ratio() == 1);
  CHECK(filter.current_fpr() == 1);
  CHECK(filter.expected_fpr(5) == 1);
  CHECK(filter.estimated_size() == std::numeric_limits<double>::infinity());
  filter.clear();
  // NOLINTEND(bugprone-use-after-move)
  CHECK_FALSE(taken.may_contain(2));
}
