// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// How many keys are in a filter, read off its set bits. Pure functions: filters of any size, none in memory.
///
///     n = -(m/k) ln(1 - X/m)                         X of m bits set, k hashes, anywhere
///     n = -(m/B) ln(1 - X/m) / P                     in blocks of B bits, each set with probability P by a key
///     |A or B|  = n(X of the bitwise OR),   |A and B| = n(A) + n(B) - n(A or B),   Jaccard = |A and B| / |A or B|
///
/// The bitwise AND is no basis for an estimate: unrelated bits that meet look like common keys (true 0, estimated 403
/// in one table), so the intersection comes from the union.
///
/// Standard errors, by the delta method: keys thrown into cells, two estimates vary together as much as their common
/// keys make them,
///
///     Cov(n(S), n(T)) = V(|S and T|),   V(n) = (m/k^2) (e^c - 1 - c), c = kn/m                     anywhere
///                                       V(n) = M/P^2 * mean over bits i, j of (e^(n/M P_ij) - 1) - n   in M blocks
///     Var |A and B|   = V(|A or B|) - V(|A|) - V(|B|) + 2 V(|A and B|)
///
/// P_ij: the probability that a key sets bits i and j of its block. The first is the error of linear counting, the last
/// follows from inclusion and exclusion, since A or B has all keys of A, and all of B.
///
/// Swamidass and Baldi, "Mathematical Correction for Fingerprint Similarity Measures", 2007. Papapetrou, Siberski and
/// Nejdl, "Cardinality estimation and dynamic length adaptation for Bloom filters", 2010 (the same intersection).
/// Whang, Vander-Zanden and Taylor, "A Linear-Time Probabilistic Counting Algorithm for Database Applications", 1990.
#ifndef PERHAPS_CARDINALITY_HPP
#define PERHAPS_CARDINALITY_HPP

#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/version.hpp>

#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {

namespace detail {

// -ln(1 - X/m) for X < m, from the smaller of X and m - X: the other's quotient is a rounded 1.
inline double minus_log_zeros(std::uint64_t bits, std::uint64_t set_bits) noexcept {
  const auto m = static_cast<double>(bits);
  return set_bits < bits / 2 ? -log1p(-static_cast<double>(set_bits) / m)
                             : -log(static_cast<double>(bits - set_bits) / m);
}

// Demands (argument.hpp) of so many bits that no more than all are set.
inline bool demand_bits(std::uint64_t bits, std::uint64_t set_bits) {
  return demand_above_0("bits", bits) && demand_at_most("set_bits", set_bits, "bits", bits);
}

// Demands arguments that two filters and their bitwise OR can have.
inline bool demand_set_bits(std::uint64_t bits, std::uint64_t left, std::uint64_t right, std::uint64_t both) {
  return demand_at_most("both_set", both, "bits", bits) && demand_at_most("left_set", left, "both_set", both) &&
         demand_at_most("right_set", right, "both_set", both) &&
         demand(both - left <= right, "both_set", "at most left_set + right_set", both);
}

// V(n) for bits anywhere: (m/k^2) (e^c - 1 - c), c = kn/m.
inline double classic_variance(double bits, unsigned hashes, double keys) noexcept {
  if (is_huge(keys)) return endless();
  const double c = hashes * keys / bits;
  if (c > 709) return endless();
  const double beyond = c < 1e-4 ? c * c / 2 * (1 + c / 3) : expm1(c) - c;
  return bits / hashes / hashes * beyond;
}

// V(n) in blocks: `pairs(n/M)` is the mean over bits i, j of e^(n/M P_ij) - 1. What rounding makes negative is 0.
template <class Pairs>
double blocked_variance(double blocks, double hit, double keys, Pairs pairs) noexcept {
  if (is_huge(keys) || keys / blocks * hit > 709) return endless();
  return (max)(0.0, blocks * pairs(keys / blocks) / (hit * hit) - keys);
}

// The standard error of a variance, which may be infinite.
inline double error_of(double variance) noexcept { return is_infinite(variance) ? endless() : sqrt(variance); }

}  // namespace detail

/// Distinct keys in a classic filter of `bits` bits, `set_bits` of them set. 0 when empty, +infinity when full: a full
/// filter says nothing about its keys. O(1).
/// Throws std::invalid_argument for 0 bits or hashes, and for more bits set than there are.
inline double estimated_keys(std::uint64_t bits, unsigned hashes, std::uint64_t set_bits) {
  if (!(detail::demand_bits(bits, set_bits) && detail::demand_above_0("hashes", hashes))) return detail::not_a_number();
  if (set_bits == 0) return 0;
  if (set_bits == bits) return detail::endless();
  return static_cast<double>(bits) / hashes * detail::minus_log_zeros(bits, set_bits);
}

