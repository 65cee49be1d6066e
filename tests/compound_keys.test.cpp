// SPDX-License-Identifier: BSL-1.0
//
// Keys that are made of others: sequences, variants, paths, durations, wide text, integers of 128 bits. For every type,
// keys have one digest exactly if they are ==, whatever they are written as; and files tell the types apart.
#include <perhaps/perhaps.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "support/catch.hpp"
#include "support/suite.hpp"

namespace {

namespace fs = std::filesystem;
namespace chrono = std::chrono;
using perhaps::BloomFilter;
using perhaps::Digest;
using perhaps::EncodableKey;
using perhaps::FormatReason;

#if defined(__SIZEOF_INT128__)
__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;
#else
using Wide = std::int64_t;
using UnsignedWide = std::uint64_t;
#endif

template <class Key, class Q>
Digest digest(const Q& key) {
  return perhaps::digest_of<Key>(perhaps::XxHash3{}, key);
}

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) { return static_cast<std::size_t>(random() % limit); }

template <class T>
struct Kind {};

// A value of type T, from few enough that equal ones come often, and alike enough that a sloppy encoding confuses them.
template <class Char, class Traits, class Allocator>
auto make(Random& random, Kind<std::basic_string<Char, Traits, Allocator>>) {
  std::basic_string<Char, Traits, Allocator> text(below(random, 3), Char{});
  for (auto& letter : text) letter = static_cast<Char>(below(random, 2) * (sizeof(Char) > 1 ? 0x101 : 1));
  return text;
}
template <class A, class B>
std::pair<A, B> make(Random& random, Kind<std::pair<A, B>>);
template <class T>
std::optional<T> make(Random& random, Kind<std::optional<T>>);
template <class... Ts>
std::variant<Ts...> make(Random& random, Kind<std::variant<Ts...>>);

template <class T>
requires std::is_arithmetic_v<T> T make(Random& random, Kind<T>) {
  constexpr std::array<int, 4> values{0, 1, 2, 100};
  return static_cast<T>(values[below(random, std::same_as<T, bool> ? 2 : 4)]);
}
#if defined(__SIZEOF_INT128__)
Wide make(Random& random, Kind<Wide>) {
  const auto word = static_cast<Wide>(below(random, 3)) - 1;
  return below(random, 2) == 0 ? word : static_cast<Wide>(static_cast<UnsignedWide>(word) << 64U);
}
UnsignedWide make(Random& random, Kind<UnsignedWide>) { return static_cast<UnsignedWide>(make(random, Kind<Wide>{})); }
#endif
std::monostate make(Random&, Kind<std::monostate>) { return {}; }
fs::path make(Random& random, Kind<fs::path>) {
  std::string text;
  for (std::size_t i = below(random, 5); i > 0; --i) text += "a/b/."[below(random, 5)];
  return text;
}
template <class Rep, class Period>
chrono::duration<Rep, Period> make(Random& random, Kind<chrono::duration<Rep, Period>>) {
  return chrono::duration<Rep, Period>(make(random, Kind<Rep>{}));
}
template <class Clock, class Duration>
chrono::time_point<Clock, Duration> make(Random& random, Kind<chrono::time_point<Clock, Duration>>) {
  return chrono::time_point<Clock, Duration>(make(random, Kind<Duration>{}));
}
template <class T>
requires requires(T container) { container.insert(container.end(), *container.begin()); }
T make(Random& random, Kind<T>) {
  using Value = std::remove_cvref_t<decltype(*std::declval<const T&>().begin())>;
  T container;
  for (std::size_t i = below(random, 4); i > 0; --i) container.insert(container.end(), make(random, Kind<Value>{}));
  return container;
}
template <class A, class B>
std::pair<A, B> make(Random& random, Kind<std::pair<A, B>>) {
  auto first = make(random, Kind<std::remove_const_t<A>>{});
  return {first, make(random, Kind<B>{})};
}
template <class T>
std::optional<T> make(Random& random, Kind<std::optional<T>>) {
  if (below(random, 3) == 0) return std::nullopt;
  return make(random, Kind<T>{});
}
template <class... Ts>
std::variant<Ts...> make(Random& random, Kind<std::variant<Ts...>>) {
  std::variant<Ts...> made;
  const std::size_t index = below(random, sizeof...(Ts));
  [&]<std::size_t... Is>(std::index_sequence<Is...>) {
    ((Is == index ? static_cast<void>(made.template emplace<Is>(make(random, Kind<Ts>{}))) : void()), ...);
  }(std::index_sequence_for<Ts...>{});
  return made;
}

