// SPDX-License-Identifier: BSL-1.0
//
// Batches on blocks with probes anywhere in them. A key is prepared to the first place of its block, in g, and the hash
// of its probes, in h; where memory is far, the block is asked for right then.
#ifndef PERHAPS_KERNEL_BLOCKED_TILES_HPP
#define PERHAPS_KERNEL_BLOCKED_TILES_HPP

#include <perhaps/detail/place_sequence.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/blocked_kernel.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

// The places of a key in the block that begins at place `first`.
template <unsigned BlockBits, class Probes>
struct BlockedPlaces {
  static constexpr unsigned shift = 64 - static_cast<unsigned>(std::bit_width(BlockBits - 1));

  BlockedPlaces(std::uint64_t first_place, Digest digest) noexcept : first(first_place), probes(within_block(digest)) {}
  [[gnu::always_inline]] std::uint64_t next() noexcept { return first + (probes.next() >> shift); }

  std::uint64_t first;
  Probes probes;
};

// Bit i of the answer: whether all bits of tile[i] are set.
template <class Isa, unsigned BlockBits, class Probes>
struct BlockedTiles {
  static constexpr bool exist = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <class Probes>
  requires(BlockedKernel<isa::Avx512, 512, Probes>::exists)
struct BlockedTiles<isa::Avx512, 512, Probes> {
  static constexpr bool exist = true;
  using Kernel = BlockedKernel<isa::Avx512, 512, Probes>;

  [[PERHAPS_AVX512]] static std::uint64_t test(const std::uint64_t* words, unsigned hashes,
                                               const Tile<Digest>& tile) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      answers |= std::uint64_t{Kernel::test(words + tile[i].g / 64, hashes, within_block(tile[i]))} << i;
    }
    return answers;
  }

  [[PERHAPS_AVX512]] static void insert(std::uint64_t* words, unsigned hashes, std::span<const Digest> tile) noexcept {
    for (const Digest& key : tile) Kernel::insert(words + key.g / 64, hashes, within_block(key));
  }
};

#endif

template <unsigned BlockBits, class Probes, class Words>
class BlockedBatch {
 public:
  static constexpr std::size_t tile_size = small_tile;

  BlockedBatch(Words& storage, std::uint64_t bits, unsigned hashes) noexcept
      : storage_(storage),
        words_(storage.words().data()),
        blocks_(bits / BlockBits),
        hashes_(hashes),
        far_(storage.size() * sizeof(std::uint64_t) > near_bytes) {}

  Digest prepare_lookup(Digest digest) const noexcept {
    const Digest key{fast_range(digest.g, blocks_) * BlockBits, digest.h};
    if (far_) prefetch_for_reading(words_ + key.g / 64);
    return key;
  }

  Digest prepare_insert(Digest digest) const noexcept {
    const Digest key{fast_range(digest.g, blocks_) * BlockBits, digest.h};
    if (far_) prefetch_for_writing(words_ + key.g / 64);
    return key;
  }

  [[gnu::noinline]] std::uint64_t test(const Tile<Digest>& tile) const noexcept {
    if (hashes_ == 0) return ~std::uint64_t{0};
    return for_this_processor([&]<class Isa>() -> std::uint64_t {
      if constexpr (BlockedTiles<Isa, BlockBits, Probes>::exist && PlainStorage<Words>) {
        return BlockedTiles<Isa, BlockBits, Probes>::test(words_, hashes_, tile);
      } else {
        return answer_each(tile, [this](Digest key) { return test_bits(storage_, hashes_, Places(key.g, key)); });
      }
    });
  }

  [[gnu::noinline]] void insert(std::span<const Digest> tile) const noexcept {
    if (hashes_ == 0) return;
    for_this_processor([&]<class Isa>() {
      if constexpr (BlockedTiles<Isa, BlockBits, Probes>::exist && PlainStorage<Words>) {
        BlockedTiles<Isa, BlockBits, Probes>::insert(words_, hashes_, tile);
      } else {
        for (const Digest& key : tile) set_bits(storage_, hashes_, Places(key.g, key));
      }
    });
  }

 private:
  using Places = BlockedPlaces<BlockBits, Probes>;
  using Pointer = decltype(std::declval<Words&>().words().data());

  Words& storage_;
  Pointer words_;
  std::uint64_t blocks_;
  unsigned hashes_;
  bool far_;
};

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
