// SPDX-License-Identifier: BSL-1.0
//
// The command line of fpr_report. A mistake in it is a UsageError: exit code 2, with the usage.
#ifndef PERHAPS_BENCH_REPORT_OPTIONS_HPP
#define PERHAPS_BENCH_REPORT_OPTIONS_HPP

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace report {

struct Options {
  std::optional<std::filesystem::path> keys;  // nothing: the word list, or generated keys
  std::vector<double> bits_per_key{10};
  double precision = 0.007;  // relative standard error that makes a row one with enough samples
  std::filesystem::path out = ".";
  bool help = false;
};

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr std::string_view usage =
    R"(usage: fpr_report [--keys FILE] [--bits-per-key B[,B...]] [--precision PERCENT] [--out DIR]

Measures the false-positive rates of the library's filters and compares them with the formula.

  --keys FILE          keys, one a line; duplicates and empty lines are dropped
                       (default: /usr/share/dict/american-english, else generated keys)
  --bits-per-key B,B   sizes of the filters for k = 1..16 (default: 10)
  --precision PERCENT  relative standard error up to which a row counts as having enough samples (default: 0.7);
                       the time of a run grows with the square of its inverse
  --out DIR            where to write fpr_report.csv and fpr_report.svg (default: the current folder)
  --help               this text

Exit code: 0, or 1 when something went wrong or an inserted key was denied, or 2 for a wrong command line.
)";

namespace detail {

inline double number(std::string_view option, const std::string& text, double most) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !(value > 0) || value > most) {
    throw UsageError(std::string(option) + ": \"" + text + "\" is not a number above 0, at most " +
                     std::to_string(static_cast<int>(most)));
  }
  return value;
}

inline std::vector<double> numbers(std::string_view option, std::string_view list, double most) {
  std::vector<double> values;
  for (;;) {
    const auto comma = list.find(',');
    values.push_back(number(option, std::string(list.substr(0, comma)), most));
    if (comma == std::string_view::npos) return values;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace detail

// Takes "--option value" and "--option=value".
inline Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto equals = arguments[i].find('=');
    const std::string name = arguments[i].substr(0, equals);
    const auto value = [&]() -> std::string {
      std::string text;
      if (equals != std::string::npos) {
        text = arguments[i].substr(equals + 1);
      } else if (i + 1 < arguments.size()) {
        text = arguments[++i];
      }
      if (text.empty()) throw UsageError(name + " needs a value");
      return text;
    };
    if (arguments[i] == "--help" || arguments[i] == "-h") {
      options.help = true;
    } else if (name == "--keys") {
      options.keys = value();
    } else if (name == "--bits-per-key") {
      options.bits_per_key = detail::numbers(name, value(), 1000);
    } else if (name == "--precision") {
      options.precision = detail::number(name, value(), 100) / 100;
    } else if (name == "--out") {
      options.out = value();
    } else {
      throw UsageError("unknown option " + arguments[i]);
    }
  }
  return options;
}

}  // namespace report

#endif
