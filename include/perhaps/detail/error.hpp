// SPDX-License-Identifier: BSL-1.0
//
// How the library refuses: one exception type per kind of mistake, each message naming the argument and its value.
// Compiled without exceptions, every function that could throw is absent (`requires exceptions_enabled`) and the
// factories that return std::optional remain.
#ifndef PERHAPS_DETAIL_ERROR_HPP
#define PERHAPS_DETAIL_ERROR_HPP

#include <perhaps/version.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
inline constexpr bool exceptions_enabled = true;

// Out of line on purpose: a throw inlined into a hot function costs registers and instruction cache.
template <class Exception, class... Details>
[[noreturn]] void fail(const std::string& message, Details... details) {
  throw Exception("perhaps: " + message, details...);
}

[[noreturn]] inline void fail_for_memory() { throw std::bad_alloc(); }
#else
inline constexpr bool exceptions_enabled = false;

template <class Exception, class... Details>
[[noreturn]] void fail(const std::string& message,
                       Details... details);  // has no definition: nothing that is present here calls it

[[noreturn]] void fail_for_memory();
#endif

// The shortest text that reads back as the same number.
inline std::string show(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

inline std::string show(std::uint64_t value) { return std::to_string(value); }

inline std::string show(unsigned value) { return std::to_string(value); }

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
