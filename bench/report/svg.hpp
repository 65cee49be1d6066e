// SPDX-License-Identifier: BSL-1.0
//
// The report as a picture: measured rates on the formula's curve, and measured/formula magnified beside it; below,
// small filters, where the exact expectation and plain double hashing leave the formula; at last, filters that erase.
#ifndef PERHAPS_BENCH_REPORT_SVG_HPP
#define PERHAPS_BENCH_REPORT_SVG_HPP

#include <perhaps/perhaps.hpp>

#include "erasable.hpp"
#include "kinds.hpp"
#include "plot.hpp"
#include "sweeps.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace report {

namespace detail {

// Okabe and Ito's colours, told apart by colour-blind readers too.
inline constexpr std::array<Style, kinds.size()> styles{
    Style{"#D55E00", Shape::circle}, {"#0072B2", Shape::square}, {"#009E73", Shape::triangle}};
inline constexpr std::string_view formula_color = "#333333";
inline constexpr std::string_view band_color = "#eef4e4";
inline constexpr std::string_view dashed = "6 4";

inline constexpr double page_width = 1240;
inline constexpr double first_row = 150;
inline constexpr double row_height = 360;
inline constexpr std::array<double, 2> columns{90, 695};

inline Axis x_axis(const Sweep& sweep) {
  const auto [low, high] = std::minmax_element(sweep.x.begin(), sweep.x.end());
  if (sweep.over == Over::hashes) return {*low - 0.7, *high + 0.7, false, "k, hashes per key", 1};
  if (sweep.over == Over::target) return {*low / 1.6, *high * 1.6, true, "false-positive rate asked for"};
  return {*low / 1.4, *high * 1.4, true, "n, keys inserted"};
}

inline Axis rate_axis(const Sweep& sweep) {
  double low = 1;
  double high = 0;
  for (const Row& row : sweep.rows) {
    low = std::min(low, row.formula);
    high = std::max(high, row.formula);
  }
  return {low / 1.4, high * 1.4, true, "false-positive rate"};
}

inline Axis ratio_axis(const Sweep& sweep) {
  double low = 0.965;
  double high = 1.035;
  for (const Row& row : sweep.rows) {
    // A row with too few samples may be anywhere: it must not squeeze the others.
    low = std::min(low, row.enough ? row.interval.low / row.formula : std::max(0.9, row.ratio()));
    high = std::max(high, row.enough ? row.interval.high / row.formula : std::min(1.1, row.ratio()));
  }
  const double room = 0.04 * (high - low);
  return {low - room, high + room, false, "measured / formula"};
}

inline void draw_rows(Panel& panel, const Sweep& sweep, bool relative) {
  for (std::size_t i = 0; i < sweep.rows.size(); ++i) {
    const Row& row = sweep.rows[i];
    const double unit = relative ? row.formula : 1;
    const double shift = (relative ? 7 : 5) * (static_cast<double>(row.kind) - 1);
    panel.mark({sweep.x[i / kinds.size()], row.measured / unit}, {row.interval.low / unit, row.interval.high / unit},
               styles[row.kind], row.enough, shift);
  }
}

inline std::string size_of(const Sweep& sweep) {
  const Row& row = sweep.rows.front();
  if (sweep.over == Over::target) return "n = " + std::to_string(row.keys) + ", m and k from sizing";
  const double bits_per_key = static_cast<double>(row.geometry.bits) / static_cast<double>(row.keys);
  if (sweep.over == Over::keys) {
    return shortest(bits_per_key) + " bits per key, k = " + std::to_string(row.geometry.hashes);
  }
  return "n = " + std::to_string(row.keys) + ", m = " + std::to_string(row.geometry.bits);
}

// The formula over k as a smooth curve: k need not be an integer in it. Over targets the rows themselves.
inline std::vector<Point> formula_curve(const Sweep& sweep) {
  std::vector<Point> points;
  if (sweep.over == Over::hashes) {
    const Row& row = sweep.rows.front();
    const auto m = static_cast<double>(row.geometry.bits);
    const auto n = static_cast<double>(row.keys);
    for (double k = sweep.x.front(); k <= sweep.x.back(); k += 0.1) {
      points.push_back({k, std::pow(-std::expm1(-k * n / m), k)});
    }
  } else {
    for (std::size_t i = 0; i < sweep.x.size(); ++i)
      points.push_back({sweep.x[i], sweep.rows[i * kinds.size()].formula});
  }
  return points;
}

// What the library expects of a kind, relative to the formula.
inline std::vector<Point> model_curve(const Sweep& sweep, std::size_t kind) {
  std::vector<Point> points;
  if (sweep.over != Over::keys) {
    for (std::size_t i = 0; i < sweep.x.size(); ++i) {
      const Row& row = sweep.rows[i * kinds.size() + kind];
      points.push_back({sweep.x[i], row.model / row.formula});
    }
    return points;
  }
  const Row& row = sweep.rows.front();
  const double bits_per_key = static_cast<double>(row.geometry.bits) / static_cast<double>(row.keys);
  for (double n = sweep.x.front(); n <= sweep.x.back() * 1.01; n *= 1.12) {
    const Geometry geometry{bits_for(bits_per_key, static_cast<std::uint64_t>(std::llround(n))), row.geometry.hashes};
    const double keys = std::round(n);
    points.push_back(
        {keys, kinds[kind].model(geometry, keys) / perhaps::expected_fpr(geometry.bits, geometry.hashes, keys)});
  }
  return points;
}

inline void draw_rates(std::ostream& out, Point corner, const Sweep& sweep) {
  const std::string title = sweep.over == Over::hashes ? "Rate over k: " : "Rate over target: ";
  Panel panel(out, corner, title + size_of(sweep), x_axis(sweep), rate_axis(sweep));
  panel.curve(formula_curve(sweep), formula_color);
  draw_rows(panel, sweep, false);
}

inline void draw_ratios(std::ostream& out, Point corner, const Sweep& sweep) {
  const std::string title = sweep.over == Over::keys ? "Small filters: " : "Measured / formula: ";
  const Axis x = x_axis(sweep);
  Panel panel(out, corner, title + size_of(sweep), x, ratio_axis(sweep));
  panel.band(0.97, 1.03, band_color);
  panel.curve({{x.low, 1}, {x.high, 1}}, formula_color);
  panel.curve(model_curve(sweep, plain_kind), styles[plain_kind].color, dashed);
  panel.curve(model_curve(sweep, default_kind), formula_color, dashed);
  draw_rows(panel, sweep, true);
}

inline constexpr Style planned_style{"#0072B2", Shape::square};
inline constexpr Style erased_style{"#CC79A7", Shape::triangle};

// Of filters that erase: measured over the formula's rate, each with its name above.
inline void draw_erasable(std::ostream& out, Point left, Point right, const std::vector<ErasableRow>& rows) {
  Axis rates{1, 0, true, "formula's rate"};
  Axis ratios{0.965, 1.035, false, "measured / formula"};
  for (const ErasableRow& row : rows) {
    rates.low = std::min(rates.low, row.formula / 1.6);
    rates.high = std::max(rates.high, row.formula * 1.6);
    ratios.low = std::min(ratios.low, row.interval().low / row.formula);
    ratios.high = std::max(ratios.high, row.interval().high / row.formula);
  }
  const double room = 0.04 * (ratios.high - ratios.low);
  // More above, for the names.
  ratios = {ratios.low - room, ratios.high + 8 * room, false, ratios.title};
  Axis measured = rates;
  measured.title = "false-positive rate";

  Panel rate(out, left, "Filters that erase: as planned (squares), half erased (triangles)", rates, measured);
  rate.curve({{rates.low, rates.low}, {rates.high, rates.high}}, formula_color);
  Panel ratio(out, right, "Filters that erase: measured / formula", rates, ratios);
  ratio.band(0.97, 1.03, band_color);
  ratio.curve({{rates.low, 1}, {rates.high, 1}}, formula_color);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ErasableRow& row = rows[i];
    const Style& style = row.erased ? erased_style : planned_style;
    const Interval interval = row.interval();
    rate.mark({row.formula, row.measured()}, interval, style, true, 0);
    ratio.mark({row.formula, row.measured() / row.formula}, {interval.low / row.formula, interval.high / row.formula},
               style, true, 0);
    const std::string name = row.filter.substr(0, row.filter.find(" half"));
    ratio.label(row.formula, 16 + 14 * static_cast<double>(i % 4), name.substr(name.find(' ') + 1));
  }
}

