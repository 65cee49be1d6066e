// SPDX-License-Identifier: BSL-1.0
//
// One source, odr/unit.cpp, compiled with different flags for processors and linked into one program: each of its
// namespaces works on the same filters.
#ifndef PERHAPS_TESTS_ODR_UNIT_HPP
#define PERHAPS_TESTS_ODR_UNIT_HPP

#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace odr {

struct Filters {
  // Each at a rate of 10 %.
  explicit Filters(std::uint64_t keys)
      : classic({.keys = keys, .fpr = 0.1}),
        blocked({.keys = keys, .fpr = 0.1}),
        split({.keys = keys, .fpr = 0.1}),
        parquet({.keys = keys, .fpr = 0.1}),
        shared({.keys = keys, .fpr = 0.1}),
        shared_split({.keys = keys, .fpr = 0.1}),
        counting({.keys = keys, .fpr = 0.1}),
        lines({.keys = keys, .fpr = 0.1}) {}

  perhaps::BloomFilter<std::uint64_t> classic;
  perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Blocked<512>> blocked;
  perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<64, 8>> split;
  perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<32, 8>> parquet;
  perhaps::ConcurrentBloomFilter<std::uint64_t> shared;
  perhaps::ConcurrentBloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<64, 8>> shared_split;
  perhaps::CountingBloomFilter<std::uint64_t> counting;
  perhaps::CountingBloomFilter<std::uint64_t, 4, perhaps::XxHash3, perhaps::SplitBlock<16, 8>> lines;

  friend bool operator==(const Filters&, const Filters&) = default;
};

struct Unit {
  // Inserts the keys [first, last), every second one in a batch.
  void (*insert)(Filters& filters, std::uint64_t first, std::uint64_t last);
  // The answers for them, of all filters, one by one and in batches.
  std::vector<bool> (*ask)(const Filters& filters, std::uint64_t first, std::uint64_t last);
  std::string_view instruction_set;
};

extern const Unit plain;
extern const Unit avx2;
extern const Unit avx512;

}  // namespace odr

#endif
