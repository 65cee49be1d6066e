// SPDX-License-Identifier: BSL-1.0
//
// Keys that are not text: equal values have equal digests, whatever their type, and different values different ones.
#include <perhaps/perhaps.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::BloomFilter;
using perhaps::Digest;
using perhaps::digest_of;
using perhaps::EncodableKey;
using perhaps::XxHash3;

template <class Key, class Q>
Digest digest(const Q& key) {
  return digest_of<Key>(XxHash3{}, key);
}

enum class Color : std::uint8_t { red = 5, blue = 200 };
enum Plain { plain_five = 5 };
enum class Signed : std::int16_t { minus_one = -1 };

}  // namespace

// Classes that are ranges of bytes, or nearly.
namespace ranges {

struct Iterated {
  std::vector<char> bytes;
  auto begin() const { return bytes.begin(); }
  auto end() const { return bytes.end(); }
};

template <class T>
struct Found {
  const T* first;
  const T* last;
};
template <class T>
const T* begin(const Found<T>& found) {
  return found.first;
}
template <class T>
const T* end(const Found<T>& found) {
  return found.last;
}
using FoundBytes = Found<unsigned char>;
using FoundNumbers = Found<int>;

// No size.
struct Terminated {
  struct End {
    friend bool operator==(const char* position, End) { return *position == 0; }
  };
  const char* text;
  const char* begin() const { return text; }
  End end() const { return {}; }
};

struct DataAndSize {
  const char* first;
  std::size_t count;
  const char* data() const { return first; }
  std::size_t size() const { return count; }
};

struct MadeInto {
  std::vector<std::byte> bytes;
  operator std::span<const std::byte>() const { return bytes; }
};

struct Interval {
  int first;
  int last;
  int begin() const { return first; }
  int end() const { return last; }
};

}  // namespace ranges

namespace shop {

// Padding behind `small`, and a real field: no key by its bytes.
struct Item {
  std::uint32_t id;
  std::uint8_t shelf;
  double price;
};
auto perhaps_key(const Item& item) { return std::tie(item.id, item.shelf, item.price); }

struct Order {
  std::string customer;
  std::vector<Item> items;
};
std::string_view perhaps_key(const Order& order) { return order.customer; }

// Its key is another type's.
struct Wrapped {
  Item item;
};
const Item& perhaps_key(const Wrapped& wrapped) { return wrapped.item; }

enum class Unit { piece = 1, kilo = 2 };
std::string_view perhaps_key(const Unit& unit) { return unit == Unit::piece ? "piece" : "kg"; }

// Its bytes, since it says so.
struct Point {
  std::int32_t x;
  std::int32_t y;
};
auto perhaps_key(const Point& point) { return perhaps::object_bytes(point); }

// Says nothing.
struct Unsaid {
  std::int32_t x;
  std::int32_t y;
};

struct Padded {
  std::uint32_t a;
  std::uint8_t b;
};

struct PaddedHash {
  static constexpr unsigned digest_bits = 128;
  Digest operator()(const Padded& key) const { return perhaps::mix_word(key.a * 256ULL + key.b, 0); }
};

struct NoRule {
  std::map<int, int> map;
};

}  // namespace shop

TEST_CASE("an integer is its value, whatever its type") {  // BUGS H08
  const Digest five = digest<std::uint64_t>(std::uint64_t{5});
  CHECK(digest<std::uint64_t>(5) == five);
  CHECK(digest<std::uint64_t>(5L) == five);
  CHECK(digest<std::uint64_t>(5LL) == five);
  CHECK(digest<std::uint64_t>(5U) == five);
  CHECK(digest<std::uint64_t>(short{5}) == five);
  CHECK(digest<std::uint64_t>('\x05') == five);
  CHECK(digest<std::uint64_t>(char8_t{5}) == five);
  CHECK(digest<std::uint64_t>(char16_t{5}) == five);
  CHECK(digest<std::uint64_t>(char32_t{5}) == five);
  CHECK(digest<std::uint64_t>(L'\x05') == five);
  CHECK(digest<std::uint64_t>(std::int8_t{5}) == five);
  CHECK(digest<std::uint64_t>(std::byte{5}) == five);
  CHECK(digest<std::uint64_t>(Color::red) == five);
  CHECK(digest<std::uint64_t>(plain_five) == five);
  CHECK(digest<std::uint64_t>(6) != five);

  CHECK(digest<int>(5) == five);
  CHECK(digest<unsigned>(5) == five);
  CHECK(digest<short>(std::uint64_t{5}) == five);
  CHECK(digest<char>(5) == five);
  CHECK(digest<signed char>(5) == five);
  CHECK(digest<unsigned char>(5) == five);
  CHECK(digest<std::byte>(5) == five);
  CHECK(digest<Color>(Color::red) == five);
  CHECK(digest<Color>(5) == five);
  CHECK(digest<Plain>(plain_five) == five);
  CHECK(digest<char16_t>(u'\x05') == five);
  CHECK(digest<bool>(true) == digest<std::uint64_t>(1));
  CHECK(digest<bool>(false) == digest<std::uint64_t>(0));
  CHECK_THROWS_AS(digest<bool>(7), std::invalid_argument);
}

