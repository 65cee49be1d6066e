// SPDX-License-Identifier: BSL-1.0
//
// Everything of the library after <xxhash.h> and under the macros of <windows.h>, <complex.h> and <termios.h>. The
// standard headers come first: they are the implementation's, and need not bear such macros.
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <bitset>
#include <charconv>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <istream>
#include <iterator>
#include <limits>
#include <list>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <ostream>
#include <random>
#include <ranges>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define small char
#define near
#define far
#define interface struct
#define ERROR 0
#define I 1i
#define B0 0

#include "odr/hostile.hpp"

namespace odr {

perhaps::BloomFilter<std::string> hostile_filter() {
  perhaps::BloomFilter<std::string> filter({.keys = 100, .fpr = 1e-6});
  filter.insert("inserted there");
  perhaps::BloomFilter<std::string> other = filter;
  other |= filter;
  return other;
}

bool hostile_may_contain(const perhaps::BloomFilter<std::string>& filter, const std::string& key) {
  return filter.may_contain(key);
}

perhaps::Digest hostile_digest(const std::string& key) {
  return perhaps::digest_of<std::string>(perhaps::XxHash3(7), key);
}

std::uint64_t hostile_count(const std::string& key, unsigned times) {
  perhaps::CountingBloomFilter<std::string> filter({.keys = 100, .fpr = 1e-6});
  for (unsigned i = 0; i < times; ++i) filter.insert(key);
  filter += perhaps::CountingBloomFilter<std::string>(perhaps::counting_parameters({.keys = 100, .fpr = 1e-6}));
  return filter.to_bloom().may_contain(key) ? filter.count(key) : 0;
}

perhaps::BloomParameters hostile_parameters(std::uint64_t keys, double fpr) {
  return perhaps::bloom_parameters({.keys = keys, .fpr = fpr});
}

}  // namespace odr
