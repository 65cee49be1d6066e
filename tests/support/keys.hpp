// SPDX-License-Identifier: BSL-1.0
//
// Streams of distinct keys in the patterns that users have: random, sequential, strided, high bits only, strings. Key i
// of a stream never equals key j, so inserting i < n and asking i >= n asks for absent keys only.
#ifndef PERHAPS_TESTS_SUPPORT_KEYS_HPP
#define PERHAPS_TESTS_SUPPORT_KEYS_HPP

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace support {

// SplitMix64's finalizer: a bijection, so distinct inputs stay distinct.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

constexpr std::uint64_t reverse_bits(std::uint64_t x) {
  std::uint64_t reversed = 0;
  for (int bit = 0; bit < 64; ++bit, x >>= 1U) reversed = (reversed << 1U) | (x & 1U);
  return reversed;
}

struct Pattern {
  std::string_view name;
  std::uint64_t (*key)(std::uint64_t i);
};

// Valid for i < 2^16 (high_48) or more.
inline const std::vector<Pattern>& integer_patterns() {
  static const std::vector<Pattern> patterns{
      {"random", [](std::uint64_t i) { return scramble(i); }},
      {"sequential", [](std::uint64_t i) { return i; }},
      {"negative", [](std::uint64_t i) { return 0 - i; }},
      {"pointers", [](std::uint64_t i) { return 0x7f0000000000U + i * 64; }},
      {"pages", [](std::uint64_t i) { return i * 4096; }},
      {"high_32", [](std::uint64_t i) { return i << 32U; }},
      {"high_40", [](std::uint64_t i) { return i << 40U; }},
      {"reversed", [](std::uint64_t i) { return reverse_bits(i); }},
      {"doubles", [](std::uint64_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(i)); }},
      {"two_halves", [](std::uint64_t i) { return (i & 1023U) | ((i >> 10U) << 44U); }},
      {"golden", [](std::uint64_t i) { return i * 0x9E3779B97F4A7C15U; }},
  };
  return patterns;
}

inline std::string string_key(std::uint64_t i) { return "session_" + std::to_string(i); }

}  // namespace support

#endif
