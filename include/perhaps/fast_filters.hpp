// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// FastBloomFilter and FastCountingBloomFilter: filters on the layouts that touch one cache line per key, in vector
/// registers, by short names; a few more bits per key, and several times as fast on large sets.
#ifndef PERHAPS_FAST_FILTERS_HPP
#define PERHAPS_FAST_FILTERS_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/counting_bloom_filter.hpp>
#include <perhaps/layout/split_block.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// A Bloom filter in split blocks of 512 bits: 5 % more bits than the classic layout at 1 %.
template <class Key, class Hash = XxHash3>
using FastBloomFilter = BloomFilter<Key, Hash, SplitBlock<>>;

/// A counting Bloom filter of 4-bit counters in split blocks of one cache line: 14 % more of them at 1 %.
template <class Key, class Hash = XxHash3>
using FastCountingBloomFilter = CountingBloomFilter<Key, 4, Hash, SplitBlock<16, 8>>;

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
