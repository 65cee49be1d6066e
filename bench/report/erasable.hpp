// SPDX-License-Identifier: BSL-1.0
//
// Filters that give keys back: measured rates as planned and after half of the keys were erased, against their own
// formula: (1 - e^(-kn/m))^k of counting filters, 1 - (1 - 1/(2^f - 1))^(2b * load) of cuckoo filters. Over a hundred
// filters; they scatter little beside the queries, so pooled counts and Wilson's interval do.
#ifndef PERHAPS_BENCH_REPORT_ERASABLE_HPP
#define PERHAPS_BENCH_REPORT_ERASABLE_HPP

#include <perhaps/perhaps.hpp>

#include "keys.hpp"
#include "progress.hpp"
#include "statistics.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace report {

struct ErasableRow {
  std::string filter;
  bool erased = false;  // half of the keys
  std::string probes;
  std::uint64_t keys = 0;
  std::uint64_t bits = 0;
  unsigned hashes = 0;
  double load = 0;  // share of counters or slots in use
  std::uint64_t queries = 0;
  std::uint64_t hits = 0;
  double formula = 0;
  double reported = 0;  // by the filter itself

  double measured() const { return static_cast<double>(hits) / static_cast<double>(queries); }
  Interval interval() const { return wilson95(static_cast<double>(hits), static_cast<double>(queries)); }
};

namespace detail {

template <class Filter>
concept Cuckoo = requires { Filter::fingerprint_bits; };

template <class Filter>
void describe(ErasableRow& row, const Filter& filter) {
  row.formula = filter.expected_fpr(row.keys);
  row.reported = filter.current_fpr();
  if constexpr (Cuckoo<Filter>) {
    row.probes = "-";
    row.bits = filter.capacity() * Filter::fingerprint_bits;
    row.hashes = 2;
    row.load = filter.load_factor();
  } else {
    row.probes = Filter::layout::probe_sequence::name;
    row.bits = filter.counters() * Filter::counter_bits;
    row.hashes = filter.hashes();
    row.load = filter.fill_ratio();
  }
}

template <class Filter>
bool add(Filter& filter, perhaps::Digest digest) {
  if constexpr (Cuckoo<Filter>) {
    return filter.insert(digest);
  } else {
    filter.insert(digest);
    return true;
  }
}

template <class Filter>
class ErasableTrial {
 public:
  // `make` builds an empty filter for `keys` keys with the hash policy that it is given.
  ErasableTrial(const std::string& name, std::uint64_t keys, std::function<Filter(perhaps::XxHash3)> make)
      : keys_(keys), make_(std::move(make)) {
    full_.filter = name;
    half_.filter = name + " half erased";
    half_.erased = true;
  }

  // digests[0..n) are inserted, the others asked; then the second half of the n is erased, and all asked again.
  void run(const perhaps::XxHash3& hash, const std::vector<perhaps::Digest>& digests) {
    Filter filter = make_(hash);
    const auto first = digests.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(keys_);
    if (!std::all_of(first, last, [&](perhaps::Digest digest) { return add(filter, digest); })) {
      throw std::runtime_error(full_.filter + " refused a key that it was sized for");
    }
    record(full_, filter, first, last, digests.end());
    const auto middle = first + static_cast<std::ptrdiff_t>(keys_ / 2);
    if (!std::all_of(middle, last, [&](perhaps::Digest digest) { return filter.erase(digest); })) {
      throw std::runtime_error(full_.filter + " did not find a key to erase");
    }
    record(half_, filter, first, middle, digests.end());
  }

  void append_to(std::vector<ErasableRow>& rows) const {
    rows.push_back(full_);
    rows.push_back(half_);
  }

 private:
  template <class Iterator>
  void record(ErasableRow& row, const Filter& filter, Iterator first, Iterator inserted, Iterator end) const {
    const auto found = [&](perhaps::Digest digest) { return filter.may_contain(digest); };
    if (!std::all_of(first, inserted, found)) throw std::runtime_error(row.filter + " denied an inserted key");
    const Iterator absent = first + static_cast<std::ptrdiff_t>(keys_);
    row.keys = static_cast<std::uint64_t>(inserted - first);
    describe(row, filter);
    row.queries += static_cast<std::uint64_t>(end - absent);
    row.hits += static_cast<std::uint64_t>(std::count_if(absent, end, found));
  }

