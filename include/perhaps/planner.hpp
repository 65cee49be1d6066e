// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// The planner: what each kind of filter would cost for n keys at rate p, smallest first. Pure functions.
///
///     bits per key    Bloom 1.44 log2(1/p), any p      cuckoo (log2(1/p) + 3) / 0.955, in whole bits of f
///
/// Bloom filters are the smaller ones above about 0.4 %, cuckoo filters below; counting filters cost four Bloom filters
/// and are for those who must erase at a high rate of false positives, or never want to be refused.
#ifndef PERHAPS_PLANNER_HPP
#define PERHAPS_PLANNER_HPP

#include <perhaps/counting_sizing.hpp>
#include <perhaps/cuckoo_sizing.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace perhaps::inline PERHAPS_ABI {

/// The classes of filters: BloomFilter, CountingBloomFilter, CuckooFilter.
enum class FilterKind { bloom, counting_bloom, cuckoo };

/// What one kind of filter costs for a target.
struct Plan {
  FilterKind kind;            ///< Which class
  std::uint64_t bytes;        ///< Memory for bits, counters or fingerprints
  double bits_per_key;        ///< The same, by key
  double achieved_fpr;        ///< With the planned keys: at most the target
  unsigned hashes;            ///< k; of a cuckoo filter, buckets per key
  unsigned fingerprint_bits;  ///< 0 but for a cuckoo filter
  unsigned bucket_size;       ///< likewise

  /// Whether keys can be taken out again.
  bool erases() const noexcept { return kind != FilterKind::bloom; }

  /// Whether insert may say no, once more than the planned keys are in.
  bool may_refuse() const noexcept { return kind == FilterKind::cuckoo; }
};

namespace detail {

// The smallest cuckoo filter of the three bucket sizes; nothing if 32-bit fingerprints are too short.
inline std::optional<Plan> smallest_cuckoo(BloomTarget target, double keys, unsigned digest_bits) {
  std::optional<Plan> best;
  for (const unsigned bucket_size : {4U, 2U, 8U}) {
    const auto sized = try_cuckoo_parameters({.keys = target.keys, .fpr = target.fpr}, bucket_size, 0, digest_bits);
    if (!sized || (best && best->bytes <= sized->bytes)) continue;
    best = Plan{
        FilterKind::cuckoo,      sized->bytes, 8 * static_cast<double>(sized->bytes) / keys, sized->achieved_fpr, 2,
        sized->fingerprint_bits, bucket_size};
  }
  return best;
}

}  // namespace detail

/// Every kind of filter that can hold target.keys keys at a rate of at most target.fpr, smallest first; counting
/// filters with 4-bit counters, cuckoo filters with the bucket size that is best. Microseconds, no filter is built.
/// Throws what bloom_parameters throws for a target that no filter can meet.
template <class Layout = Scattered<>>
std::vector<Plan> plan_filters(BloomTarget target, unsigned digest_bits = 128) requires detail::exceptions_enabled {
  const auto keys = static_cast<double>((std::max)(target.keys, std::uint64_t{1}));
  const auto bloom = bloom_parameters<Layout>(target, digest_bits);
  const auto counting = counting_parameters<Layout>(target, 4, digest_bits);
  const auto plan = [&](FilterKind kind, const auto& sized) {
    const double bits_per_key = 8 * static_cast<double>(sized.bytes) / keys;
    return Plan{kind, sized.bytes, bits_per_key, sized.achieved_fpr, sized.hashes, 0, 0};
  };
  std::vector<Plan> plans{plan(FilterKind::bloom, bloom), plan(FilterKind::counting_bloom, counting)};
  if (const auto cuckoo = detail::smallest_cuckoo(target, keys, digest_bits)) plans.push_back(*cuckoo);
  std::ranges::stable_sort(plans, {}, &Plan::bytes);
  return plans;
}

}  // namespace perhaps::inline PERHAPS_ABI

#endif
