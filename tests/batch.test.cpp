// SPDX-License-Identifier: BSL-1.0
//
// Law 3: a batch is its keys one by one, whatever the range, its length, the spelling of keys and the size of the
// filter.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <istream>
#include <iterator>
#include <list>
#include <memory>
#include <ranges>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/keys.hpp"
#include "support/suite.hpp"

namespace {

using perhaps::BloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::Digest;
using support::add;
using support::key_for;

// With a block more, beyond the second-level cache, where batches go other ways than in near memory.
constexpr std::uint64_t far_bits = std::uint64_t{perhaps::detail::l2_bytes} * 8;

template <class F>
std::vector<typename F::key_type> keys_from(std::uint64_t first, std::uint64_t last) {
  std::vector<typename F::key_type> keys;
  for (std::uint64_t i = first; i < last; ++i) keys.push_back(key_for<F>(i));
  return keys;
}

// Inserts a range of which all must fit.
template <class F, class Keys>
void insert_all(F& filter, Keys&& keys) {
  if constexpr (support::is_cuckoo<F>) {
    const std::uint64_t before = filter.size();
    const std::uint64_t accepted = filter.insert_range(keys);
    CHECK(filter.size() == before + accepted);
  } else {
    filter.insert_range(keys);
  }
}

template <class F, class Keys>
std::vector<bool> answers_of(const F& filter, Keys&& keys) {
  std::vector<bool> answers;
  filter.may_contain_range(keys, std::back_inserter(answers));
  return answers;
}

template <class F, class Keys>
std::vector<bool> one_by_one(const F& filter, const Keys& keys) {
  std::vector<bool> answers;
  for (const auto& key : keys) answers.push_back(filter.may_contain(key));
  return answers;
}

// The words of a stream: a range that can be read once.
template <class Key>
struct Streamed {
  std::istream& stream;
  std::istream_iterator<Key> begin() const { return std::istream_iterator<Key>(stream); }
  std::istream_iterator<Key> end() const { return {}; }
};

using Digests = std::vector<Digest>;

template <class F>
Digests digests_of(const F& filter, std::uint64_t first, std::uint64_t last) {
  Digests digests;
  for (std::uint64_t i = first; i < last; ++i) digests.push_back(filter.digest(key_for<F>(i)));
  return digests;
}

template <class Key, class Layout>
using Laid = BloomFilter<Key, perhaps::XxHash3, Layout>;
// Beyond the second-level cache memory is asked for ahead, and lookups on the classic layout may go in two steps.
using LargeFiltersFull =
    std::tuple<BloomFilter<std::uint64_t>, Laid<std::uint64_t, perhaps::Classic<perhaps::DoubleHashing>>,
               Laid<std::uint64_t, perhaps::Classic<perhaps::EnhancedDoubleHashing>>,
               Laid<std::uint64_t, perhaps::Blocked<512>>, Laid<std::uint64_t, perhaps::Blocked<128>>,
               Laid<std::uint64_t, perhaps::SplitBlock<64, 8>>, Laid<std::uint64_t, perhaps::SplitBlock<32, 8>>,
               CountingBloomFilter<std::uint64_t>, support::BlockedCounting<std::uint64_t, 128>,
               support::LineCounting<std::uint64_t>, CuckooFilter<std::uint64_t>, CuckooFilter<std::uint64_t, 17, 2>>;
using LargeFilters = support::Suite<
    LargeFiltersFull,
    std::tuple<BloomFilter<std::uint64_t>,
               Laid<std::uint64_t, perhaps::Classic<perhaps::EnhancedDoubleHashing>>,  // not in lanes
               Laid<std::uint64_t, perhaps::Blocked<512>>, Laid<std::uint64_t, perhaps::SplitBlock<64, 8>>,
               CountingBloomFilter<std::uint64_t>, support::LineCounting<std::uint64_t>, CuckooFilter<std::uint64_t>>>;

// Ranges are walked in one way for all filters; what is done with a tile differs.
using RangedFilters =
    support::Suite<support::AllFilters, std::tuple<BloomFilter<std::string>, support::LineCounting<std::uint64_t>,
                                                   CuckooFilter<std::uint64_t>>>;

using TiledFilters =
    support::Suite<LargeFilters, std::tuple<BloomFilter<std::uint64_t>, Laid<std::uint64_t, perhaps::SplitBlock<64, 8>>,
                                            CountingBloomFilter<std::uint64_t>, support::LineCounting<std::uint64_t>,
                                            CuckooFilter<std::uint64_t>>>;

// Throws at one key, or at none.
struct Throwing {
  static constexpr unsigned digest_bits = 128;
  Digest operator()(std::uint64_t word) const {
    if (word == 100) throw std::runtime_error("no hash for this key");
    return perhaps::mix_word(word, 0);
  }
};

template <class F>
F filter_for_a_thousand() {
  if constexpr (support::is_cuckoo<F>) {
    return F({.keys = 1000});
  } else {
    return F({.keys = 1000, .fpr = 0.05});
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("batches of any length are their keys one by one", "", support::AllFilters) {  // BUGS N01
  using F = TestType;
  for (const std::uint64_t length : {0U, 1U, 2U, 63U, 64U, 65U, 127U, 128U, 129U, 1000U}) {
    auto single = support::make_filter<F>(1000, 0.05);
    auto batch = single;
    const auto keys = keys_from<F>(0, length);
    for (const auto& key : keys) REQUIRE(add(single, key));
    insert_all(batch, keys);
    INFO(length << " keys");
    CHECK(batch == single);
    const auto asked = keys_from<F>(0, length + 300);
    CHECK(answers_of(batch, asked) == one_by_one(single, asked));
    // In two batches, after others.
    auto twice = single;
    twice.clear();
    insert_all(twice, std::span(keys).first(keys.size() / 3));
    insert_all(twice, std::span(keys).subspan(keys.size() / 3));
    CHECK(twice == single);
  }
}

TEMPLATE_LIST_TEST_CASE("any range will do: array, list, view, stream, rvalue", "", RangedFilters) {
  using F = TestType;
  using Key = typename F::key_type;
  const auto keys = keys_from<F>(0, 200);
  auto single = support::make_filter<F>(1000, 0.05);
  const F fresh = single;
  for (const Key& key : keys) REQUIRE(add(single, key));
  const auto expected = one_by_one(single, keys_from<F>(0, 300));

  const auto check = [&](auto&& range, auto&& asked) {
    F batch = fresh;
    insert_all(batch, range);
    CHECK(batch == single);
    CHECK(answers_of(batch, asked) == expected);
  };
  const auto asked = keys_from<F>(0, 300);
  check(std::list<Key>(keys.begin(), keys.end()), std::list<Key>(asked.begin(), asked.end()));
  check(std::span(keys), std::span(asked));
  check(keys_from<F>(0, 200), keys_from<F>(0, 300));
#if !defined(__clang__) || __clang_major__ >= 16  // before, Clang can't read the standard library's views
  const auto made = [](std::uint64_t i) { return key_for<F>(i); };
  check(std::views::iota(std::uint64_t{0}, std::uint64_t{200}) | std::views::transform(made),
        std::views::iota(std::uint64_t{0}, std::uint64_t{300}) | std::views::transform(made));
  check(keys | std::views::all, asked | std::views::filter([](const Key&) { return true; }));
#endif
  Key array[200];
  std::ranges::copy(keys, std::begin(array));
  check(array, asked);

  // A stream is read once: each key is used once, and in order.
  std::stringstream text;
  for (const Key& key : keys) text << key << ' ';
  F streamed = fresh;
  insert_all(streamed, Streamed<Key>{text});
  CHECK(streamed == single);
  std::stringstream questions;
  for (const Key& key : asked) questions << key << ' ';
  CHECK(answers_of(streamed, Streamed<Key>{questions}) == expected);
}

TEMPLATE_LIST_TEST_CASE("digests made before are as good as keys", "", support::AllFilters) {
  using F = TestType;
  auto single = support::make_filter<F>(1000, 0.05, 3);
  auto batch = single;
  const auto digests = digests_of(single, 0, 500);
  for (std::uint64_t i = 0; i < 500; ++i) REQUIRE(add(single, key_for<F>(i)));
  insert_all(batch, digests);
  CHECK(batch == single);
  CHECK(answers_of(batch, digests_of(batch, 0, 900)) == one_by_one(single, keys_from<F>(0, 900)));
}

TEMPLATE_LIST_TEST_CASE("answers go to any output, or to a function in order", "", support::AllFilters) {
  using F = TestType;
  auto filter = support::make_filter<F>(200, 0.2);
  insert_all(filter, keys_from<F>(0, 100));
  for (const std::uint64_t length : {0U, 1U, 64U, 65U, 250U}) {
    const auto asked = keys_from<F>(50, 50 + length);
    const auto expected = one_by_one(filter, asked);

    std::vector<bool> bits(asked.size());
    CHECK(filter.may_contain_range(asked, bits.begin()) == bits.end());
    CHECK(bits == expected);
    const auto raw = std::make_unique<bool[]>(asked.size() + 1);
    raw[asked.size()] = true;
    CHECK(filter.may_contain_range(asked, raw.get()) == raw.get() + asked.size());
    CHECK(std::equal(expected.begin(), expected.end(), raw.get()));
    CHECK(raw[asked.size()]);
    std::vector<int> numbers;
    filter.may_contain_range(asked, std::back_inserter(numbers));
    CHECK(std::equal(expected.begin(), expected.end(), numbers.begin(), numbers.end()));
    std::vector<std::size_t> indices;
    std::vector<bool> answers;
    filter.may_contain_range(asked, [&](std::size_t i, bool answer) {
      indices.push_back(i);
      answers.push_back(answer);
    });
    CHECK(answers == expected);
    REQUIRE(indices.size() == asked.size());
    for (std::size_t i = 0; i < indices.size(); ++i) CHECK(indices[i] == i);
  }
}

TEMPLATE_LIST_TEST_CASE("texts in every spelling", "", support::TextFilters) {
  auto single = support::make_filter<TestType>(100, 0.01);
  for (const char* key : {"owl", "fox", "a longer text than fits into a small string"}) REQUIRE(add(single, key));
  const auto check = [&](const auto& keys) {
    auto batch = support::make_filter<TestType>(100, 0.01);
    insert_all(batch, keys);
    CHECK(batch == single);
    CHECK(answers_of(batch, keys) == std::vector<bool>(3, true));
  };
  check(std::vector<std::string>{"owl", "fox", "a longer text than fits into a small string"});
  check(std::vector<std::string_view>{"owl", "fox", "a longer text than fits into a small string"});
  check(std::vector<const char*>{"owl", "fox", "a longer text than fits into a small string"});
  check(std::initializer_list<std::string_view>{"owl", "fox", "a longer text than fits into a small string"});
}

TEST_CASE("integers of every width") {
  BloomFilter<std::uint64_t> single({.keys = 1000, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 200; ++i) single.insert(i);
  const auto check = [&](auto zero) {
    BloomFilter<std::uint64_t> batch({.keys = 1000, .fpr = 0.01});
    std::vector<decltype(zero)> keys(200);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<decltype(zero)>(i);
    batch.insert_range(keys);
    CHECK(batch == single);
  };
  check(std::uint8_t{0});
  check(short{0});
  check(0);
  check(0ULL);
}

TEMPLATE_LIST_TEST_CASE("filters larger than near memory", "", LargeFilters) {  // BUGS N01
  using F = TestType;
  for (const std::uint64_t keys : {3'000'000U}) {
    for (const double fpr : {0.3, 0.01}) {
      auto single = support::make_filter<F>(keys, fpr);
      auto batch = single;
      if (single.bytes() <= perhaps::detail::l2_bytes) continue;
      const std::uint64_t inserted = keys / support::repetitions(3U, 12U);
      std::vector<std::uint64_t> all(2 * inserted);
      for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = key_for<F>(i);
      const auto in = std::span(all).first(inserted);
      for (const std::uint64_t key : in) static_cast<void>(add(single, key));
      insert_all(batch, in);
      CHECK(batch == single);
      // Keys and absent keys mixed, so that rounds keep some of each tile.
      for (std::size_t i = 0; i + 1 < all.size() / 2; i += 2) std::swap(all[i], all[all.size() - 1 - i]);
      std::uint64_t wrong = 0;
      std::size_t next = 0;
      batch.may_contain_range(all, [&](std::size_t i, bool answer) {
        wrong += i != next++ || answer != single.may_contain(all[i]) ? 1U : 0U;
      });
      CHECK(wrong == 0);
      CHECK(next == all.size());
    }
  }
}

TEMPLATE_LIST_TEST_CASE("large filters of every k", "", LargeFilters) {
  using F = TestType;
  if constexpr (!support::is_cuckoo<F>) {
    for (unsigned k = 1; k <= perhaps::max_hashes; ++k) {
      if (!F::layout::takes_hashes(k)) continue;
      // Rounds and groups of probes end at multiples of four and eight.
      if (!support::full_suite && k > 17 && k % 8 > 1 && k != 63) continue;
      const auto make = [&] {
        if constexpr (requires { F::counter_bits; }) {
          return F(perhaps::CountingParameters{.counters = far_bits / F::counter_bits + 512, .hashes = k});
        } else {
          return F(perhaps::BloomParameters{.bits = far_bits + 512, .hashes = k});
        }
      };
      auto single = make();
      auto batch = single;
      REQUIRE(single.bytes() > perhaps::detail::l2_bytes);
      const auto keys = keys_from<F>(0, 3000);
      for (const auto key : keys) single.insert(key);
      batch.insert_range(keys);
      INFO("k = " << k);
      CHECK(batch == single);
      const auto asked = keys_from<F>(2000, 5000);
      CHECK(answers_of(batch, asked) == one_by_one(single, asked));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every position of a tile is its own, in batches of every length up to two tiles and a key", "",
                        TiledFilters) {
  using F = TestType;
  const auto near_and_far = [] {
    // Near memory and far memory go separate ways.
    std::vector<F> filters{support::make_filter<F>(600, 0.001)};
    if constexpr (requires { F::counter_bits; }) {
      filters.push_back(F(perhaps::CountingParameters{.counters = far_bits / F::counter_bits + 512, .hashes = 7}));
    } else if constexpr (support::is_cuckoo<F>) {
      filters.push_back(F({.keys = 2'500'000}));
    } else {
      filters.push_back(F(perhaps::BloomParameters{.bits = far_bits + 512, .hashes = 8}));
    }
    REQUIRE(filters.back().bytes() > perhaps::detail::l2_bytes);
    return filters;
  };
  for (F& single : near_and_far()) {
    F batch = single;
    std::uint64_t next = 0;
    for (std::uint64_t length = 0; length <= 33; ++length) {
      auto keys = keys_from<F>(next, next + length);
      next += length;
      for (const auto& key : keys) REQUIRE(add(single, key));
      insert_all(batch, keys);
      // One key that is in, at each position among absent keys; and one absent key at each position among keys.
      auto absent = keys_from<F>(100'000, 100'000 + length);
      INFO(length << " keys, " << batch.bytes() << " bytes");
      for (std::size_t position = 0; position < keys.size(); ++position) {
        std::swap(keys[position], absent[position]);
        REQUIRE(answers_of(batch, absent) == one_by_one(single, absent));
        REQUIRE(answers_of(batch, keys) == one_by_one(single, keys));
        std::swap(keys[position], absent[position]);
      }
    }
    REQUIRE(batch == single);
  }
}

TEST_CASE("a batch that falls into one block") {  // BUGS N01
  std::vector<Digest> digests;
  for (std::uint64_t i = 0; i < 5000; ++i) digests.push_back({42, support::scramble(i)});
  const auto check = [&]<class F>(F single) {
    F batch = single;
    if constexpr (support::is_cuckoo<F>) {
      std::uint64_t accepted = 0;
      while (accepted < digests.size() && single.insert(digests[accepted])) ++accepted;
      CHECK(accepted < digests.size());
      CHECK(batch.insert_range(digests) == accepted);
      CHECK(batch == single);
    } else {
      for (const Digest digest : digests) single.insert(digest);
      batch.insert_range(digests);
      CHECK(batch == single);
      CHECK(answers_of(batch, digests) == std::vector<bool>(5000, true));
    }
  };
  check(Laid<int, perhaps::Blocked<512>>({.keys = 5000, .fpr = 0.01}));
  check(Laid<int, perhaps::SplitBlock<64, 8>>({.keys = 5000, .fpr = 0.01}));
  check(Laid<int, perhaps::SplitBlock<32, 8>>({.keys = 5000, .fpr = 0.01}));
  check(BloomFilter<int>({.keys = 5000, .fpr = 0.01}));
  check(support::BlockedCounting<int, 128>({.keys = 5000, .fpr = 0.01}));
  check(CuckooFilter<int, 31, 4>({.keys = 5000}));
}

TEST_CASE("a cuckoo batch stops at the first refusal: the first r keys are in, no other") {
  using F = CuckooFilter<std::uint64_t, 16>;
  for (const std::uint64_t buckets : {1U, 2U, 16U, 17U, 400U}) {
    const perhaps::CuckooParameters parameters{.buckets = buckets};
    F single(parameters);
    F batch(parameters);
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 8 * buckets + 100; ++i) keys.push_back(key_for<F>(i));
    std::uint64_t accepted = 0;
    while (accepted < keys.size() && single.insert(keys[accepted])) ++accepted;
    REQUIRE(accepted < keys.size());
    INFO(buckets << " buckets");
    CHECK(batch.insert_range(keys) == accepted);
    CHECK(batch == single);
    CHECK(batch.size() == accepted);
    CHECK(answers_of(batch, std::span(keys).first(accepted)) == std::vector<bool>(accepted, true));
    // Again: it may refuse at once, and has not changed then.
    const F full = batch;
    if (batch.insert_range(std::span(keys).subspan(accepted, 1)) == 0) CHECK(batch == full);
  }
  F empty({.buckets = 3});
  CHECK(empty.insert_range(std::vector<std::uint64_t>()) == 0);
  const F taken = std::move(empty);
  // NOLINTNEXTLINE(bugprone-use-after-move): the documented state
  CHECK(empty.insert_range(std::vector<std::uint64_t>{1, 2}) == 0);
}

TEMPLATE_TEST_CASE("a hash that throws leaves the filter usable", "", (BloomFilter<std::uint64_t, Throwing>),
                   (BloomFilter<std::uint64_t, Throwing, perhaps::SplitBlock<64, 8>>),
                   (BloomFilter<std::uint64_t, Throwing, perhaps::Blocked<512>>),
                   (CountingBloomFilter<std::uint64_t, 4, Throwing>), (CuckooFilter<std::uint64_t, 12, 4, Throwing>)) {
  using F = TestType;
  F filter = filter_for_a_thousand<F>();
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 150; ++i) keys.push_back(i);
  CHECK_THROWS_AS(insert_all(filter, keys), std::runtime_error);
  // The keys before it are in, up to 31 at the end excepted.
  F most = filter_for_a_thousand<F>();
  std::size_t taken = 0;
  while (taken < 100 && filter != most) REQUIRE(add(most, keys[taken++]));
  CHECK(filter == most);
  CHECK(taken >= 100 - 31);

  std::size_t answered = 0;
  CHECK_THROWS_AS(filter.may_contain_range(keys, [&](std::size_t, bool answer) { answered += answer ? 1U : 0U; }),
                  std::runtime_error);
  CHECK(answered == taken);
  CHECK(filter == most);
  insert_all(filter, std::span(keys).subspan(101));
  for (std::uint64_t i = 101; i < 150; ++i) CHECK(filter.may_contain(i));
}

TEST_CASE("an answer that throws stops the batch and changes nothing") {
  BloomFilter<std::uint64_t> filter({.keys = 100, .fpr = 0.01});
  const auto keys = keys_from<BloomFilter<std::uint64_t>>(0, 100);
  filter.insert_range(keys);
  const auto copy = filter;
  const auto stop = [](std::size_t i, bool) {
    if (i == 70) throw std::runtime_error("enough");
  };
  CHECK_THROWS_AS(filter.may_contain_range(keys, stop), std::runtime_error);
  CHECK(filter == copy);
}
