// SPDX-License-Identifier: BSL-1.0
//
// Filters of more than 2^32 bits or counters, for real: up to 3 GB each. Preset `heavy` builds and runs it.
#include <perhaps/perhaps.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "support/catch.hpp"

namespace {

// Bits that are set in words from `first` on.
std::uint64_t set_from(std::span<const std::uint64_t> words, std::size_t first) {
  std::uint64_t set = 0;
  for (const std::uint64_t word : words.subspan(first)) set += static_cast<unsigned>(std::popcount(word));
  return set;
}

// A million keys in a filter of which so many words are beyond 2^32 cells: all are found, and put as many bits there as
// the share of these words says, to within six standard deviations of the blocks or probes that fall there.
template <class F>
void check_beyond(F& filter, std::size_t first_word) {
  constexpr std::uint64_t n = 1'000'000;
  constexpr double bits_together = 8;  // up to k = 8 bits of a key are in one block, and fall on one side together
  for (std::uint64_t key = 0; key < n; ++key) filter.insert(key);
  bool found = true;
  for (std::uint64_t key = 0; key < n; ++key) found &= filter.may_contain(key);
  CHECK(found);
  const auto words = filter.words();
  const auto all = static_cast<double>(set_from(words, 0));
  const auto beyond = static_cast<double>(set_from(words, first_word));
  const double share = static_cast<double>(words.size() - first_word) / static_cast<double>(words.size());
  INFO(beyond << " of " << all << " bits, a share of " << share << " of the words");
  CHECK(share > 0.2);
  CHECK(std::abs(beyond - all * share) <= 6 * std::sqrt(all * bits_together * share * (1 - share)));
}

}  // namespace

TEMPLATE_TEST_CASE("Bloom filters of more than 2^32 bits", "", perhaps::Classic<>, perhaps::Blocked<512>,
                   (perhaps::SplitBlock<64, 8>)) {
  perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, TestType> filter({.keys = 600'000'000, .fpr = 0.01});
  REQUIRE(filter.bits() > std::uint64_t{5} << 30U);
  check_beyond(filter, std::size_t{1} << 26U);
}

TEMPLATE_TEST_CASE("counting filters of more than 2^32 counters", "", (perhaps::CountingBloomFilter<std::uint64_t, 2>),
                   (perhaps::CountingBloomFilter<std::uint64_t, 4, perhaps::XxHash3, perhaps::SplitBlock<16, 8>>)) {
  constexpr std::uint64_t counters = (std::uint64_t{3} << 31U) + 128;
  TestType filter({.counters = counters, .hashes = 7});
  check_beyond(filter, static_cast<std::size_t>((std::uint64_t{1} << 32U) / 64 * TestType::counter_bits));
  bool erased = true;
  for (std::uint64_t key = 0; key < 1'000'000; ++key) erased &= filter.erase(key);
  CHECK(erased);
  CHECK(filter.set_counters() == filter.saturated_counters());  // a few have met three keys, and stick
}
