// SPDX-License-Identifier: BSL-1.0
//
// Little-endian loads and stores at any address: the same bytes on every platform.
#ifndef PERHAPS_DETAIL_BYTE_ORDER_HPP
#define PERHAPS_DETAIL_BYTE_ORDER_HPP

#include <perhaps/version.hpp>

#include <bit>
#include <concepts>
#include <cstring>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <std::unsigned_integral T>
constexpr T reverse_bytes(T value) noexcept {
  T reversed = 0;
  for (unsigned i = 0; i < sizeof(T); ++i) {
    reversed = static_cast<T>((reversed << 8U) | (value & 0xFFU));
    value = static_cast<T>(value >> 8U);
  }
  return reversed;
}

template <std::unsigned_integral T>
T load_little_endian(const unsigned char* bytes) noexcept {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) value = reverse_bytes(value);
  return value;
}

template <std::unsigned_integral T>
void store_little_endian(unsigned char* bytes, T value) noexcept {
  if constexpr (std::endian::native == std::endian::big) value = reverse_bytes(value);
  std::memcpy(bytes, &value, sizeof(T));
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
