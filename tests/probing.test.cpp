// SPDX-License-Identifier: BSL-1.0
//
// Probe sequences and fast range: the sequences are what their definitions say, positions are in range, even and
// complete for every size, and no step collapses them.
#include <perhaps/layout/classic.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::Classic;
using perhaps::Digest;
using perhaps::DoubleHashing;
using perhaps::EnhancedDoubleHashing;
using perhaps::fast_range;
using perhaps::RotatingDoubleHashing;

using Sequences = std::tuple<DoubleHashing, EnhancedDoubleHashing, RotatingDoubleHashing>;
using RobustSequences = std::tuple<EnhancedDoubleHashing, RotatingDoubleHashing>;

constexpr std::uint64_t all = ~std::uint64_t{0};

std::vector<Digest> some_digests() {
  std::vector<Digest> digests{{0, 1}, {1, all}, {all, all}, {0x8000000000000000U, 0x8000000000000000U}};
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) digests.push_back({random(), random()});
  return digests;
}

// Where the k probes of `digest` land among m positions.
template <class Probes>
std::vector<std::uint64_t> positions_of(Digest digest, std::uint64_t m, unsigned k) {
  Probes probes(digest);
  std::vector<std::uint64_t> positions;
  for (unsigned i = 0; i < k; ++i) positions.push_back(fast_range(probes.next(), m));
  return positions;
}

template <class Probes>
std::size_t distinct_positions(Digest digest, std::uint64_t m, unsigned k) {
  const auto positions = positions_of<Probes>(digest, m, k);
  return std::set<std::uint64_t>(positions.begin(), positions.end()).size();
}

// A digest whose first probe is `probe`.
template <class Probes>
Digest starting_at(std::uint64_t probe) {
  return {probe - Probes(Digest{0, 1}).next(), 1};
}

// The least probe that lands on `position` of m.
std::uint64_t first_probe_of(std::uint64_t position, std::uint64_t m) {
  std::uint64_t low = 0;
  std::uint64_t high = all;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (fast_range(middle, m) >= position) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

static_assert(fast_range(0, 1000) == 0 && fast_range(all, 1000) == 999 && fast_range(all, 1) == 0);
static_assert(fast_range(std::uint64_t{1} << 63U, 1001) == 500);
static_assert(perhaps::ProbeSequence<DoubleHashing> && perhaps::ProbeSequence<EnhancedDoubleHashing> &&
              perhaps::ProbeSequence<RotatingDoubleHashing>);

}  // namespace

TEST_CASE("DoubleHashing: probe i is g + i*h") {
  for (const Digest digest : some_digests()) {
    DoubleHashing probes(digest);
    for (std::uint64_t i = 0; i < 32; ++i) REQUIRE(probes.next() == digest.g + i * digest.h);
  }
}

TEST_CASE("EnhancedDoubleHashing: probe i is g + i*h + C*(i^3 - i)/6") {
  for (const Digest digest : some_digests()) {
    EnhancedDoubleHashing probes(digest);
    for (std::uint64_t i = 0; i < 32; ++i) {
      const std::uint64_t cubic = (i * i * i - i) / 6;
      REQUIRE(probes.next() == digest.g + i * digest.h + cubic * 0x9E3779B97F4A7C15U);
    }
  }
}

TEST_CASE("RotatingDoubleHashing: probe i is g + rotl(h ^ whitening, 23*i)") {
  for (const Digest digest : some_digests()) {
    RotatingDoubleHashing probes(digest);
    for (int i = 0; i < 64; ++i) {
      REQUIRE(probes.next() == digest.g + std::rotl(digest.h ^ 0x9E3779B97F4A7C15U, 23 * i % 64));
    }
  }
}

// Red here: every stored filter is unreadable.
TEST_CASE("golden probes") {
  const Digest digest{0x0123456789ABCDEFU, 0x0F1E2D3C4B5A6978U};
  CHECK(positions_of<DoubleHashing>(digest, 1000, 7) == std::vector<std::uint64_t>{4, 63, 122, 181, 240, 299, 358});
  CHECK(positions_of<EnhancedDoubleHashing>(digest, 1000, 7) ==
        std::vector<std::uint64_t>{4, 63, 740, 653, 421, 660, 989});
  CHECK(positions_of<RotatingDoubleHashing>(digest, 1000, 7) ==
        std::vector<std::uint64_t>{571, 264, 25, 149, 329, 674, 650});
}