inline void draw_sample(std::ostream& out, Point at, std::string_view color, std::string_view dashes) {
  out << "<line" << attribute("x1", at.x) << attribute("x2", at.x + 28) << attribute("y1", at.y)
      << attribute("y2", at.y) << " stroke=\"" << color << "\" stroke-width=\"1.6\" stroke-dasharray=\"" << dashes
      << "\"/>\n";
}

inline void draw_legend(std::ostream& out) {
  constexpr double line = 70;
  constexpr double next_line = 94;
  constexpr std::array<double, 4> stops{90, 330, 620, 910};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const double x = stops[kind];
    draw_line(out, {x + 14, line - 8}, {x + 14, line + 8}, styles[kind].color, 1.4);
    draw_mark(out, {x + 14, line}, styles[kind], true);
    draw_text(out, {x + 36, line + 4}, std::string(kinds[kind].probes) + (kind == default_kind ? " (default)" : ""));
  }
  draw_mark(out, {stops[3] + 14, line}, {"#666666", Shape::circle}, false);
  draw_text(out, {stops[3] + 36, line + 4}, "hollow: too few samples");

  draw_sample(out, {stops[0], next_line}, formula_color, "none");
  draw_text(out, {stops[0] + 36, next_line + 4}, "formula");
  draw_sample(out, {stops[1], next_line}, formula_color, dashed);
  draw_text(out, {stops[1] + 36, next_line + 4}, "expected, independent probes");
  draw_sample(out, {stops[2], next_line}, styles[plain_kind].color, dashed);
  draw_text(out, {stops[2] + 36, next_line + 4}, "at most, DoubleHashing");
  out << "<rect" << attribute("x", stops[3]) << attribute("y", next_line - 7) << attribute("width", 28)
      << attribute("height", 14) << " fill=\"" << band_color << "\" stroke=\"#bbbbbb\"/>\n";
  draw_text(out, {stops[3] + 36, next_line + 4}, "0.97 to 1.03 of the formula");
}

}  // namespace detail

