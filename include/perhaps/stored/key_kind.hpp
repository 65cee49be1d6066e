// SPDX-License-Identifier: BSL-1.0
//
// The kind of key, as stored filters name it: a number that says which arguments a filter's keys are made of and how
// they are hashed, so that a filter loads only where every argument that it was given is found.
//
//     number    the lowest four bits are the key encoding version; the symbols of the type follow, four bits each,
//               from low to high, and the rest is 0
//
//     symbol    0 end of a tuple                      A, B  floating point of 32, 64 bits
//               2, 3, 4, 5  unsigned, 8 to 64 bits    C     text or bytes
//               6, 7, 8, 9  signed, 8 to 64 bits      D     optional, then its value
//               1 0 bool                              E     pair, tuple or array, then its fields, then 0
//               1 1 char                              F     any other, then a checksum of 24 bits
//               1 2, 1 3  wchar_t of 16, 32 bits
//               1 4, 1 5  integers of 128 bits, unsigned and signed
//               1 6, 1 7  text of units of 16, 32 bits
//               1 8       path
//               1 9       sequence, then its element
//               1 A       variant, then its alternatives, then 0
//
// An enumeration is its underlying type, and a class with a perhaps_key is what that returns. F stands for keys that
// the hash policy takes itself, whose digests only the policy knows, for durations and time points, whose tick is part
// of the checksum, and for types of more than seven digits. A class without members is a tuple without fields.
#ifndef PERHAPS_STORED_KEY_KIND_HPP
#define PERHAPS_STORED_KEY_KIND_HPP

#include <perhaps/hashing.hpp>
#include <perhaps/key/integers.hpp>
#include <perhaps/key_encoding.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Symbols of two digits are 16 and more.
enum class KeySymbol : std::uint32_t {
  end,
  unsigned_8 = 2,
  unsigned_64 = 5,
  signed_8 = 6,
  signed_64 = 9,
  real_32 = 10,
  real_64,
  bytes,
  optional,
  tuple,
  other,
  boolean = 16,
  character,
  wide_16,
  wide_32,
  unsigned_128,
  signed_128,
  text_16,
  text_32,
  path,
  sequence,
  variant,
};

// Appends symbols to a number.
class KeyKindWriter {
 public:
  constexpr void add(KeySymbol symbol) noexcept {
    const auto value = static_cast<std::uint32_t>(symbol);
    checksum_ = (checksum_ ^ value) * 0x01000193U;
    if (symbol == KeySymbol::other) named_ = false;
    if (value >= 16) digit(1);
    digit(value % 16);
  }

  // A number that the type has beside its symbols, of a type without a name.
  constexpr void mix(std::uint64_t number) noexcept {
    for (; number != 0; number >>= 16U)
      checksum_ = (checksum_ ^ static_cast<std::uint32_t>(number % 65536)) * 0x01000193U;
    checksum_ *= 0x01000193U;
  }

  constexpr std::uint32_t kind() const noexcept {
    const std::uint32_t mixed = checksum_ ^ checksum_ >> 15U;
    const std::uint32_t symbols = named_ ? digits_ : mixed << 4U | static_cast<std::uint32_t>(KeySymbol::other);
    return symbols << 4U | key_encoding_version;
  }

 private:
  static constexpr unsigned most_digits = 7;

  // Zeros take no room unless another digit follows.
  constexpr void digit(std::uint32_t value) noexcept {
    if (value != 0 && size_ >= most_digits) named_ = false;
    if (size_ < most_digits) digits_ |= value << (4 * size_);
    ++size_;
  }

  std::uint32_t digits_ = 0;
  std::uint32_t checksum_ = 0x811C9DC5U;
  unsigned size_ = 0;
  bool named_ = true;
};

template <class Key>
consteval KeySymbol integer_symbol() {
  using T = typename IntegerOf<Key>::type;
  constexpr unsigned width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  if (std::same_as<T, bool>) return KeySymbol::boolean;
  if (std::same_as<T, char>) return KeySymbol::character;
  if (std::same_as<T, wchar_t>) return sizeof(T) == 2 ? KeySymbol::wide_16 : KeySymbol::wide_32;
  const auto narrowest = static_cast<std::uint32_t>(std::is_signed_v<T> ? KeySymbol::signed_8 : KeySymbol::unsigned_8);
  return KeySymbol{narrowest + width};
}

// A policy that takes Key itself may hash it like no other type. Words and bytes are what every policy hashes.
template <class Key, class P>
concept HashedByPolicy = Takes<P, Key> && !std::same_as<Key, std::uint64_t> && !std::same_as<Key, std::string_view>;

template <class Key, class P>
constexpr void add_key_kind(KeyKindWriter& writer);

