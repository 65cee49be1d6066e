// SPDX-License-Identifier: BSL-1.0
//
// The tail of a binomial distribution: how full one of many counters gets. Only positive terms, each from the one
// before, so it keeps its digits far out, where incomplete beta functions and ln Gamma lose them.
#ifndef PERHAPS_DETAIL_COUNTING_MODEL_HPP
#define PERHAPS_DETAIL_COUNTING_MODEL_HPP

#include <perhaps/version.hpp>

#include <cmath>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

// P(Binomial(throws, 1/places) = count), for count <= throws and places > 1. O(count).
inline double binomial_term(double throws, double places, double count) noexcept {
  const double odds = 1 / (places - 1);
  double product = 1;
  double log_scale = throws * std::log1p(-1 / places);
  for (double i = 0; i < count; ++i) {
    product *= (throws - i) / (i + 1) * odds;
    // The product may pass through both ends of what a double holds on its way to a moderate value.
    if (product < 1e-200 || product > 1e200) {
      log_scale += std::log(product);
      product = 1;
    }
  }
  return product * std::exp(log_scale);
}

// P(Binomial(throws, 1/places) >= threshold).
inline double binomial_tail(double throws, double places, double threshold) noexcept {
  if (threshold <= 0) return 1;
  if (throws < threshold) return 0;
  if (places <= 1) return 1;
  const double odds = 1 / (places - 1);
  double sum = 0;
  if (threshold > throws / places) {
    double term = binomial_term(throws, places, threshold);
    for (double i = threshold; i <= throws && term > sum * 1e-18; ++i) {
      sum += term;
      term *= (throws - i) / (i + 1) * odds;
    }
    return sum;
  }
  // From below the mean the tail is most of the mass: what is missing is the smaller, more exact sum.
  double term = binomial_term(throws, places, threshold - 1);
  for (double i = threshold - 1; i >= 0 && term > sum * 1e-18; --i) {
    sum += term;
    term *= i / ((throws - i + 1) * odds);
  }
  return 1 - sum;
}

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
