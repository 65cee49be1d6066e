// SPDX-License-Identifier: BSL-1.0
//
// The filters whose stored bytes are committed under tests/data/golden, one for each kind, layout, probe sequence and
// width: they must load, and be written byte for byte the same.
#ifndef PERHAPS_TESTS_SUPPORT_GOLDEN_HPP
#define PERHAPS_TESTS_SUPPORT_GOLDEN_HPP

#include <perhaps/perhaps.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace support {

// Key i of each golden filter, and of the reader in Python; also how many are in.
constexpr std::uint64_t golden_key(std::uint64_t i) { return i * i; }
inline constexpr std::uint64_t golden_keys = 60;
// How many of them a filter that forgets still has.
inline constexpr std::uint64_t golden_recent = 20;

template <class F>
F golden(F filter) {
  for (std::uint64_t i = 0; i < golden_keys; ++i) static_cast<void>(filter.insert(golden_key(i)));
  return filter;
}

// Calls `visit(name, filter)` for each.
template <class Visit>
void for_each_golden(Visit visit) {
  using perhaps::BloomFilter;
  using perhaps::CountingBloomFilter;
  using perhaps::CuckooFilter;
  using perhaps::XxHash3;
  using Word = std::uint64_t;
  const XxHash3 seed(0x0A0D1A0000FF0D0A);
  visit("bloom_classic", golden(BloomFilter<Word>({.bits = 601, .hashes = 7}, seed)));
  visit("bloom_double_hashing",
        golden(BloomFilter<Word, XxHash3, perhaps::Classic<perhaps::DoubleHashing>>({.bits = 600, .hashes = 7})));
  visit(
      "bloom_enhanced_double_hashing",
      golden(BloomFilter<Word, XxHash3, perhaps::Classic<perhaps::EnhancedDoubleHashing>>({.bits = 600, .hashes = 7})));
  visit("bloom_blocked_64", golden(BloomFilter<Word, XxHash3, perhaps::Blocked<64>>({.bits = 640, .hashes = 5}, seed)));
  visit("bloom_blocked_512", golden(BloomFilter<Word, XxHash3, perhaps::Blocked<>>({.bits = 1024, .hashes = 5})));
  visit("bloom_split_64_k5", golden(BloomFilter<Word, XxHash3, perhaps::SplitBlock<>>({.bits = 1024, .hashes = 5})));
  visit("bloom_split_64_k8",
        golden(BloomFilter<Word, XxHash3, perhaps::SplitBlock<>>({.bits = 1536, .hashes = 8}, seed)));
  visit("bloom_split_64_k16", golden(BloomFilter<Word, XxHash3, perhaps::SplitBlock<>>({.bits = 1536, .hashes = 16})));
  visit("bloom_split_32", golden(BloomFilter<Word, XxHash3, perhaps::SplitBlock<32, 8>>({.bits = 1024, .hashes = 8})));
  visit("bloom_parquet", golden(perhaps::ParquetFilter<Word>({.bits = 1024, .hashes = 8})));
  visit("counting_2", golden(CountingBloomFilter<Word, 2>({.counters = 601, .hashes = 7})));
  visit("counting_4", golden(CountingBloomFilter<Word, 4>({.counters = 601, .hashes = 7}, seed)));
  visit("counting_8", golden(CountingBloomFilter<Word, 8>({.counters = 301, .hashes = 4})));
  visit("counting_16", golden(CountingBloomFilter<Word, 16>({.counters = 201, .hashes = 3})));
  visit("counting_blocked",
        golden(CountingBloomFilter<Word, 4, XxHash3, perhaps::Blocked<128>>({.counters = 640, .hashes = 4})));
  visit("counting_split_16",
        golden(CountingBloomFilter<Word, 4, XxHash3, perhaps::SplitBlock<16, 8>>({.counters = 640, .hashes = 6})));
  visit("cuckoo_12_4", golden(CuckooFilter<Word>(perhaps::CuckooParameters{.buckets = 17}, seed)));
  visit("cuckoo_4_2", golden(CuckooFilter<Word, 4, 2>(perhaps::CuckooParameters{.buckets = 40})));
  visit("cuckoo_17_2", golden(CuckooFilter<Word, 17, 2>(perhaps::CuckooParameters{.buckets = 37})));
  visit("cuckoo_31_8", golden(CuckooFilter<Word, 31, 8>(perhaps::CuckooParameters{.buckets = 9})));
}

// Calls `visit(name, filter)` for each filter that is made of filters.
template <class Visit>
void for_each_golden_chain(Visit visit) {
  using perhaps::BloomFilter;
  using perhaps::ScalableFilter;
  using perhaps::XxHash3;
  using Word = std::uint64_t;
  const XxHash3 seed(0x0A0D1A0000FF0D0A);
  const perhaps::ScalableTarget target{.keys = 5, .fpr = 0.05};
  visit("chain_classic", golden(ScalableFilter<BloomFilter<Word>>(target, seed)));
  visit("chain_split", golden(ScalableFilter<BloomFilter<Word, XxHash3, perhaps::SplitBlock<>>>(target)));
  visit("chain_cuckoo", golden(ScalableFilter<perhaps::CuckooFilter<Word, 12>>(target)));
  visit("rolling_classic",
        golden(perhaps::RollingBloomFilter<Word>({.keys = golden_recent, .fpr = 0.05, .generations = 3}, seed)));
}

inline std::string golden_path(const std::string& name) { return PERHAPS_TEST_DATA "/golden/" + name + ".perhaps"; }

inline std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::byte> bytes;
  bytes.reserve(text.size());
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

}  // namespace support

#endif
