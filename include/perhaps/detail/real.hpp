// SPDX-License-Identifier: BSL-1.0
//
// What models need of <cmath> and <algorithm>, for double. Those two headers take longer to compile than all that a
// filter includes of this library, for special functions and parallel algorithms that nothing here uses.
#ifndef PERHAPS_DETAIL_REAL_HPP
#define PERHAPS_DETAIL_REAL_HPP

#include <perhaps/version.hpp>

#if !defined(__GNUC__)
#include <cmath>
#endif

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

#if defined(__GNUC__)

inline double ceil(double x) noexcept { return __builtin_ceil(x); }
inline double exp(double x) noexcept { return __builtin_exp(x); }
inline double expm1(double x) noexcept { return __builtin_expm1(x); }
inline double floor(double x) noexcept { return __builtin_floor(x); }
inline double fmod(double x, double y) noexcept { return __builtin_fmod(x, y); }
inline bool isinf(double x) noexcept { return __builtin_isinf(x) != 0; }
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
using std::isinf;
using std::ldexp;
using std::log;
using std::log1p;
using std::log2;
using std::pow;
using std::round;
using std::sqrt;

#endif

constexpr double lesser(double a, double b) noexcept { return b < a ? b : a; }
constexpr double greater(double a, double b) noexcept { return a < b ? b : a; }

// `x`, or the bound that it is beyond.
constexpr double within(double x, double lower, double upper) noexcept {
  return x < lower ? lower : upper < x ? upper : x;
}

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
