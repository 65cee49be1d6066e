// SPDX-License-Identifier: BSL-1.0
//
// 64 x 64 -> 128 bit multiplication, the one arithmetic step behind hashing and probing. Compilers for 64-bit targets
// have a 128-bit type; the portable version gives the same values everywhere else.
#ifndef PERHAPS_DETAIL_WIDE_MULTIPLY_HPP
#define PERHAPS_DETAIL_WIDE_MULTIPLY_HPP

#include <perhaps/version.hpp>

#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

struct WideProduct {
  std::uint64_t low;
  std::uint64_t high;

  friend constexpr bool operator==(WideProduct, WideProduct) = default;
};

// a * b by four 32 x 32 -> 64 bit products, as on paper.
constexpr WideProduct wide_multiply_portable(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t half = 0xFFFFFFFFU;
  const std::uint64_t low = (a & half) * (b & half);
  const std::uint64_t cross = (a >> 32U) * (b & half) + (low >> 32U);
  const std::uint64_t other = (a & half) * (b >> 32U) + (cross & half);
  return {(other << 32U) | (low & half), (a >> 32U) * (b >> 32U) + (cross >> 32U) + (other >> 32U)};
}

constexpr WideProduct wide_multiply(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64U)};
#else
  return wide_multiply_portable(a, b);
#endif
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
