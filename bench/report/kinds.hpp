// SPDX-License-Identifier: BSL-1.0
//
// FilterKind: what the report needs to know about a kind of filter. A new kind of filter is one more value of it.
#ifndef PERHAPS_BENCH_REPORT_KINDS_HPP
#define PERHAPS_BENCH_REPORT_KINDS_HPP

#include <perhaps/perhaps.hpp>

#include "statistics.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace report {

struct Geometry {
  std::uint64_t bits;
  unsigned hashes;
};

// One filter's work: keys as the digests that its hash policy gave them.
struct Trial {
  perhaps::XxHash3 hash;
  std::span<const perhaps::Digest> inserted;
  std::span<const perhaps::Digest> queried;  // none of them is among the inserted
};

struct FilterKind {
  std::string_view filter;
  std::string_view probes;
  // Builds a filter, inserts, checks the inserted keys, queries the others, and adds what came out.
  void (*run)(Geometry, const Trial&, Tally&);
  // The rate that the library expects of this kind, n keys inserted.
  double (*model)(Geometry, double keys);
};

template <class Probes>
struct Bloom {
  using Layout = perhaps::Classic<Probes>;
  using Filter = perhaps::BloomFilter<std::string, perhaps::XxHash3, Layout>;

  static void run(Geometry geometry, const Trial& trial, Tally& tally) {
    Filter filter({.bits = geometry.bits, .hashes = geometry.hashes}, trial.hash);
    for (const perhaps::Digest digest : trial.inserted) filter.insert(digest);
    std::uint64_t found = 0;
    for (const perhaps::Digest digest : trial.inserted) found += filter.may_contain(digest) ? 1U : 0U;
    std::uint64_t hits = 0;
    for (const perhaps::Digest digest : trial.queried) hits += filter.may_contain(digest) ? 1U : 0U;

    ++tally.filters;
    tally.hits += hits;
    tally.squares += hits * hits;
    tally.denied += trial.inserted.size() - found;
    tally.fill += filter.fill_ratio();
    tally.from_fill += filter.current_fpr();
  }

  static double model(Geometry geometry, double keys) {
    return Layout::expected_fpr(geometry.bits, geometry.hashes, keys);
  }

  static constexpr FilterKind kind{"BloomFilter", Probes::name, run, model};
};

inline constexpr std::array kinds{Bloom<perhaps::DoubleHashing>::kind, Bloom<perhaps::EnhancedDoubleHashing>::kind,
                                  Bloom<perhaps::RotatingDoubleHashing>::kind};
inline constexpr std::size_t plain_kind = 0;
inline constexpr std::size_t default_kind = 2;
static_assert(perhaps::Classic<>::probe_sequence::name == kinds[default_kind].probes);

}  // namespace report

#endif
