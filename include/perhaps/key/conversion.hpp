// SPDX-License-Identifier: BSL-1.0
//
// From an argument to the Key that it stands for, by the law of key_encoding.hpp: in place where the content is known
// to be the same, else by C++'s own conversion, into a Key that lives as long as it is hashed.
//
// An argument may have a value that no Key has. Each function here is given a `misfit` that it then calls:
//
//     RefuseMisfit    throws std::invalid_argument with the value: for insert and for digests
//     NoteMisfit      clears a flag: for lookups and erase, to which such a value is certainly not in the filter
#ifndef PERHAPS_KEY_CONVERSION_HPP
#define PERHAPS_KEY_CONVERSION_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/key/integers.hpp>
#include <perhaps/key_encoding.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class Exception = std::invalid_argument>
[[noreturn]] constexpr void fail_null_text() {
  fail<Exception>("key: a null pointer is not a string");
}

struct RefuseMisfit {
  template <class Key, class N>
  [[noreturn]] static void integer(N number) {
    fail<std::invalid_argument>("key must be from " + number_text(least_number<Key>) + " to " +
                                number_text(greatest_number<Key>) + ", the values of this filter's keys, got " +
                                number_text(number));
  }
  [[noreturn]] static void real(double number) {
    fail<std::invalid_argument>("key must be in the range of this filter's floating-point keys, got " + show(number));
  }
  [[noreturn]] static void null_text() { fail_null_text(); }
};

struct NoteMisfit {
  bool& fits;

  template <class Key, class N>
  constexpr void integer(N) const noexcept {
    fits = false;
  }
  constexpr void real(double) const noexcept { fits = false; }
  // A null pointer is no value that a key might have, but a mistake.
  constexpr void null_text() const {
    if constexpr (exceptions_enabled) fail_null_text();
    fits = false;
  }
};

// The object that `key` refers to, if it is a reference wrapper, or `key`.
template <class Q>
constexpr const auto& referred(const Q& key) noexcept {
  if constexpr (ReferenceKey<Q>) {
    return referred(key.get());
  } else {
    return key;
  }
}

template <class Q>
using Referred = std::remove_cvref_t<decltype(referred(std::declval<const Q&>()))>;

// The number of `key`, for a filter of integers or enums.
template <class Key, class Q, class Misfit>
constexpr auto to_number(const Q& key, const Misfit& misfit) {
  static_assert(NumberLike<Q>,
                "perhaps: this filter's keys are integers or enums: look one up by an integer or an enum.");
  if constexpr (NumberLike<Q>) {
    const auto number = number_of(key);
    if constexpr (!holds_all<Key, std::remove_const_t<decltype(number)>>) {
      if (!holds<Key>(number)) [[unlikely]]
        misfit.template integer<Key>(number);
    }
    return number;
  } else {
    return 0U;
  }
}

// The bits of a double, by which reals are told apart: under -ffast-math a compiler may assume that there is no NaN, no
// infinity and no -0.0.
constexpr std::uint64_t real_bits(double value) noexcept { return std::bit_cast<std::uint64_t>(value); }
inline constexpr std::uint64_t sign_of_real = std::uint64_t{1} << 63U;
inline constexpr std::uint64_t infinity_bits = 0x7FF0000000000000U;

template <std::floating_point T>
constexpr bool is_finite(T value) noexcept {
  if constexpr (std::same_as<T, double>) {
    return (real_bits(value) & ~sign_of_real) < infinity_bits;
  } else {
    return value <= (std::numeric_limits<T>::max)() && value >= std::numeric_limits<T>::lowest();
  }
}

