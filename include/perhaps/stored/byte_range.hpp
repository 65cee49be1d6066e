// SPDX-License-Identifier: BSL-1.0
//
// Stored bytes as callers have them: vectors, arrays and spans of std::byte, unsigned char or char, std::string,
// std::string_view, and what converts to std::span<const std::byte>.
#ifndef PERHAPS_STORED_BYTE_RANGE_HPP
#define PERHAPS_STORED_BYTE_RANGE_HPP

#include <perhaps/detail/borrowing.hpp>
#include <perhaps/key_encoding.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

using Bytes = std::span<const std::byte>;

// Any argument but Bytes itself, which functions take without a template, so that braces mean it.
template <class T>
concept OtherBytes = !std::same_as<std::remove_cvref_t<T>, Bytes>;

template <class T>
concept GivesBytes = ByteRange<T> || std::convertible_to<const T&, Bytes>;

// The bytes of `bytes`, for as long as the call.
template <class T>
Bytes bytes_of(const T& bytes) noexcept {
  static_assert(GivesBytes<T>,
                "perhaps: stored bytes are a range of std::byte, unsigned char or char whose size is known: a span, "
                "a vector, a std::string, a std::string_view, for instance. A pointer alone has no size.");
  if constexpr (ByteRange<T>) {
    return std::as_bytes(std::span(bytes));
  } else if constexpr (GivesBytes<T>) {
    return bytes;
  } else {
    return {};
  }
}

// The bytes of `bytes`, to be kept: `T` is deduced by a forwarding reference.
template <class T>
Bytes kept_bytes(const std::remove_reference_t<T>& bytes) noexcept {
  static_assert(!(GivesBytes<std::remove_cvref_t<T>> && OwningTemporary<T>),
                "perhaps: a view refers to its bytes, and these are gone when this statement ends: give them a name "
                "that lives longer, `const auto bytes = ...; view_bytes<F>(bytes)`, or load a filter of its own with "
                "from_bytes.");
  return bytes_of(bytes);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
