// SPDX-License-Identifier: BSL-1.0
//
// Lookups in one block of 512 bits in vector registers: the block is a register of eight words, and each lane fetches
// the word of its probe from it by a permutation, not from memory.
#ifndef PERHAPS_KERNEL_BLOCKED_KERNEL_HPP
#define PERHAPS_KERNEL_BLOCKED_KERNEL_HPP

#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/lane_probes.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

// The hashes of the probes within a block. No bit of g: its high bits are the same for all keys of the block.
constexpr Digest within_block(Digest digest) noexcept { return {digest.h, digest.h * 0xD6E8FEB86659FD93U}; }

template <class Isa, unsigned BlockBits, class Probes>
struct BlockedKernel {
  static constexpr bool exists = false;
};

template <class Isa, unsigned BlockBits, class Probes>
struct BlockedTiles;

#if PERHAPS_HAS_X86_KERNELS

template <class Probes>
  requires(LaneProbes<Probes>::exist)
struct BlockedKernel<isa::Avx512, 512, Probes> {
  static constexpr bool exists = true;

  // `digest` is that of the probes within the block.
  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                                 Digest digest) noexcept {
    LaneProbes<Probes> probes(digest);
    const U64x8 words = *reinterpret_cast<const U64x8*>(block);
    for (; hashes > 8; hashes -= 8) {
      if (!test_some(words, probes.next() >> 55, 0xFF)) return false;
    }
    return test_some(words, probes.next() >> 55, static_cast<Mask8>((1U << hashes) - 1));
  }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test_some(U64x8 words, U64x8 places, Mask8 lanes) noexcept {
    const Mask8 found = lanes_in_common(permute(words, places >> 6), rotate_left(U64x8{} + 1, places));
    return (lanes & ~found) == 0;
  }
};

// Bit i of the answer: whether all bits of digests[i] are set.
template <class Probes>
struct BlockedTiles<isa::Avx512, 512, Probes> {
  [[PERHAPS_AVX512]] static std::uint64_t test(const std::uint64_t* words, std::uint64_t blocks, unsigned hashes,
                                               std::span<const Digest> digests) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = digests.size(); i-- > 0;) {
      const std::uint64_t* block = words + fast_range(digests[i].g, blocks) * 8;
      answers = 2 * answers + BlockedKernel<isa::Avx512, 512, Probes>::test(block, hashes, within_block(digests[i]));
    }
    return answers;
  }
};

#endif

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
