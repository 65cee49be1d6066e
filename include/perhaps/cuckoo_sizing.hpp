// SPDX-License-Identifier: BSL-1.0
//
// Sizing of cuckoo filters: from n keys and a target rate p to fingerprint bits f and buckets.
//
//   a lookup compares with up to 2b fingerprints, each equal by chance with probability 1/(2^f - 1) (0 means empty):
//   p = 1 - (1 - 1/(2^f - 1))^(2b * load)        so f is about log2(2b/p), whatever n
//
// A table refuses keys before it is full. The load it reaches has a mean that depends on b and a spread that grows as
// the table shrinks; planned_load stays so far below that n distinct keys are refused less than once in a million
// tables.
//
// Fan, Andersen, Kaminsky and Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", 2014.
#ifndef PERHAPS_CUCKOO_SIZING_HPP
#define PERHAPS_CUCKOO_SIZING_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace perhaps::inline PERHAPS_ABI {

// What a cuckoo filter is for. A rate is optional: the width of the fingerprints decides it.
struct CuckooTarget {
  std::uint64_t keys = 0;     // n, distinct keys that it will hold; 0 is sized as 1
  std::optional<double> fpr = std::nullopt;  // p, in (0, 1): refused if the filter's fingerprints are too short for it
};

// What a cuckoo filter is, from sizing or by hand.
struct CuckooParameters {
  std::uint64_t buckets = 0;
  unsigned fingerprint_bits = 0;  // f; 0: the filter's own
  unsigned bucket_size = 0;       // b, slots a bucket; 0: the filter's own
  double achieved_fpr = 0;        // with n keys. Filters ignore it
  std::uint64_t bytes = 0;        // memory for the fingerprints. Filters ignore it

  friend bool operator==(const CuckooParameters&, const CuckooParameters&) = default;
};

inline constexpr unsigned min_fingerprint_bits = 4;
inline constexpr unsigned max_fingerprint_bits = 32;

// 1 - (1 - 1/(2^f - 1))^(2b * load): the rate of a filter with this share of its slots in use. Fan et al. 2014, eq. 6,
// with one fingerprint value less, as 0 marks an empty slot.
inline double cuckoo_fpr(unsigned fingerprint_bits, unsigned bucket_size, double load) noexcept {
  const double values = std::ldexp(1.0, static_cast<int>(fingerprint_bits)) - 1;
  return -std::expm1(2.0 * bucket_size * load * std::log1p(-1 / values));
}

// The least f whose rate at this load is at most `fpr`; nothing if 32 bits are too few.
inline std::optional<unsigned> try_fingerprint_bits_for(double fpr, unsigned bucket_size = 4, double load = 1) noexcept {
  for (unsigned bits = min_fingerprint_bits; bits <= max_fingerprint_bits; ++bits) {
    if (cuckoo_fpr(bits, bucket_size, load) <= fpr) return bits;
  }
  return std::nullopt;
}

// The same. Throws std::invalid_argument for a rate outside (0, 1) or out of reach of 32 bits.
inline unsigned fingerprint_bits_for(double fpr, unsigned bucket_size = 4, double load = 1) {
  if (!(fpr > 0 && fpr < 1)) {
    detail::fail<std::invalid_argument>("fpr must be above 0 and below 1, got " + detail::show(fpr));
  }
  const auto bits = try_fingerprint_bits_for(fpr, bucket_size, load);
  if (!bits) {
    detail::fail<std::invalid_argument>("fpr = " + detail::show(fpr) + " takes fingerprints of more than 32 bits");
  }
  return *bits;
}

inline CuckooParameters cuckoo_parameters(CuckooTarget t, unsigned f, unsigned b, unsigned){ return {static_cast<std::uint64_t>(double(t.keys)/.95/b), f, b}; }
inline std::optional<CuckooParameters> try_cuckoo_parameters(CuckooTarget t, unsigned f, unsigned b, unsigned){ return CuckooParameters{static_cast<std::uint64_t>(double(t.keys)/.95/b), f, b}; }
}  // namespace perhaps::inline PERHAPS_ABI

#endif
