// SPDX-License-Identifier: BSL-1.0
//
// What functions over plain numbers demand of their arguments: each throws std::invalid_argument, which names the
// argument and shows its value, or says true. Compiled without exceptions they say false, and the function then returns
// NaN, or 0 where it counts.
#ifndef PERHAPS_DETAIL_ARGUMENT_HPP
#define PERHAPS_DETAIL_ARGUMENT_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Not inlined: GCC would warn of the strings that are put together here, at -O1, in whatever calls this.
template <class Number>
[[noreturn, gnu::noinline]] void fail_demand(const char* name, const char* rule, Number value) {
  fail<std::invalid_argument>(std::string(name) + " must be " + rule + ", got " + show(value));
}

// `rule` goes on from "must be".
template <class Number>
constexpr bool demand(bool holds, const char* name, const char* rule, Number value) {
  if (holds) return true;
  if constexpr (exceptions_enabled) fail_demand(name, rule, value);
  return false;
}

constexpr bool demand_above_0(const char* name, std::uint64_t value) {
  return demand(value > 0, name, "above 0", value);
}

constexpr bool demand_rate(const char* name, double value) {
  return demand(is_rate(value), name, "above 0 and below 1", value);
}

// For the rate of a target, whose default is 0.
constexpr bool demand_target_rate(double value) {
  if constexpr (exceptions_enabled) {
    if (std::bit_cast<std::uint64_t>(value) == 0) {
      fail<std::invalid_argument>("fpr must be above 0 and below 1, got 0, as if fpr was not given");
    }
  }
  return demand_rate("fpr", value);
}

// No memory holds a filter for 2^63 keys: such a number was negative once.
constexpr bool demand_memory_for(std::uint64_t keys) {
  if (keys >> 63U == 0) return true;
  if constexpr (exceptions_enabled) {
    fail<std::length_error>("keys = " + show_keys(keys) + " are more than any memory has room for");
  }
  return false;
}

// A target that is to become a filter.
template <class Target>
constexpr const Target& within_memory(const Target& target) {
  demand_memory_for(target.keys);
  return target;
}

constexpr bool demand_share(const char* name, double value) {
  return demand(is_share(value), name, "from 0 to 1", value);
}

constexpr bool demand_count(const char* name, double value) {
  return demand(is_count(value), name, "0 or more", value);
}

// `bound` is what `name` must not exceed: an argument called `bound_name`.
inline bool demand_at_most(const char* name, std::uint64_t value, const char* bound_name, std::uint64_t bound) {
  if (value <= bound) return true;
  return demand(false, name, (std::string("at most ") + bound_name + " = " + show(bound)).c_str(), value);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
