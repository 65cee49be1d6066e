// SPDX-License-Identifier: BSL-1.0
//
// Sizing of counting filters: parameters, and the probability that counters overflow against tables computed elsewhere.
#include <perhaps/sizing/counting.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/csv.hpp"

namespace {

// Numbers below the least double are 0 here.
double number(const support::Row& row, const std::string& column) {
  return std::strtod(row.text(column).c_str(), nullptr);
}

bool agree(double value, double expected, double tolerance) {
  if (expected < 1e-300) return value >= 0 && value < 1e-290;
  return std::abs(value / expected - 1) <= tolerance;
}

// P(no counter reaches T), without any bound: the coefficient of x^N in the m-th power of the distribution of one
// counter, cut off at T, over that of the uncut one. Only sums of positive terms. O(N^2 log m).
double none_reaches(std::uint64_t counters, std::size_t throws, std::size_t threshold) {
  const double mean = static_cast<double>(throws) / static_cast<double>(counters);
  const auto poisson = [](double rate, std::size_t count) {
    return std::exp(-rate + static_cast<double>(count) * std::log(rate) - std::lgamma(static_cast<double>(count) + 1));
  };
  const auto times = [&](const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> product((std::min)(throws + 1, a.size() + b.size() - 1));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size() && i + j < product.size(); ++j) product[i + j] += a[i] * b[j];
    }
    return product;
  };
  std::vector<double> power{1};
  std::vector<double> square;
  for (std::size_t i = 0; i < threshold && i <= throws; ++i) square.push_back(poisson(mean, i));
  for (std::uint64_t rest = counters; rest != 0; rest /= 2) {
    if (rest % 2 != 0) power = times(power, square);
    if (rest > 1) square = times(square, square);
  }
  return power.size() > throws ? power[throws] / poisson(static_cast<double>(throws), throws) : 0;
}

