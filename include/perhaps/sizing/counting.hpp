// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Sizing of counting filters: as many counters as a BloomFilter has bits, and how likely they are to overflow. Pure
/// functions: no counters, no keys, sizes far beyond this machine's memory.
///
///     count of one counter ~ Binomial(kn, 1/m)      n distinct keys, k probes each, m counters
///     P(one reaches T)     = the tail of it from T on      (in layouts of blocks, of how a block's keys spread)
///     P(any reaches T)    <= m P(one reaches T)  <=  m (e kn / (mT))^T
///
/// A counter that reaches its maximum has lost count and sticks there. Which width? At the best fill, kn/m = ln 2, with
/// distinct keys (T = 2^bits - 1):
///
///     bits   sticks at   of all counters, so many do
///      2         3        3.3e-2: only for sets that hardly shrink
///      4        15        1.6e-15: practically never. But certainly for a key inserted 15 times
///      8       255        never for distinct keys: multisets, some hundred of a kind
///     16     65535        multisets with heavy keys
///
/// Fan, Cao, Almeida and Broder, "Summary Cache: A Scalable Wide-Area Web Cache Sharing Protocol", 2000 (last bound).
#ifndef PERHAPS_SIZING_COUNTING_HPP
#define PERHAPS_SIZING_COUNTING_HPP

#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/model/counting.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// What a counting filter is: m and k, from sizing or by hand.
struct CountingParameters {
  std::uint64_t counters = 0;       ///< m
  unsigned hashes = 0;              ///< k
  double expected_fpr = 0;          ///< with n keys: at most the target. Filters ignore it
  std::uint64_t bytes = 0;          ///< memory for the counters, in whole 64-bit words. Filters ignore it
  double overflow_probability = 0;  ///< P(any counter sticks) with n distinct keys, at most. Filters ignore it

  /// Equal in every field.
  friend bool operator==(const CountingParameters&, const CountingParameters&) = default;
};

/// Probability that one given counter is at `threshold` or above once `keys` distinct keys are in, with k independent
/// probes each among all counters; 1 for a threshold of 0. To 12 digits down to the least double. O(threshold).
/// Throws std::invalid_argument for 0 counters or hashes, for keys below 0 or NaN, and for thresholds above 2^16, which
/// no counter has; compiled without exceptions, the result is NaN then.
inline double counter_reaches(std::uint64_t counters, unsigned hashes, double keys, std::uint64_t threshold) {
  const bool valid = detail::demand_above_0("counters", counters) && detail::demand_above_0("hashes", hashes) &&
                     detail::demand_threshold(keys, threshold);
  if (!valid) return detail::not_a_number();
  return detail::binomial_tail(hashes * keys, static_cast<double>(counters), static_cast<double>(threshold));
}

/// At least the probability that any of the counters is, and no more than m P/2 above it, relatively, while that is
/// small: the expected number of such counters, or 1 if that is less. O(threshold). Throws as counter_reaches() does.
inline double any_counter_reaches(std::uint64_t counters, unsigned hashes, double keys, std::uint64_t threshold) {
  return (detail::min)(1.0, static_cast<double>(counters) * counter_reaches(counters, hashes, keys, threshold));
}

/// The bound on that probability by which Fan et al. chose four bits: m (e kn / (mT))^T. Above 1 where it says nothing.
/// O(1). Throws as counter_reaches() does.
inline double fan_bound(std::uint64_t counters, unsigned hashes, double keys, std::uint64_t threshold) {
  constexpr double e = 2.71828182845904523536;
  const bool valid = detail::demand_above_0("counters", counters) && detail::demand_above_0("hashes", hashes) &&
                     detail::demand_threshold(keys, threshold);
  if (!valid) return detail::not_a_number();
  const auto m = static_cast<double>(counters);
  const auto t = static_cast<double>(threshold);
  if (threshold == 0) return m;
  return detail::is_huge(keys) ? detail::endless() : m * std::pow(e * hashes * keys / (m * t), t);
}

namespace detail {

// As many counters as bits; what Filters ignore is left out.
inline CountingParameters to_counting(const BloomParameters& parameters) noexcept {
  return {.counters = parameters.bits, .hashes = parameters.hashes};
}

constexpr bool is_counter_width(unsigned bits) noexcept { return bits == 2 || bits == 4 || bits == 8 || bits == 16; }

// Whether counters of this width take at most 2^64 - 1 bytes.
inline bool counters_fit(const BloomParameters& bloom, unsigned counter_bits) noexcept {
  return bloom.bytes <= (std::numeric_limits<std::uint64_t>::max)() / counter_bits;
}

// The expected number of counters that reach the maximum of their width, where they stick.
template <class Layout>
double sticking_counters(std::uint64_t counters, unsigned hashes, double keys, unsigned counter_bits) {
  const std::uint64_t maximum = (std::uint64_t{1} << counter_bits) - 1;
  const auto m = static_cast<double>(counters);
  if constexpr (requires { Layout::counter_reaches(counters, hashes, keys, maximum); }) {
    return m * Layout::counter_reaches(counters, hashes, keys, maximum);
  } else {
    return m * counter_reaches(counters, hashes, keys, maximum);
  }
}

// Precondition: is_counter_width(counter_bits) and counters_fit().
template <class Layout>
CountingParameters size_counting(const BloomParameters& bloom, BloomTarget target, unsigned counter_bits) {
  const auto keys = static_cast<double>((std::max)(target.keys, std::uint64_t{1}));
  return {.counters = bloom.bits,
          .hashes = bloom.hashes,
          .expected_fpr = bloom.expected_fpr,
          .bytes = bloom.bytes * counter_bits,
          .overflow_probability = (min)(1.0, sticking_counters<Layout>(bloom.bits, bloom.hashes, keys, counter_bits))};
}

}  // namespace detail

/// m and k of bloom_parameters for the same target, m counters of `counter_bits` bits each instead of bits.
/// Throws std::invalid_argument for a width other than 2, 4, 8 or 16, std::length_error for 2^64 bytes or more;
/// otherwise as bloom_parameters.
template <class Layout = Classic<>>
CountingParameters counting_parameters(BloomTarget target, unsigned counter_bits = 4,
                                       unsigned digest_bits = default_digest_bits) requires detail::exceptions_enabled {
  detail::demand(detail::is_counter_width(counter_bits), "counter_bits", "2, 4, 8 or 16", counter_bits);
  const auto bloom = bloom_parameters<Layout>(target, digest_bits);
  if (!detail::counters_fit(bloom, counter_bits)) {
    detail::fail<std::length_error>("keys = " + detail::show_keys(target.keys) +
                                    " at fpr = " + detail::show(target.fpr) +
                                    " with counter_bits = " + detail::show(counter_bits) + " take 2^64 bytes or more");
  }
  return detail::size_counting<Layout>(bloom, target, counter_bits);
}

/// counting_parameters() without exceptions: nothing where it throws.
template <class Layout = Classic<>>
std::optional<CountingParameters> try_counting_parameters(BloomTarget target, unsigned counter_bits = 4,
                                                          unsigned digest_bits = default_digest_bits) {
  const auto bloom = try_bloom_parameters<Layout>(target, digest_bits);
  if (!bloom || !detail::is_counter_width(counter_bits)) return std::nullopt;
  if (!detail::counters_fit(*bloom, counter_bits)) return std::nullopt;
  return detail::size_counting<Layout>(*bloom, target, counter_bits);
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
