// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// The planner: what each kind of filter would be, of three numbers any two: n keys, rate p, memory. Pure functions.
///
///     bits per key    Bloom 1.44 log2(1/p), any p      cuckoo (log2(1/p) + 3) / 0.955, in whole bits of f
///
/// Where the next bit of f would more than meet the rate, cuckoo filters are planned with a lower load instead, if that
/// takes less memory.
///
/// Bloom filters are the smaller ones above about 0.4 %, cuckoo filters below; counting filters cost four Bloom filters
/// and are for those who must erase at a high rate of false positives, or never want to be refused. Layouts of blocks
/// take a few more bits and touch one cache line, where the classic one touches k.
#ifndef PERHAPS_PLANNER_HPP
#define PERHAPS_PLANNER_HPP

#include <perhaps/cuckoo/table_geometry.hpp>
#include <perhaps/detail/argument.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/sizing/counting.hpp>
#include <perhaps/sizing/cuckoo.hpp>
#include <perhaps/sizing/smallest_parameters.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// The classes of filters: BloomFilter, CountingBloomFilter, CuckooFilter.
enum class FilterKind { bloom, counting_bloom, cuckoo };

/// What one kind of filter costs for a target.
struct Plan {
  FilterKind kind;            ///< Which class
  std::string_view layout;    ///< "SplitBlock<64, 8>"; empty for a cuckoo filter
  std::uint64_t keys;         ///< n
  std::uint64_t bytes;        ///< Memory for bits, counters or fingerprints, as bytes() of the filter will say
  double bits_per_key;        ///< 8 * bytes / keys
  double expected_fpr;        ///< With n keys
  double cache_lines;         ///< Of 64 bytes, in which what a lookup of a key reads lies, on average
  std::uint64_t cells;        ///< Bits, counters or buckets: with the numbers below, what the filter is made by
  unsigned hashes;            ///< k; of a cuckoo filter, buckets per key
  unsigned fingerprint_bits;  ///< 0 but for a cuckoo filter
  unsigned bucket_size;       ///< 0 but for a cuckoo filter

  /// Whether keys can be taken out again.
  bool erases() const noexcept { return kind != FilterKind::bloom; }

  /// Whether insert may say no, once more than the planned keys are in.
  bool may_refuse() const noexcept { return kind == FilterKind::cuckoo; }
};

/// What is asked of plan_lowest_fpr.
struct KeysInMemory {
  std::uint64_t keys = 0;   ///< n, distinct keys; 0 is planned as 1
  std::uint64_t bytes = 0;  ///< the most that the filter's memory may be
};

/// What is asked of plan_most_keys.
struct RateInMemory {
  double fpr = 0;           ///< p, in (0, 1)
  std::uint64_t bytes = 0;  ///< the most that the filter's memory may be
};

