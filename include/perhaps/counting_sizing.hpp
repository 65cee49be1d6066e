// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Sizing of counting filters: as many counters as a BloomFilter has bits, and how likely they are to overflow. Pure
/// functions: no counters, no keys, sizes far beyond this machine's memory.
///
///     count of one counter ~ Binomial(kn, 1/m)      n distinct keys, k probes each, m counters
///     P(one reaches T)     = the tail of it from T on
///     P(any reaches T)    <= m P(one reaches T)  <=  m (e kn / (mT))^T
///
/// Which width? At the best fill, kn/m = ln 2, with distinct keys (T = 2^bits):
///
///     bits   sticks at   a counter would overflow
///      2         3        in 5.6e-3 of all counters: only for sets that hardly shrink
///      4        15        7e-17: practically never. But certainly for a key inserted 16 times
///      8       255        never for distinct keys: multisets, some hundred of a kind
///     16     65535        multisets with heavy keys
///
/// Fan, Cao, Almeida and Broder, "Summary Cache: A Scalable Wide-Area Web Cache Sharing Protocol", 2000 (last bound).
#ifndef PERHAPS_COUNTING_SIZING_HPP
#define PERHAPS_COUNTING_SIZING_HPP

#include <perhaps/detail/counting_model.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/layout/scattered.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace perhaps::inline PERHAPS_ABI {

/// What a counting filter is: m and k, from sizing or by hand.
struct CountingParameters {
  std::uint64_t counters = 0;  ///< m
  unsigned hashes = 0;         ///< k
  double achieved_fpr = 0;     ///< with n keys: at most the target. Filters ignore it
  std::uint64_t bytes = 0;     ///< memory for the counters, in whole 64-bit words. Filters ignore it
  double overflow = 0;         ///< bound on P(any counter would exceed its maximum), n distinct keys. Filters ignore it

  /// Equal in every field.
  friend bool operator==(const CountingParameters&, const CountingParameters&) = default;
};

/// Probability that one given counter is at `threshold` or above once `keys` distinct keys are in; 1 for a threshold of
/// 0. To 12 digits down to the least double. Precondition: counters > 0. O(threshold).
inline double counter_reaches(std::uint64_t counters, unsigned hashes, double keys, std::uint64_t threshold) noexcept {
  return detail::binomial_tail(hashes * keys, static_cast<double>(counters), static_cast<double>(threshold));
}

/// At least the probability that any of the counters is, and no more than m P/2 above it, relatively, while that is
/// small: the expected number of such counters, or 1 if that is less.
inline double any_counter_reaches(std::uint64_t counters, unsigned hashes, double keys,
                                  std::uint64_t threshold) noexcept {
  return (std::min)(1.0, static_cast<double>(counters) * counter_reaches(counters, hashes, keys, threshold));
}

/// The bound on the same by which Fan et al. chose four bits: m (e kn / (mT))^T. Above 1 where it says nothing.
inline double fan_bound(std::uint64_t counters, unsigned hashes, double keys, std::uint64_t threshold) noexcept {
  constexpr double e = 2.71828182845904523536;
  const auto m = static_cast<double>(counters);
  const auto t = static_cast<double>(threshold);
  return threshold == 0 ? m : m * std::pow(e * hashes * keys / (m * t), t);
}

namespace detail {

// As many counters as bits; what Filters ignore is left out.
inline CountingParameters to_counting(const BloomParameters& parameters) noexcept {
  return {.counters = parameters.bits, .hashes = parameters.hashes};
}

template <class Layout>
CountingParameters size_counting(const BloomParameters& bloom, BloomTarget target, unsigned counter_bits) noexcept {
  const auto keys = static_cast<double>((std::max)(target.keys, std::uint64_t{1}));
  return {.counters = bloom.bits,
          .hashes = bloom.hashes,
          .achieved_fpr = bloom.achieved_fpr,
          .bytes = bloom.bytes * counter_bits,
          .overflow = any_counter_reaches(bloom.bits, bloom.hashes, keys, std::uint64_t{1} << counter_bits)};
}

constexpr bool is_counter_width(unsigned bits) noexcept { return bits == 2 || bits == 4 || bits == 8 || bits == 16; }

}  // namespace detail

/// m and k of bloom_parameters for the same target, m counters of `counter_bits` bits each instead of bits.
/// Throws std::invalid_argument for a width other than 2, 4, 8 or 16; otherwise as bloom_parameters.
template <class Layout = Scattered<>>
CountingParameters counting_parameters(BloomTarget target, unsigned counter_bits = 4,
                                       unsigned digest_bits = 128) requires detail::exceptions_enabled {
  if (!detail::is_counter_width(counter_bits)) {
    detail::fail<std::invalid_argument>("counter_bits must be 2, 4, 8 or 16, got " + detail::show(counter_bits));
  }
  return detail::size_counting<Layout>(bloom_parameters<Layout>(target, digest_bits), target, counter_bits);
}

/// The same, or nothing where that throws.
template <class Layout = Scattered<>>
std::optional<CountingParameters> try_counting_parameters(BloomTarget target, unsigned counter_bits = 4,
                                                          unsigned digest_bits = 128) {
  const auto bloom = try_bloom_parameters<Layout>(target, digest_bits);
  if (!bloom || !detail::is_counter_width(counter_bits)) return std::nullopt;
  return detail::size_counting<Layout>(*bloom, target, counter_bits);
}

}  // namespace perhaps::inline PERHAPS_ABI

#endif
