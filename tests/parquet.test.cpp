// SPDX-License-Identifier: BSL-1.0
//
// Parquet's filters: files of Apache Parquet's own, reference vectors, and what is not such a filter.
#include <perhaps/parquet.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/csv.hpp"
#include "support/golden.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::FormatReason;
using perhaps::ParquetFilter;
using support::Bytes;

const std::vector<std::string> phrases{"Hello", "This is",   "a",         "test",  "How",  "are you",  "doing ",
                                       "today", "the quick", "brown fox", "jumps", "over", "the lazy", "dog"};

struct Sample {
  std::string file;
  std::size_t offset;
  std::size_t header;
  std::size_t bits;
  std::vector<std::string> keys;
};

const std::vector<Sample> samples{
    {"bloom_filter.xxhash.bin", 0, 16, 1024, {"hello", "parquet", "bloom", "filter"}},
    {"data_index_bloom_encoding_stats.parquet", 192, 16, 1024, phrases},
    {"data_index_bloom_encoding_with_length.parquet", 253, 16, 2048, phrases},
};

Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

template <class Key, class Keys>
void check_vector(const support::Row& row, const Keys& keys) {
  INFO(row.text("name") << ", " << row.text("nblocks") << " blocks");
  ParquetFilter<Key> filter({.bits = row.integer("nblocks") * 256, .hashes = 8});
  for (const auto& key : keys) filter.insert(key);
  Bytes whole = from_hex(row.text("header_hex"));
  const Bytes bits = from_hex(row.text("bitset_hex"));
  CHECK(perhaps::to_parquet_bits(filter) == bits);
  whole.insert(whole.end(), bits.begin(), bits.end());
  CHECK(perhaps::to_parquet(filter) == whole);
  CHECK(perhaps::from_parquet<ParquetFilter<Key>>(whole) == filter);
  CHECK(perhaps::from_parquet_bits<ParquetFilter<Key>>(bits) == filter);
}

template <class T, class Of>
std::vector<T> list(int count, Of of) {
  std::vector<T> keys;
  for (int i = 0; i < count; ++i) keys.push_back(static_cast<T>(of(i)));
  return keys;
}

}  // namespace

TEST_CASE("filters in Parquet files answer for their strings") {
  for (const Sample& sample : samples) {
    INFO(sample.file);
    const Bytes file = support::read_file(PERHAPS_TEST_DATA "/parquet/" + sample.file);
    REQUIRE(file.size() >= sample.offset + sample.header + sample.bits);
    const auto bytes = std::span<const std::byte>(file).subspan(sample.offset);
    const auto filter = perhaps::from_parquet<ParquetFilter<std::string>>(bytes);
    CHECK(filter.bits() == sample.bits * 8);
    for (const std::string& key : sample.keys) CHECK(filter.may_contain(key));
    // Few keys in many bits: no absent key among these is answered "perhaps".
    for (int i = 0; i < 1000; ++i) CHECK_FALSE(filter.may_contain("absent key " + std::to_string(i)));

    ParquetFilter<std::string> rebuilt({.bits = sample.bits * 8, .hashes = 8});
    for (const std::string& key : sample.keys) rebuilt.insert(key);
    CHECK(rebuilt == filter);
    const Bytes written = perhaps::to_parquet(rebuilt);
    CHECK(std::ranges::equal(written, bytes.first(sample.header + sample.bits)));
  }
}

TEST_CASE("every vector comes out right, for every type of value") {
  const auto rows = support::read_csv("parquet_filters.csv");
  REQUIRE(rows.size() == 39);
  int checked = 0;
  for (const auto& row : rows) {
    const std::string& name = row.text("name");
    ++checked;
    if (name == "int64_single_0") check_vector<std::int64_t>(row, std::vector<std::int64_t>{0});
    else if (name == "int64_0_to_9") check_vector<std::int64_t>(row, list<std::int64_t>(10, [](int i) { return i; }));
    else if (name == "int64_squares_100") {
      check_vector<std::int64_t>(row, list<std::int64_t>(100, [](int i) { return i * i; }));
    } else if (name == "int64_neg_1_to_20") {
      check_vector<std::int64_t>(row, list<std::int64_t>(20, [](int i) { return -1 - i; }));
    } else if (name == "int32_0_to_9") {
      check_vector<std::int32_t>(row, list<std::int32_t>(10, [](int i) { return i; }));
      check_vector<std::uint32_t>(row, list<std::uint32_t>(10, [](int i) { return i; }));
    } else if (name == "double_0_to_9_div4") {
      check_vector<double>(row, list<double>(10, [](int i) { return i / 4.0; }));
    } else if (name == "bytes_empty") check_vector<std::string>(row, std::vector<std::string>{""});
    else if (name == "bytes_parquet_testing") check_vector<std::string>(row, samples[0].keys);
    else if (name == "bytes_nul") {
      check_vector<std::string>(row, std::vector<std::string>{std::string(1, '\0'), std::string(2, '\0'),
                                                              std::string(4, '\0'), std::string(8, '\0')});
    } else if (name == "bytes_lengths_0_to_70") {
      std::vector<std::string> keys(1);
      for (int i = 0; i < 70; ++i) keys.push_back(keys.back() + static_cast<char>((i * 131 + 7) & 255));
      check_vector<std::string>(row, keys);
    } else if (name == "none") check_vector<std::string>(row, std::vector<std::string>{});
    else --checked;
  }
  CHECK(checked == 33);
}

