// SPDX-License-Identifier: BSL-1.0
//
// The report as text: a table for each sweep, one line for each size of filter with all kinds side by side, a summary,
// and the same rows as CSV.
#ifndef PERHAPS_BENCH_REPORT_TABLE_HPP
#define PERHAPS_BENCH_REPORT_TABLE_HPP

#include "kinds.hpp"
#include "sweeps.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace report {

inline constexpr const char* table_legend =
    R"(measured   false positives / queries, averaged over filters of different seeds and splits of the keys
+-         half of its 95 % interval, relative; "~" marks rows with too few samples for the precision asked for
(X/m)^k    the rate that the filters themselves report, from the bits set in them
ratio      measured / formula, the formula being (1 - e^(-kn/m))^k
fill       X/m, the share of bits set, with the default sequence
exact      the exact expectation for k independent probes (Bose et al. 2008)
)";

namespace detail {

inline std::string relative_reach(const Row& row) {
  if (row.measured == 0) return "< " + significant(row.interval.high, 2);
  const double reach = std::max(row.interval.high - row.measured, row.measured - row.interval.low);
  return fixed(100 * reach / row.measured, 1) + "%";
}

inline constexpr std::size_t group_width = 39;  // a kind's columns

inline std::string group(const Row& row) {
  return right(significant(row.measured, 4), 10) + right(relative_reach(row), 8) +
         right(significant(row.from_fill, 4), 11) + right(fixed(row.ratio(), row.ratio() < 100 ? 3 : 1), 8) +
         (row.enough ? "  " : " ~");
}

inline std::string group_header() {
  return right("measured", 10) + right("+-", 8) + right("(X/m)^k", 11) + right("ratio", 8) + "  ";
}

inline std::string first_columns(const Sweep& sweep, std::size_t i) {
  const Row& row = sweep.rows[i * kinds.size() + default_kind];
  const std::string k = right(std::to_string(row.geometry.hashes), 3);
  const std::string m = right(std::to_string(row.geometry.bits), 8);
  const std::string rest = right(fixed(row.fill, 3), 7) + right(significant(row.formula, 4), 11);
  if (sweep.over == Over::hashes) return k + rest;
  if (sweep.over == Over::target) return right(shortest(sweep.x[i]), 7) + m + k + rest;
  return right(std::to_string(row.keys), 5) + m + rest + right(significant(row.exact, 4), 11);
}

inline std::string first_header(Over over) {
  const std::string k = right("k", 3);
  const std::string m = right("m", 8);
  const std::string rest = right("fill", 7) + right("formula", 11);
  if (over == Over::hashes) return k + rest;
  if (over == Over::target) return right("target", 7) + m + k + rest;
  return right("n", 5) + m + rest + right("exact", 11);
}

inline std::string place_of(const Row& row) {
  return "n = " + std::to_string(row.keys) + ", m = " + std::to_string(row.geometry.bits) +
         ", k = " + std::to_string(row.geometry.hashes);
}

}  // namespace detail

inline void print_table(std::ostream& out, const Sweep& sweep) {
  if (sweep.rows.empty()) return;
  const std::string header = detail::first_header(sweep.over);
  std::string names(header.size(), ' ');
  std::string columns = header;
  for (const FilterKind& kind : kinds) {
    names += " | " + left(std::string(kind.probes), detail::group_width);
    columns += " | " + detail::group_header();
  }
  names.erase(names.find_last_not_of(' ') + 1);
  columns.erase(columns.find_last_not_of(' ') + 1);
  out << '\n' << sweep.title << '\n' << names << '\n' << columns << '\n';
  for (std::size_t i = 0; i < sweep.x.size(); ++i) {
    std::string line = detail::first_columns(sweep, i);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      line += " | " + detail::group(sweep.rows[i * kinds.size() + kind]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

// Worst |ratio - 1| of each kind, and where plain double hashing is above what k independent probes would give.
inline void print_summary(std::ostream& out, const std::vector<Sweep>& sweeps) {
  out << "\nFarthest from the formula, rows with enough samples and n >= 1000:\n";
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const Row* worst = nullptr;
    std::size_t rows = 0;
    for (const Sweep& sweep : sweeps) {
      for (const Row& row : sweep.rows) {
        if (row.kind != kind || !row.enough || row.keys < 1000) continue;
        ++rows;
        if (worst == nullptr || std::abs(row.ratio() - 1) > std::abs(worst->ratio() - 1)) worst = &row;
      }
    }
    out << "  " << left(std::string(kinds[kind].probes), 23);
    if (worst == nullptr) {
      out << "no such row\n";
    } else {
      out << "|ratio - 1| = " << fixed(std::abs(worst->ratio() - 1), 4) << " at " << detail::place_of(*worst) << " (of "
          << rows << " rows)\n";
    }
  }

  const Row* most = nullptr;     // excess over independent probes
  const Row* largest = nullptr;  // filter with a visible one
  for (const Sweep& sweep : sweeps) {
    for (const Row& row : sweep.rows) {
      if (row.kind != plain_kind || !row.enough || row.interval.low < 1.02 * row.exact) continue;
      if (most == nullptr || row.measured / row.exact > most->measured / most->exact) most = &row;
      if (largest == nullptr || row.geometry.bits > largest->geometry.bits) largest = &row;
    }
  }
  if (most == nullptr) {
    out << "Plain double hashing is nowhere visibly above k independent probes here.\n";
    return;
  }
  out << "Plain double hashing leaves the formula in small filters and at low rates, by about c*n/m^2:\n  "
      << fixed(most->ratio(), 2) << " times it at " << detail::place_of(*most)
      << " (k independent probes: " << fixed(most->exact / most->formula, 2) << " times)";
  if (largest != most) out << ",\n  still " << fixed(largest->ratio(), 2) << " times at " << detail::place_of(*largest);
  out << ".\n";
}

inline void write_csv(std::ostream& out, const std::vector<Sweep>& sweeps) {
  out << "filter,probes,keys,bits,hashes,fill,queries,measured,low,high,formula,from_fill,ratio\n";
  for (const Sweep& sweep : sweeps) {
    for (const Row& row : sweep.rows) {
      out << kinds[row.kind].filter << ',' << kinds[row.kind].probes << ',' << row.keys << ',' << row.geometry.bits
          << ',' << row.geometry.hashes << ',' << significant(row.fill, 6) << ',' << row.queries;
      for (const double value :
           {row.measured, row.interval.low, row.interval.high, row.formula, row.from_fill, row.ratio()}) {
        out << ',' << significant(value, 6);
      }
      out << '\n';
    }
  }
}

}  // namespace report

#endif
