// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// The law of keys, and the encoding that keeps it.
///
/// A filter of Key takes, wherever it takes a key, whatever C++ converts to one, and then:
///
///  1. The digest is that of the Key which C++'s own conversion makes of the argument, and that Key lives while it is
///     hashed. Spellings that are known to have the same content are hashed in place, without the conversion: text and
///     bytes, integers, and tuples of such.
///  2. Braces mean a Key: `filter.insert({1, 2})` inserts `Key{1, 2}`, as std::set reads it.
///  3. A value that no Key has, such as 300 for std::uint8_t or -1 for an unsigned type, is certainly not in the
///  filter:
///     lookups answer false, erase takes nothing out, and insert throws std::invalid_argument with the value.
///
///     kind of key                                is hashed as
///     integers, enums, bool, std::byte           its value, widened to 64 bits (int 5 = uint64_t 5); char and wchar_t
///                                                as if they were unsigned, on every platform
///     __int128, unsigned __int128                its value, 128 bits
///     float, double                              the bits of the double; -0.0 as 0.0, every NaN as one NaN
///     std::string, string_view, const char*,     its characters; a C string and a char array end at the first NUL
///     char[N], and the char8_t spellings
///     contiguous ranges of bytes (span, vector,  its content
///     array of std::byte, unsigned char, char)
///     u16string, u32string, wstring, their       its units of 16 or 32 bits; a C string and an array end at the first
///     views, C strings and arrays                NUL
///     pair, tuple, array                         field by field
///     other ranges: vector<int>, span, deque,    element by element, and their number
///     set, map and so on
///     optional                                   empty, or its value
///     variant                                    which alternative, and its value
///     std::filesystem::path                      its names, in UTF-8, one by one: "a//b" is "a/b"
///     chrono durations and time points           the count of ticks
///     a class without members: std::monostate    one value
///     std::reference_wrapper                     what it refers to
///     a class with `auto perhaps_key(const T&)`  what that function returns, found by argument-dependent lookup
///
/// A class says what its key is, since no one else can see which of its bytes are its value:
///
///     auto perhaps_key(const Point& p) { return std::tie(p.x, p.y); }          // field by field
///     auto perhaps_key(const Uuid& id) { return perhaps::object_bytes(id); }   // all its bytes, in this machine's
///     order
///
/// Everything else does not compile, and the message says what to write: pointers and iterators (an address is not a
/// value), long double, unordered containers (equal ones differ in their order), other classes.
/// The encoding is part of stored filters: a change to it is a new `key_encoding_version`.
#ifndef PERHAPS_KEY_ENCODING_HPP
#define PERHAPS_KEY_ENCODING_HPP

#include <perhaps/key/integers.hpp>
#include <perhaps/key/shapes.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// The version of the rules of key_encoding.hpp, as stored filters have it: those of another one are refused.
inline constexpr unsigned key_encoding_version = 1;

/// A class says what its key is: `auto perhaps_key(const Point& p) { return std::tie(p.x, p.y); }` beside the class.
template <class T>
concept HasPerhapsKey =
    requires(const T& value) { perhaps_key(value); } && (std::is_class_v<T> || std::is_union_v<T> || std::is_enum_v<T>);

/// The bytes of an object, for a perhaps_key: all of them are its value, so that equal objects have equal bytes. That
/// no member is a pointer is for the author of the class to know. The bytes are in this machine's order: filters of
/// such keys that travel to machines of another one need a perhaps_key of fields. O(1).
template <class T>
std::span<const std::byte> object_bytes(const T& object) noexcept {
  static_assert(std::is_trivially_copyable_v<T>,
                "perhaps: object_bytes is for classes that can be copied byte by byte: return std::tie of the members "
                "that are the key.");
  static_assert(std::has_unique_object_representations_v<T>,
                "perhaps: this type has padding or floating-point members, bytes that are not part of its value: let "
                "perhaps_key return std::tie of its members.");
  return std::as_bytes(std::span<const T, 1>(&object, 1));
}

/// The bytes of a temporary would be gone before they are read.
template <class T>
std::span<const std::byte> object_bytes(const T&& object) = delete;

