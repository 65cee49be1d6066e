// SPDX-License-Identifier: BSL-1.0
//
// Law 2: the measured rate lies within binomial bounds of the model and never above the target by more than those, from
// n = 1 up, for keys of every pattern. Seeds are fixed.
#include <perhaps/perhaps.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "support/catch.hpp"
#include "support/csv.hpp"
#include "support/filters.hpp"
#include "support/keys.hpp"
#include "support/statistics.hpp"
#include "support/suite.hpp"

namespace {

using support::Mean;

template <class Make>
Mean mean_rate_of(Make make, std::uint64_t n, std::uint64_t filters, std::uint64_t queries) {
  return support::mean_over_seeds(filters, [&](std::uint64_t seed) {
    auto filter = make(seed);
    const std::uint64_t base = seed << 32U;
    for (std::uint64_t i = 0; i < n; ++i) static_cast<void>(support::add(filter, support::scramble(base + i)));
    std::uint64_t hits = 0;
    for (std::uint64_t i = n; i < n + queries; ++i) hits += filter.may_contain(support::scramble(base + i)) ? 1U : 0U;
    return static_cast<double>(hits) / static_cast<double>(queries);
  });
}

template <class F>
Mean mean_rate(std::uint64_t n, double fpr, std::uint64_t filters, std::uint64_t queries) {
  const F sized = support::make_filter<F>(n, fpr);
  return mean_rate_of([&](std::uint64_t seed) { return support::remade(sized, seed); }, n, filters, queries);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("small filters keep their promise on average", "", support::SeededFilters) {
  using F = TestType;
  for (const std::uint64_t n : {1U, 2U, 5U, 10U, 44U, 100U, 1000U}) {
    for (const double fpr : {0.25, 0.05, 0.01}) {
      if (!support::reaches<F>(fpr)) continue;
      const std::uint64_t queries = support::repetitions(3000U, 1000U);
      const Mean measured = mean_rate<F>(n, fpr, n < 100 ? 3000 : 200, queries);
      const double model = support::model_fpr<F>(n, fpr);
      INFO("n = " << n << ", fpr = " << fpr << ", measured " << measured.rate << " +- " << measured.error << ", model "
                  << model);
      if (support::model_is_exact<F>() && model > 1e-6) CHECK(measured.rate >= model - 5 * measured.error);
      CHECK(measured.rate <= model + 5 * measured.error);
      CHECK(measured.rate <= fpr + 5 * measured.error);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("one key at one in ten million", "", support::SeededFilters) {  // BUGS F05
  using F = TestType;
  struct Case {
    std::uint64_t n;
    double fpr;
  };
  for (const Case& c : {Case{1, 1e-7}, Case{1, 1e-9}, Case{2, 1e-7}, Case{10, 1e-6}, Case{100, 1e-6}}) {
    if (!support::reaches<F>(c.fpr)) continue;
    const std::uint64_t filters = support::repetitions(200U, 50U);
    const std::uint64_t queries = filters * 20'000;
    const Mean measured = mean_rate<F>(c.n, c.fpr, filters, 20'000);
    INFO("n = " << c.n << ", fpr = " << c.fpr << ", measured " << measured.rate);
    const double hits = measured.rate * static_cast<double>(queries);
    CHECK(support::wilson(static_cast<std::uint64_t>(std::lround(hits)), queries).low <= c.fpr);
    CHECK(hits <= 4 * c.fpr * static_cast<double>(queries) + 12);
  }
}

TEMPLATE_LIST_TEST_CASE("the rate holds for integers in every pattern", "", support::IntegerFilters) {  // BUGS F07
  using F = TestType;
  if (!support::reaches<F>(0.01)) return;
  const std::uint64_t n = 50'000;
  const std::uint64_t queries = support::repetitions(400'000U, 100'000U);
  for (const auto& pattern : support::integer_patterns()) {
    auto filter = support::make_filter<F>(n, 0.01);
    for (std::uint64_t i = 0; i < n; ++i) REQUIRE(support::add(filter, pattern.key(i)));
    std::uint64_t hits = 0;
    for (std::uint64_t i = n; i < n + queries; ++i) hits += filter.may_contain(pattern.key(i)) ? 1U : 0U;
    INFO(pattern.name << ": " << hits << " of " << queries << ", from fill " << filter.current_fpr());
    CHECK(support::consistent(hits, queries, filter.current_fpr()));
    CHECK(support::wilson(hits, queries).low <= 0.01);
  }
}

TEMPLATE_LIST_TEST_CASE("the rate holds for strings", "", support::TextFilters) {
  using F = TestType;
  if (!support::reaches<F>(0.01)) return;
  const std::uint64_t n = 50'000;
  const std::uint64_t queries = 200'000;
  auto filter = support::make_filter<F>(n, 0.01);
  for (std::uint64_t i = 0; i < n; ++i) REQUIRE(support::add(filter, support::string_key(i)));
  std::uint64_t hits = 0;
  for (std::uint64_t i = n; i < n + queries; ++i) hits += filter.may_contain(support::string_key(i)) ? 1U : 0U;
  CHECK(support::consistent(hits, queries, filter.current_fpr()));
  CHECK(support::wilson(hits, queries).low <= 0.01);
}

TEMPLATE_LIST_TEST_CASE("hundreds of thousands of keys", "", support::IntegerFilters) {
  using F = TestType;
  const std::uint64_t n = support::repetitions(1'000'000U, 300'000U);
  for (const double fpr : {0.1, 0.01, 0.001}) {
    if (!support::reaches<F>(fpr)) continue;
    auto filter = support::make_filter<F>(n, fpr);
    for (std::uint64_t i = 0; i < n; ++i) REQUIRE(support::add(filter, i));
    std::uint64_t hits = 0;
    for (std::uint64_t i = n; i < 3 * n; ++i) hits += filter.may_contain(i) ? 1U : 0U;
    INFO("fpr = " << fpr << ", hits " << hits);
    CHECK(support::consistent(hits, 2 * n, support::model_fpr<F>(n, fpr), support::scatter<F>(n)));
    CHECK(support::wilson(hits, 2 * n).low <= fpr);
  }
}

TEST_CASE("identity hashes, mixed, keep the rate") {  // BUGS F07
  perhaps::BloomFilter<std::uint64_t, perhaps::MixedHash<std::hash<std::uint64_t>>> filter(
      {.keys = 1'000'000, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 1'000'000; ++i) filter.insert(i);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 1'000'000; i < 2'000'000; ++i) hits += filter.may_contain(i) ? 1U : 0U;
  CHECK(hits <= 12'000);
  CHECK(support::consistent(hits, 1'000'000, filter.current_fpr()));
}

TEST_CASE("every position is reached, by hashes of 32 bits too") {  // BUGS F09
  struct Hash32 {
    std::uint32_t operator()(std::uint64_t x) const { return static_cast<std::uint32_t>(support::scramble(x)); }
  };
  struct HashSize {
    std::size_t operator()(std::uint64_t x) const { return static_cast<std::size_t>(x); }
  };
  const auto fill = [](auto filter) {
    for (std::uint64_t i = 0; i < 2'000'000; ++i) filter.insert(i);
    return static_cast<double>(filter.set_bits());
  };
  using perhaps::BloomFilter;
  using perhaps::MixedHash;
  const perhaps::BloomParameters one_hash{.bits = 10'000'000, .hashes = 1};
  CHECK(std::abs(fill(BloomFilter<std::uint64_t, MixedHash<Hash32, 32>>(one_hash)) / 1'812'692 - 1) < 0.005);
  CHECK(std::abs(fill(BloomFilter<std::uint64_t, MixedHash<HashSize>>(one_hash)) / 1'812'692 - 1) < 0.005);
}

TEST_CASE("the rate at ten bits per key and k = 7, 6, 1") {  // BUGS S13
  for (const auto& [k, rate] : {std::pair{7U, 0.00819}, std::pair{6U, 0.0084}, std::pair{1U, 0.0952}}) {
    perhaps::BloomFilter<std::uint64_t> filter({.bits = 1'000'000, .hashes = k});
    for (std::uint64_t i = 0; i < 100'000; ++i) filter.insert(i);
    std::uint64_t hits = 0;
    for (std::uint64_t i = 100'000; i < 600'000; ++i) hits += filter.may_contain(i) ? 1U : 0U;
    INFO("k = " << k << ", hits = " << hits);
    CHECK(support::consistent(hits, 500'000, rate, 0.01));
  }
}

TEST_CASE("the rotating sequence is as good as independent probes, in small filters too") {
  int rows = 0;
  for (const auto& row : support::read_csv("dh_quality.csv")) {
    // The exact rate of independent probes, given for each size that any sequence was measured at.
    const double exact = row.real("fpr_exact_independent");
    if (row.text("scheme") != "dh_mh" || row.integer("m") > 1024 || exact < 1e-3) continue;
    ++rows;
    const perhaps::BloomParameters parameters{.bits = row.integer("m"),
                                              .hashes = static_cast<unsigned>(row.integer("k"))};
    const Mean measured = mean_rate_of(
        [&](std::uint64_t seed) { return perhaps::BloomFilter<std::uint64_t>(parameters, perhaps::XxHash3(seed)); },
        row.integer("n"), 4000, support::repetitions(3000U, 1000U));
    INFO("m = " << parameters.bits << ", n = " << row.text("n") << ", k = " << parameters.hashes << ": "
                << measured.rate << " +- " << measured.error << ", independent " << exact);
    CHECK(measured.error < 0.02 * exact);
    CHECK(std::abs(measured.rate - exact) <= 4 * measured.error + 0.005 * exact);
  }
  CHECK(rows >= 9);
}

TEST_CASE("facts: 16 words in 128 bits, 500 keys in 5000 bits") {
  // One experiment each, so one filter's rate: within four standard deviations of the mean over filters.
  struct Fact {
    std::uint64_t bits, keys;
    unsigned hashes;
    double rate, relative_sd;
  };
  for (const Fact& fact : {Fact{128, 16, 1, 0.128, 0.05}, Fact{128, 16, 5, 0.025, 0.25}, Fact{128, 16, 16, 0.3201, 0.8},
                           Fact{5000, 500, 1, 0.094, 0.01}, Fact{5000, 500, 3, 0.018, 0.03},
                           Fact{5000, 500, 7, 0.0073, 0.055}, Fact{5000, 500, 14, 0.018, 0.08}}) {
    double sum = 0;
    const std::uint64_t filters = 1000;
    for (std::uint64_t seed = 0; seed < filters; ++seed) {
      perhaps::BloomFilter<std::uint64_t> filter({.bits = fact.bits, .hashes = fact.hashes}, perhaps::XxHash3(seed));
      for (std::uint64_t i = 0; i < fact.keys; ++i) filter.insert(i);
      std::uint64_t hits = 0;
      for (std::uint64_t i = 1000; i < 5000; ++i) hits += filter.may_contain(i) ? 1U : 0U;
      sum += static_cast<double>(hits) / 4000;
    }
    const double mean = sum / static_cast<double>(filters);
    INFO("m = " << fact.bits << ", k = " << fact.hashes << ", mean " << mean);
    CHECK(std::abs(mean / perhaps::exact_fpr(fact.bits, fact.hashes, static_cast<double>(fact.keys)) - 1) < 0.05);
    CHECK(std::abs(fact.rate / mean - 1) < 4 * fact.relative_sd);
  }
}
