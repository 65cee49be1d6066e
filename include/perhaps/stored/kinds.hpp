// SPDX-License-Identifier: BSL-1.0
//
// What the stored format has to know of each kind of filter: StoredKind<F>, one specialisation for Bloom, counting and
// cuckoo filters each. A further kind of filter is stored by one more specialisation, and a number in
// stored/format.hpp.
#ifndef PERHAPS_STORED_KINDS_HPP
#define PERHAPS_STORED_KINDS_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/counting_bloom_filter.hpp>
#include <perhaps/cuckoo/fingerprint_table.hpp>
#include <perhaps/cuckoo_filter.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// The members of StoredKind<F>, in this order:
//
//     id                       the number of the kind, in byte 5 of the header
//     cell_bits                bits of one bit, counter or fingerprint, in byte 7
//     width_reason             the reason for which other cell_bits are refused
//     cell_stride              bits from one cell to the next: from bucket to bucket for cuckoo filters
//     words_are_bytes          whether memory holds the payload byte by byte on every platform, not as numbers
//     layout_id(), probe_id()  what is in bytes 12 to 19
//     describe(filter, header) writes cells, hashes and keys
//     mismatch(header)         why these cells, hashes and keys are none of such a filter
//     words_for(cells)         the number of 64-bit words of the payload; nothing if they are beyond this platform
//     damage(header, payload)  what is wrong with a payload whose checksum and padding are right
//     make(header, hash, words) the filter; the header was checked, and `words` are its payload
template <class F>
struct StoredKind;

// What kinds with a layout have in common.
template <class F>
struct StoredWithLayout {
  using Layout = typename F::layout;

  static constexpr bool words_are_bytes = false;

  static std::uint32_t layout_id() noexcept { return stored_id_of<Layout>(); }

  static std::uint32_t probe_id() noexcept {
    if constexpr (requires { typename Layout::probe_sequence; }) return stored_id_of<typename Layout::probe_sequence>();
    else return 0;
  }

  static std::optional<FormatFailure> mismatch(const StoredHeader& header) noexcept {
    if (header.keys != 0) return FormatFailure{FormatReason::reserved, header.keys, 0};
    if (header.cells == 0 || header.cells % Layout::block_bits != 0) {
      return FormatFailure{FormatReason::cells, header.cells, Layout::block_bits};
    }
    if (!Layout::takes_hashes(header.hashes)) return FormatFailure{FormatReason::hashes, header.hashes, 0};
    return std::nullopt;
  }

  static std::optional<FormatFailure> damage(const StoredHeader&, std::span<const std::byte>) noexcept {
    return std::nullopt;
  }
};

template <class Key, class Hash, class Layout, class Words>
struct StoredKind<BloomFilter<Key, Hash, Layout, Words>> : StoredWithLayout<BloomFilter<Key, Hash, Layout, Words>> {
  using F = BloomFilter<Key, Hash, Layout, Words>;

  static constexpr std::uint8_t id = 1;
  static constexpr std::uint8_t cell_bits = 1;
  static constexpr FormatReason width_reason = FormatReason::reserved;
  static constexpr std::uint64_t cell_stride = 1;

  static void describe(const F& filter, StoredHeader& header) noexcept {
    header.cells = filter.bits();
    header.hashes = static_cast<std::uint8_t>(filter.hashes());
  }

  static std::optional<std::uint64_t> words_for(std::uint64_t cells) noexcept {
    if (!addressable_bits<Layout>(cells)) return std::nullopt;
    return Layout::words_for(cells);
  }

  static F make(const StoredHeader& header, Hash hash, Words words) noexcept {
    return F(BloomParameters{.bits = header.cells, .hashes = header.hashes}, std::move(hash), std::move(words));
  }
};

template <class Key, unsigned CounterBits, class Hash, class Layout>
struct StoredKind<CountingBloomFilter<Key, CounterBits, Hash, Layout>>
    : StoredWithLayout<CountingBloomFilter<Key, CounterBits, Hash, Layout>> {
  using F = CountingBloomFilter<Key, CounterBits, Hash, Layout>;

  static constexpr std::uint8_t id = 2;
  static constexpr std::uint8_t cell_bits = CounterBits;
  static constexpr FormatReason width_reason = FormatReason::counter_width;
  static constexpr std::uint64_t cell_stride = CounterBits;

  static void describe(const F& filter, StoredHeader& header) noexcept {
    header.cells = filter.counters();
    header.hashes = static_cast<std::uint8_t>(filter.hashes());
  }

  static std::optional<std::uint64_t> words_for(std::uint64_t cells) noexcept {
    if (!F::addressable(cells)) return std::nullopt;
    return F::words_for(cells);
  }

  static F make(const StoredHeader& header, Hash hash, OwnedWords words) noexcept {
    return F(CountingParameters{.counters = header.cells, .hashes = header.hashes}, std::move(hash), std::move(words));
  }
};

template <class Key, unsigned FingerprintBits, unsigned BucketSize, class Hash>
struct StoredKind<CuckooFilter<Key, FingerprintBits, BucketSize, Hash>> {
  using F = CuckooFilter<Key, FingerprintBits, BucketSize, Hash>;

  static constexpr std::uint8_t id = 3;
  static constexpr std::uint8_t cell_bits = FingerprintBits;
  static constexpr FormatReason width_reason = FormatReason::fingerprint_width;
  static constexpr std::uint64_t cell_stride = std::uint64_t{FingerprintBits} * BucketSize;
  static constexpr bool words_are_bytes = true;

  static std::uint32_t layout_id() noexcept { return 0x3000 + BucketSize; }
  static std::uint32_t probe_id() noexcept { return 0; }

  static void describe(const F& filter, StoredHeader& header) noexcept {
    header.cells = filter.buckets();
    header.keys = filter.size();
  }

  static std::optional<FormatFailure> mismatch(const StoredHeader& header) noexcept {
    if (header.hashes != 0) return FormatFailure{FormatReason::reserved, header.hashes, 0};
    if (header.cells == 0) return FormatFailure{FormatReason::cells, 0, 1};
    return std::nullopt;
  }

  static std::optional<std::uint64_t> words_for(std::uint64_t cells) noexcept {
    if (!F::addressable(cells)) return std::nullopt;
    return F::words_for(cells);
  }

  // The number of fingerprints must be that of the header. O(buckets).
  static std::optional<FormatFailure> damage(const StoredHeader& header, std::span<const std::byte> payload) noexcept {
    // The table is a view that also writes; here it only reads.
    const FingerprintTable<FingerprintBits, BucketSize> table(
        reinterpret_cast<unsigned char*>(const_cast<std::byte*>(payload.data())));
    const std::uint64_t keys = table.occupied(header.cells);
    if (keys != header.keys) return FormatFailure{FormatReason::key_count, header.keys, keys};
    return std::nullopt;
  }

  static F make(const StoredHeader& header, Hash hash, OwnedWords words) noexcept {
    F filter(header.cells, std::move(hash), std::move(words));
    filter.size_ = header.keys;
    return filter;
  }
};

// Filters whose storage can be made and filled, as loading does: all but Bloom filters over other storage.
template <class F>
concept OwningFilter = !requires { typename F::storage; } || std::same_as<typename F::storage, OwnedWords>;

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
