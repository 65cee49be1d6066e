// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// One encoding of keys: equal keys hash equally, whatever their spelling.
///
///     kind of key                                is hashed as
///     integers, enums, bool, std::byte           its value, converted to Key, widened to 64 bits (int 5 = uint64_t 5);
///                                                char as unsigned char on every platform
///     float, double                              the bits of the double; -0.0 as 0.0, every NaN as one NaN
///     std::string, string_view, const char*,     its characters; a C string and a char array end at the first NUL
///     char[N], and the char8_t spellings
///     contiguous ranges of bytes (span, vector,  its content
///     array of std::byte, unsigned char, char)
///     pair, tuple, array                         field by field
///     optional                                   empty, or its value
///     a class with `auto perhaps_key(const T&)`  what that function returns, found by argument-dependent lookup
///     other trivially copyable classes, if no    their bytes (the platform's: give such a type a perhaps_key if its
///     bit of theirs is padding                   filters travel to machines of another byte order)
///
/// Everything else does not compile, and the message says what to write: pointers, iterators and views of other
/// elements (an address is not a value), types with padding (its bytes are not part of the value), long double,
/// integers beyond 64 bits, wide strings. A pointer inside a class is out of sight: such a class needs a perhaps_key.
/// The encoding is part of stored filters: a change to it is a new `key_encoding_version`.
#ifndef PERHAPS_KEY_ENCODING_HPP
#define PERHAPS_KEY_ENCODING_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perhaps::inline PERHAPS_ABI {

/// The version of the rules of key_encoding.hpp, as stored filters have it: those of another one are refused.
inline constexpr unsigned key_encoding_version = 1;

/// A class says what its key is: `auto perhaps_key(const Point& p) { return std::tie(p.x, p.y); }` beside the class.
template <class T>
concept HasPerhapsKey = requires(const T& value) {
  perhaps_key(value);
}
&&(std::is_class_v<T> || std::is_union_v<T> || std::is_enum_v<T>);

namespace detail {

template <class T>
concept ByteLike = std::same_as<T, char> || std::same_as<T, signed char> || std::same_as<T, unsigned char> ||
    std::same_as<T, char8_t> || std::same_as<T, std::byte>;

template <class T>
concept TextChar = std::same_as<T, char> || std::same_as<T, char8_t>;

// A contiguous range of bytes of known size, which is what a span is made from. Not by the concepts of <ranges>: that
// header takes longer to compile than all that a filter includes of this library.
template <class T>
concept ByteRange = requires(const T& bytes) {
  requires ByteLike<std::remove_cv_t<typename decltype(std::span(bytes))::element_type>>;
};

template <class T>
concept CString = std::is_pointer_v<T> && TextChar<std::remove_cv_t<std::remove_pointer_t<T>>>;

template <class T>
concept BytesKey = ByteRange<T> || CString<T> ||
    (std::convertible_to<const T&, std::string_view> && !std::is_null_pointer_v<T>);

template <class T>
concept WordKey = sizeof(T) <= sizeof(std::uint64_t) && (std::integral<T> || std::is_enum_v<T>);

template <class T>
concept RealKey = std::same_as<T, float> || std::same_as<T, double>;

template <class T>
concept TupleKey = requires {
  std::tuple_size<T>::value;
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// begin(range), end(range) as a for statement finds them.
namespace ranged {
using std::begin;
using std::end;

template <class T>
concept Range = requires(const T& range) {
  *begin(range);
  begin(range) != end(range);
};
}  // namespace ranged

// Views and iterators are trivially copyable and have no padding, but their bytes are addresses.
template <class T>
concept PointsElsewhere = ranged::Range<T> || requires(const T& value) {
  *value;
};

template <class T>
concept ObjectKey =
    std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> && !PointsElsewhere<T> &&
    (std::is_class_v<T> || std::is_union_v<T>);

enum class KeyKind {
  custom,
  word,
  real,
  optional,
  bytes,
  tuple,
  object,
  pointer,
  long_double,
  wide_integer,
  padded,
  unknown
};

template <class T>
consteval KeyKind kind_of_key() {
  if constexpr (HasPerhapsKey<T>) return KeyKind::custom;
  else if constexpr (WordKey<T>) return KeyKind::word;
  else if constexpr (RealKey<T>) return KeyKind::real;
  else if constexpr (is_optional<T>) return KeyKind::optional;
  else if constexpr (BytesKey<T>) return KeyKind::bytes;
  else if constexpr (TupleKey<T>) return KeyKind::tuple;
  else if constexpr (ObjectKey<T>) return KeyKind::object;
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T> || std::is_member_pointer_v<T>)
    return KeyKind::pointer;
  else if constexpr (std::floating_point<T>) return KeyKind::long_double;
  else if constexpr (std::is_arithmetic_v<T>) return KeyKind::wide_integer;
  else if constexpr (std::is_class_v<T> && std::is_trivially_copyable_v<T> && !PointsElsewhere<T>)
    return KeyKind::padded;
  else return KeyKind::unknown;
}

template <class T>
consteval bool is_encodable() {
  constexpr KeyKind kind = kind_of_key<T>();
  if constexpr (kind == KeyKind::custom) {
    return is_encodable<std::remove_cvref_t<decltype(perhaps_key(std::declval<const T&>()))>>();
  } else if constexpr (kind == KeyKind::optional) {
    return is_encodable<std::remove_cv_t<typename T::value_type>>();
  } else if constexpr (kind == KeyKind::tuple) {
    return []<std::size_t... Is>(std::index_sequence<Is...>) {
      return (is_encodable<std::remove_cvref_t<typename std::tuple_element<Is, T>::type>>() && ...);
    }
    (std::make_index_sequence<std::tuple_size<T>::value>{});
  } else {
    return kind <= KeyKind::object;
  }
}

}  // namespace detail

