// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// XxHash3: the default hash policy. Text and bytes go through XXH3-128 (g = low, h = high word); integers, a word
/// wide, take mix_word, which costs three quarters as much (0.9 against 1.3 ns) and gives different integers different
/// digests. The only header that includes xxHash, inlined, so nothing needs linking. It works after the user's own
/// `<xxhash.h>` too.
///
/// Two filters answer alike only with equal seeds. A second filter that is to check the first, one of another size or
/// rate for the same keys, needs a seed of its own: under one seed the two err together, measured 5 to 98 times as often
/// as the product of their rates. A seed is no secret key: who knows it can construct false positives.
///
/// Yann Collet, xxHash, https://xxhash.com
#ifndef PERHAPS_XXHASH_HPP
#define PERHAPS_XXHASH_HPP

#include <perhaps/detail/stored_id.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/version.hpp>

// GCC takes AVX-512 intrinsics, whose unused lanes are undefined, for uses of uninitialized variables.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
// Without optimisation xxHash would make each of its functions one of its own, and GCC compiles those, called or not.
#if !defined(XXH_NO_INLINE_HINTS) && !defined(__OPTIMIZE_SIZE__)
#define XXH_NO_INLINE_HINTS 0
#endif
#define XXH_INLINE_ALL
#include <xxhash.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <cstdint>
#include <string_view>

namespace perhaps::inline PERHAPS_ABI {

/// The default hash policy: XXH3-128 of text and bytes, two multiplications for integers, with an optional seed.
class XxHash3 {
 public:
  static constexpr unsigned digest_bits = 128;  ///< The best that a policy can state
  static constexpr detail::OwnId stored_id{1};  ///< Its id in stored filters

  constexpr XxHash3() = default;  ///< Seed 0

  /// Every seed is a function of its own, 0 included.
  constexpr explicit XxHash3(std::uint64_t seed) noexcept : seed_(seed), word_key_(WordKey{word_key(seed)}) {}

  constexpr std::uint64_t seed() const noexcept { return seed_; }  ///< The seed; stored with a filter

  /// Integers, and what is encoded as such: one wide multiplication after another. O(1).
  constexpr Digest operator()(std::uint64_t word) const noexcept {
    return mix_word(word, static_cast<std::uint64_t>(word_key_));
  }

  /// Text and bytes: XXH3-128. O(length).
  Digest operator()(std::string_view bytes) const noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed_);
    return {hash.low64, hash.high64};
  }

  /// Whether the seeds are equal.
  friend constexpr bool operator==(const XxHash3&, const XxHash3&) = default;

 private:
  // A type of its own, which no store to a filter's words can be taken to change: loops keep it in a register.
  enum class WordKey : std::uint64_t {};

  // Neighbouring seeds must not give neighbouring keys: the words 0..n would then have the same digests under both.
  static constexpr std::uint64_t word_key(std::uint64_t seed) noexcept { return mix_word(seed, 0x243F6A8885A308D3U).g; }

  std::uint64_t seed_ = 0;
  WordKey word_key_ = WordKey{word_key(0)};
};

}  // namespace perhaps::inline PERHAPS_ABI

#endif
