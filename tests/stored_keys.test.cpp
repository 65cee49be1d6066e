// SPDX-License-Identifier: BSL-1.0
//
// The law of stored keys: a filter loads as a filter of another Key exactly if that finds every argument that the
// stored one took. Tried for every pair of a table of Keys, with every argument of a table: what loads is asked, and
// what does not load is forced to, by the header of the other, and asked too.
#include <perhaps/perhaps.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "support/catch.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::FormatReason;
using perhaps::detail::key_kind_id;
using support::Bytes;

enum class Letter : char {};
enum class Small : std::uint8_t {};
enum Wide : long {};
enum class Yes : bool {};

// A class of text, and one of a number: what their perhaps_key returns.
struct Name {
  std::string text;
};
[[maybe_unused]] std::string_view perhaps_key(const Name& name) { return name.text; }
struct Order {
  std::uint32_t number;
};
[[maybe_unused]] std::uint32_t perhaps_key(const Order& order) { return order.number; }
struct Line {
  Order order;
  int position;
};
[[maybe_unused]] auto perhaps_key(const Line& line) { return std::tie(line.order, line.position); }

// How an argument is wrapped.
struct Bare {
  template <class T>
  using Key = T;
  template <class T>
  static const T& wrap(const T& value) {
    return value;
  }
};
struct Optional {
  template <class T>
  using Key = std::optional<T>;
  template <class T>
  static std::optional<T> wrap(const T& value) {
    return value;
  }
};
struct First {
  template <class T>
  using Key = std::pair<T, int>;
  template <class T>
  static std::pair<T, int> wrap(const T& value) {
    return {value, -7};
  }
};
struct Deep {
  template <class T>
  using Key = std::tuple<std::string, std::optional<std::pair<T, T>>>;
  template <class T>
  static Key<T> wrap(const T& value) {
    return {"deep", std::pair<T, T>(T{}, value)};
  }
};

using Argument = std::variant<std::int64_t, std::uint64_t, char, double, std::string>;

std::vector<Argument> arguments() {
  std::vector<Argument> all{'a', '\xE9', 0.1, -0.5, 1e300, 16777217.0, std::string(), std::string("a\0b", 3)};
  for (const unsigned bits : {1U, 7U, 8U, 15U, 16U, 24U, 31U, 32U, 53U, 62U}) {
    const std::int64_t power = std::int64_t{1} << bits;
    for (const std::int64_t step : {-1, 0, 1}) {
      all.emplace_back(power + step);
      all.emplace_back(-power + step);
    }
  }
  all.emplace_back((std::numeric_limits<std::int64_t>::min)());
  all.emplace_back((std::numeric_limits<std::int64_t>::max)());
  all.emplace_back(std::uint64_t{1} << 63U);
  all.emplace_back(~std::uint64_t{0});
  return all;
}

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// Whether a Key of T is made of an argument of type A.
template <class T, class A>
constexpr bool takes() {
  if constexpr (!is_number<T>) return std::is_same_v<A, std::string>;
  else if constexpr (std::is_floating_point_v<T>) return std::is_arithmetic_v<A>;
  else return std::is_integral_v<A>;
}

// One Key, whatever its type.
struct Entry {
  std::string name;
  Bytes bytes;                                            // of a filter that took the arguments below
  std::vector<Argument> taken;                            // the arguments that it does not refuse
  int shape;                                              // how they are wrapped
  std::function<bool(const Bytes&)> loads;                // as a filter of this Key
  std::function<bool(const Bytes&, const Entry&)> finds;  // loaded so, all that the entry took
};

template <class Filter, class T, class Shape>
Entry entry(std::string name, int shape) {
  Entry made{std::move(name), {}, {}, shape, {}, {}};
  Filter filter({.keys = 100, .fpr = 1e-12});
  for (const Argument& argument : arguments()) {
    std::visit(
        [&](const auto& value) {
          if constexpr (takes<T, std::remove_cvref_t<decltype(value)>>()) {
            try {
              filter.insert(Shape::wrap(value));
              made.taken.push_back(argument);
            } catch (const std::invalid_argument&) {
              // A value that no Key has.
            }
          }
        },
        argument);
  }
  made.bytes = perhaps::to_bytes(filter);
  made.loads = [](const Bytes& bytes) {
    const auto loaded = perhaps::try_from_bytes<Filter>(bytes);
    if (!loaded) CHECK(loaded.reason() == FormatReason::key_kind);
    return static_cast<bool>(loaded);
  };
  made.finds = [shape](const Bytes& bytes, const Entry& other) {
    const Filter loaded = perhaps::from_bytes<Filter>(bytes);
    if (shape != other.shape) return false;
    bool all = true;
    for (const Argument& argument : other.taken) {
      std::visit(
          [&](const auto& value) {
            if constexpr (takes<T, std::remove_cvref_t<decltype(value)>>()) {
              all = all && loaded.may_contain(Shape::wrap(value));
            } else {
              all = false;
            }
          },
          argument);
    }
    return all;
  };
  return made;
}

