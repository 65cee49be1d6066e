// SPDX-License-Identifier: BSL-1.0
//
// SipHash against its published vectors, its filters against the laws of all filters, and its key, which no file holds.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/catch.hpp"
#include "support/csv.hpp"
#include "support/keys.hpp"
#include "support/statistics.hpp"

namespace {

using perhaps::BloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::FormatReason;
using perhaps::SipHash;

constexpr std::uint64_t first_half = 0x0706050403020100U;
constexpr std::uint64_t second_half = 0x0F0E0D0C0B0A0908U;

std::string hex(std::uint64_t word) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < 8; ++i, word >>= 8U) {
    text += digits[word >> 4U & 15U];
    text += digits[word & 15U];
  }
  return text;
}

}  // namespace

TEST_CASE("SipHash-2-4 has its published values") {
  std::array<unsigned char, 16> key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<unsigned char>(i);
  const SipHash hash(key);
  CHECK(hash == SipHash(first_half, second_half));
  const auto rows = support::read_csv("siphash_vectors.csv");
  REQUIRE(rows.size() == 64);
  std::string message;
  for (const auto& row : rows) {
    REQUIRE(message.size() == row.integer("length"));
    const auto digest = hash(std::string_view(message));
    CHECK(hex(digest.g) + hex(digest.h) == row.text("siphash_2_4_128"));
    CHECK(hex(hash.short_hash(message)) == row.text("siphash_2_4_64"));
    message += static_cast<char>(message.size());
  }
  CHECK(hash(first_half) == hash(std::string_view(message).substr(0, 8)));
}

TEST_CASE("every bit of the key and of the message changes half of the digest") {
  const auto distance = [](perhaps::Digest a, perhaps::Digest b) {
    return std::popcount(a.g ^ b.g) + std::popcount(a.h ^ b.h);
  };
  int sum = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t flip = std::uint64_t{1} << bit;
    const SipHash hash(1, 2);
    sum += distance(hash(std::uint64_t{3}), SipHash(1 ^ flip, 2)(std::uint64_t{3}));
    sum += distance(hash(std::uint64_t{3}), SipHash(1, 2 ^ flip)(std::uint64_t{3}));
    sum += distance(hash(std::uint64_t{3}), hash(3 ^ flip));
    CHECK(hash.key_check() != SipHash(1 ^ flip, 2).key_check());
    CHECK(hash.key_check() != SipHash(1, 2 ^ flip).key_check());
  }
  CHECK(sum > 64 * 3 * 64 - 400);
  CHECK(sum < 64 * 3 * 64 + 400);
}

TEMPLATE_TEST_CASE("filters under a key find their keys at their rate", "", (BloomFilter<std::uint64_t, SipHash>),
                   (BloomFilter<std::string, SipHash, perhaps::SplitBlock<>>),
                   (CountingBloomFilter<std::uint64_t, 4, SipHash>)) {
  using F = TestType;
  F filter({.keys = 5000, .fpr = 0.01}, SipHash(7, 8));
  const auto key = [](std::uint64_t i) {
    if constexpr (std::is_same_v<typename F::key_type, std::string>) return support::string_key(i);
    else return i;
  };
  for (std::uint64_t i = 0; i < 5000; ++i) filter.insert(key(i));
  for (std::uint64_t i = 0; i < 5000; ++i) REQUIRE(filter.may_contain(key(i)));
  std::uint64_t hits = 0;
  for (std::uint64_t i = 5000; i < 105'000; ++i) hits += filter.may_contain(key(i)) ? 1U : 0U;
  CHECK(support::consistent(hits, 100'000, filter.expected_fpr(5000), 0.1));
  // Under another key, the bits mean nothing.
  F other({.keys = 5000, .fpr = 0.01}, SipHash(7, 9));
  CHECK(!filter.is_compatible(other));
}

TEMPLATE_TEST_CASE("filters under a key are saved without it, and load with it only", "",
                   (BloomFilter<std::uint64_t, SipHash>), (CountingBloomFilter<std::uint64_t, 4, SipHash>),
                   (CuckooFilter<std::uint64_t, 12, 4, SipHash>)) {
  using F = TestType;
  const SipHash hash(0x1122334455667788U, 0x99AABBCCDDEEFF00U);
  const auto filter = [&] {
    if constexpr (requires { F::fingerprint_bits; }) return F({.keys = 100}, hash);
    else return F({.keys = 100, .fpr = 0.01}, hash);
  }();
  auto filled = filter;
  for (std::uint64_t i = 0; i < 100; ++i) static_cast<void>(filled.insert(i));
  const auto bytes = perhaps::to_bytes(filled);
  for (const std::uint64_t half : {0x1122334455667788U, 0x99AABBCCDDEEFF00U}) {
    std::array<std::byte, 8> secret{};
    std::memcpy(secret.data(), &half, 8);
    CHECK(std::search(bytes.begin(), bytes.end(), secret.begin(), secret.end()) == bytes.end());
  }
  CHECK(perhaps::try_stored_header(bytes)->seed == hash.key_check());
  CHECK(perhaps::from_bytes<F>(bytes, hash) == filled);
  CHECK(perhaps::from_bytes<F>(bytes, hash).may_contain(99));
  std::stringstream stream;
  perhaps::write(filled, stream);
  CHECK(perhaps::read<F>(stream, hash) == filled);
  const SipHash other(0x1122334455667788U, 0x99AABBCCDDEEFF01U);
  CHECK(perhaps::try_from_bytes<F>(bytes, other).reason() == FormatReason::key);
  CHECK_THROWS_AS(perhaps::from_bytes<F>(bytes, other), perhaps::FormatError);
  stream.clear();
  stream.seekg(0);
  CHECK(perhaps::try_read<F>(stream, other).reason() == FormatReason::key);
  if constexpr (requires { typename F::storage; }) {
    alignas(64) std::array<std::byte, 4096> memory{};
    REQUIRE(bytes.size() <= memory.size());
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    const auto stored = std::span<const std::byte>(memory).first(bytes.size());
    CHECK(perhaps::view_bytes<F>(stored, hash) == filled);
    CHECK(perhaps::view_bytes<F>(stored, hash, perhaps::Verify::structure).may_contain(42));
    CHECK(perhaps::try_view_bytes<F>(stored, other).reason() == FormatReason::key);
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    auto changed = bytes;
    changed[at] ^= std::byte{4};
    CHECK(!perhaps::try_from_bytes<F>(changed, hash));
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(!perhaps::try_from_bytes<F>(cut, hash));
  }
}

TEST_CASE("a chain of filters under a key") {
  perhaps::ScalableFilter<BloomFilter<std::string, SipHash>> chain({.keys = 1, .fpr = 0.001}, SipHash(1, 2));
  for (std::uint64_t i = 0; i < 100; ++i) chain.insert(support::string_key(i));
  for (std::uint64_t i = 0; i < 100; ++i) CHECK(chain.may_contain(support::string_key(i)));
}

static_assert(!std::is_default_constructible_v<SipHash>);
