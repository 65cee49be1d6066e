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

// The places of a key among `size` places.
template <class Probes>
struct ScatteredPlaces {
  ScatteredPlaces(std::uint64_t places, Digest digest) noexcept : size(places), probes(digest) {}
  [[gnu::always_inline]] std::uint64_t next() noexcept { return fast_range(probes.next(), size); }

  std::uint64_t size;
  Probes probes;
};

// Bit i of the answer: whether all bits of tile[i] are set.
template <class Isa, class Probes>
struct ScatteredTiles {
  static constexpr bool exist = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <class Probes>
requires(ScatteredKernel<isa::Avx512, Probes>::exists) struct ScatteredTiles<isa::Avx512, Probes> {
  static constexpr bool exist = true;

  [[PERHAPS_AVX512]] static std::uint64_t test(const std::uint64_t* words, std::uint64_t bits, unsigned hashes,
                                               const Tile<Digest>& tile) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = 0; i < tile.size(); ++i) {
      answers |= std::uint64_t{ScatteredKernel<isa::Avx512, Probes>::test(words, bits, hashes, tile[i])} << i;
    }
    return answers;
  }
};

#endif

template <class Probes, class Words>
class ScatteredBatch {
 public:
  ScatteredBatch(Words& storage, std::uint64_t bits, unsigned hashes) noexcept
      : storage_(storage),
        words_(storage.words().data()),
        bits_(bits),
        hashes_(hashes),
        far_(storage.size() * sizeof(std::uint64_t) > near_bytes) {}

  Digest prepare_lookup(Digest digest) const noexcept { return digest; }

  Digest prepare_insert(Digest digest) const noexcept {
    if (far_) {
      Places places(bits_, digest);
      for (unsigned probe = 0; probe < hashes_; ++probe) prefetch_for_insert<Words>(words_ + places.next() / 64);
    }
    return digest;
  }

  [[gnu::noinline]] std::uint64_t test(const Tile<Digest>& tile) const noexcept {
    return for_this_processor([&]<class Isa>() -> std::uint64_t {
      if constexpr (ScatteredTiles<Isa, Probes>::exist && (PlainStorage<Words> || ConcurrentStorage<Words>)) {
        before_gather<Words>();
        if (ScatteredKernel<Isa, Probes>::takes(bits_)) {
          return ScatteredTiles<Isa, Probes>::test(words_, bits_, hashes_, tile);
        }
      }
      return answer_each(tile, [this](Digest digest) { return test_bits(storage_, hashes_, Places(bits_, digest)); });
    });
  }

  [[gnu::noinline]] void insert(std::span<const Digest> tile) const noexcept {
    for (const Digest& digest : tile) set_bits(storage_, hashes_, Places(bits_, digest));
  }

 private:
  using Places = ScatteredPlaces<Probes>;
  using Pointer = decltype(std::declval<Words&>().words().data());

  Words& storage_;
  Pointer words_;
  std::uint64_t bits_;
  unsigned hashes_;
  bool far_;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
