// SPDX-License-Identifier: BSL-1.0
//
// How many keys are in a filter, read off its set bits. Pure functions: filters of any size, none in memory.
//
//   n = -(m/k) ln(1 - X/m)                         X of m bits set, k hashes, anywhere
//   n = -(m/B) ln(1 - X/m) / P                     in blocks of B bits, each set with probability P by a key
//   |A or B|  = n(X of the bitwise OR),   |A and B| = n(A) + n(B) - n(A or B),   Jaccard = |A and B| / |A or B|
//
// The bitwise AND is no basis for an estimate: unrelated bits that meet look like common keys (true 0, estimated 403 in
// one table), so the intersection comes from the union.
//
// Swamidass and Baldi, "Mathematical Correction for Fingerprint Similarity Measures", 2007. Papapetrou, Siberski and
// Nejdl, "Cardinality estimation and dynamic length adaptation for Bloom filters", 2010 (the same intersection).
#ifndef PERHAPS_CARDINALITY_HPP
#define PERHAPS_CARDINALITY_HPP

#include <perhaps/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace perhaps::inline PERHAPS_ABI {

namespace detail {

// ln(1 - X/m) from the smaller of X and m - X: the other's quotient is a rounded 1.
inline double log_zeros(std::uint64_t bits, std::uint64_t set_bits) noexcept {
  const auto m = static_cast<double>(bits);
  return set_bits < bits / 2 ? std::log1p(-static_cast<double>(set_bits) / m)
                             : std::log(static_cast<double>(bits - set_bits) / m);
}

}  // namespace detail

// Distinct keys in a classic filter of `bits` bits, `set_bits` of them set. 0 when empty, +infinity when full: a full
// filter says nothing about its keys. Preconditions: set_bits <= bits, bits > 0, hashes > 0.
inline double estimated_keys(std::uint64_t bits, unsigned hashes, std::uint64_t set_bits) noexcept {
  if (set_bits == 0) return 0;
  return -static_cast<double>(bits) / hashes * detail::log_zeros(bits, set_bits);
}

// The same for m bits in blocks of B bits, where a key sets a given bit of its block with probability `hit`:
// n = -(m/B) ln(1 - X/m) / hit, since E[(1 - hit)^J] = e^(-hit n B/m) for J keys in a block.
inline double estimated_blocked_keys(std::uint64_t bits, std::uint64_t block_bits, double hit,
                                     std::uint64_t set_bits) noexcept {
  if (set_bits == 0) return 0;
  return -static_cast<double>(bits / block_bits) / hit * detail::log_zeros(bits, set_bits);
}

// Estimates of two sets from three: the sizes of A, of B and of their union.
struct SetEstimate {
  double left;
  double right;
  double both;  // |A or B|

  // |A and B| by inclusion and exclusion, between 0 and the smaller set: noise can't make it negative. NaN never: a
  // full filter's infinite estimate bounds nothing, so the intersection is then the smaller set.
  double intersection() const noexcept {
    const double smaller = (std::min)(left, right);
    if (std::isinf(both)) return smaller;
    return std::clamp(left + right - both, 0.0, smaller);
  }

  // |A and B| / |A or B|, in [0, 1]; two empty sets are equal, so 1; 0 when the union is beyond counting.
  double jaccard() const noexcept {
    if (both == 0) return 1;
    if (std::isinf(both)) return 0;
    return (std::min)(1.0, intersection() / both);
  }
};

}  // namespace perhaps::inline PERHAPS_ABI

#endif
