// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Loading filters whose hash policy has a secret key, such as SipHash. They are saved like all others, by to_bytes and
/// write; the key is not in what is stored, so the policy is given when they are loaded:
///
///     auto filter = from_bytes<BloomFilter<std::string, SipHash>>(bytes, SipHash(key));
///     auto view = view_bytes<BloomFilter<std::string, SipHash>>(mapped, SipHash(key));
///     auto again = read<BloomFilter<std::string, SipHash>>(file, SipHash(key));
///
/// The field of the header that holds a seed for other policies holds key_check() of this one, and bytes that were
/// saved under another key are refused: FormatReason::key. A check value is no signature: who can write a file can copy
/// the check value of another, and set any bits. Such a filter denies keys, or says "perhaps" too often, but never
/// more.
///
/// A policy of your own is keyed if it has `std::uint64_t key_check() const`, which must not tell what the key is.
#ifndef PERHAPS_STORED_KEYED_HPP
#define PERHAPS_STORED_KEYED_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/serialization.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/byte_range.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/storable.hpp>
#include <perhaps/stored/stream.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ios>
#include <iosfwd>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Filters that are loaded with a policy: in no argument that F is deduced from.
template <class F>
concept KeyedFilter = KeyedPolicy<typename F::hasher>;

template <class F>
using HashOf = std::type_identity_t<typename F::hasher>;

inline std::optional<FormatFailure> find_other_key(const StoredHeader& header, std::uint64_t check) noexcept {
  if (header.seed == check) return std::nullopt;
  return FormatFailure{FormatReason::key, header.seed, check};
}

template <class F, class Stream>
LoadResult<F> read_keyed(Stream& in, const HashOf<F>& hash) {
  if (in.fail()) return FormatFailure{FormatReason::stream};
  std::array<std::byte, stored_header_bytes> head{};
  const std::size_t got = read_bytes(in, head);
  if (in.bad()) return FormatFailure{FormatReason::stream};
  const auto header = try_stored_header(Bytes(head).first(got));
  if (!header) return header.failure();
  if (const auto failure = find_mismatch<F>(*header)) return *failure;
  if (const auto failure = find_other_key(*header, hash.key_check())) return *failure;
  Checksum checksum(*header);
  auto words = read_words(in, to_size(header->payload_bytes / 8), head.back(), checksum);
  if (!words) return words.failure();
  if (const auto damage = find_damage<F>(*header, std::as_bytes(words->words()), checksum.value())) return *damage;
  to_native<F>(words->words());
  return StoredAccess::make<F>(*header, *std::move(words), hash);
}

}  // namespace detail

/// The filter that was saved as `bytes` under the key of `hash`, or the reason why there is none. Bytes of any type, as
/// from_bytes takes them. O(m).
template <detail::KeyedFilter F, class Range>
[[nodiscard]] LoadResult<F> try_from_bytes(const Range& range, const detail::HashOf<F>& hash) noexcept {
  static_assert(detail::explain_storable<F>());
  static_assert(detail::OwningFilter<F>, "perhaps: load into a filter that owns its words.");
  const auto bytes = detail::bytes_of(range);
  const auto header = detail::check_structure<F>(bytes);
  if (!header) return header.failure();
  if (const auto failure = detail::find_other_key(*header, hash.key_check())) return *failure;
  const auto payload = bytes.subspan(stored_header_bytes);
  if (const auto damage = detail::find_damage<F>(*header, payload, detail::checksum_of(*header, payload))) {
    return *damage;
  }
  auto words = OwnedWords::make(payload.size() / 8);
  if (!words) return FormatFailure{FormatReason::memory, payload.size(), 0};
  std::memcpy(words->words().data(), payload.data(), payload.size());
  detail::to_native<F>(words->words());
  return detail::StoredAccess::make<F>(*header, *std::move(words), hash);
}

/// The filter that was saved as `bytes` under the key of `hash`. O(m). Throws FormatError, std::bad_alloc.
template <detail::KeyedFilter F, class Range>
[[nodiscard]] F from_bytes(const Range& bytes, const detail::HashOf<F>& hash) requires detail::exceptions_enabled {
  return try_from_bytes<F>(bytes, hash).value();
}

/// A read-only filter over stored bytes, in place, under the key of `hash`, or the reason why there is none. What holds
/// for view_bytes of serialization.hpp holds here: the bytes must stay, and temporaries that own them do not compile.
template <detail::KeyedFilter F, class Range>
[[nodiscard]] LoadResult<detail::ViewOf<F>> try_view_bytes(Range&& range, const detail::HashOf<F>& hash,
                                                           Verify verify = Verify::everything) noexcept {
  static_assert(detail::explain_storable<F>());
  using View = detail::ViewOf<F>;
  const auto bytes = detail::kept_bytes<Range>(range);
  const auto header = detail::check_structure<View>(bytes);
  if (!header) return header.failure();
  if (const auto failure = detail::find_other_key(*header, hash.key_check())) return *failure;
  const auto payload = bytes.subspan(stored_header_bytes);
  if (detail::padding_is_set<View>(*header, payload)) return FormatFailure{FormatReason::padding};
  if constexpr (std::endian::native != std::endian::little) return FormatFailure{FormatReason::byte_order};
  const auto address = reinterpret_cast<std::uintptr_t>(payload.data());
  constexpr std::size_t alignment = detail::block_alignment<typename F::layout>;
  if (address % alignment != 0) return FormatFailure{FormatReason::alignment, address, alignment};
  if (verify == Verify::everything) {
    const std::uint64_t checksum = detail::checksum_of(*header, payload);
    if (const auto damage = detail::find_damage<View>(*header, payload, checksum)) return *damage;
  }
  const auto* words = reinterpret_cast<const std::uint64_t*>(payload.data());
  return detail::StoredAccess::make<View>(*header, ReadOnlyWords({words, payload.size() / 8}), hash);
}

/// A read-only filter over stored bytes, in place, under the key of `hash`. Throws FormatError.
template <detail::KeyedFilter F, class Range>
[[nodiscard]] detail::ViewOf<F> view_bytes(Range&& bytes, const detail::HashOf<F>& hash,
                                           Verify verify = Verify::everything) requires detail::exceptions_enabled {
  return try_view_bytes<F>(std::forward<Range>(bytes), hash, verify).value();
}

/// The filter whose stored bytes come next in `in`, saved under the key of `hash`, or the reason why there is none.
/// With the guarantees of reading a filter of serialization.hpp. O(m).
template <detail::KeyedFilter F, class Traits>
[[nodiscard]] LoadResult<F> try_read(std::basic_istream<char, Traits>& in, const detail::HashOf<F>& hash) {
  static_assert(detail::explain_storable<F>());
  static_assert(detail::OwningFilter<F>, "perhaps: read into a filter that owns its words.");
  const auto exceptions = in.exceptions();
  in.exceptions(std::ios_base::goodbit);
  LoadResult<F> loaded = detail::read_keyed<F>(in, hash);
  in.exceptions(exceptions);
  return loaded;
}

/// The filter whose stored bytes come next in `in`, saved under the key of `hash`. Throws FormatError, std::bad_alloc.
template <detail::KeyedFilter F, class Traits>
[[nodiscard]] F read(std::basic_istream<char, Traits>& in, const detail::HashOf<F>& hash)
    requires detail::exceptions_enabled {
  return try_read<F>(in, hash).value();
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
