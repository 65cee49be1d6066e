// SPDX-License-Identifier: BSL-1.0
//
// Estimates of unions and intersections and their standard errors, against many filters of random keys and against
// their formulas; finite, never negative and never NaN, whatever the filters hold.
#include <perhaps/perhaps.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/stored.hpp"
#include "support/suite.hpp"

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Bloom = perhaps::BloomFilter<std::uint64_t>;

// Layouts whose probes are as good as independent ones, as the estimates take them to be.
using EstimatedFull = std::tuple<Bloom, perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Blocked<64>>,
                                 perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Blocked<256>>,
                                 perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Blocked<512>>,
                                 perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<64, 8>>,
                                 perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<32, 8>>>;
using Estimated =
    support::Suite<EstimatedFull,
                   std::tuple<Bloom, perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Blocked<512>>,
                              perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<64, 8>>>>;

// Mean and standard deviation of a run of values, and how many lay within what was said to be their error.
struct Run {
  double sum = 0;
  double squares = 0;
  double errors = 0;
  unsigned within = 0;
  unsigned count = 0;

  void add(double value, double truth, double error) {
    const double off = value - truth;
    sum += off;
    squares += off * off;
    errors += error;
    within += std::abs(off) <= error ? 1U : 0U;
    ++count;
  }
  double bias() const { return sum / count; }
  double deviation() const { return std::sqrt(squares / count - bias() * bias()); }
  double error() const { return errors / count; }

  // The errors said are those seen, to within their own; so is the share of 68 % within.
  void check() const {
    INFO("bias " << bias() << ", deviation " << deviation() << ", error " << error() << ", within " << within);
    CHECK(std::abs(deviation() / error() - 1) < 4 / std::sqrt(2.0 * count));
    CHECK(std::abs(bias()) < 4 * error() / std::sqrt(count) + 0.1 * error());
    CHECK(std::abs(within / static_cast<double>(count) - 0.6827) < 4 * std::sqrt(0.6827 * 0.3173 / count));
  }
};

