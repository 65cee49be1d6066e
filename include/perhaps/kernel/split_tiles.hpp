// SPDX-License-Identifier: BSL-1.0
//
// Tiles of keys on split blocks, for each instruction set. `words` is the filter's memory, of `blocks` blocks.
#ifndef PERHAPS_KERNEL_SPLIT_TILES_HPP
#define PERHAPS_KERNEL_SPLIT_TILES_HPP

#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/split_kernel.hpp>
#include <perhaps/kernel/split_pattern.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

template <unsigned LaneBits>
constexpr std::size_t split_word(std::uint64_t blocks, Digest digest) noexcept {
  return static_cast<std::size_t>(fast_range(digest.g, blocks)) * SplitPattern<LaneBits>::words;
}

// Bit i of the answer: whether all bits of digests[i] are set.
template <class Isa, unsigned LaneBits>
struct SplitTiles {
  static constexpr bool exist = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <unsigned LaneBits>
struct SplitTiles<isa::Avx512, LaneBits> {
  static constexpr bool exist = true;
  using Kernel = SplitKernel<isa::Avx512, LaneBits>;

  [[PERHAPS_AVX512]] static std::uint64_t test(const std::uint64_t* words, std::uint64_t blocks, unsigned hashes,
                                               std::span<const Digest> digests) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = digests.size(); i-- > 0;) {
      const Digest digest = digests[i];
      answers = 2 * answers + Kernel::test(words + split_word<LaneBits>(blocks, digest), hashes, digest.h);
    }
    return answers;
  }

  [[PERHAPS_AVX512]] static void insert(std::uint64_t* words, std::uint64_t blocks, unsigned hashes,
                                        std::span<const Digest> digests) noexcept {
    for (const Digest digest : digests) {
      Kernel::insert(words + split_word<LaneBits>(blocks, digest), hashes, digest.h);
    }
  }
};

template <unsigned LaneBits>
struct SplitTiles<isa::Avx2, LaneBits> {
  static constexpr bool exist = true;
  using Kernel = SplitKernel<isa::Avx2, LaneBits>;

  [[PERHAPS_AVX2]] static std::uint64_t test(const std::uint64_t* words, std::uint64_t blocks, unsigned hashes,
                                             std::span<const Digest> digests) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = digests.size(); i-- > 0;) {
      const Digest digest = digests[i];
      answers = 2 * answers + Kernel::test(words + split_word<LaneBits>(blocks, digest), hashes, digest.h);
    }
    return answers;
  }

  [[PERHAPS_AVX2]] static void insert(std::uint64_t* words, std::uint64_t blocks, unsigned hashes,
                                      std::span<const Digest> digests) noexcept {
    for (const Digest digest : digests) {
      Kernel::insert(words + split_word<LaneBits>(blocks, digest), hashes, digest.h);
    }
  }
};

#elif PERHAPS_HAS_NEON_KERNELS

template <unsigned LaneBits>
struct SplitTiles<isa::Neon, LaneBits> {
  static constexpr bool exist = true;
  using Kernel = SplitKernel<isa::Neon, LaneBits>;

  static std::uint64_t test(const std::uint64_t* words, std::uint64_t blocks, unsigned hashes,
                            std::span<const Digest> digests) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = digests.size(); i-- > 0;) {
      const Digest digest = digests[i];
      answers = 2 * answers + Kernel::test(words + split_word<LaneBits>(blocks, digest), hashes, digest.h);
    }
    return answers;
  }

  static void insert(std::uint64_t* words, std::uint64_t blocks, unsigned hashes,
                     std::span<const Digest> digests) noexcept {
    for (const Digest digest : digests) {
      Kernel::insert(words + split_word<LaneBits>(blocks, digest), hashes, digest.h);
    }
  }
};

#endif

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
