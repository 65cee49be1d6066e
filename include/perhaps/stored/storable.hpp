// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Which filters can be saved, what their header says, and whether stored bytes are those of a filter of a given type.
///
/// Hash policy, probe sequence and layout must have an id, which says in a file what they compute. This library's have
/// one; of one's own, declare it beside the operator(), and never change what is computed under it:
///
///     static constexpr std::uint32_t stored_id = 0x80000001;      // the highest bit set, the rest of your choice
///
/// A hash policy with a seed has `std::uint64_t seed() const` and a constructor that takes one; its seed is stored.
#ifndef PERHAPS_STORED_STORABLE_HPP
#define PERHAPS_STORED_STORABLE_HPP

#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/key_encoding.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/key_kind.hpp>
#include <perhaps/stored/kinds.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class H>
concept SeededPolicy = std::constructible_from<H, std::uint64_t> && requires(const H& hash) {
  { hash.seed() } -> std::same_as<std::uint64_t>;
};

// A policy with a secret key, of which files hold a check value only: stored/keyed.hpp loads its filters.
template <class H>
concept KeyedPolicy = requires(const H& hash) {
  { hash.key_check() } -> std::same_as<std::uint64_t>;
};

template <class H>
concept StatelessOrSeeded = SeededPolicy<H> || KeyedPolicy<H> || (std::is_empty_v<H> && std::default_initializable<H>);

// Says in sentences what a policy lacks to be saved. Every function that saves or loads asserts this first.
template <class P>
consteval bool explain_id() {
  static_assert(
      HasStoredId<P>,
      "perhaps: to save this filter, its hash policy, probe sequence and layout need ids that files can bear: "
      "add `static constexpr std::uint32_t stored_id = 0x80000001;` (highest bit set, the rest of your "
      "choice) to yours. std::hash has none: it is another function on every platform.");
  if constexpr (HasUserId<P>) {
    static_assert(P::stored_id >= 0x80000000U,
                  "perhaps: a stored_id of your own has its highest bit set: ids below are this library's.");
  }
  return true;
}

template <class F>
consteval bool explain_storable() {
  using Hash = typename F::hasher;
  explain_id<Hash>();
  static_assert(StatelessOrSeeded<Hash>,
                "perhaps: this hash policy has state, which a file must restore: let `std::uint64_t seed() const` "
                "return it, and a constructor take it.");
  if constexpr (requires { typename F::layout; }) {
    explain_id<typename F::layout>();
    if constexpr (requires { typename F::layout::probe_sequence; }) explain_id<typename F::layout::probe_sequence>();
  }
  return true;
}

// The one friend that filters have for being saved: reads and makes them.
struct StoredAccess {
  // What the header of any filter of type F says, its sizes left open.
  template <class F>
  static StoredHeader header_of_type() noexcept {
    using Kind = StoredKind<F>;
    StoredHeader header;
    header.kind = Kind::id;
    header.cell_bits = Kind::cell_bits;
    header.hash_id = stored_id_of<typename F::hasher>();
    header.layout_id = Kind::layout_id();
    header.probe_id = Kind::probe_id();
    header.key_kind = key_kind_id<std::remove_cv_t<typename F::key_type>, typename F::hasher>();
    return header;
  }

  // All but the checksum.
  template <class F>
  static StoredHeader header_of(const F& filter) noexcept {
    StoredHeader header = header_of_type<F>();
    if constexpr (KeyedPolicy<typename F::hasher>) header.seed = filter.hash_.key_check();
    else if constexpr (SeededPolicy<typename F::hasher>) header.seed = filter.hash_.seed();
    StoredKind<F>::describe(filter, header);
    header.payload_bytes = filter.words_.size() * std::uint64_t{8};
    return header;
  }

  template <class F>
  static std::span<const std::uint64_t> words(const F& filter) noexcept {
    return std::as_const(filter.words_).words();
  }

  template <class F>
  static std::span<std::uint64_t> writable_words(F& filter) noexcept {
    return filter.words_.words();
  }

  // Word i of a filter that other threads may be writing to.
  template <class F>
  static std::uint64_t load(const F& filter, std::size_t i) noexcept {
    return filter.words_.load(i);
  }

