// SPDX-License-Identifier: BSL-1.0
//
// Fuzz target: stored bytes into every kind of filter.
#include "fuzz/decode.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Word = std::uint64_t;
  using perhaps::XxHash3;
  fuzz::for_each_input(data, size, [](const fuzz::Bytes& bytes) {
    fuzz::check_bytes<perhaps::BloomFilter<Word>>(bytes);
    const auto header = perhaps::try_stored_header(bytes);
    if (!header) fuzz::require(!perhaps::describe(header.failure()).empty());
    fuzz::check_bytes<perhaps::BloomFilter<Word, XxHash3, perhaps::Classic<perhaps::DoubleHashing>>>(bytes);
    fuzz::check_bytes<perhaps::BloomFilter<Word, XxHash3, perhaps::Blocked<64>>>(bytes);
    fuzz::check_bytes<perhaps::BloomFilter<Word, XxHash3, perhaps::Blocked<512>>>(bytes);
    fuzz::check_bytes<perhaps::BloomFilter<Word, XxHash3, perhaps::SplitBlock<64, 8>>>(bytes);
    fuzz::check_bytes<perhaps::BloomFilter<Word, XxHash3, perhaps::SplitBlock<32, 8>>>(bytes);
    fuzz::check_bytes<perhaps::ParquetFilter<Word>>(bytes);
    fuzz::check_bytes<perhaps::CountingBloomFilter<Word, 2>>(bytes);
    fuzz::check_bytes<perhaps::CountingBloomFilter<Word, 4>>(bytes);
    fuzz::check_bytes<perhaps::CountingBloomFilter<Word, 8>>(bytes);
    fuzz::check_bytes<perhaps::CountingBloomFilter<Word, 16>>(bytes);
    fuzz::check_bytes<perhaps::CountingBloomFilter<Word, 4, XxHash3, perhaps::Blocked<128>>>(bytes);
    fuzz::check_bytes<perhaps::CountingBloomFilter<Word, 4, XxHash3, perhaps::SplitBlock<16, 8>>>(bytes);
    fuzz::check_bytes<perhaps::CuckooFilter<Word>>(bytes);
    fuzz::check_bytes<perhaps::CuckooFilter<Word, 4, 2>>(bytes);
    fuzz::check_bytes<perhaps::CuckooFilter<Word, 17, 2>>(bytes);
    fuzz::check_bytes<perhaps::CuckooFilter<Word, 31, 8>>(bytes);
  });
  return 0;
}