  std::uint64_t keys_;
  std::function<Filter(perhaps::XxHash3)> make_;
  ErasableRow full_;
  ErasableRow half_;
};

template <unsigned FingerprintBits>
auto cuckoo_trial(std::uint64_t keys) {
  using Filter = perhaps::CuckooFilter<std::string, FingerprintBits>;
  return ErasableTrial<Filter>("CuckooFilter f=" + std::to_string(FingerprintBits), keys,
                               [keys](perhaps::XxHash3 hash) { return Filter({.keys = keys}, hash); });
}

inline auto counting_trial(std::uint64_t keys) {
  using Filter = perhaps::CountingBloomFilter<std::string>;
  return ErasableTrial<Filter>("CountingBloomFilter", keys,
                               [sized = Filter({.keys = keys, .fpr = 0.01})](perhaps::XxHash3 hash) {
                                 return Filter({.counters = sized.counters(), .hashes = sized.hashes()}, hash);
                               });
}

}  // namespace detail

// A tenth of the keys inserted, the others asked, by filters of 100 seeds and splits.
inline std::vector<ErasableRow> measure_erasable(const Keys& keys, std::uint64_t salt, Progress& progress) {
  const std::uint64_t size = std::min<std::uint64_t>(keys.list.size(), 200'000);
  const std::uint64_t n = std::max<std::uint64_t>(1, size / 10);
  auto counting = detail::counting_trial(n);
  auto f8 = detail::cuckoo_trial<8>(n);
  auto f12 = detail::cuckoo_trial<12>(n);
  auto f16 = detail::cuckoo_trial<16>(n);
  std::vector<std::uint32_t> order(keys.list.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<perhaps::Digest> digests(static_cast<std::size_t>(size));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    progress.report(static_cast<double>(seed) / 100);
    const perhaps::XxHash3 hash((salt << 32U) + seed);
    std::mt19937_64 random(hash.seed());
    for (std::size_t i = 0; i < digests.size(); ++i) {
      std::swap(order[i], order[i + perhaps::fast_range(random(), order.size() - i)]);
      digests[i] = perhaps::digest_of<std::string>(hash, keys.list[order[i]]);
    }
    counting.run(hash, digests);
    f8.run(hash, digests);
    f12.run(hash, digests);
    f16.run(hash, digests);
  }
  std::vector<ErasableRow> rows;
  counting.append_to(rows);
  f8.append_to(rows);
  f12.append_to(rows);
  f16.append_to(rows);
  return rows;
}

inline void print_erasable(std::ostream& out, const std::vector<ErasableRow>& rows) {
  out << "\nFilters that erase: as planned, and with half of their keys erased\n"
      << left("filter", 34) << right("n", 7) << right("bits", 9) << right("load", 8) << right("formula", 12)
      << right("measured", 12) << right("+-", 8) << right("ratio", 8) << '\n';
  for (const ErasableRow& row : rows) {
    const double reach = row.interval().high - row.measured();
    out << left(row.filter, 34) << right(std::to_string(row.keys), 7) << right(std::to_string(row.bits), 9)
        << right(fixed(row.load, 3), 8) << right(significant(row.formula, 4), 12)
        << right(significant(row.measured(), 4), 12)
        << right(row.hits == 0 ? "-" : fixed(100 * reach / row.measured(), 1) + "%", 8)
        << right(fixed(row.measured() / row.formula, 3), 8) << '\n';
  }
}

inline void write_csv(std::ostream& out, const std::vector<ErasableRow>& rows) {
  for (const ErasableRow& row : rows) {
    out << row.filter << ',' << row.probes << ',' << row.keys << ',' << row.bits << ',' << row.hashes << ','
        << significant(row.load, 6) << ',' << row.queries;
    for (const double value : {row.measured(), row.interval().low, row.interval().high, row.formula, row.reported,
                               row.measured() / row.formula}) {
      out << ',' << significant(value, 6);
    }
    out << '\n';
  }
}

}  // namespace report

#endif
