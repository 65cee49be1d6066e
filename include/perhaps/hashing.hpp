// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// HashPolicy: how a key becomes a Digest. A policy is one copyable struct that states its width and hashes words,
/// bytes, or the key type itself:
///
///     struct FnvAndDjb2 {                                            struct Keyed {
///       static constexpr unsigned digest_bits = 64;                    static constexpr unsigned digest_bits = 128;
///       Digest operator()(std::string_view text) const;                Digest operator()(const Session&) const;
///     };                                                             };
///
/// A policy that takes bytes only is given integers as eight bytes, lowest first; pairs and tuples are hashed field by
/// field and combined, so one operator() serves every key of key_encoding.hpp. One that takes Key itself gets it as is.
///
/// `digest_bits` is a promise about quality: with w bits, a stranger has the digest of one of n keys, and so all its
/// probes, with probability n/2^w, whatever the size of the filter. Sizing adds that floor, and refuses less.
#ifndef PERHAPS_HASHING_HPP
#define PERHAPS_HASHING_HPP

#include <perhaps/detail/stored_id.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/key_encoding.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

// Converts to T and to nothing else: finds out whether a policy really takes a T, not something a T converts to.
template <class T>
struct Exactly {
  template <class U>
    requires std::same_as<std::remove_cv_t<U>, T>
  operator U() const;  // NOLINT(google-explicit-constructor): the conversion is the point
};

template <class P, class T>
concept Takes = requires(const P& policy, Exactly<T> argument) {
  { policy(argument) } -> std::same_as<Digest>;
};

template <class P>
concept TakesWords = Takes<P, std::uint64_t>;

template <class P>
concept TakesBytes = Takes<P, std::string_view>;

// An integer-returning function object such as std::hash: almost a policy.
template <class P, class Key>
concept PlainHash = requires(const P& hash, const Key& key) {
  { hash(key) } -> std::unsigned_integral;
};

}  // namespace detail

/// P says by `digest_bits`, from 1 to 128, how many bits of its digests are good.
template <class P>
concept StatesItsWidth = requires {
  { P::digest_bits } -> std::convertible_to<unsigned>;
  requires P::digest_bits >= 1U && P::digest_bits <= 128U;
};

namespace detail {

template <class P, class Key>
concept TakesEncoded = EncodableKey<Key> &&(TakesBytes<P> || TakesWords<P>);

// Two stateless policies are equal.
template <class P>
concept ComparablePolicy = std::equality_comparable<P> || std::is_empty_v<P>;

// A policy of a foreign format, for which -0.0 and 0.0 are two keys.
template <class P>
concept HashesBitsOfReals = requires {
  requires P::hashes_bits_of_reals;
};

template <class P, class Key>
concept HashesKey = Takes<P, Key> || TakesEncoded<P, Key>;

}  // namespace detail

/// P hashes Key: itself, or by way of the encoding.
template <class P, class Key>
concept HashPolicy = std::copyable<P> && StatesItsWidth<P> && detail::ComparablePolicy<P> && detail::HashesKey<P, Key>;