template <class P, class... Ts>
constexpr void add_key_kinds(KeyKindWriter& writer, Alternatives<Ts...>) {
  (add_key_kind<Ts, P>(writer), ...);
  writer.add(KeySymbol::end);
}

// Appends the symbols of Key under the policy P. The cases are those of digest_key, in its order.
template <class Key, class P>
constexpr void add_key_kind(KeyKindWriter& writer) {
  constexpr KeyKind kind = kind_of_key<Key>();
  if constexpr (HashedByPolicy<Key, P>) {
    writer.add(KeySymbol::other);
    if constexpr (WordKey<Key>) writer.add(integer_symbol<Key>());
    else if constexpr (RealKey<Key>) writer.add(sizeof(Key) == 4 ? KeySymbol::real_32 : KeySymbol::real_64);
    else if constexpr (kind == KeyKind::bytes) writer.add(KeySymbol::bytes);
  } else if constexpr (kind == KeyKind::custom) {
    add_key_kind<std::remove_cvref_t<decltype(perhaps_key(std::declval<const Key&>()))>, P>(writer);
  } else if constexpr (kind == KeyKind::reference) {
    add_key_kind<std::remove_cv_t<typename Key::type>, P>(writer);
  } else if constexpr (kind == KeyKind::word) {
    writer.add(integer_symbol<Key>());
  } else if constexpr (kind == KeyKind::real) {
    writer.add(sizeof(Key) == 4 ? KeySymbol::real_32 : KeySymbol::real_64);
  } else if constexpr (kind == KeyKind::optional) {
    writer.add(KeySymbol::optional);
    add_key_kind<std::remove_cv_t<typename Key::value_type>, P>(writer);
  } else if constexpr (kind == KeyKind::bytes) {
    writer.add(KeySymbol::bytes);
  } else if constexpr (kind == KeyKind::wide_integer) {
    writer.add(least_number<Key> < 0 ? KeySymbol::signed_128 : KeySymbol::unsigned_128);
  } else if constexpr (kind == KeyKind::wide_text) {
    writer.add(sizeof(WideCharOf<Key>) == 2 ? KeySymbol::text_16 : KeySymbol::text_32);
  } else if constexpr (kind == KeyKind::path) {
    writer.add(KeySymbol::path);
  } else if constexpr (kind == KeyKind::sequence) {
    writer.add(KeySymbol::sequence);
    add_key_kind<ElementOf<Key>, P>(writer);
  } else if constexpr (kind == KeyKind::variant) {
    writer.add(KeySymbol::variant);
    add_key_kinds<P>(writer, typename AlternativesOf<Key>::type{});
  } else if constexpr (kind == KeyKind::duration) {
    writer.add(KeySymbol::other);
    add_key_kind<std::remove_cv_t<typename Key::rep>, P>(writer);
    writer.mix(static_cast<std::uint64_t>(Key::period::num));
    writer.mix(static_cast<std::uint64_t>(Key::period::den));
  } else if constexpr (kind == KeyKind::time_point) {
    // A clock has no name, but a steady one counts from another time than others.
    writer.add(KeySymbol::other);
    writer.mix(Key::clock::is_steady ? 2 : 1);
    add_key_kind<typename Key::duration, P>(writer);
  } else if constexpr (kind == KeyKind::empty) {
    writer.add(KeySymbol::tuple);
    writer.add(KeySymbol::end);
  } else {
    writer.add(KeySymbol::tuple);
    [&writer]<std::size_t... Is>(std::index_sequence<Is...>) {
      (add_key_kind<std::remove_cvref_t<typename std::tuple_element<Is, Key>::type>, P>(writer), ...);
    }(std::make_index_sequence<std::tuple_size<Key>::value>{});
    writer.add(KeySymbol::end);
  }
}

// The kind of a filter of Key whose hash policy is P.
template <class Key, class P>
consteval std::uint32_t key_kind_id() {
  static_assert(key_encoding_version < 16, "a key encoding version has four bits in stored filters");
  KeyKindWriter writer;
  add_key_kind<Key, P>(writer);
  return writer.kind();
}

constexpr std::uint32_t key_encoding_of(std::uint32_t kind) noexcept { return kind % 16; }

// Reads the symbols of a number one by one. Behind the last, all are KeySymbol::end.
class KeyKindReader {
 public:
  explicit constexpr KeyKindReader(std::uint32_t kind) noexcept : rest_(kind >> 4U) {}

  constexpr bool at_end() const noexcept { return rest_ == 0; }
  constexpr std::uint32_t rest() const noexcept { return rest_; }

  constexpr KeySymbol next() noexcept {
    const std::uint32_t first = digit();
    return KeySymbol{first == 1 ? 16 + digit() : first};
  }

 private:
  constexpr std::uint32_t digit() noexcept {
    const std::uint32_t value = rest_ % 16;
    rest_ /= 16;
    return value;
  }

