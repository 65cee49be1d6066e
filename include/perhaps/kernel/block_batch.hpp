// SPDX-License-Identifier: BSL-1.0
//
// Batches on layouts that keep a key in one block. A key is prepared to the first word of its block, in g, and its
// second hash, in h; where memory is far, the block is asked for right then. `Block` says what a block is:
//
//     words                                      its size
//     Kernel<Isa>                                test(block, hashes, h) and insert(block, hashes, h), if they `exist`
//     contains(storage, first, hashes, h)        the same word by word, for the block that begins at word `first`
//     insert(storage, first, hashes, h)
#ifndef PERHAPS_KERNEL_BLOCK_BATCH_HPP
#define PERHAPS_KERNEL_BLOCK_BATCH_HPP

#include <perhaps/detail/to_size.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/shared_kernel.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Bit i of `test` is the kernel's answer for tile[i]. There is one for each instruction set, as only functions of a
// kernel's own target can inline it.
template <class Isa, class Kernel>
struct BlockTiles;

#if PERHAPS_HAS_X86_KERNELS

template <class Kernel>
struct BlockTiles<isa::Avx512, Kernel> {
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

template <class Kernel>
struct BlockTiles<isa::Avx2, Kernel> {
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

template <class Kernel>
struct BlockTiles<isa::Neon, Kernel> {
  static std::uint64_t test(const std::uint64_t* words, unsigned hashes, const Tile<Digest>& tile) noexcept {
    return answer_each(tile, [=](const Digest& key) { return Kernel::test(words + key.g, hashes, key.h); });
  }

  static void insert(std::uint64_t* words, unsigned hashes, std::span<const Digest> tile) noexcept {
    for (const Digest& key : tile) Kernel::insert(words + key.g, hashes, key.h);
  }
};

#endif

template <class Block, class Words>
class BlockBatch {
  template <class Isa>
  using Lookup = LookupKernel<typename Block::template Kernel<Isa>, Isa, Block::words, Words>;
  template <class Isa>
  static constexpr bool has_lookup = Lookup<Isa>::exists;
  template <class Isa>
  static constexpr bool has_kernel = Block::template Kernel<Isa>::exists && ContiguousStorage<Words>;

 public:
  BlockBatch(Words& storage, std::uint64_t bits, unsigned hashes) noexcept
      : storage_(storage),
        words_(storage.words().data()),
        blocks_(bits / (64 * Block::words)),
        hashes_(hashes),
        prefetch_(storage.size() * sizeof(std::uint64_t) > l1_bytes) {}

  Digest prepare_lookup(Digest digest) const noexcept {
    const Digest key = position(digest);
    if (prefetch_) prefetch_for_reading(words_ + key.g);
    return key;
  }

  Digest prepare_insert(Digest digest) const noexcept {
    const Digest key = position(digest);
    if (prefetch_) prefetch_for_insert<Words>(words_ + key.g);
    return key;
  }

  // For a loop that is compiled for Isa as a whole. Precondition: there are blocks.
  template <class Isa>
  requires(has_lookup<Isa>) [[gnu::always_inline]] void insert_one(const Digest& key) const noexcept {
    if constexpr (has_kernel<Isa>) {
      Block::template Kernel<Isa>::insert(words_ + key.g, hashes_, key.h);
    } else {
      insert_by_words<Isa>(key);
    }
  }

  template <class Isa>
  requires(has_lookup<Isa>) [[gnu::always_inline]] bool test_one(const Digest& key) const noexcept {
    return Lookup<Isa>::test(words_ + key.g, hashes_, key.h);
  }

  [[gnu::noinline]] std::uint64_t test(const Tile<Digest>& tile) const noexcept {
    if (hashes_ == 0) return ~std::uint64_t{0};
    return for_this_processor([&]<class Isa>() -> std::uint64_t {
      if constexpr (has_lookup<Isa>) {
        return BlockTiles<Isa, Lookup<Isa>>::test(words_, hashes_, tile);
      } else {
        return answer_each(
            tile, [this](const Digest& key) { return Block::contains(storage_, to_size(key.g), hashes_, key.h); });
      }
    });
  }

  [[gnu::noinline]] void insert(std::span<const Digest> tile) const noexcept {
    if (hashes_ == 0) return;
    for_this_processor([&]<class Isa>() {
      using Kernel = typename Block::template Kernel<Isa>;
      if constexpr (has_kernel<Isa>) {
        BlockTiles<Isa, Kernel>::insert(words_, hashes_, tile);
      } else {
        for (const Digest& key : tile) insert_by_words<isa::Scalar>(key);
      }
    });
  }

 private:
  using Pointer = decltype(std::declval<Words&>().words().data());

  template <class Isa>
  [[gnu::always_inline]] void insert_by_words(const Digest& key) const noexcept {
    const std::size_t first = to_size(key.g);
    if (surely_has<typename Block::template Kernel<Isa>, Isa, Block::words>(storage_, first, hashes_, key.h)) return;
    Block::insert(storage_, first, hashes_, key.h);
  }

  Digest position(Digest digest) const noexcept { return {fast_range(digest.g, blocks_) * Block::words, digest.h}; }

  Words& storage_;
  Pointer words_;
  std::uint64_t blocks_;
  unsigned hashes_;
  bool prefetch_;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