TEST_CASE("reals are hashed by their bits, and both zeros are asked for") {
  for (const double zero : {0.0, -0.0}) {
    ParquetFilter<double> filter({.bits = 1024, .hashes = 8});
    filter.insert(zero);
    CHECK(filter.may_contain(0.0));
    CHECK(filter.may_contain(-0.0));
    CHECK(filter.may_contain(filter.digest(zero)));
    CHECK_FALSE(filter.may_contain(filter.digest(-zero)));
  }
  ParquetFilter<float> floats({.bits = 1024, .hashes = 8});
  floats.insert(0.1F);
  CHECK(floats.may_contain(0.1F));
  CHECK(perhaps::ParquetHash{}(0.1F) == perhaps::ParquetHash{}(std::int32_t{0x3DCCCCCD}));
}

TEST_CASE("what is not such a filter is refused") {
  const Bytes whole = perhaps::to_parquet(ParquetFilter<std::string>({.bits = 1024, .hashes = 8}));
  const auto reason = [](const Bytes& bytes) {
    const auto loaded = perhaps::try_from_parquet<ParquetFilter<std::string>>(bytes);
    return loaded ? -1 : static_cast<int>(loaded.reason());
  };
  REQUIRE(reason(whole) == -1);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    REQUIRE(reason(prefix) == static_cast<int>(FormatReason::truncated));
  }
  Bytes longer = whole;
  longer.push_back({});
  CHECK(reason(longer) == -1);
  // Every flip of a bit of the header: another header, another length, or refused; a length is 128 bytes or fewer here.
  for (std::size_t bit = 0; bit < 16 * 8; ++bit) {
    Bytes flipped = whole;
    flipped[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    const auto loaded = perhaps::try_from_parquet<ParquetFilter<std::string>>(flipped);
    if (loaded) CHECK((bit / 8 == 1 || bit / 8 == 2));
  }
  const Bytes rest(whole.begin() + 3, whole.end());
  const auto with_length = [&](const std::string& hex) {
    Bytes bytes = from_hex("15" + hex);
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return reason(bytes);
  };
  CHECK(with_length("8002") == -1);
  CHECK(with_length("808200") == -1);                                             // a longer way to write 128
  CHECK(with_length("00") == static_cast<int>(FormatReason::parquet));            // no blocks
  CHECK(with_length("02") == static_cast<int>(FormatReason::parquet));            // 1 byte
  CHECK(with_length("8102") == static_cast<int>(FormatReason::parquet));          // negative
  CHECK(with_length("FFFFFFFF0F") == static_cast<int>(FormatReason::parquet));    // -2^31
  CHECK(with_length("C0FFFFFF0F") == static_cast<int>(FormatReason::truncated));  // 2^31 - 32
  CHECK(with_length("FEFFFFFF0F") == static_cast<int>(FormatReason::parquet));    // 2^31 - 1
  CHECK(with_length("FFFFFFFFFFFFFFFF0F") == static_cast<int>(FormatReason::parquet));
  CHECK_THROWS_AS(perhaps::from_parquet<ParquetFilter<std::string>>({}), perhaps::FormatError);

  const Bytes bits = perhaps::to_parquet_bits(ParquetFilter<std::string>({.bits = 1024, .hashes = 8}));
  CHECK_FALSE(perhaps::try_from_parquet_bits<ParquetFilter<std::string>>({}));
  CHECK_FALSE(perhaps::try_from_parquet_bits<ParquetFilter<std::string>>(std::span(bits).first(31)));
  CHECK_THROWS_AS(perhaps::from_parquet_bits<ParquetFilter<std::string>>(std::span(bits).first(33)),
                  perhaps::FormatError);
}