// `key` as a Key of floating point: rounded, as C++ does, and refused where it is beyond the range.
template <class Key, class Q, class Misfit>
constexpr Key to_real(const Q& key, const Misfit& misfit) {
  using T = std::remove_cv_t<Q>;
  if constexpr (std::same_as<T, Key>) {
    return key;
  } else if constexpr (std::floating_point<T> && sizeof(T) > sizeof(Key)) {
    constexpr auto most = static_cast<T>((std::numeric_limits<Key>::max)());
    const T value = key;
    if ((value > most || value < -most) && is_finite(value)) [[unlikely]] {
      misfit.real(static_cast<double>(value));
      return Key{};
    }
    return static_cast<Key>(value);
  } else if constexpr (std::floating_point<T>) {
    return static_cast<Key>(key);
  } else if constexpr (Integer<T>) {
    return static_cast<Key>(number_of(key));
  } else {
    static_assert(std::is_class_v<T> && std::convertible_to<const T&, Key>,
                  "perhaps: this filter's keys are floating-point: look one up by a number.");
    return to_real<Key>(static_cast<double>(key), misfit);
  }
}

// The 64 bits that are hashed for a real number: equal numbers have equal ones.
constexpr std::uint64_t encode_real(double value) noexcept {
  constexpr std::uint64_t quiet_nan = 0x7FF8000000000000U;
  const std::uint64_t magnitude = real_bits(value) & ~sign_of_real;
  if (magnitude == 0) return 0;
  return magnitude > infinity_bits ? quiet_nan : real_bits(value);
}

template <class Q>
concept TextArray = std::is_array_v<Q> && TextChar<std::remove_cv_t<std::remove_extent_t<Q>>>;

// The characters of a C string, without its terminator.
template <class Char, class Misfit>
std::string_view c_string(const Char* text, const Misfit& misfit) {
  if (text == nullptr) {
    misfit.null_text();
    return {};
  }
  const auto* chars = reinterpret_cast<const char*>(text);
  return {chars, std::strlen(chars)};
}

// The characters or bytes of `key`, in place. An array of characters whose bound is known ends at its first NUL or with
// the array; one of unknown bound is a C string.
template <class Q, class Misfit>
std::string_view encode_bytes(const Q& key, const Misfit& misfit) {
  if constexpr (TextArray<Q> && std::extent_v<Q> != 0) {
    const auto* chars = reinterpret_cast<const char*>(&key[0]);
    const void* end = std::memchr(chars, 0, std::extent_v<Q>);
    return {chars, end == nullptr ? std::extent_v<Q> : static_cast<std::size_t>(static_cast<const char*>(end) - chars)};
  } else if constexpr (TextArray<Q> || CString<Q>) {
    return c_string(static_cast<std::add_pointer_t<const std::remove_pointer_t<std::decay_t<Q>>>>(key), misfit);
  } else if constexpr (ByteRange<Q>) {
    const std::span bytes(key);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } else {
    static_assert(BytesKey<Q>,
                  "perhaps: this filter's keys are text or bytes: look one up by a string or a range of bytes.");
    return key;
  }
}

// Text and bytes that are their content, such as std::string: a conversion to one copies the content and no more. The
// conversion to another class that is text might do anything with it, such as making it lower case.
template <class Key>
concept TextContent = CString<Key> || std::is_array_v<Key> ||
                      (ByteRange<Key> && requires { requires ByteLike<std::remove_cv_t<typename Key::value_type>>; });

// Such as std::vector<std::byte>.
template <class Key>
concept MadeOfBytes = requires {
  requires std::constructible_from<Key, const typename Key::value_type*, const typename Key::value_type*>;
};

template <class Q, class Key>
concept IsA = std::same_as<std::remove_cv_t<Q>, Key> || std::derived_from<Q, Key>;

// Whether a Key has to be made of a Q before it is hashed. Text and bytes, being content and no numbers, make one by
// explicit constructors too.
template <class Key, class Q>
concept MadeFrom =
    !IsA<Q, Key> && (std::convertible_to<const Q&, Key> || (BytesKey<Q> && std::constructible_from<Key, const Q&>));

