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

#include <perhaps/detail/classic_model.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/least.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/layout/scattered.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace perhaps::inline PERHAPS_ABI {

/// What a filter is for: named, so that the two numbers can't be swapped.
struct BloomTarget {
  std::uint64_t keys = 0;  ///< n, distinct keys that it will hold; 0 is sized as 1
  double fpr = 0;          ///< p, in (0, 1): the share of absent keys answered "perhaps" once it holds n keys
};

/// What a filter is: m and k, from sizing or by hand.
struct BloomParameters {
  std::uint64_t bits = 0;   ///< m
  unsigned hashes = 0;      ///< k
  double achieved_fpr = 0;  ///< with n keys: at most the target. Filters ignore it
  std::uint64_t bytes = 0;  ///< memory for the bits, in whole 64-bit words. Filters ignore it

  /// Equal in every field.
  friend bool operator==(const BloomParameters&, const BloomParameters&) = default;
};

/// (1 - e^(-kn/m))^k, the classic formula: right in the limit of large m. 0 for no keys. Bloom 1970.
/// Precondition, here and below: bits > 0, hashes > 0.
inline double expected_fpr(std::uint64_t bits, unsigned hashes, double keys) noexcept {
  return detail::classic_fpr(static_cast<double>(bits), hashes, keys);
}

/// E[(X/m)^k], the mean rate of k independent probes over all filters of this size, to 14 digits whatever m and n;
/// above the classic formula by about 0.88/n of it at ten bits per key. O(k^3) at most, microseconds. Bose et al. 2008.
inline double exact_fpr(std::uint64_t bits, unsigned hashes, double keys) {
  return detail::exact_fpr(static_cast<double>(bits), hashes, keys);
}

/// The rate of one filter from the bits that are set in it: (X/m)^k, within [0, 1].
inline double current_fpr(std::uint64_t bits, unsigned hashes, std::uint64_t set_bits) noexcept {
  return detail::pow(static_cast<double>(set_bits) / static_cast<double>(bits), hashes);
}

/// The mean share of bits set: 1 - e^(-kn/m).
inline double expected_fill(std::uint64_t bits, unsigned hashes, double keys) noexcept {
  return -detail::expm1(-keys * hashes / static_cast<double>(bits));
}

/// Probability that a stranger's digest equals that of one of n keys: 1 - (1 - 2^-w)^n. No filter can do better.
inline double collision_fpr(double keys, unsigned digest_bits) noexcept {
  return -detail::expm1(keys * detail::log1p(-detail::ldexp(1.0, -static_cast<int>(digest_bits))));
}

/// The integer k with the lowest classic rate for n keys in m bits, near (m/n) ln 2; the smaller of two equals. 1 to
/// max_hashes; for no keys 1.
inline unsigned optimal_hashes(std::uint64_t bits, double keys) noexcept {
  constexpr double ln2 = 0.693147180559945309417;
  if (!(keys > 0)) return 1;
  const double best = detail::floor(static_cast<double>(bits) / keys * ln2);
  if (best < 1) return 1;
  if (best >= max_hashes) return max_hashes;
  const auto low = static_cast<unsigned>(best);
  // Compared by logarithms: at hundreds of bits per key both rates are below the least positive double.
  const auto log_fpr = [&](unsigned k) { return k * detail::log(expected_fill(bits, k, keys)); };
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
  if (!(target.fpr > 0 && target.fpr < 1)) return failed(Reason::fpr_out_of_range);
  if (!(target.fpr > floor)) return failed(Reason::fpr_below_floor);

  Geometry least = least_geometry<Layout>(keys, fpr_beside_floor(target.fpr, floor), max_hashes);
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
  if (failure.reason == Reason::fpr_out_of_range) {
    fail<std::invalid_argument>("fpr must be above 0 and below 1, got " + fpr);
  }
  if (failure.reason == Reason::fpr_below_floor) {
    fail<std::invalid_argument>("fpr = " + fpr + " is out of reach: with keys = " + show(failure.target.keys) +
                                " a hash of " + show(failure.digest_bits) +
                                " bits gives strangers the digest of a key at a rate of " + show(failure.floor));
  }
  fail<std::length_error>("keys = " + show(failure.target.keys) + " at fpr = " + fpr + " takes more than " +
                          std::string(failure.size_limit));
}

// Throws std::invalid_argument if there is no filter of this layout with so many places, called `what`, and hashes.
template <class Layout>
void check_geometry(const std::string& what, std::uint64_t places, unsigned hashes) {
  if (places == 0) fail<std::invalid_argument>(what + " must be above 0, got 0");
  if (places % Layout::block_bits != 0) {
    fail<std::invalid_argument>(what + " must be a multiple of " + show(std::uint64_t{Layout::block_bits}) +
                                ", the block of " + std::string(Layout::name) + ", got " + show(places));
  }
  if (!Layout::takes_hashes(hashes)) {
    fail<std::invalid_argument>("hashes must be " + std::string(Layout::hashes_rule) + ", got " + show(hashes));
  }
}

}  // namespace detail

/// The least m, and its best k, whose expected rate with n keys is at most the target, floor of a w-bit digest
/// included. Grows with n and with 1/p. No filter is allocated; microseconds on the classic layout, up to ten
/// milliseconds on blocks. `Layout` brings the model.
/// Throws std::invalid_argument for a target outside (0, 1) or below the floor, std::length_error beyond 2^64 bits.
template <class Layout = Scattered<>>
BloomParameters bloom_parameters(BloomTarget target, unsigned digest_bits = 128) requires detail::exceptions_enabled {
  const auto sized = detail::size_bloom<Layout>(target, digest_bits);
  if (sized.failed()) detail::fail_sizing(sized.failure);
  return sized.parameters;
}

/// The same, or nothing where that throws.
template <class Layout = Scattered<>>
std::optional<BloomParameters> try_bloom_parameters(BloomTarget target, unsigned digest_bits = 128) {
  const auto sized = detail::size_bloom<Layout>(target, digest_bits);
  if (sized.failed()) return std::nullopt;
  return sized.parameters;
}

/// The most keys that m bits and k hashes hold at a rate of at most `fpr`; 0 if one is too many. O(64) models.
/// Precondition: bits > 0, hashes > 0. Nothing is refused: a rate of 1 or more is kept by any number of keys.
template <class Layout = Scattered<>>
std::uint64_t max_keys(std::uint64_t bits, unsigned hashes, double fpr) {
  return detail::greatest(
      [&](std::uint64_t keys) { return Layout::expected_fpr(bits, hashes, static_cast<double>(keys)) <= fpr; });
}

}  // namespace perhaps::inline PERHAPS_ABI

#endif
