// SPDX-License-Identifier: BSL-1.0
//
// A small plotting kit on SVG: a panel with two axes, curves, and marks with intervals. What lies outside an axis is
// clipped.
#ifndef PERHAPS_BENCH_REPORT_PLOT_HPP
#define PERHAPS_BENCH_REPORT_PLOT_HPP

#include "statistics.hpp"
#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace report {

enum class Shape { circle, square, triangle };

struct Style {
  std::string_view color;
  Shape shape;
};

struct Axis {
  double low;
  double high;
  bool log;
  std::string title;
  double step = 0;  // between ticks of a linear axis; 0: a round number that gives about seven

  // Where `value` lies between the ends, 0 to 1.
  double position(double value) const {
    if (!log) return (value - low) / (high - low);
    return std::log(std::max(value, low / 1e3) / low) / std::log(high / low);
  }
};

struct Tick {
  double value;
  std::string label;  // empty: a line only
};

struct Point {
  double x;
  double y;
};

namespace detail {

inline std::vector<Tick> linear_ticks(const Axis& axis) {
  const double rough = (axis.high - axis.low) / 7;
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = decade;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (step < rough) step = factor * decade;
  }
  if (axis.step > 0) step = axis.step;
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  std::vector<Tick> ticks;
  for (double i = std::ceil(axis.low / step - 1e-9); i * step <= axis.high * (1 + 1e-9); ++i) {
    ticks.push_back({i * step, fixed(i * step, digits)});
  }
  return ticks;
}

inline std::string power_of_ten(int exponent) {
  return "10<tspan dy=\"-5\" font-size=\"10\">" + std::to_string(exponent) + "</tspan>";
}

// Decades labelled, and 2 and 5 between them when there are few decades.
inline std::vector<Tick> log_ticks(const Axis& axis) {
  const bool few = axis.high / axis.low < 60;
  const bool plain = axis.low >= 9e-4;
  std::vector<Tick> ticks;
  for (int e = static_cast<int>(std::floor(std::log10(axis.low))); std::pow(10.0, e) <= axis.high; ++e) {
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10.0, e);
      if (value < axis.low * (1 - 1e-9) || value > axis.high * (1 + 1e-9)) continue;
      std::string label;
      if (digit == 1) label = plain ? shortest(value) : power_of_ten(e);
      if (few && plain && (digit == 2 || digit == 5)) label = shortest(value);
      ticks.push_back({value, label});
    }
  }
  return ticks;
}

inline std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + fixed(value, 1) + "\"";
}

}  // namespace detail

inline void draw_line(std::ostream& out, Point from, Point to, std::string_view color, double width) {
  using detail::attribute;
  out << "<line" << attribute("x1", from.x) << attribute("y1", from.y) << attribute("x2", to.x) << attribute("y2", to.y)
      << attribute("stroke-width", width) << " stroke=\"" << color << "\"/>\n";
}

// `more`: further attributes.
inline void draw_text(std::ostream& out, Point at, const std::string& text, std::string_view more = {}) {
  out << "<text" << detail::attribute("x", at.x) << detail::attribute("y", at.y) << ' ' << more << '>' << text
      << "</text>\n";
}

// Hollow marks are for rows with too few samples.
inline void draw_mark(std::ostream& out, Point at, const Style& style, bool filled) {
  using detail::attribute;
  if (style.shape == Shape::circle) {
    out << "<circle" << attribute("cx", at.x) << attribute("cy", at.y) << attribute("r", 3.8);
  } else if (style.shape == Shape::square) {
    out << "<rect" << attribute("x", at.x - 3.4) << attribute("y", at.y - 3.4) << attribute("width", 6.8)
        << attribute("height", 6.8);
  } else {
    out << "<polygon points=\"" << fixed(at.x, 1) << ',' << fixed(at.y - 4.6, 1) << ' ' << fixed(at.x + 4.3, 1) << ','
        << fixed(at.y + 3.4, 1) << ' ' << fixed(at.x - 4.3, 1) << ',' << fixed(at.y + 3.4, 1) << '"';
  }
  out << " stroke=\"" << style.color << "\" stroke-width=\"1.4\" fill=\"" << (filled ? style.color : "white")
      << "\"/>\n";
}

class Panel {
 public:
  static constexpr double width = 520;
  static constexpr double height = 260;

