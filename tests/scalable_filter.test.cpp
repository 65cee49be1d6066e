// SPDX-License-Identifier: BSL-1.0
//
// The laws of chains: no key is ever denied, the total rate stays at or below the one asked for, whatever the number of
// keys, and the memory at twice that of one filter of the right size.
#include <perhaps/perhaps.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/keys.hpp"
#include "support/statistics.hpp"
#include "support/suite.hpp"

namespace {

using Key = std::uint64_t;
using perhaps::BloomFilter;
using perhaps::CuckooFilter;
using perhaps::ScalableFilter;
using perhaps::ScalableTarget;
using perhaps::XxHash3;

using Classic = BloomFilter<Key>;
using Split = BloomFilter<Key, XxHash3, perhaps::SplitBlock<>>;
using Lines = BloomFilter<Key, XxHash3, perhaps::Blocked<512>>;
using Cuckoo = CuckooFilter<Key, 16>;

template <class F>
ScalableFilter<F> filled(const ScalableTarget& target, Key keys, std::uint64_t seed = 0, Key first = 0) {
  ScalableFilter<F> chain(target, XxHash3(seed));
  for (Key i = 0; i < keys; ++i) chain.insert(support::scramble(first + i));
  return chain;
}

template <class F>
std::size_t bytes_of_one(Key keys, double fpr) {
  if constexpr (requires { F::fingerprint_bits; }) {
    return perhaps::cuckoo_parameters({.keys = keys}, F::bucket_size, F::fingerprint_bits).bytes;
  } else {
    return perhaps::bloom_parameters<typename F::layout>({.keys = keys, .fpr = fpr}).bytes;
  }
}

// A policy whose digests have 32 good bits: stages of low rates are soon out of its reach.
struct Narrow {
  static constexpr unsigned digest_bits = 32;
  perhaps::Digest operator()(std::uint64_t word) const { return perhaps::mix_word(word % (Key{1} << 32U), 1); }
};

}  // namespace

TEST_CASE("the rates of all stages add up to the target, and their keys grow") {
  for (const double fpr : {0.3, 0.01, 1e-6}) {
    for (const double growth : {1.0, 1.5, 2.0, 16.0}) {
      for (const double tightening : {0.1, 0.5, 0.85, 0.99}) {
        const ScalableTarget target{.keys = 3, .fpr = fpr, .growth = growth, .tightening = tightening};
        double sum = 0;
        std::uint64_t keys = 3;
        for (std::uint64_t i = 0; i < 5000; ++i) {
          const auto stage = perhaps::scalable_stage(target, i);
          sum += stage.fpr;
          REQUIRE(stage.keys >= keys);
          keys = stage.keys;
        }
        CHECK(sum <= fpr * (1 + 1e-12));
        CHECK(sum == Approx(fpr));
        CHECK((keys == 3) == (growth == 1.0));
      }
    }
  }
  const auto last = perhaps::scalable_stage({.keys = 1, .fpr = 0.01}, std::numeric_limits<std::uint64_t>::max());
  CHECK(last.keys == std::numeric_limits<std::uint64_t>::max());
  CHECK(last.fpr == 0);
}

