// SPDX-License-Identifier: BSL-1.0
//
// The stored format, read by its description, and everything that is not in it: each refused for its own reason.
#include <perhaps/perhaps.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <sstream>
#include <string>

#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::FormatReason;
using support::Bytes;
using Bloom = perhaps::BloomFilter<std::uint64_t>;
using Counting = perhaps::CountingBloomFilter<std::uint64_t, 4>;
using Cuckoo = perhaps::CuckooFilter<std::uint64_t, 17, 2>;

template <class F>
void check_refused(const Bytes& bytes, FormatReason reason) {
  const auto loaded = perhaps::try_from_bytes<F>(bytes);
  REQUIRE_FALSE(loaded);
  INFO(perhaps::describe(loaded.failure()));
  CHECK(static_cast<int>(loaded.reason()) == static_cast<int>(reason));
  std::istringstream in(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), std::ios::binary);
  const auto read = perhaps::try_read<F>(in);
  // A stream may go on after the filter.
  if (reason == FormatReason::too_long) CHECK(read);
  else CHECK((!read && read.reason() == reason));
}

}  // namespace

TEST_CASE("a header has what the description says, at the offsets that it says") {
  const Bloom filter({.bits = 601, .hashes = 7}, perhaps::XxHash3(0x0102030405060708));
  const Bytes bytes = perhaps::to_bytes(filter);
  REQUIRE(bytes.size() == 64 + 80);
  const std::array<unsigned char, 24> first{0x89, 'P', 'F', '\n', 1, 1, 7, 1, 1,    0, 0, 0,
                                            1,    0,   0,   0,    3, 0, 0, 0, 0x51, 0, 0, 0};
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(std::to_integer<int>(bytes[i]) == first[i]);
  CHECK(support::get<std::uint64_t>(bytes, 24) == 0x0102030405060708);
  CHECK(support::get<std::uint64_t>(bytes, 32) == 601);
  CHECK(support::get<std::uint64_t>(bytes, 40) == 0);
  CHECK(support::get<std::uint64_t>(bytes, 48) == 80);
  CHECK(support::get<std::uint64_t>(bytes, 56) == support::checksum_of(bytes));

  const Bytes counting = perhaps::to_bytes(Counting({.counters = 100, .hashes = 3}));
  CHECK(std::to_integer<int>(counting[5]) == 2);
  CHECK(std::to_integer<int>(counting[7]) == 4);
  auto cuckoo = Cuckoo(perhaps::CuckooParameters{.buckets = 9});
  REQUIRE(cuckoo.insert(5));
  const Bytes table = perhaps::to_bytes(cuckoo);
  CHECK(std::to_integer<int>(table[5]) == 3);
  CHECK(std::to_integer<int>(table[7]) == 17);
  CHECK(std::to_integer<int>(table[6]) == 0);
  CHECK(support::get<std::uint32_t>(table, 12) == 0x3002);
  CHECK(support::get<std::uint64_t>(table, 32) == 9);
  CHECK(support::get<std::uint64_t>(table, 40) == 1);
}

TEST_CASE("ids are the ones that the description lists") {
  using perhaps::detail::stored_id_of;
  static_assert(stored_id_of<perhaps::XxHash3>() == 1 && stored_id_of<perhaps::ParquetHash>() == 2 &&
                stored_id_of<perhaps::XxHash3_128>() == 3);
  static_assert(stored_id_of<perhaps::DoubleHashing>() == 1 && stored_id_of<perhaps::EnhancedDoubleHashing>() == 2);
  static_assert(stored_id_of<perhaps::RotatingDoubleHashing>() == 3);
  static_assert(stored_id_of<perhaps::Classic<>>() == 1 && stored_id_of<perhaps::Blocked<128>>() == 0x1080);
  static_assert(stored_id_of<perhaps::Blocked<>>() == 0x1200 && stored_id_of<perhaps::SplitBlock<>>() == 0x2040);
  static_assert(stored_id_of<perhaps::SplitBlock<32, 8>>() == 0x2020);
  SUCCEED();
}