namespace detail {

inline constexpr unsigned planned_counter_bits = 4;

constexpr unsigned cell_bits(FilterKind kind) noexcept { return kind == FilterKind::bloom ? 1 : planned_counter_bits; }

// How many different ones of `lines` lines are hit by `reads` reads anywhere, on average.
inline double distinct_lines(double lines, double reads) noexcept {
  return lines <= 1 ? 1 : -lines * std::expm1(reads * std::log1p(-1 / lines));
}

// Equal digests have their share of every rate.
inline double with_floor(double fpr, double keys, unsigned digest_bits) noexcept {
  const double floor = collision_fpr(keys, digest_bits);
  return fpr + floor - fpr * floor;
}

template <class Layout>
Plan plan_of_bits(FilterKind kind, std::uint64_t keys, Geometry geometry, double fpr) noexcept {
  const std::uint64_t bytes = Layout::words_for(geometry.bits) * sizeof(std::uint64_t) * cell_bits(kind);
  // Blocks begin at a line, or end within theirs.
  const std::uint64_t reach = Layout::block_bits == 1 ? bytes : Layout::block_bits * cell_bits(kind) / 8;
  return {.kind = kind,
          .layout = Layout::name,
          .keys = keys,
          .bytes = bytes,
          .bits_per_key = 8 * static_cast<double>(bytes) / static_cast<double>(keys),
          .expected_fpr = fpr,
          .cache_lines = distinct_lines(std::ceil(static_cast<double>(reach) / 64), geometry.hashes),
          .cells = geometry.bits,
          .hashes = geometry.hashes,
          .fingerprint_bits = 0,
          .bucket_size = 0};
}

inline Plan plan_of_cuckoo(std::uint64_t keys, const CuckooParameters& sized) noexcept {
  // Buckets are packed, so some lie across two lines.
  const unsigned width = sized.fingerprint_bits * sized.bucket_size;
  const double lines_of_bucket = 1 + (width - std::gcd(width, 512U)) / 512.0;
  return {.kind = FilterKind::cuckoo,
          .layout = {},
          .keys = keys,
          .bytes = sized.bytes,
          .bits_per_key = 8 * static_cast<double>(sized.bytes) / static_cast<double>(keys),
          .expected_fpr = sized.expected_fpr,
          .cache_lines = distinct_lines(std::ceil(static_cast<double>(sized.bytes) / 64), 2 * lines_of_bucket),
          .cells = sized.buckets,
          .hashes = 2,
          .fingerprint_bits = sized.fingerprint_bits,
          .bucket_size = sized.bucket_size};
}

// Adds what `make` makes of this layout for bits and, if the layout has cells, for counters.
template <class Layout, class Make>
void add_plans(std::vector<Plan>& plans, Make make) {
  if (const auto plan = make.template operator()<Layout>(FilterKind::bloom)) plans.push_back(*plan);
  if constexpr (CellLayout<Layout>) {
    if (const auto plan = make.template operator()<Layout>(FilterKind::counting_bloom)) plans.push_back(*plan);
  }
}

// Best first, equals as they were. By insertion: std::stable_sort of some libraries uses what newer compilers warn of.
template <class Better>
void put_in_order(std::vector<Plan>& plans, Better better) {
  for (auto plan = plans.begin(); plan != plans.end(); ++plan) {
    std::rotate(std::upper_bound(plans.begin(), plan, *plan, better), plan, plan + 1);
  }
}

// The smallest cuckoo filter of the three bucket sizes; nothing if 32-bit fingerprints are too short.
inline std::optional<Plan> smallest_cuckoo(BloomTarget target, std::uint64_t keys, unsigned digest_bits) {
  std::optional<Plan> best;
  for (const unsigned bucket_size : {4U, 2U, 8U}) {
    const auto sized = try_cuckoo_parameters({.keys = target.keys, .fpr = target.fpr}, bucket_size, 0, digest_bits);
    if (sized && (!best || sized->bytes < best->bytes)) best = plan_of_cuckoo(keys, *sized);
  }
  return best;
}

// The most bits, or counters, in whole blocks, for which there is memory.
template <class Layout>
std::uint64_t bits_in(std::uint64_t bytes, FilterKind kind) noexcept {
  constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)() / 64;
  const std::uint64_t words = (std::min)(bytes / sizeof(std::uint64_t) / cell_bits(kind), most);
  const std::uint64_t bits = words * 64 / Layout::block_bits * Layout::block_bits;
  if constexpr (HasSizes<Layout>) return Layout::size_up_to(bits);
  else return bits;
}

// The k of the greatest value(k), going from `start` both ways as long as that rises.
template <class Layout, class Value>
unsigned best_hashes(unsigned start, Value value) {
  unsigned best = start;
  auto most = value(start);
  for (const int step : {-1, 1}) {
    const auto next = [step](unsigned k) {
      return next_hashes<Layout>(static_cast<unsigned>(static_cast<int>(k) + step), step, max_hashes);
    };
    for (unsigned k = next(start); k != 0; k = next(k)) {
      const auto other = value(k);
      if (!(other > most)) break;
      most = other;
      best = k;
    }
  }
  return best;
}

