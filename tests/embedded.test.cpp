// SPDX-License-Identifier: BSL-1.0
//
// Bits of filters in other people's formats: the answers of the filter, from bytes at any address, on every layout.
#include <perhaps/bloom_filter.hpp>
#include <perhaps/embedded.hpp>
#include <perhaps/layout/blocked.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/split_block.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"

using Layouts =
    std::tuple<perhaps::Classic<>, perhaps::Blocked<64>, perhaps::SplitBlock<64, 8>, perhaps::SplitBlock<32, 8>>;

TEMPLATE_LIST_TEST_CASE("embedded bits answer like their filter, at any address", "", Layouts) {
  constexpr std::uint64_t unit = TestType::block_bits < 8 ? 8 : TestType::block_bits;
  int wrong = 0;
  for (std::uint64_t units = 1; units <= 40; ++units) {
    const std::uint64_t bits = units * unit;
    perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, TestType> filter({.bits = bits, .hashes = 8});
    for (std::uint64_t key = 0; key < bits / 12; ++key) filter.insert(key);
    for (std::size_t before = 0; before < 9; ++before) {
      std::vector<unsigned char> bytes(before, 0xFF);
      perhaps::append_bits(filter, bytes);
      bytes.insert(bytes.end(), 3, 0xFF);  // what follows must not be read
      const auto part = std::as_bytes(std::span(bytes)).subspan(before, bytes.size() - before - 3);
      const auto parameters = perhaps::embedded_parameters<TestType>(part.size(), 8);
      if (!parameters || parameters->bits != bits || parameters->bytes != filter.bytes()) ++wrong;
      for (std::uint64_t key = 0; key < bits / 6; ++key) {
        const bool perhaps = perhaps::bits_may_contain<TestType>(part, 8, filter.digest(key));
        if (perhaps != filter.may_contain(key)) ++wrong;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("bits that are no filter have no parameters, and deny no key") {
  using perhaps::embedded_parameters;
  CHECK_FALSE(embedded_parameters<perhaps::Classic<>>(0, 7));
  CHECK_FALSE(embedded_parameters<perhaps::Classic<>>(8, 0));
  CHECK_FALSE(embedded_parameters<perhaps::Classic<>>(8, 65));
  CHECK_FALSE(embedded_parameters<perhaps::Classic<>>((std::numeric_limits<std::size_t>::max)(), 7));
  CHECK_FALSE(embedded_parameters<perhaps::SplitBlock<64, 8>>(63, 8));
  CHECK_FALSE(embedded_parameters<perhaps::SplitBlock<64, 8>>(64, 9));
  const std::vector<std::byte> zeros(63);
  CHECK(perhaps::bits_may_contain<perhaps::SplitBlock<64, 8>>(zeros, 8, {1, 2}));
  CHECK_FALSE(perhaps::bits_may_contain<perhaps::Classic<>>(zeros, 8, {1, 2}));

  const perhaps::BloomFilter<int> odd({.bits = 1001, .hashes = 7});
  std::string bytes;
  CHECK_THROWS_WITH(perhaps::append_bits(odd, bytes), "perhaps: bits must be a multiple of 8 to be embedded, got 1001");
  CHECK(bytes.empty());
}