TEST_CASE("a negative integer is a key of signed types only") {  // BUGS H08
  constexpr std::uint64_t all = ~std::uint64_t{0};
  const Digest minus_one = digest<std::int64_t>(-1);
  CHECK(digest<std::uint64_t>(all) == minus_one);  // the same 64 bits, in filters of another type
  CHECK_THROWS_AS(digest<std::uint64_t>(-1), std::invalid_argument);
  CHECK_THROWS_AS(digest<std::uint64_t>(std::int8_t{-1}), std::invalid_argument);
  CHECK(digest<std::int32_t>(-1) == minus_one);
  CHECK_THROWS_AS(digest<std::int32_t>(0xFFFFFFFFU), std::invalid_argument);
  CHECK_THROWS_AS(digest<std::int16_t>(0xFFFF), std::invalid_argument);
  CHECK(digest<std::int8_t>(-1) == minus_one);
  CHECK(digest<Signed>(Signed::minus_one) == minus_one);
  CHECK_THROWS_AS(digest<std::uint8_t>(-1), std::invalid_argument);
  CHECK(digest<char>('\xE9') == digest<unsigned char>(0xE9));  // on platforms of both kinds of char

  BloomFilter<std::uint64_t> filter({.keys = 10, .fpr = 1e-9});
  filter.insert(all);
  CHECK(filter.may_contain(all));
  CHECK_FALSE(filter.may_contain(-1));
  CHECK_FALSE(filter.may_contain(0xFFFFFFFFU));
}

TEST_CASE("equal numbers are equal keys: the two zeros, and every NaN") {  // BUGS H05
  using double_limits = std::numeric_limits<double>;
  CHECK(digest<double>(-0.0) == digest<double>(0.0));
  CHECK(digest<float>(-0.0F) == digest<float>(0.0F));
  CHECK(digest<double>(0) == digest<double>(0.0));
  const Digest nan = digest<double>(double_limits::quiet_NaN());
  CHECK(digest<double>(-double_limits::quiet_NaN()) == nan);
  CHECK(digest<double>(std::bit_cast<double>(0x7FF8000000000123U)) == nan);
  CHECK(digest<double>(std::bit_cast<double>(0x7FF0000000000001U)) == nan);
  CHECK(digest<double>(std::bit_cast<double>(0xFFFFFFFFFFFFFFFFU)) == nan);
  CHECK(digest<float>(std::numeric_limits<float>::quiet_NaN()) == nan);
  CHECK(digest<double>(double_limits::infinity()) != nan);
  CHECK(digest<double>(double_limits::infinity()) != digest<double>(-double_limits::infinity()));
  CHECK(digest<double>(1.5) != digest<double>(-1.5));
  CHECK(digest<double>(double_limits::denorm_min()) != digest<double>(0.0));

  CHECK(digest<double>(1.5) == digest<std::uint64_t>(0x3FF8000000000000U));  // the bits of the double
  CHECK(digest<float>(1.5) == digest<double>(1.5F));
  CHECK(digest<float>(0.1) == digest<float>(0.1F));    // converted to the key's type
  CHECK(digest<double>(0.1F) != digest<double>(0.1));  // other numbers

  BloomFilter<double, perhaps::MixedHash<std::hash<double>>> filter({.keys = 10, .fpr = 1e-9});
  filter.insert(0.0);
  filter.insert(double_limits::quiet_NaN());
  CHECK(filter.may_contain(-0.0));
  CHECK(filter.may_contain(-double_limits::quiet_NaN()));
}

TEST_CASE("a tuple is hashed field by field, whatever kind of tuple") {
  using Pair = std::pair<std::string, int>;
  const Digest expected = digest<Pair>(Pair("ab", 5));
  CHECK(digest<Pair>(std::pair("ab", 5L)) == expected);
  CHECK(digest<Pair>(std::tuple(std::string_view("ab"), std::uint8_t{5})) == expected);
  CHECK(digest<std::tuple<std::string, long>>(Pair("ab", 5)) == expected);
  const std::string text = "ab";
  const int five = 5;
  CHECK(digest<Pair>(std::tie(text, five)) == expected);
  CHECK(digest<Pair>(Pair("ab", 6)) != expected);
  CHECK(digest<Pair>(Pair("ac", 5)) != expected);
  CHECK(digest<std::array<int, 3>>(std::tuple(1, 2, 3)) == digest<std::tuple<int, int, int>>(std::array{1, 2, 3}));
  CHECK(digest<std::pair<int, int>>(std::pair(1, 2)) != digest<std::pair<int, int>>(std::pair(2, 1)));
}

