// SPDX-License-Identifier: BSL-1.0
//
// One digest, asked of many filters at once, has the answers of single calls.
#include <perhaps/perhaps.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/filters.hpp"

namespace {

// Filter i has the keys from 100 i on: the first is empty, and sizes differ, some beyond the caches.
template <class F>
std::vector<F> store(std::size_t count, std::uint64_t seed) {
  std::vector<F> filters;
  for (std::size_t i = 0; i < count; ++i) {
    filters.push_back(support::make_filter<F>(i % 20 == 7 ? 3'000'000 : 10 + i, 0.05, seed));
    if (i % 20 == 7) REQUIRE(filters.back().bytes() > perhaps::detail::l2_bytes);
    for (std::uint64_t key = 0; key < i; ++key) {
      if constexpr (support::is_cuckoo<F>) static_cast<void>(filters.back().insert(100 * i + key));
      else filters.back().insert(100 * i + key);
    }
  }
  return filters;
}

static_assert(
    std::same_as<perhaps::FastBloomFilter<int>, perhaps::BloomFilter<int, perhaps::XxHash3, perhaps::SplitBlock<>>>);
static_assert(std::same_as<perhaps::FastCountingBloomFilter<int>, support::LineCounting<int>>);

}  // namespace

TEMPLATE_TEST_CASE("which_may_contain and any_may_contain answer as each filter does", "",
                   perhaps::BloomFilter<std::uint64_t>, (support::LaidOut<std::uint64_t, perhaps::SplitBlock<>>),
                   (support::LaidOut<std::uint64_t, perhaps::Blocked<128>>), support::LineCounting<std::uint64_t>,
                   perhaps::CountingBloomFilter<std::uint64_t>, perhaps::CuckooFilter<std::uint64_t>,
                   perhaps::RollingBloomFilter<std::uint64_t>,
                   perhaps::ScalableFilter<perhaps::BloomFilter<std::uint64_t>>) {
  for (const std::size_t count : std::vector<std::size_t>{0, 1, 16, 17, 64, 65, 80}) {
    auto filters = store<TestType>(count, 0);
    if (count == 17) static_cast<void>(TestType(std::move(filters[3])));  // moved from: it says "perhaps" to everything
    std::vector<const TestType*> pointers;
    std::vector<std::reference_wrapper<const TestType>> references;
    for (const TestType& filter : filters) {
      pointers.push_back(&filter);
      references.emplace_back(filter);
    }
    for (std::uint64_t key = 0; key < 100 * count + 100; key += 7) {
      const auto digest = perhaps::digest<std::uint64_t>(key);
      std::vector<std::uint64_t> expected((count + 63) / 64);
      bool any = false;
      for (std::size_t i = 0; i < count; ++i) {
        const bool perhaps = filters[i].may_contain(digest);
        expected[i / 64] |= std::uint64_t{perhaps} << (i % 64);
        any = any || perhaps;
      }
      std::vector<std::uint64_t> words(expected.size());
      REQUIRE(perhaps::which_may_contain(filters, digest, words.begin()) == words.end());
      REQUIRE(words == expected);
      std::vector<std::uint64_t> by_pointer;
      perhaps::which_may_contain(pointers, digest, std::back_inserter(by_pointer));
      REQUIRE(by_pointer == expected);
      REQUIRE(perhaps::any_may_contain(references, digest) == any);
    }
  }
}

TEST_CASE("a free digest is that of filters with an equal policy") {
  const perhaps::BloomFilter<std::string> plain({.keys = 10, .fpr = 0.1});
  CHECK(perhaps::digest<std::string>("owl") == plain.digest("owl"));
  const perhaps::XxHash3_128 wide(7);
  const perhaps::BloomFilter<int, perhaps::XxHash3_128> seeded({.keys = 10, .fpr = 0.1}, wide);
  CHECK(perhaps::digest<int>(-5, wide) == seeded.digest(-5));
  CHECK(perhaps::digest<int, perhaps::XxHash3_128>(-5) != seeded.digest(-5));
  CHECK(perhaps::digest<std::pair<int, int>>({1, 2}) == perhaps::digest<std::pair<int, int>>(std::pair(1, 2)));
  CHECK_THROWS_AS(perhaps::digest<std::uint8_t>(300), std::invalid_argument);
}

TEST_CASE("filters may be owned by pointers") {
  std::vector<std::unique_ptr<perhaps::BloomFilter<std::string>>> levels;
  for (int i = 0; i < 3; ++i) {
    levels.push_back(
        std::make_unique<perhaps::BloomFilter<std::string>>(perhaps::BloomTarget{.keys = 10, .fpr = 1e-6}));
  }
  levels[1]->insert("owl");
  std::uint64_t mask = 0;
  perhaps::which_may_contain(levels, perhaps::digest<std::string>("owl"), &mask);
  CHECK(mask == 2);
  CHECK_FALSE(perhaps::any_may_contain(levels, perhaps::digest<std::string>("fox")));
}
