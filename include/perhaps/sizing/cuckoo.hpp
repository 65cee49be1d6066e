// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Sizing of cuckoo filters: from n keys and a target rate p to fingerprint bits f and buckets.
///
///     a lookup compares with up to 2b fingerprints, each equal by chance with probability 1/(2^f - 1) (0 means empty):
///     p = 1 - (1 - 1/(2^f - 1))^(2b * load)        so f is about log2(2b/p), whatever n
///
/// A table refuses keys before it is full: at 0.88, 0.975 or 0.995 of its slots for b = 2, 4 or 8 on average, earlier
/// if it is small or 2b + 1 keys happen to share both their buckets. The number of buckets is chosen so that n distinct
/// keys are refused less than once in a million tables.
///
/// More buckets than that lower the load, and with it the rate: where that takes less memory than longer fingerprints,
/// as for rates just above those of a full table, sizing does so.
///
/// Fan, Andersen, Kaminsky and Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", 2014.
#ifndef PERHAPS_SIZING_CUCKOO_HPP
#define PERHAPS_SIZING_CUCKOO_HPP

#include <perhaps/cuckoo/table_geometry.hpp>
#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/sizing/smallest_parameters.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// What a cuckoo filter is for. A rate is optional: the width of the fingerprints decides it.
struct CuckooTarget {
  std::uint64_t keys = 0;                    ///< n, distinct keys that it will hold; 0 is sized as 1
  std::optional<double> fpr = std::nullopt;  ///< p, in (0, 1): refused if the fingerprints are too short for it
};

/// What a cuckoo filter is, from sizing or by hand.
struct CuckooParameters {
  std::uint64_t buckets = 0;      ///< Their number
  unsigned fingerprint_bits = 0;  ///< f; 0: the filter's own
  unsigned bucket_size = 0;       ///< b, slots a bucket; 0: the filter's own
  double expected_fpr = 0;        ///< with n keys. Filters ignore it
  std::uint64_t bytes = 0;        ///< memory for the fingerprints, in whole 64-bit words. Filters ignore it

  /// Equal in every field.
  friend bool operator==(const CuckooParameters&, const CuckooParameters&) = default;
};

inline constexpr unsigned min_fingerprint_bits = 4;   ///< Fewer answer "perhaps" to half of all absent keys
inline constexpr unsigned max_fingerprint_bits = 32;  ///< For rates of down to 2b/2^32, some 10^-9

namespace detail {

// For f >= 2 and any load from 0 up.
inline double cuckoo_fpr(unsigned fingerprint_bits, unsigned bucket_size, double load) noexcept {
  const double values = std::ldexp(1.0, static_cast<int>(fingerprint_bits)) - 1;
  return -std::expm1(2.0 * bucket_size * load * std::log1p(-1 / values));
}

// Demands (argument.hpp) widths that filters have.
inline bool demand_widths(unsigned fingerprint_bits, unsigned bucket_size) {
  const bool known = fingerprint_bits >= min_fingerprint_bits && fingerprint_bits <= max_fingerprint_bits;
  return demand(known, "fingerprint_bits", "from 4 to 32", fingerprint_bits) &&
         demand(bucket_size == 2 || bucket_size == 4 || bucket_size == 8, "bucket_size", "2, 4 or 8", bucket_size);
}

}  // namespace detail

/// 1 - (1 - 1/(2^f - 1))^(2b * load): the rate of a filter with this share of its slots in use. Fan et al. 2014, eq. 6,
/// with one fingerprint value less, as 0 marks an empty slot. O(1).
/// Throws std::invalid_argument for widths that no filter has, and for a load outside [0, 1]; compiled without
/// exceptions, the result is NaN then.
inline double cuckoo_fpr(unsigned fingerprint_bits, unsigned bucket_size, double load) {
  if (!(detail::demand_widths(fingerprint_bits, bucket_size) && detail::demand_share("load", load))) {
    return detail::not_a_number();
  }
  return detail::cuckoo_fpr(fingerprint_bits, bucket_size, load);
}

