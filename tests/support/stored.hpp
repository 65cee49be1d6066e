// SPDX-License-Identifier: BSL-1.0
//
// Stored bytes, changed on purpose: fields of the header by their offset, and the checksum made right again by the
// format's definition, so that what refuses them is the check meant and not the checksum.
#ifndef PERHAPS_TESTS_SUPPORT_STORED_HPP
#define PERHAPS_TESTS_SUPPORT_STORED_HPP

#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "support/filters.hpp"
#include "support/suite.hpp"

namespace support {

using Bytes = std::vector<std::byte>;

// Every shape of filter that has bytes of its own. Keys are integers.
using StoredFiltersFull =
    std::tuple<BloomFilter<std::uint64_t>, ClassicBloom<std::uint64_t, perhaps::DoubleHashing>,
               ClassicBloom<std::uint64_t, perhaps::EnhancedDoubleHashing>,
               BloomFilter<std::uint64_t, XxHash3, perhaps::Blocked<64>>,
               BloomFilter<std::uint64_t, XxHash3, perhaps::Blocked<256, perhaps::DoubleHashing>>,
               BloomFilter<std::uint64_t, XxHash3, perhaps::Blocked<512>>,
               BloomFilter<std::uint64_t, XxHash3, perhaps::SplitBlock<64, 8>>,
               BloomFilter<std::uint64_t, XxHash3, perhaps::SplitBlock<32, 8>>, perhaps::ParquetFilter<std::uint64_t>,
               CountingBloomFilter<std::uint64_t, 2>, CountingBloomFilter<std::uint64_t, 4>,
               CountingBloomFilter<std::uint64_t, 8>, CountingBloomFilter<std::uint64_t, 16>,
               CountingBloomFilter<std::uint64_t, 4, XxHash3, perhaps::Blocked<128>>,
               CountingBloomFilter<std::uint64_t, 4, XxHash3, perhaps::SplitBlock<16, 8>>, CuckooFilter<std::uint64_t>,
               CuckooFilter<std::uint64_t, 4, 2>, CuckooFilter<std::uint64_t, 17, 2>,
               CuckooFilter<std::uint64_t, 31, 8>, CuckooFilter<std::uint64_t, 32, 4>>;
// Golden files have the bytes of all of them in the default suite too.
using StoredFilters =
    Suite<StoredFiltersFull,
          std::tuple<BloomFilter<std::uint64_t>, BloomFilter<std::uint64_t, XxHash3, perhaps::Blocked<64>>,
                     BloomFilter<std::uint64_t, XxHash3, perhaps::SplitBlock<64, 8>>,
                     perhaps::ParquetFilter<std::uint64_t>, CountingBloomFilter<std::uint64_t, 4>,
                     CountingBloomFilter<std::uint64_t, 4, XxHash3, perhaps::SplitBlock<16, 8>>,
                     CuckooFilter<std::uint64_t>, CuckooFilter<std::uint64_t, 17, 2>>>;

using StoredBloomsFull = std::tuple<BloomFilter<std::uint64_t>, ClassicBloom<std::uint64_t, perhaps::DoubleHashing>,
                                    ClassicBloom<std::uint64_t, perhaps::EnhancedDoubleHashing>,
                                    BloomFilter<std::uint64_t, XxHash3, perhaps::Blocked<64>>,
                                    BloomFilter<std::uint64_t, XxHash3, perhaps::Blocked<256, perhaps::DoubleHashing>>,
                                    BloomFilter<std::uint64_t, XxHash3, perhaps::Blocked<512>>,
                                    BloomFilter<std::uint64_t, XxHash3, perhaps::SplitBlock<64, 8>>,
                                    BloomFilter<std::uint64_t, XxHash3, perhaps::SplitBlock<32, 8>>,
                                    BloomFilter<std::uint64_t, XxHash3, perhaps::SplitBlock<16, 8>>>;
using StoredBlooms =
    Suite<StoredBloomsFull,
          std::tuple<BloomFilter<std::uint64_t>, BloomFilter<std::uint64_t, XxHash3, perhaps::Blocked<512>>,
                     BloomFilter<std::uint64_t, XxHash3, perhaps::SplitBlock<64, 8>>,
                     BloomFilter<std::uint64_t, XxHash3, perhaps::SplitBlock<16, 8>>>>;

// A filter of type F with 100 keys.
template <class F>
F stored_example(std::uint64_t seed = 7, std::uint64_t keys = 100) {
  auto filter = make_filter<F>(keys, 0.01, seed);
  for (std::uint64_t i = 0; i < keys; ++i) static_cast<void>(add(filter, scramble(i)));
  return filter;
}

template <class T>
T get(const Bytes& bytes, std::size_t offset) {
  T value = 0;
  for (std::size_t i = sizeof(T); i-- > 0;) {
    value = static_cast<T>((std::uint64_t{value} << 8U) | std::to_integer<std::uint64_t>(bytes[offset + i]));
  }
  return value;
}

// The checksum, by the format's definition.
inline std::uint64_t checksum_of(const Bytes& bytes) {
  const std::array<std::byte, 8> zeros{};
  Bytes zeroed(bytes.begin(), bytes.begin() + 56);
  zeroed.insert(zeroed.end(), zeros.begin(), zeros.end());
  zeroed.insert(zeroed.end(), bytes.begin() + 64, bytes.end());
  return XXH3_64bits(zeroed.data(), zeroed.size());
}

template <class T>
Bytes with(Bytes bytes, std::size_t offset, T value) {
  auto rest = static_cast<std::uint64_t>(value);
  for (std::size_t i = 0; i < sizeof(T); ++i, rest >>= 8U) bytes[offset + i] = static_cast<std::byte>(rest & 255U);
  return bytes;
}

inline Bytes resealed(const Bytes& bytes) { return with(bytes, 56, checksum_of(bytes)); }

template <class T>
Bytes resealed_with(const Bytes& bytes, std::size_t offset, T value) {
  return resealed(with(bytes, offset, value));
}

// A copy of bytes that begins at a multiple of 64, and `shift` bytes later.
class AlignedBytes {
 public:
  explicit AlignedBytes(const Bytes& bytes, std::size_t shift = 0) : memory_(bytes.size() + 128), size_(bytes.size()) {
    void* begin = memory_.data();
    std::size_t space = memory_.size();
    begin_ = static_cast<std::byte*>(std::align(64, size_ + 63, begin, space)) + shift;
    std::copy(bytes.begin(), bytes.end(), begin_);
  }

  std::span<std::byte> span() { return {begin_, size_}; }

 private:
  Bytes memory_;
  std::size_t size_;
  std::byte* begin_;
};

}  // namespace support

#endif