TEST_CASE("golden files load, and are what is written") {  // BUGS Z08
  std::set<int> bytes_seen;
  support::for_each_golden([&]<class F>(const std::string& name, const F& filter) {
    INFO(name);
    const Bytes golden = support::read_file(support::golden_path(name));
    CHECK(golden.size() <= 2048);
    CHECK(perhaps::to_bytes(filter) == golden);
    CHECK(perhaps::from_bytes<F>(golden) == filter);
    for (const std::byte byte : golden) bytes_seen.insert(std::to_integer<int>(byte));
  });
  // Bytes that transfers as text change, in the files.
  for (const int byte : {0x0A, 0x0D, 0x1A, 0x00}) CHECK(bytes_seen.count(byte) == 1);  // BUGS Z10
}

TEST_CASE("every flip of a bit of a golden file is refused") {  // BUGS Z02
  support::for_each_golden([]<class F>(const std::string& name, const F&) {
    INFO(name);
    Bytes bytes = support::read_file(support::golden_path(name));
    std::size_t accepted = 0;
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      const auto mask = static_cast<std::byte>(1U << (bit % 8));
      bytes[bit / 8] ^= mask;
      accepted += perhaps::try_from_bytes<F>(bytes) ? 1U : 0U;
      bytes[bit / 8] ^= mask;
    }
    CHECK(accepted == 0);
    CHECK(perhaps::try_from_bytes<F>(bytes));
  });
}

TEMPLATE_LIST_TEST_CASE("every prefix is truncated, every longer input too long", "",
                        support::StoredFilters) {  // BUGS Z02
  const Bytes bytes = perhaps::to_bytes(support::stored_example<TestType>());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // A copy of its own, so that AddressSanitizer sees a read beyond.
    const Bytes prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    const auto loaded = perhaps::try_from_bytes<TestType>(prefix);
    REQUIRE_FALSE(loaded);
    REQUIRE(loaded.reason() == FormatReason::truncated);
  }
  for (const std::size_t more : {1U, 8U, 1000U}) {
    Bytes longer = bytes;
    for (std::size_t i = 0; i < more; ++i) longer.push_back({});
    check_refused<TestType>(longer, FormatReason::too_long);
  }
}

