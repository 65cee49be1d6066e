// SPDX-License-Identifier: BSL-1.0
//
// Stored bytes as programs have them: ranges of every byte type load alike, and views refer to what stays.
#include <perhaps/parquet.hpp>
#include <perhaps/serialization.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/stored.hpp"

namespace {

using Filter = perhaps::BloomFilter<std::uint64_t>;
using perhaps::detail::OwningTemporary;
using support::Bytes;

template <class T>
constexpr bool owns = OwningTemporary<T> && !OwningTemporary<T&> && !OwningTemporary<const T&>;
template <class T>
constexpr bool refers = !OwningTemporary<T> && !OwningTemporary<const T> && !OwningTemporary<T&>;

static_assert(owns<std::vector<std::byte>> && owns<std::string> && owns<const std::vector<char>> &&
              owns<std::u8string>);
static_assert(owns<std::array<std::byte, 64>> && owns<std::vector<std::uint64_t>> && owns<std::byte[64]>);
static_assert(refers<std::span<const std::byte>> && refers<std::span<char>> && refers<std::string_view>);
static_assert(refers<std::span<const std::byte, 64>> && refers<std::u8string_view>);

// Another library's slice, which only converts.
struct Slice {
  operator std::span<const std::byte>() const { return bytes; }  // NOLINT(google-explicit-constructor)
  std::span<const std::byte> bytes;
};

// Everything that takes bytes, of a range that it may refer to.
template <class Range>
void check_all(const Filter& filter, Range&& bytes) {
  CHECK(perhaps::from_bytes<Filter>(bytes) == filter);
  CHECK(perhaps::try_from_bytes<Filter>(bytes));
  CHECK(perhaps::try_stored_header(bytes)->cells == filter.bits());
  Filter into({.bits = 64, .hashes = 1});
  perhaps::load_into(into, bytes);
  CHECK(into == filter);
  CHECK(perhaps::view_bytes<Filter>(std::forward<Range>(bytes)) == filter);
  CHECK(*perhaps::try_view_bytes<Filter>(std::forward<Range>(bytes), perhaps::Verify::structure) == filter);
}

template <class Byte>
void check_type(const Filter& filter, const Bytes& bytes) {
  const auto* begin = reinterpret_cast<const Byte*>(bytes.data());
  std::vector<Byte> vector(begin, begin + bytes.size());
  check_all(filter, vector);
  check_all(filter, std::as_const(vector));
  check_all(filter, std::span(vector));
  check_all(filter, std::span<const Byte>(vector));
}

}  // namespace

TEST_CASE("bytes of every type load, and are viewed in place") {
  const auto filter = support::stored_example<Filter>(3, 20);
  const Bytes bytes = perhaps::to_bytes(filter);
  check_type<std::byte>(filter, bytes);
  check_type<unsigned char>(filter, bytes);
  check_type<char>(filter, bytes);
  check_type<signed char>(filter, bytes);

  const auto text = std::make_unique<std::string>(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  check_all(filter, *text);
  check_all(filter, std::string_view(*text));
  const Slice slice{bytes};
  check_all(filter, slice);
  alignas(8) std::array<char, 4096> array{};
  REQUIRE(text->copy(array.data(), array.size()) == bytes.size());
  CHECK(perhaps::view_bytes<Filter>(std::string_view(array.data(), bytes.size())) == filter);
  CHECK(perhaps::try_from_bytes<Filter>(array).reason() == perhaps::FormatReason::too_long);

  // What is only read may be a temporary.
  CHECK(perhaps::from_bytes<Filter>(perhaps::to_bytes(filter)) == filter);
  CHECK(perhaps::from_bytes<Filter>(std::string(*text)) == filter);
  CHECK_FALSE(perhaps::try_view_bytes<Filter>({}));
}

TEST_CASE("Parquet filters load from bytes of every type") {
  using Parquet = perhaps::ParquetFilter<std::string>;
  Parquet filter({.bits = 1024, .hashes = 8});
  filter.insert("owl");
  const Bytes whole = perhaps::to_parquet(filter);
  const std::string text(reinterpret_cast<const char*>(whole.data()), whole.size());
  CHECK(perhaps::from_parquet<Parquet>(whole) == filter);
  CHECK(perhaps::from_parquet<Parquet>(text) == filter);
  CHECK(perhaps::try_from_parquet<Parquet>(std::string_view(text)));
  CHECK(perhaps::from_parquet_bits<Parquet>(std::string_view(text).substr(16)) == filter);
  CHECK(perhaps::try_from_parquet_bits<Parquet>(std::span(text).subspan(16)));
}

TEST_CASE("storage is borrowed from vectors and arrays that have a name") {
  using Split = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Classic<>, perhaps::BorrowedWords>;
  std::vector<std::uint64_t> vector(16);
  std::array<std::uint64_t, 16> array{};
  Split over_vector({.bits = 1024, .hashes = 7}, perhaps::BorrowedWords(vector));
  Split over_array({.bits = 1024, .hashes = 7}, perhaps::BorrowedWords(array));
  over_vector.insert(std::uint64_t{5});
  over_array.insert(std::uint64_t{5});
  CHECK(over_vector == over_array);
  CHECK(std::vector<std::uint64_t>(array.begin(), array.end()) == vector);
  const perhaps::BloomFilterView<std::uint64_t> view({.bits = 1024, .hashes = 7},
                                                     perhaps::ReadOnlyWords(std::as_const(array)));
  CHECK(view == over_vector);
}