TEST_CASE("targets out of range are refused by name") {
  const auto message = [](const ScalableTarget& target) -> std::string {
    CHECK(!ScalableFilter<Classic>::make(target));
    try {
      static_cast<void>(ScalableFilter<Classic>(target));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message({.keys = 1, .fpr = 0}) == "perhaps: fpr must be above 0 and below 1, got 0, as if fpr was not given");
  CHECK(message({.keys = 1, .fpr = 0.1, .growth = 0.5}) == "perhaps: growth must be from 1 to 16, got 0.5");
  CHECK(message({.keys = 1, .fpr = 0.1, .growth = 17}) == "perhaps: growth must be from 1 to 16, got 17");
  CHECK(message({.keys = 1, .fpr = 0.1, .growth = std::nan("")}) == "perhaps: growth must be from 1 to 16, got nan");
  CHECK(message({.keys = 1, .fpr = 0.1, .tightening = 1}) == "perhaps: tightening must be above 0 and below 1, got 1");
}

TEMPLATE_TEST_CASE("grown a thousandfold, the total rate is at most the target, and no key is denied", "", Classic,
                   Split, Lines, Cuckoo) {
  for (const auto& [first, seeds] : {std::pair<Key, std::uint64_t>{1, 20}, {7, 10}, {100, 2}}) {
    for (const double fpr : {0.05, 0.01}) {
      const Key keys = 1000 * first;
      const Key asked = 400'000 / seeds;
      std::uint64_t hits = 0;
      double expected = 0;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const auto chain = filled<TestType>({.keys = first, .fpr = fpr}, keys, seed);
        for (Key i = 0; i < keys; ++i) REQUIRE(chain.may_contain(support::scramble(i)));
        std::uint64_t found = 0;
        for (Key i = keys; i < keys + asked; ++i) found += chain.may_contain(support::scramble(i)) ? 1U : 0U;
        hits += found;
        expected += chain.current_fpr() / static_cast<double>(seeds);
        CHECK(chain.stages().size() >= 2);
        CHECK(chain.stages().size() <= 12);
        if (first == 100 && fpr <= 0.01) CHECK(chain.bytes() <= 2 * bytes_of_one<TestType>(keys, fpr));
      }
      INFO(first << " " << fpr << ": " << hits << " of " << asked * seeds);
      CHECK(support::wilson(hits, asked * seeds).low <= fpr);
      CHECK(support::consistent(hits, asked * seeds, expected, 0.02));
      CHECK(expected <= fpr);
    }
  }
}

TEST_CASE("no key is denied at any moment of growing") {
  ScalableFilter<Classic> chain({.keys = 1, .fpr = 0.1, .growth = 1.3});
  for (Key i = 0; i < 600; ++i) {
    const bool found = chain.may_contain(i);
    CHECK(chain.test_and_insert(i) == found);
    for (Key j = 0; j <= i; ++j) REQUIRE(chain.may_contain(j));
  }
  CHECK(chain.estimated_size() == Approx(600).margin(90));
  CHECK(chain.stages().size() > 10);
}

TEST_CASE("duplicates use up nothing") {
  const ScalableTarget target{.keys = 10, .fpr = 0.01};
  const auto once = filled<Classic>(target, 2000);
  auto often = once;
  for (int round = 0; round < 20; ++round) {
    for (Key i = 0; i < 2000; ++i) CHECK(often.test_and_insert(support::scramble(i)));
  }
  CHECK(often == once);
}