// Calls `visit(table)` for the widths of all cuckoo filters.
template <class Visit>
void for_each_cuckoo(Visit visit) {
  for (const unsigned bucket_size : {4U, 2U, 8U}) {
    for (unsigned bits = min_fingerprint_bits; bits <= max_fingerprint_bits; ++bits) {
      visit(PlannedTable{bits, bucket_size});
    }
  }
}

// The most buckets that so much memory has room for, one less where an odd number would not do; 0 if they do not hold
// so many keys.
inline std::uint64_t most_buckets_in(std::uint64_t bytes, PlannedTable table, std::uint64_t keys) noexcept {
  std::uint64_t buckets = (std::min)(TableGeometry{table.bits, table.slots}.buckets_in(bytes), most_buckets);
  if (buckets % 2 == 1 && !table.may_be_odd(keys, buckets)) --buckets;
  return buckets != 0 && table.holds(keys, buckets) ? buckets : 0;
}

// All the memory is used: the lower the load, the lower the rate.
inline std::optional<Plan> lowest_fpr_cuckoo(std::uint64_t bytes, std::uint64_t keys, unsigned digest_bits) {
  std::optional<Plan> best;
  const double floor = collision_fpr(static_cast<double>(keys), digest_bits);
  for_each_cuckoo([&](PlannedTable table) {
    const std::uint64_t buckets = most_buckets_in(bytes, table, keys);
    if (buckets == 0) return;
    const auto sized = table.parameters(keys, buckets, floor);
    if (!best || sized.expected_fpr < best->expected_fpr) best = plan_of_cuckoo(keys, sized);
  });
  return best;
}

inline std::optional<Plan> most_keys_cuckoo(std::uint64_t bytes, double fpr, unsigned digest_bits) {
  std::optional<Plan> best;
  for_each_cuckoo([&](PlannedTable table) {
    const auto floor = [&](std::uint64_t n) { return collision_fpr(static_cast<double>(n), digest_bits); };
    const std::uint64_t keys = last_true([&](std::uint64_t n) {
      if (n == 0) return true;
      const std::uint64_t buckets = most_buckets_in(bytes, table, n);
      return buckets != 0 && table.fpr(n, buckets, floor(n)) <= fpr;
    });
    if (keys == 0 || (best && keys < best->keys)) return;
    // In the least memory that does.
    const auto sized = plan_cuckoo(keys, table, floor(keys), fpr);
    if (sized && (!best || keys > best->keys || sized->bytes < best->bytes)) best = plan_of_cuckoo(keys, *sized);
  });
  return best;
}

}  // namespace detail

/// Every kind of filter, on each of the layouts, that can hold target.keys keys at a rate of at most target.fpr,
/// smallest first; counting filters with 4-bit counters, cuckoo filters with the bucket size that is best. No filter is
/// built: microseconds, and some milliseconds for layouts of blocks.
/// Throws what bloom_parameters throws for a target that no filter can meet.
template <class Layout = Classic<>, class... More>
std::vector<Plan> plan_filters(BloomTarget target, unsigned digest_bits = default_digest_bits)
    requires detail::exceptions_enabled {
  const std::uint64_t keys = (std::max)(target.keys, std::uint64_t{1});
  const auto make = [&]<class L>(FilterKind kind) -> std::optional<Plan> {
    const auto sized = try_bloom_parameters<L>(target, digest_bits);
    if (!sized) return std::nullopt;
    return detail::plan_of_bits<L>(kind, keys, {sized->bits, sized->hashes}, sized->expected_fpr);
  };
  std::vector<Plan> plans;
  detail::add_plans<Layout>(plans, make);
  (detail::add_plans<More>(plans, make), ...);
  if (plans.empty()) static_cast<void>(bloom_parameters<Layout>(target, digest_bits));
  if (const auto cuckoo = detail::smallest_cuckoo(target, keys, digest_bits)) plans.push_back(*cuckoo);
  detail::put_in_order(plans, [](const Plan& left, const Plan& right) { return left.bytes < right.bytes; });
  return plans;
}