/// The least f whose rate at this load is at most `fpr`. Nothing if 32 bits are too few, for a rate outside (0, 1), for
/// a load outside [0, 1], and for buckets of other than 2, 4 or 8 slots.
inline std::optional<unsigned> try_fingerprint_bits_for(double fpr, unsigned bucket_size = 4,
                                                        double load = 1) noexcept {
  if (!detail::is_rate(fpr) || !detail::is_share(load)) return std::nullopt;
  if (bucket_size != 2 && bucket_size != 4 && bucket_size != 8) return std::nullopt;
  for (unsigned bits = min_fingerprint_bits; bits <= max_fingerprint_bits; ++bits) {
    if (detail::cuckoo_fpr(bits, bucket_size, load) <= fpr) return bits;
  }
  return std::nullopt;
}

/// The least f whose rate at this load is at most `fpr`. O(f).
/// Throws std::invalid_argument for a rate outside (0, 1) or out of reach of 32 bits, for a load outside [0, 1], and
/// for buckets of other than 2, 4 or 8 slots.
inline unsigned fingerprint_bits_for(double fpr, unsigned bucket_size = 4, double load = 1) {
  detail::demand_rate("fpr", fpr);
  detail::demand_widths(max_fingerprint_bits, bucket_size);
  detail::demand_share("load", load);
  const auto bits = try_fingerprint_bits_for(fpr, bucket_size, load);
  if (!bits) {
    detail::fail<std::invalid_argument>("fpr = " + detail::show(fpr) + " takes fingerprints of more than 32 bits");
  }
  return *bits;
}

namespace detail {

// The share of slots up to which a table of this many buckets fills, all but once in a million tables, fitted to
// simulated ones (the load at the first refusal; thousands of small tables, two to twenty of 2^14 to 2^20 buckets) at
// some six standard deviations below the mean: a plateau that short fingerprints lower, since 2^f - 1 values know few
// ways from bucket to bucket; its decline in ever larger tables; and the spread of small tables, which falls with the
// square root of their size.
inline double reachable_load(double buckets, unsigned fingerprint_bits, unsigned bucket_size) noexcept {
  struct Fit {
    std::array<double, 9> plateau;  // for f = 4, 5, .. 11, 12 and more
    double top, spread;
  };
  constexpr std::array<Fit, 3> fits{{
      {{0.20, 0.35, 0.74, 0.80, 0.83, 0.845, 0.855, 0.855, 0.86}, 0.89, 2.3},      // b = 2
      {{0.70, 0.83, 0.90, 0.92, 0.953, 0.955, 0.955, 0.955, 0.955}, 0.975, 0.65},  // b = 4
      {{0.78, 0.90, 0.94, 0.955, 0.97, 0.975, 0.98, 0.98, 0.98}, 0.99, 0.3},       // b = 8
  }};
  const Fit& fit = fits[bucket_size == 2 ? 0 : bucket_size == 4 ? 1 : 2];
  const double decline = fingerprint_bits >= 12 ? 0.0005 : fingerprint_bits >= 9 ? 0.0015 : 0.0025;
  return (std::min)(fit.plateau[(std::min)(fingerprint_bits, 12U) - min_fingerprint_bits] -
                        decline * (std::max)(0.0, std::log2(buckets) - 20),
                    fit.top - fit.spread / std::sqrt(buckets));
}

// The expected number of sets of `members` keys that fall into the same one of `classes` classes.
inline double expected_sets(double keys, unsigned members, double classes) noexcept {
  double expected = classes;
  for (unsigned i = 0; i < members; ++i) expected *= (keys - i) / (classes * (i + 1));
  return expected;
}

// Sets of 2b + 1 keys that share both their buckets, one too many for the 2b slots: what decides in small tables, and
// for short fingerprints in large ones. There are m * min(m/2, 2^f - 1) / 2 pairs of buckets.
inline double overfull_pairs(double keys, double buckets, double values, unsigned bucket_size) noexcept {
  return expected_sets(keys, 2 * bucket_size + 1, buckets * (std::min)(buckets / 2, values) / 2);
}

// Sets of b + 1 keys that have both their buckets in one: with an odd number of buckets, each fingerprint has one
// bucket that is its own other.
inline double overfull_singles(double keys, double buckets, double values, unsigned bucket_size) noexcept {
  return expected_sets(keys, bucket_size + 1, (std::min)(buckets, values) * buckets) / buckets;
}

inline constexpr std::uint64_t most_buckets = std::uint64_t{1} << 48U;

// A table that is planned, or may be: buckets of b slots of f bits.
struct PlannedTable {
  unsigned bits;
  unsigned slots;