TEST_CASE("fields do not run into each other") {
  using Texts = std::pair<std::string, std::string>;
  CHECK(digest<Texts>(Texts("ab", "c")) != digest<Texts>(Texts("a", "bc")));
  CHECK(digest<Texts>(Texts("", "abc")) != digest<Texts>(Texts("abc", "")));
  CHECK(digest<std::array<int, 2>>(std::array{1, 0}) != digest<std::array<int, 1>>(std::array{1}));
  CHECK(digest<std::tuple<int>>(std::tuple(1)) != digest<int>(1));
  CHECK(digest<std::tuple<>>(std::tuple<>()) == Digest{0, 0});
  using Nested = std::pair<std::pair<int, int>, int>;
  using Other = std::pair<int, std::pair<int, int>>;
  CHECK(digest<Nested>(Nested({1, 2}, 3)) != digest<Other>(Other(1, {2, 3})));
  CHECK(digest<Nested>(Nested({1, 2}, 3)) != digest<std::array<int, 3>>(std::array{1, 2, 3}));
  CHECK(digest<Nested>(std::tuple(std::array{1, 2}, 3)) == digest<Nested>(Nested({1, 2}, 3)));

  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (int a = 0; a < 100; ++a) {
    for (int b = 0; b < 100; ++b) {
      const Digest d = digest<std::pair<int, int>>(std::pair(a, b));
      seen.emplace(d.g, d.h);
    }
  }
  CHECK(seen.size() == 100 * 100);
}

TEST_CASE("an optional is empty or its value") {
  using Maybe = std::optional<int>;
  const Digest empty = digest<Maybe>(Maybe());
  CHECK(digest<Maybe>(std::nullopt) == empty);
  CHECK(digest<Maybe>(std::optional<long>()) == empty);
  CHECK(digest<Maybe>(Maybe(0)) != empty);
  CHECK(digest<Maybe>(Maybe(0)) == digest<Maybe>(0));
  CHECK(digest<Maybe>(Maybe(7)) == digest<Maybe>(std::optional<std::uint8_t>(std::uint8_t{7})));
  CHECK(digest<Maybe>(7) != digest<int>(7));
  CHECK(digest<std::optional<std::string>>("x") == digest<std::optional<std::string>>(std::optional<std::string>("x")));

  using Twice = std::optional<Maybe>;
  CHECK(digest<Twice>(Twice(Maybe())) != digest<Twice>(Twice()));  // a value that is empty is a value
  CHECK(digest<Twice>(Twice(Maybe(3))) == digest<Twice>(Maybe(3)));
  CHECK(digest<Twice>(Twice(Maybe(3))) == digest<Twice>(3));
  CHECK(digest<Twice>(Maybe()) == digest<Twice>(Twice(Maybe())));

  using Row = std::tuple<Maybe, Maybe>;
  CHECK(digest<Row>(Row(1, std::nullopt)) != digest<Row>(Row(std::nullopt, 1)));
}

TEST_CASE("perhaps_key says what a class's key is") {
  const shop::Item item{7, 2, 0.0};
  const shop::Item zero_price{7, 2, -0.0};
  CHECK(digest<shop::Item>(item) == digest<std::tuple<int, int, double>>(std::tuple(7, 2, 0.0)));
  CHECK(digest<shop::Item>(item) == digest<shop::Item>(zero_price));
  CHECK(digest<shop::Item>(item) != digest<shop::Item>(shop::Item{7, 3, 0.0}));
  CHECK(digest<shop::Wrapped>(shop::Wrapped{item}) == digest<shop::Item>(item));
  CHECK(digest<shop::Order>(shop::Order{"ann", {item}}) == digest<std::string>("ann"));
  CHECK(digest<shop::Unit>(shop::Unit::kilo) == digest<std::string>("kg"));
  using Row = std::pair<shop::Unit, shop::Item>;
  CHECK(digest<Row>(Row(shop::Unit::kilo, item)) ==
        digest<std::tuple<std::string, std::tuple<int, int, double>>>(std::tuple("kg", std::tuple(7, 2, 0.0))));

  BloomFilter<shop::Item> filter({.keys = 10, .fpr = 1e-9});
  filter.insert(item);
  CHECK(filter.may_contain(zero_price));
  CHECK_FALSE(filter.may_contain(shop::Item{8, 2, 0.0}));
}

