// SPDX-License-Identifier: BSL-1.0
//
// The sizes of Parquet filters: by default those that every reader takes, powers of two from 32 bytes to 128 MiB; and
// the lengths in their headers, in every spelling.
#include <perhaps/parquet.hpp>
#include <perhaps/planner.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::FormatReason;
using perhaps::ParquetBlock;
using support::Bytes;
using Filter = perhaps::ParquetFilter<std::int64_t>;
using SplitBlock = perhaps::SplitBlock<32, 8>;

constexpr std::uint64_t most_bits = std::uint64_t{128} * 1024 * 1024 * 8;

}  // namespace

TEST_CASE("sizing gives the least size that every reader takes, and the rate that was asked for") {
  for (const double fpr : {0.5, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6}) {
    for (std::uint64_t keys = 0; keys < 60'000'000; keys = keys * 3 + 1) {
      INFO(keys << " keys at " << fpr);
      const auto needed = perhaps::bloom_parameters<SplitBlock>({.keys = keys, .fpr = fpr}, 64);
      const auto sized = perhaps::try_bloom_parameters<ParquetBlock>({.keys = keys, .fpr = fpr}, 64);
      REQUIRE(static_cast<bool>(sized) == (needed.bits <= most_bits));
      if (!sized) continue;
      CHECK(std::has_single_bit(sized->bits));
      CHECK((sized->bits >= 256 && sized->bits <= most_bits));
      CHECK((sized->bits >= needed.bits && sized->bits / 2 < needed.bits));
      CHECK((sized->hashes == 8 && sized->bytes == sized->bits / 8));
      CHECK(sized->expected_fpr <= fpr);
      CHECK(sized->expected_fpr <= needed.expected_fpr);
    }
  }
}

TEST_CASE("filters are made so, and too many keys are refused") {
  CHECK(Filter({.keys = 1000, .fpr = 0.01}).bytes() == 2048);
  CHECK(Filter({.keys = 1, .fpr = 0.9}).bytes() == 32);
  CHECK(Filter::make({.keys = 1000, .fpr = 0.01})->bytes() == 2048);
  CHECK_FALSE(Filter::make({.keys = 200'000'000, .fpr = 0.01}));
  CHECK_THROWS_AS(Filter({.keys = 200'000'000, .fpr = 0.01}), std::length_error);
  CHECK_THROWS_WITH(Filter({.keys = 200'000'000, .fpr = 0.01}),
                    "perhaps: keys = 200000000 at fpr = 0.01 takes more than 128 MiB, the most that readers of Parquet "
                    "filters take");
  CHECK_THROWS_AS(Filter({.keys = std::uint64_t{1} << 50U, .fpr = 0.01}), std::length_error);
  // By hand any number of blocks, as other writers have them.
  const Filter three({.bits = 3 * 256, .hashes = 8});
  CHECK(perhaps::from_parquet<Filter>(perhaps::to_parquet(three)) == three);
  CHECK_THROWS_WITH(Filter({.bits = 257, .hashes = 8}),
                    "perhaps: bits must be a multiple of 256, the block of ParquetBlock, got 257");
}

TEST_CASE("a filter of such a size folds into such sizes only") {
  const Filter filter({.keys = 10'000, .fpr = 1e-6});
  const Filter half = filter.folded(2);
  CHECK(half.bytes() * 2 == filter.bytes());
  CHECK(std::has_single_bit(filter.fold_to(0.01).bits()));
}

TEST_CASE("plans for given memory are of such sizes too") {
  for (const std::uint64_t bytes : {32U, 63U, 64U, 1000U, 1024U, 100'000U, 300'000'000U}) {
    for (const auto& plan : perhaps::plan_lowest_fpr<ParquetBlock>({.keys = 100, .bytes = bytes}, 64)) {
      if (plan.kind != perhaps::FilterKind::bloom) continue;
      CHECK((std::has_single_bit(plan.bytes) && plan.bytes <= bytes && plan.bytes * 8 <= most_bits));
      CHECK((plan.bytes * 2 > bytes || plan.bytes * 8 == most_bits));
    }
  }
  CHECK(ParquetBlock::size_up_to(255) == 0);
}

TEST_CASE("lengths in headers have at most five bytes, which is what a 32-bit number takes") {
  const Bytes whole = perhaps::to_parquet(Filter({.bits = 1024, .hashes = 8}));
  REQUIRE(std::to_integer<int>(whole[1]) == 0x80);
  REQUIRE(std::to_integer<int>(whole[2]) == 0x02);
  for (std::size_t length = 2; length <= 12; ++length) {
    INFO(length << " bytes");
    // 256, the zigzag of 128: 80 82 80 80 ... 00.
    Bytes bytes{std::byte{0x15}, std::byte{0x80}, std::byte{0x82}};
    bytes.resize(length + 1, std::byte{0x80});
    bytes.back() = length == 2 ? std::byte{0x02} : std::byte{0};
    bytes.insert(bytes.end(), whole.begin() + 3, whole.end());
    const auto loaded = perhaps::try_from_parquet<Filter>(bytes);
    REQUIRE(static_cast<bool>(loaded) == (length <= 5));
    if (!loaded) CHECK(loaded.reason() == FormatReason::parquet);
    // The same bytes cut within the number, or right behind it.
    for (std::size_t size = 0; size <= length + 1; ++size) {
      const auto cut = perhaps::try_from_parquet<Filter>(Bytes(bytes.begin(), bytes.begin() + static_cast<long>(size)));
      REQUIRE_FALSE(cut);
      CHECK(cut.reason() == (size > 6 ? FormatReason::parquet : FormatReason::truncated));
    }
  }
}
