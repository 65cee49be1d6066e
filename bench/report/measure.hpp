// SPDX-License-Identifier: BSL-1.0
//
// Measuring: how many filters a row needs, and running them. Each seed hashes its keys once; all kinds, all m and all k
// of an experiment share the digests. Nothing depends on the clock or on the number of threads: equal keys and options
// give an equal report.
#ifndef PERHAPS_BENCH_REPORT_MEASURE_HPP
#define PERHAPS_BENCH_REPORT_MEASURE_HPP

#include <perhaps/perhaps.hpp>

#include "keys.hpp"
#include "kinds.hpp"
#include "progress.hpp"
#include "statistics.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <future>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace report {

struct Row {
  std::size_t kind;
  std::uint64_t keys;
  Geometry geometry;
  std::uint64_t filters;
  std::uint64_t queries;
  double fill;
  double measured;
  Interval interval;
  double formula;
  double exact;
  double model;
  double from_fill;
  bool enough;  // samples, for the precision asked for

  double ratio() const { return measured / formula; }
};

// Filters of one n, of several sizes, each asked the same number of absent keys.
struct Experiment {
  std::uint64_t inserted;
  std::uint64_t queried;
  std::vector<Geometry> geometries;
  std::uint64_t salt;         // experiments of different salts use different seeds
  double precision;           // relative standard error that is enough
  double most_queries = 6e8;  // a row's share of the time, in keys inserted and queried
};

// What building a filter costs beside its queries, in queries.
inline double cost_of_building(double keys) { return 3 * keys + 50; }

// The number of queries per filter with which a row reaches its precision soonest: few when filters scatter much.
inline std::uint64_t best_queries(Geometry geometry, std::uint64_t keys, std::uint64_t most) {
  const auto n = static_cast<double>(keys);
  const double scatter = relative_filter_variance(static_cast<double>(geometry.bits), geometry.hashes, n);
  const double fpr = perhaps::expected_fpr(geometry.bits, geometry.hashes, n);
  const double best = std::sqrt(cost_of_building(n) / (fpr * scatter));
  return best < static_cast<double>(most) ? std::max<std::uint64_t>(1, static_cast<std::uint64_t>(best)) : most;
}

// Enough filters for two thirds of the variance that is allowed, so that chance does not push a row over the limit. A
// row that can't get there in its share of the time takes a quarter of it: its interval is honest, only wide.
inline std::uint64_t filters_needed(const Experiment& experiment, Geometry geometry) {
  constexpr double fewest = 32;  // with fewer, their variance is too uncertain itself
  const auto keys = static_cast<double>(experiment.inserted);
  const auto queries = static_cast<double>(experiment.queried);
  const double fpr = perhaps::expected_fpr(geometry.bits, geometry.hashes, keys);
  const double variance =
      (1 - fpr) / (fpr * queries) + relative_filter_variance(static_cast<double>(geometry.bits), geometry.hashes, keys);
  const double needed = std::ceil(1.5 * variance / (experiment.precision * experiment.precision));
  const double affordable = std::floor(experiment.most_queries / (queries + cost_of_building(keys)));
  return static_cast<std::uint64_t>(std::max(fewest, needed <= affordable ? needed : std::floor(affordable / 4)));
}

namespace detail {

class Run {
 public:
  Run(const Keys& keys, const Experiment& experiment, Progress& progress)
      : keys_(keys), experiment_(experiment), progress_(progress), chunk_(experiment.inserted + experiment.queried) {
    for (const Geometry& geometry : experiment.geometries) needed_.push_back(filters_needed(experiment, geometry));
    most_ = *std::max_element(needed_.begin(), needed_.end());
    // Small filters share a seed: one permutation of the keys serves many of them, a piece for each.
    pieces_ = std::min<std::uint64_t>({keys.list.size() / chunk_, (most_ + shards - 1) / shards, 64});
  }