TEST_CASE("each mismatch has a reason of its own") {  // BUGS Z03, Z08
  const Bytes bloom = perhaps::to_bytes(support::stored_example<Bloom>());
  using support::resealed_with;
  for (std::size_t i = 0; i < 4; ++i) {
    check_refused<Bloom>(resealed_with(bloom, i, std::uint8_t{'x'}), FormatReason::magic);
  }
  check_refused<Bloom>(resealed_with(bloom, 4, std::uint8_t{2}), FormatReason::format_version);
  check_refused<Bloom>(resealed_with(bloom, 4, std::uint8_t{0}), FormatReason::format_version);
  for (const unsigned kind : {0U, 2U, 3U, 4U, 255U}) {
    check_refused<Bloom>(resealed_with(bloom, 5, static_cast<std::uint8_t>(kind)), FormatReason::kind);
  }
  check_refused<Bloom>(resealed_with(bloom, 20, std::uint32_t{0x52}), FormatReason::key_encoding);
  check_refused<Bloom>(resealed_with(bloom, 7, std::uint8_t{2}), FormatReason::reserved);
  check_refused<Bloom>(resealed_with(bloom, 8, std::uint32_t{2}), FormatReason::hash);
  check_refused<Bloom>(resealed_with(bloom, 8, std::uint32_t{0x80000001}), FormatReason::hash);
  check_refused<Bloom>(resealed_with(bloom, 12, std::uint32_t{0x1200}), FormatReason::layout);
  check_refused<Bloom>(resealed_with(bloom, 16, std::uint32_t{1}), FormatReason::probes);
  for (const unsigned hashes : {0U, 65U, 255U}) {
    check_refused<Bloom>(resealed_with(bloom, 6, static_cast<std::uint8_t>(hashes)), FormatReason::hashes);
  }
  check_refused<Bloom>(resealed_with(bloom, 20, std::uint32_t{0xC1}), FormatReason::key_kind);
  check_refused<Bloom>(resealed_with(bloom, 20, std::uint32_t{0xFFFFFFF1}), FormatReason::key_kind);
  check_refused<Bloom>(resealed_with(bloom, 20, std::uint32_t{0x1}), FormatReason::key_kind);
  check_refused<Bloom>(resealed_with(bloom, 32, std::uint64_t{0}), FormatReason::cells);
  check_refused<Bloom>(resealed_with(bloom, 32, std::uint64_t{1}), FormatReason::length);
  check_refused<Bloom>(resealed_with(bloom, 40, std::uint64_t{1}), FormatReason::reserved);
  check_refused<Bloom>(resealed_with(bloom, 48, std::uint64_t{0}), FormatReason::length);
  check_refused<Bloom>(support::with(bloom, 56, support::get<std::uint64_t>(bloom, 56) ^ 1U), FormatReason::checksum);
  check_refused<Bloom>(support::with(bloom, 70, std::uint8_t{0x55}), FormatReason::checksum);

  const Bytes counting = perhaps::to_bytes(support::stored_example<Counting>());
  check_refused<perhaps::CountingBloomFilter<std::uint64_t, 8>>(counting, FormatReason::counter_width);
  check_refused<Bloom>(counting, FormatReason::kind);
  check_refused<Counting>(bloom, FormatReason::kind);
  check_refused<Counting>(resealed_with(counting, 7, std::uint8_t{0}), FormatReason::counter_width);
  check_refused<Counting>(resealed_with(counting, 32, std::uint64_t{0}), FormatReason::cells);
  check_refused<Counting>(resealed_with(counting, 6, std::uint8_t{0}), FormatReason::hashes);

  const Bytes cuckoo = perhaps::to_bytes(support::stored_example<Cuckoo>());
  check_refused<perhaps::CuckooFilter<std::uint64_t, 16, 2>>(cuckoo, FormatReason::fingerprint_width);
  check_refused<perhaps::CuckooFilter<std::uint64_t, 17, 4>>(cuckoo, FormatReason::bucket_size);
  check_refused<Cuckoo>(resealed_with(cuckoo, 7, std::uint8_t{0}), FormatReason::fingerprint_width);
  check_refused<Cuckoo>(resealed_with(cuckoo, 12, std::uint32_t{0x3003}), FormatReason::bucket_size);
  check_refused<Cuckoo>(resealed_with(cuckoo, 32, std::uint64_t{0}), FormatReason::cells);
  check_refused<Cuckoo>(resealed_with(cuckoo, 6, std::uint8_t{1}), FormatReason::reserved);
  check_refused<Cuckoo>(resealed_with(cuckoo, 12, std::uint32_t{1}), FormatReason::layout);
  check_refused<Cuckoo>(resealed_with(cuckoo, 12, std::uint32_t{0x3000}), FormatReason::layout);
  check_refused<Bloom>(resealed_with(bloom, 12, std::uint32_t{0x3002}), FormatReason::layout);

  using Parquet = perhaps::ParquetFilter<std::uint64_t>;
  const Bytes parquet = perhaps::to_bytes(support::stored_example<Parquet>());
  check_refused<Parquet>(resealed_with(parquet, 24, std::uint64_t{1}), FormatReason::seed);
  check_refused<Parquet>(resealed_with(parquet, 6, std::uint8_t{7}), FormatReason::hashes);
  using Blocked = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Blocked<>>;
  const Bytes blocked = perhaps::to_bytes(support::stored_example<Blocked>());
  check_refused<Blocked>(resealed_with(blocked, 32, support::get<std::uint64_t>(blocked, 32) - 1), FormatReason::cells);
  check_refused<Bloom>(blocked, FormatReason::layout);
  check_refused<perhaps::BloomFilter<std::string>>(bloom, FormatReason::key_kind);
  check_refused<perhaps::BloomFilter<double>>(bloom, FormatReason::key_kind);
}

