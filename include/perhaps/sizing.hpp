// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Sizing: from n keys and a target false-positive rate p to m bits and k hashes, and back. Pure functions: no bits, no
/// keys, sizes far beyond this machine's memory.
///
///     p = (1 - e^(-kn/m))^k     best k = (m/n) ln 2     m = -n ln p / (ln 2)^2 = 1.44 n log2(1/p)   for real k
///
/// k is an integer, so the formula for m misses the target (ceil(m), round(k): 1.0039 % for 1 %). Here m is the least
/// number of bits whose best integer k meets the target, found on the layout's own model and checked after rounding: up
/// to 10 000 keys the exact expectation, which is up to a third above the formula for a handful of keys.
///
/// Bloom 1970; Bose et al., "On the false-positive rate of Bloom filters", 2008.
#ifndef PERHAPS_SIZING_HPP
#define PERHAPS_SIZING_HPP

#include <perhaps/cardinality.hpp>
#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/model/classic.hpp>
#include <perhaps/sizing/smallest_parameters.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// What a filter is for: named, so that the two numbers can't be swapped.
struct BloomTarget {
  std::uint64_t keys = 0;  ///< n, distinct keys that it will hold; 0 is sized as 1
  double fpr = 0;          ///< p, in (0, 1): the share of absent keys answered "perhaps" once it holds n keys
};

/// What a filter is: m and k, from sizing or by hand.
struct BloomParameters {
  std::uint64_t bits = 0;   ///< m
  unsigned hashes = 0;      ///< k
  double expected_fpr = 0;  ///< with n keys: at most the target. Filters ignore it
  std::uint64_t bytes = 0;  ///< memory for the bits, in whole 64-bit words. Filters ignore it

  /// Equal in every field.
  friend bool operator==(const BloomParameters&, const BloomParameters&) = default;
};

namespace detail {

// Demands (argument.hpp) what formulas over m, k and n are asked for.
inline bool demand_formula(std::uint64_t bits, unsigned hashes, double keys) {
  return demand_above_0("bits", bits) && demand_above_0("hashes", hashes) && demand_count("keys", keys);
}

inline double expected_fill(std::uint64_t bits, unsigned hashes, double keys) noexcept {
  return is_huge(keys) ? 1 : -expm1(-keys * hashes / static_cast<double>(bits));
}

// For counts of keys from 0 to infinity.
inline double collision_fpr(double keys, unsigned digest_bits) noexcept {
  if (equals(keys, 0)) return 0;
  if (is_infinite(keys) || digest_bits == 0) return 1;
  // The least positive double is 2^-1074.
  const double one = ldexp(1.0, digest_bits < 1075 ? -static_cast<int>(digest_bits) : -1075);
  return -expm1(keys * log1p(-one));
}

}  // namespace detail

/// (1 - e^(-kn/m))^k, the classic formula: right in the limit of large m. 0 for no keys, 1 for infinitely many. O(1).
/// Throws std::invalid_argument, here and below, for 0 bits or hashes, and for keys below 0 or NaN; compiled without
/// exceptions, the result is NaN then. Bloom 1970.
inline double expected_fpr(std::uint64_t bits, unsigned hashes, double keys) {
  if (!detail::demand_formula(bits, hashes, keys)) return detail::not_a_number();
  return detail::classic_fpr(static_cast<double>(bits), hashes, keys);
}

/// E[(X/m)^k], the mean rate of k independent probes over all filters of this size, to 14 digits whatever m and n;
/// above the classic formula by about 0.88/n of it at ten bits per key. O(k^3) at most, microseconds, no allocation.
/// Throws std::invalid_argument also for more than 64 hashes. Bose et al. 2008.
inline double exact_fpr(std::uint64_t bits, unsigned hashes, double keys) {
  const bool valid = detail::demand_formula(bits, hashes, keys) &&
                     detail::demand(hashes <= max_hashes, "hashes", "from 1 to 64", hashes);
  return valid ? detail::exact_fpr(static_cast<double>(bits), hashes, keys) : detail::not_a_number();
}