template <class F>
F filter_for(std::uint64_t bits, unsigned hashes, std::uint64_t seed) {
  return F({.bits = bits, .hashes = hashes}, typename F::hasher(seed));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("standard errors are the deviations that many filters show", "", Estimated) {
  constexpr std::uint64_t block = TestType::layout::block_bits;
  constexpr unsigned trials = 600;
  for (const unsigned k : {8U, 3U}) {
    if (!TestType::layout::takes_hashes(k)) continue;
    // Small blocks vary more, and it takes more of them until the estimate has no bias to speak of.
    const std::uint64_t bits = block == 1 ? 10'001 : block < 512 ? 40'960 : 10'240;
    for (const auto& [left_only, right_only, common] :
         {std::array{600U, 300U, 200U}, std::array{20U, 900U, 300U}, std::array{0U, 0U, 800U}}) {
      Run left, both, intersection, jaccard;
      for (unsigned trial = 0; trial < trials; ++trial) {
        auto a = filter_for<TestType>(bits, k, 1000 + trial);
        auto b = filter_for<TestType>(bits, k, 1000 + trial);
        std::uint64_t key = 0;
        for (unsigned i = 0; i < left_only; ++i) a.insert(support::scramble(++key));
        for (unsigned i = 0; i < right_only; ++i) b.insert(support::scramble(++key));
        for (unsigned i = 0; i < common; ++i) {
          a.insert(support::scramble(++key));
          b.insert(support::scramble(key));
        }
        const auto sets = perhaps::estimate_sets(a, b);
        left.add(sets.left, left_only + common, sets.left_error());
        both.add(sets.both, left_only + right_only + common, sets.both_error());
        intersection.add(sets.intersection(), common, sets.intersection_error());
        jaccard.add(sets.jaccard(), common / static_cast<double>(left_only + right_only + common),
                    sets.jaccard_error());
        CHECK(a.estimated_size_error() == sets.left_error());
      }
      INFO("k = " << k << ", sets " << left_only << ", " << right_only << ", " << common);
      left.check();
      both.check();
      intersection.check();
      if (left_only != 0) jaccard.check();
    }
  }
}

TEST_CASE("two bits per lane have their error too") {
  using Split = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<>>;
  Run run;
  for (unsigned trial = 0; trial < 800; ++trial) {
    auto filter = filter_for<Split>(512 * 20, 16, trial);
    for (std::uint64_t i = 0; i < 500; ++i) filter.insert(support::scramble(i));
    run.add(filter.estimated_size(), 500, filter.estimated_size_error());
  }
  run.check();
}

TEST_CASE("the error of the classic layout is that of linear counting") {
  using Layout = perhaps::Classic<>;
  for (const double keys : {1.0, 100.0, 1000.0, 5000.0}) {
    const double c = 3 * keys / 10'000;
    const double variance = 10'000 / 9.0 * (std::exp(c) - 1 - c);
    CHECK(std::abs(Layout::estimate_variance(10'000, 3, keys) / variance - 1) < 1e-6);
  }
  // Far beyond memory, without the bits.
  const std::uint64_t m = std::uint64_t{1} << 40U;
  const auto sets = perhaps::set_estimate<Layout>(m, 7, m / 2, m / 2, m / 2 + m / 8);
  CHECK(sets.left == Approx(std::log(2.0) * static_cast<double>(m) / 7));
  CHECK(sets.left_error() == Approx(std::sqrt(static_cast<double>(m) * (1 - std::log(2.0))) / 7));
  CHECK((sets.intersection() > 0 && sets.intersection_error() > 0 && std::isfinite(sets.jaccard_error())));
}

TEMPLATE_LIST_TEST_CASE("estimates and errors are numbers at the edges", "", support::StoredBlooms) {  // BUGS E01
  using Layout = typename TestType::layout;
  constexpr std::uint64_t m = 512 * 8;
  const unsigned k = 8;
  for (const std::uint64_t left : {std::uint64_t{0}, std::uint64_t{1}, m / 2, m - 1, m}) {
    for (const std::uint64_t right : {std::uint64_t{0}, std::uint64_t{1}, m / 2, m - 1, m}) {
      for (const std::uint64_t both : {std::max(left, right), std::min(left + right, m)}) {
        const auto sets = perhaps::set_estimate<Layout>(m, k, left, right, both);
        INFO(left << ", " << right << ", " << both);
        for (const double value :
             {sets.left, sets.right, sets.both, sets.intersection(), sets.jaccard(), sets.left_error(),
              sets.right_error(), sets.both_error(), sets.intersection_error(), sets.jaccard_error()}) {
          CHECK(value >= 0);  // NaN is not
        }
        CHECK(sets.intersection() <= std::min(sets.left, sets.right));
        CHECK(sets.jaccard() <= 1);
        CHECK(std::isinf(sets.both_error()) == (both == m));
        CHECK((sets.both_error() == 0) == (both == 0));
      }
    }
  }
}

TEST_CASE("empty, full and moved-from filters") {
  const Bloom empty({.bits = 640, .hashes = 3});
  CHECK(empty.estimated_size_error() == 0);
  const auto none = perhaps::estimate_sets(empty, empty);
  CHECK((none.intersection() == 0 && none.intersection_error() == 0 && none.jaccard() == 1));
  CHECK(none.jaccard_error() == 0);
  Bloom full = empty;
  for (std::uint64_t i = 0; full.set_bits() < 640; ++i) full.insert(i);
  CHECK(full.estimated_size_error() == infinity);
  CHECK(perhaps::estimate_sets(full, empty).intersection() == 0);
  CHECK(perhaps::estimate_sets(full, empty).intersection_error() == infinity);
  CHECK_FALSE(perhaps::try_estimate_sets(empty, Bloom({.bits = 641, .hashes = 3})));
  CHECK_THROWS_WITH(perhaps::estimate_sets(empty, Bloom({.bits = 641, .hashes = 3})),
                    "perhaps: estimate_sets: bits differ: 640 and 641");
  const perhaps::SetEstimate bare{10, 20, 25};
  CHECK((bare.left_error() == infinity && bare.intersection_error() == infinity));
}