TEMPLATE_LIST_TEST_CASE("every position is below m, also around 2^32 and 2^64", "", Sequences) {  // BUGS F01
  const std::uint64_t two_32 = std::uint64_t{1} << 32U;
  for (const std::uint64_t m : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, two_32 - 1, two_32, two_32 + 1,
                                2 * two_32, 6 * two_32 + 7, std::uint64_t{3} << 29U, std::uint64_t{1} << 63U, all}) {
    std::mt19937_64 random(m);
    std::uint64_t outside = 0;
    std::uint64_t probes = 0;
    std::uint64_t high = 0;
    const auto count = [&](Digest digest) {
      for (const std::uint64_t position : positions_of<TestType>(digest, m, 7)) {
        outside += position < m ? 0U : 1U;
        high += position >= two_32 ? 1U : 0U;
        ++probes;
      }
    };
    for (const std::uint64_t g : {std::uint64_t{0}, std::uint64_t{1}, all}) {
      for (const std::uint64_t h : {std::uint64_t{0}, std::uint64_t{1}, all}) count({g, h});
    }
    for (int i = 0; i < 100'000; ++i) count({random(), random()});
    INFO("m = " << m);
    CHECK(outside == 0);
    const double share = m <= two_32 ? 0 : 1 - static_cast<double>(two_32) / static_cast<double>(m);
    CHECK(std::abs(static_cast<double>(high) / static_cast<double>(probes) - share) < 0.005);
    if (m == 2 * two_32) {
      CHECK(high > probes * 49 / 100);
      CHECK(high < probes * 51 / 100);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("each probe by itself is spread evenly over more than 2^32 positions", "",
                        Sequences) {  // BUGS F02
  constexpr unsigned k = 16;
  constexpr int keys = 200'000;
  for (const std::uint64_t m : {(std::uint64_t{3} << 33U) + 7, std::uint64_t{3} << 29U}) {
    std::array<std::array<int, 256>, k> ranges{};
    std::array<int, k> high{};
    std::mt19937_64 random(2);
    for (int key = 0; key < keys; ++key) {
      const auto positions = positions_of<TestType>({random(), random()}, m, k);
      for (unsigned i = 0; i < k; ++i) {
        ++ranges[i][static_cast<std::size_t>(positions[i] * 256 / m)];
        high[i] += positions[i] >> 32U != 0 ? 1 : 0;
      }
    }
    for (unsigned i = 0; i < k; ++i) {
      INFO("m = " << m << ", probe " << i);
      const double expected = keys / 256.0;
      double chi_squared = 0;
      for (const int count : ranges[i]) chi_squared += (count - expected) * (count - expected) / expected;
      CHECK(chi_squared < 400);  // 255 expected, standard deviation 22.6
      const double share = m >> 33U != 0 ? 5.0 / 6 : 0;
      CHECK(std::abs(static_cast<double>(high[i]) / keys - share) < 0.005);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a step of zero does not put all probes on one place", "", Sequences) {  // BUGS F04
  for (const std::uint64_t m : {std::uint64_t{2}, std::uint64_t{1000}, std::uint64_t{1024}, std::uint64_t{1} << 40U}) {
    for (const std::uint64_t g : {std::uint64_t{0}, std::uint64_t{1}, all, all / 2, all / 3}) {
      INFO("m = " << m << ", g = " << g);
      // Seven random probes on two positions meet on one in 64 cases; 64 of them do not.
      CHECK(distinct_positions<TestType>({g, 0}, m, 64) >= 2);
      if (m >= 1000) CHECK(distinct_positions<TestType>({g, 0}, m, 7) >= 6);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("steps that are bad for a modulus are harmless", "", RobustSequences) {  // BUGS F04
  for (const std::uint64_t m : {std::uint64_t{1000}, std::uint64_t{1024}}) {
    for (const std::uint64_t h : {m / 2, m, 2 * m, std::uint64_t{1} << 63U}) {
      for (const std::uint64_t g : {std::uint64_t{0}, std::uint64_t{1}, all, all / 3}) {
        INFO("m = " << m << ", h = " << h << ", g = " << g);
        CHECK(distinct_positions<TestType>({g, h}, m, 7) >= 2);
      }
    }
  }
}

TEST_CASE("DoubleHashing: the steps that collapse under fast range are the tiny ones, not the multiples of m") {
  // A step h moves on by h*m/2^64 positions: from 2^64/m on, every probe is on another position than the one before,
  // and a step of far less stays where it is. A random h is that small for one key in m/k, as excess_fpr accounts for.
  for (const std::uint64_t m : {std::uint64_t{1000}, std::uint64_t{1024}}) {
    const std::uint64_t enough = all / m + 1;
    const std::uint64_t middle_of_a_position = enough / 2;
    for (const std::uint64_t h : {m / 2, m, 2 * m, std::uint64_t{1}, enough / 16}) {
      INFO("m = " << m << ", h = " << h);
      CHECK(distinct_positions<DoubleHashing>({middle_of_a_position, h}, m, 7) == 1);
    }
    CHECK(distinct_positions<DoubleHashing>({middle_of_a_position, std::uint64_t{1} << 63U}, m, 7) == 2);
    CHECK(distinct_positions<DoubleHashing>({middle_of_a_position, enough}, m, 7) == 7);
    CHECK(distinct_positions<DoubleHashing>({0, enough * 3 + 1}, m, 7) == 7);
  }
}

TEMPLATE_LIST_TEST_CASE("the portable multiplication gives the same positions", "", Sequences) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const Digest digest{random(), random()};
    const std::uint64_t m = (random() >> random() % 64) | 1U;
    TestType probes(digest);
    for (const std::uint64_t position : positions_of<TestType>(digest, m, 5)) {
      if (perhaps::detail::wide_multiply_portable(probes.next(), m).high != position) FAIL("another position");
    }
  }
}

TEMPLATE_LIST_TEST_CASE("each bit of m is reachable, alone, and reads back", "", Sequences) {  // BUGS N02
  for (const std::uint64_t m : {1U, 2U, 63U, 64U, 65U, 127U, 128U, 1000U}) {
    using Layout = Classic<TestType>;
    for (std::uint64_t bit = 0; bit < m; ++bit) {
      perhaps::OwnedWords words(static_cast<std::size_t>(Layout::words_for(m)));
      const Digest digest = starting_at<TestType>(first_probe_of(bit, m));
      INFO("bit " << bit << " of " << m);
      REQUIRE_FALSE(Layout::may_contain(words, m, 1, digest));
      Layout::insert(words, m, 1, digest);
      int set = 0;
      for (const std::uint64_t word : words.words()) set += std::popcount(word);
      REQUIRE(set == 1);
      REQUIRE((words.load(static_cast<std::size_t>(bit / 64)) >> (bit % 64) & 1U) == 1);
      REQUIRE(Layout::may_contain(words, m, 1, digest));
      REQUIRE(Layout::test_and_insert(words, m, 1, digest));
    }
  }
}

TEST_CASE("each bit is hit by 2^64/m probes, to within one") {
  for (const std::uint64_t m : {3U, 7U, 1000U, 1024U, 65537U}) {
    std::uint64_t fewest = all;
    std::uint64_t most = 0;
    for (std::uint64_t position = 0; position + 1 < m; ++position) {
      const std::uint64_t probes = first_probe_of(position + 1, m) - first_probe_of(position, m);
      fewest = std::min(fewest, probes);
      most = std::max(most, probes);
    }
    CHECK(fewest >= all / m);
    CHECK(most <= all / m + 1);
  }
}

TEMPLATE_LIST_TEST_CASE("insert sets exactly the bits of the sequence, for every k", "", Sequences) {
  using Layout = Classic<TestType>;
  std::mt19937_64 random(4);
  for (unsigned k = 1; k <= perhaps::max_hashes; ++k) {
    const std::uint64_t m = 1 + random() % 2000;
    const Digest digest{random(), random()};
    std::set<std::uint64_t> expected;
    for (const std::uint64_t position : positions_of<TestType>(digest, m, k)) expected.insert(position);

    perhaps::OwnedWords words(static_cast<std::size_t>(Layout::words_for(m)));
    perhaps::OwnedWords tested(words);
    Layout::insert(words, m, k, digest);
    CHECK_FALSE(Layout::test_and_insert(tested, m, k, digest));
    INFO("k = " << k << ", m = " << m);
    std::set<std::uint64_t> found;
    for (std::uint64_t bit = 0; bit < m; ++bit) {
      if ((words.load(static_cast<std::size_t>(bit / 64)) >> (bit % 64) & 1U) != 0) found.insert(bit);
    }
    CHECK(found == expected);
    CHECK(words == tested);

    // Every one of them matters to a lookup.
    for (const std::uint64_t missing : expected) {
      perhaps::OwnedWords damaged(words);
      damaged.words()[static_cast<std::size_t>(missing / 64)] &= ~(std::uint64_t{1} << missing % 64);
      REQUIRE_FALSE(Layout::may_contain(damaged, m, k, digest));
    }
    REQUIRE(Layout::may_contain(words, m, k, digest));
  }
}

TEST_CASE("folding: a position of m, divided by d, is the position of m/d") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t d = 1 + (random() >> (33 + random() % 31));
    const std::uint64_t parts = 1 + (random() >> (33 + random() % 31));
    const std::uint64_t x = i % 16 == 0 ? all - random() % 3 : random();
    if (fast_range(x, d * parts) / d != fast_range(x, parts)) {
      FAIL("x = " << x << ", m = " << d * parts << ", d = " << d);
    }
  }
}