namespace detail {

// Says in sentences what is wrong with a filter's Key or Hash; the last ends in the concept's name. A policy that takes
// Key itself needs no rule for encoding it. Every filter asserts this first.
template <class Key, class P>
consteval bool explain() {
  if constexpr (PlainHash<P, Key> && !HashPolicy<P, Key>) {
    static_assert(
        HashPolicy<P, Key>,
        "perhaps: this hash returns an integer, not a perhaps::Digest: write MixedHash<F> for F (for instance "
        "MixedHash<std::hash<int>>), which makes a digest of it and states how many bits it has.");
  } else if constexpr (!StatesItsWidth<P>) {
    static_assert(HashPolicy<P, Key>,
                  "perhaps: a hash policy states its quality: add `static constexpr unsigned digest_bits = 64;` (1 to "
                  "128) beside its operator().");
  } else if constexpr (!Takes<P, Key> && !EncodableKey<Key>) {
    explain_key<Key>();
  } else {
    static_assert(
        HashPolicy<P, Key>,
        "perhaps: Hash does not satisfy HashPolicy for this Key: it needs `Digest operator()(T) const`, where "
        "T is Key, std::string_view (text and bytes) or std::uint64_t (integers).");
  }
  return true;
}

template <class Key, class P, class Q>
constexpr Digest digest_key(const P& policy, const Q& key);

template <class P>
constexpr Digest digest_word(const P& policy, std::uint64_t word) {
  if constexpr (TakesWords<P>) {
    return policy(word);
  } else {
    const auto bytes = word_bytes(word);
    return policy(std::string_view(bytes.data(), bytes.size()));
  }
}

template <class Key, class P, class Q, std::size_t... Is>
constexpr Digest digest_fields(const P& policy, const Q& key, std::index_sequence<Is...>) {
  static_assert(TupleKey<Q> && std::tuple_size<Q>::value == sizeof...(Is),
                "perhaps: this filter's keys are tuples: look one up by a tuple of as many fields.");
  using std::get;
  Digest digest{sizeof...(Is), 0};
  ((digest = combine(
        digest, digest_key<std::remove_cvref_t<typename std::tuple_element<Is, Key>::type>>(policy, get<Is>(key)))),
   ...);
  return digest;
}

template <class Key, class P, class Q>
constexpr Digest digest_optional(const P& policy, const Q& key) {
  if constexpr (std::same_as<Q, std::nullopt_t>) {
    return Digest{};
  } else if constexpr (is_optional<Q> && !std::same_as<Q, typename Key::value_type>) {
    return key.has_value() ? digest_optional<Key>(policy, *key) : Digest{};
  } else {
    return combine(Digest{1, 1}, digest_key<std::remove_cv_t<typename Key::value_type>>(policy, key));
  }
}

// The digest of `key`, as a key of type Key: converted first, so that every spelling of it hashes equally.
template <class Key, class P, class Q>
constexpr Digest digest_key(const P& policy, const Q& key) {
  constexpr KeyKind kind = kind_of_key<Key>();
  if constexpr (Takes<P, Key> && !RealKey<Key>) {
    if constexpr (WordKey<Key>) {
      return policy(to_integer<Key>(key));
    } else if constexpr (std::is_arithmetic_v<Key>) {
      return policy(static_cast<Key>(key));
    } else if constexpr (kind == KeyKind::bytes && !std::same_as<Q, Key> &&
                         std::constructible_from<Key, std::string_view>) {
      return policy(Key(encode_bytes(key)));  // Key's own constructor knows neither char arrays nor null pointers
    } else if constexpr (std::convertible_to<const Q&, const Key&>) {
      const Key& same = key;
      return policy(same);
    } else {
      return policy(Key(key));
    }
  } else if constexpr (kind == KeyKind::custom) {
    const auto& inner = perhaps_key(static_cast<const Key&>(key));
    return digest_key<std::remove_cvref_t<decltype(inner)>>(policy, inner);
  } else if constexpr (kind == KeyKind::word) {
    return digest_word(policy, encode_word<Key>(key));
  } else if constexpr (kind == KeyKind::real && HashesBitsOfReals<P>) {
    return policy(static_cast<Key>(key));
  } else if constexpr (kind == KeyKind::real && Takes<P, Key>) {
    return policy(static_cast<Key>(std::bit_cast<double>(encode_real<Key>(key))));
  } else if constexpr (kind == KeyKind::real) {
    return digest_word(policy, encode_real<Key>(key));
  } else if constexpr (kind == KeyKind::optional) {
    return digest_optional<Key>(policy, key);
  } else if constexpr (kind == KeyKind::bytes) {
    static_assert(TakesBytes<P>,
                  "perhaps: this hash policy takes no text: add `Digest operator()(std::string_view) const`.");
    return policy(encode_bytes(key));
  } else if constexpr (kind == KeyKind::tuple) {
    return digest_fields<Key>(policy, key, std::make_index_sequence<std::tuple_size<Key>::value>{});
  } else {
    static_assert(TakesBytes<P>,
                  "perhaps: this hash policy takes no bytes: add `Digest operator()(std::string_view) const`.");
    const Key& object = key;
    return policy(std::string_view(reinterpret_cast<const char*>(&object), sizeof(Key)));
  }
}

template <class P>
constexpr bool same_policy(const P& left, const P& right) {
  if constexpr (std::equality_comparable<P>) {
    return left == right;
  } else {
    return true;
  }
}

// Turns keys of any spelling into digests and leaves digests as they are: what batches run over.
template <class Key, class P>
constexpr auto digester(const P& policy) noexcept {
  return [&policy]<class Q>(const Q& key) {
    if constexpr (std::same_as<Q, Digest>) {
      return key;
    } else {
      return digest_key<Key>(policy, key);
    }
  };
}

}  // namespace detail

/// Adapts a hash of 64 or 32 bits, such as std::hash, whose values need not be well mixed (std::hash of an integer is
/// often the integer itself): two multiplications spread it over a digest. It can't add information: DigestBits says
/// how many good bits F has, and sizing accounts for them. F may hash Key, or words and std::string_view. If F has a
/// stored_id, filters that use it can be saved (stored_format.hpp).
template <class F, unsigned DigestBits = std::numeric_limits<std::size_t>::digits>
class MixedHash : public detail::AdaptedId<F> {
 public:
  static constexpr unsigned digest_bits = DigestBits;  ///< How many bits of F are good

  constexpr MixedHash() = default;                                  ///< Adapts F{}
  constexpr explicit MixedHash(F hash) : hash_(std::move(hash)) {}  ///< Adapts `hash`

  /// The digest of `key`: F's value spread by mix_word. O(1) beside F.
  template <class T>
    requires detail::PlainHash<F, T>
  constexpr Digest operator()(const T& key) const {
    using Value = decltype(hash_(key));
    static_assert(std::numeric_limits<Value>::digits >= static_cast<int>(DigestBits),
                  "perhaps: this hash returns fewer bits than MixedHash states: write MixedHash<F, 32>.");
    return mix_word(static_cast<std::uint64_t>(hash_(key)), 0x452821E638D01377U);
  }

  /// Whether the adapted hashes are equal; those without state are.
  friend constexpr bool operator==(const MixedHash& left, const MixedHash& right) {
    return detail::same_policy(left.hash_, right.hash_);
  }

 private:
  [[no_unique_address]] F hash_{};
};

/// The digest of `key` as a filter of Key and P computes it: pass it to insert(Digest) and may_contain(Digest) of any
/// number of filters with an equal policy. O(length of the key).
template <class Key, class P, class Q>
  requires HashPolicy<P, Key>
constexpr Digest digest_of(const P& policy, const Q& key) { return detail::digest_key<Key>(policy, key); }

}  // namespace perhaps::inline PERHAPS_ABI

#endif
