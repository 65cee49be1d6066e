// SPDX-License-Identifier: BSL-1.0
//
// 64 x 64 -> 128 bit multiplication: the portable version gives what the native one gives, also at compile time.
#include <perhaps/detail/wide_multiply.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::detail::wide_multiply;
using perhaps::detail::wide_multiply_portable;
using perhaps::detail::WideProduct;

constexpr std::uint64_t all = 0xFFFFFFFFFFFFFFFFU;

static_assert(wide_multiply_portable(all, all) == WideProduct{1, all - 1});
static_assert(wide_multiply_portable(all, 1) == WideProduct{all, 0});
static_assert(wide_multiply_portable(0xFFFFFFFFU, 0xFFFFFFFFU) == WideProduct{0xFFFFFFFE00000001U, 0});
static_assert(wide_multiply_portable(std::uint64_t{1} << 63U, 2) == WideProduct{0, 1});
static_assert(wide_multiply_portable(0x123456789ABCDEF0U, 0xFEDCBA9876543210U) ==
              WideProduct{0x236D88FE5618CF00U, 0x121FA00AD77D7422U});
static_assert(wide_multiply(all, all) == WideProduct{1, all - 1});
static_assert(wide_multiply(0x123456789ABCDEF0U, 0xFEDCBA9876543210U) ==
              WideProduct{0x236D88FE5618CF00U, 0x121FA00AD77D7422U});

}  // namespace

TEST_CASE("the portable product equals the native one where carries are about to happen") {
  std::vector<std::uint64_t> edges;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    edges.insert(edges.end(), {power - 1, power, power + 1, all - power, all - power + 1, all << bit});
  }
  std::uint64_t differences = 0;
  for (const std::uint64_t a : edges) {
    for (const std::uint64_t b : edges) differences += wide_multiply_portable(a, b) == wide_multiply(a, b) ? 0U : 1U;
  }
  CHECK(differences == 0);
}

TEST_CASE("the portable product equals the native one for random factors of every length") {
  std::mt19937_64 random(1);
  std::uint64_t differences = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t a = random() >> random() % 64;
    const std::uint64_t b = random() >> random() % 64;
    differences += wide_multiply_portable(a, b) == wide_multiply(a, b) ? 0U : 1U;
    differences += wide_multiply_portable(a, b) == wide_multiply_portable(b, a) ? 0U : 1U;
  }
  CHECK(differences == 0);
}
