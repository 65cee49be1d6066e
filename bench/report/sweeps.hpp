// SPDX-License-Identifier: BSL-1.0
//
// Which filters the report measures: rates over k, over the target asked for, and over n for small filters.
#ifndef PERHAPS_BENCH_REPORT_SWEEPS_HPP
#define PERHAPS_BENCH_REPORT_SWEEPS_HPP

#include <perhaps/perhaps.hpp>

#include "keys.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace report {

enum class Over { hashes, target, keys };

struct Sweep {
  Over over;
  std::string title;
  std::vector<double> x;  // k, target or n: one for each kinds.size() rows
  std::vector<Row> rows;
};

namespace detail {

inline std::uint64_t bits_for(double bits_per_key, std::uint64_t keys) {
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(bits_per_key * static_cast<double>(keys))));
}

// Lists of millions would take minutes and tell nothing more: a random part of them does.
inline std::uint64_t part_of(std::uint64_t keys) { return std::min<std::uint64_t>(keys, 500'000); }

}  // namespace detail

// Half of the keys inserted, the other half queried.
inline Sweep sweep_hashes(const Keys& keys, double bits_per_key, double precision, std::uint64_t salt,
                          Progress& progress) {
  const std::uint64_t n = detail::part_of(keys.list.size() / 2);
  Experiment experiment{.inserted = n,
                        .queried = detail::part_of(keys.list.size() - n),
                        .geometries = {},
                        .salt = salt,
                        .precision = precision,
                        .most_queries = 2e8};
  Sweep sweep{Over::hashes, {}, {}, {}};
  for (unsigned k = 1; k <= 16; ++k) {
    experiment.geometries.push_back({detail::bits_for(bits_per_key, n), k});
    sweep.x.push_back(k);
  }
  sweep.rows = measure(keys, experiment, progress);
  sweep.title = "k = 1..16 at " + shortest(bits_per_key) + " bits per key: n = " + std::to_string(n) +
                " inserted, m = " + std::to_string(experiment.geometries[0].bits) + ", " +
                std::to_string(experiment.queried) + " absent keys queried per filter";
  return sweep;
}

// A tenth of the keys inserted, so that rare false positives have many chances.
inline Sweep sweep_targets(const Keys& keys, double precision, std::uint64_t salt, Progress& progress) {
  const std::uint64_t size = keys.list.size();
  const std::uint64_t n = detail::part_of(std::max(size / 10, std::min<std::uint64_t>(size / 2, 1000)));
  Experiment experiment{
      .inserted = n, .queried = detail::part_of(size - n), .geometries = {}, .salt = salt, .precision = precision};
  Sweep sweep{Over::target, {}, {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 1e-5}, {}};
  for (const double target : sweep.x) {
    const auto parameters = perhaps::bloom_parameters({.keys = n, .fpr = target});
    experiment.geometries.push_back({parameters.bits, parameters.hashes});
  }
  sweep.rows = measure(keys, experiment, progress);
  sweep.title = "Rates asked for, m and k from bloom_parameters: n = " + std::to_string(n) + " inserted, " +
                std::to_string(experiment.queried) + " absent keys queried per filter";
  return sweep;
}

inline Sweep sweep_small(const Keys& keys, double bits_per_key, unsigned hashes, double precision, std::uint64_t salt,
                         Progress& progress) {
  Sweep sweep{Over::keys, {}, {}, {}};
  constexpr std::array<std::uint64_t, 7> sizes{10, 20, 50, 100, 300, 1000, 3000};
  for (std::size_t i = 0; i < sizes.size() && 2 * sizes[i] <= keys.list.size(); ++i) {
    const std::uint64_t n = sizes[i];
    progress.begin_part(i, sizes.size());
    const Geometry geometry{detail::bits_for(bits_per_key, n), hashes};
    const std::uint64_t queried = best_queries(geometry, n, keys.list.size() - n);
    const auto rows = measure(
        keys, {.inserted = n, .queried = queried, .geometries = {geometry}, .salt = salt + n, .precision = precision},
        progress);
    sweep.x.push_back(static_cast<double>(n));
    sweep.rows.insert(sweep.rows.end(), rows.begin(), rows.end());
  }
  sweep.title = "Small filters: " + shortest(bits_per_key) + " bits per key, k = " + std::to_string(hashes);
  return sweep;
}

}  // namespace report

#endif