using AllTypes = std::tuple<
    std::vector<int>, std::vector<bool>, std::deque<std::string>, std::list<std::uint8_t>, std::set<std::string>,
    std::map<int, std::string>, std::vector<std::vector<int>>, std::vector<std::pair<std::string, std::string>>,
    std::vector<std::optional<bool>>, std::u16string, std::u32string, std::wstring, std::vector<std::u16string>,
    std::pair<std::wstring, std::wstring>, Wide, UnsignedWide, std::pair<Wide, UnsignedWide>, fs::path,
    std::vector<fs::path>, std::pair<fs::path, fs::path>, chrono::seconds, chrono::duration<double, std::milli>,
    chrono::system_clock::time_point, std::variant<std::monostate, int, std::string>, std::variant<int, int, bool>,
    std::variant<std::vector<int>, std::pair<int, int>>, std::vector<std::variant<int, std::wstring, fs::path>>,
    std::optional<std::variant<std::monostate, std::optional<int>>>>;
using Types =
    support::Suite<AllTypes, std::tuple<std::vector<bool>, std::map<int, std::string>, std::wstring, UnsignedWide,
                                        std::pair<fs::path, fs::path>, chrono::duration<double, std::milli>,
                                        std::vector<std::variant<std::monostate, std::wstring, fs::path>>>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("compound keys: one digest exactly if they are equal", "", Types) {
  static_assert(EncodableKey<TestType>);
  Random random(7);
  std::vector<std::pair<TestType, Digest>> keys;
  for (int i = 0; i < 300; ++i) {
    auto key = make(random, Kind<TestType>{});
    const Digest own = digest<TestType>(key);
    keys.emplace_back(std::move(key), own);
  }
  std::size_t equal = 0;
  bool right = true;
  for (const auto& [a, a_digest] : keys) {
    for (const auto& [b, b_digest] : keys) {
      const bool same = a == b;
      equal += same ? 1 : 0;
      right = right && same == (a_digest == b_digest);
    }
  }
  CHECK(right);
  CHECK(equal > keys.size());
  CHECK(equal < keys.size() * keys.size());
}

namespace {

// A spelling means the Key that C++ makes of it.
template <class Key, class Q>
bool means(const Q& spelling, const Key& key) {
  return digest<Key>(spelling) == digest<Key>(key);
}

// Text that is not its spelling.
struct LowerCase {
  std::u16string text;
  LowerCase(std::u16string t) : text(std::move(t)) {  // NOLINT(google-explicit-constructor): what the test is about
    for (char16_t& letter : text) {
      if (letter >= u'A' && letter <= u'Z') letter = static_cast<char16_t>(letter - u'A' + u'a');
    }
  }
  operator std::u16string_view() const { return text; }  // NOLINT(google-explicit-constructor)
};

struct Numbers {
  operator std::vector<int>() const { return {1, 2}; }  // NOLINT(google-explicit-constructor)
  std::array<int, 1> other{9};
  auto begin() const { return other.begin(); }
  auto end() const { return other.end(); }
};

// A 16-byte id, as libraries for such write it.
struct Uuid {
  std::uint8_t data[16];
  const std::uint8_t* begin() const { return data; }
  const std::uint8_t* end() const { return data + 16; }
  std::size_t size() const { return 16; }
};

}  // namespace

