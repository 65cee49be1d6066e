// SPDX-License-Identifier: BSL-1.0
//
// A split block in vector registers: the pattern of a key is made in its lanes by shifts alone, and tested against the
// block at once. `block` is the first word of it, aligned to the size of a block.
//
//     h, in all lanes  ->  shift right by 58, 52, 46 ..  ->  rotate 1 left by that  ->  ~block & pattern == 0 ?
#ifndef PERHAPS_KERNEL_SPLIT_KERNEL_HPP
#define PERHAPS_KERNEL_SPLIT_KERNEL_HPP

#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/layout/split_pattern.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// No kernel: the layout goes word by word.
template <class Isa, unsigned LaneBits>
struct SplitKernel {
  static constexpr bool exists = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <>
struct SplitKernel<isa::Avx512, 64> {
  static constexpr bool exists = true;

  [[PERHAPS_AVX512, gnu::always_inline]] static inline U64x8 fields(std::uint64_t h) noexcept {
    return (U64x8{} + h) >> U64x8{58, 52, 46, 40, 34, 28, 22, 16};
  }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline U64x8 pattern(std::uint64_t h, unsigned hashes) noexcept {
    using Pattern = SplitPattern<64>;
    const U64x8 one = U64x8{} + 1;
    if (hashes == 8) [[likely]]
      return rotate_left(one, fields(h));
    if (hashes < 8) return rotate_left(one, fields(h), static_cast<Mask8>(Pattern::lanes(h, hashes)));
    return rotate_left(one, fields(h)) | rotate_left(one, fields(h * Pattern::second_factor));
  }

  // Lane by lane, not bit by bit: that takes fewer instructions, and these are what bounds a lookup.
  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                                 std::uint64_t h) noexcept {
    using Pattern = SplitPattern<64>;
    const U64x8 words = *vectors_at<U64x8>(block);
    const U64x8 one = U64x8{} + 1;
    if (hashes == 8) [[likely]]
      return all_lanes_in_common(words, rotate_left(one, fields(h)));
    if (hashes < 8) return (lanes_apart(words, rotate_left(one, fields(h))) & Pattern::lanes(h, hashes)) == 0;
    return all_lanes_in_common(words, rotate_left(one, fields(h))) &&
           all_lanes_in_common(words, rotate_left(one, fields(h * Pattern::second_factor)));
  }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline void insert(std::uint64_t* block, unsigned hashes,
                                                                   std::uint64_t h) noexcept {
    *vectors_at<U64x8>(block) |= pattern(h, hashes);
  }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test_and_insert(std::uint64_t* block, unsigned hashes,
                                                                            std::uint64_t h) noexcept {
    const U64x8 added = pattern(h, hashes);
    const U64x8 before = *vectors_at<U64x8>(block);
    *vectors_at<U64x8>(block) = before | added;
    return is_zero(~before & added);
  }
};

template <>
struct SplitKernel<isa::Avx2, 64> {
  static constexpr bool exists = true;

  struct Halves {
    U64x4 low;
    U64x4 high;
  };

