// SPDX-License-Identifier: BSL-1.0
//
// The false-positive rate of n keys, k independent uniform probes each, in m bits.
//
//   classic   (1 - e^(-kn/m))^k                    Bloom 1970; right in the limit of large m
//   exact     E[(X/m)^k], X = bits set             Bose et al., "On the false-positive rate of Bloom filters", 2008
//
// The exact expectation is above the classic formula by about 0.88/n of it at ten bits per key: 9 % at n = 10.
// Textbook forms of it are alternating sums that lose all digits near k = 25. Here every term is positive:
//
//   E[(X/m)^k] = sum_d  P(k probes hit d distinct bits) * P(d given bits are all set)
//   P(d given bits are all set by N = kn throws) = sum_c Binomial(N, d/m)(c) * P(c throws onto d bits leave none out)
#ifndef PERHAPS_MODEL_CLASSIC_HPP
#define PERHAPS_MODEL_CLASSIC_HPP

#include <perhaps/detail/real.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <cstddef>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// For counts of keys from 0 to infinity.
inline double classic_fpr(double bits, double hashes, double keys) noexcept {
  if (is_huge(keys)) return 1;
  return pow(-expm1(-hashes * keys / bits), hashes);
}

// Numbers for 0, 1 .. hashes: as many as max_hashes + 1, without any heap. layout.hpp asserts that they are enough.
inline constexpr std::size_t row_size = 65;
using Row = std::array<double, row_size>;

// P(`throws` onto `positions` positions leave none out), for growing numbers of throws.
class OccupancyDistribution {
 public:
  // Precondition: positions < row_size.
  explicit OccupancyDistribution(std::size_t positions) noexcept : positions_(positions) { hit_[0] = 1; }

  double probability() const noexcept { return hit_[positions_]; }

  void add_throw() noexcept {
    const auto positions = static_cast<double>(positions_);
    for (std::size_t j = positions_; j > 0; --j) {
      const auto occupied = static_cast<double>(j);
      hit_[j] = hit_[j] * (occupied / positions) + hit_[j - 1] * ((positions - occupied + 1) / positions);
    }
    hit_[0] = 0;
  }

 private:
  std::size_t positions_;
  Row hit_{};  // hit_[j]: P(j positions are occupied)
};

// P(`probes` probes hit d distinct ones of `positions` positions), for d = 0, 1 .. probes. Precondition: probes <
// row_size.
inline Row distinct_positions(double positions, unsigned probes) noexcept {
  Row distinct{};
  distinct[0] = 1;
  for (std::size_t probe = 0; probe < probes; ++probe) {
    for (std::size_t d = probe + 1; d > 0; --d) {
      const auto occupied = static_cast<double>(d);
      distinct[d] =
          distinct[d] * (occupied / positions) + distinct[d - 1] * (max)(0.0, (positions - occupied + 1) / positions);
    }
    distinct[0] = 0;
  }
  return distinct;
}

// P(`chosen` given positions of `positions` are all hit by `throws` throws).
// Precondition: chosen < row_size.
inline double all_hit(std::size_t chosen, double positions, double throws) noexcept {
  const auto d = static_cast<double>(chosen);
  if (throws < d) return 0;
  if (positions <= 1) return 1;

  // Nearly full: inclusion and exclusion has small terms here and loses nothing.
  if (d * exp(throws * log1p(-1 / positions)) < 0.5) {
    double sum = 0;
    double binomial = 1;
    for (double j = 0; j <= d && j < positions; ++j) {
      const double term = binomial * exp(throws * log1p(-j / positions));
      sum += equals(fmod(j, 2), 0) ? term : -term;
      binomial *= (d - j) / (j + 1);
    }
    return sum;
  }

  OccupancyDistribution covering(chosen);
  if (equals(d, positions)) {
    for (double c = 0; c < throws; ++c) covering.add_throw();
    return covering.probability();
  }

  // The binomial weights relative to the one at the mode, so that nothing underflows; fourteen standard deviations of
  // a binomial hold all but 10^-40 of it.
  const double p = d / positions;
  const double odds = p / (1 - p);
  const double mode = floor((throws + 1) * p);
  const double reach = 14 * sqrt(mode + 1) + 30;
  const double first = (max)(0.0, mode - reach);
  const double last = (min)(throws, mode + reach);
  double weight = 1;
  double below = 0;
  for (double c = mode; c > first; --c) {
    weight *= c / ((throws - c + 1) * odds);
    below += weight;
  }
  double total = below;
  double covered = 0;
  for (double c = 0; c < first; ++c) covering.add_throw();
  for (double c = first; c <= last; ++c) {
    covered += weight * covering.probability();
    if (c >= mode) total += weight;
    if (c > mode && weight < covered * 1e-18) break;
    covering.add_throw();
    weight *= (throws - c) / (c + 1) * odds;
  }
  return covered / total;
}

// Takes O(k^2) steps for each number of distinct bits that matters, whatever m and n. For counts of keys from 0 to
// infinity. Precondition: hashes < row_size.
inline double exact_fpr(double bits, unsigned hashes, double keys) noexcept {
  if (equals(keys, 0)) return 0;
  if (is_huge(keys)) return 1;
  const Row distinct = distinct_positions(bits, hashes);
  const double throws = hashes * keys;
  double sum = 0;
  for (std::size_t d = hashes; d > 0; --d) {
    if (equals(distinct[d], 0)) continue;
    sum += distinct[d] * all_hit(d, bits, throws);
    // Fewer distinct bits are likelier to be all set, but never surely: once their whole mass is below a rounding
    // error of the sum, so are they.
    double rest = 0;
    for (std::size_t below = 1; below < d; ++below) rest += distinct[below];
    if (rest < sum * 1e-17) break;
  }
  return (min)(sum, 1.0);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