namespace detail {

#if defined(__cpp_char8_t)
template <class T>
inline constexpr bool is_char8 = std::same_as<T, char8_t>;
#else
template <class T>
inline constexpr bool is_char8 = false;
#endif

template <class T>
concept TextChar = std::same_as<T, char> || is_char8<T>;

template <class T>
concept ByteLike =
    TextChar<T> || std::same_as<T, signed char> || std::same_as<T, unsigned char> || std::same_as<T, std::byte>;

// A contiguous range of bytes of known size, which is what a span is made from. Not by the concepts of <ranges>: that
// header takes longer to compile than all that a filter includes of this library.
template <class T>
concept ByteRange = requires(const T& bytes) {
  requires ByteLike<std::remove_cv_t<typename decltype(std::span(bytes))::element_type>>;
};

template <class T>
concept CString = std::is_pointer_v<T> && TextChar<std::remove_cv_t<std::remove_pointer_t<T>>>;

template <class T>
concept BytesKey =
    ByteRange<T> || CString<T> || (std::convertible_to<const T&, std::string_view> && !std::is_null_pointer_v<T>);

template <class T>
concept WordKey = sizeof(T) <= sizeof(std::uint64_t) && (std::integral<T> || std::is_enum_v<T>);

template <class T>
concept RealKey = std::same_as<T, float> || std::same_as<T, double>;

template <class T>
concept TupleKey = requires { std::tuple_size<T>::value; };

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// std::reference_wrapper and its like: what get() returns stands for the object.
template <class T>
concept ReferenceKey = std::is_class_v<T> && requires(const T& reference) {
  typename T::type;
  { reference.get() } -> std::same_as<typename T::type&>;
  requires std::convertible_to<const T&, typename T::type&>;
};

// Views and iterators: their bytes are addresses, so object_bytes is no advice for them.
template <class T>
concept PointsElsewhere = ranged::Range<T> || requires(const T& value) { *value; };

// Those up to `reference` are keys, if what they are made of are.
enum class KeyKind {
  custom,
  word,
  real,
  optional,
  bytes,
  tuple,
  wide_integer,
  wide_text,
  path,
  duration,
  time_point,
  variant,
  sequence,
  empty,
  reference,
  pointer,
  long_double,
  unordered,
  opaque,
  unknown
};

template <class T>
consteval KeyKind kind_of_key() {
  if constexpr (HasPerhapsKey<T>) return KeyKind::custom;
  else if constexpr (WordKey<T>) return KeyKind::word;
  else if constexpr (is_wide_integer<T>) return KeyKind::wide_integer;
  else if constexpr (RealKey<T>) return KeyKind::real;
  else if constexpr (is_optional<T>) return KeyKind::optional;
  else if constexpr (BytesKey<T>) return KeyKind::bytes;
  else if constexpr (TupleKey<T>) return KeyKind::tuple;
  else if constexpr (ReferenceKey<T>) return KeyKind::reference;
  else if constexpr (WideText<T>) return KeyKind::wide_text;
  else if constexpr (PathKey<T>) return KeyKind::path;
  else if constexpr (DurationKey<T>) return KeyKind::duration;
  else if constexpr (TimePointKey<T>) return KeyKind::time_point;
  else if constexpr (VariantKey<T>) return KeyKind::variant;
  else if constexpr (UnorderedKey<T>) return KeyKind::unordered;
  else if constexpr (SequenceKey<T>) return KeyKind::sequence;
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T> || std::is_member_pointer_v<T>)
    return KeyKind::pointer;
  else if constexpr (std::floating_point<T>) return KeyKind::long_double;
  else if constexpr (std::is_empty_v<T> && std::is_trivially_copyable_v<T>) return KeyKind::empty;
  else if constexpr (std::is_trivially_copyable_v<T> && (std::is_class_v<T> || std::is_union_v<T>) &&
                     !PointsElsewhere<T>)
    return KeyKind::opaque;
  else return KeyKind::unknown;
}

template <class T>
consteval bool is_encodable();

template <class... Ts>
consteval bool are_encodable(Alternatives<Ts...>) {
  return (is_encodable<Ts>() && ...);
}

