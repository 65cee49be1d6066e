// SPDX-License-Identifier: BSL-1.0
//
// The bits of a digest in each layout, spelled out a second time from the documentation, one by one and without
// vectors: what filters, kernels and batches are compared with.
#ifndef PERHAPS_TESTS_SUPPORT_LAYOUTS_HPP
#define PERHAPS_TESTS_SUPPORT_LAYOUTS_HPP

#include <perhaps/digest.hpp>
#include <perhaps/layout/blocked.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/split_block.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace support {

using Positions = std::vector<std::uint64_t>;

// Where the k bits of a digest are in a filter of m bits. A position may come twice.
template <class Layout>
struct Definition;

template <class Probes>
struct Definition<perhaps::Classic<Probes>> {
  static Positions positions(perhaps::Digest digest, std::uint64_t m, unsigned k) {
    Probes probes(digest);
    Positions positions;
    for (unsigned i = 0; i < k; ++i) positions.push_back(perhaps::fast_range(probes.next(), m));
    return positions;
  }
};

template <unsigned BlockBits, class Probes>
struct Definition<perhaps::Blocked<BlockBits, Probes>> {
  static Positions positions(perhaps::Digest digest, std::uint64_t m, unsigned k) {
    const std::uint64_t block = perhaps::fast_range(digest.g, m / BlockBits);
    Probes probes(perhaps::Digest{digest.h, digest.h * 0xD6E8FEB86659FD93U});
    Positions positions;
    for (unsigned i = 0; i < k; ++i) {
      positions.push_back(block * BlockBits + perhaps::fast_range(probes.next(), BlockBits));
    }
    return positions;
  }
};

template <>
struct Definition<perhaps::SplitBlock<64, 8>> {
  static Positions positions(perhaps::Digest digest, std::uint64_t m, unsigned k) {
    const std::uint64_t block = perhaps::fast_range(digest.g, m / 512);
    const auto position = [&](std::uint64_t hash, unsigned lane) {
      return block * 512 + lane * 64 + (hash << (6 * lane) >> 58U);
    };
    const unsigned turn = (digest.h >> 13U) & 7U;
    Positions positions;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if (k >= 8 || (lane + turn) % 8 < k) positions.push_back(position(digest.h, lane));
      if (k == 16) positions.push_back(position(digest.h * 0xD6E8FEB86659FD93U, lane));
    }
    return positions;
  }
};

template <>
struct Definition<perhaps::SplitBlock<32, 8>> {
  static Positions positions(perhaps::Digest digest, std::uint64_t m, unsigned) {
    const std::array<std::uint64_t, 8> salts{0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                             0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
    const std::uint64_t block = perhaps::fast_range(digest.g, m / 256);
    Positions positions;
    for (unsigned lane = 0; lane < 8; ++lane) {
      const std::uint64_t product = (digest.h >> 32U) * salts[lane] % (std::uint64_t{1} << 32U);
      positions.push_back(block * 256 + lane * 32 + (product >> 27U));
    }
    return positions;
  }
};

template <>
struct Definition<perhaps::SplitBlock<16, 8>> {
  static Positions positions(perhaps::Digest digest, std::uint64_t m, unsigned k) {
    const std::uint64_t block = perhaps::fast_range(digest.g, m / 128);
    const unsigned turn = (digest.h >> 13U) & 7U;
    Positions positions;
    for (unsigned lane = 0; lane < 8; ++lane) {
      if ((lane + turn) % 8 < k) positions.push_back(block * 128 + lane * 16 + (digest.h << (4 * lane) >> 60U));
    }
    return positions;
  }
};

// The words of a filter of m bits that holds these digests.
template <class Layout>
std::vector<std::uint64_t> words_of(const std::vector<perhaps::Digest>& digests, std::uint64_t m, unsigned k) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>((m + 63) / 64));
  for (const perhaps::Digest digest : digests) {
    for (const std::uint64_t position : Definition<Layout>::positions(digest, m, k)) {
      words[static_cast<std::size_t>(position / 64)] |= std::uint64_t{1} << (position % 64);
    }
  }
  return words;
}

// Whether a filter with these words finds the digest.
template <class Layout>
bool found_in(const std::vector<std::uint64_t>& words, perhaps::Digest digest, std::uint64_t m, unsigned k) {
  for (const std::uint64_t position : Definition<Layout>::positions(digest, m, k)) {
    if ((words[static_cast<std::size_t>(position / 64)] >> (position % 64) & 1U) == 0) return false;
  }
  return true;
}

// `bits` rounded up to whole blocks.
template <class Layout>
constexpr std::uint64_t whole_blocks(std::uint64_t bits) {
  return (bits + Layout::block_bits - 1) / Layout::block_bits * Layout::block_bits;
}

// Small sizes for tests that go through all of them: 1 to `most`, or one to three blocks.
template <class Layout>
Positions small_sizes(std::uint64_t most) {
  Positions sizes;
  if constexpr (Layout::block_bits == 1) {
    for (std::uint64_t m = 1; m <= most; ++m) sizes.push_back(m);
  } else {
    for (std::uint64_t blocks = 1; blocks <= 3; ++blocks) sizes.push_back(blocks * Layout::block_bits);
  }
  return sizes;
}

}  // namespace support

#endif
