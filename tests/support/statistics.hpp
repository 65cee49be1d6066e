// SPDX-License-Identifier: BSL-1.0
//
// Bounds for measured rates. Seeds are fixed, so a red test is a change of behaviour, never bad luck; the bounds are
// wide enough (z = 5: once in two million) that a new seed does not need new bounds.
#ifndef PERHAPS_TESTS_SUPPORT_STATISTICS_HPP
#define PERHAPS_TESTS_SUPPORT_STATISTICS_HPP

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

// What the rate of one filter may be, if its mean over all filters is `mean` and it scatters by `relative_sd` of that.
inline bool consistent(std::uint64_t hits, std::uint64_t trials, double mean, double relative_sd = 0, double z = 5) {
  const Interval measured = wilson(hits, trials, z);
  const double scatter = z * relative_sd * mean;
  return measured.low <= mean + scatter && measured.high >= mean - scatter;
}

}  // namespace support

#endif