template <class T>
consteval bool is_encodable() {
  constexpr KeyKind kind = kind_of_key<T>();
  if constexpr (kind == KeyKind::custom) {
    return is_encodable<std::remove_cvref_t<decltype(perhaps_key(std::declval<const T&>()))>>();
  } else if constexpr (kind == KeyKind::optional) {
    return is_encodable<std::remove_cv_t<typename T::value_type>>();
  } else if constexpr (kind == KeyKind::reference) {
    return is_encodable<std::remove_cv_t<typename T::type>>();
  } else if constexpr (kind == KeyKind::tuple) {
    return []<std::size_t... Is>(std::index_sequence<Is...>) {
      return (is_encodable<std::remove_cvref_t<typename std::tuple_element<Is, T>::type>>() && ...);
    }(std::make_index_sequence<std::tuple_size<T>::value>{});
  } else if constexpr (kind == KeyKind::sequence) {
    return is_encodable<ElementOf<T>>();
  } else if constexpr (kind == KeyKind::duration) {
    return is_encodable<std::remove_cv_t<typename T::rep>>();
  } else if constexpr (kind == KeyKind::time_point) {
    return is_encodable<typename T::duration>();
  } else if constexpr (kind == KeyKind::variant) {
    return are_encodable(typename AlternativesOf<T>::type{});
  } else {
    return kind <= KeyKind::reference;
  }
}

}  // namespace detail

/// A type with a rule in the table of key_encoding.hpp.
template <class T>
concept EncodableKey = detail::is_encodable<std::remove_cv_t<T>>();

namespace detail {

// Says in a sentence why a type is no key; for fields of a tuple, why the field is none.
template <class Key>
consteval void explain_key();

template <class... Ts>
consteval void explain_keys(Alternatives<Ts...>) {
  (explain_key<Ts>(), ...);
}

template <class Key>
consteval void explain_key() {
  constexpr KeyKind kind = kind_of_key<Key>();
  static_assert(kind != KeyKind::pointer,
                "perhaps: a pointer is not a key, since its address is not the value that it points to: "
                "use the value, a std::span of its bytes, or std::uintptr_t if the address itself is meant.");
  static_assert(kind != KeyKind::opaque,
                "perhaps: a class says which of its bytes are its value: write `auto perhaps_key(const T& t) { return "
                "std::tie(t.a, t.b); }` beside the type, or `return perhaps::object_bytes(t);` if it has neither "
                "pointers nor padding.");
  static_assert(kind != KeyKind::long_double,
                "perhaps: long double has padding and another width on every platform: use double.");
  static_assert(kind != KeyKind::unordered,
                "perhaps: an unordered container is no key, since equal ones have their elements in any order: use a "
                "std::vector of them, sorted.");
  static_assert(kind != KeyKind::unknown,
                "perhaps: there is no rule for keys of this type: write `auto perhaps_key(const T&)` beside it that "
                "returns a string, a number or a tuple of such, or give the filter a hash policy for it.");
  if constexpr (kind == KeyKind::custom) {
    explain_key<std::remove_cvref_t<decltype(perhaps_key(std::declval<const Key&>()))>>();
  } else if constexpr (kind == KeyKind::optional) {
    explain_key<std::remove_cv_t<typename Key::value_type>>();
  } else if constexpr (kind == KeyKind::reference) {
    explain_key<std::remove_cv_t<typename Key::type>>();
  } else if constexpr (kind == KeyKind::sequence) {
    explain_key<ElementOf<Key>>();
  } else if constexpr (kind == KeyKind::duration) {
    explain_key<std::remove_cv_t<typename Key::rep>>();
  } else if constexpr (kind == KeyKind::time_point) {
    explain_key<typename Key::duration>();
  } else if constexpr (kind == KeyKind::variant) {
    explain_keys(typename AlternativesOf<Key>::type{});
  } else if constexpr (kind == KeyKind::tuple) {
    []<std::size_t... Is>(std::index_sequence<Is...>) {
      (explain_key<std::remove_cvref_t<typename std::tuple_element<Is, Key>::type>>(), ...);
    }(std::make_index_sequence<std::tuple_size<Key>::value>{});
  }
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