  double values() const noexcept { return std::ldexp(1.0, static_cast<int>(bits)) - 1; }

  // Whether so many buckets, if they are even or odd() allows it, hold so many keys but for once in a million tables.
  // Never false again for more buckets, nor true again for more keys.
  bool holds(std::uint64_t keys, std::uint64_t buckets) const noexcept {
    // One bucket holds b keys whatever they are, two hold 2b: every key can go to either.
    if (keys <= slots) return buckets >= 1;
    if (keys <= 2 * std::uint64_t{slots}) return buckets >= 2;
    if (keys > most_buckets * slots) return false;
    const auto m = static_cast<double>(buckets);
    const auto wanted = static_cast<double>(keys);
    return reachable_load(m, bits, slots) * slots * m >= wanted && overfull_pairs(wanted, m, values(), slots) <= 2e-7;
  }

  // Whether the number of buckets may be odd, with so many of them.
  bool may_be_odd(std::uint64_t keys, std::uint64_t buckets) const noexcept {
    return overfull_singles(static_cast<double>(keys), static_cast<double>(buckets), values(), slots) <= 1e-8;
  }

  // The least number of buckets that holds `keys` keys; nothing from 2^48 on.
  std::optional<std::uint64_t> buckets_for(std::uint64_t keys) const noexcept {
    if (keys > most_buckets * slots) return std::nullopt;
    return even_if_needed(keys,
                          first_true((keys + slots - 1) / slots, [&](std::uint64_t m) { return holds(keys, m); }));
  }

  // The rate with so many keys; `floor` is that of equal digests. A lookup compares with the slots of two buckets,
  // unless there is only one.
  double fpr(std::uint64_t keys, std::uint64_t buckets, double floor) const noexcept {
    const double load = static_cast<double>(keys) / (static_cast<double>(buckets) * slots);
    const double rate = cuckoo_fpr(bits, slots, buckets == 1 ? load / 2 : load);
    return rate + floor - rate * floor;
  }

  // The least number of buckets, from `first` on, whose rate with so many keys is at most `target`, which is above
  // `floor`; nothing beyond 2^48.
  std::optional<std::uint64_t> buckets_for_rate(std::uint64_t keys, std::uint64_t first, double target,
                                                double floor) const noexcept {
    if (fpr(keys, first, floor) <= target) return first;
    const double load = std::log1p(-fpr_beside_floor(target, floor)) / (2.0 * slots * std::log1p(-1 / values()));
    const double guess = std::ceil(static_cast<double>(keys) / (load * slots));
    if (!(guess <= static_cast<double>(most_buckets))) return std::nullopt;
    const std::uint64_t buckets =
        first_true((std::max)(static_cast<std::uint64_t>(guess), first),
                   [&](std::uint64_t m) { return m >= first && fpr(keys, m, floor) <= target; });
    return even_if_needed(keys, buckets);
  }

  // The parameters with so many buckets.
  CuckooParameters parameters(std::uint64_t keys, std::uint64_t buckets, double floor) const noexcept {
    return {.buckets = buckets,
            .fingerprint_bits = bits,
            .bucket_size = slots,
            .expected_fpr = fpr(keys, buckets, floor),
            .bytes = TableGeometry{bits, slots}.words_for(buckets) * sizeof(std::uint64_t)};
  }

