// SPDX-License-Identifier: BSL-1.0
//
// One block with probes anywhere in it. Of 512 bits, it is looked up in vector registers: the block is a register of
// eight words, and each lane fetches the word of its probe from it by a permutation, not from memory.
#ifndef PERHAPS_KERNEL_BLOCKED_KERNEL_HPP
#define PERHAPS_KERNEL_BLOCKED_KERNEL_HPP

#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/lane_probes.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/layout/position_sequence.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// The hashes of the probes within a block. No bit of g: its high bits are the same for all keys of the block.
constexpr Digest within_block(std::uint64_t h) noexcept { return {h, h * 0xD6E8FEB86659FD93U}; }

// The positions of a key in the block that begins at position `first`: the top bits of its probes.
template <unsigned BlockBits, class Probes>
struct BlockedPositions {
  static constexpr unsigned shift = 64 - unsigned{std::bit_width(BlockBits - 1)};

  BlockedPositions(std::uint64_t first_position, std::uint64_t h) noexcept
      : first(first_position), probes(within_block(h)) {}
  [[gnu::always_inline]] std::uint64_t next() noexcept { return first + (probes.next() >> shift); }

  std::uint64_t first;
  Probes probes;
};

// No kernel: the layout goes bit by bit.
template <class Isa, unsigned BlockBits, class Probes>
struct BlockedKernel {
  static constexpr bool exists = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <class Probes>
requires(LaneProbes<Probes>::exist) struct BlockedKernel<isa::Avx512, 512, Probes> {
  static constexpr bool exists = true;

  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                                 std::uint64_t h) noexcept {
    LaneProbes<Probes> probes(within_block(h));
    const U64x8 words = *vectors_at<U64x8>(block);
    for (; hashes > 8; hashes -= 8) {
      if (!test_some(words, probes.next() >> 55, 0xFF)) return false;
    }
    return test_some(words, probes.next() >> 55, static_cast<Mask8>((1U << hashes) - 1));
  }

  // A probe's bit in all lanes at once: shifted by its distance from the lane's first bit, it falls out of all but one.
  // Setting bits in memory one by one would make each wait for the last, in the same cache line.
  [[PERHAPS_AVX512, gnu::always_inline]] static inline void insert(std::uint64_t* block, unsigned hashes,
                                                                   std::uint64_t h) noexcept {
    Probes probes(within_block(h));
    U64x8 words = *vectors_at<U64x8>(block);
    for (unsigned probe = 0; probe < hashes; ++probe) {
      const U64x8 position = U64x8{} + (probes.next() >> 55U);
      words |= shift_left(U64x8{} + 1, position - U64x8{0, 64, 128, 192, 256, 320, 384, 448});
    }
    *vectors_at<U64x8>(block) = words;
  }

  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test_some(U64x8 words, U64x8 positions,
                                                                      Mask8 lanes) noexcept {
    const Mask8 found = lanes_in_common(permute(words, positions >> 6), rotate_left(U64x8{} + 1, positions));
    return (lanes & ~found) == 0;
  }
};

#endif

// A block of probes anywhere in it, for BlockBatch.
template <unsigned BlockBits, class Probes>
struct BlockOfProbes {
  static constexpr std::size_t words = BlockBits / 64;

  template <class Isa>
  using Kernel = BlockedKernel<Isa, BlockBits, Probes>;

  template <class Words>
  static bool contains(const Words& storage, std::size_t first, unsigned hashes, std::uint64_t h) noexcept {
    return test_bits(storage, hashes, BlockedPositions<BlockBits, Probes>(first * 64, h));
  }

  template <class Words>
  static void insert(Words& storage, std::size_t first, unsigned hashes, std::uint64_t h) noexcept {
    set_bits(storage, hashes, BlockedPositions<BlockBits, Probes>(first * 64, h));
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
