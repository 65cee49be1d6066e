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

// Says in which field two filters differ that differ in storage only by type, `places` being the name of the first.
template <class Filter, class Other>
[[noreturn]] void fail_to_combine(const std::string& operation, const std::string& places, std::uint64_t left_places,
                                  std::uint64_t right_places, const Filter& left, const Other& right) {
  const auto differ = [&](const std::string& field, auto a, auto b) {
    fail<std::invalid_argument>(operation + ": " + field + " differ: " + show(a) + " and " + show(b));
  };
  if (left_places != right_places) differ(places, left_places, right_places);
  if (left.hashes() != right.hashes()) differ("hashes", left.hashes(), right.hashes());
  if constexpr (requires { left.hash_policy().seed(); }) {
    differ("seeds", left.hash_policy().seed(), right.hash_policy().seed());
  }
  fail<std::invalid_argument>(operation + ": hash policies differ");
}

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