 private:
  std::optional<std::uint64_t> even_if_needed(std::uint64_t keys, std::uint64_t buckets) const noexcept {
    if (buckets == 0 || buckets > most_buckets) return std::nullopt;
    return buckets % 2 == 1 && !may_be_odd(keys, buckets) ? buckets + 1 : buckets;
  }
};

// The smallest table of these widths for so many keys, at a rate of at most `fpr` if one is given: by a lower load, if
// need be. Nothing beyond 2^48 buckets.
inline std::optional<CuckooParameters> plan_cuckoo(std::uint64_t keys, PlannedTable table, double floor,
                                                   std::optional<double> fpr = std::nullopt) noexcept {
  auto buckets = table.buckets_for(keys);
  if (buckets && fpr) buckets = table.buckets_for_rate(keys, *buckets, *fpr, floor);
  if (!buckets) return std::nullopt;
  return table.parameters(keys, *buckets, floor);
}

// Of the tables with fingerprints of `first` bits and more, the smallest; of equally small ones that with the shortest.
// One of 33 bits stands for all that are too long for a filter.
inline std::optional<CuckooParameters> smallest_table(std::uint64_t keys, unsigned first, unsigned bucket_size,
                                                      double floor, double fpr) noexcept {
  std::optional<CuckooParameters> best;
  for (unsigned bits = first; bits <= max_fingerprint_bits + 1; ++bits) {
    const auto planned = plan_cuckoo(keys, {bits, bucket_size}, floor, fpr);
    if (planned && (!best || planned->bytes < best->bytes)) best = planned;
  }
  return best;
}

// Why there are no parameters for a target.
struct CuckooFailure {
  enum class Reason {
    bucket_size,
    fingerprint_bits,
    fpr_out_of_range,
    fpr_below_floor,
    fpr_missing,
    too_narrow,
    too_many_keys
  } reason;
  double floor;
  std::optional<unsigned> bits_needed;
};

inline std::variant<CuckooParameters, CuckooFailure> size_cuckoo(const CuckooTarget& target, unsigned bucket_size,
                                                                 unsigned fingerprint_bits, unsigned digest_bits) {
  using Reason = CuckooFailure::Reason;
  const std::uint64_t keys = (std::max)(target.keys, std::uint64_t{1});
  const double floor = collision_fpr(static_cast<double>(keys), digest_bits);
  if (bucket_size != 2 && bucket_size != 4 && bucket_size != 8) return CuckooFailure{Reason::bucket_size, floor, {}};
  if (fingerprint_bits != 0 && (fingerprint_bits < min_fingerprint_bits || fingerprint_bits > max_fingerprint_bits)) {
    return CuckooFailure{Reason::fingerprint_bits, floor, {}};
  }
  if (target.fpr && !is_rate(*target.fpr)) return CuckooFailure{Reason::fpr_out_of_range, floor, {}};
  if (target.fpr && !(*target.fpr > floor)) return CuckooFailure{Reason::fpr_below_floor, floor, {}};
  if (!target.fpr && fingerprint_bits == 0) return CuckooFailure{Reason::fpr_missing, floor, {}};

  std::optional<CuckooParameters> own;
  if (fingerprint_bits != 0) {
    const auto full = plan_cuckoo(keys, {fingerprint_bits, bucket_size}, floor);
    if (!full) return CuckooFailure{Reason::too_many_keys, floor, {}};
    if (!target.fpr || full->expected_fpr <= *target.fpr) return *full;
    // A lower load is for saving memory: who gave a width that would take more than a longer one is told which.
    own = plan_cuckoo(keys, {fingerprint_bits, bucket_size}, floor, target.fpr);
  }
  const unsigned first = fingerprint_bits == 0 ? min_fingerprint_bits : fingerprint_bits + 1;
  const auto best = smallest_table(keys, first, bucket_size, floor, *target.fpr);
  if (own && (!best || own->bytes <= best->bytes)) return *own;
  if (!best) {
    const bool fits = PlannedTable{max_fingerprint_bits, bucket_size}.buckets_for(keys).has_value();
    return CuckooFailure{fits ? Reason::too_narrow : Reason::too_many_keys, floor, {}};
  }
  if (best->fingerprint_bits > max_fingerprint_bits) return CuckooFailure{Reason::too_narrow, floor, {}};
  if (fingerprint_bits == 0) return *best;
  return CuckooFailure{Reason::too_narrow, floor, best->fingerprint_bits};
}

[[noreturn]] inline void fail_cuckoo_sizing(const CuckooTarget& target, unsigned bucket_size, unsigned fingerprint_bits,
                                            unsigned digest_bits, const CuckooFailure& failure) {
  using Reason = CuckooFailure::Reason;
  const std::string fpr = show(target.fpr.value_or(0));
  switch (failure.reason) {
    case Reason::bucket_size:
      fail<std::invalid_argument>("bucket_size must be 2, 4 or 8, got " + show(bucket_size));
    case Reason::fingerprint_bits:
      fail<std::invalid_argument>("fingerprint_bits must be from 4 to 32, got " + show(fingerprint_bits));
    case Reason::fpr_out_of_range:
      fail<std::invalid_argument>("fpr must be above 0 and below 1, got " + fpr);
    case Reason::fpr_below_floor:
      fail<std::invalid_argument>("fpr = " + fpr + " is out of reach: with keys = " + show_keys(target.keys) +
                                  " a hash of " + show(digest_bits) +
                                  " bits gives absent keys the digest of a key at a rate of " + show(failure.floor));
    case Reason::fpr_missing:
      fail<std::invalid_argument>("fpr or fingerprint_bits must be given");
    case Reason::too_narrow:
      fail<std::invalid_argument>("fpr = " + fpr + " takes fingerprints of " +
                                  (failure.bits_needed ? show(*failure.bits_needed) : "more than 32") + " bits" +
                                  (fingerprint_bits == 0 ? "" : ", not " + show(fingerprint_bits)));
    case Reason::too_many_keys:
      break;
  }
  fail<std::length_error>("keys = " + show_keys(target.keys) + " take more than 2^48 buckets");
}

}  // namespace detail

