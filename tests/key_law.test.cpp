// SPDX-License-Identifier: BSL-1.0
//
// The law of keys (key_encoding.hpp), over a table of argument types and kinds of keys: whatever compiles means the Key
// that C++ makes of it, braces mean a Key, and a value that no Key has is certainly not in the filter.
#include <perhaps/perhaps.hpp>

#include <array>
#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/suite.hpp"

extern const char defined_below[];
extern const char8_t defined_below_too[];

namespace {

using perhaps::BloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::Digest;
using perhaps::XxHash3;

template <class Key, class Q>
Digest digest(const Q& key) {
  return perhaps::digest_of<Key>(XxHash3{}, key);
}

template <class Key, class Q>
bool refuses(const Q& key) {
  try {
    static_cast<void>(digest<Key>(key));
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

// Numbers of any type compared with numbers of any other: wide enough for all of them.
#if defined(__SIZEOF_INT128__)
__extension__ using Number = __int128;
#else
using Number = std::int64_t;
#endif

// The number that a value stands for: of plain characters, that of the unsigned type.
template <class T>
Number number(T value) {
  if constexpr (std::is_enum_v<T>) return number(static_cast<std::underlying_type_t<T>>(value));
  else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, wchar_t>)
    return static_cast<Number>(static_cast<std::make_unsigned_t<T>>(value));
  else return static_cast<Number>(value);
}

// Whether a Key stands for that number; plain characters take those of both signs.
template <class Key>
bool has(Number n) {
  if constexpr (std::is_enum_v<Key>) {
    return has<std::underlying_type_t<Key>>(n);
  } else if constexpr (std::is_same_v<Key, char> || std::is_same_v<Key, wchar_t>) {
    return has<std::make_signed_t<Key>>(n) || has<std::make_unsigned_t<Key>>(n);
  } else {
    return n >= static_cast<Number>(std::numeric_limits<Key>::min()) &&
           n <= static_cast<Number>(std::numeric_limits<Key>::max());
  }
}

enum class Small : std::uint8_t {};
enum class Negative : std::int16_t {};
enum class Letter : char {};
enum Unscoped : unsigned {};

using IntegerTypes = std::tuple<bool, char, signed char, unsigned char, char8_t, char16_t, char32_t, wchar_t, short,
                                unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long,
                                std::byte, Small, Negative, Letter, Unscoped>;

template <class T>
std::vector<T> values_of() {
  std::vector<T> values;
  using Limits = std::numeric_limits<std::conditional_t<std::is_enum_v<T>, std::uint8_t, T>>;
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{2}, std::int64_t{100}, std::int64_t{127},
        std::int64_t{128}, std::int64_t{-128}, std::int64_t{-129}, std::int64_t{255}, std::int64_t{256},
        std::int64_t{32768}, std::int64_t{-32769}, std::int64_t{65536}, std::int64_t{2147483647},
        std::int64_t{2147483648}, std::int64_t{-2147483648}, std::int64_t{4294967295}, std::int64_t{4294967303}}) {
    values.push_back(static_cast<T>(n));
  }
  if constexpr (!std::is_enum_v<T>) {
    values.push_back(Limits::min());
    values.push_back(Limits::max());
  }
  return values;
}

// One pair of types: the first value, if any, for which the law does not hold.
template <class Key, class Q>
std::optional<Number> broken_at() {
  for (const Q value : values_of<Q>()) {
    const Number n = number(value);
    if (refuses<Key>(value) == has<Key>(n)) return n;
    if (!has<Key>(n)) continue;
    // Equal numbers are equal keys, and 64 bits wide; a plain character is that of its unsigned number.
    auto word = static_cast<std::uint64_t>(n);
    using Base = typename perhaps::detail::IntegerOf<Key>::type;
    if constexpr (std::is_same_v<Base, char> || std::is_same_v<Base, wchar_t>) {
      word = static_cast<std::make_unsigned_t<Base>>(n);
    }
    if (digest<Key>(value) != XxHash3{}(word)) return n;
    if (perhaps::detail::always_fits<Key, Q>() && !has<Key>(n)) return n;
  }
  return std::nullopt;
}

template <class Key, class... Qs>
bool holds_for_all(std::tuple<Qs...>) {
  const std::array<bool, sizeof...(Qs)> holds{!broken_at<Key, Qs>().has_value()...};
  for (const bool one : holds) {
    if (!one) return false;
  }
  return true;
}