  std::vector<Tally> operator()() {
    std::vector<std::vector<Tally>> of_shard(shards);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t shard = next++; shard < shards; shard = next++) of_shard[shard] = run_shard(shard);
    };
    std::vector<std::future<void>> workers;
    const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, shards);
    for (std::size_t i = 1; i < threads; ++i) workers.push_back(std::async(std::launch::async, work));
    work();
    for (auto& worker : workers) worker.get();

    // Sums of doubles depend on their order, which must not depend on the threads: shard by shard.
    std::vector<Tally> total(needed_.size() * kinds.size());
    for (const auto& tallies : of_shard) {
      for (std::size_t i = 0; i < total.size(); ++i) total[i].add(tallies[i]);
    }
    return total;
  }

 private:
  static constexpr std::size_t shards = 8;

  std::vector<Tally> run_shard(std::size_t shard) {
    std::vector<Tally> tallies(needed_.size() * kinds.size());
    std::vector<std::uint32_t> order(keys_.list.size());
    std::iota(order.begin(), order.end(), 0U);
    std::vector<perhaps::Digest> digests(pieces_ * chunk_);

    for (std::uint64_t round = shard; round * pieces_ < most_; round += shards) {
      const perhaps::XxHash3 hash((experiment_.salt << 32U) + round);
      draw(hash, order, digests);
      for (std::uint64_t piece = 0; piece < pieces_; ++piece) {
        const auto own = std::span(digests).subspan(piece * chunk_, chunk_);
        const Trial trial{hash, own.first(experiment_.inserted), own.subspan(experiment_.inserted)};
        run_trial(round * pieces_ + piece, trial, tallies);
        progress_.report(static_cast<double>(++trials_) / static_cast<double>(most_));
      }
    }
    return tallies;
  }

  // The first digests.size() keys of a random permutation, hashed.
  void draw(const perhaps::XxHash3& hash, std::vector<std::uint32_t>& order,
            std::vector<perhaps::Digest>& digests) const {
    std::mt19937_64 random(hash.seed());
    for (std::size_t i = 0; i < digests.size(); ++i) {
      std::swap(order[i], order[i + perhaps::fast_range(random(), order.size() - i)]);
      digests[i] = perhaps::digest_of<std::string>(hash, keys_.list[order[i]]);
    }
  }

  void run_trial(std::uint64_t number, const Trial& trial, std::vector<Tally>& tallies) const {
    for (std::size_t g = 0; g < needed_.size(); ++g) {
      if (number >= needed_[g]) continue;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        kinds[k].run(experiment_.geometries[g], trial, tallies[g * kinds.size() + k]);
      }
    }
  }

  const Keys& keys_;
  const Experiment& experiment_;
  Progress& progress_;
  std::size_t chunk_;
  std::vector<std::uint64_t> needed_;  // filters, for each geometry
  std::uint64_t most_ = 0;
  std::size_t pieces_ = 1;
  std::atomic<std::uint64_t> trials_{0};  // done, of all shards
};

}  // namespace detail

// The rows of an experiment, geometry by geometry and kind by kind within each.
// Throws std::runtime_error if a filter denied a key that was inserted.
inline std::vector<Row> measure(const Keys& keys, const Experiment& experiment, Progress& progress) {
  const std::vector<Tally> tallies = detail::Run(keys, experiment, progress)();
  std::vector<Row> rows;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const Tally& tally = tallies[i];
    const std::size_t kind = i % kinds.size();
    const Geometry geometry = experiment.geometries[i / kinds.size()];
    if (tally.denied != 0) {
      throw std::runtime_error(std::string(kinds[kind].filter) + " with " + std::string(kinds[kind].probes) +
                               " denied " + std::to_string(tally.denied) + " inserted keys at m = " +
                               std::to_string(geometry.bits) + ", k = " + std::to_string(geometry.hashes));
    }
    const auto n = static_cast<double>(experiment.inserted);
    const auto filters = static_cast<double>(tally.filters);
    const Estimate rate = estimate(tally, experiment.queried);
    rows.push_back({.kind = kind,
                    .keys = experiment.inserted,
                    .geometry = geometry,
                    .filters = tally.filters,
                    .queries = tally.filters * experiment.queried,
                    .fill = tally.fill / filters,
                    .measured = rate.mean,
                    .interval = rate.interval,
                    .formula = perhaps::expected_fpr(geometry.bits, geometry.hashes, n),
                    .exact = perhaps::exact_fpr(geometry.bits, geometry.hashes, n),
                    .model = kinds[kind].model(geometry, n),
                    .from_fill = tally.from_fill / filters,
                    .enough = rate.relative_error <= experiment.precision});
  }
  return rows;
}

}  // namespace report

#endif
