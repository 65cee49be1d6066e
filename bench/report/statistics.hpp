// SPDX-License-Identifier: BSL-1.0
//
// From counted false positives to a rate with an interval that holds the true mean 19 times in 20.
//
// Two things scatter: which absent keys hit (binomial), and how well the filter filled (its own X/m: relative standard
// deviation 5.5 % of the rate at m = 5000, n = 500, k = 7). A row averages over many filters, each with its own seed
// and its own random split of the keys, so the variance between filters holds both parts: mean +- t * s / sqrt(F).
// With few hits s is itself a guess (no hit at all would give an interval of width 0), so the row's interval is the
// wider of this one and Wilson's binomial interval over all queries.
#ifndef PERHAPS_BENCH_REPORT_STATISTICS_HPP
#define PERHAPS_BENCH_REPORT_STATISTICS_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace report {

struct Interval {
  double low;
  double high;
};

inline constexpr double z95 = 1.959963984540054;

// Student's t for 95 % by the Cornish-Fisher expansion; within 0.2 % from 7 degrees of freedom on.
inline double t95(double degrees) {
  constexpr double z = z95;
  constexpr double z3 = z * z * z;
  constexpr double z5 = z3 * z * z;
  return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees);
}

inline Interval wilson95(double hits, double trials) {
  const double p = hits / trials;
  const double z2 = z95 * z95;
  const double center = (p + z2 / (2 * trials)) / (1 + z2 / trials);
  const double reach = z95 / (1 + z2 / trials) * std::sqrt(p * (1 - p) / trials + z2 / (4 * trials * trials));
  return {hits == 0 ? 0 : center - reach, hits == trials ? 1 : center + reach};
}

// Counts of one row over its filters, each asked the same number of queries.
struct Tally {
  std::uint64_t filters = 0;
  std::uint64_t hits = 0;     // false positives
  std::uint64_t squares = 0;  // sum of the squares of each filter's hits
  std::uint64_t denied = 0;   // inserted keys that were not found
  double fill = 0;            // sums over filters
  double from_fill = 0;

  void add(const Tally& other) {
    filters += other.filters;
    hits += other.hits;
    squares += other.squares;
    denied += other.denied;
    fill += other.fill;
    from_fill += other.from_fill;
  }
};

struct Estimate {
  double mean;
  Interval interval;
  double relative_error;  // standard error / mean; infinite without hits
};

inline Estimate estimate(const Tally& tally, std::uint64_t queries_each) {
  const auto filters = static_cast<double>(tally.filters);
  const auto hits = static_cast<double>(tally.hits);
  const auto each = static_cast<double>(queries_each);
  const double mean = hits / (filters * each);
  const double variance = std::max(0.0, static_cast<double>(tally.squares) - hits * hits / filters) / (filters - 1);
  const double between = std::sqrt(variance / filters) / each;
  const double binomial = std::sqrt(mean * (1 - mean) / (filters * each));
  const Interval wilson = wilson95(hits, filters * each);
  const double reach = t95(filters - 1) * between;
  return {mean,
          {std::max(0.0, std::min(wilson.low, mean - reach)), std::min(1.0, std::max(wilson.high, mean + reach))},
          tally.hits == 0 ? std::numeric_limits<double>::infinity() : std::max(between, binomial) / mean};
}

// Relative variance of (X/m)^k between filters, k/E[X] times the standard deviation of X, squared:
// Var X = m e^-c (1 - (1 + c) e^-c) with c = kn/m.
inline double relative_filter_variance(double bits, double hashes, double keys) {
  const double load = hashes * keys / bits;
  const double empty = std::exp(-load);
  const double fill = -std::expm1(-load);
  return hashes * hashes * empty * (1 - (1 + load) * empty) / (bits * fill * fill);
}

}  // namespace report

#endif