// The position in the list of the first type of key for which the law does not hold, or -1.
template <class... Keys>
int first_broken(std::tuple<Keys...>) {
  const std::array<bool, sizeof...(Keys)> holds{holds_for_all<Keys>(IntegerTypes{})...};
  for (std::size_t i = 0; i < holds.size(); ++i) {
    if (!holds[i]) return static_cast<int>(i);
  }
  return -1;
}

// Every operation that takes a key, over all filters and batches, with `spelling` for the key and `key` for its Key.
// `Filters` are three, to be made once for each Key.
template <class Key>
struct Filters {
  BloomFilter<Key> bloom{{.keys = 100, .fpr = 1e-6}};
  CountingBloomFilter<Key> counting{{.keys = 100, .fpr = 1e-6}};
  CuckooFilter<Key, 24> cuckoo{{.keys = 100}};

  // `Everywhere`: by all operations of all filters. Else, as all of them read their arguments in one place, by those of
  // a Bloom filter: each spelling takes a while to compile.
  template <bool Everywhere = support::full_suite, class Q>
  bool means(const Q& spelling, const Key& key) {
    return put<Everywhere>(spelling, key) && put<Everywhere>(key, spelling);
  }

  template <bool Everywhere, class A, class B>
  bool put(const A& a, const B& b) {
    bloom.clear();
    bool right = bloom.digest(a) == bloom.digest(b);
    bloom.insert(a);
    right = right && bloom.may_contain(b);
    if constexpr (Everywhere) {
      right = right && bloom.test_and_insert(b);
      bloom.clear();
      right = right && !bloom.test_and_insert(a) && bloom.may_contain(b);
      counting.clear();
      cuckoo.clear();
      right = right && counting.digest(a) == cuckoo.digest(b);
      counting.insert(a);
      right = right && counting.may_contain(b) && counting.count(b) == 1 && counting.erase(b) && counting.empty();
      right = right && cuckoo.insert(a) && cuckoo.may_contain(b) && cuckoo.count(b) == 1 && cuckoo.erase(b);
      right = right && cuckoo.empty();
    }
    return right;
  }

  // Batches over arrays of one spelling. Not for every spelling: each takes a while to compile.
  template <class Q>
  bool batches_mean(const std::vector<Q>& spellings, const std::vector<Key>& keys) {
    bloom.clear();
    counting.clear();
    cuckoo.clear();
    bloom.insert_range(spellings);
    counting.insert_range(spellings);
    bool right = cuckoo.insert_range(spellings) == keys.size();
    for (const Key& key : keys)
      right = right && bloom.may_contain(key) && counting.may_contain(key) && cuckoo.may_contain(key);
    std::vector<bool> answers;
    bloom.may_contain_range(spellings, std::back_inserter(answers));
    counting.may_contain_range(spellings, std::back_inserter(answers));
    cuckoo.may_contain_range(spellings, std::back_inserter(answers));
    for (const bool answer : answers) right = right && answer;
    return right && answers.size() == 3 * keys.size();
  }

  // A value that no Key has: nothing finds it, nothing takes it out, nothing puts it in.
  template <class Q>
  bool has_no_place_for(const Q& value, const std::string& shown) {
    const std::vector<Q> batch{value};
    bool right = !bloom.may_contain(value) && !counting.may_contain(value) && !cuckoo.may_contain(value) &&
                 !counting.erase(value) && !cuckoo.erase(value) && counting.count(value) == 0 &&
                 cuckoo.count(value) == 0;
    bloom.may_contain_range(batch, [&](std::size_t, bool perhaps) { right = right && !perhaps; });
    counting.may_contain_range(batch, [&](std::size_t, bool perhaps) { right = right && !perhaps; });
    cuckoo.may_contain_range(batch, [&](std::size_t, bool perhaps) { right = right && !perhaps; });
    const auto bloom_before = bloom;
    const auto counting_before = counting;
    const auto cuckoo_before = cuckoo;
    const auto refused = [&](const auto& operation) {
      try {
        operation();
      } catch (const std::invalid_argument& error) {
        return std::string_view(error.what()).find(shown) != std::string_view::npos;
      }
      return false;
    };
    right = right && refused([&] { bloom.insert(value); }) && refused([&] { bloom.test_and_insert(value); }) &&
            refused([&] { bloom.insert_range(batch); }) && refused([&] { static_cast<void>(bloom.digest(value)); }) &&
            refused([&] { counting.insert(value); }) && refused([&] { counting.insert_range(batch); }) &&
            refused([&] { static_cast<void>(cuckoo.insert(value)); }) &&
            refused([&] { static_cast<void>(cuckoo.insert_range(batch)); });
    return right && bloom == bloom_before && counting == counting_before && cuckoo == cuckoo_before;
  }
};

}  // namespace