template <class Hash, class Layout, class Shape, class... Ts>
void add(std::vector<Entry>& entries, const std::string& prefix, int shape, const std::vector<std::string>& names) {
  std::size_t i = 0;
  (entries.push_back(entry<perhaps::BloomFilter<typename Shape::template Key<Ts>, Hash, Layout>, Ts, Shape>(
       prefix + names[i++], shape)),
   ...);
}

Bytes with_kind_of(const Bytes& bytes, const Entry& other) {
  return support::resealed_with(bytes, 20, support::get<std::uint32_t>(other.bytes, 20));
}

template <class F, class G>
concept Unites = requires(F& one, const G& other) { one |= other; };

// Filters of different Keys have no common operations, whatever their header would say.
static_assert(!Unites<perhaps::BloomFilter<int>, perhaps::BloomFilter<unsigned>>);
static_assert(!Unites<perhaps::BloomFilter<int>, perhaps::BloomFilterView<unsigned>>);
static_assert(!Unites<perhaps::CountingBloomFilter<int>, perhaps::CountingBloomFilter<unsigned>>);

}  // namespace

TEST_CASE("a stored filter loads as another exactly if that finds what the stored one took") {
  using perhaps::Classic;
  using perhaps::XxHash3;
  std::vector<Entry> entries;
  add<XxHash3, Classic<>, Bare, bool, char, signed char, unsigned char, short, char16_t, wchar_t, int, std::uint32_t,
      std::int64_t, std::uint64_t, Letter, Small, Wide, Yes, float, double, std::string, std::vector<std::byte>>(
      entries, "", 0,
      {"bool", "char", "signed char", "unsigned char", "short", "char16_t", "wchar_t", "int", "uint32", "int64",
       "uint64", "enum : char", "enum : uint8", "enum : long", "enum : bool", "float", "double", "text", "bytes"});
  const std::vector<std::string> few{"char", "unsigned char", "short", "int64"};
  add<XxHash3, Classic<>, Optional, char, unsigned char, short, std::int64_t>(entries, "optional ", 1, few);
  add<XxHash3, Classic<>, First, char, unsigned char, short, std::int64_t>(entries, "first of a pair: ", 2, few);
  add<XxHash3, Classic<>, Deep, char, short, std::int64_t>(entries, "deep ", 3, {"char", "short", "int64"});
  int loaded = 0;
  for (const Entry& stored : entries) {
    for (const Entry& asked : entries) {
      INFO(stored.name << " as " << asked.name);
      REQUIRE_FALSE(stored.taken.empty());
      const bool loads = asked.loads(stored.bytes);
      CHECK(loads == asked.finds(with_kind_of(stored.bytes, asked), stored));
      loaded += loads ? 1 : 0;
    }
  }
  CHECK(loaded > static_cast<int>(entries.size()));
}

TEST_CASE("keys that a policy hashes itself load as themselves only, or are found") {
  using perhaps::ParquetBlock;
  using perhaps::ParquetHash;
  std::vector<Entry> entries;
  add<ParquetHash, ParquetBlock, Bare, std::int16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
      double, std::string>(entries, "", 0, {"int16", "int32", "uint32", "int64", "uint64", "float", "double", "text"});
  add<ParquetHash, ParquetBlock, Optional, std::int32_t, std::int64_t>(entries, "optional ", 1, {"int32", "int64"});
  for (const Entry& stored : entries) {
    for (const Entry& asked : entries) {
      INFO(stored.name << " as " << asked.name);
      const bool loads = asked.loads(stored.bytes);
      if (loads) CHECK(asked.finds(stored.bytes, stored));
      if (&stored == &asked) CHECK(loads);
    }
  }
}

TEST_CASE("views, streams, counting and cuckoo filters tell kinds of keys apart too") {
  const Bytes bloom = perhaps::to_bytes(perhaps::BloomFilter<int>({.keys = 10, .fpr = 0.01}));
  support::AlignedBytes aligned(bloom);
  // Views are of little-endian words, and refused elsewhere.
  if constexpr (std::endian::native == std::endian::little) {
    CHECK(perhaps::try_view_bytes<perhaps::BloomFilter<long long>>(aligned.span()));
  }
  CHECK(perhaps::try_view_bytes<perhaps::BloomFilter<unsigned>>(aligned.span()).reason() == FormatReason::key_kind);
  std::istringstream in(std::string(reinterpret_cast<const char*>(bloom.data()), bloom.size()), std::ios::binary);
  CHECK(perhaps::try_read<perhaps::BloomFilter<unsigned>>(in).reason() == FormatReason::key_kind);
  const Bytes counting = perhaps::to_bytes(perhaps::CountingBloomFilter<int>({.keys = 10, .fpr = 0.01}));
  CHECK(perhaps::try_from_bytes<perhaps::CountingBloomFilter<long long>>(counting));
  CHECK(perhaps::try_from_bytes<perhaps::CountingBloomFilter<unsigned>>(counting).reason() == FormatReason::key_kind);
  const Bytes cuckoo = perhaps::to_bytes(perhaps::CuckooFilter<unsigned>({.keys = 10}));
  CHECK(perhaps::try_from_bytes<perhaps::CuckooFilter<long long>>(cuckoo));
  CHECK(perhaps::try_from_bytes<perhaps::CuckooFilter<int>>(cuckoo).reason() == FormatReason::key_kind);
}

