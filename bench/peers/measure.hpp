// SPDX-License-Identifier: BSL-1.0
//
// Contenders measured in turn: every round goes through all work, and for each work through all contenders, so what
// disturbs one disturbs the others. What is reported are medians over rounds.
#ifndef PERHAPS_BENCH_PEERS_MEASURE_HPP
#define PERHAPS_BENCH_PEERS_MEASURE_HPP

#include "contender.hpp"
#include "traffic.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace peers {

// Nanoseconds per key of one contender and work, one number for each round; none where it does not do that work.
using Times = std::vector<double>;

struct Measured {
  std::array<Times, work_names.size()> of;

  const Times& operator[](Work work) const { return of[static_cast<std::size_t>(work)]; }
  Times& operator[](Work work) { return of[static_cast<std::size_t>(work)]; }
};

inline double median(Times values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// The median over rounds of the ratio within a round: what slows a whole round down does not change it.
inline double median_ratio(const Times& above, const Times& below) {
  Times ratios;
  for (std::size_t i = 0; i < std::min(above.size(), below.size()); ++i) ratios.push_back(above[i] / below[i]);
  return median(std::move(ratios));
}

namespace detail {

inline std::uint64_t sink = 0;

// At least a quarter of a million keys, and at most a million of them: long enough for the clock, short enough for
// rounds.
inline constexpr std::size_t fewest = std::size_t{1} << 18U;
inline constexpr std::size_t most = std::size_t{1} << 20U;

// Of the processor, not of the wall: what other programs take in between is not counted.
template <class Key>
double time_of(Contender<Key>& contender, Work work, std::span<const Key> keys, std::size_t times) {
  const std::clock_t start = std::clock();
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < times; ++i) result += contender.run(work, keys);
  const auto took = static_cast<double>(std::clock() - start);
  sink += result;
  return took * (1e9 / CLOCKS_PER_SEC) / static_cast<double>(times * keys.size());
}

template <class Key>
const std::vector<Key>& keys_for(Work work, const Traffic<Key>& traffic) {
  if (work == Work::miss || work == Work::batch_miss) return traffic.absent;
  if (work == Work::mixed || work == Work::batch_mixed) return traffic.mixed;
  return traffic.present;
}

}  // namespace detail

// The first round is not counted: it brings the filters to where all others find them, with every key in.
template <class Key>
std::vector<Measured> measure(const std::vector<Made<Key>>& contenders, const Traffic<Key>& traffic, std::size_t rounds,
                              Work first = Work::erase, Work last = Work::batch_mixed) {
  std::vector<Measured> measured(contenders.size());
  const std::size_t size = traffic.present.size();
  for (const auto& contender : contenders) detail::sink += contender->run(Work::insert, traffic.present);
  for (std::size_t round = 0; round <= rounds; ++round) {
    for (auto number = static_cast<std::size_t>(first); number <= static_cast<std::size_t>(last); ++number) {
      const auto work = static_cast<Work>(number);
      for (std::size_t turn = 0; turn < contenders.size(); ++turn) {
        // Each is the first as often as the others.
        const std::size_t who = (turn + round) % contenders.size();
        Contender<Key>& contender = *contenders[who];
        if (!contender.does(work)) continue;
        // A filter that erases is emptied and filled as a whole, once: its last keys may cost more than its first.
        const bool whole = contender.does(Work::erase) && (work == Work::erase || work == Work::insert);
        const std::size_t count = whole ? size : std::min(size, detail::most);
        const std::size_t begin = whole ? 0 : (round * count) % (size - count + 1);
        const auto keys = std::span<const Key>(detail::keys_for(work, traffic)).subspan(begin, count);
        const std::size_t times = whole || count >= detail::fewest ? 1 : detail::fewest / count;
        const double time = detail::time_of(contender, work, keys, times);
        if (round > 0) measured[who][work].push_back(time);
      }
    }
  }
  return measured;
}

// The share of 10^6 absent keys to whom a filter that holds all present keys says "perhaps".
template <class Key>
double false_positive_rate(Contender<Key>& contender, const Traffic<Key>& traffic) {
  if (contender.run(Work::hit, traffic.present) != traffic.present.size()) {
    throw std::runtime_error(contender.name() + " denies a key that it holds");
  }
  const std::span<const Key> absent(traffic.absent);
  return static_cast<double>(contender.run(Work::miss, absent)) / static_cast<double>(absent.size());
}

}  // namespace peers

#endif
