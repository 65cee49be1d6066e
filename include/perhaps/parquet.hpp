// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Apache Parquet's split-block Bloom filters, byte for byte: ParquetHash hashes values as Parquet does,
/// ParquetBlock places their bits, and the functions here write and read what a Parquet file holds.
///
///     ParquetFilter<std::string> filter({.keys = 1000, .fpr = 0.01});       // a BloomFilter of 2048 bytes
///     const auto column_filter = to_parquet(filter);                        // header and bits, at bloom_filter_offset
///     auto theirs = from_parquet<ParquetFilter<std::string>>(bytes_there);
///
///     Parquet type     BYTE_ARRAY      INT32, INT64                  FLOAT, DOUBLE
///     Key              std::string     std::int32_t, std::int64_t    float, double      (unsigned likewise)
///     hashed           its bytes       4 or 8 bytes, little-endian   4 or 8 bytes
///
/// The width of an integer matters here, unlike elsewhere in this library: use the column's. Reals are hashed by their
/// bits, as files have them. So -0.0 and 0.0, which are equal, have two digests: insert puts in the one that it is
/// given, and lookups by value ask for both. Who asks by a Digest asks for one of them.
///
/// Sizes: the format allows any number of blocks up to 2^31 - 32 bytes, and so does `ParquetFilter({.bits = m, .hashes
/// = 8})`. But Apache Arrow's C++ library, and what is built on it, reads powers of two from 32 bytes to 128 MiB only.
/// So a filter that is sized by `{.keys = n, .fpr = p}` has the least such size that meets p.
///
/// Apache Parquet, "Parquet Bloom Filter" (BloomFilter.md of parquet-format); XXH64 by Yann Collet.
#ifndef PERHAPS_PARQUET_HPP
#define PERHAPS_PARQUET_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/layout/split_block.hpp>
#include <perhaps/serialization.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/byte_range.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/stored/storable.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// The layout of Parquet's filters: SplitBlock<32, 8>, in sizes that every reader takes. Sizing rounds m up to a power
/// of two of bytes, from 32 to 128 MiB; parameters given by hand may be any whole number of blocks.
struct ParquetBlock : SplitBlock<32, 8> {
  static constexpr std::string_view name = "ParquetBlock";  ///< Its name, in messages

  /// The greatest size that sizing gives, in words.
  static constexpr std::string_view size_limit = "128 MiB, the most that readers of Parquet filters take";

  /// The least size that is at least `bits`, in bits; 0 if that is too large. O(1).
  static constexpr std::uint64_t size_from(std::uint64_t bits) noexcept {
    return bits > most_bits ? 0 : std::bit_ceil(bits);
  }

  /// The greatest size that is at most `bits`, in bits; 0 if that is less than a block. O(1).
  static constexpr std::uint64_t size_up_to(std::uint64_t bits) noexcept {
    if (bits < block_bits) return 0;
    return bits > most_bits ? most_bits : std::bit_floor(bits);
  }

 private:
  static constexpr std::uint64_t most_bits = std::uint64_t{128} << 23U;
};

/// XXH64 with seed 0 of a value's plain encoding. Its upper half picks the block, its lower half makes the pattern.
struct ParquetHash {
  using required_layout = ParquetBlock;               ///< Others do not compile
  static constexpr unsigned digest_bits = 64;         ///< XXH64 has no more
  static constexpr detail::BuiltinId stored_id{2};    ///< Its id in stored filters
  static constexpr bool hashes_bits_of_reals = true;  ///< -0.0 and 0.0 are two keys

  /// BYTE_ARRAY: the bytes alone, without a length. O(length).
  Digest operator()(std::string_view bytes) const noexcept { return split(XXH64(bytes.data(), bytes.size(), 0)); }

  Digest operator()(std::int32_t value) const noexcept { return plain(static_cast<std::uint32_t>(value)); }  ///< INT32
  Digest operator()(std::uint32_t value) const noexcept { return plain(value); }                             ///< INT32
  Digest operator()(std::int64_t value) const noexcept { return plain(static_cast<std::uint64_t>(value)); }  ///< INT64
  Digest operator()(std::uint64_t value) const noexcept { return plain(value); }                             ///< INT64
  Digest operator()(float value) const noexcept { return plain(std::bit_cast<std::uint32_t>(value)); }       ///< FLOAT
  Digest operator()(double value) const noexcept { return plain(std::bit_cast<std::uint64_t>(value)); }      ///< DOUBLE