/// The rate of one filter from the bits that are set in it: (X/m)^k, within [0, 1]. O(1).
/// Throws std::invalid_argument for 0 bits or hashes, and for more bits set than there are.
inline double current_fpr(std::uint64_t bits, unsigned hashes, std::uint64_t set_bits) {
  if (!(detail::demand_bits(bits, set_bits) && detail::demand_above_0("hashes", hashes))) return detail::not_a_number();
  return detail::pow(static_cast<double>(set_bits) / static_cast<double>(bits), hashes);
}

/// The mean share of bits set: 1 - e^(-kn/m). O(1). Throws as expected_fpr() does.
inline double expected_fill(std::uint64_t bits, unsigned hashes, double keys) {
  if (!detail::demand_formula(bits, hashes, keys)) return detail::not_a_number();
  return detail::expected_fill(bits, hashes, keys);
}

/// Probability that an absent key's digest equals that of one of n keys: 1 - (1 - 2^-w)^n. No filter can do better.
/// O(1). Throws std::invalid_argument for keys below 0 or NaN.
inline double collision_fpr(double keys, unsigned digest_bits) {
  if (!detail::demand_count("keys", keys)) return detail::not_a_number();
  return detail::collision_fpr(keys, digest_bits);
}

/// The integer k with the lowest classic rate for n keys in m bits, near (m/n) ln 2; the smaller of two equals. 1 to
/// max_hashes; for no keys 1. O(1).
/// Throws std::invalid_argument for 0 bits and for keys below 0 or NaN; compiled without exceptions, it is 0 then.
inline unsigned optimal_hashes(std::uint64_t bits, double keys) {
  constexpr double ln2 = 0.693147180559945309417;
  if (!detail::demand_formula(bits, 1, keys)) return 0;
  if (detail::equals(keys, 0) || detail::is_huge(keys)) return 1;
  const double best = detail::floor(static_cast<double>(bits) * ln2 / keys);
  if (best < 1) return 1;
  if (best >= max_hashes) return max_hashes;
  const auto low = static_cast<unsigned>(best);
  // Compared by logarithms: at hundreds of bits per key both rates are below the least positive double.
  const auto log_fpr = [&](unsigned k) { return k * detail::log(detail::expected_fill(bits, k, keys)); };
  return log_fpr(low + 1) < log_fpr(low) ? low + 1 : low;
}

namespace detail {

// A layout of a format whose readers take certain sizes only: sizing rounds m up to `size_from(m)`, 0 if there is none,
// and planning for given memory down to `size_up_to(m)`. `size_limit` says in words what the greatest is.
template <class Layout>
concept HasSizes = requires(std::uint64_t bits) {
  { Layout::size_from(bits) } -> std::same_as<std::uint64_t>;
  { Layout::size_up_to(bits) } -> std::same_as<std::uint64_t>;
  { Layout::size_limit } -> std::convertible_to<std::string_view>;
};

template <class Layout>
constexpr std::string_view size_limit_of() noexcept {
  if constexpr (HasSizes<Layout>) return Layout::size_limit;
  else return "2^64 bits";
}

// Why there are no parameters for a target, if there are none.
struct SizingFailure {
  enum class Reason { none, fpr_out_of_range, fpr_below_floor, too_many_bits } reason;
  BloomTarget target;
  unsigned digest_bits;
  double floor;
  std::string_view size_limit;
};

// The share of the target that is left to the bits once equal digests have had theirs.
inline double fpr_beside_floor(double fpr, double floor) noexcept { return (fpr - floor) / (1 - floor); }

struct SizedBloom {
  SizingFailure failure;
  BloomParameters parameters;