// Classes with keys of their own, and classes that convert.
namespace named {

// The view that perhaps_key returns is into the object: a temporary must live until it is hashed.
struct Name {
  std::string text;
  Name(std::string t) : text(std::move(t)) {}  // NOLINT(google-explicit-constructor): what the test is about
};
auto perhaps_key(const Name& name) { return std::string_view(name.text); }

struct Copied {
  std::string text;
  Copied(const char* t) : text(t) {}  // NOLINT(google-explicit-constructor)
};
auto perhaps_key(const Copied& copied) { return copied.text; }

struct Derived : Name {
  using Name::Name;
  int extra = 0;
};

// Text that is not its spelling.
struct LowerCase {
  std::string text;
  LowerCase(std::string t) : text(std::move(t)) {  // NOLINT(google-explicit-constructor)
    for (char& letter : text) {
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  operator std::string_view() const { return text; }  // NOLINT(google-explicit-constructor)
};

struct Spelled {
  operator std::string() const { return "owl"; }  // NOLINT(google-explicit-constructor)
};

struct Number {
  long value;
  operator long() const { return value; }  // NOLINT(google-explicit-constructor)
};

struct Half {
  operator double() const { return 0.5; }  // NOLINT(google-explicit-constructor)
};

struct MaybeSeven {
  operator std::optional<int>() const { return 7; }  // NOLINT(google-explicit-constructor)
};

struct PairOfOnes {
  operator std::pair<int, int>() const { return {1, 1}; }  // NOLINT(google-explicit-constructor)
};

struct Uuid {
  std::array<std::uint32_t, 4> parts;
};
auto perhaps_key(const Uuid& id) { return perhaps::object_bytes(id); }

struct Fields {
  unsigned low : 5;
  int high : 7;
  bool flag : 1;
};

}  // namespace named

TEST_CASE("keys: an integer is its number, for every type of argument and key") {
  // A type of key of each kind, with every type of argument; in the full suite, every type of key.
  using Kinds = std::tuple<bool, char, std::int8_t, std::uint32_t, std::int64_t, Letter>;
  CHECK(first_broken(support::Suite<IntegerTypes, Kinds>{}) == -1);
}

#if defined(__SIZEOF_INT128__)
TEST_CASE("keys: integers of 128 bits are asked by their number") {
  __extension__ using Unsigned = unsigned __int128;
  CHECK(digest<std::uint64_t>(Number{5}) == digest<int>(5));
  CHECK(digest<int>(Number{-5}) == digest<int>(-5));
  CHECK(digest<std::uint64_t>(Unsigned{~std::uint64_t{0}}) == digest<std::uint64_t>(~std::uint64_t{0}));
  CHECK(refuses<std::uint64_t>(Number{1} << 64));
  CHECK(refuses<std::uint64_t>(Number{-1}));
  CHECK(refuses<std::int64_t>(-(Number{1} << 63) - 1));
  CHECK(refuses<std::int64_t>(Unsigned{1} << 127));
  CHECK_THROWS_WITH(digest<int>(-(Number{1} << 100)), Catch::Contains("-1267650600228229401496703205376"));
}
#endif

TEST_CASE("keys: a value that no key has is certainly not in, and is refused by name") {
  Filters<std::uint32_t> words;
  words.bloom.insert(7U);
  words.counting.insert(7U);
  REQUIRE(words.cuckoo.insert(7U));
  CHECK(words.has_no_place_for(7 + (std::int64_t{1} << 32U), "4294967303"));
  CHECK(words.has_no_place_for(-1, "-1"));
  CHECK(words.bloom.may_contain(7L));

  Filters<std::pair<std::int8_t, std::string>> pairs;
  CHECK(pairs.has_no_place_for(std::pair(300, "owl"), "300"));
  CHECK(pairs.means<true>(std::pair(100, "owl"), {std::int8_t{100}, "owl"}));

  Filters<std::optional<std::uint16_t>> maybe;
  CHECK(maybe.has_no_place_for(std::optional<int>(70'000), "70000"));
  CHECK(maybe.has_no_place_for(-2, "-2"));

  Filters<float> reals;
  CHECK(reals.has_no_place_for(1e300, "1e+300"));
  CHECK(reals.has_no_place_for(-1e300, "-1e+300"));
  CHECK(reals.means(std::numeric_limits<double>::infinity(), std::numeric_limits<float>::infinity()));
  CHECK(reals.means<true>(0.1, 0.1F));
}

TEST_CASE("keys: braces mean a key, in every operation") {
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  Filters<Pair> f;
  f.bloom.insert({1, 2});
  CHECK(f.bloom.may_contain(Pair(1, 2)));
  CHECK(f.bloom.may_contain({1, 2}));
  CHECK_FALSE(f.bloom.may_contain({2, 1}));
  CHECK(f.bloom.test_and_insert({1, 2}));
  CHECK_FALSE(f.bloom.test_and_insert({3, 4}));
  CHECK(f.bloom.digest({1, 2}) == f.bloom.digest(Pair(1, 2)));
  CHECK(perhaps::digest_of<Pair>(XxHash3{}, {1, 2}) == f.bloom.digest(Pair(1, 2)));
  f.bloom.insert_range({{5, 6}, {7, 8}});
  CHECK(f.bloom.may_contain(Pair(7, 8)));
  std::vector<bool> answers;
  f.bloom.may_contain_range({{5, 6}, {8, 7}}, std::back_inserter(answers));
  CHECK(answers == std::vector<bool>{true, false});

  f.counting.insert({1, 2});
  f.counting.insert_range({{1, 2}, {7, 8}});
  CHECK(f.counting.count({1, 2}) == 2);
  CHECK(f.counting.erase({1, 2}));
  CHECK(f.counting.may_contain({1, 2}));

  for (std::uint64_t i = 0; i < 60; ++i) CHECK(f.cuckoo.insert({i, i + 1}));
  CHECK(f.cuckoo.insert_range({{100, 1}, {101, 1}}) == 2);
  CHECK(f.cuckoo.count({1, 2}) == 1);
  CHECK(f.cuckoo.erase({1, 2}));
  CHECK(f.cuckoo.size() == 61);

  BloomFilter<int> ints({.keys = 100, .fpr = 1e-6});
  ints.insert({5});
  CHECK(ints.may_contain(5));
  ints.insert({});
  CHECK(ints.may_contain(0));
  BloomFilter<std::string> texts({.keys = 100, .fpr = 1e-6});
  texts.insert({"owl"});
  CHECK(texts.may_contain("owl"));
  texts.insert({3, 'x'});
  CHECK(texts.may_contain(std::string{3, 'x'}));
  texts.insert_range({"fox", "hen"});
  CHECK(texts.may_contain("hen"));
}

TEST_CASE("keys: a digest is taken for what it is") {
  Filters<int> f;
  const Digest seven = f.bloom.digest(7);
  CHECK(f.bloom.digest(seven) == seven);
  CHECK(f.means<true>(7, 7));
  f.bloom.insert(seven);
  f.counting.insert(seven);
  CHECK(f.cuckoo.insert(seven));
  CHECK((f.bloom.may_contain(7) && f.counting.erase(7) && f.cuckoo.erase(7)));
}

TEST_CASE("keys: an argument that converts to a class with perhaps_key lives until it is hashed") {
  const std::string text = "a long name, which lies on the heap and not within the string";
  using Named = named::Name;
  Filters<Named> names;
  CHECK(names.means<true>(text, Named(text)));
  CHECK(names.means(named::Derived(text), Named(text)));
  CHECK(names.batches_mean(std::vector<std::string>{text, text + "2"}, {Named(text), Named(text + "2")}));
  Filters<named::Copied> copied;
  CHECK(copied.means(text.c_str(), named::Copied(text.c_str())));

  Filters<std::pair<Named, int>> pairs;
  CHECK(pairs.means(std::pair(text, 1), {Named(text), 1}));
  const int one = 1;
  CHECK(pairs.means(std::tie(text, one), {Named(text), 1}));
  Filters<std::optional<Named>> maybe;
  CHECK(maybe.means(text, Named(text)));
  CHECK(maybe.means(std::optional<std::string>(text), Named(text)));
}

TEST_CASE("keys: what a conversion does to a text is done before it is hashed") {
  using named::LowerCase;
  Filters<LowerCase> names;
  CHECK(names.means<true>("OWL", LowerCase("owl")));
  CHECK(names.means(std::string("OWL"), LowerCase("owl")));
  const std::array<char[4], 1> unterminated{{{'O', 'W', 'L', 'S'}}};
  CHECK(names.means(unterminated[0], LowerCase("owls")));
  CHECK(names.batches_mean(std::vector<const char*>{"Owl", "FOX"}, {LowerCase("owl"), LowerCase("fox")}));
}

TEST_CASE("keys: arrays of characters end at the first NUL, whatever is known of their bound") {
  Filters<std::string> texts;
  CHECK(texts.means<true>(defined_below, "in another position"));
  CHECK(texts.means(defined_below_too, "in another position"));
  Filters<std::pair<std::string, int>> pairs;
  const int one = 1;
  CHECK(pairs.means(std::tie(defined_below, one), {"in another position", 1}));
  CHECK(pairs.means(std::tie(defined_below_too, one), {"in another position", 1}));
  const char padded[8] = "owl";
  CHECK(texts.means(padded, "owl"));
  const std::array<char, 3> range{'o', 'w', 'l'};  // a range of bytes, not an array of characters
  CHECK(texts.means(range, "owl"));
  CHECK(texts.batches_mean(std::vector<const char*>{"owl", "fox"}, {"owl", "fox"}));
}

TEST_CASE("keys: wrappers stand for what they refer to") {
  const std::string text = "owl";
  Filters<std::string> texts;
  CHECK(texts.means(std::cref(text), text));
  CHECK(texts.means(named::Spelled{}, text));
  using Wrapped = std::reference_wrapper<const std::string>;
  const std::string equal = "owl";
  CHECK(digest<Wrapped>(Wrapped(text)) == digest<Wrapped>(Wrapped(equal)));
  CHECK(digest<Wrapped>(Wrapped(text)) == digest<std::string>(text));
  CHECK(digest<Wrapped>("owl") == digest<std::string>(text));
  using Pair = std::pair<std::string, int>;
  CHECK(digest<Pair>(std::pair<Wrapped, int>(text, 1)) == digest<Pair>(Pair("owl", 1)));

  const int seven = 7;
  Filters<int> ints;
  CHECK(ints.means(std::cref(seven), 7));
  CHECK(ints.has_no_place_for(std::cref(*std::make_unique<const std::int64_t>(std::int64_t{1} << 40U)),
                              "1099511627776") == true);
}

TEST_CASE("keys: objects that convert to a number are that number") {
  Filters<int> ints;
  CHECK(ints.means<true>(named::Number{-9}, -9));
  CHECK(ints.has_no_place_for(named::Number{std::int64_t{1} << 40U}, "1099511627776"));
  CHECK(ints.means(std::integral_constant<short, 12>{}, 12));
  const std::atomic<int> atomic{11};
  CHECK(digest<int>(atomic) == digest<int>(11));

  Filters<bool> bools;
  std::vector<bool> bits{true, false};
  std::bitset<2> set("01");
  CHECK(bools.means<true>(bits[0], true));
  CHECK(bools.means(bits[1], false));
  CHECK(bools.means(set[0], true));
  CHECK(ints.means(bits[0], 1));
  bools.bloom.clear();
  bools.bloom.insert_range(bits);
  CHECK((bools.bloom.may_contain(true) && bools.bloom.may_contain(false)));

  named::Fields fields{};
  fields.low = 21;
  fields.high = -3;
  fields.flag = true;
  ints.bloom.clear();
  ints.bloom.insert(fields.low);
  ints.bloom.insert(fields.high);
  CHECK((ints.bloom.may_contain(21) && ints.bloom.may_contain(-3) && !ints.bloom.may_contain(1)));
  CHECK(digest<bool>(fields.flag) == digest<bool>(true));
  const volatile int changing = 4;
  CHECK(digest<int>(changing) == digest<int>(4));

  Filters<double> reals;
  CHECK(reals.means(named::Half{}, 0.5));
  CHECK(reals.means(3, 3.0));
  CHECK(digest<float>(named::Half{}) == digest<float>(0.5F));
}

TEST_CASE("keys: an optional is read as std::optional's constructors read it") {
  using Maybe = std::optional<int>;
  using Twice = std::optional<Maybe>;
  Filters<Twice> twice;
  CHECK(twice.means<true>(std::optional<long>(), Twice(std::optional<long>())));
  CHECK(digest<Twice>(std::optional<long>()) != digest<Twice>(std::nullopt));
  CHECK(twice.means(std::optional<long>(3), Twice(std::optional<long>(3))));
  CHECK(twice.means(std::optional<std::optional<long>>(), Twice()));
  Filters<Maybe> maybe;
  CHECK(maybe.means(std::optional<long>(), Maybe()));
  CHECK(maybe.means(named::MaybeSeven{}, Maybe(7)));
  CHECK(maybe.means(named::Number{7}, Maybe(7)));
  Filters<std::optional<std::string>> texts;
  CHECK(texts.means("owl", std::string("owl")));
  CHECK(texts.means(std::optional<const char*>("owl"), std::string("owl")));
  CHECK(texts.means(std::nullopt, std::nullopt));
  using Row = std::pair<Twice, std::string>;
  CHECK(digest<Row>(std::pair(std::optional<long>(), "x")) == digest<Row>(Row(std::optional<long>(), "x")));
}

TEST_CASE("keys: tuples are read field by field, classes that convert to one as that one") {
  using Pair = std::pair<int, int>;
  Filters<Pair> pairs;
  CHECK(pairs.means(std::tuple(1L, short{2}), {1, 2}));
  CHECK(pairs.means(std::array<int, 2>{1, 2}, {1, 2}));
  CHECK(pairs.means<true>(named::PairOfOnes{}, {1, 1}));
  CHECK(pairs.batches_mean(std::vector<std::tuple<long, long>>{{1, 2}, {3, 4}}, {{1, 2}, {3, 4}}));
}

TEST_CASE("keys: bytes of an object are hashed where it says so by name") {
  const named::Uuid id{{1, 2, 3, 4}};
  CHECK(perhaps::object_bytes(id).size() == 16);
  CHECK(digest<named::Uuid>(id) == digest<std::vector<std::byte>>(perhaps::object_bytes(id)));
  CHECK(digest<named::Uuid>(id) != digest<named::Uuid>(named::Uuid{{1, 2, 4, 3}}));
  CHECK_FALSE(perhaps::EncodableKey<named::Fields>);
  CHECK_FALSE(perhaps::EncodableKey<named::Number>);
}

TEST_CASE("keys: the two zeros are one key where a foreign format has two") {
  perhaps::ParquetFilter<double> doubles({.keys = 1000, .fpr = 1e-3});
  perhaps::ParquetFilter<float> floats({.keys = 1000, .fpr = 1e-3});
  doubles.insert(-0.0);
  floats.insert(0.0F);
  CHECK((doubles.may_contain(0.0) && doubles.may_contain(-0.0) && doubles.may_contain(0)));
  CHECK((floats.may_contain(-0.0F) && floats.may_contain(0.0F)));
  CHECK(doubles.test_and_insert(0.0));
  std::vector<bool> answers;
  floats.may_contain_range(std::vector<float>{-0.0F, 0.0F, 1.0F}, std::back_inserter(answers));
  CHECK(answers == std::vector<bool>{true, true, false});
  doubles.clear();
  CHECK_FALSE(doubles.may_contain(0.0));
  CHECK_FALSE(doubles.test_and_insert(0.0));
  CHECK(doubles.test_and_insert(-0.0));
  CHECK(doubles.set_bits() == 16);  // the stored bits are Parquet's: each zero has its own

  perhaps::ParquetFilter<std::int32_t> ints({.keys = 1000, .fpr = 1e-3});
  ints.insert(7);
  CHECK_FALSE(ints.may_contain(7 + (std::int64_t{1} << 32U)));
  CHECK_THROWS_AS(ints.insert(std::int64_t{1} << 32U), std::invalid_argument);
}

const char defined_below[] = "in another position";
const char8_t defined_below_too[] = u8"in another position";
