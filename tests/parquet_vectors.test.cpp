// SPDX-License-Identifier: BSL-1.0
//
// SplitBlock<32, 8> is Apache Parquet's split-block filter, byte for byte, when keys are hashed as Parquet does: XXH64
// of the plain-encoded value; its upper half picks the block, its lower half the bits.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"
#include "support/csv.hpp"

namespace {

using perhaps::Digest;
using Layout = perhaps::SplitBlock<32, 8>;
using Filter = perhaps::BloomFilter<std::string, perhaps::XxHash3, Layout>;

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(static_cast<unsigned char>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::uint64_t hash_of(std::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

Digest parquet_digest(std::uint64_t hash) { return {hash & 0xFFFFFFFF00000000U, hash << 32U}; }

// The filter as Parquet stores it: 32-bit words, lowest byte first.
std::string bitset(const Filter& filter) {
  std::string bytes;
  for (const std::uint64_t word : filter.words()) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      bytes += static_cast<char>(static_cast<unsigned char>(word >> shift & 0xFFU));
    }
  }
  return bytes;
}

Filter filter_of(std::uint64_t blocks, const std::vector<std::uint64_t>& hashes) {
  Filter filter({.bits = blocks * 256, .hashes = 8});
  for (const std::uint64_t hash : hashes) filter.insert(parquet_digest(hash));
  return filter;
}

std::map<std::string, std::vector<std::uint64_t>> hashes_by_name() {
  std::map<std::string, std::vector<std::uint64_t>> hashes;
  for (const auto& row : support::read_csv("sbbf_keys.csv")) {
    hashes[row.text("name")].push_back(hash_of(from_hex(row.text("key_hex"))));
  }
  return hashes;
}

}  // namespace

TEST_CASE("keys of all types hash to the vectors' values") {
  const auto rows = support::read_csv("sbbf_keys.csv");
  REQUIRE(rows.size() == 250);
  for (const auto& row : rows) CHECK(hash_of(from_hex(row.text("key_hex"))) == row.hex("xxh64"));
}

TEST_CASE("every bitset of sbbf_vectors.csv comes out byte for byte, one by one and in batches") {
  auto hashes = hashes_by_name();
  const auto rows = support::read_csv("sbbf_vectors.csv");
  REQUIRE(rows.size() == 78);
  for (const auto& row : rows) {
    const std::uint64_t blocks = row.integer("nblocks");
    INFO(row.text("name") << " in " << blocks << " blocks");
    std::string expected(static_cast<std::size_t>(blocks) * 32, '\0');
    std::istringstream listed(row.text("blocks"));
    for (std::string block; listed >> block;) {
      const std::size_t colon = block.find(':');
      expected.replace(std::stoul(block.substr(0, colon)) * 32, 32, from_hex(block.substr(colon + 1)));
    }
    const auto& keys = hashes[row.text("name")];
    Filter filter = filter_of(blocks, keys);
    CHECK(bitset(filter) == expected);
    CHECK(filter.set_bits() == row.integer("set_bits"));

    std::vector<Digest> digests;
    for (const std::uint64_t hash : keys) digests.push_back(parquet_digest(hash));
    Filter batch({.bits = blocks * 256, .hashes = 8});
    batch.insert_range(digests);
    CHECK(batch == filter);
    Filter scalar({.bits = blocks * 256, .hashes = 8});
    for (const Digest digest : digests) scalar.insert<Digest, perhaps::isa::Scalar>(digest);
    CHECK(scalar == filter);
    for (const Digest digest : digests) CHECK(filter.may_contain(digest));

    std::string answers;
    for (std::uint64_t i = 0; i < 64; ++i) {
      const auto key = perhaps::detail::word_bytes(1'000'000 + i);
      answers += filter.may_contain(parquet_digest(hash_of({key.data(), key.size()}))) ? '1' : '0';
    }
    CHECK(answers == row.text("absent"));
  }
}

TEST_CASE("every row of sbbf_masks.csv comes out right, up to 2^31 - 1 blocks") {
  const auto rows = support::read_csv("sbbf_masks.csv");
  REQUIRE(rows.size() == 55);
  for (const auto& row : rows) {
    const std::uint64_t blocks = row.integer("nblocks");
    const Digest digest = parquet_digest(row.hex("hash"));
    INFO("hash " << row.text("hash") << " in " << blocks << " blocks");
    CHECK(perhaps::fast_range(digest.g, blocks) == row.integer("block"));
    // The bits within a block do not depend on how many there are.
    Filter filter({.bits = 256, .hashes = 8});
    filter.insert(digest);
    std::istringstream bits(row.text("bits_word0..7"));
    for (std::size_t lane = 0; lane < 8; ++lane) {
      unsigned bit = 0;
      REQUIRE(bits >> bit);
      CHECK((filter.words()[lane / 2] >> (lane % 2 * 32) & 0xFFFFFFFFU) == std::uint64_t{1} << bit);
    }
    if (blocks > 1024) continue;
    Filter larger({.bits = blocks * 256, .hashes = 8});
    larger.insert(digest);
    CHECK(std::ranges::equal(larger.words().subspan(static_cast<std::size_t>(row.integer("block")) * 4, 4),
                             filter.words()));
    CHECK(larger.set_bits() == 8);
  }
}

TEST_CASE("a file of Apache's own is read and written") {
  std::ifstream file(PERHAPS_TEST_DATA "/bloom_filter.xxhash.bin", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(bytes.size() == 16 + 1024);
  std::vector<std::uint64_t> hashes;
  for (const std::string_view key : {"hello", "parquet", "bloom", "filter"}) hashes.push_back(hash_of(key));
  const Filter filter = filter_of(32, hashes);
  CHECK(bitset(filter) == bytes.substr(16));
  CHECK(filter.set_bits() == 32);
}