  /// The digest of a value whose XXH64 is known.
  static constexpr Digest split(std::uint64_t hash) noexcept { return {hash & 0xFFFFFFFF00000000U, hash << 32U}; }

 private:
  template <std::unsigned_integral T>
  static Digest plain(T value) noexcept {
    std::array<unsigned char, sizeof(T)> bytes{};
    detail::store_little_endian(bytes.data(), value);
    return split(XXH64(bytes.data(), bytes.size(), 0));
  }
};

/// A Bloom filter whose bits are those of a Parquet file's; parquet.hpp says which keys there are.
template <class Key>
using ParquetFilter = BloomFilter<Key, ParquetHash, ParquetBlock>;

namespace detail {

template <class F>
concept IsParquetFilter =
    std::same_as<typename F::hasher, ParquetHash> && std::same_as<typename F::layout, ParquetBlock>;

// Says in a sentence which Key there is no Parquet type for: one whose width or encoding differs from any column's.
template <class F>
consteval bool explain_parquet() {
  static_assert(IsParquetFilter<F>,
                "perhaps: Parquet has ParquetFilter<Key> only, that is ParquetBlock filled by way of ParquetHash.");
  using Key = typename F::key_type;
  static_assert(
      Takes<ParquetHash, Key> || kind_of_key<Key>() == KeyKind::bytes,
      "perhaps: Parquet has no such values: use std::int32_t, std::int64_t, float, double, or text or bytes.");
  return true;
}

// The end of a BloomFilterHeader in Thrift's compact protocol, after field 1, the length: three unions, each set to its
// first member, an empty struct (split block; XXH64; uncompressed), and a stop.
inline constexpr std::array<unsigned char, 13> parquet_unions{0x1C, 0x1C, 0, 0, 0x1C, 0x1C, 0, 0, 0x1C, 0x1C, 0, 0, 0};

inline constexpr std::uint64_t most_parquet_bytes = (std::uint64_t{1} << 31U) - 32;

}  // namespace detail

/// The bits alone, as Parquet has them behind its header: 32 bytes a block. O(m). Throws std::bad_alloc.
template <class F>
[[nodiscard]] std::vector<std::byte> to_parquet_bits(const F& filter) {
  static_assert(detail::explain_parquet<F>());
  std::vector<std::byte> bytes;
  bytes.reserve(filter.bytes());
  detail::for_each_piece(filter, [&](std::span<const std::byte> piece) { detail::append(bytes, piece); });
  return bytes;
}

/// What belongs at a column chunk's bloom_filter_offset: the Thrift header (16 bytes from 64 to 8191 bytes of bits) and
/// the bits. O(m). Throws std::length_error for more bits than Parquet's lengths can say, std::bad_alloc.
template <class F>
[[nodiscard]] std::vector<std::byte> to_parquet(const F& filter) requires detail::exceptions_enabled {
  static_assert(detail::explain_parquet<F>());
  if (filter.bytes() > detail::most_parquet_bytes) {
    detail::fail<std::length_error>("bytes = " + detail::show(std::uint64_t{filter.bytes()}) +
                                    " are too many for Parquet, which has up to 2^31 - 32");
  }
  std::vector<std::byte> bytes{std::byte{0x15}};
  std::uint64_t zigzag = filter.bytes() * std::uint64_t{2};
  for (; zigzag > 127; zigzag >>= 7U) bytes.push_back(static_cast<std::byte>(zigzag | 128U));
  bytes.push_back(static_cast<std::byte>(zigzag));
  for (const unsigned char byte : detail::parquet_unions) bytes.push_back(std::byte{byte});
  bytes.reserve(bytes.size() + filter.bytes());
  detail::for_each_piece(filter, [&](std::span<const std::byte> piece) { detail::append(bytes, piece); });
  return bytes;
}

