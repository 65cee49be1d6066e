// SPDX-License-Identifier: BSL-1.0
//
// What sizing says of counters that stick, against filters in which they do: of every width, in every layout of
// counters, from one key on.
#include <perhaps/counting_bloom_filter.hpp>
#include <perhaps/layout/blocked.hpp>
#include <perhaps/layout/split_block.hpp>
#include <perhaps/sizing/counting.hpp>

#include <cmath>
#include <cstdint>

#include "support/catch.hpp"

namespace {

using perhaps::Blocked;
using perhaps::Classic;
using perhaps::SplitBlock;

template <unsigned Bits, class Layout>
using Counting = perhaps::CountingBloomFilter<std::uint64_t, Bits, perhaps::XxHash3, Layout>;

// Of many filters with so many keys: how many counters stick in each, on average and squared, and in how many any does.
struct Stuck {
  double sum = 0;
  double squares = 0;
  double any = 0;
  double filters = 0;

  double mean() const { return sum / filters; }
  double error() const { return std::sqrt((squares / filters - mean() * mean()) / filters); }
  double share() const { return any / filters; }
  double share_error() const { return std::sqrt(share() * (1 - share()) / filters); }
};

template <unsigned Bits, class Layout>
Stuck count_stuck(std::uint64_t counters, unsigned hashes, std::uint64_t keys, unsigned filters) {
  Stuck stuck;
  std::uint64_t key = 0;
  for (unsigned i = 0; i < filters; ++i) {
    Counting<Bits, Layout> filter({.counters = counters, .hashes = hashes}, perhaps::XxHash3(i));
    for (std::uint64_t j = 0; j < keys; ++j) filter.insert(++key);
    const auto count = static_cast<double>(filter.saturated_counters());
    stuck.sum += count;
    stuck.squares += count * count;
    stuck.any += count > 0 ? 1 : 0;
    ++stuck.filters;
  }
  return stuck;
}

template <unsigned Bits, class Layout>
void check_stuck(std::uint64_t counters, unsigned hashes, std::uint64_t keys, unsigned filters) {
  const Stuck stuck = count_stuck<Bits, Layout>(counters, hashes, keys, filters);
  const double said = perhaps::detail::sticking_counters<Layout>(counters, hashes, static_cast<double>(keys), Bits);
  INFO(Layout::name << ", " << Bits << " bits, m = " << counters << ", k = " << hashes << ", n = " << keys << ": "
                    << stuck.mean() << " +- " << stuck.error() << ", said " << said << ", any " << stuck.share());
  CHECK(std::abs(stuck.mean() - said) <= 4.5 * stuck.error() + 5 / stuck.filters);
  // The probability that any does is at most that number, and near it where it is small.
  CHECK(stuck.share() <= said + 4.5 * stuck.share_error() + 5 / stuck.filters);
}

template <unsigned Bits, class Layout>
void check_sized(double fpr, std::uint64_t keys) {
  const auto sized = perhaps::counting_parameters<Layout>({.keys = keys, .fpr = fpr}, Bits);
  const double said =
      perhaps::detail::sticking_counters<Layout>(sized.counters, sized.hashes, static_cast<double>(keys), Bits);
  CHECK(sized.overflow_probability == (said < 1 ? said : 1));
  check_stuck<Bits, Layout>(sized.counters, sized.hashes, keys, 4000);
}

}  // namespace

TEST_CASE("two bits stick as often as sizing says, from one key on") {
  for (const double fpr : {0.1, 0.01, 1e-4}) {
    for (const std::uint64_t keys : {1U, 2U, 3U, 10U, 100U}) {
      check_sized<2, Classic<>>(fpr, keys);
      check_sized<2, Blocked<64>>(fpr, keys);
      check_sized<2, Blocked<512>>(fpr, keys);
      check_sized<2, SplitBlock<16, 8>>(fpr, keys);
    }
  }
}

TEST_CASE("one key in eleven two-bit counters: one filter in eight has a counter that sticks") {
  const auto sized = perhaps::counting_parameters({.keys = 1, .fpr = 0.01}, 2);
  const Stuck stuck = count_stuck<2, Classic<>>(sized.counters, sized.hashes, 1, 100'000);
  CHECK(std::abs(stuck.share() - sized.overflow_probability) < 0.01);
  CHECK(stuck.share() > 0.12);
}

TEST_CASE("wider counters stick as often as sizing says, in filters that are too full") {
  check_stuck<4, Classic<>>(100, 7, 100, 2000);
  check_stuck<4, Blocked<64>>(64 * 4, 7, 200, 2000);
  check_stuck<4, Blocked<128>>(128 * 2, 5, 300, 1000);
  check_stuck<4, SplitBlock<16, 8>>(128 * 3, 7, 400, 1000);
  check_stuck<8, Classic<>>(10, 3, 800, 500);
  check_stuck<8, Blocked<64>>(64 * 3, 8, 5500, 200);
  check_stuck<8, SplitBlock<16, 8>>(128, 8, 4000, 200);
  check_stuck<16, Classic<>>(2, 16, 8190, 200);
  check_stuck<16, Classic<>>(1, 64, 1023, 20);
  check_stuck<16, Classic<>>(1, 64, 1024, 20);
}

TEST_CASE("a counter sticks on reaching its maximum, not beyond it") {
  // A single counter counts every probe.
  CHECK(perhaps::counting_parameters({.keys = 1, .fpr = 0.9}, 2).overflow_probability < 1);
  using One = Counting<2, Classic<>>;
  One filter({.counters = 1, .hashes = 1});
  for (std::uint64_t n = 1; n <= 4; ++n) {
    filter.insert(n);
    const double said = perhaps::detail::sticking_counters<Classic<>>(1, 1, static_cast<double>(n), 2);
    CHECK(said == (n >= 3 ? 1 : 0));
    CHECK(filter.saturated_counters() == (n >= 3 ? 1 : 0));
  }
}
