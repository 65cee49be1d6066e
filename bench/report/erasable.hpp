// SPDX-License-Identifier: BSL-1.0
//
// Filters that give keys back: measured rates full and after half of the keys were erased, against their own formula,
// 1 - (1 - 1/(2^f - 1))^(2b * load). Single filters scatter little here, so pooled counts and Wilson's interval do.
#ifndef PERHAPS_BENCH_REPORT_ERASABLE_HPP
#define PERHAPS_BENCH_REPORT_ERASABLE_HPP

#include <perhaps/perhaps.hpp>

#include "keys.hpp"
#include "statistics.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace report {

struct ErasableRow {
  std::string filter;
  std::uint64_t keys = 0;
  std::uint64_t bits = 0;
  double load = 0;
  std::uint64_t queries = 0;
  std::uint64_t hits = 0;
  double formula = 0;

  double measured() const { return static_cast<double>(hits) / static_cast<double>(queries); }
  Interval interval() const { return wilson95(static_cast<double>(hits), static_cast<double>(queries)); }
};

namespace detail {

template <unsigned FingerprintBits>
class CuckooTrial {
 public:
  using Filter = perhaps::CuckooFilter<std::string, FingerprintBits>;

  explicit CuckooTrial(std::uint64_t keys) : keys_(keys) {
    const std::string name = "CuckooFilter f=" + std::to_string(FingerprintBits);
    full_.filter = name;
    half_.filter = name + " half erased";
  }

  // digests[0..n) are inserted, the others asked; then the second half of the n is erased, and all asked again.
  void run(const perhaps::XxHash3& hash, const std::vector<perhaps::Digest>& digests) {
    Filter filter({.keys = keys_}, hash);
    const auto first = digests.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(keys_);
    if (!std::all_of(first, last, [&](perhaps::Digest digest) { return filter.insert(digest); })) {
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
    row.bits = filter.capacity() * Filter::fingerprint_bits;
    row.load = filter.load_factor();
    row.formula = filter.current_fpr();
    row.queries += static_cast<std::uint64_t>(end - absent);
    row.hits += static_cast<std::uint64_t>(std::count_if(absent, end, found));
  }

  std::uint64_t keys_;
  ErasableRow full_;
  ErasableRow half_;
};

}  // namespace detail

// A tenth of the keys inserted, the others asked, by filters of 100 seeds and splits.
inline std::vector<ErasableRow> measure_erasable(const Keys& keys, std::uint64_t salt) {
  const std::uint64_t size = std::min<std::uint64_t>(keys.list.size(), 200'000);
  const std::uint64_t n = std::max<std::uint64_t>(1, size / 10);
  detail::CuckooTrial<8> f8(n);
  detail::CuckooTrial<12> f12(n);
  detail::CuckooTrial<16> f16(n);
  std::vector<std::uint32_t> order(keys.list.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<perhaps::Digest> digests(static_cast<std::size_t>(size));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const perhaps::XxHash3 hash((salt << 32U) + seed);
    std::mt19937_64 random(hash.seed());
    for (std::size_t i = 0; i < digests.size(); ++i) {
      std::swap(order[i], order[i + perhaps::fast_range(random(), order.size() - i)]);
      digests[i] = perhaps::digest_of<std::string>(hash, keys.list[order[i]]);
    }
    f8.run(hash, digests);
    f12.run(hash, digests);
    f16.run(hash, digests);
  }
  std::vector<ErasableRow> rows;
  f8.append_to(rows);
  f12.append_to(rows);
  f16.append_to(rows);
  return rows;
}

inline void print_erasable(std::ostream& out, const std::vector<ErasableRow>& rows) {
  out << "\nCuckoo filters as planned, and with half of their keys erased\n"
      << left("filter", 31) << right("n", 7) << right("bits", 9) << right("load", 8) << right("formula", 12)
      << right("measured", 12) << right("+-", 8) << right("ratio", 8) << '\n';
  for (const ErasableRow& row : rows) {
    const double reach = row.interval().high - row.measured();
    out << left(row.filter, 31) << right(std::to_string(row.keys), 7) << right(std::to_string(row.bits), 9)
        << right(fixed(row.load, 3), 8) << right(significant(row.formula, 4), 12)
        << right(significant(row.measured(), 4), 12)
        << right(row.hits == 0 ? "-" : fixed(100 * reach / row.measured(), 1) + "%", 8)
        << right(fixed(row.measured() / row.formula, 3), 8) << '\n';
  }
}

inline void write_csv(std::ostream& out, const std::vector<ErasableRow>& rows) {
  for (const ErasableRow& row : rows) {
    out << row.filter << ",-," << row.keys << ',' << row.bits << ",2," << significant(row.load, 6) << ','
        << row.queries;
    for (const double value : {row.measured(), row.interval().low, row.interval().high, row.formula, row.formula,
                               row.measured() / row.formula}) {
      out << ',' << significant(value, 6);
    }
    out << '\n';
  }
}

}  // namespace report

#endif
