// SPDX-License-Identifier: BSL-1.0
//
// How the library refuses: one exception type per kind of mistake, each message naming the argument and its value.
// Compiled without exceptions, every function that could throw is absent (`requires exceptions_enabled`) and the
// factories that return std::optional remain.
#ifndef PERHAPS_DETAIL_ERROR_HPP
#define PERHAPS_DETAIL_ERROR_HPP

#include <perhaps/detail/real.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
inline constexpr bool exceptions_enabled = true;

// Out of line on purpose: a throw inlined into a hot function costs registers and instruction cache.
template <class Exception, class... Details>
[[noreturn]] void fail(const std::string& message, Details... details) {
  throw Exception("perhaps: " + message, details...);
}

[[noreturn]] inline void fail_for_memory() { throw std::bad_alloc(); }

// What `make` makes, a std::optional; nothing if that throws, as copies of a hash policy may.
template <class Make>
auto attempt(Make make) noexcept -> decltype(make()) {
  try {
    return make();
  } catch (...) {
    return std::nullopt;
  }
}
#else
inline constexpr bool exceptions_enabled = false;

template <class Exception, class... Details>
[[noreturn]] void fail(const std::string& message,
                       Details... details);  // has no definition: nothing that is present here calls it

[[noreturn]] void fail_for_memory();

template <class Make>
auto attempt(Make make) noexcept -> decltype(make()) {
  return make();
}
#endif

// What a filter can't do that has given its memory away, until it is assigned to.
[[noreturn]] inline void fail_moved_from(const std::string& operation) {
  fail<std::invalid_argument>(operation + ": this filter was moved from, it has no bits");
}

// The shortest text that reads back as the same number, as std::to_chars makes it (some powers of two get a digit
// more). Not <charconv>: that header would take a thirtieth of the time that a filter takes to compile.
inline std::string show(double value) {
  char scientific[32];
  char fixed[32];
  int length = 0;
  int digits = 0;  // behind the point; 16 are always enough
  for (;; ++digits) {
    length = std::snprintf(scientific, sizeof(scientific), "%.*e", digits, value);
    if (digits == 16 || equals(std::strtod(scientific, nullptr), value)) break;
  }
  std::string text(scientific, static_cast<std::size_t>(length));
  if (const std::size_t mark = text.find('e'); mark != std::string::npos) {
    const int decimals = digits - std::atoi(scientific + mark + 1);
    const int fixed_length = std::snprintf(fixed, sizeof(fixed), "%.*f", decimals > 0 ? decimals : 0, value);
    if (fixed_length <= length) text.assign(fixed, static_cast<std::size_t>(fixed_length));
  }
  // The decimal point, whatever it is in this locale.
  const std::size_t point = text.find_first_not_of("-+0123456789einfa");
  if (point != std::string::npos) text[point] = '.';
  return text;
}

inline std::string show(std::uint64_t value) { return std::to_string(value); }

inline std::string show(unsigned value) { return std::to_string(value); }

// A number of keys, with what it was before an int became one, should it look so.
inline std::string show_keys(std::uint64_t keys) {
  const auto as_signed = static_cast<std::int64_t>(keys);
  return as_signed < 0 ? show(keys) + " (" + std::to_string(as_signed) + " as a signed number)" : show(keys);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