TEST_CASE("a class that says so is its bytes") {
  const shop::Point point{1, -1};
  const auto bytes = std::bit_cast<std::array<unsigned char, sizeof point>>(point);
  CHECK(digest<shop::Point>(point) == digest<std::array<unsigned char, sizeof point>>(bytes));
  CHECK(digest<shop::Point>(point) != digest<shop::Point>(shop::Point{-1, 1}));
}

TEST_CASE("a policy for a padded class sees its fields only") {  // BUGS H04
  static_assert(!EncodableKey<shop::Padded>);
  BloomFilter<shop::Padded, shop::PaddedHash> filter({.keys = 10, .fpr = 1e-9});
  alignas(shop::Padded) std::array<unsigned char, sizeof(shop::Padded)> zeros;
  alignas(shop::Padded) std::array<unsigned char, sizeof(shop::Padded)> ones;
  zeros.fill(0x00);
  ones.fill(0xFF);
  auto* over_zeros = ::new (zeros.data()) shop::Padded;
  auto* over_ones = ::new (ones.data()) shop::Padded;
  over_zeros->a = over_ones->a = 7;
  over_zeros->b = over_ones->b = 9;
  filter.insert(*over_zeros);
  CHECK(filter.may_contain(*over_ones));
  CHECK_FALSE(filter.may_contain(shop::Padded{7, 8}));
}

TEST_CASE("what is a key and what is none") {
  CHECK(EncodableKey<std::string>);
  CHECK(EncodableKey<const char*>);
  CHECK(EncodableKey<const int>);
  CHECK(EncodableKey<std::vector<std::byte>>);
  CHECK(EncodableKey<std::array<std::string, 3>>);
  CHECK(EncodableKey<std::optional<std::pair<double, std::u8string>>>);
  CHECK(EncodableKey<shop::Item>);
  CHECK(EncodableKey<std::pair<shop::Item, shop::Point>>);

  CHECK_FALSE(EncodableKey<int*>);
  CHECK_FALSE(EncodableKey<void*>);
  CHECK_FALSE(EncodableKey<std::nullptr_t>);
  CHECK_FALSE(EncodableKey<int shop::Point::*>);
  CHECK_FALSE(EncodableKey<long double>);
  CHECK_FALSE(EncodableKey<shop::Padded>);
  CHECK_FALSE(EncodableKey<shop::NoRule>);
  CHECK_FALSE(EncodableKey<std::unique_ptr<int>>);
  CHECK_FALSE(EncodableKey<std::pair<int, int*>>);
  CHECK_FALSE(EncodableKey<std::optional<long double>>);
  // Trivially copyable and without padding, but their bytes are addresses.
  CHECK_FALSE(EncodableKey<std::vector<int>::const_iterator>);
  CHECK_FALSE(EncodableKey<std::map<int, int>::iterator>);
  CHECK(EncodableKey<ranges::FoundNumbers>);  // a range, though
  // Bytes that are next to each other, whichever way a class shows them.
  using perhaps::detail::BytesKey;
  CHECK(BytesKey<std::span<const std::byte>>);
  CHECK(BytesKey<unsigned char[4]>);
  CHECK(BytesKey<ranges::Iterated>);
  CHECK(BytesKey<ranges::FoundBytes>);
  CHECK_FALSE(BytesKey<std::deque<char>>);
  CHECK_FALSE(BytesKey<ranges::Terminated>);
  CHECK_FALSE(BytesKey<ranges::DataAndSize>);
  CHECK_FALSE(BytesKey<ranges::MadeInto>);
  // No class is its bytes unless it says so.
  CHECK_FALSE(EncodableKey<shop::Unsaid>);
  CHECK_FALSE(EncodableKey<ranges::Interval>);
  CHECK(EncodableKey<std::reference_wrapper<const std::string>>);
  CHECK_FALSE(EncodableKey<std::reference_wrapper<const shop::Unsaid>>);
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = __int128;
  CHECK(EncodableKey<Wide>);
#endif
}

TEST_CASE("a policy that takes text only is given integers as eight bytes, lowest first") {
  const auto bytes = perhaps::detail::word_bytes(0x8182838485868788U);
  CHECK(std::string_view(bytes.data(), bytes.size()) == "\x88\x87\x86\x85\x84\x83\x82\x81");
}

// Red here: stored filters of such keys can no longer be read; see key_encoding_version.
TEST_CASE("golden digests of encoded keys") {
  CHECK(perhaps::key_encoding_version == 1);
  CHECK(digest<std::pair<int, int>>(std::pair(1, 2)) == Digest{0x50D1C2DDD3E94917U, 0x07A84F6CD9FCB0CAU});
  CHECK(digest<std::optional<int>>(std::optional(1)) == Digest{0x5036679B9A62F9CCU, 0xB21A2DB2BF0D3134U});
  CHECK(digest<std::optional<int>>(std::nullopt) == Digest{0, 0});
}