/// Every kind of filter, on each of the layouts, that has its lowest rate with target.keys keys in at most target.bytes
/// bytes, lowest first: Bloom filters with the k that is best, cuckoo filters with the fingerprints and the load that
/// are. A kind of which none is so small, or that would refuse keys, is left out; so there may be no plan at
/// all. No filter is built: about a millisecond.
template <class Layout = Classic<>, class... More>
std::vector<Plan> plan_lowest_fpr(KeysInMemory target, unsigned digest_bits = default_digest_bits) {
  const std::uint64_t keys = (std::max)(target.keys, std::uint64_t{1});
  const auto n = static_cast<double>(keys);
  const auto make = [&]<class L>(FilterKind kind) -> std::optional<Plan> {
    const std::uint64_t bits = detail::bits_in<L>(target.bytes, kind);
    if (bits == 0) return std::nullopt;
    const unsigned start = detail::nearest_hashes<L>(optimal_hashes(bits, n), max_hashes);
    const unsigned best = detail::best_hashes<L>(start, [&](unsigned k) { return -L::expected_fpr(bits, k, n); });
    const double fpr = detail::with_floor(L::expected_fpr(bits, best, n), n, digest_bits);
    return detail::plan_of_bits<L>(kind, keys, {bits, best}, fpr);
  };
  std::vector<Plan> plans;
  detail::add_plans<Layout>(plans, make);
  (detail::add_plans<More>(plans, make), ...);
  if (const auto cuckoo = detail::lowest_fpr_cuckoo(target.bytes, keys, digest_bits)) plans.push_back(*cuckoo);
  detail::put_in_order(plans,
                       [](const Plan& left, const Plan& right) { return left.expected_fpr < right.expected_fpr; });
  return plans;
}

/// Every kind of filter, on each of the layouts, that holds the most keys at a rate of at most target.fpr in at most
/// target.bytes bytes, most first. A kind that can't hold one is left out. No filter is built: some ten milliseconds.
/// Throws std::invalid_argument for a rate outside (0, 1).
template <class Layout = Classic<>, class... More>
std::vector<Plan> plan_most_keys(RateInMemory target, unsigned digest_bits = default_digest_bits)
    requires detail::exceptions_enabled {
  detail::demand_target_rate(target.fpr);
  const auto make = [&]<class L>(FilterKind kind) -> std::optional<Plan> {
    const std::uint64_t bits = detail::bits_in<L>(target.bytes, kind);
    if (bits == 0) return std::nullopt;
    const auto fpr = [&](std::uint64_t keys, unsigned k) {
      const auto n = static_cast<double>(keys);
      return detail::with_floor(L::expected_fpr(bits, k, n), n, digest_bits);
    };
    const auto keys_with = [&](unsigned k) {
      return detail::last_true([&](std::uint64_t keys) { return fpr(keys, k) <= target.fpr; });
    };
    const unsigned start = detail::balanced_hashes<L>(target.fpr, max_hashes);
    const unsigned best = detail::best_hashes<L>(start, keys_with);
    const std::uint64_t keys = keys_with(best);
    if (keys == 0) return std::nullopt;
    return detail::plan_of_bits<L>(kind, keys, {bits, best}, fpr(keys, best));
  };
  std::vector<Plan> plans;
  detail::add_plans<Layout>(plans, make);
  (detail::add_plans<More>(plans, make), ...);
  if (const auto cuckoo = detail::most_keys_cuckoo(target.bytes, target.fpr, digest_bits)) plans.push_back(*cuckoo);
  detail::put_in_order(plans, [](const Plan& left, const Plan& right) { return left.keys > right.keys; });
  return plans;
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