/// The estimate of n for m bits in blocks of B bits, where a key sets a given bit of its block with probability `hit`:
/// n = -(m/B) ln(1 - X/m) / hit, since E[(1 - hit)^J] = e^(-hit n B/m) for J keys in a block. O(1).
/// Throws std::invalid_argument for 0 bits, bits that are no whole blocks, a `hit` that is not above 0 and at most 1,
/// and more bits set than there are.
inline double estimated_blocked_keys(std::uint64_t bits, std::uint64_t block_bits, double hit, std::uint64_t set_bits) {
  const bool valid =
      detail::demand_bits(bits, set_bits) && detail::demand_above_0("block_bits", block_bits) &&
      detail::demand(bits % block_bits == 0, "bits", "a multiple of block_bits", bits) &&
      detail::demand(detail::is_positive(hit) && detail::is_share(hit), "hit", "above 0 and at most 1", hit);
  if (!valid) return detail::not_a_number();
  if (set_bits == 0) return 0;
  if (set_bits == bits) return detail::endless();
  return static_cast<double>(bits / block_bits) / hit * detail::minus_log_zeros(bits, set_bits);
}

/// Estimates of two sets from three: the sizes of A, of B and of their union. The variances are V of these sizes and of
/// the intersection's; unknown unless set_estimate made them, and unknown is infinite.
struct SetEstimate {
  double left;                                 ///< Keys in A
  double right;                                ///< Keys in B
  double both;                                 ///< |A or B|
  double left_variance = detail::endless();    ///< Of the size of A
  double right_variance = detail::endless();   ///< Of the size of B
  double both_variance = detail::endless();    ///< Of the union
  double common_variance = detail::endless();  ///< Of a set of as many keys as A and B share

  /// |A and B| by inclusion and exclusion, between 0 and the smaller set: noise can't make it negative. NaN never: a
  /// full filter's infinite estimate bounds nothing, so the intersection is then the smaller set.
  double intersection() const noexcept {
    const double smaller = (detail::min)(left, right);
    if (detail::is_infinite(both)) return smaller;
    return detail::clamp(left + right - both, 0.0, smaller);
  }

  /// |A and B| / |A or B|, in [0, 1]; two empty sets are equal, so 1; 0 when the union is beyond counting.
  double jaccard() const noexcept {
    if (detail::equals(both, 0)) return 1;
    if (detail::is_infinite(both)) return 0;
    return (detail::min)(1.0, intersection() / both);
  }

  /// Standard errors: an estimate is off by more in one case of three. Infinite where a filter is full. Of the
  /// intersection: that of inclusion and exclusion, before it was kept within bounds.
  double left_error() const noexcept { return detail::error_of(left_variance); }
  double right_error() const noexcept { return detail::error_of(right_variance); }  ///< Standard error of `right`
  double both_error() const noexcept { return detail::error_of(both_variance); }    ///< Standard error of `both`

  /// The standard error of intersection().
  double intersection_error() const noexcept {
    if (detail::is_infinite(both_variance)) return detail::endless();
    return detail::sqrt((detail::max)(0.0, both_variance - left_variance - right_variance + 2 * common_variance));
  }

  /// The standard error of the Jaccard index, by the delta method. 0 for two empty sets.
  double jaccard_error() const noexcept {
    if (detail::equals(both, 0)) return 0;
    if (detail::is_infinite(both_variance)) return detail::endless();
    // Of (|A| + |B|) / |A or B| - 1.
    const double ratio = (left + right) / both;
    const double variance =
        (1 - 2 * ratio) * (left_variance + right_variance) + 2 * common_variance + ratio * ratio * both_variance;
    return detail::sqrt((detail::max)(0.0, variance)) / both;
  }
};

/// The estimate for two filters of `bits` bits, from the bits set in each and in their bitwise OR. Pure, for any size.
/// Throws std::invalid_argument for bits and hashes that the layout does not take, and for numbers of set bits that no
/// two filters have: more than there are, fewer in the OR than in one of them, or more than in both together.
template <class Layout>
SetEstimate set_estimate(std::uint64_t bits, unsigned hashes, std::uint64_t left_set, std::uint64_t right_set,
                         std::uint64_t both_set) {
  if (!detail::demand_set_bits(bits, left_set, right_set, both_set)) {
    return {detail::not_a_number(), detail::not_a_number(), detail::not_a_number()};
  }
  const auto variance = [&](double keys) { return Layout::estimate_variance(bits, hashes, keys); };
  SetEstimate sets{Layout::estimated_keys(bits, hashes, left_set), Layout::estimated_keys(bits, hashes, right_set),
                   Layout::estimated_keys(bits, hashes, both_set)};
  sets.left_variance = variance(sets.left);
  sets.right_variance = variance(sets.right);
  sets.both_variance = variance(sets.both);
  sets.common_variance = variance(sets.intersection());
  return sets;
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