  bool failed() const noexcept { return failure.reason != SizingFailure::Reason::none; }
};

template <class Layout>
SizedBloom size_bloom(BloomTarget target, unsigned digest_bits) {
  using Reason = SizingFailure::Reason;
  const double keys = target.keys == 0 ? 1 : static_cast<double>(target.keys);
  const double floor = collision_fpr(keys, digest_bits);
  SizedBloom sized{{Reason::none, target, digest_bits, floor, size_limit_of<Layout>()}, {}};
  const auto failed = [&sized](Reason reason) {
    sized.failure.reason = reason;
    return sized;
  };
  if (!is_rate(target.fpr)) return failed(Reason::fpr_out_of_range);
  if (!(target.fpr > floor)) return failed(Reason::fpr_below_floor);

  Geometry least = smallest_parameters<Layout>(keys, fpr_beside_floor(target.fpr, floor), max_hashes);
  if constexpr (HasSizes<Layout>) least.bits = least.bits == 0 ? 0 : Layout::size_from(least.bits);
  if (least.bits == 0) return failed(Reason::too_many_bits);
  const double fpr = Layout::expected_fpr(least.bits, least.hashes, keys);
  sized.parameters = {least.bits, least.hashes, fpr + floor - fpr * floor,
                      Layout::words_for(least.bits) * sizeof(std::uint64_t)};
  return sized;
}

[[noreturn]] inline void fail_sizing(const SizingFailure& failure) {
  using Reason = SizingFailure::Reason;
  const std::string fpr = show(failure.target.fpr);
  if (failure.reason == Reason::fpr_out_of_range) demand_target_rate(failure.target.fpr);
  if (failure.reason == Reason::fpr_below_floor) {
    fail<std::invalid_argument>("fpr = " + fpr + " is out of reach: with keys = " + show_keys(failure.target.keys) +
                                " a hash of " + show(failure.digest_bits) +
                                " bits gives absent keys the digest of a key at a rate of " + show(failure.floor));
  }
  fail<std::length_error>("keys = " + show_keys(failure.target.keys) + " at fpr = " + fpr + " takes more than " +
                          std::string(failure.size_limit));
}

}  // namespace detail

/// The least m, and its best k, whose expected rate with n keys is at most the target, floor of a w-bit digest
/// included. Grows with n and with 1/p, but for up to 3 % where a layout's preferred k ends. No filter is allocated;
/// microseconds on the classic layout, up to ten milliseconds on blocks. `Layout` brings the model.
/// Throws std::invalid_argument for a target outside (0, 1) or below the floor, std::length_error beyond 2^64 bits.
template <class Layout = Classic<>>
BloomParameters bloom_parameters(BloomTarget target, unsigned digest_bits = default_digest_bits)
    requires detail::exceptions_enabled {
  const auto sized = detail::size_bloom<Layout>(target, digest_bits);
  if (sized.failed()) detail::fail_sizing(sized.failure);
  return sized.parameters;
}

/// bloom_parameters() without exceptions: nothing where it throws.
template <class Layout = Classic<>>
std::optional<BloomParameters> try_bloom_parameters(BloomTarget target, unsigned digest_bits = default_digest_bits) {
  const auto sized = detail::size_bloom<Layout>(target, digest_bits);
  if (sized.failed()) return std::nullopt;
  return sized.parameters;
}

/// The most keys that m bits and k hashes hold at a rate of at most `fpr`; 0 if one is too many, and 2^64 - 1 at a rate
/// of 1 or more, which any number of keys keeps. O(64) models.
/// Throws std::invalid_argument for bits and hashes that the layout does not take, and for a rate below 0 or NaN;
/// compiled without exceptions, it is 0 then.
template <class Layout = Classic<>>
std::uint64_t max_keys(std::uint64_t bits, unsigned hashes, double fpr) {
  if (!(detail::demand_geometry<Layout>("bits", bits, hashes) && detail::demand_count("fpr", fpr))) return 0;
  if (detail::equals(fpr, 0)) return 0;  // though rates below the least double are 0 too
  if (!detail::is_rate(fpr)) return (std::numeric_limits<std::uint64_t>::max)();
  return detail::last_true(
      [&](std::uint64_t keys) { return Layout::expected_fpr(bits, hashes, static_cast<double>(keys)) <= fpr; });
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
