// SPDX-License-Identifier: BSL-1.0
//
// What models need of <cmath> and <algorithm>, for double. Those two headers take longer to compile than all that a
// filter includes of this library, for special functions and parallel algorithms that nothing here uses.
//
// And what tells infinities, NaNs and numbers out of range apart, by the bits of a double. Programs are built with
// -ffast-math too, which lets compilers take it that there are no NaNs and infinities: comparisons and std::isnan then
// answer anything.
#ifndef PERHAPS_DETAIL_REAL_HPP
#define PERHAPS_DETAIL_REAL_HPP

#include <perhaps/version.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

#if !defined(__GNUC__)
#include <cmath>
#endif

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

#if defined(__GNUC__)

inline double ceil(double x) noexcept { return __builtin_ceil(x); }
inline double exp(double x) noexcept { return __builtin_exp(x); }
inline double expm1(double x) noexcept { return __builtin_expm1(x); }
inline double floor(double x) noexcept { return __builtin_floor(x); }
inline double fmod(double x, double y) noexcept { return __builtin_fmod(x, y); }
inline double ldexp(double x, int exponent) noexcept { return __builtin_ldexp(x, exponent); }
inline double log(double x) noexcept { return __builtin_log(x); }
inline double log1p(double x) noexcept { return __builtin_log1p(x); }
inline double log2(double x) noexcept { return __builtin_log2(x); }
inline double pow(double x, double exponent) noexcept { return __builtin_pow(x, exponent); }
inline double round(double x) noexcept { return __builtin_round(x); }
inline double sqrt(double x) noexcept { return __builtin_sqrt(x); }

#else

using std::ceil;
using std::exp;
using std::expm1;
using std::floor;
using std::fmod;
using std::ldexp;
using std::log;
using std::log1p;
using std::log2;
using std::pow;
using std::round;
using std::sqrt;

#endif

// Whether a and b are one number, where that is meant exactly: compilers can warn of every == between doubles.
constexpr bool equals(double a, double b) noexcept { return a <= b && b <= a; }

constexpr double(min)(double a, double b) noexcept { return b < a ? b : a; }
constexpr double(max)(double a, double b) noexcept { return a < b ? b : a; }

// `x`, or the bound that it is beyond.
constexpr double clamp(double x, double lower, double upper) noexcept {
  return x < lower ? lower : upper < x ? upper : x;
}

inline constexpr std::uint64_t bits_of_one = std::uint64_t{0x3FF} << 52U;
inline constexpr std::uint64_t bits_of_infinity = std::uint64_t{0x7FF} << 52U;
inline constexpr std::uint64_t bits_of_minus_zero = std::uint64_t{1} << 63U;

// `bits`, about which compilers can't know anything: else they would conclude what they are from the promise that
// doubles are finite. Reading volatile memory is the one way that every compiler respects.
constexpr std::uint64_t opaque(std::uint64_t bits) noexcept {
  if (std::is_constant_evaluated()) return bits;
  const volatile std::uint64_t memory = bits;
  return memory;
}

constexpr std::uint64_t bits_of(double x) noexcept { return opaque(std::bit_cast<std::uint64_t>(x)); }

// By their bits: newer compilers warn under -ffast-math where a program names them.
constexpr double endless() noexcept { return std::bit_cast<double>(opaque(bits_of_infinity)); }
constexpr double not_a_number() noexcept {
  return std::bit_cast<double>(opaque(bits_of_infinity | std::uint64_t{1} << 51U));
}

// Doubles from 0 up are ordered like their bits, NaNs come after infinity, and negative ones after those.

// Whether x is a rate that can be asked for: above 0 and below 1.
constexpr bool is_rate(double x) noexcept { return bits_of(x) - 1 < bits_of_one - 1; }

// Whether x is a share, from 0 to 1.
constexpr bool is_share(double x) noexcept {
  const std::uint64_t bits = bits_of(x);
  return bits <= bits_of_one || bits == bits_of_minus_zero;
}

// Whether x can count something: from 0 to infinity, which is included.
constexpr bool is_count(double x) noexcept {
  const std::uint64_t bits = bits_of(x);
  return bits <= bits_of_infinity || bits == bits_of_minus_zero;
}

// Whether x is above 0, and finite.
constexpr bool is_positive(double x) noexcept { return bits_of(x) - 1 < bits_of_infinity - 1; }

// Of counts: whether x is so large, infinity included, that products with it may be infinite.
constexpr bool is_huge(double x) noexcept {
  const std::uint64_t bits = bits_of(x);
  return bits >= std::bit_cast<std::uint64_t>(1e200) && bits <= bits_of_infinity;
}

constexpr bool is_infinite(double x) noexcept { return bits_of(x) == bits_of_infinity; }

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