  [[PERHAPS_AVX2, gnu::always_inline]] static inline Halves shifted(U64x4 low, U64x4 high, std::uint64_t h) noexcept {
    const U64x4 all = U64x4{} + h;
    return {low << ((all >> U64x4{58, 52, 46, 40}) & 63), high << ((all >> U64x4{34, 28, 22, 16}) & 63)};
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline Halves pattern(std::uint64_t h, unsigned hashes) noexcept {
    using Pattern = SplitPattern<64>;
    const U64x4 one = U64x4{} + 1;
    if (hashes == 8) [[likely]]
      return shifted(one, one, h);
    if (hashes > 8) {
      const Halves first = shifted(one, one, h);
      const Halves second = shifted(one, one, h * Pattern::second_factor);
      return {first.low | second.low, first.high | second.high};
    }
    const std::uint64_t* ones = &Pattern::ones[hashes][Pattern::first_lane(h)];
    return shifted(load_four(ones), load_four(ones + 4), h);
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool contains(Halves block, Halves part) noexcept {
    // What is missing in either half; nothing is part of everything.
    return contains_all(U64x4{}, (~block.low & part.low) | (~block.high & part.high));
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                               std::uint64_t h) noexcept {
    const auto* halves = vectors_at<U64x4>(block);
    return contains({halves[0], halves[1]}, pattern(h, hashes));
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline void insert(std::uint64_t* block, unsigned hashes,
                                                                 std::uint64_t h) noexcept {
    auto* halves = vectors_at<U64x4>(block);
    const Halves added = pattern(h, hashes);
    halves[0] |= added.low;
    halves[1] |= added.high;
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool test_and_insert(std::uint64_t* block, unsigned hashes,
                                                                          std::uint64_t h) noexcept {
    auto* halves = vectors_at<U64x4>(block);
    const Halves added = pattern(h, hashes);
    const Halves before{halves[0], halves[1]};
    halves[0] = before.low | added.low;
    halves[1] = before.high | added.high;
    return contains(before, added);
  }
};

template <>
struct SplitKernel<isa::Avx2, 32> {
  static constexpr bool exists = true;

  [[PERHAPS_AVX2, gnu::always_inline]] static inline U64x4 pattern(std::uint64_t h) noexcept {
    constexpr auto s = SplitPattern<32>::salts;
    const U32x8 products = (U32x8{} + SplitPattern<32>::key(h)) * U32x8{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]};
    return reinterpret_cast<U64x4>((U32x8{} + 1) << (products >> 27));
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned,
                                                               std::uint64_t h) noexcept {
    return contains_all(*vectors_at<U64x4>(block), pattern(h));
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline void insert(std::uint64_t* block, unsigned,
                                                                 std::uint64_t h) noexcept {
    *vectors_at<U64x4>(block) |= pattern(h);
  }

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool test_and_insert(std::uint64_t* block, unsigned,
                                                                          std::uint64_t h) noexcept {
    const U64x4 added = pattern(h);
    const U64x4 before = *vectors_at<U64x4>(block);
    *vectors_at<U64x4>(block) = before | added;
    return contains_all(before, added);
  }
};

// Eight 32-bit lanes fill no more than AVX2 has.
template <>
struct SplitKernel<isa::Avx512, 32> : SplitKernel<isa::Avx2, 32> {};

#elif PERHAPS_HAS_NEON_KERNELS

template <>
struct SplitKernel<isa::Neon, 64> {
  static constexpr bool exists = true;

  struct Pairs {
    U64x2 pair[4];
  };

  [[gnu::always_inline]] static inline Pairs shifted(const std::uint64_t* ones, std::uint64_t h) noexcept {
    const U64x2 all = U64x2{} + h;
    const auto shift = [&](unsigned pair, U64x2 fields) {
      return U64x2{ones[2 * pair], ones[2 * pair + 1]} << ((all >> fields) & 63);
    };
    return {shift(0, U64x2{58, 52}), shift(1, U64x2{46, 40}), shift(2, U64x2{34, 28}), shift(3, U64x2{22, 16})};
  }

  [[gnu::always_inline]] static inline Pairs pattern(std::uint64_t h, unsigned hashes) noexcept {
    using Pattern = SplitPattern<64>;
    constexpr std::uint64_t all[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    if (hashes < 8) return shifted(&Pattern::ones[hashes][Pattern::first_lane(h)], h);
    Pairs pattern = shifted(all, h);
    if (hashes == 8) return pattern;
    const Pairs second = shifted(all, h * Pattern::second_factor);
    for (unsigned i = 0; i < 4; ++i) pattern.pair[i] |= second.pair[i];
    return pattern;
  }

  [[gnu::always_inline]] static inline bool missing_none(const U64x2* block, const Pairs& part) noexcept {
    const U64x2 missing = ((part.pair[0] & ~block[0]) | (part.pair[1] & ~block[1])) |
                          ((part.pair[2] & ~block[2]) | (part.pair[3] & ~block[3]));
    return (missing[0] | missing[1]) == 0;
  }

  [[gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                 std::uint64_t h) noexcept {
    return missing_none(vectors_at<U64x2>(block), pattern(h, hashes));
  }

  [[gnu::always_inline]] static inline void insert(std::uint64_t* block, unsigned hashes, std::uint64_t h) noexcept {
    const Pairs added = pattern(h, hashes);
    auto* pairs = vectors_at<U64x2>(block);
    for (unsigned i = 0; i < 4; ++i) pairs[i] |= added.pair[i];
  }

  [[gnu::always_inline]] static inline bool test_and_insert(std::uint64_t* block, unsigned hashes,
                                                            std::uint64_t h) noexcept {
    const Pairs added = pattern(h, hashes);
    auto* pairs = vectors_at<U64x2>(block);
    const bool before = missing_none(pairs, added);
    for (unsigned i = 0; i < 4; ++i) pairs[i] |= added.pair[i];
    return before;
  }
};

template <>
struct SplitKernel<isa::Neon, 32> {
  static constexpr bool exists = true;

  struct Pairs {
    U64x2 low;
    U64x2 high;
  };

  [[gnu::always_inline]] static inline Pairs pattern(std::uint64_t h) noexcept {
    constexpr auto s = SplitPattern<32>::salts;
    const U32x4 key = U32x4{} + SplitPattern<32>::key(h);
    const U32x4 one = U32x4{} + 1;
    return {reinterpret_cast<U64x2>(one << ((key * U32x4{s[0], s[1], s[2], s[3]}) >> 27)),
            reinterpret_cast<U64x2>(one << ((key * U32x4{s[4], s[5], s[6], s[7]}) >> 27))};
  }

  [[gnu::always_inline]] static inline bool missing_none(const U64x2* block, const Pairs& part) noexcept {
    const U64x2 missing = (part.low & ~block[0]) | (part.high & ~block[1]);
    return (missing[0] | missing[1]) == 0;
  }

  [[gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned, std::uint64_t h) noexcept {
    return missing_none(vectors_at<U64x2>(block), pattern(h));
  }

  [[gnu::always_inline]] static inline void insert(std::uint64_t* block, unsigned, std::uint64_t h) noexcept {
    const Pairs added = pattern(h);
    auto* pairs = vectors_at<U64x2>(block);
    pairs[0] |= added.low;
    pairs[1] |= added.high;
  }

  [[gnu::always_inline]] static inline bool test_and_insert(std::uint64_t* block, unsigned, std::uint64_t h) noexcept {
    const Pairs added = pattern(h);
    auto* pairs = vectors_at<U64x2>(block);
    const bool before = missing_none(pairs, added);
    pairs[0] |= added.low;
    pairs[1] |= added.high;
    return before;
  }
};

#endif

// A split block, for BlockBatch.
template <unsigned LaneBits>
struct BlockOfLanes {
  static constexpr std::size_t words = SplitPattern<LaneBits>::words;

  template <class Isa>
  using Kernel = SplitKernel<Isa, LaneBits>;

  template <class Words>
  static bool contains(const Words& storage, std::size_t first, unsigned hashes, std::uint64_t h) noexcept {
    return contains_masks(storage, first, SplitPattern<LaneBits>::masks(h, hashes));
  }

  template <class Words>
  static void insert(Words& storage, std::size_t first, unsigned hashes, std::uint64_t h) noexcept {
    set_masks(storage, first, SplitPattern<LaneBits>::masks(h, hashes));
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