  // Preconditions: the header was checked, `words` are its payload.
  template <class F, class Words>
  static F make(const StoredHeader& header, Words words) noexcept {
    using Hash = typename F::hasher;
    static_assert(!KeyedPolicy<Hash>,
                  "perhaps: the hash policy of this filter has a secret key, which is not in what is stored: pass the "
                  "policy, from_bytes<F>(bytes, SipHash(key)), of stored/keyed.hpp.");
    if constexpr (SeededPolicy<Hash>) return make<F>(header, std::move(words), Hash(header.seed));
    else return make<F>(header, std::move(words), Hash{});
  }

  // Makes it with the hash policy that is given.
  template <class F, class Words>
  static F make(const StoredHeader& header, Words words, typename F::hasher hash) noexcept {
    return StoredKind<F>::make(header, std::move(hash), std::move(words));
  }
};

// Why `header` is none of a filter of type F, judged by itself.
template <class F>
std::optional<FormatFailure> find_mismatch(const StoredHeader& header) noexcept {
  using R = FormatReason;
  const StoredHeader own = StoredAccess::header_of_type<F>();
  std::optional<FormatFailure> failure;
  const auto differ = [&](R reason, std::uint64_t found, std::uint64_t expected) {
    if (found != expected && !failure) failure = FormatFailure{reason, found, expected};
  };
  differ(R::kind, header.kind, own.kind);
  differ(R::key_encoding, key_encoding_of(header.key_kind), key_encoding_of(own.key_kind));
  differ(R::hash, header.hash_id, own.hash_id);
  if (!key_kind_holds(own.key_kind, header.key_kind)) differ(R::key_kind, header.key_kind, own.key_kind);
  if (header.bucket_size() != 0) differ(R::bucket_size, header.bucket_size(), own.bucket_size());
  differ(R::layout, header.layout_id, own.layout_id);
  differ(R::probes, header.probe_id, own.probe_id);
  differ(StoredKind<F>::width_reason, header.cell_bits, own.cell_bits);
  if (!SeededPolicy<typename F::hasher> && !KeyedPolicy<typename F::hasher>) differ(R::seed, header.seed, 0);
  if (failure) return failure;
  if (const auto mismatch = StoredKind<F>::mismatch(header)) return mismatch;
  const auto words = StoredKind<F>::words_for(header.cells);
  if (!words) return FormatFailure{R::too_large, header.cells, 0};
  differ(R::length, header.payload_bytes, *words * 8);
  return failure;
}

// Whether a bit after the last cell is set. Looks at the end of the payload only.
template <class F>
bool padding_is_set(const StoredHeader& header, std::span<const std::byte> payload) noexcept {
  constexpr std::uint64_t width = StoredKind<F>::cell_stride;
  const std::uint64_t rest_bits = header.cells % 8 * width;
  const std::uint64_t first = header.cells / 8 * width + rest_bits / 8;
  std::byte padding{};
  for (auto i = detail::to_size(first); i < payload.size(); ++i) {
    padding |= i == first ? payload[i] >> (rest_bits % 8) : payload[i];
  }
  return padding != std::byte{0};
}

// What the payload must hold beside its checksum. The header was found right.
template <class F>
std::optional<FormatFailure> find_damage(const StoredHeader& header, std::span<const std::byte> payload,
                                         std::uint64_t checksum) noexcept {
  if (checksum != header.checksum) return FormatFailure{FormatReason::checksum, header.checksum, checksum};
  if (padding_is_set<F>(header, payload)) return FormatFailure{FormatReason::padding};
  return StoredKind<F>::damage(header, payload);
}

}  // namespace detail

/// Filters that can be saved. For those that can't, to_bytes says why when it does not compile.
template <class F>
concept StorableFilter =
    detail::HasStoredId<typename F::hasher> && detail::StatelessOrSeeded<typename F::hasher> &&
    (!requires { typename F::layout; } || detail::HasStoredId<typename F::layout>) &&
    (!requires { typename F::layout::probe_sequence; } || detail::HasStoredId<typename F::layout::probe_sequence>);

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
