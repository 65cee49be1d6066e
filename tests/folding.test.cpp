// SPDX-License-Identifier: BSL-1.0
//
// Folding: the filter of m/d bits, exactly, for every layout; the widest fold within a rate; refused where d does not
// divide.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/stored.hpp"

namespace {

using Bloom = perhaps::BloomFilter<std::uint64_t>;

template <class F>
F filled(std::uint64_t bits, unsigned hashes, std::uint64_t keys, std::uint64_t seed = 0) {
  typename F::hasher hash(seed);
  F filter({.bits = bits, .hashes = hashes}, hash);
  for (std::uint64_t i = 0; i < keys; ++i) filter.insert(support::scramble(i));
  return filter;
}

template <class F>
unsigned some_hashes() {
  return F::layout::takes_hashes(5) ? 5 : 8;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("folding is inserting into the smaller filter", "", support::StoredBlooms) {
  constexpr std::uint64_t block = TestType::layout::block_bits;
  const unsigned k = some_hashes<TestType>();
  for (const std::uint64_t units : {1U, 2U, 7U, 30U, 64U, 96U, 210U, 720U, 1001U, 4096U}) {
    const std::uint64_t m = units * block * (block == 1 ? 60 : 1);
    const std::uint64_t divisible = m / block;
    for (const std::uint64_t keys : {0U, 1U, 20U, 300U}) {
      const auto filter = filled<TestType>(m, k, keys, units);
      for (std::uint64_t d = 1; d <= divisible; ++d) {
        if (divisible % d != 0) continue;
        INFO("m = " << m << ", d = " << d << ", keys = " << keys);
        REQUIRE(filter.folded(d) == filled<TestType>(m / d, k, keys, units));
      }
    }
  }
}

TEST_CASE("every k of split blocks folds") {
  using Split = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<>>;
  for (const unsigned k : {1U, 2U, 3U, 7U, 8U, 16U}) {
    CHECK(filled<Split>(512 * 12, k, 200).folded(3) == filled<Split>(512 * 4, k, 200));
  }
}

TEST_CASE("a d that does not divide is refused, with both numbers") {
  const auto filter = filled<Bloom>(1000, 5, 10);
  const Bloom before = filter;
  CHECK_THROWS_WITH(filter.folded(3), "perhaps: d must divide 1000 bits, got 3");
  CHECK_THROWS_AS(filter.folded(0), std::invalid_argument);
  CHECK_THROWS_AS(filter.folded(2000), std::invalid_argument);
  CHECK_FALSE(filter.try_folded(3));
  CHECK_FALSE(filter.try_folded(0));
  CHECK(filter.try_folded(8) == filled<Bloom>(125, 5, 10));
  CHECK(filter == before);
  using Blocked = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Blocked<>>;
  CHECK_THROWS_WITH(filled<Blocked>(512 * 10, 5, 10).folded(512), "perhaps: d must divide 10 blocks, got 512");
}

TEMPLATE_LIST_TEST_CASE("fold_to goes as far as the rate allows", "", support::StoredBlooms) {
  constexpr std::uint64_t block = TestType::layout::block_bits;
  const unsigned k = some_hashes<TestType>();
  for (const std::uint64_t units : {360U, 512U, 1001U, 997U}) {
    const std::uint64_t m = units * block * (block == 1 ? 64 : 1);
    const auto filter = filled<TestType>(m, k, 150);
    for (const double target : {0.5, 0.1, 0.01, 1e-4}) {
      if (filter.current_fpr() > target) {
        CHECK_THROWS_AS(filter.fold_to(target), std::invalid_argument);
        CHECK_FALSE(filter.try_fold_to(target));
        continue;
      }
      std::uint64_t widest = 1;
      for (std::uint64_t d = 1; d <= m / block; ++d) {
        if (m / block % d == 0 && filter.folded(d).current_fpr() <= target) widest = d;
      }
      INFO("m = " << m << ", target = " << target << ", widest = " << widest);
      CHECK(filter.fold_to(target) == filter.folded(widest));
      CHECK(filter.try_fold_to(target) == filter.folded(widest));
    }
  }
}

TEST_CASE("fold_to at the edges") {
  CHECK(filled<Bloom>(1024, 5, 0).fold_to(0.01).bits() == 1);
  const auto filter = filled<Bloom>(1024, 5, 500);
  for (const double wrong : {0.0, 1.0, -1.0, 2.0}) CHECK_THROWS_AS(filter.fold_to(wrong), std::invalid_argument);
  CHECK_THROWS_AS(filter.fold_to(std::stod("nan")), std::invalid_argument);
  CHECK_FALSE(filter.try_fold_to(1));
}

TEST_CASE("views fold") {
  const auto filter = filled<Bloom>(960, 5, 40);
  support::AlignedBytes bytes(perhaps::to_bytes(filter));
  CHECK(perhaps::view_bytes<Bloom>(bytes.span()).folded(6) == filter.folded(6));
}
