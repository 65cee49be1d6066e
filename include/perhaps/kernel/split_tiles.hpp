// SPDX-License-Identifier: BSL-1.0
//
// Batches on split blocks: tiles of keys, for each instruction set. A key is prepared to the first word of its block,
// in g, and the hash of its pattern, in h; where memory is far, the block is asked for right then.
#ifndef PERHAPS_KERNEL_SPLIT_TILES_HPP
#define PERHAPS_KERNEL_SPLIT_TILES_HPP

#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/split_kernel.hpp>
#include <perhaps/kernel/split_pattern.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

// Bit i of the answer: whether all bits of tile[i] are set. The same for each set, but for the target of the functions.
template <class Isa, unsigned LaneBits>
struct SplitTiles {
  static constexpr bool exist = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <unsigned LaneBits>
struct SplitTiles<isa::Avx512, LaneBits> {
  static constexpr bool exist = true;
  using Kernel = SplitKernel<isa::Avx512, LaneBits>;

  [[PERHAPS_AVX512]] static std::uint64_t test(const std::uint64_t* words, unsigned hashes,
                                               const Tile<Digest>& tile) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      answers |= std::uint64_t{Kernel::test(words + tile[i].g, hashes, tile[i].h)} << i;
    }
    return answers;
  }

  [[PERHAPS_AVX512]] static void insert(std::uint64_t* words, unsigned hashes, std::span<const Digest> tile) noexcept {
    for (const Digest& key : tile) Kernel::insert(words + key.g, hashes, key.h);
  }
};

template <unsigned LaneBits>
struct SplitTiles<isa::Avx2, LaneBits> {
  static constexpr bool exist = true;
  using Kernel = SplitKernel<isa::Avx2, LaneBits>;

  [[PERHAPS_AVX2]] static std::uint64_t test(const std::uint64_t* words, unsigned hashes,
                                             const Tile<Digest>& tile) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      answers |= std::uint64_t{Kernel::test(words + tile[i].g, hashes, tile[i].h)} << i;
    }
    return answers;
  }

  [[PERHAPS_AVX2]] static void insert(std::uint64_t* words, unsigned hashes, std::span<const Digest> tile) noexcept {
    for (const Digest& key : tile) Kernel::insert(words + key.g, hashes, key.h);
  }
};

#elif PERHAPS_HAS_NEON_KERNELS

template <unsigned LaneBits>
struct SplitTiles<isa::Neon, LaneBits> {
  static constexpr bool exist = true;
  using Kernel = SplitKernel<isa::Neon, LaneBits>;

  static std::uint64_t test(const std::uint64_t* words, unsigned hashes, const Tile<Digest>& tile) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      answers |= std::uint64_t{Kernel::test(words + tile[i].g, hashes, tile[i].h)} << i;
    }
    return answers;
  }

  static void insert(std::uint64_t* words, unsigned hashes, std::span<const Digest> tile) noexcept {
    for (const Digest& key : tile) Kernel::insert(words + key.g, hashes, key.h);
  }
};

#endif

template <unsigned LaneBits, class Words>
class SplitBatch {
 public:
  static constexpr std::size_t tile_size = small_tile;

  SplitBatch(Words& storage, std::uint64_t bits, unsigned hashes) noexcept
      : storage_(storage),
        words_(storage.words().data()),
        blocks_(bits / (64 * Pattern::words)),
        hashes_(hashes),
        far_(storage.size() * sizeof(std::uint64_t) > near_bytes) {}

  Digest prepare_lookup(Digest digest) const noexcept {
    const Digest key = place(digest);
    if (far_) prefetch_for_reading(words_ + key.g);
    return key;
  }

  Digest prepare_insert(Digest digest) const noexcept {
    const Digest key = place(digest);
    if (far_) prefetch_for_writing(words_ + key.g);
    return key;
  }

  [[gnu::noinline]] std::uint64_t test(const Tile<Digest>& tile) const noexcept {
    if (hashes_ == 0) return ~std::uint64_t{0};
    return for_this_processor([&]<class Isa>() -> std::uint64_t {
      if constexpr (SplitTiles<Isa, LaneBits>::exist && PlainStorage<Words>) {
        return SplitTiles<Isa, LaneBits>::test(words_, hashes_, tile);
      } else {
        return answer_each(tile, [this](Digest key) {
          return contains_masks(storage_, static_cast<std::size_t>(key.g), Pattern::masks(key.h, hashes_));
        });
      }
    });
  }

  [[gnu::noinline]] void insert(std::span<const Digest> tile) const noexcept {
    if (hashes_ == 0) return;
    for_this_processor([&]<class Isa>() {
      if constexpr (SplitTiles<Isa, LaneBits>::exist && PlainStorage<Words>) {
        SplitTiles<Isa, LaneBits>::insert(words_, hashes_, tile);
      } else {
        for (const Digest& key : tile) {
          set_masks(storage_, static_cast<std::size_t>(key.g), Pattern::masks(key.h, hashes_));
        }
      }
    });
  }

 private:
  using Pattern = SplitPattern<LaneBits>;
  using Pointer = decltype(std::declval<Words&>().words().data());

  Digest place(Digest digest) const noexcept { return {fast_range(digest.g, blocks_) * Pattern::words, digest.h}; }

  Words& storage_;
  Pointer words_;
  std::uint64_t blocks_;
  unsigned hashes_;
  bool far_;
};

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