inline void write_svg(std::ostream& out, const std::vector<Sweep>& sweeps, const std::vector<ErasableRow>& erasable) {
  using detail::attribute;
  using detail::columns;
  // Sweeps over k and targets take a row of two panels each, small filters one panel each.
  std::size_t panels = 0;
  for (const Sweep& sweep : sweeps) {
    if (!sweep.rows.empty()) panels += sweep.over == Over::keys ? 1 : 2;
  }
  panels += panels % 2 + 2;
  const double height = detail::first_row + detail::row_height * std::ceil(static_cast<double>(panels) / 2) - 10;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\"" << attribute("width", detail::page_width)
      << attribute("height", height) << " font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\""
      << " font-size=\"13\" fill=\"#222222\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  draw_text(out, {columns[0], 36},
            "False-positive rates measured, with 95 % intervals, and the formula (1 - e"
            "<tspan dy=\"-6\" font-size=\"14\">-kn/m</tspan><tspan dy=\"6\">)</tspan>"
            "<tspan dy=\"-6\" font-size=\"14\">k</tspan>",
            "font-size=\"20\" font-weight=\"bold\"");
  detail::draw_legend(out);

  std::size_t panel = 0;
  const auto next_corner = [&] {
    const Point corner{columns[panel % 2], detail::first_row + detail::row_height * static_cast<double>(panel / 2)};
    ++panel;
    return corner;
  };
  for (const Sweep& sweep : sweeps) {
    if (sweep.rows.empty()) continue;
    if (sweep.over != Over::keys) detail::draw_rates(out, next_corner(), sweep);
    detail::draw_ratios(out, next_corner(), sweep);
  }
  panel += panel % 2;
  const Point left = next_corner();
  detail::draw_erasable(out, left, next_corner(), erasable);
  draw_text(
      out, {columns[0], height - 14},
      "Marks of one filter size stand side by side, the middle one at the true position. Each is an average over many "
      "filters of different seeds and splits of the keys.",
      "font-size=\"12\" fill=\"#555555\"");
  out << "</svg>\n";
}

}  // namespace report

#endif
