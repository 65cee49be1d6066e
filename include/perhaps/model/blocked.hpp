// SPDX-License-Identifier: BSL-1.0
//
// The false-positive rate of layouts that put all bits of a key into one of M blocks. Keys fall into blocks at random,
// so blocks are not equally full, and the fuller ones answer "perhaps" more often than the emptier ones make up for:
//
//     rate = sum over J of  Binomial(n, 1/M)(J) * rate of one block with J keys
//
// Independent bits: a block with J keys is a classic filter of B bits. Split blocks: bits fall into lanes of w bits.
// The sum has positive terms only, so small rates lose no digits.
//
// Putze, Sanders and Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007.
#ifndef PERHAPS_MODEL_BLOCKED_HPP
#define PERHAPS_MODEL_BLOCKED_HPP

#include <perhaps/detail/real.hpp>
#include <perhaps/model/classic.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <cstddef>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// sum over J of Binomial(keys, 1/blocks)(J) * rate(J). `rate` never falls with J, is at most 1, and is called for
// J = 0, 1, 2 .. in turn, up to where all that remains is below a rounding error.
template <class RateOf>
double binomial_mixture(double blocks, double keys, RateOf rate) noexcept {
  if (equals(blocks, 1)) {
    double last = rate(0.0);
    for (double j = 1; j <= keys; ++j) last = rate(j);
    return last;
  }
  const double mean = keys / blocks;
  // Weights relative to the mode's, so that nothing underflows.
  const double mode = floor((keys + 1) / blocks);
  const double reach = 14 * sqrt(mode + 1) + 40;
  const double first = (max)(0.0, mode - reach);
  const double last = (min)(keys, mode + reach);
  const double odds = 1 / (blocks - 1);
  double weight = 1;
  for (double j = mode; j > first; --j) weight *= j / ((keys - j + 1) * odds);
  double total = 0;
  double sum = 0;
  for (double j = 0; j <= last; ++j) {
    const double r = rate(j);
    if (j < first) continue;
    sum += weight * r;
    total += weight;
    if (j > mean + 1 && weight < total * 1e-18 && weight < sum * 1e-18) break;
    weight *= (keys - j) / (j + 1) * odds;
  }
  return sum / total;
}

// A block is full, to 15 digits, with so many keys of k bits in B positions; sums need not go on.
inline double saturating_keys(double positions, double hashes) noexcept {
  return positions * (40 + log(hashes + 1)) / hashes;
}

// Blocks of B bits, k independent probes each.
inline double blocked_fpr(double block_bits, double blocks, unsigned hashes, double keys) noexcept {
  if (equals(keys, 0)) return 0;
  if (is_huge(keys) || keys / blocks > 2 * saturating_keys(block_bits, hashes) + 1000) return 1;
  // distinct[d]: P(the k probes of an absent key hit d distinct bits).
  const Row distinct = distinct_positions(block_bits, hashes);
  // Of k given bits, how many are set: set[j] is P(j of them). d of the k are all set with probability
  // sum over j of set[j] * C(j, d) / C(k, d), whichever d they are.
  Row share{};
  for (std::size_t d = 1; d <= hashes; ++d) {
    double choose = 1;  // C(k, d) / C(j, d), inverted, for j = k downwards
    for (std::size_t j = hashes; j >= d; --j) {
      share[j] += distinct[d] * choose;
      choose *= static_cast<double>(j - d) / static_cast<double>(j);
    }
  }
  Row set{};
  set[0] = 1;
  const auto k = static_cast<double>(hashes);
  const auto add_throw = [&] {
    for (std::size_t j = hashes; j > 0; --j) {
      const auto occupied = static_cast<double>(j);
      set[j] = set[j] * (1 - (k - occupied) / block_bits) + set[j - 1] * ((k - occupied + 1) / block_bits);
    }
    set[0] *= 1 - k / block_bits;
  };
  return binomial_mixture(blocks, keys, [&](double j) {
    if (j > 0) {
      for (unsigned probe = 0; probe < hashes; ++probe) add_throw();
    }
    double rate = 0;
    for (std::size_t bits = 1; bits <= hashes; ++bits) rate += set[bits] * share[bits];
    return (min)(1.0, rate);
  });
}

