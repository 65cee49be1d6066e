// SPDX-License-Identifier: BSL-1.0
//
// What users write first: targets with a field forgotten or negative, and insertion as other containers spell it.
#include <perhaps/perhaps.hpp>

#include <array>
#include <cstdint>
#include <exception>
#include <iterator>
#include <limits>
#include <list>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::BloomFilter;
using perhaps::ConcurrentBloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::RollingBloomFilter;
using perhaps::ScalableFilter;
using perhaps::SplitBlock;
using perhaps::XxHash3;

template <class F, class Target>
std::string refusal(const Target& target) {
  try {
    F filter(target);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

using Bloom = BloomFilter<std::string>;
using Fast = BloomFilter<std::string, XxHash3, SplitBlock<>>;
using Counting = CountingBloomFilter<std::string>;
using Concurrent = ConcurrentBloomFilter<std::string>;
using Cuckoo = CuckooFilter<std::string>;
using Scalable = ScalableFilter<Fast>;
using ScalableCuckoo = ScalableFilter<CuckooFilter<std::string, 17>>;
using Rolling = RollingBloomFilter<std::string>;

template <class F>
F filter_of(std::uint64_t keys) {
  if constexpr (requires { F::fingerprint_bits; }) return F({.keys = keys});
  else return F({.keys = keys, .fpr = 0.001});
}

}  // namespace

TEST_CASE("a rate that was forgotten is said to be missing") {
  const std::string missing = "perhaps: fpr must be above 0 and below 1, got 0, as if fpr was not given";
  CHECK(refusal<Bloom>(perhaps::BloomTarget{.keys = 10}) == missing);
  CHECK(refusal<Fast>(perhaps::BloomTarget{.keys = 10}) == missing);
  CHECK(refusal<Counting>(perhaps::BloomTarget{.keys = 10}) == missing);
  CHECK(refusal<Concurrent>(perhaps::BloomTarget{.keys = 10}) == missing);
  CHECK(refusal<Scalable>(perhaps::ScalableTarget{.keys = 10}) == missing);
  CHECK(refusal<Rolling>(perhaps::RollingTarget{.keys = 10}) == missing);
  CHECK_FALSE(Bloom::make(perhaps::BloomTarget{.keys = 10}));
  CHECK_FALSE(Rolling::make(perhaps::RollingTarget{.keys = 10}));
}

TEST_CASE("a number of keys that was negative is refused, and shown as it was, at any rate") {
  for (const int keys : {-1, -5, (std::numeric_limits<int>::min)()}) {
    const auto converted = static_cast<std::uint64_t>(keys);
    const std::string shown = std::to_string(converted) + " (" + std::to_string(keys) + " as a signed number)";
    for (const double fpr : {0.01, 0.5, 0.9, 0.999'999'999'999}) {
      CHECK(refusal<Bloom>(perhaps::BloomTarget{.keys = converted, .fpr = fpr}).find(shown) != std::string::npos);
      CHECK(refusal<Fast>(perhaps::BloomTarget{.keys = converted, .fpr = fpr}).find(shown) != std::string::npos);
      CHECK(refusal<Counting>(perhaps::BloomTarget{.keys = converted, .fpr = fpr}).find(shown) != std::string::npos);
      CHECK(refusal<Scalable>(perhaps::ScalableTarget{.keys = converted, .fpr = fpr}).find(shown) != std::string::npos);
      CHECK(refusal<Rolling>(perhaps::RollingTarget{.keys = converted, .fpr = fpr}).find(shown) != std::string::npos);
    }
    CHECK(refusal<Cuckoo>(perhaps::CuckooTarget{.keys = converted}).find(shown) != std::string::npos);
  }
}

TEMPLATE_TEST_CASE("insert(first, last) is insert_range of what is between", "", Bloom, Fast, Counting, Scalable,
                   ScalableCuckoo, Rolling, Cuckoo) {
  std::list<std::string> keys;
  for (int i = 0; i < 300; ++i) keys.push_back("key" + std::to_string(i * 7919));
  auto by_range = filter_of<TestType>(400);
  auto by_iterators = by_range;
  auto by_stream = by_range;
  std::stringstream text;
  for (const auto& key : keys) text << key << '\n';
  std::istream_iterator<std::string> words(text);
  if constexpr (requires { TestType::fingerprint_bits; }) {
    CHECK(by_range.insert_range(keys) == 300);
    CHECK(by_iterators.insert(keys.begin(), keys.end()) == 300);
    CHECK(by_iterators.insert(keys.begin(), keys.begin()) == 0);
    CHECK(by_stream.insert(words, std::istream_iterator<std::string>()) == 300);
  } else {
    by_range.insert_range(keys);
    by_iterators.insert(keys.cbegin(), keys.cend());
    by_iterators.insert(keys.begin(), keys.begin());
    by_stream.insert(words, std::istream_iterator<std::string>());
  }
  CHECK(by_iterators == by_range);
  CHECK(by_stream == by_range);
}

TEMPLATE_TEST_CASE("keys in braces are literals as well", "", Bloom, Fast, Counting, Concurrent, Scalable,
                   ScalableCuckoo, Rolling, Cuckoo, BloomFilter<std::string_view>, CountingBloomFilter<const char*>,
                   CuckooFilter<std::u8string>) {
  auto filter = filter_of<TestType>(100);
  if constexpr (std::is_same_v<TestType, CuckooFilter<std::u8string>>) {
    CHECK(filter.insert_range({u8"owl", u8"fox"}) == 2);
  } else if constexpr (requires { TestType::fingerprint_bits; }) {
    CHECK(filter.insert_range({"owl", "fox"}) == 2);
  } else {
    filter.insert_range({"owl", "fox"});
  }
  CHECK((filter.may_contain("owl") && filter.may_contain("fox") && !filter.may_contain("hen")));
}

TEST_CASE("pointers and sentinels are iterators, and digests are keys") {
  const std::array<std::uint64_t, 4> keys{2, 3, 5, 7};
  BloomFilter<std::uint64_t> filter({.keys = 10, .fpr = 0.001});
  filter.insert(keys.data(), keys.data() + 2);
  std::vector<perhaps::Digest> digests{filter.digest(5), filter.digest(7)};
  filter.insert(std::counted_iterator(digests.begin(), 2), std::default_sentinel);
  auto expected = BloomFilter<std::uint64_t>({.keys = 10, .fpr = 0.001});
  expected.insert_range(keys);
  CHECK(filter == expected);
}

TEMPLATE_TEST_CASE("insert_if_absent answers the opposite of test_and_insert, and inserts alike", "", Bloom, Fast,
                   Concurrent, Scalable, Rolling) {
  auto filter = filter_of<TestType>(50);  // overfull, so that false positives occur
  auto other = filter_of<TestType>(50);
  int found = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string key = std::to_string(i % 3000);
    const bool is_new = filter.insert_if_absent(key);
    REQUIRE(is_new == !other.test_and_insert(key));
    REQUIRE((filter.may_contain(key) && !filter.insert_if_absent(key)));
    found += is_new ? 0 : 1;
  }
  CHECK(found > 0);
  CHECK(found < 4000);
  CHECK(filter.insert_if_absent(filter.digest("a key that is not in")) ==
        !other.test_and_insert("a key that is not in"));
  CHECK(filter == other);
}
