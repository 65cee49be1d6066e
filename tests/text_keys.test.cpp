// SPDX-License-Identifier: BSL-1.0
//
// Text and bytes as keys: every spelling of a text finds it, without allocating, wherever it lies in memory.
#include <perhaps/perhaps.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <memory_resource>
#include <new>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/suite.hpp"

namespace {

using perhaps::BloomFilter;
using perhaps::Digest;
using perhaps::digest_of;
using perhaps::MixedHash;
using perhaps::XxHash3;

template <class Key = std::string, class Q>
Digest digest(const Q& key) {
  return digest_of<Key>(XxHash3{}, key);
}

// Text of its own type, as many projects have one.
struct Name {
  std::string text;
  operator std::string_view() const { return text; }  // NOLINT(google-explicit-constructor): what the test is about
};

constexpr const char* owl = "h\xC3\xA9llo owl";

using TextFiltersFull = std::tuple<BloomFilter<std::string>, BloomFilter<std::string_view>, BloomFilter<Name>,
                                   BloomFilter<std::string, MixedHash<std::hash<std::string>>>,
                                   BloomFilter<std::string, MixedHash<std::hash<std::string_view>>>,
                                   BloomFilter<std::string_view, MixedHash<std::hash<std::string_view>>>>;
using TextFilters =
    support::Suite<TextFiltersFull, std::tuple<BloomFilter<std::string>, BloomFilter<Name>,
                                               BloomFilter<std::string, MixedHash<std::hash<std::string_view>>>>>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("a text is found by every spelling of it", "", TextFilters) {  // BUGS H01, H02
  const std::string text = owl;
  const std::string copy(text.begin(), text.end());
  const std::pmr::string pooled(owl);
  const Name name{text};
  char buffer[64] = {};
  std::memcpy(buffer, owl, text.size());
  char exact[10];
  REQUIRE(sizeof exact == text.size());
  std::memcpy(exact, owl, sizeof exact);
  char* pointer = buffer;

  TestType filter({.keys = 100, .fpr = 1e-9});
  if constexpr (std::is_same_v<typename TestType::key_type, Name>) {
    filter.insert(name);
  } else {
    filter.insert(text);
  }
  CHECK(filter.may_contain(copy));
  CHECK(filter.may_contain(std::string_view(text)));
  CHECK(filter.may_contain(owl));
  CHECK(filter.may_contain("h\xC3\xA9llo owl"));
  CHECK(filter.may_contain(buffer));   // ends at the first NUL
  CHECK(filter.may_contain(exact));    // has none
  CHECK(filter.may_contain(pointer));  // char*, not const
  CHECK(filter.may_contain(pooled));
  CHECK(filter.may_contain(name));
  CHECK(filter.may_contain(u8"h\u00E9llo owl"));
  CHECK(filter.may_contain(static_cast<const char8_t*>(u8"h\u00E9llo owl")));
  CHECK(filter.may_contain(std::u8string(u8"h\u00E9llo owl")));
  CHECK(filter.may_contain(std::u8string_view(u8"h\u00E9llo owl")));

  CHECK_FALSE(filter.may_contain("h\xC3\xA9llo ow"));
  CHECK_FALSE(filter.may_contain("h\xC3\xA9llo owl "));
  CHECK_FALSE(filter.may_contain(""));
  CHECK_FALSE(filter.may_contain(std::string(owl) + '\0'));
}

TEMPLATE_LIST_TEST_CASE("a key inserted as a C string is found as a string, short or long", "", TextFilters) {
  const std::string long_text(500, 'x');
  std::vector<char> elsewhere(long_text.begin(), long_text.end());
  if constexpr (!std::is_same_v<typename TestType::key_type, Name>) {
    TestType filter({.keys = 100, .fpr = 1e-9});
    filter.insert("");
    filter.insert("fox");
    filter.insert(long_text.c_str());
    CHECK(filter.may_contain(std::string()));
    CHECK(filter.may_contain(std::string("fox")));
    CHECK(filter.may_contain(std::string_view(elsewhere.data(), elsewhere.size())));
    CHECK(filter.may_contain(elsewhere));
  }
}

TEST_CASE("a string keeps the NULs inside it, a C string ends at the first") {
  const std::string with_nul("a\0b", 3);
  CHECK(digest(with_nul) == digest(std::string_view("a\0b", 3)));
  CHECK(digest(with_nul) != digest("a"));
  CHECK(digest("a\0b") == digest("a"));
  CHECK(digest(std::array<char, 3>{'a', '\0', 'b'}) == digest(with_nul));  // a range of bytes, not a C array
}

TEMPLATE_LIST_TEST_CASE("a null C string is refused, and changes nothing", "", TextFilters) {
  TestType filter({.keys = 100, .fpr = 0.01});
  const char* null = nullptr;
  const char8_t* null8 = nullptr;
  CHECK_THROWS_AS(filter.insert(null), std::invalid_argument);
  CHECK_THROWS_AS(filter.insert(null8), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(filter.may_contain(null)), std::invalid_argument);
  CHECK(filter.empty());
}

TEST_CASE("a lookup by any spelling does not allocate") {  // BUGS H02
  BloomFilter<std::string> filter({.keys = 100, .fpr = 0.01});
  BloomFilter<std::string, MixedHash<std::hash<std::string_view>>> mixed({.keys = 100, .fpr = 0.01});
  BloomFilter<std::pair<std::string, int>> pairs({.keys = 100, .fpr = 0.01});
  const std::string text(500, 'x');
  const std::pmr::string pooled(500, 'x');
  const std::vector<std::byte> bytes(500, std::byte{'x'});
  filter.insert(text);
  mixed.insert(text);
  pairs.insert(std::pair(text, 1));

  const std::size_t before = support::allocations();
  int found = 0;
  const auto ask = [&](const auto& key) {
    found += filter.may_contain(key) ? 1 : 0;
    found += mixed.may_contain(key) ? 1 : 0;
  };
  ask(text);
  ask(std::string_view(text));
  ask(text.c_str());
  ask(pooled);
  ask(bytes);
  filter.insert(text.c_str());
  found += pairs.may_contain(std::pair(std::string_view(text), 1)) ? 1 : 0;
  found += pairs.may_contain(std::tuple(text.c_str(), 1L)) ? 1 : 0;
  CHECK(support::allocations() == before);
  CHECK(found == 12);
  ::operator delete(::operator new(1));  // unlike a new-expression, never optimized away
  CHECK(support::allocations() > before);
}

TEST_CASE("bytes are hashed by content, whatever holds them") {
  using Bytes = std::vector<std::byte>;
  const std::array<unsigned char, 4> values{0, 1, 0x80, 0xFF};
  Bytes vector;
  for (const unsigned char value : values) vector.push_back(std::byte{value});
  const Digest expected = digest<Bytes>(vector);

  CHECK(digest<Bytes>(values) == expected);
  CHECK(digest<Bytes>(std::span(vector)) == expected);
  CHECK(digest<Bytes>(std::span<const std::byte, 4>(vector)) == expected);
  CHECK(digest<Bytes>(std::as_bytes(std::span(values))) == expected);
  CHECK(digest<Bytes>(std::vector<unsigned char>(values.begin(), values.end())) == expected);
  CHECK(digest<Bytes>(std::vector<signed char>{0, 1, -128, -1}) == expected);
  CHECK(digest<Bytes>(std::vector<char>{'\x00', '\x01', '\x80', '\xFF'}) == expected);
  CHECK(digest<Bytes>(std::string("\x00\x01\x80\xFF", 4)) == expected);
  const unsigned char plain[] = {0, 1, 0x80, 0xFF};
  CHECK(digest<Bytes>(plain) == expected);  // only arrays of characters are C strings
  CHECK(digest<std::array<unsigned char, 4>>(vector) == expected);
  CHECK(digest<std::span<const std::byte>>(vector) == expected);
  CHECK(digest<std::string>(vector) == expected);
  CHECK(digest<Bytes>(Bytes(3)) != digest<Bytes>(Bytes(4)));
  CHECK(digest<Bytes>(Bytes{}) == digest(""));
}

TEST_CASE("text is read at any alignment and never beyond its end") {  // BUGS B06
  const BloomFilter<std::string> filter({.keys = 10, .fpr = 0.01});
  for (std::size_t offset = 0; offset < 16; ++offset) {
    for (std::size_t length = 0; length <= 64; ++length) {
      const auto heap = std::make_unique<char[]>(offset + length);  // exact, so that a sanitizer sees one byte more
      std::string text;
      for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(static_cast<unsigned char>(0x80 + i));
      if (length != 0) std::memcpy(heap.get() + offset, text.data(), length);
      INFO("offset " << offset << ", length " << length);
      REQUIRE(filter.digest(std::string_view(heap.get() + offset, length)) == filter.digest(text));
      REQUIRE(filter.digest(std::span(heap.get() + offset, length)) == filter.digest(text));
    }
  }
}

TEST_CASE("a char array without a terminator is read to its end and not beyond") {  // BUGS B06
  const auto exact = std::make_unique<char[][8]>(1);
  std::memcpy(exact[0], "exactly8", 8);
  CHECK(digest(exact[0]) == digest("exactly8"));
  CHECK(digest<std::string_view>(exact[0]) == digest("exactly8"));
  const MixedHash<std::hash<std::string>> mixed;
  CHECK(digest_of<std::string>(mixed, exact[0]) == digest_of<std::string>(mixed, std::string("exactly8")));
}

TEST_CASE("a view without memory is the empty text") {
  CHECK(digest(std::string_view()) == digest(""));
  CHECK(digest(std::span<const char>()) == digest(""));
  CHECK(digest<std::vector<std::byte>>(std::span<const std::byte>()) == digest(""));
}

TEST_CASE("texts that differ in one character, or in length only, have different digests") {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  std::size_t texts = 0;
  for (std::size_t length = 0; length <= 300; ++length) {
    std::string text(length, 'a');
    const auto add = [&] {
      const Digest d = digest(text);
      seen.emplace(d.g, d.h);
      ++texts;
    };
    add();
    for (std::size_t i = 0; i < length; ++i) {
      text[i] = 'b';
      add();
      text[i] = 'a';
    }
  }
  CHECK(seen.size() == texts);
}
