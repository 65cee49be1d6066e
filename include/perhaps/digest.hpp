// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Digest: what a key becomes, two 64-bit hashes g and h. Everything below this line of the library sees digests only,
/// never keys: hash once, then ask any number of filters.
///
///     key --HashPolicy--> Digest{g, h} --ProbeSequence--> 64-bit probes --Layout--> bits
///
/// Kirsch and Mitzenmacher, "Less Hashing, Same Performance: Building a Better Bloom Filter", 2006.
#ifndef PERHAPS_DIGEST_HPP
#define PERHAPS_DIGEST_HPP

#include <perhaps/detail/wide_multiply.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// Two hashes of one key. Filters read high bits first (fast range), so both words must be well mixed up to the top.
struct Digest {
  std::uint64_t g;  ///< The first hash: picks the block, or where probes start
  std::uint64_t h;  ///< The second hash: the bits within the block, or how probes step

  /// Whether both hashes are equal: filters then take the two keys for one.
  friend constexpr bool operator==(Digest, Digest) = default;
};

/// How many bits of a digest sizing functions count on unless told otherwise: those of XxHash3, the default policy.
inline constexpr unsigned default_digest_bits = 64;

/// Spreads one 64-bit word over a digest with two wide multiplications, each folded; `key` makes families of such
/// functions. Different words have different digests, whatever the key: g and h give the low word of the first product,
/// and that the word. The sum is turned as a whole: words that differ in high bits only share the low bits of `low`,
/// and turned g added to those would repeat in h the high bits of g, by which layouts pick the block. Every input bit
/// changes every output bit with probability 1/2 (within 0.007 of it, measured over random, sequential and
/// high-bit-only words; the two factors did best of 132 pairs of well-known multipliers).
constexpr Digest mix_word(std::uint64_t word, std::uint64_t key) noexcept {
  const auto [low, high] = detail::wide_multiply(word ^ key, 0x94D049BB133111EBU);
  const auto folded = detail::wide_multiply(low ^ high, 0x589965CC75374CC3U);
  const std::uint64_t g = folded.low ^ folded.high;
  return {g, std::rotr(low + g, 29)};
}

/// Appends a field's digest to the digest of the fields before it: a four-round Feistel network, so for a fixed field
/// no two prefixes collide, and for a fixed prefix no two fields. The prefix is turned first, or (a, b) would equal (b,
/// a). Every input bit changes every output bit with probability 1/2; three rounds leave some at 0.97.
constexpr Digest combine(Digest prefix, Digest field) noexcept {
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    const auto [low, high] = detail::wide_multiply(a, b);
    return low ^ high;
  };
  Digest mixed{std::rotl(prefix.g, 25) ^ field.g, std::rotl(prefix.h, 41) + field.h};
  mixed.g += fold(mixed.h ^ 0x243F6A8885A308D3U, 0xD6E8FEB86659FD93U);
  mixed.h += fold(mixed.g ^ 0x13198A2E03707344U, 0x9FB21C651E98DF25U);
  mixed.g += fold(mixed.h ^ 0xA4093822299F31D0U, 0xD6E8FEB86659FD93U);
  mixed.h += fold(mixed.g ^ 0x082EFA98EC4E6C89U, 0x9FB21C651E98DF25U);
  return mixed;
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
