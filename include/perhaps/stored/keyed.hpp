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
#include <perhaps/serialization.hpp>
#include <perhaps/stored/byte_range.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/storable.hpp>
#include <perhaps/version.hpp>

#include <cstdint>
#include <iosfwd>
#include <optional>
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

// The hash policy of a loaded filter as the caller gives it, if its key is that of the header (cf. PolicyFromHeader).
template <class Hash>
struct PolicyOfCaller {
  const Hash& hash;

  std::optional<FormatFailure> mismatch(const StoredHeader& header) const noexcept {
    const std::uint64_t check = hash.key_check();
    if (header.seed == check) return std::nullopt;
    return FormatFailure{FormatReason::key, header.seed, check};
  }

  template <class F, class Words>
  F make(const StoredHeader& header, Words words) const {
    return StoredAccess::make<F>(header, std::move(words), hash);
  }
};

template <class Hash>
PolicyOfCaller(const Hash&) -> PolicyOfCaller<Hash>;

}  // namespace detail

/// The filter that was saved as `bytes` under the key of `hash`, or the reason why there is none. Bytes of any type, as
/// from_bytes takes them. O(m).
template <detail::KeyedFilter F, class Range>
[[nodiscard]] LoadResult<F> try_from_bytes(const Range& range, const detail::HashOf<F>& hash) noexcept {
  return detail::load_stored<F>(detail::bytes_of(range), detail::PolicyOfCaller{hash});
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
  return detail::view_stored<F>(detail::kept_bytes<Range>(range), detail::PolicyOfCaller{hash}, verify);
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
  return detail::read_stored<F>(in, detail::PolicyOfCaller{hash});
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
