// SPDX-License-Identifier: BSL-1.0
//
// Batches on the classic layout. Lookups go one of two ways:
//
//     in one step     all k probes of each key. Nothing is asked for ahead, since the k probes of one key, and of the
//                     next, keep as many cache lines under way as a processor can have.
//     in two steps    the first two probes of each key, whose lines were asked for ahead; then all k of those that
//                     passed. Of the absent keys three quarters are denied there, after two lines instead of k.
//
// Each tile goes the way that was right for the one before: two steps if many of its keys were absent and the filter
// lies beyond the second-level cache. There, at 12 MB, two steps take 0.7 times as long as one for absent keys, and 1.1
// times as long for keys that are found.
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

#include <bit>
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

// Bit i of the answer of test(): whether all bits of tile[i] are set. test_some() looks only at the keys of
// `candidates`, and denies all others.
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

  [[PERHAPS_AVX512]] static std::uint64_t test_some(std::uint64_t candidates, const std::uint64_t* words,
                                                    std::uint64_t bits, unsigned hashes,
                                                    const Tile<Digest>& tile) noexcept {
    std::uint64_t answers = 0;
    for (; candidates != 0; candidates &= candidates - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(candidates));
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
        is_far_(storage.size() * sizeof(std::uint64_t) > l2_bytes) {}

  Digest prepare_lookup(Digest digest) const noexcept {
    if (in_two_steps_) prefetch_probes(first_step, digest);
    return digest;
  }

  Digest prepare_insert(Digest digest) const noexcept {
    if (is_far_) {
      Positions positions(bits_, digest);
      for (unsigned probe = 0; probe < hashes_; ++probe) prefetch_for_insert<Words>(words_ + positions.next() / 64);
    }
    return digest;
  }

  void prefetch(Digest digest) const noexcept {
    if (is_far_) prefetch_probes(hashes_, digest);
  }

  [[gnu::noinline]] std::uint64_t test(const Tile<Digest>& tile) const noexcept {
    const std::uint64_t answers = for_this_processor([&]<class Isa>() -> std::uint64_t {
      if constexpr (ClassicTiles<Isa, Probes>::exist && (ContiguousStorage<Words> || ConcurrentStorage<Words>)) {
        using Tiles = ClassicTiles<Isa, Probes>;
        before_gather<Words>();
        if (ClassicKernel<Isa, Probes>::takes(bits_)) {
          if (!in_two_steps_) return Tiles::test(words_, bits_, hashes_, tile);
          return Tiles::test_some(Tiles::test(words_, bits_, first_step, tile), words_, bits_, hashes_, tile);
        }
      }
      const auto test_probes = [this](unsigned hashes, Digest digest) {
        return test_bits(storage_, hashes, Positions(bits_, digest));
      };
      if (!in_two_steps_) return answer_each(tile, [&](Digest digest) { return test_probes(hashes_, digest); });
      return answer_each(
          tile, [&](Digest digest) { return test_probes(first_step, digest) && test_probes(hashes_, digest); });
    });
    in_two_steps_ = is_far_ && hashes_ > first_step && std::popcount(answers) <= most_found;
    return answers;
  }

  [[gnu::noinline]] void insert(std::span<const Digest> tile) const noexcept {
    for (const Digest& digest : tile) set_bits(storage_, hashes_, Positions(bits_, digest));
  }

 private:
  // How many probes the first step has: with one, absent keys took longer, with three no less (k = 7).
  static constexpr unsigned first_step = 2;
  // Up to how many keys of a tile may be found for the next tile to go in two steps. Half of them being absent, two
  // steps took no more time than one; all being found, a tenth more.
  static constexpr int most_found = int{tile_size} * 3 / 4;

  using Positions = ClassicPositions<Probes>;
  using Pointer = decltype(std::declval<Words&>().words().data());

  void prefetch_probes(unsigned count, Digest digest) const noexcept {
    Positions positions(bits_, digest);
    for (unsigned probe = 0; probe < count; ++probe) prefetch_for_reading(words_ + positions.next() / 64);
  }

  Words& storage_;
  Pointer words_;
  std::uint64_t bits_;
  unsigned hashes_;
  bool is_far_;  // beyond the second-level cache
  mutable bool in_two_steps_ = false;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