TEST_CASE("a count that does not match the table is refused") {  // BUGS Z05
  const auto filter = support::stored_example<Cuckoo>();
  const Bytes bytes = perhaps::to_bytes(filter);
  for (const std::uint64_t count : {std::uint64_t{0}, filter.size() - 1, filter.size() + 1, std::uint64_t{1} << 63U}) {
    check_refused<Cuckoo>(support::resealed_with(bytes, 40, count), FormatReason::key_count);
  }
}

TEMPLATE_LIST_TEST_CASE("bits after the last cell are refused", "", support::StoredFilters) {
  const Bytes bytes = perhaps::to_bytes(support::stored_example<TestType>());
  std::uint64_t width = 1;
  if constexpr (support::is_cuckoo<TestType>) width = TestType::fingerprint_bits * TestType::bucket_size;
  else if constexpr (requires { TestType::counter_bits; }) width = TestType::counter_bits;
  const std::uint64_t used = support::get<std::uint64_t>(bytes, 32) * width;
  for (std::uint64_t bit = used; bit < (bytes.size() - 64) * 8; ++bit) {
    Bytes changed = bytes;
    changed[64 + bit / 8] |= static_cast<std::byte>(1U << (bit % 8));
    check_refused<TestType>(support::resealed(changed), FormatReason::padding);
  }
  // The last cell itself is none of them.
  Bytes changed = bytes;
  changed[64 + (used - 1) / 8] ^= static_cast<std::byte>(1U << ((used - 1) % 8));
  const auto loaded = perhaps::try_from_bytes<TestType>(support::resealed(changed));
  CHECK((loaded || loaded.reason() == FormatReason::key_count));
}

TEMPLATE_LIST_TEST_CASE("a size that is not there takes no memory", "", support::StoredFilters) {  // BUGS Z01
  const Bytes bytes = perhaps::to_bytes(support::stored_example<TestType>());
  for (const unsigned shift : {30U, 40U, 48U, 57U, 60U, 63U}) {
    for (const std::uint64_t cells :
         {std::uint64_t{1} << shift, (std::uint64_t{1} << shift) - 512, ~std::uint64_t{0}}) {
      const Bytes promising = support::resealed_with(bytes, 32, cells);
      const auto loaded = perhaps::try_from_bytes<TestType>(promising);
      REQUIRE_FALSE(loaded);
      CHECK((loaded.reason() == FormatReason::length || loaded.reason() == FormatReason::too_large ||
             loaded.reason() == FormatReason::cells));
    }
  }
}

TEST_CASE("reasons are sentences with both values") {
  const Bytes bytes = perhaps::to_bytes(support::stored_example<Counting>());
  try {
    static_cast<void>(perhaps::from_bytes<perhaps::CountingBloomFilter<std::uint64_t, 8>>(bytes));
    FAIL("accepted");
  } catch (const perhaps::FormatError& error) {
    CHECK(error.reason() == FormatReason::counter_width);
    CHECK(std::string(error.what()) == "perhaps: stored filter: its counters have 4 bits, asked for 8");
  }
  std::set<std::string> sentences;
  for (unsigned reason = 0; reason <= static_cast<unsigned>(FormatReason::parquet); ++reason) {
    const std::string sentence = perhaps::describe({static_cast<FormatReason>(reason), 1, 2});
    CHECK(sentence.find("{}") == std::string::npos);
    sentences.insert(sentence);
  }
  CHECK(sentences.size() == static_cast<unsigned>(FormatReason::parquet) + 1);
}

TEST_CASE("a header can be read without knowing the filter") {
  const Bytes bytes = perhaps::to_bytes(Cuckoo(perhaps::CuckooParameters{.buckets = 9}, perhaps::XxHash3(3)));
  const auto header = perhaps::try_stored_header(bytes);
  REQUIRE(header);
  CHECK((header->kind == 3 && header->cell_bits == 17 && header->bucket_size() == 2));
  CHECK((header->cells == 9 && header->seed == 3 && header->payload_bytes + 64 == bytes.size()));
  CHECK(perhaps::try_stored_header(std::span(bytes).first(63)).reason() == FormatReason::truncated);
}