  // `corner`: the plot area's upper left one; titles and labels lie around it.
  Panel(std::ostream& out, Point corner, const std::string& title, Axis x, Axis y)
      : out_(out), corner_(corner), x_(std::move(x)), y_(std::move(y)) {
    const std::string id = "clip" + fixed(corner.x, 0) + "-" + fixed(corner.y, 0);
    clip_ = "clip-path=\"url(#" + id + ")\"";
    out_ << "<clipPath id=\"" << id << "\"><rect" << area() << "/></clipPath>\n";
    draw_text(out_, {corner_.x, corner_.y - 12}, title, "font-size=\"15\" font-weight=\"bold\"");
    draw_axes();
  }

  void band(double low, double high, std::string_view color) {
    using detail::attribute;
    const double top = at({x_.low, high}).y;
    out_ << "<rect " << clip_ << attribute("x", corner_.x) << attribute("y", top) << attribute("width", width)
         << attribute("height", at({x_.low, low}).y - top) << " fill=\"" << color << "\"/>\n";
  }

  void curve(const std::vector<Point>& points, std::string_view color, std::string_view dashes = "none") {
    out_ << "<polyline " << clip_ << " fill=\"none\" stroke-width=\"1.6\" stroke=\"" << color
         << "\" stroke-dasharray=\"" << dashes << "\" points=\"";
    for (const Point& point : points) out_ << fixed(at(point).x, 1) << ',' << fixed(at(point).y, 1) << ' ';
    out_ << "\"/>\n";
  }

  // Moved aside by `shift` pixels, so that marks of several kinds stay apart.
  void mark(Point point, Interval interval, const Style& style, bool filled, double shift) {
    const double x = at(point).x + shift;
    const double low = at({point.x, interval.low}).y;
    const double high = at({point.x, interval.high}).y;
    out_ << "<g " << clip_ << ">\n";
    draw_line(out_, {x, low}, {x, high}, style.color, 1.4);
    draw_line(out_, {x - 3, low}, {x + 3, low}, style.color, 1.4);
    draw_line(out_, {x - 3, high}, {x + 3, high}, style.color, 1.4);
    draw_mark(out_, {x, at(point).y}, style, filled);
    out_ << "</g>\n";
  }

  // At `x` of the axis, `below` pixels below the upper edge.
  void label(double x, double below, const std::string& text) {
    draw_text(out_, {at({x, y_.low}).x, corner_.y + below}, text, "text-anchor=\"middle\" font-size=\"11\"");
  }

 private:
  Point at(Point point) const {
    return {corner_.x + width * x_.position(point.x), corner_.y + height * (1 - y_.position(point.y))};
  }

  std::string area() const {
    using detail::attribute;
    return attribute("x", corner_.x) + attribute("y", corner_.y) + attribute("width", width) +
           attribute("height", height);
  }

  void draw_axes() {
    const Point end{corner_.x + width, corner_.y + height};
    for (const Tick& tick : x_.log ? detail::log_ticks(x_) : detail::linear_ticks(x_)) {
      const double x = at({tick.value, y_.low}).x;
      draw_line(out_, {x, corner_.y}, {x, end.y}, tick.label.empty() ? "#f0f0f0" : "#dddddd", 1);
      if (!tick.label.empty()) draw_text(out_, {x, end.y + 18}, tick.label, "text-anchor=\"middle\"");
    }
    for (const Tick& tick : y_.log ? detail::log_ticks(y_) : detail::linear_ticks(y_)) {
      const double y = at({x_.low, tick.value}).y;
      draw_line(out_, {corner_.x, y}, {end.x, y}, tick.label.empty() ? "#f0f0f0" : "#dddddd", 1);
      if (!tick.label.empty()) draw_text(out_, {corner_.x - 7, y + 4}, tick.label, "text-anchor=\"end\"");
    }
    out_ << "<rect" << area() << " fill=\"none\" stroke=\"#444444\"/>\n";
    draw_text(out_, {corner_.x + width / 2, end.y + 38}, x_.title, "text-anchor=\"middle\"");
    const Point side{corner_.x - 56, corner_.y + height / 2};
    draw_text(out_, side, y_.title,
              "text-anchor=\"middle\" transform=\"rotate(-90 " + fixed(side.x, 1) + " " + fixed(side.y, 1) + ")\"");
  }

  std::ostream& out_;
  Point corner_;
  Axis x_;
  Axis y_;
  std::string clip_;
};

}  // namespace report

#endif
