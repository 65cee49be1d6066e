// SPDX-License-Identifier: BSL-1.0
//
// The laws of filters that forget: the last N keys are found, the rate is at most the one asked for, for ever, and old
// keys go: after N + N/g + 1 others, or when they are too old.
#include <perhaps/perhaps.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/keys.hpp"
#include "support/statistics.hpp"

namespace {

using Key = std::uint64_t;
using perhaps::RollingBloomFilter;
using perhaps::RollingTarget;
using perhaps::XxHash3;

using Classic = RollingBloomFilter<Key>;
using Split = RollingBloomFilter<Key, XxHash3, perhaps::SplitBlock<>>;

}  // namespace

TEMPLATE_TEST_CASE("the last N keys are found at every moment", "", Classic, Split) {
  for (const unsigned generations : {1U, 2U, 3U, 5U, 64U}) {
    for (const Key n : {0U, 1U, 2U, 3U, 10U, 63U, 64U, 65U, 130U}) {
      TestType filter({.keys = n, .fpr = 0.2, .generations = generations});
      const std::size_t bytes = filter.bytes();
      for (Key i = 0; i < 4 * n + 10; ++i) {
        filter.insert(i);
        const Key last = n == 0 ? 1 : n;
        for (Key j = i + 1 > last ? i + 1 - last : 0; j <= i; ++j) REQUIRE(filter.may_contain(j));
      }
      CHECK(filter.bytes() == bytes);
      CHECK(filter.generations().size() == generations + 1);
    }
  }
}

TEMPLATE_TEST_CASE("the rate is at most the target, however many keys have come", "", Classic, Split) {
  for (const unsigned generations : {1U, 3U, 8U}) {
    for (const auto& [n, seeds] : {std::pair<Key, std::uint64_t>{1, 300}, {20, 100}, {5000, 3}}) {
      for (const double fpr : {0.1, 0.01}) {
        std::uint64_t hits = 0;
        const Key asked = 600'000 / seeds;
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
          TestType filter({.keys = n, .fpr = fpr, .generations = generations}, XxHash3(seed));
          // Up to the moment when all generations are full.
          const Key inserted = (n + generations - 1) / generations * (generations + 1) * 3;
          for (Key i = 0; i < inserted; ++i) filter.insert(support::scramble(i));
          for (Key i = inserted; i < inserted + asked; ++i) {
            hits += filter.may_contain(support::scramble(i)) ? 1U : 0U;
          }
        }
        INFO(generations << " " << n << " " << fpr << ": " << hits << " of " << asked * seeds);
        CHECK(support::wilson(hits, asked * seeds).low <= fpr);
        if (n == 5000) CHECK(support::wilson(hits, asked * seeds).high >= 0.85 * fpr);
      }
    }
  }
}

TEST_CASE("a key that does not come again is forgotten") {
  for (const unsigned generations : {1U, 2U, 3U, 7U}) {
    for (const Key n : {1U, 10U, 100U}) {
      Classic filter({.keys = n, .fpr = 1e-9, .generations = generations});
      const Key generation = (n + generations - 1) / generations;
      const Key most = generation * (generations + 1);
      for (Key i = 0; i < 5 * most; ++i) {
        filter.insert(i);
        if (i >= most) CHECK(!filter.may_contain(i - most));
      }
    }
  }
}

TEST_CASE("duplicates use up nothing, and keys that come again stay") {
  Classic filter({.keys = 10, .fpr = 1e-9});
  for (Key i = 0; i < 4; ++i) filter.insert(i);
  const auto before = filter;
  for (int round = 0; round < 100; ++round) CHECK(filter.test_and_insert(Key{3}));
  CHECK(filter == before);
  for (Key i = 100; i < 10'000; ++i) {
    CHECK(!filter.test_and_insert(i));
    if (i % 10 == 0) CHECK(filter.test_and_insert(Key{3}));
  }
}

