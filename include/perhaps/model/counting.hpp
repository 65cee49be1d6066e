// SPDX-License-Identifier: BSL-1.0
//
// The tail of a binomial distribution: how full one of many counters gets. Only positive terms, each from the one
// before, so it keeps its digits far out, where incomplete beta functions and ln Gamma lose them.
#ifndef PERHAPS_MODEL_COUNTING_HPP
#define PERHAPS_MODEL_COUNTING_HPP

#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/model/blocked.hpp>
#include <perhaps/version.hpp>

#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// P(Binomial(throws, 1/positions) = count), for count <= throws and positions > 1. O(count).
inline double binomial_term(double throws, double positions, double count) noexcept {
  const double odds = 1 / (positions - 1);
  double product = 1;
  double log_scale = throws * log1p(-1 / positions);
  for (double i = 0; i < count; ++i) {
    product *= (throws - i) / (i + 1) * odds;
    // The product may pass through both ends of what a double holds on its way to a moderate value.
    if (product < 1e-200 || product > 1e200) {
      log_scale += log(product);
      product = 1;
    }
  }
  return product * exp(log_scale);
}

// P(Binomial(throws, 1/positions) >= threshold), for throws from 0 to infinity and positions >= 1. O(threshold).
inline double binomial_tail(double throws, double positions, double threshold) noexcept {
  if (threshold <= 0) return 1;
  if (is_huge(throws)) return 1;
  if (throws < threshold) return 0;
  if (positions <= 1) return 1;
  const double odds = 1 / (positions - 1);
  double sum = 0;
  if (threshold > throws / positions) {
    double term = binomial_term(throws, positions, threshold);
    for (double i = threshold; i <= throws && term > sum * 1e-18; ++i) {
      sum += term;
      term *= (throws - i) / (i + 1) * odds;
    }
    return sum;
  }
  // From below the mean the tail is most of the mass: what is missing is the smaller, more exact sum.
  double term = binomial_term(throws, positions, threshold - 1);
  for (double i = threshold - 1; i >= 0 && term > sum * 1e-18; --i) {
    sum += term;
    term *= i / ((throws - i + 1) * odds);
  }
  return 1 - sum;
}

// P(one counter of a block of B is hit `threshold` times or more), where keys fall into one of `blocks` blocks each,
// and their `hashes` probes anywhere in it. O(threshold) for each number of keys that a block may have.
inline double blocked_counter_tail(double block, double blocks, unsigned hashes, double keys,
                                   double threshold) noexcept {
  if (threshold <= 0) return 1;
  if (blocks <= 1) return binomial_tail(hashes * keys, block, threshold);
  // So many keys in nearly every block that no counter is left below.
  if (is_huge(keys) || hashes * keys / (block * blocks) > 2 * threshold + 2000) return 1;
  return binomial_mixture(blocks, keys, [&](double j) {
    const double mean = hashes * j / block;
    if (mean <= 0) return 0.0;
    // Chernoff's bound on either side of the mean: what is below the least double, or as near to 1, need not be summed.
    const bool certain = threshold * log(threshold / mean) - threshold + mean > 750;
    return certain ? (mean > threshold ? 1.0 : 0.0) : binomial_tail(hashes * j, block, threshold);
  });
}

// Counters have 16 bits at most.
inline constexpr std::uint64_t most_threshold = std::uint64_t{1} << 16U;

// Demands (argument.hpp) what the probability of a counter is asked for.
inline bool demand_threshold(double keys, std::uint64_t threshold) {
  return demand_count("keys", keys) && demand(threshold <= most_threshold, "threshold", "at most 65536", threshold);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
