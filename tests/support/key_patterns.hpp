// SPDX-License-Identifier: BSL-1.0
//
// Many more patterns of integers than keys.hpp has, for laws over all of them: what programs use as keys, and what
// multiplicative hashes are known to spread badly.
#ifndef PERHAPS_TESTS_SUPPORT_KEY_PATTERNS_HPP
#define PERHAPS_TESTS_SUPPORT_KEY_PATTERNS_HPP

#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/keys.hpp"

namespace support {

// Key i of a pattern, for i below 2^16: different i, different keys.
struct NamedPattern {
  std::string name;
  std::function<std::uint64_t(std::uint64_t)> key;
};

// i times what turns the multiplication by `factor`, which is odd, back: products that are i, or i shifted.
constexpr std::uint64_t inverse_of(std::uint64_t factor) {
  std::uint64_t inverse = factor;
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  return inverse;
}

inline std::vector<NamedPattern> many_patterns() {
  std::vector<NamedPattern> patterns;
  const auto add = [&](std::string name, auto key) { patterns.push_back({std::move(name), key}); };
  for (unsigned shift = 0; shift <= 48; shift += 4) {
    add("i << " + std::to_string(shift), [=](std::uint64_t i) { return i << shift; });
  }
  for (const std::uint64_t step : {std::uint64_t{3}, std::uint64_t{10}, std::uint64_t{24}, std::uint64_t{1000},
                                   std::uint64_t{4104}, std::uint64_t{0x100000001U}, 0x9E3779B97F4A7C15U}) {
    add(std::to_string(step) + " i", [=](std::uint64_t i) { return i * step; });
  }
  for (const unsigned shift : {0U, 16U, 32U, 44U}) {
    add("the first factor's inverse, i << " + std::to_string(shift),
        [=](std::uint64_t i) { return (i << shift) * inverse_of(0x94D049BB133111EBU); });
  }
  add("-i", [](std::uint64_t i) { return 0 - i; });
  add("-i << 16", [](std::uint64_t i) { return (0 - i) << 16U; });
  add("bits of i reversed", [](std::uint64_t i) { return reverse_bits(i); });
  add("bytes of i reversed", [](std::uint64_t i) {
    std::uint64_t reversed = 0;
    for (int byte = 0; byte < 8; ++byte, i >>= 8U) reversed = reversed << 8U | (i & 0xFFU);
    return reversed;
  });
  add("Gray code", [](std::uint64_t i) { return i ^ i >> 1U; });
  add("Gray code << 32", [](std::uint64_t i) { return (i ^ i >> 1U) << 32U; });
  add("doubles", [](std::uint64_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(i)); });
  add("tenths", [](std::uint64_t i) { return std::bit_cast<std::uint64_t>(static_cast<double>(i) * 0.1); });
  add("floats", [](std::uint64_t i) { return std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(i))}; });
  add("decimal digits", [](std::uint64_t i) {
    std::uint64_t text = 0;
    for (int digit = 0; digit < 8; ++digit, i /= 10) text = text << 8U | ('0' + i % 10);
    return text;
  });
  add("every third bit", [](std::uint64_t i) {
    std::uint64_t spread = 0;
    for (unsigned bit = 0; bit < 17; ++bit) spread |= (i >> bit & 1U) << (3 * bit + 7);
    return spread;
  });
  add("pairs of 8 and 8 bits", [](std::uint64_t i) { return (i & 255U) | i >> 8U << 32U; });
  add("pairs of 10 and 6 bits", [](std::uint64_t i) { return (i & 1023U) | i >> 10U << 44U; });
  add("objects on a heap", [](std::uint64_t i) { return 0x55550000A2A0U + i * 48; });
  add("seconds in nanoseconds", [](std::uint64_t i) { return 1'700'000'000'000'000'000U + i * 1'000'000'000U; });
  add("minutes in milliseconds", [](std::uint64_t i) { return 1'700'000'000'000U + i * 60'000U; });
  add("time and counter", [](std::uint64_t i) { return (1'700'000'000'000U + i / 3) << 22U | i % 3; });
  add("random", [](std::uint64_t i) { return scramble(i); });
  add("random << 32", [](std::uint64_t i) { return i * 2'654'435'761U << 32U; });
  return patterns;
}

}  // namespace support

#endif
