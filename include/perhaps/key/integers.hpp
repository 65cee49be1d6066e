// SPDX-License-Identifier: BSL-1.0
//
// Integers as keys: a key is the number, whatever type it is written in. So 5, 5L, '\x05' and an enumerator of value 5
// are one key, and a number that a filter's Key can't hold is no key of that filter.
//
//     number_of(x)        the number that x stands for: of characters and enumerators too, and of objects that convert
//     to
//                         an integer, such as std::vector<bool>::reference and std::atomic<int>
//     holds<Key>(n)       whether there is a Key of value n
//     word_of<Key>(n)     n as the 64 bits that are hashed
//
// Whether char and wchar_t have a sign depends on the platform. Their numbers are those of the unsigned types
// everywhere, and a filter of such characters takes a negative number for the character that it is on platforms where
// they have one.
#ifndef PERHAPS_KEY_INTEGERS_HPP
#define PERHAPS_KEY_INTEGERS_HPP

#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// The compilers' integers of 128 bits, which std::integral knows in their own dialects only (-std=gnu++20).
template <class T>
inline constexpr bool is_wide_integer = false;
#if defined(__SIZEOF_INT128__)
__extension__ using SignedWide = __int128;
__extension__ using UnsignedWide = unsigned __int128;
template <>
inline constexpr bool is_wide_integer<SignedWide> = true;
template <>
inline constexpr bool is_wide_integer<UnsignedWide> = true;
#endif

template <class T>
concept Integer = std::integral<T> || is_wide_integer<std::remove_cv_t<T>>;

template <class T>
concept PlatformChar = std::same_as<T, char> || std::same_as<T, wchar_t>;

// Objects that convert to an integer which fits long long, or unsigned long long, without loss. Braces tell: they
// refuse narrowing.
template <class T>
concept ConvertsToSigned = std::is_class_v<T> && requires(const T& object) { static_cast<void>(std::int64_t{object}); };

template <class T>
concept ConvertsToUnsigned =
    std::is_class_v<T> && requires(const T& object) { static_cast<void>(std::uint64_t{object}); };

template <class T>
concept NumberLike = Integer<T> || std::is_enum_v<T> || ConvertsToSigned<T> || ConvertsToUnsigned<T>;

// The number that `key` stands for.
template <class Q>
requires NumberLike<Q> constexpr auto number_of(const Q& key) {
  using T = std::remove_cv_t<Q>;
  if constexpr (std::is_enum_v<T>) {
    return number_of(static_cast<std::underlying_type_t<T>>(key));
  } else if constexpr (std::same_as<T, bool>) {
    return static_cast<unsigned>(key);
  } else if constexpr (PlatformChar<T>) {
    return static_cast<std::make_unsigned_t<T>>(key);
  } else if constexpr (Integer<T>) {
    return static_cast<T>(key);
  } else if constexpr (ConvertsToSigned<T>) {
    return std::int64_t{key};
  } else {
    return std::uint64_t{key};
  }
}

// The integer type that a Key is, or is an enumeration of.
template <class Key>
struct IntegerOf {
  using type = Key;
};
template <class Key>
requires std::is_enum_v<Key> struct IntegerOf<Key> {
  using type = std::underlying_type_t<Key>;
};

// The numbers that a Key holds, the least and the greatest.
template <class Key>
inline constexpr auto least_number = [] {
  using T = typename IntegerOf<Key>::type;
  if constexpr (is_wide_integer<T>) {
    // Not by numeric_limits, which may not know it. Only the type with a sign has numbers below 0.
    return T(-1) < T(0) ? static_cast<T>(T{1} << 127U) : T{0};
  } else if constexpr (std::same_as<T, bool>) {
    return std::int64_t{0};
  } else if constexpr (PlatformChar<T>) {
    return static_cast<std::int64_t>((std::numeric_limits<std::make_signed_t<T>>::min)());
  } else {
    return static_cast<std::int64_t>((std::numeric_limits<T>::min)());
  }
}();

template <class Key>
inline constexpr auto greatest_number = [] {
  using T = typename IntegerOf<Key>::type;
  if constexpr (is_wide_integer<T>) {
    return static_cast<T>(~least_number<Key>);
  } else if constexpr (std::same_as<T, bool>) {
    return std::uint64_t{1};
  } else if constexpr (PlatformChar<T>) {
    return static_cast<std::uint64_t>((std::numeric_limits<std::make_unsigned_t<T>>::max)());
  } else {
    return static_cast<std::uint64_t>((std::numeric_limits<T>::max)());
  }
}();

// Whether a Key of value `number` exists. Precondition: `number` comes from number_of.
template <class Key, Integer N>
constexpr bool holds(N number) noexcept {
  if constexpr (is_wide_integer<Key>) {
    // A number is too large only if the sign of the Key would be its highest bit.
    if (number < N(0)) return least_number<Key> < Key(0);
    return !(static_cast<Key>(number) < Key(0));
  } else {
    if constexpr (std::is_signed_v<N> || N(-1) < N(0)) {
      using Wide = std::conditional_t<sizeof(N) <= sizeof(std::int64_t), std::int64_t, N>;
      if (number < 0) return static_cast<Wide>(number) >= static_cast<Wide>(least_number<Key>);
    }
    using Wide = std::conditional_t<sizeof(N) <= sizeof(std::uint64_t), std::uint64_t, N>;
    return static_cast<Wide>(number) <= static_cast<Wide>(greatest_number<Key>);
  }
}

// Whether a Key exists for every number of type N.
template <class Key, Integer N>
inline constexpr bool holds_all = [] {
  if constexpr (is_wide_integer<N>) {
    return std::same_as<std::remove_cv_t<N>, std::remove_cv_t<Key>>;
  } else {
    return holds<Key>((std::numeric_limits<N>::min)()) && holds<Key>((std::numeric_limits<N>::max)());
  }
}();

// The 64 bits that are hashed for a Key of value `number`.
template <class Key, Integer N>
constexpr std::uint64_t word_of(N number) noexcept {
  using T = typename IntegerOf<Key>::type;
  if constexpr (PlatformChar<T>) {
    return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(number));
  } else {
    return static_cast<std::uint64_t>(number);
  }
}

// `number` in decimal digits, of any width.
template <Integer N>
std::string number_text(N number) {
  std::string text;
  const bool negative = number < N{0};
  do {
    const auto digit = static_cast<int>(number % 10);
    text += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    number = static_cast<N>(number / 10);
  } while (number != 0);
  if (negative) text += '-';
  for (std::size_t left = 0, right = text.size() - 1; left < right; ++left, --right) std::swap(text[left], text[right]);
  return text;
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
