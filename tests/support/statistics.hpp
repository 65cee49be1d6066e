// SPDX-License-Identifier: BSL-1.0
//
// Bounds for measured rates. Seeds are fixed, so a red test is a change of behaviour, never bad luck; the bounds are
// wide enough (z = 5: once in two million) that a new seed does not need new bounds.
#ifndef PERHAPS_TESTS_SUPPORT_STATISTICS_HPP
#define PERHAPS_TESTS_SUPPORT_STATISTICS_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace support {

struct Interval {
  double low;
  double high;
  bool contains(double x) const { return low <= x && x <= high; }
};

// Wilson's interval for the success probability, `hits` of `trials` observed: right also near 0 and for few hits.
inline Interval wilson(std::uint64_t hits, std::uint64_t trials, double z = 5) {
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(hits) / n;
  const double center = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double reach = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {hits == 0 ? 0 : center - reach, hits == trials ? 1 : center + reach};
}

// Whether `hits` of `trials` are as likely as z standard deviations, by the Chernoff bound (right for a handful of hits
// too), if the rate of one filter is `mean` and scatters between filters by `relative_sd` of that.
inline bool consistent(std::uint64_t hits, std::uint64_t trials, double mean, double relative_sd = 0, double z = 5) {
  const auto n = static_cast<double>(trials);
  const double measured = static_cast<double>(hits) / n;
  const double scatter = z * relative_sd * mean;
  const double rate = std::clamp(measured, mean - scatter, std::min(1.0, mean + scatter));
  const auto divergence = [](double p, double q) { return p == 0 ? 0 : p * std::log(p / q); };
  return n * (divergence(measured, rate) + divergence(1 - measured, 1 - rate)) <= z * z / 2;
}

// The mean of rate(seed) over as many seeds, and its standard error: each seed is a filter of its own.
struct Mean {
  double rate;
  double error;
};

template <class Rate>
Mean mean_over_seeds(std::uint64_t seeds, Rate rate) {
  double sum = 0;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const double one = rate(seed);
    sum += one;
    squares += one * one;
  }
  const auto count = static_cast<double>(seeds);
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / (count - 1))};
}

}  // namespace support

#endif