TEST_CASE("compound keys: every spelling means its Key") {
  const std::vector<int> numbers{1, 2};
  const int plain[] = {1, 2};
  CHECK(means<std::vector<int>>(std::array{1, 2}, numbers));
  CHECK(means<std::vector<int>>(std::span(numbers), numbers));
  CHECK(means<std::vector<int>>(plain, numbers));
  CHECK(means<std::vector<int>>(std::list<std::int64_t>{1, 2}, numbers));
  CHECK(means<std::vector<int>>(Numbers{}, numbers));  // the conversion, not the range
  CHECK(means<std::vector<std::string>>(std::vector<const char*>{"a", "b"}, {"a", "b"}));
  CHECK(means<std::span<const int>>(numbers, numbers));

  CHECK(means<std::u16string>(u"owl", u"owl"));
  CHECK(means<std::u16string>(std::u16string_view(u"owl"), u"owl"));
  CHECK(means<std::u16string>(static_cast<const char16_t*>(u"owl"), u"owl"));
  CHECK(means<std::u16string>(std::vector<char16_t>{u'o', u'w', u'l'}, u"owl"));
  const char16_t full[] = {u'o', u'w', u'l'};
  CHECK(means<std::u16string>(full, u"owl"));
  CHECK(means<std::u16string>(u"owl\0fox", u"owl"));
  CHECK(means<std::u32string_view>(std::u32string(U"owl"), U"owl"));
  CHECK(means<std::wstring>(L"owl", L"owl"));
  CHECK(means<LowerCase>(std::u16string(u"OWL"), LowerCase(u"owl")));
  CHECK_THROWS_AS(digest<std::wstring>(static_cast<const wchar_t*>(nullptr)), std::invalid_argument);

  CHECK(means<fs::path>("a//b", "a/b"));
  CHECK(means<fs::path>(std::string("/a"), "/a"));
  CHECK(digest<fs::path>("a") != digest<fs::path>("/a"));
  CHECK(digest<fs::path>("a") != digest<fs::path>("a/"));
  CHECK(means<chrono::milliseconds>(chrono::seconds(2), chrono::milliseconds(2000)));
  CHECK(means<chrono::sys_time<chrono::milliseconds>>(chrono::sys_seconds(chrono::seconds(2)),
                                                      chrono::sys_time<chrono::milliseconds>(chrono::seconds(2))));
  using Either = std::variant<int, std::string>;
  CHECK(means<Either>("x", Either("x")));
  CHECK(means<Either>(7, Either(7)));
  CHECK(means<std::monostate>(std::monostate{}, std::monostate{}));
  CHECK(digest<std::variant<int, long>>(5) != digest<std::variant<int, long>>(5L));
  CHECK(means<Wide>(-5, Wide{-5}));
  CHECK(means<UnsignedWide>(std::uint64_t{5}, UnsignedWide{5}));
  CHECK(digest<Wide>(-1) != digest<Wide>(~std::uint64_t{0}));

  const Uuid id{{1, 2, 3}};
  CHECK(digest<Uuid>(id) == digest<std::array<std::uint8_t, 16>>(std::array<std::uint8_t, 16>{1, 2, 3}));

  BloomFilter<std::vector<int>> braces({.keys = 10, .fpr = 1e-9});
  braces.insert({1, 2, 3});
  CHECK(braces.may_contain({1, 2, 3}));
  CHECK_FALSE(braces.may_contain({1, 2}));
  braces.insert(std::list<std::int64_t>{4, 5});
  CHECK(braces.may_contain(std::array{4, 5}));
}

TEST_CASE("compound keys: in every filter, and in batches") {
  using Key = std::pair<fs::path, std::variant<int, std::vector<std::u16string>>>;
  const std::vector<Key> keys{{"a", 1}, {"a", std::vector<std::u16string>{u"x"}}, {"b/c", 1}};
  BloomFilter<Key> bloom({.keys = 10, .fpr = 1e-9});
  perhaps::CountingBloomFilter<Key> counting({.keys = 10, .fpr = 1e-9});
  perhaps::CuckooFilter<Key, 30> cuckoo({.keys = 10});
  bloom.insert_range(keys);
  counting.insert_range(keys);
  CHECK(cuckoo.insert_range(keys) == 3);
  std::vector<bool> found;
  bloom.may_contain_range(keys, std::back_inserter(found));
  CHECK(found == std::vector<bool>{true, true, true});
  for (const Key& key : keys) CHECK((counting.erase(key) && cuckoo.erase(key)));
  CHECK(counting.empty());
  CHECK(cuckoo.empty());
  CHECK_FALSE(bloom.may_contain(Key("b", 1)));
}

