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
#ifndef PERHAPS_DETAIL_CLASSIC_MODEL_HPP
#define PERHAPS_DETAIL_CLASSIC_MODEL_HPP

#include <perhaps/detail/real.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <utility>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

inline double classic_fpr(double bits, double hashes, double keys) noexcept {
  return pow(-expm1(-hashes * keys / bits), hashes);
}

// So many numbers, 0 at first. Not std::vector<double>, whose header takes longer to compile than this one.
class Row {
 public:
  explicit Row(std::size_t size) : numbers_(new double[size]()), size_(size) {}
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  ~Row() { delete[] numbers_; }

  std::size_t size() const noexcept { return size_; }
  double& operator[](std::size_t i) noexcept { return numbers_[i]; }
  double operator[](std::size_t i) const noexcept { return numbers_[i]; }

 private:
  double* numbers_;
  std::size_t size_;
};

// P(`throws` onto `places` places leave none out), for growing numbers of throws.
class Covering {
 public:
  explicit Covering(std::size_t places) : hit_(places + 1) { hit_[0] = 1; }

  double probability() const { return hit_[hit_.size() - 1]; }

  void add_throw() {
    const auto places = static_cast<double>(hit_.size() - 1);
    for (std::size_t j = hit_.size() - 1; j > 0; --j) {
      const auto occupied = static_cast<double>(j);
      hit_[j] = hit_[j] * (occupied / places) + hit_[j - 1] * ((places - occupied + 1) / places);
    }
    hit_[0] = 0;
  }

 private:
  Row hit_;  // hit_[j]: P(j places are occupied)
};

// P(`chosen` given places of `places` are all hit by `throws` throws).
inline double all_hit(std::size_t chosen, double places, double throws) {
  const auto d = static_cast<double>(chosen);
  if (throws < d) return 0;

  // Nearly full: inclusion and exclusion has small terms here and loses nothing.
  if (d * exp(throws * log1p(-1 / places)) < 0.5) {
    double sum = 0;
    double binomial = 1;
    for (double j = 0; j <= d && j < places; ++j) {
      const double term = binomial * exp(throws * log1p(-j / places));
      sum += fmod(j, 2) == 0 ? term : -term;
      binomial *= (d - j) / (j + 1);
    }
    return sum;
  }

  Covering covering(chosen);
  if (d == places) {
    for (double c = 0; c < throws; ++c) covering.add_throw();
    return covering.probability();
  }

  // The binomial weights relative to the one at the mode, so that nothing underflows; fourteen standard deviations of
  // a binomial hold all but 10^-40 of it.
  const double p = d / places;
  const double odds = p / (1 - p);
  const double mode = floor((throws + 1) * p);
  const double reach = 14 * sqrt(mode + 1) + 30;
  const double first = greater(0.0, mode - reach);
  const double last = lesser(throws, mode + reach);
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

// Takes O(k^2) steps for each number of distinct bits that matters, whatever m and n.
inline double exact_fpr(double bits, unsigned hashes, double keys) {
  if (keys == 0) return 0;
  Row distinct(hashes + 1U);  // distinct[d]: P(the k probes hit d distinct bits)
  distinct[0] = 1;
  for (unsigned probe = 0; probe < hashes; ++probe) {
    for (std::size_t d = probe + 1U; d > 0; --d) {
      const auto occupied = static_cast<double>(d);
      distinct[d] = distinct[d] * (occupied / bits) + distinct[d - 1] * greater(0.0, (bits - occupied + 1) / bits);
    }
    distinct[0] = 0;
  }
  const double throws = hashes * keys;
  double sum = 0;
  for (std::size_t d = hashes; d > 0; --d) {
    if (distinct[d] == 0) continue;
    sum += distinct[d] * all_hit(d, bits, throws);
    // Fewer distinct bits are likelier to be all set, but never surely: once their whole mass is below a rounding
    // error of the sum, so are they.
    double rest = 0;
    for (std::size_t below = 1; below < d; ++below) rest += distinct[below];
    if (rest < sum * 1e-17) break;
  }
  return lesser(sum, 1.0);
}

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
