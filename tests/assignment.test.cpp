// SPDX-License-Identifier: BSL-1.0
//
// Copies, moves, assignments and swaps carry over every member: of any two filters that differ in their hash policy,
// their size, their number of hashes or their keys, each takes the position of the other as a whole, and goes on as the
// other would.
#include <perhaps/perhaps.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::BloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::Digest;
using perhaps::XxHash3;

// A policy with two members.
struct Keyed {
  static constexpr unsigned digest_bits = 128;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  Keyed() = default;
  explicit Keyed(std::uint64_t seed) : first(seed / 2), second(seed % 2) {}
  Digest operator()(std::uint64_t word) const { return perhaps::mix_word(word ^ (second << 63U), first); }
  friend bool operator==(const Keyed&, const Keyed&) = default;
};

// Empty filters, each of which differs from the first in one thing or two.
template <class F>
std::vector<F> shapes() {
  using Hash = typename F::hasher;
  std::vector<F> made;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    if constexpr (support::is_cuckoo<F>) {
      made.push_back(F({.buckets = 16}, Hash(seed)));
      if (seed == 1) made.push_back(F({.buckets = 17}, Hash(seed)));
    } else if constexpr (requires { F::counter_bits; }) {
      made.push_back(F({.counters = 512, .hashes = 5}, Hash(seed)));
      if (seed == 1) made.push_back(F({.counters = 512, .hashes = 6}, Hash(seed)));
      if (seed == 1) made.push_back(F({.counters = 1024, .hashes = 5}, Hash(seed)));
    } else {
      made.push_back(F({.bits = 1024, .hashes = 5}, Hash(seed)));
      if (seed == 1) made.push_back(F({.bits = 1024, .hashes = 6}, Hash(seed)));
      if (seed == 1) made.push_back(F({.bits = 2048, .hashes = 5}, Hash(seed)));
    }
  }
  // Not as many bits as the first, in as many words.
  if constexpr (requires { requires F::layout::block_bits == 1; }) {
    if constexpr (requires { F::counter_bits; }) {
      made.push_back(F({.counters = 511, .hashes = 5}));
    } else {
      made.push_back(F({.bits = 1023, .hashes = 5}));
    }
  }
  return made;
}

// All shapes, empty and with two sets of keys.
template <class F>
std::vector<F> varied() {
  std::vector<F> made;
  for (const F& shape : shapes<F>()) {
    made.push_back(shape);
    for (const std::uint64_t first : {0U, 1000U}) {
      F filled = shape;
      for (std::uint64_t i = first; i < first + 20; ++i) static_cast<void>(support::add(filled, i));
      made.push_back(filled);
    }
  }
  return made;
}

// What tells filters apart: all that they say of themselves, and all that they go on to do.
template <class F>
std::vector<std::uint64_t> conduct(F filter) {
  std::vector<std::uint64_t> seen;
  const auto look = [&] {
    seen.push_back(filter.bytes());
    if constexpr (support::is_cuckoo<F>) {
      seen.push_back(filter.buckets());
      seen.push_back(filter.size());
      for (const std::byte byte : filter.packed()) seen.push_back(std::to_integer<std::uint64_t>(byte));
    } else {
      seen.push_back(filter.hashes());
      for (const std::uint64_t word : filter.words()) seen.push_back(word);
      if constexpr (requires { F::counter_bits; }) seen.push_back(filter.counters());
      else seen.push_back(filter.bits());
    }
    for (const std::uint64_t key : {1U, 2U, 1001U}) {
      const Digest digest = filter.digest(key);
      seen.push_back(digest.g);
      seen.push_back(digest.h);
    }
    std::uint64_t found = 0;
    for (std::uint64_t i = 0; i < 60; ++i) found = found * 31 + (filter.may_contain(17 * i) ? 1U : 0U);
    seen.push_back(found);
  };
  look();
  for (std::uint64_t i = 500; i < 510; ++i) seen.push_back(support::add(filter, i) ? 1U : 0U);
  if constexpr (requires { filter.erase(std::uint64_t{}); }) {
    for (std::uint64_t i = 500; i < 505; ++i) seen.push_back(filter.erase(i) ? 1U : 0U);
  }
  look();
  filter.clear();
  look();
  return seen;
}

using Filters = std::tuple<BloomFilter<std::uint64_t>, BloomFilter<std::uint64_t, Keyed, perhaps::SplitBlock<64, 8>>,
                           CountingBloomFilter<std::uint64_t, 4, Keyed>, CountingBloomFilter<std::uint64_t, 16>,
                           CuckooFilter<std::uint64_t>, CuckooFilter<std::uint64_t, 17, 2, Keyed>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("each filter takes the position of any other as a whole", "", Filters) {
  using F = TestType;
  const std::vector<F> filters = varied<F>();
  std::vector<std::vector<std::uint64_t>> expected;
  for (const F& filter : filters) expected.push_back(conduct(filter));
  for (std::size_t i = 0; i < filters.size(); ++i) {
    for (std::size_t j = 0; j < filters.size(); ++j) {
      INFO("filter " << j << " in the position of " << i);
      REQUIRE((filters[i] == filters[j]) == (i == j));

      F copied = filters[i];
      copied = filters[j];
      REQUIRE(conduct(copied) == expected[j]);
      REQUIRE(copied == filters[j]);

      F source = filters[j];
      F moved = filters[i];
      moved = std::move(source);
      REQUIRE(conduct(moved) == expected[j]);
      // NOLINTNEXTLINE(bugprone-use-after-move): a moved-from filter takes any other's position
      source = filters[i];
      REQUIRE(conduct(source) == expected[i]);
      REQUIRE(conduct(F(std::move(source))) == expected[i]);

      F left = filters[i];
      F right = filters[j];
      swap(left, right);
      REQUIRE(conduct(left) == expected[j]);
      REQUIRE(conduct(right) == expected[i]);
    }
  }
}

TEST_CASE("each view takes the position of any other as a whole") {
  using F = BloomFilter<std::uint64_t>;
  std::vector<support::AlignedBytes> bytes;
  std::vector<std::uint64_t> expected;
  const auto found = [](const auto& filter) {
    std::uint64_t answers = 0;
    for (std::uint64_t i = 0; i < 60; ++i) answers = answers * 31 + (filter.may_contain(17 * i) ? 1U : 0U);
    return answers * 31 + filter.bits() + filter.hashes() * 7 + filter.digest(std::uint64_t{5}).g;
  };
  for (const F& filter : varied<F>()) {
    bytes.emplace_back(perhaps::to_bytes(filter));
    expected.push_back(found(filter));
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (std::size_t j = 0; j < bytes.size(); ++j) {
      auto view = perhaps::view_bytes<F>(bytes[i].span());
      const auto other = perhaps::view_bytes<F>(bytes[j].span());
      view = other;
      INFO("view " << j << " in the position of " << i);
      REQUIRE(found(view) == expected[j]);
      REQUIRE(found(other) == expected[j]);
    }
  }
}
