// SPDX-License-Identifier: BSL-1.0
//
// Every filter shape that the behaviour tests run over: a new filter joins all of them with one line in a list, and in
// the shorter list beside it where it has code of its own. Full lists end in Full: see suite.hpp.
#ifndef PERHAPS_TESTS_SUPPORT_FILTERS_HPP
#define PERHAPS_TESTS_SUPPORT_FILTERS_HPP

#include <perhaps/perhaps.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

#include "support/keys.hpp"
#include "support/suite.hpp"

namespace support {

using perhaps::BloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::XxHash3;

template <class Key, class Layout>
using LaidOut = BloomFilter<Key, XxHash3, Layout>;

template <class Key, class Probes>
using ClassicBloom = LaidOut<Key, perhaps::Classic<Probes>>;

// Counters in lines, with kernels.
template <class Key, unsigned CounterBits = 4>
using LineCounting = CountingBloomFilter<Key, CounterBits, XxHash3, perhaps::SplitBlock<16, 8>>;

template <class Key, unsigned BlockPositions>
using BlockedCounting = CountingBloomFilter<Key, 4, XxHash3, perhaps::Blocked<BlockPositions>>;

// Filters of 64-bit integers whose hash takes a seed: many independent ones can be made.
using SeededFiltersFull =
    std::tuple<BloomFilter<std::uint64_t>, ClassicBloom<std::uint64_t, perhaps::DoubleHashing>,
               ClassicBloom<std::uint64_t, perhaps::EnhancedDoubleHashing>,
               LaidOut<std::uint64_t, perhaps::Blocked<512>>, LaidOut<std::uint64_t, perhaps::Blocked<64>>,
               LaidOut<std::uint64_t, perhaps::Blocked<256, perhaps::DoubleHashing>>,
               LaidOut<std::uint64_t, perhaps::SplitBlock<64, 8>>, LaidOut<std::uint64_t, perhaps::SplitBlock<32, 8>>,
               CountingBloomFilter<std::uint64_t>, BlockedCounting<std::uint64_t, 128>, LineCounting<std::uint64_t>,
               CuckooFilter<std::uint64_t>, CuckooFilter<std::uint64_t, 7, 8>>;
using SeededFilters =
    Suite<SeededFiltersFull, std::tuple<BloomFilter<std::uint64_t>, LaidOut<std::uint64_t, perhaps::Blocked<512>>,
                                        LaidOut<std::uint64_t, perhaps::SplitBlock<64, 8>>,
                                        LaidOut<std::uint64_t, perhaps::SplitBlock<32, 8>>, LineCounting<std::uint64_t>,
                                        CuckooFilter<std::uint64_t>, CuckooFilter<std::uint64_t, 7, 8>>>;

using IntegerFiltersFull =
    std::tuple<BloomFilter<std::uint64_t>, ClassicBloom<std::uint64_t, perhaps::DoubleHashing>,
               ClassicBloom<std::uint64_t, perhaps::EnhancedDoubleHashing>,
               BloomFilter<std::uint64_t, perhaps::MixedHash<std::hash<std::uint64_t>>>,
               LaidOut<std::uint64_t, perhaps::Blocked<512>>, LaidOut<std::uint64_t, perhaps::Blocked<256>>,
               LaidOut<std::uint64_t, perhaps::Blocked<128, perhaps::EnhancedDoubleHashing>>,
               LaidOut<std::uint64_t, perhaps::Blocked<64>>, LaidOut<std::uint64_t, perhaps::SplitBlock<64, 8>>,
               LaidOut<std::uint64_t, perhaps::SplitBlock<32, 8>>, BlockedCounting<std::uint64_t, 512>,
               BlockedCounting<std::uint64_t, 128>, LaidOut<std::uint64_t, perhaps::SplitBlock<16, 8>>,
               LineCounting<std::uint64_t>, CountingBloomFilter<std::uint64_t>, CountingBloomFilter<std::uint64_t, 2>,
               CountingBloomFilter<std::uint64_t, 8>, CountingBloomFilter<std::uint64_t, 16>,
               CuckooFilter<std::uint64_t>, CuckooFilter<std::uint64_t, 8>, CuckooFilter<std::uint64_t, 17, 2>,
               CuckooFilter<std::uint64_t, 31, 8>,
               CuckooFilter<std::uint64_t, 16, 4, perhaps::MixedHash<std::hash<std::uint64_t>>>>;
using IntegerFilters = Suite<
    IntegerFiltersFull,
    std::tuple<BloomFilter<std::uint64_t>, LaidOut<std::uint64_t, perhaps::Blocked<512>>,
               LaidOut<std::uint64_t, perhaps::SplitBlock<64, 8>>, LaidOut<std::uint64_t, perhaps::SplitBlock<32, 8>>,
               BlockedCounting<std::uint64_t, 128>, LineCounting<std::uint64_t>, CountingBloomFilter<std::uint64_t>,
               CuckooFilter<std::uint64_t>, CuckooFilter<std::uint64_t, 17, 2>>>;

using TextFiltersFull =
    std::tuple<BloomFilter<std::string>, BloomFilter<std::string, perhaps::MixedHash<std::hash<std::string_view>>>,
               LaidOut<std::string, perhaps::Blocked<512>>, LaidOut<std::string, perhaps::SplitBlock<64, 8>>,
               LaidOut<std::string, perhaps::SplitBlock<32, 8>>, CountingBloomFilter<std::string>,
               BlockedCounting<std::string, 512>, LineCounting<std::string>, CuckooFilter<std::string>>;
using TextFilters =
    Suite<TextFiltersFull, std::tuple<BloomFilter<std::string>, LineCounting<std::string>, CuckooFilter<std::string>>>;

// Filters with |= and &=.
using BloomFiltersFull =
    std::tuple<BloomFilter<std::uint64_t>, ClassicBloom<std::uint64_t, perhaps::DoubleHashing>,
               ClassicBloom<std::uint64_t, perhaps::EnhancedDoubleHashing>, BloomFilter<std::string>,
               LaidOut<std::uint64_t, perhaps::Blocked<512>>, LaidOut<std::uint64_t, perhaps::Blocked<64>>,
               LaidOut<std::uint64_t, perhaps::SplitBlock<64, 8>>, LaidOut<std::string, perhaps::SplitBlock<32, 8>>>;
using BloomFilters = Suite<BloomFiltersFull, std::tuple<BloomFilter<std::uint64_t>, BloomFilter<std::string>,
                                                        LaidOut<std::uint64_t, perhaps::Blocked<512>>,
                                                        LaidOut<std::uint64_t, perhaps::SplitBlock<64, 8>>>>;

// Filters with counters.
using CountingFiltersFull =
    std::tuple<CountingBloomFilter<std::uint64_t>, CountingBloomFilter<std::uint64_t, 2>,
               CountingBloomFilter<std::uint64_t, 8>, CountingBloomFilter<std::uint64_t, 16>,
               CountingBloomFilter<std::string>, BlockedCounting<std::uint64_t, 512>,
               BlockedCounting<std::uint64_t, 128>, LineCounting<std::uint64_t>, LineCounting<std::uint64_t, 8>>;
using CountingFilters =
    Suite<CountingFiltersFull, std::tuple<CountingBloomFilter<std::uint64_t>, CountingBloomFilter<std::uint64_t, 2>,
                                          BlockedCounting<std::uint64_t, 128>, LineCounting<std::uint64_t>>>;

template <class... Lists>
struct Concatenated;
template <class... As, class... Bs>
struct Concatenated<std::tuple<As...>, std::tuple<Bs...>> {
  using type = std::tuple<As..., Bs...>;
};

using AllFilters = Concatenated<IntegerFilters, TextFilters>::type;

// Filters made of several others: a chain for an unknown number of keys, and generations of the last keys.
using CompoundFilters = std::tuple<perhaps::ScalableFilter<BloomFilter<std::uint64_t>>,
                                   perhaps::ScalableFilter<LaidOut<std::string, perhaps::SplitBlock<64, 8>>>,
                                   perhaps::RollingBloomFilter<std::uint64_t>>;

template <class F>
inline constexpr bool is_cuckoo = requires { F::fingerprint_bits; };

// A filter of type F for `keys` keys at rate `fpr` (a cuckoo filter's rate is that of its fingerprints), with this seed
// where its hash policy takes one.
template <class F>
F make_filter(std::uint64_t keys, double fpr, std::uint64_t seed = 0) {
  typename F::hasher hash{};
  if constexpr (std::constructible_from<typename F::hasher, std::uint64_t>) hash = typename F::hasher(seed);
  if constexpr (is_cuckoo<F>) {
    return F({.keys = keys}, hash);
  } else {
    return F({.keys = keys, .fpr = fpr}, hash);
  }
}

// An empty filter as large as `filter`, with this seed: sizing takes longer than filling small filters does.
template <class F>
F remade(const F& filter, std::uint64_t seed) {
  const typename F::hasher hash(seed);
  if constexpr (is_cuckoo<F>) {
    return F({.buckets = filter.buckets()}, hash);
  } else if constexpr (requires { F::counter_bits; }) {
    return F({.counters = filter.counters(), .hashes = filter.hashes()}, hash);
  } else {
    return F({.bits = filter.bits(), .hashes = filter.hashes()}, hash);
  }
}

// Whether filters of type F can be made for this rate.
template <class F>
bool reaches(double fpr) {
  if constexpr (is_cuckoo<F>) {
    return perhaps::cuckoo_fpr(F::fingerprint_bits, F::bucket_size, 1) <= fpr;
  } else {
    return true;
  }
}

// The expected rate of make_filter<F>(keys, fpr) with `keys` keys in it.
template <class F>
double model_fpr(std::uint64_t keys, double fpr) {
  return make_filter<F>(keys, fpr).expected_fpr(keys);
}

template <class Layout>
inline constexpr bool is_exact = true;
template <class Probes>
inline constexpr bool is_exact<perhaps::Classic<Probes>> = std::same_as<Probes, perhaps::RotatingDoubleHashing>;
template <unsigned BlockBits, class Probes>
inline constexpr bool is_exact<perhaps::Blocked<BlockBits, Probes>> =
    std::same_as<Probes, perhaps::RotatingDoubleHashing>;

// Whether model_fpr is an expected rate. It is an upper bound for probe sequences that are not as good as independent
// ones, and for cuckoo tables with an odd number of buckets, where some keys have but one.
template <class F>
constexpr bool model_is_exact() {
  if constexpr (is_cuckoo<F>) {
    return false;
  } else {
    return is_exact<typename F::layout>;
  }
}

// How the rate of one large filter scatters about the model, relative to it: few blocks are fuller than others by much,
// and their number is random.
template <class F>
double scatter(std::uint64_t keys) {
  if constexpr (is_cuckoo<F>) {
    return 0.002;
  } else {
    return F::layout::block_bits == 1 ? 0.002 : 10 / std::sqrt(static_cast<double>(keys));
  }
}

template <class F>
auto key_for(std::uint64_t i) {
  if constexpr (std::same_as<typename F::key_type, std::string>) {
    return string_key(i);
  } else {
    return scramble(i);
  }
}

// Inserts; false if the filter refused.
template <class F, class Q>
bool add(F& filter, const Q& key) {
  if constexpr (std::same_as<decltype(filter.insert(key)), bool>) {
    return filter.insert(key);
  } else {
    filter.insert(key);
    return true;
  }
}

}  // namespace support

#endif