/// The filter whose bits `bits` are: a whole number of blocks of 32 bytes, at any address. O(m).
/// FormatReason::parquet for anything else, FormatReason::memory.
template <class F>
[[nodiscard]] LoadResult<F> try_from_parquet_bits(std::span<const std::byte> bits) noexcept {
  static_assert(detail::explain_parquet<F>());
  if (bits.empty() || bits.size() % 32 != 0 || bits.size() > detail::most_parquet_bytes) {
    return FormatFailure{FormatReason::parquet};
  }
  auto words = OwnedWords::make(bits.size() / 8);
  if (!words) return FormatFailure{FormatReason::memory, bits.size(), 0};
  std::memcpy(words->words().data(), bits.data(), bits.size());
  detail::to_native<F>(words->words());
  return *F::make({.bits = bits.size() * std::uint64_t{8}, .hashes = 8}, *std::move(words));
}

/// The filter that begins with its header at the beginning of `bytes`, which may go on after it, as a file does.
/// FormatReason::parquet for other headers (other algorithms, hashes or compressions), FormatReason::truncated. Parquet
/// has no checksum: whether the bits are the right ones can't be told.
template <class F>
[[nodiscard]] LoadResult<F> try_from_parquet(std::span<const std::byte> bytes) noexcept {
  static_assert(detail::explain_parquet<F>());
  const FormatFailure refused{FormatReason::parquet};
  std::size_t at = 0;
  const auto next = [&]() -> unsigned { return at < bytes.size() ? std::to_integer<unsigned>(bytes[at++]) : 256; };
  const auto ended = [&] { return FormatFailure{FormatReason::truncated, bytes.size(), at + 1}; };
  unsigned byte = next();
  if (byte == 256) return ended();
  if (byte != 0x15) return refused;
  std::uint64_t zigzag = 0;
  unsigned shift = 0;
  do {
    byte = next();
    if (byte == 256) return ended();
    if (shift == 35) return refused;
    zigzag |= std::uint64_t{byte & 127U} << shift;
    shift += 7;
  } while (byte > 127);
  if (zigzag % 2 != 0 || zigzag / 2 > detail::most_parquet_bytes) return refused;  // a negative length, or too large
  for (const unsigned char expected : detail::parquet_unions) {
    byte = next();
    if (byte == 256) return ended();
    if (byte != expected) return refused;
  }
  const auto size = detail::to_size(zigzag / 2);
  if (bytes.size() - at < size) return FormatFailure{FormatReason::truncated, bytes.size(), at + size};
  return try_from_parquet_bits<F>(bytes.subspan(at, size));
}

/// The filter whose bits `bits` are, of bytes of any type (a std::string, for instance), or the reason why there is
/// none.
template <class F, detail::OtherBytes Range>
[[nodiscard]] LoadResult<F> try_from_parquet_bits(const Range& bits) noexcept {
  return try_from_parquet_bits<F>(detail::bytes_of(bits));
}

/// The filter that begins with its header at the beginning of bytes of any type, or the reason why there is none.
template <class F, detail::OtherBytes Range>
[[nodiscard]] LoadResult<F> try_from_parquet(const Range& bytes) noexcept {
  return try_from_parquet<F>(detail::bytes_of(bytes));
}

/// The filter whose bits `bits` are. Throws FormatError, std::bad_alloc. O(m).
template <class F>
[[nodiscard]] F from_parquet_bits(std::span<const std::byte> bits) requires detail::exceptions_enabled {
  return try_from_parquet_bits<F>(bits).value();
}

/// The filter whose bits `bits` are, of bytes of any type. Throws FormatError, std::bad_alloc. O(m).
template <class F, detail::OtherBytes Range>
[[nodiscard]] F from_parquet_bits(const Range& bits) requires detail::exceptions_enabled {
  return from_parquet_bits<F>(detail::bytes_of(bits));
}

/// The filter that begins with its header at the beginning of `bytes`. Throws FormatError, std::bad_alloc. O(m).
template <class F>
[[nodiscard]] F from_parquet(std::span<const std::byte> bytes) requires detail::exceptions_enabled {
  return try_from_parquet<F>(bytes).value();
}

/// The filter that begins with its header at the beginning of bytes of any type. Throws FormatError, std::bad_alloc.
template <class F, detail::OtherBytes Range>
[[nodiscard]] F from_parquet(const Range& bytes) requires detail::exceptions_enabled {
  return from_parquet<F>(detail::bytes_of(bytes));
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