  std::uint32_t rest_;
};

struct IntegerShape {
  unsigned value_bits;  // without the sign; 0 for what is no integer
  bool has_sign;
};

constexpr IntegerShape integer_shape(KeySymbol symbol) noexcept {
  const auto value = static_cast<std::uint32_t>(symbol);
  if (symbol == KeySymbol::boolean) return {1, false};
  if (symbol >= KeySymbol::unsigned_8 && symbol <= KeySymbol::unsigned_64) return {8U << (value - 2), false};
  if (symbol >= KeySymbol::signed_8 && symbol <= KeySymbol::signed_64) return {(8U << (value - 6)) - 1, true};
  return {0, false};
}

// Whether keys of the symbol `own` find every argument that keys of the symbol `stored` took. A char or wchar_t takes
// negative numbers for characters too, so no other type finds all that it took; and it finds what its unsigned type
// took. Floating-point keys round, each type in its own way.
constexpr bool symbol_holds(KeySymbol own, KeySymbol stored) noexcept {
  if (own == stored) return true;
  if (own == KeySymbol::character) own = KeySymbol::unsigned_8;
  if (own == KeySymbol::wide_16) own = KeySymbol{3};
  if (own == KeySymbol::wide_32) own = KeySymbol{4};
  const IntegerShape into = integer_shape(own);
  const IntegerShape from = integer_shape(stored);
  if (into.value_bits == 0 || from.value_bits == 0) return false;
  return from.value_bits <= into.value_bits && (!from.has_sign || into.has_sign);
}

// Whether a filter of the kind `own` finds every argument that one of the kind `stored` took. Each type of one symbol
// fills one place, so the symbols are compared in turn.
constexpr bool key_kind_holds(std::uint32_t own, std::uint32_t stored) noexcept {
  if (own == stored) return true;
  KeyKindReader mine(own);
  KeyKindReader theirs(stored);
  while (!mine.at_end() || !theirs.at_end()) {
    const KeySymbol symbol = mine.next();
    if (symbol == KeySymbol::other || !symbol_holds(symbol, theirs.next())) return false;
  }
  return true;
}

inline std::string key_words(KeyKindReader& reader) {
  const KeySymbol symbol = reader.next();
  const IntegerShape shape = integer_shape(symbol);
  switch (symbol) {
    case KeySymbol::boolean:
      return "bools";
    case KeySymbol::character:
      return "characters (char)";
    case KeySymbol::wide_16:
      return "wide characters (wchar_t) of 16 bits";
    case KeySymbol::wide_32:
      return "wide characters (wchar_t) of 32 bits";
    case KeySymbol::real_32:
      return "floating-point numbers of 32 bits";
    case KeySymbol::real_64:
      return "floating-point numbers of 64 bits";
    case KeySymbol::bytes:
      return "text or bytes";
    case KeySymbol::optional:
      return "optional " + key_words(reader);
    case KeySymbol::unsigned_128:
      return "unsigned integers of 128 bits";
    case KeySymbol::signed_128:
      return "signed integers of 128 bits";
    case KeySymbol::text_16:
      return "text of 16-bit units";
    case KeySymbol::text_32:
      return "text of 32-bit units";
    case KeySymbol::path:
      return "paths";
    case KeySymbol::sequence:
      return "sequences of " + key_words(reader);
    case KeySymbol::variant:
    case KeySymbol::tuple: {
      std::string text = symbol == KeySymbol::tuple ? "tuples of (" : "variants of (";
      for (bool first = true;; first = false) {
        KeyKindReader behind = reader;
        if (behind.next() == KeySymbol::end) {
          reader = behind;
          return text + ")";
        }
        text.append(first ? "" : ", ").append(key_words(reader));
      }
    }
    // Integers, of which only the ends of both rows have names here, and what has no words of its own.
    case KeySymbol::end:
    case KeySymbol::unsigned_8:
    case KeySymbol::unsigned_64:
    case KeySymbol::signed_8:
    case KeySymbol::signed_64:
    case KeySymbol::other:
      break;
  }
  if (shape.value_bits != 0) {
    return (shape.has_sign ? "signed integers of " : "unsigned integers of ") +
           std::to_string(shape.value_bits + (shape.has_sign ? 1 : 0)) + " bits";
  }
  if (symbol == KeySymbol::other) {
    std::string text = "of a type that has no name in files, number " + std::to_string(reader.rest());
    reader = KeyKindReader(0);
    return text;
  }
  return "of an unknown type";
}

// The kind in words, for messages. Any number has some.
inline std::string describe_key_kind(std::uint64_t kind) {
  KeyKindReader reader(static_cast<std::uint32_t>(kind));
  return key_words(reader);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