/// Buckets for target.keys keys, so that they are refused less than once in a million filters, and the fingerprint
/// bits: those given, or (0) those that meet target.fpr, floor of a w-bit digest included, in the least memory. Loads
/// of 0.95 and more from 10^5 keys on (b = 4, f >= 8), unless a lower one meets the rate in less memory than longer
/// fingerprints. No filter is built: some ten microseconds.
/// Throws std::invalid_argument for a rate outside (0, 1), below the floor, or for which longer fingerprints than those
/// given take less memory (it names their width), and for widths that no filter has; std::length_error beyond 2^48
/// buckets.
inline CuckooParameters cuckoo_parameters(CuckooTarget target, unsigned bucket_size = 4, unsigned fingerprint_bits = 0,
                                          unsigned digest_bits = default_digest_bits) {
  const auto sized = detail::size_cuckoo(target, bucket_size, fingerprint_bits, digest_bits);
  if (const auto* failure = std::get_if<detail::CuckooFailure>(&sized)) {
    detail::fail_cuckoo_sizing(target, bucket_size, fingerprint_bits, digest_bits, *failure);
  }
  return std::get<CuckooParameters>(sized);
}

/// cuckoo_parameters() without exceptions: nothing where it throws.
inline std::optional<CuckooParameters> try_cuckoo_parameters(CuckooTarget target, unsigned bucket_size = 4,
                                                             unsigned fingerprint_bits = 0,
                                                             unsigned digest_bits = default_digest_bits) {
  const auto sized = detail::size_cuckoo(target, bucket_size, fingerprint_bits, digest_bits);
  if (const auto* parameters = std::get_if<CuckooParameters>(&sized)) return *parameters;
  return std::nullopt;
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
