// SPDX-License-Identifier: BSL-1.0
//
// Batches on the classic layout. Nothing is asked for ahead of lookups: the k probes of one key, and of the next, keep
// as many cache lines under way as a processor can have.
#ifndef PERHAPS_KERNEL_CLASSIC_TILES_HPP
#define PERHAPS_KERNEL_CLASSIC_TILES_HPP

#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/classic_kernel.hpp>
#include <perhaps/kernel/shared_kernel.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/layout/position_sequence.hpp>
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

// The positions of a key among `size` positions.
template <class Probes>
struct ClassicPositions {
  ClassicPositions(std::uint64_t positions, Digest digest) noexcept : size(positions), probes(digest) {}
  [[gnu::always_inline]] std::uint64_t next() noexcept { return fast_range(probes.next(), size); }

  std::uint64_t size;
  Probes probes;
};

// Bit i of the answer: whether all bits of tile[i] are set.
template <class Isa, class Probes>
struct ClassicTiles {
  static constexpr bool exist = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <class Probes>
requires(ClassicKernel<isa::Avx512, Probes>::exists) struct ClassicTiles<isa::Avx512, Probes> {
  static constexpr bool exist = true;

  [[PERHAPS_AVX512]] static std::uint64_t test(const std::uint64_t* words, std::uint64_t bits, unsigned hashes,
                                               const Tile<Digest>& tile) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      answers |= std::uint64_t{ClassicKernel<isa::Avx512, Probes>::test(words, bits, hashes, tile[i])} << i;
    }
    return answers;
  }
};

#endif

template <class Probes, class Words>
class ClassicBatch {
 public:
  ClassicBatch(Words& storage, std::uint64_t bits, unsigned hashes) noexcept
      : storage_(storage),
        words_(storage.words().data()),
        bits_(bits),
        hashes_(hashes),
        prefetch_(storage.size() * sizeof(std::uint64_t) > l2_bytes) {}

  Digest prepare_lookup(Digest digest) const noexcept { return digest; }

  Digest prepare_insert(Digest digest) const noexcept {
    if (prefetch_) {
      Positions positions(bits_, digest);
      for (unsigned probe = 0; probe < hashes_; ++probe) prefetch_for_insert<Words>(words_ + positions.next() / 64);
    }
    return digest;
  }

  void prefetch(Digest digest) const noexcept {
    if (!prefetch_) return;
    Positions positions(bits_, digest);
    for (unsigned probe = 0; probe < hashes_; ++probe) prefetch_for_reading(words_ + positions.next() / 64);
  }

  [[gnu::noinline]] std::uint64_t test(const Tile<Digest>& tile) const noexcept {
    return for_this_processor([&]<class Isa>() -> std::uint64_t {
      if constexpr (ClassicTiles<Isa, Probes>::exist && (ContiguousStorage<Words> || ConcurrentStorage<Words>)) {
        before_gather<Words>();
        if (ClassicKernel<Isa, Probes>::takes(bits_)) {
          return ClassicTiles<Isa, Probes>::test(words_, bits_, hashes_, tile);
        }
      }
      return answer_each(tile,
                         [this](Digest digest) { return test_bits(storage_, hashes_, Positions(bits_, digest)); });
    });
  }

  [[gnu::noinline]] void insert(std::span<const Digest> tile) const noexcept {
    for (const Digest& digest : tile) set_bits(storage_, hashes_, Positions(bits_, digest));
  }

 private:
  using Positions = ClassicPositions<Probes>;
  using Pointer = decltype(std::declval<Words&>().words().data());

  Words& storage_;
  Pointer words_;
  std::uint64_t bits_;
  unsigned hashes_;
  bool prefetch_;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
