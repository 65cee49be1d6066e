// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// XxHash3: the default hash policy. Text and bytes go through XXH3-64, integers, a word wide, through mix_word, which
/// gives different integers different digests. XxHash3_128 makes 128 bits of text, for rates below n/2^64: one in two
/// billion with ten billion keys. The only header that includes xxHash, inlined, so nothing needs linking. It works
/// before and after the user's own `<xxhash.h>`, in whatever mode that is.
///
/// Two filters answer alike only with equal seeds. A second filter that is to check the first, one of another size or
/// rate for the same keys, needs a seed of its own: under one seed the two err together, measured 5 to 98 times as
/// often as the product of their rates. A seed is no secret key: who knows it can construct false positives.
///
/// Yann Collet, xxHash, https://xxhash.com
#ifndef PERHAPS_XXHASH_HPP
#define PERHAPS_XXHASH_HPP

#include <perhaps/digest.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#if !__has_include(<xxhash.h>)
#error \
    "perhaps needs the header xxhash.h of xxHash 0.8: package libxxhash-dev (Debian, Ubuntu), xxhash-devel (Fedora), xxhash (Homebrew, Arch, vcpkg, Conan)"
#include <xxhash.h of xxHash 0.8>  // There is no such file: nothing that follows would be any help.
#endif

// Whatever a program asks of its own <xxhash.h> stays as it is, and takes no part of xxHash away from this library.
#if defined(XXH_IMPLEM_13a8737387) && (defined(XXH_NO_XXH3) || defined(XXH_NO_STREAM) || defined(XXH_NO_LONG_LONG))
#error \
    "perhaps needs all of xxHash: include perhaps before the <xxhash.h> that XXH_NO_XXH3, XXH_NO_STREAM or XXH_NO_LONG_LONG curtails"
#include <xxhash.h of xxHash 0.8>  // As above.
#endif
#pragma push_macro("XXH_INLINE_ALL")
#pragma push_macro("XXH_NO_INLINE_HINTS")
#pragma push_macro("XXH_NO_LONG_LONG")
#pragma push_macro("XXH_NO_STREAM")
#pragma push_macro("XXH_NO_XXH3")
#pragma push_macro("XXH_PRIVATE_API")
#pragma push_macro("XXH_STATIC_LINKING_ONLY")
#undef XXH_INLINE_ALL
#undef XXH_NO_LONG_LONG
#undef XXH_NO_STREAM
#undef XXH_NO_XXH3
#undef XXH_PRIVATE_API
#undef XXH_STATIC_LINKING_ONLY

// GCC takes AVX-512 intrinsics, whose unused lanes are undefined, for uses of uninitialized variables.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
// Without optimisation xxHash would make each of its functions one of its own, and GCC compiles those, called or not.
#if !defined(XXH_NO_INLINE_HINTS) && !defined(__OPTIMIZE_SIZE__)
#define XXH_NO_INLINE_HINTS 0
#endif

// First the declarations alone, for their version: XXH3 gave other values before 0.8, and older headers that are asked
// to be inlined look for files which no package has.
#if !defined(XXH_VERSION_NUMBER)
#if defined(XXH_IMPLEMENTATION)
#define XXH_STATIC_LINKING_ONLY
#endif
#include <xxhash.h>
#endif
#if !defined(XXH_VERSION_NUMBER) || XXH_VERSION_NUMBER < 800
#error \
    "perhaps needs xxHash 0.8 or later, and the xxhash.h that comes first in the include path is older: package libxxhash-dev (Debian, Ubuntu), xxhash-devel (Fedora), xxhash (Homebrew, Arch, vcpkg, Conan)"
#include <xxhash.h of xxHash 0.8>  // As above.
#endif
// Then the functions, unless the program has them in this translation unit anyway (XXH_INLINE_ALL, XXH_IMPLEMENTATION).
#if !defined(XXH_IMPLEM_13a8737387)
#undef XXH_NAMESPACE
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#pragma pop_macro("XXH_STATIC_LINKING_ONLY")
#pragma pop_macro("XXH_PRIVATE_API")
#pragma pop_macro("XXH_NO_XXH3")
#pragma pop_macro("XXH_NO_STREAM")
#pragma pop_macro("XXH_NO_LONG_LONG")
#pragma pop_macro("XXH_NO_INLINE_HINTS")
#pragma pop_macro("XXH_INLINE_ALL")

#include <cstdint>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {

namespace detail {

// What both policies have: a seed, and integers.
class SeededWords {
 public:
  constexpr SeededWords() = default;  ///< Seed 0

  /// Every seed is a function of its own, 0 included.
  constexpr explicit SeededWords(std::uint64_t seed) noexcept : seed_(seed), word_key_(WordKey{word_key(seed)}) {}

  constexpr std::uint64_t seed() const noexcept { return seed_; }  ///< The seed; stored with a filter

  /// Integers, and what is encoded as such: no two have one digest. O(1).
  constexpr Digest operator()(std::uint64_t word) const noexcept {
    return mix_word(word, static_cast<std::uint64_t>(word_key_));
  }

 private:
  // A type of its own, which no store to a filter's words can be taken to change: loops keep it in a register.
  enum class WordKey : std::uint64_t {};

  // Neighbouring seeds must not give neighbouring keys: the words 0..n would then have the same digests under both.
  static constexpr std::uint64_t word_key(std::uint64_t seed) noexcept { return mix_word(seed, 0x243F6A8885A308D3U).g; }

  std::uint64_t seed_ = 0;
  WordKey word_key_ = WordKey{word_key(0)};
};

}  // namespace detail

/// The default hash policy, with an optional seed: XXH3-64 of text and bytes, two multiplications for integers. Two
/// texts have one digest with a probability of 2^-64, two integers never.
class XxHash3 : public detail::SeededWords {
 public:
  static constexpr unsigned digest_bits = default_digest_bits;  ///< What sizing may count on: 64
  static constexpr detail::BuiltinId stored_id{1};              ///< Its id in stored filters

  using detail::SeededWords::SeededWords;
  using detail::SeededWords::operator();

  /// Text and bytes: XXH3-64, and a product of it, which is another 64 good bits for all that layouts read. O(length).
  Digest operator()(std::string_view bytes) const noexcept {
    const std::uint64_t hash = XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed());
    return {hash, hash * 0x9FB21C651E98DF25U};
  }

  /// Whether the seeds are equal.
  friend constexpr bool operator==(const XxHash3& left, const XxHash3& right) noexcept {
    return left.seed() == right.seed();
  }
};

/// XXH3-128 of text and bytes, g the low word and h the high one, and integers as XxHash3 hashes them: for rates of
/// text below n/2^64, which sizing refuses for XxHash3. Lookups of text take 1.05 to 1.3 times as long as with XxHash3.
class XxHash3_128 : public detail::SeededWords {
 public:
  static constexpr unsigned digest_bits = 128;      ///< The best that a policy can state
  static constexpr detail::BuiltinId stored_id{3};  ///< Its id in stored filters

  using detail::SeededWords::SeededWords;
  using detail::SeededWords::operator();

  /// Text and bytes: XXH3-128. O(length).
  Digest operator()(std::string_view bytes) const noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed());
    return {hash.low64, hash.high64};
  }

  /// Whether the seeds are equal.
  friend constexpr bool operator==(const XxHash3_128& left, const XxHash3_128& right) noexcept {
    return left.seed() == right.seed();
  }
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