template <class... Arguments>
std::string refusal(Arguments... arguments) {
  try {
    static_cast<void>(perhaps::counting_parameters(arguments...));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("probabilities of overflow, against the table") {
  const auto rows = support::read_csv("counting.csv");
  REQUIRE(rows.size() > 70);
  for (const auto& row : rows) {
    const std::uint64_t m = row.integer("m");
    const auto k = static_cast<unsigned>(row.integer("k"));
    const std::uint64_t t = row.integer("threshold");
    const auto n = static_cast<double>(row.integer("n"));
    INFO("m = " << m << ", n = " << n << ", k = " << k << ", T = " << t);
    CHECK(agree(perhaps::counter_reaches(m, k, n, t), number(row, "P_one_counter_ge_T_binomial"), 1e-12));
    CHECK(agree(perhaps::any_counter_reaches(m, k, n, t), (std::min)(1.0, number(row, "union_bound_m_times_binomial")),
                1e-12));
    CHECK(agree(perhaps::fan_bound(m, k, n, t), number(row, "bound_m_(e*mean/T)^T"), 1e-10));
    const double half_full = static_cast<double>(m) * std::log(2.0) / k;
    CHECK(agree(perhaps::fan_bound(m, k, half_full, t), number(row, "fan_bound_ln2"), 1e-10));
    CHECK(perhaps::any_counter_reaches(m, k, n, t) <= perhaps::fan_bound(m, k, n, t));
  }
}

TEST_CASE("the bound on any counter is one, and is tight where it is small") {
  unsigned computed = 0;
  for (const auto& row : support::read_csv("counting.csv")) {
    if (!row.has("P_any_exact_multinomial")) continue;
    const std::uint64_t m = row.integer("m");
    const auto k = static_cast<unsigned>(row.integer("k"));
    const std::uint64_t t = row.integer("threshold");
    const std::uint64_t n = row.integer("n");
    const double exact = number(row, "P_any_exact_multinomial");
    const double bound = perhaps::any_counter_reaches(m, k, static_cast<double>(n), t);
    INFO("m = " << m << ", n = " << n << ", k = " << k << ", T = " << t);
    CHECK(bound >= exact * (1 - 1e-12));
    CHECK((bound - exact <= bound * bound / 2 + 1e-14 * bound || bound > 0.2));
    const auto throws = static_cast<std::size_t>(k * n);
    if (throws <= 3000) {
      CHECK(std::abs(1 - none_reaches(m, throws, static_cast<std::size_t>(t)) - exact) < 1e-11);
      ++computed;
    }
  }
  CHECK(computed > 20);
}

TEST_CASE("probabilities at the edges") {
  CHECK(perhaps::counter_reaches(100, 7, 10, 0) == 1);
  CHECK(perhaps::counter_reaches(100, 7, 0, 1) == 0);
  CHECK(perhaps::counter_reaches(100, 7, 2, 15) == 0);  // 14 probes
  CHECK(perhaps::counter_reaches(1, 7, 2, 14) == 1);    // a single counter gets them all
  CHECK(perhaps::counter_reaches(1, 7, 2, 15) == 0);
  CHECK(std::abs(perhaps::counter_reaches(100, 1, 1, 1) - 0.01) < 1e-17);
  CHECK(std::abs(perhaps::counter_reaches(2, 1, 4, 2) - 11.0 / 16) < 1e-15);
  CHECK(std::abs(perhaps::counter_reaches(2, 1, 4, 3) - 5.0 / 16) < 1e-15);
  CHECK(perhaps::counter_reaches(10, 10, 100'000, 65'536) > 0.999);
  CHECK(perhaps::counter_reaches(1'000'000, 7, 100'000, 65'536) == 0);
  // Falls with the threshold, rises with the keys, also across the mean.
  double last = 1;
  for (std::uint64_t t = 1; t < 60; ++t) {
    const double p = perhaps::counter_reaches(1000, 5, 4000, t);
    CHECK(p <= last);
    CHECK(p >= 0);
    CHECK(p <= perhaps::counter_reaches(1000, 5, 4100, t));
    last = p;
  }
}

TEST_CASE("widths: what the documentation says of them") {
  // At the best fill, kn/m = ln 2.
  const std::uint64_t m = 10'000'000;
  const double n = static_cast<double>(m) * std::log(2.0) / 7;
  CHECK(std::abs(perhaps::counter_reaches(m, 7, n, 3) / 3.3e-2 - 1) < 0.02);
  CHECK(std::abs(perhaps::counter_reaches(m, 7, n, 15) / 1.6e-15 - 1) < 0.03);
  CHECK(perhaps::counter_reaches(m, 7, n, 255) < 1e-300);
}

TEST_CASE("a counting filter is as large as the Bloom filter, times its counters") {
  for (const unsigned width : {2U, 4U, 8U, 16U}) {
    const auto bloom = perhaps::bloom_parameters({.keys = 50'000, .fpr = 0.001});
    const auto counting = perhaps::counting_parameters({.keys = 50'000, .fpr = 0.001}, width);
    CHECK(counting.counters == bloom.bits);
    CHECK(counting.hashes == bloom.hashes);
    CHECK(counting.expected_fpr == bloom.expected_fpr);
    CHECK(counting.bytes == width * bloom.bytes);
    CHECK(counting.overflow_probability ==
          perhaps::any_counter_reaches(bloom.bits, bloom.hashes, 50'000, (std::uint64_t{1} << width) - 1));
    CHECK(perhaps::try_counting_parameters({.keys = 50'000, .fpr = 0.001}, width) == counting);
  }
  CHECK(perhaps::counting_parameters({.keys = 50'000, .fpr = 0.001}).overflow_probability < 2e-9);
  CHECK(perhaps::counting_parameters({.keys = 50'000, .fpr = 0.001}, 2).overflow_probability == 1);
  CHECK(perhaps::counting_parameters({.keys = 0, .fpr = 0.001}).counters > 0);
}

TEST_CASE("targets without parameters are refused by name and value") {
  using perhaps::BloomTarget;
  CHECK(refusal(BloomTarget{.keys = 5, .fpr = 0.1}, 3U) == "perhaps: counter_bits must be 2, 4, 8 or 16, got 3");
  CHECK(refusal(BloomTarget{.keys = 5, .fpr = 0.1}, 0U) == "perhaps: counter_bits must be 2, 4, 8 or 16, got 0");
  CHECK(refusal(BloomTarget{.keys = 5, .fpr = 2}) == "perhaps: fpr must be above 0 and below 1, got 2");
  CHECK_FALSE(perhaps::try_counting_parameters({.keys = 5, .fpr = 0.1}, 5));
  CHECK_FALSE(perhaps::try_counting_parameters({.keys = 5, .fpr = 0}));
}