TEST_CASE("kinds of keys are numbers of the description") {
  using perhaps::ParquetHash;
  using perhaps::XxHash3;
  static_assert(key_kind_id<std::uint64_t, XxHash3>() == 0x51 && key_kind_id<unsigned long long, XxHash3>() == 0x51);
  static_assert(key_kind_id<std::pair<int, std::string>, XxHash3>() == 0xC8E1);
  static_assert(key_kind_id<bool, XxHash3>() == 0x011 && key_kind_id<char, XxHash3>() == 0x111);
  static_assert(key_kind_id<std::optional<std::pair<char, float>>, XxHash3>() == 0xA11ED1);
  static_assert(key_kind_id<std::pair<std::tuple<int>, int>, XxHash3>() == 0x808EE1);
  static_assert(key_kind_id<std::tuple<>, XxHash3>() == 0xE1);
  // Arrays and pairs are tuples, and classes what their perhaps_key returns.
  static_assert(key_kind_id<std::array<int, 2>, XxHash3>() == key_kind_id<std::pair<int, int>, XxHash3>());
  static_assert(key_kind_id<Name, XxHash3>() == key_kind_id<std::string, XxHash3>());
  static_assert(key_kind_id<Line, XxHash3>() == key_kind_id<std::pair<std::uint32_t, int>, XxHash3>());
  // Six fields have room. Of more, every other type has another number, and its own.
  using Six = std::array<std::uint64_t, 6>;
  static_assert(key_kind_id<Six, XxHash3>() == 0x555555E1);
  using Seven = std::array<std::uint64_t, 7>;
  static_assert(key_kind_id<Seven, XxHash3>() % 256 == 0xF1);
  static_assert(key_kind_id<Seven, XxHash3>() != key_kind_id<std::array<std::int64_t, 7>, XxHash3>());
  static_assert(key_kind_id<Seven, XxHash3>() != key_kind_id<std::array<std::uint64_t, 8>, XxHash3>());
  static_assert(key_kind_id<std::tuple<int, std::tuple<int, int, int, int, int, int>>, XxHash3>() !=
                key_kind_id<std::tuple<int, int, std::tuple<int, int, int, int, int>>, XxHash3>());
  // Parquet's widths, which its policy hashes itself.
  static_assert(key_kind_id<std::int32_t, ParquetHash>() != key_kind_id<std::int64_t, ParquetHash>());
  static_assert(key_kind_id<std::int32_t, ParquetHash>() != key_kind_id<std::uint32_t, ParquetHash>());
  static_assert(key_kind_id<std::string, ParquetHash>() == key_kind_id<std::string, XxHash3>());
  SUCCEED();
}

TEST_CASE("a refusal names both kinds of keys in words") {
  const auto refusal = [](const auto& stored, auto asked) {
    const auto loaded = perhaps::try_from_bytes<decltype(asked)>(perhaps::to_bytes(stored));
    return loaded ? std::string() : perhaps::describe(loaded.failure());
  };
  using perhaps::BloomFilter;
  const perhaps::BloomTarget size{.keys = 10, .fpr = 0.01};
  CHECK(refusal(BloomFilter<int>(size), BloomFilter<unsigned>(size)) ==
        "stored filter: its keys are signed integers of 32 bits, asked for unsigned integers of 32 bits");
  CHECK(refusal(BloomFilter<std::string>(size), BloomFilter<std::uint8_t>(size)) ==
        "stored filter: its keys are text or bytes, asked for unsigned integers of 8 bits");
  CHECK(refusal(BloomFilter<std::pair<std::optional<short>, std::pair<int, char>>>(size), BloomFilter<float>(size)) ==
        "stored filter: its keys are tuples of (optional signed integers of 16 bits, tuples of (signed integers of 32 "
        "bits, characters "
        "(char))), asked for floating-point numbers of 32 bits");
  CHECK(refusal(perhaps::ParquetFilter<int>(size), perhaps::ParquetFilter<double>(size)).find("number ") !=
        std::string::npos);
  // Whatever a file says.
  for (std::uint64_t kind = 1; kind < 0x100000000U; kind = kind * 3 + 7) {
    CHECK_FALSE(perhaps::describe({FormatReason::key_kind, kind, ~kind & 0xFFFFFFFFU}).empty());
  }
}