// P(a lane's bit, or its `bits` = 2 independent bits, are set by `throws` independent throws onto w positions).
inline double bit_set_probability(double lane_bits, unsigned bits, double throws) noexcept {
  const double one = -expm1(throws * log1p(-1 / lane_bits));
  if (bits == 1) return one;
  // Two distinct bits: both, by the chance that the first is hit, and that the throws that missed it hit the second;
  // 1 - 2a + b with a = (1 - 1/w)^t, b = (1 - 2/w)^t, written so that few throws lose no digits.
  const double a = throws * log1p(-1 / lane_bits);
  const double b = throws * log1p(-2 / lane_bits);
  const double both = (max)(0.0, expm1(b) - 2 * expm1(a));
  return one / lane_bits + both * (1 - 1 / lane_bits);
}

// Blocks of `lanes` lanes of w bits, `bits` (1 or 2) bits in every lane.
inline double split_fpr(double lane_bits, unsigned lanes, double blocks, unsigned bits, double keys) noexcept {
  if (equals(keys, 0)) return 0;
  if (is_huge(keys) || keys / blocks > 2 * saturating_keys(lane_bits, bits) + 1000) return 1;
  return binomial_mixture(blocks, keys,
                          [&](double j) { return pow(bit_set_probability(lane_bits, bits, bits * j), lanes); });
}

// One bit in each of k < lanes <= 8 lanes next to each other, from a random one on. In a block with J keys, by
// inclusion and exclusion over the lanes of an absent key: a key leaves the lanes S alone with probability c(S), and
//
//     rate of the block = sum over S of (-1)^|S| c(S)^J
//
// The sum is good to about 10^-15: to 1 % of it for two keys and k = 7, to more for more keys. For one key the rate is
// known, and it never falls with J.
inline double partial_split_fpr(double lane_bits, unsigned lanes, double blocks, unsigned hashes,
                                double keys) noexcept {
  if (equals(keys, 0)) return 0;
  if (is_huge(keys) || keys / blocks > 2 * saturating_keys(lane_bits * lanes, hashes) + 1000) return 1;
  const double miss = 1 - 1 / lane_bits;
  Row missed{};  // missed[i] = (1 - 1/w)^i
  missed[0] = 1;
  for (unsigned i = 1; i <= hashes; ++i) missed[i] = missed[i - 1] * miss;
  const unsigned subsets = 1U << hashes;
  std::array<double, 128> one_key{};       // c(S)
  std::array<double, 128> signed_power{};  // (-1)^|S| c(S)^J
  for (unsigned chosen = 0; chosen < subsets; ++chosen) {
    double c = 0;
    double sign = 1;
    for (unsigned i = 0; i < hashes; ++i) sign = (chosen >> i & 1U) != 0 ? -sign : sign;
    for (unsigned first = 0; first < lanes; ++first) {
      unsigned shared = 0;
      for (unsigned i = 0; i < hashes; ++i) {
        const bool covered = (i + lanes - first) % lanes < hashes;
        shared += covered ? chosen >> i & 1U : 0U;
      }
      c += missed[shared];
    }
    one_key[chosen] = c / lanes;
    signed_power[chosen] = sign;
  }
  double rate = 0;
  return binomial_mixture(blocks, keys, [&](double j) {
    if (equals(j, 0)) return 0.0;
    double sum = 0;
    for (unsigned chosen = 0; chosen < subsets; ++chosen) sum += signed_power[chosen] *= one_key[chosen];
    rate = equals(j, 1) ? pow(lane_bits, -static_cast<double>(hashes)) / lanes : clamp(sum, rate, 1.0);
    return rate;
  });
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
