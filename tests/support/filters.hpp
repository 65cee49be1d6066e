// SPDX-License-Identifier: BSL-1.0
//
// Every filter shape that the behaviour tests run over: a new filter joins all of them with one line in a list.
#ifndef PERHAPS_TESTS_SUPPORT_FILTERS_HPP
#define PERHAPS_TESTS_SUPPORT_FILTERS_HPP

#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>

namespace support {

using perhaps::BloomFilter;
using perhaps::XxHash3;

template <class Key, class Probes>
using Scattered = BloomFilter<Key, XxHash3, perhaps::Scattered<Probes>>;

// Filters of 64-bit integers.
using IntegerFilters = std::tuple<BloomFilter<std::uint64_t>, Scattered<std::uint64_t, perhaps::DoubleHashing>,
                                  Scattered<std::uint64_t, perhaps::EnhancedDoubleHashing>,
                                  BloomFilter<std::uint64_t, perhaps::MixedHash<std::hash<std::uint64_t>>>>;

// Filters of text.
using TextFilters =
    std::tuple<BloomFilter<std::string>, BloomFilter<std::string, perhaps::MixedHash<std::hash<std::string_view>>>>;

// A filter of type F for `keys` keys at rate `fpr`, with this seed where its hash policy takes one.
template <class F>
F make_filter(std::uint64_t keys, double fpr, std::uint64_t seed = 0) {
  if constexpr (std::constructible_from<typename F::hasher, std::uint64_t>) {
    return F({.keys = keys, .fpr = fpr}, typename F::hasher(seed));
  } else {
    return F({.keys = keys, .fpr = fpr});
  }
}

}  // namespace support

#endif