TEST_CASE("by age: found while n/N + t/age is below 1, forgotten at age + age/g") {
  for (const unsigned generations : {1U, 2U, 3U, 6U}) {
    for (const std::uint64_t age : {1U, 6U, 100U, 1000U}) {
      for (const Key n : {6U, 60U, 600U}) {
        Classic filter({.keys = n, .fpr = 1e-9, .generations = generations, .age = age});
        std::vector<std::pair<std::uint64_t, Key>> came;  // when, and as which
        std::uint64_t now = 1'700'000'000;
        filter.advance(now);
        std::uint64_t random = age + n;
        for (Key i = 0; i < 600; ++i) {
          random = support::scramble(random);
          if (random % 4 == 0) now += (random >> 8U) % (age / 3 + 2);
          if (random % 97 == 0) now += 3 * age;
          filter.advance(now);
          filter.insert(i);
          came.emplace_back(now, i);
          const std::uint64_t span = (age + generations - 1) / generations;
          for (const auto& [when, key] : came) {
            const double used = static_cast<double>(i - key) / static_cast<double>(n) +
                                static_cast<double>(now - when) / static_cast<double>(age);
            if (used < 1) REQUIRE(filter.may_contain(key));
            if (now - when >= span * (generations + 1)) REQUIRE(!filter.may_contain(key));
          }
        }
      }
    }
  }
}

TEST_CASE("rotations by hand, and times that can't be") {
  Classic filter({.keys = 1000, .fpr = 1e-9, .generations = 2, .age = 10});
  filter.insert(Key{1});
  filter.advance(50);  // begins to count: nothing is forgotten
  CHECK(filter.may_contain(Key{1}));
  const auto before = filter;
  CHECK_THROWS_WITH(filter.advance(49), "perhaps: now must be at least the time of the last call, 50, got 49");
  CHECK(filter == before);
  filter.rotate();
  filter.rotate();
  CHECK(filter.may_contain(Key{1}));
  filter.rotate();
  CHECK(!filter.may_contain(Key{1}));
  filter.insert(Key{2});
  filter.advance(std::numeric_limits<std::uint64_t>::max());
  CHECK(filter.empty());
  Classic ageless({.keys = 10, .fpr = 0.01});
  ageless.insert(Key{1});
  for (const std::uint64_t now : {std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max()}) ageless.advance(now);
  CHECK(ageless.may_contain(Key{1}));
}

TEST_CASE("targets out of range are refused by name") {
  const auto message = [](const RollingTarget& target) -> std::string {
    CHECK(!Classic::make(target));
    try {
      static_cast<void>(Classic(target));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message({.keys = 1, .fpr = 1}) == "perhaps: fpr must be above 0 and below 1, got 1");
  CHECK(message({.keys = 1, .fpr = 0.1, .generations = 0}) == "perhaps: generations must be from 1 to 64, got 0");
  CHECK(message({.keys = 1, .fpr = 0.1, .generations = 65}) == "perhaps: generations must be from 1 to 64, got 65");
  CHECK(message({.keys = 1, .fpr = 0.1, .generations = 4'000'000'000U}) ==
        "perhaps: generations must be from 1 to 64, got 4000000000");
  const auto made = Classic::make({.keys = 9, .fpr = 0.1});
  REQUIRE(made);
  CHECK(*made == Classic({.keys = 9, .fpr = 0.1}));
}

TEMPLATE_TEST_CASE("batches, digests, copies and moves", "", Classic, Split) {
  TestType filter({.keys = 300, .fpr = 0.1});
  std::vector<Key> keys(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = support::scramble(i);
  const auto half = std::span<const Key>(keys).first(500);
  TestType by_range = filter;
  by_range.insert_range(half);
  for (const Key key : half) filter.insert(filter.digest(key));
  CHECK(by_range == filter);
  std::vector<bool> answers;
  filter.may_contain_range(keys, std::back_inserter(answers));
  for (std::size_t i = 0; i < keys.size(); ++i) REQUIRE(answers[i] == filter.may_contain(keys[i]));

  TestType moved(std::move(by_range));
  CHECK(moved == filter);
  CHECK(by_range.may_contain(Key{1}));  // NOLINT(bugprone-use-after-move): what a moved-from filter says
  by_range.insert(Key{1});
  by_range.rotate();
  by_range.advance(7);
  CHECK(by_range.current_fpr() == 1);
  answers.clear();
  by_range.may_contain_range({1, 2}, std::back_inserter(answers));
  CHECK((answers == std::vector<bool>{true, true}));
  by_range = filter;
  CHECK(by_range == filter);
  by_range.clear();
  CHECK(by_range.empty());
  CHECK(by_range == TestType({.keys = 300, .fpr = 0.1}));

  RollingBloomFilter<std::string> names({.keys = 10, .fpr = 1e-6});
  names.insert_range({"owl", "jay"});
  CHECK(names.may_contain(std::string_view("jay")));
  CHECK(!names.test_and_insert("tit"));
  CHECK(names.test_and_insert("tit"));
}

static_assert(perhaps::Filter<Classic>);
