// SPDX-License-Identifier: BSL-1.0
//
// Numbers as text.
#ifndef PERHAPS_BENCH_REPORT_TEXT_HPP
#define PERHAPS_BENCH_REPORT_TEXT_HPP

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

namespace report {

namespace detail {

inline std::string print(const char* format, int digits, double value) {
  std::array<char, 400> text{};  // the longest double in fixed notation fits
  const int length = std::snprintf(text.data(), text.size(), format, digits, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace detail

inline std::string fixed(double value, int digits) { return detail::print("%.*f", digits, value); }

// At most six significant digits, without trailing zeros.
inline std::string shortest(double value) { return detail::print("%.*g", 6, value); }

// `digits` significant digits, trailing zeros kept.
inline std::string significant(double value, int digits) {
  return value == 0 ? "0" : detail::print("%#.*g", digits, value);
}

inline std::string right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

inline std::string left(const std::string& text, std::size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

}  // namespace report

#endif