TEMPLATE_TEST_CASE("batches answer like single calls, and insert like them", "", Classic, Split, Cuckoo) {
  std::vector<Key> keys(3000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = support::scramble(i);
  const auto half = std::span<const Key>(keys).first(1500);
  const auto chain = filled<TestType>({.keys = 4, .fpr = 0.2}, 1500);
  ScalableFilter<TestType> by_range({.keys = 4, .fpr = 0.2});
  by_range.insert_range(half);
  CHECK(by_range == chain);
  for (const std::size_t size : {0U, 1U, 255U, 256U, 257U, 3000U}) {
    std::vector<bool> answers;
    const auto asked = std::span<const Key>(keys).last(size);
    chain.may_contain_range(asked, std::back_inserter(answers));
    REQUIRE(answers.size() == size);
    for (std::size_t i = 0; i < size; ++i) {
      REQUIRE(answers[i] == chain.may_contain(asked[i]));
      REQUIRE(answers[i] == chain.may_contain(chain.digest(asked[i])));
    }
  }
}

TEST_CASE("keys follow the law of keys") {
  ScalableFilter<BloomFilter<std::string>> names({.keys = 1, .fpr = 0.001});
  names.insert("owl");
  names.insert_range({"jay", "tit"});
  CHECK(names.may_contain(std::string_view("owl")));
  CHECK(names.may_contain({'t', 'i', 't'}));
  ScalableFilter<BloomFilter<std::uint8_t>> small({.keys = 1, .fpr = 0.001});
  CHECK_THROWS_AS(small.insert(300), std::invalid_argument);
  CHECK(!small.may_contain(300));
  CHECK(small.empty());
}

TEMPLATE_TEST_CASE("erase never takes another key with it", "", (CuckooFilter<Key, 8>), (CuckooFilter<Key, 7, 2>),
                   Cuckoo) {
  // Short fingerprints and many stages: many keys have a fingerprint like theirs in another stage.
  ScalableFilter<TestType> chain({.keys = 20, .fpr = 0.4, .growth = 1.5});
  std::set<Key> kept;
  std::uint64_t refused = 0;
  std::uint64_t erased = 0;
  std::uint64_t random = 1;
  for (Key i = 0; i < 4000; ++i) {
    chain.insert(i);
    kept.insert(i);
    random = support::scramble(random);
    if (random % 3 == 0) {
      const Key victim = *kept.lower_bound(random % (i + 1));
      const std::uint64_t size = chain.size();
      const bool done = chain.erase(victim);
      ++(done ? erased : refused);
      CHECK(chain.size() == size - (done ? 1 : 0));
      if (!done) CHECK(chain.may_contain(victim));
      kept.erase(victim);
    }
    if (i % 50 == 0) {
      for (const Key key : kept) REQUIRE(chain.may_contain(key));
    }
  }
  for (const Key key : kept) REQUIRE(chain.may_contain(key));
  CHECK(chain.size() == kept.size() + refused);
  CHECK(refused * 2 < erased);
  CHECK(!chain.erase(Key{1} << 60U) == !chain.may_contain(Key{1} << 60U));
}

TEST_CASE("a chain of cuckoo filters fills again what was erased before it grows") {
  ScalableFilter<Cuckoo> chain({.keys = 100, .fpr = 0.01});
  for (Key i = 0; i < 3000; ++i) chain.insert(i);
  const std::size_t stages = chain.stages().size();
  for (Key round = 0; round < 20; ++round) {
    std::uint64_t erased = 0;
    for (Key i = 0; i < 1000; ++i) erased += chain.erase(round * 1000 + i) ? 1U : 0U;
    CHECK(erased > 950);
    for (Key i = 0; i < 1000; ++i) chain.insert((round + 3) * 1000 + i);
  }
  CHECK(chain.stages().size() <= stages + 1);
  CHECK(chain.count(Key{22'500}) >= 1);
}

TEMPLATE_TEST_CASE("copies of one key open no stages", "", Cuckoo, (CuckooFilter<Key, 16, 2>),
                   (CuckooFilter<Key, 16, 8>)) {
  for (const Key first : {Key{1}, Key{2}, Key{1000}}) {
    ScalableFilter<TestType> chain({.keys = first, .fpr = 0.01});
    std::uint64_t accepted = 0;
    for (int i = 0; i < 5000; ++i) accepted += chain.try_insert(Key{7}) ? 1U : 0U;
    CHECK(accepted >= TestType::bucket_size);
    CHECK(chain.size() == accepted);
    CHECK(chain.count(Key{7}) == accepted);
    const auto before = chain;
    CHECK_THROWS_AS(chain.insert(Key{7}), std::length_error);
    CHECK(chain == before);
    for (Key key = 8; key < 3000; ++key) chain.insert(key);  // which it has room for, as ever
    CHECK(chain.count(Key{7}) >= accepted);
  }
}

TEST_CASE("memory of a chain of cuckoo filters is in proportion to the keys accepted, however often each comes") {
  // Distinct keys, and how often in turn each of them comes.
  for (const auto& [distinct, copies] :
       {std::pair{3, 4000}, std::pair{50, 300}, std::pair{500, 40}, std::pair{5000, 4}}) {
    ScalableFilter<Cuckoo> chain({.keys = 10, .fpr = 0.01});
    bool found = true;
    std::uint64_t accepted = 0;
    for (int i = 0; i < distinct * copies; ++i) {
      const Key key = support::scramble(static_cast<Key>(i % distinct));
      accepted += chain.try_insert(key) ? 1U : 0U;
      found = found && chain.may_contain(key);
    }
    CHECK(found);
    CHECK(chain.size() == accepted);
    // 16 bits at a load of 0.9, the newest stage four times what half of the one before holds, and 512 bytes for n
    // = 10.
    CHECK(static_cast<double>(chain.bytes()) <= 512 + static_cast<double>(accepted) * 2 / 0.9 * 6);
  }
}

TEMPLATE_TEST_CASE("a stage that can't be made leaves the chain as it was", "", (BloomFilter<Key, Narrow>),
                   (CuckooFilter<Key, 32, 4, Narrow>)) {
  ScalableFilter<TestType> chain({.keys = 100, .fpr = 1e-6});
  Key next = 0;
  bool refused = false;
  while (!refused && next < 1'000'000) {
    try {
      chain.insert(next);
      ++next;
    } catch (const std::logic_error&) {
      refused = true;
    }
  }
  REQUIRE(refused);
  const auto before = chain;
  CHECK(!chain.try_insert(next));
  CHECK_THROWS_AS(chain.insert(next), std::logic_error);
  CHECK(chain == before);
  for (Key i = 0; i < next; ++i) REQUIRE(chain.may_contain(i));
}

TEMPLATE_TEST_CASE("the union finds the keys of both, at no more than both rates", "", Classic, Split) {
  const ScalableTarget target{.keys = 10, .fpr = 0.02};
  for (const auto& [left_keys, right_keys] : {std::pair<Key, Key>{0, 0}, {3, 4}, {5, 3000}, {3000, 5}, {900, 1000}}) {
    const auto left = filled<TestType>(target, left_keys);
    const auto right = filled<TestType>(target, right_keys, 0, 1'000'000);
    auto both = left;
    both |= right;
    auto turned = right;
    turned |= left;
    for (Key i = 0; i < left_keys; ++i)
      REQUIRE((both.may_contain(support::scramble(i)) && turned.may_contain(support::scramble(i))));
    for (Key i = 0; i < right_keys; ++i) REQUIRE(both.may_contain(support::scramble(1'000'000 + i)));
    CHECK(both.current_fpr() <= left.current_fpr() + right.current_fpr() + target.fpr);
    CHECK(both.stages().size() <= left.stages().size() + right.stages().size());
    const auto once = both;
    both |= right;
    both |= left;
    for (Key i = 0; i < right_keys; ++i) REQUIRE(both.may_contain(support::scramble(1'000'000 + i)));
    CHECK(both.bytes() <= once.bytes() + left.stages().back().bytes() + right.stages().back().bytes());
    auto twice = left;
    twice |= left;
    CHECK(twice == left);
    auto cleared = once;
    cleared.clear();
    CHECK(cleared == ScalableFilter<TestType>(target));
    for (Key i = 0; i < 5000; ++i) both.insert(support::scramble(5'000'000 + i));
    for (Key i = 0; i < 5000; ++i) REQUIRE(both.may_contain(support::scramble(5'000'000 + i)));
    CHECK(both.current_fpr() <= 2 * target.fpr);
  }
  const auto message = [&](const ScalableTarget& other, std::uint64_t seed) -> std::string {
    auto chain = filled<TestType>(target, 100);
    const auto before = chain;
    try {
      chain |= filled<TestType>(other, 100, seed);
    } catch (const std::invalid_argument& error) {
      CHECK(chain == before);
      return error.what();
    }
    return "";
  };
  CHECK(message({.keys = 11, .fpr = 0.02}, 0) == "perhaps: |=: keys differ: 10 and 11");
  CHECK(message({.keys = 10, .fpr = 0.01}, 0) == "perhaps: |=: fpr differ: 0.02 and 0.01");
  CHECK(message({.keys = 10, .fpr = 0.02, .growth = 3}, 0) == "perhaps: |=: growth differ: 2 and 3");
  CHECK(message(target, 1) == "perhaps: |=: hash policies differ");
}

TEMPLATE_TEST_CASE("copies, moves, swaps and clears", "", Classic, Cuckoo) {
  using Chain = ScalableFilter<TestType>;
  const auto some = filled<TestType>({.keys = 2, .fpr = 0.05}, 100);
  Chain other({.keys = 7, .fpr = 0.3});
  other = some;
  CHECK(other == some);
  Chain moved(std::move(other));
  CHECK(moved == some);
  CHECK(other.may_contain(Key{1}));  // NOLINT(bugprone-use-after-move): what a moved-from chain says
  CHECK(other.current_fpr() == 1);
  CHECK(other.bytes() == 0);
  CHECK(!other.try_insert(Key{1}));
  CHECK_THROWS_AS(other.insert(Key{1}), std::invalid_argument);
  std::vector<bool> answers;
  other.may_contain_range({1, 2}, std::back_inserter(answers));
  CHECK((answers == std::vector<bool>{true, true}));
  swap(other, moved);
  CHECK(other == some);
  other.clear();
  CHECK(other.empty());
  CHECK(other == Chain(some.target()));
  for (Key i = 0; i < 2000; ++i) other.insert(i);
  for (Key i = 0; i < 2000; ++i) REQUIRE(other.may_contain(i));
  CHECK(other.current_fpr() <= 0.05);
}

static_assert(perhaps::MergeableFilter<ScalableFilter<Split>>);
static_assert(perhaps::ErasableFilter<ScalableFilter<Cuckoo>>);