TEST_CASE("compound keys: a value that no Key has is certainly not in, and is refused by name") {
  using Bytes = std::deque<std::uint8_t>;
  BloomFilter<Bytes> filter({.keys = 10, .fpr = 1e-9});
  filter.insert(std::vector<int>{1, 200});
  CHECK(filter.may_contain(Bytes{1, 200}));
  CHECK_FALSE(filter.may_contain(std::vector<int>{1, 256 + 200}));
  CHECK_THROWS_WITH(filter.insert(std::vector<int>{1, 300}),
                    Catch::Contains("from 0 to 255") && Catch::Contains("300"));
  const std::vector<std::vector<int>> batch{{1, 200}, {1, 456}};
  std::vector<bool> found;
  filter.may_contain_range(batch, std::back_inserter(found));
  CHECK(found == std::vector<bool>{true, false});
#if defined(__SIZEOF_INT128__)
  BloomFilter<UnsignedWide> wide({.keys = 10, .fpr = 1e-9});
  wide.insert(~UnsignedWide{0});
  CHECK(wide.may_contain(~UnsignedWide{0}));
  CHECK_FALSE(wide.may_contain(-1));
  CHECK_FALSE(wide.may_contain(Wide{-1}));
  CHECK_THROWS_WITH(wide.insert(-1), Catch::Contains("from 0 to 340282366920938463463374607431768211455"));
  BloomFilter<Wide> both({.keys = 10, .fpr = 1e-9});
  both.insert(-1);
  CHECK_FALSE(both.may_contain(~UnsignedWide{0}));
  CHECK(both.may_contain(std::int8_t{-1}));
  CHECK_THROWS_WITH(both.insert(UnsignedWide{1} << 127U),
                    Catch::Contains("-170141183460469231731687303715884105728") &&
                        Catch::Contains("got 170141183460469231731687303715884105728"));
#endif
}

TEST_CASE("compound keys: what is none") {
  CHECK_FALSE(EncodableKey<std::unordered_set<int>>);
  CHECK_FALSE(EncodableKey<std::vector<std::unordered_map<int, int>>>);
  CHECK_FALSE(EncodableKey<std::vector<int*>>);
  CHECK_FALSE(EncodableKey<std::variant<int, void*>>);
  CHECK_FALSE(EncodableKey<std::vector<int>::const_iterator>);
  CHECK_FALSE(EncodableKey<fs::path::const_iterator>);
  CHECK_FALSE(EncodableKey<chrono::duration<long double>>);
  CHECK_FALSE(EncodableKey<std::vector<long double>>);
}

namespace {

template <class Asked, class Stored>
std::string refusal() {
  const perhaps::BloomTarget size{.keys = 10, .fpr = 0.01};
  const auto loaded = perhaps::try_from_bytes<BloomFilter<Asked>>(perhaps::to_bytes(BloomFilter<Stored>(size)));
  if (!loaded) CHECK(loaded.reason() == FormatReason::key_kind);
  return loaded ? std::string() : perhaps::describe(loaded.failure());
}

}  // namespace

TEST_CASE("compound keys: files tell them apart, and messages name them") {
  CHECK(refusal<std::vector<std::int64_t>, std::vector<int>>().empty());
  CHECK(refusal<std::list<int>, std::vector<int>>().empty());
  CHECK(refusal<std::variant<long long, std::string>, std::variant<short, std::string_view>>().empty());
  CHECK(refusal<std::u16string_view, std::u16string>().empty());
  CHECK(refusal<std::vector<unsigned>, std::vector<int>>() ==
        "stored filter: its keys are sequences of signed integers of 32 bits, asked for sequences of unsigned integers "
        "of 32 bits");
  CHECK(refusal<std::u32string, std::u16string>() ==
        "stored filter: its keys are text of 16-bit units, asked for text of 32-bit units");
  CHECK(refusal<std::string, fs::path>() == "stored filter: its keys are paths, asked for text or bytes");
  CHECK(refusal<int, std::variant<int, fs::path>>() ==
        "stored filter: its keys are variants of (signed integers of 32 bits, paths), asked for signed integers of 32 "
        "bits");
#if defined(__SIZEOF_INT128__)
  CHECK(refusal<UnsignedWide, Wide>() ==
        "stored filter: its keys are signed integers of 128 bits, asked for unsigned integers of 128 bits");
  CHECK_FALSE(refusal<Wide, int>().empty());
#endif
  // Ticks of another length, and clocks that count from another time.
  CHECK(refusal<chrono::seconds, chrono::seconds>().empty());
  CHECK_FALSE(refusal<chrono::milliseconds, chrono::seconds>().empty());
  CHECK_FALSE(refusal<chrono::duration<double>, chrono::seconds>().empty());
  CHECK_FALSE(refusal<std::int64_t, chrono::seconds>().empty());
  CHECK_FALSE(refusal<chrono::time_point<chrono::steady_clock, chrono::seconds>, chrono::sys_seconds>().empty());
  CHECK(refusal<std::tuple<>, std::monostate>().empty());
}