/// A type with a rule in the table of key_encoding.hpp.
template <class T>
concept EncodableKey = detail::is_encodable<std::remove_cv_t<T>>();

namespace detail {

// Says in a sentence why a type is no key; for fields of a tuple, why the field is none.
template <class Key>
consteval void explain_key() {
  constexpr KeyKind kind = kind_of_key<Key>();
  static_assert(kind != KeyKind::pointer,
                "perhaps: a pointer is not a key, since its address is not the value that it points to: "
                "use the value, a std::span of its bytes, or std::uintptr_t if the address itself is meant.");
  static_assert(kind != KeyKind::padded,
                "perhaps: this type has padding (or floating-point members), bytes that are not part of its value: "
                "write `auto perhaps_key(const T& t) { return std::tie(t.a, t.b); }` beside the type.");
  static_assert(kind != KeyKind::long_double,
                "perhaps: long double has padding and another width on every platform: use double.");
  static_assert(kind != KeyKind::wide_integer,
                "perhaps: an integer wider than 64 bits is no key: use a std::pair of its halves.");
  static_assert(kind != KeyKind::unknown,
                "perhaps: there is no rule for keys of this type: write `auto perhaps_key(const T&)` beside it that "
                "returns a string, a number or a tuple of such, or give the filter a hash policy for it.");
  if constexpr (kind == KeyKind::custom) {
    explain_key<std::remove_cvref_t<decltype(perhaps_key(std::declval<const Key&>()))>>();
  } else if constexpr (kind == KeyKind::optional) {
    explain_key<std::remove_cv_t<typename Key::value_type>>();
  } else if constexpr (kind == KeyKind::tuple) {
    []<std::size_t... Is>(std::index_sequence<Is...>) {
      (explain_key<std::remove_cvref_t<typename std::tuple_element<Is, Key>::type>>(), ...);
    }
    (std::make_index_sequence<std::tuple_size<Key>::value>{});
  }
}

// `key` converted to Key as the language does.
template <class Key, class Q>
constexpr Key to_integer(const Q& key) noexcept {
  static_assert(std::integral<Q> || std::is_enum_v<Q>,
                "perhaps: this filter's keys are integers or enums: look one up by an integer or an enum.");
  return static_cast<Key>(key);
}

// The value of `key`, converted to Key, widened to 64 bits.
template <class Key, class Q>
constexpr std::uint64_t encode_word(const Q& key) noexcept {
  const auto value = to_integer<Key>(key);
  if constexpr (std::is_enum_v<Key>) {
    return encode_word<std::underlying_type_t<Key>>(static_cast<std::underlying_type_t<Key>>(value));
  } else if constexpr (std::same_as<Key, char>) {
    return static_cast<unsigned char>(value);  // whether char has a sign depends on the platform
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

template <class Key, class Q>
constexpr std::uint64_t encode_real(const Q& key) noexcept {
  static_assert(std::is_arithmetic_v<Q>, "perhaps: this filter's keys are floating-point: look one up by a number.");
  // Told apart by bits: under -ffast-math the compiler may assume that there is no NaN and no -0.0.
  constexpr std::uint64_t infinity = 0x7FF0000000000000U;
  constexpr std::uint64_t quiet_nan = 0x7FF8000000000000U;
  const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<Key>(key)));
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63U);
  if (magnitude == 0) return 0;
  return magnitude > infinity ? quiet_nan : bits;
}

template <class Char>
std::string_view c_string(const Char* text) {
  if (text == nullptr) {
    if constexpr (exceptions_enabled) fail<std::invalid_argument>("key: a null pointer is not a string");
    return {};
  }
  const auto* chars = reinterpret_cast<const char*>(text);
  return {chars, std::strlen(chars)};
}

// The characters or bytes of `key`, in place.
// Throws std::invalid_argument for a null C string (read as empty where exceptions are off).
template <class Q>
std::string_view encode_bytes(const Q& key) {
  using Element = std::remove_cv_t<std::remove_extent_t<Q>>;
  if constexpr (std::is_array_v<Q> && TextChar<Element>) {
    const auto* chars = reinterpret_cast<const char*>(&key[0]);
    const void* end = std::memchr(chars, 0, std::extent_v<Q>);
    return {chars, end == nullptr ? std::extent_v<Q> : static_cast<std::size_t>(static_cast<const char*>(end) - chars)};
  } else if constexpr (CString<Q>) {
    return c_string<std::remove_cv_t<std::remove_pointer_t<Q>>>(key);
  } else if constexpr (ByteRange<Q>) {
    const std::span bytes(key);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } else {
    static_assert(BytesKey<Q>,
                  "perhaps: this filter's keys are text or bytes: look one up by a string or a range of bytes.");
    return key;
  }
}

// A word as the eight bytes that a policy without an overload for integers is given, lowest first on every platform.
constexpr std::array<char, 8> word_bytes(std::uint64_t word) noexcept {
  std::array<char, 8> bytes{};
  for (char& byte : bytes) {
    byte = static_cast<char>(static_cast<unsigned char>(word & 0xFFU));
    word >>= 8U;
  }
  return bytes;
}

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
