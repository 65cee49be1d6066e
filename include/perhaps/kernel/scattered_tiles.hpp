// SPDX-License-Identifier: BSL-1.0
//
// Tiles of keys on the classic layout. A filter near the processor is asked key by key. A large one is asked in rounds:
// the first two probes of all keys, which settle three quarters of the misses, then the others of those that are left.
#ifndef PERHAPS_KERNEL_SCATTERED_TILES_HPP
#define PERHAPS_KERNEL_SCATTERED_TILES_HPP

#include <perhaps/detail/place_sequence.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/scattered_kernel.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

// The tests of `chosen` keys of a tile, key by key. Bit i of the answer: whether all bits of digests[chosen[i]] are
// set.
template <class Isa, class Probes>
struct ScatteredTiles {
  static constexpr bool exist = false;
};

#if PERHAPS_HAS_X86_KERNELS

template <class Probes>
  requires(ScatteredKernel<isa::Avx512, Probes>::exists)
struct ScatteredTiles<isa::Avx512, Probes> {
  static constexpr bool exist = true;

  [[PERHAPS_AVX512]] static std::uint64_t test(const std::uint64_t* words, std::uint64_t bits, unsigned hashes,
                                               std::span<const Digest> digests) noexcept {
    std::uint64_t answers = 0;
    for (std::size_t i = digests.size(); i-- > 0;) {
      answers = 2 * answers + ScatteredKernel<isa::Avx512, Probes>::test(words, bits, hashes, digests[i]);
    }
    return answers;
  }
};

#endif

// Tests key by key, with the best instruction set of this processor that has a kernel for it.
template <class Places, class Probes, class Words>
std::uint64_t test_scattered_tile(const Words& storage, std::uint64_t bits, unsigned hashes,
                                  std::span<const Digest> digests) {
  return for_this_processor([&]<class Isa>() -> std::uint64_t {
    if constexpr (ScatteredTiles<Isa, Probes>::exist && PlainStorage<Words>) {
      if (ScatteredKernel<Isa, Probes>::takes(bits)) {
        return ScatteredTiles<Isa, Probes>::test(storage.words().data(), bits, hashes, digests);
      }
    }
    std::uint64_t answers = 0;
    for (std::size_t i = digests.size(); i-- > 0;) {
      answers = 2 * answers + test_bits(storage, hashes, Places(bits, digests[i]));
    }
    return answers;
  });
}

// The same for a filter far from the processor.
template <class Places, class Probes, class Words>
std::uint64_t test_scattered_tile_far(const Words& storage, std::uint64_t bits, unsigned hashes,
                                      std::span<const Digest> digests) {
  const std::uint64_t* words = storage.words().data();
  std::array<std::uint64_t, 2 * tile_size> asked;
  for (std::size_t i = 0; i < digests.size(); ++i) {
    Places places(bits, digests[i]);
    asked[2 * i] = places.next();
    asked[2 * i + 1] = places.next();
    prefetch_for_reading(words + asked[2 * i] / 64);
    prefetch_for_reading(words + asked[2 * i + 1] / 64);
  }
  std::array<Digest, tile_size> left;
  std::array<unsigned char, tile_size> origin;
  std::size_t count = 0;
  for (std::size_t i = 0; i < digests.size(); ++i) {
    const BitPlace first(asked[2 * i]);
    const BitPlace second(asked[2 * i + 1]);
    left[count] = digests[i];
    origin[count] = static_cast<unsigned char>(i);
    count += (storage.load(first.word) >> first.shift) & (storage.load(second.word) >> second.shift) & 1U;
  }
  for (std::size_t i = 0; i < count; ++i) {
    Places places(bits, left[i]);
    places.next();
    places.next();
    for (unsigned probe = 2; probe < hashes; ++probe) prefetch_for_reading(words + places.next() / 64);
  }
  const auto found =
      test_scattered_tile<Places, Probes>(storage, bits, hashes, std::span<const Digest>(left).first(count));
  std::uint64_t answers = 0;
  for (std::size_t i = 0; i < count; ++i) answers |= (found >> i & 1U) << origin[i];
  return answers;
}

// Asks for the words of all probes of all keys, ahead of writing to them.
template <class Places>
void prefetch_scattered_tile(const std::uint64_t* words, std::uint64_t bits, unsigned hashes,
                             std::span<const Digest> digests) noexcept {
  for (const Digest digest : digests) {
    Places places(bits, digest);
    for (unsigned probe = 0; probe < hashes; ++probe) prefetch_for_writing(words + places.next() / 64);
  }
}

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