// `use(k)` for the Key k that `key` is or is converted to. A reference to the object where it is one, else a temporary,
// which lives until `use` returns.
template <class Key, class Q, class Use, class Misfit>
constexpr Digest with_key(const Q& key, const Misfit& misfit, const Use& use) {
  constexpr bool is_text = TextArray<Q> || CString<Q>;
  if constexpr (IsA<Q, Key>) {
    const Key& itself = key;
    return use(itself);
  } else if constexpr (TextContent<Key> && BytesKey<Q> && std::constructible_from<Key, std::string_view>) {
    return use(Key(encode_bytes(key, misfit)));
  } else if constexpr (TextContent<Key> && BytesKey<Q> && MadeOfBytes<Key>) {
    const std::string_view bytes = encode_bytes(key, misfit);
    const auto* first = reinterpret_cast<const typename Key::value_type*>(bytes.data());
    return use(Key(first, first + bytes.size()));
  } else if constexpr (is_text && MadeFrom<Key, Q>) {
    const std::string_view text = encode_bytes(key, misfit);
    if (text.data() == nullptr) return Digest{};
    if constexpr (std::extent_v<Q> != 0) {
      // No terminator: the conversion, which takes a pointer, would read on behind the array.
      if (text.size() == std::extent_v<Q>) {
        using Char = std::remove_cv_t<std::remove_extent_t<Q>>;
        const std::basic_string<Char> terminated(std::begin(key), std::end(key));
        const Char* pointer = terminated.c_str();
        return use(static_cast<Key>(pointer));
      }
    }
    return use(static_cast<Key>(key));
  } else if constexpr (MadeFrom<Key, Q>) {
    return use(static_cast<Key>(key));
  } else if constexpr (BytesKey<Q> && std::constructible_from<Key, std::string_view>) {
    return use(Key(encode_bytes(key, misfit)));
  } else {
    static_assert(std::convertible_to<const Q&, Key>,
                  "perhaps: this argument does not convert to the filter's Key: pass a Key, or give Key a constructor "
                  "that takes it.");
    return Digest{};
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

// Whether every Q is a Key: no misfit can be called for one, and asking for its digest is all there is to do.
template <class Key, class Asked>
consteval bool always_fits() {
  using Q = Referred<Asked>;
  using T = std::remove_cv_t<Q>;
  if constexpr (!exceptions_enabled) {
    return false;  // null pointers are noted there
  } else if constexpr (std::same_as<T, Digest> || HasPerhapsKey<Key>) {
    return true;
  } else if constexpr ((WordKey<Key> || is_wide_integer<Key>) && NumberLike<Q>) {
    return holds_all<Key, decltype(number_of(std::declval<const Q&>()))>;
  } else if constexpr (RealKey<Key>) {
    if constexpr (std::is_class_v<T>) return std::same_as<Key, double>;
    else return !std::floating_point<T> || sizeof(T) <= sizeof(Key);
  } else if constexpr (ReferenceKey<Key>) {
    return always_fits<std::remove_cv_t<typename Key::type>, T>();
  } else if constexpr (kind_of_key<Key>() == KeyKind::sequence) {
    if constexpr (SequenceKey<T> && !std::convertible_to<const T&, Key>) {
      return always_fits<ElementOf<Key>, ElementOf<T>>();
    }
    return true;
  } else if constexpr (is_optional<Key>) {
    using Value = std::remove_cv_t<typename Key::value_type>;
    if constexpr (std::same_as<T, std::nullopt_t>) {
      return true;
    } else if constexpr (is_optional<T> && !std::constructible_from<Value, const T&>) {
      return always_fits<Value, typename T::value_type>();
    } else if constexpr (std::same_as<T, Key>) {
      return always_fits<Value, Value>();
    } else {
      return always_fits<Value, T>();
    }
  } else if constexpr (TupleKey<Key> && !BytesKey<Key> && TupleKey<T>) {
    if constexpr (std::tuple_size<T>::value == std::tuple_size<Key>::value) {
      return []<std::size_t... Is>(std::index_sequence<Is...>) {
        return (always_fits<std::remove_cvref_t<typename std::tuple_element<Is, Key>::type>,
                            std::remove_cvref_t<typename std::tuple_element<Is, T>::type>>() &&
                ...);
      }(std::make_index_sequence<std::tuple_size<Key>::value>{});
    }
    return true;
  } else {
    return true;
  }
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
