// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Bloom filters inside somebody else's format: their bits and nothing else, as bytes, at any address. A database that
/// keeps a filter for every twenty keys has no room for the header of 64 bytes that to_bytes() writes, and knows m, k
/// and hash policy itself.
///
///     append_bits(filter, bytes);                                                  behind whatever is there
///     bits_may_contain<Layout>(part_of_bytes, k, digest);                          no copy, any alignment
///     embedded_parameters<Layout>(part_of_bytes.size(), k);                        m from the length
///
/// Bit i of a filter is bit i % 8 of byte i / 8, on every platform. m is a multiple of 8, so that it follows from the
/// length. What to_bytes() checks is not checked here: bits of another filter, or damaged ones, give other answers.
///
/// Threads: these functions only read, except for the bytes that append_bits() appends to.
#ifndef PERHAPS_EMBEDDED_HPP
#define PERHAPS_EMBEDDED_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Words read from bytes at any address, lowest byte first; beyond the last byte there are zeros.
class EmbeddedWords {
 public:
  explicit EmbeddedWords(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::uint64_t load(std::size_t i) const noexcept {
    const std::size_t first = i * sizeof(std::uint64_t);
    if (bytes_.size() - first >= sizeof(std::uint64_t)) return word_at(first);
    // A word that begins within the bytes and ends after them: from the last eight, or what there is.
    if (bytes_.size() >= sizeof(std::uint64_t)) {
      const std::size_t last = bytes_.size() - sizeof(std::uint64_t);
      return word_at(last) >> (8 * (first - last));
    }
    std::uint64_t word = 0;
    for (std::size_t k = bytes_.size(); k-- > 0;) word = word << 8U | std::to_integer<unsigned>(bytes_[k]);
    return word;
  }

  // The eight bytes from `first` on, which are there.
  std::uint64_t word_at(std::size_t first) const noexcept {
    return load_little_endian<std::uint64_t>(reinterpret_cast<const unsigned char*>(bytes_.data() + first));
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace detail

/// The parameters of a filter whose bits fill so many bytes, with k = `hashes`: m = 8 `bytes`. Nothing if the layout
/// has no such filter: for 0 bytes, for a part of a block, or for hashes that it does not take. O(1).
template <BitLayout Layout>
[[nodiscard]] constexpr std::optional<BloomParameters> embedded_parameters(std::size_t bytes,
                                                                           unsigned hashes) noexcept {
  if (std::uint64_t{bytes} > ~std::uint64_t{0} / 8) return std::nullopt;
  const std::uint64_t bits = std::uint64_t{bytes} * 8;
  if (bits == 0 || bits % Layout::block_bits != 0 || !Layout::takes_hashes(hashes)) return std::nullopt;
  return BloomParameters{.bits = bits, .hashes = hashes, .expected_fpr = 0, .bytes = Layout::words_for(bits) * 8};
}

/// Appends the m/8 bytes of the bits of `filter` to `bytes`, a std::string, std::vector of bytes or the like. O(m).
/// Throws std::invalid_argument if m is not a multiple of 8, and what push_back throws; `bytes` may be longer then.
template <class Key, class Hash, class Layout, class Words, class Bytes>
void append_bits(const BloomFilter<Key, Hash, Layout, Words>& filter, Bytes& bytes) requires detail::exceptions_enabled
{
  if (filter.bits() % 8 != 0) {
    detail::fail<std::invalid_argument>("bits must be a multiple of 8 to be embedded, got " +
                                        detail::show(filter.bits()));
  }
  std::uint64_t left = filter.bits() / 8;
  for (std::uint64_t word : filter.words()) {
    for (unsigned i = 0; i < 8 && left != 0; ++i, --left, word >>= 8U) {
      bytes.push_back(static_cast<typename Bytes::value_type>(word & 0xFFU));
    }
  }
}

/// may_contain() of the filter whose bits are `bits`, with k = `hashes`, for a digest by its hash policy. True also
/// where embedded_parameters() says that there is no such filter, for then nothing is known to be absent. O(k).
template <BitLayout Layout>
[[nodiscard]] bool bits_may_contain(std::span<const std::byte> bits, unsigned hashes, Digest digest) noexcept {
  const auto parameters = embedded_parameters<Layout>(bits.size(), hashes);
  if (!parameters) return true;
  return Layout::template may_contain<isa::Scalar>(detail::EmbeddedWords(bits), parameters->bits, hashes, digest);
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
