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
/// Filters meet only where their policies are known to be equal: a policy with state has `operator==`, or no filter of
/// it compiles.
///
/// `digest_bits` is a promise about quality: with w bits, an absent key has the digest of one of n keys, and so all its
/// probes, with probability n/2^w, whatever the size of the filter. Sizing adds that floor, and refuses less.
#ifndef PERHAPS_HASHING_HPP
#define PERHAPS_HASHING_HPP

#include <perhaps/digest.hpp>
#include <perhaps/key/compound.hpp>
#include <perhaps/key/conversion.hpp>
#include <perhaps/key_encoding.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Converts to T and to nothing else: finds out whether a policy really takes a T, not something a T converts to.
template <class T>
struct Exactly {
  template <class U>
  requires std::same_as<std::remove_cv_t<U>, T> operator U()
      const;  // NOLINT(google-explicit-constructor): the conversion is the point
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
concept IntegerHash = requires(const P& hash, const Key& key) {
  { hash(key) } -> std::unsigned_integral;
};

}  // namespace detail

/// P says by `digest_bits`, from 1 to 128, how many bits of its digests are good.
template <class P>
concept HasDigestBits = requires {
  { P::digest_bits } -> std::convertible_to<unsigned>;
  requires P::digest_bits >= 1U && P::digest_bits <= 128U;
};

namespace detail {

template <class P, class Key>
concept TakesEncoded = EncodableKey<Key> && (TakesBytes<P> || TakesWords<P>);

// Whether two policies are equal can be found out. Those without state always are.
template <class P>
concept ComparablePolicy = std::equality_comparable<P> || std::is_empty_v<P>;

// A policy of a foreign format, for which -0.0 and 0.0 are two keys.
template <class P>
concept HashesBitsOfReals = requires { requires P::hashes_bits_of_reals; };

template <class P, class Key>
concept HashesKey = Takes<P, Key> || TakesEncoded<P, Key>;

}  // namespace detail

/// P hashes Key: itself, or by way of the encoding.
template <class P, class Key>
concept HashPolicy = std::copyable<P> && HasDigestBits<P> && detail::ComparablePolicy<P> && detail::HashesKey<P, Key>;

namespace detail {

// Anything that says how many hashes it takes: a layout (layout/layout.hpp), in the place of a hash policy.
template <class P>
concept NamesHashes = requires { P::hashes_rule; };

// Says in sentences what is wrong with a filter's Key or Hash; the last ends in the concept's name. A policy that takes
// Key itself needs no rule for encoding it. Every filter asserts this first.
template <class Key, class P>
consteval bool explain() {
  if constexpr (NamesHashes<P> && !HasDigestBits<P>) {
    static_assert(HashPolicy<P, Key>,
                  "perhaps: this is a layout in the place of the hash policy: a layout comes behind the hash, third in "
                  "BloomFilter<Key, XxHash3, SplitBlock<>>, fourth in CountingBloomFilter; cuckoo filters have none.");
  } else if constexpr (IntegerHash<P, Key> && !HashPolicy<P, Key>) {
    static_assert(
        HashPolicy<P, Key>,
        "perhaps: this hash returns an integer, not a perhaps::Digest: write MixedHash<F> for F (for instance "
        "MixedHash<std::hash<int>>), which makes a digest of it and states how many bits it has.");
  } else if constexpr (!HasDigestBits<P>) {
    static_assert(HashPolicy<P, Key>,
                  "perhaps: a hash policy states its quality: add `static constexpr unsigned digest_bits = 64;` (1 to "
                  "128) beside its operator().");
  } else if constexpr (!ComparablePolicy<P>) {
    static_assert(HashPolicy<P, Key>,
                  "perhaps: this hash policy has state but no operator==, so no one can tell whether two filters hash "
                  "alike: add `friend bool operator==(const P&, const P&) = default;` to it, or to the hash that "
                  "MixedHash adapts.");
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

template <class P>
constexpr Digest digest_word(const P& policy, std::uint64_t word) {
  if constexpr (TakesWords<P>) {
    return policy(word);
  } else {
    const auto bytes = word_bytes(word);
    return policy(std::string_view(bytes.data(), bytes.size()));
  }
}

template <class Key, class P, class Q, class Misfit>
constexpr Digest digest_real(const P& policy, const Q& key, const Misfit& misfit) {
  const Key real = to_real<Key>(key, misfit);
  if constexpr (HashesBitsOfReals<P>) {
    return policy(real);
  } else if constexpr (Takes<P, Key>) {
    return policy(static_cast<Key>(std::bit_cast<double>(encode_real(static_cast<double>(real)))));
  } else {
    return digest_word(policy, encode_real(static_cast<double>(real)));
  }
}

template <class Key, class P, class Misfit>
constexpr Digest digest_bytes(const P& policy, const Key& key, const Misfit& misfit) {
  static_assert(TakesBytes<P>,
                "perhaps: this hash policy takes no text: add `Digest operator()(std::string_view) const`.");
  return policy(encode_bytes(key, misfit));
}

template <class Key, class P, class Q, class Misfit, std::size_t... Is>
constexpr Digest digest_fields(const P& policy, const Q& key, const Misfit& misfit, std::index_sequence<Is...>) {
  using std::get;
  Digest digest{sizeof...(Is), 0};
  ((digest = combine(digest, digest_key<std::remove_cvref_t<typename std::tuple_element<Is, Key>::type>>(
                                 policy, get<Is>(key), misfit))),
   ...);
  return digest;
}

template <class Key, class P, class Q, class Misfit>
constexpr Digest digest_tuple(const P& policy, const Q& key, const Misfit& misfit) {
  constexpr auto fields = std::tuple_size<Key>::value;
  if constexpr (!TupleKey<Q> && MadeFrom<Key, Q>) {
    return with_key<Key>(key, misfit, [&](const Key& made) { return digest_tuple<Key>(policy, made, misfit); });
  } else {
    constexpr bool alike = [] {
      if constexpr (TupleKey<Q>) return std::tuple_size<Q>::value == fields;
      else return false;
    }();
    static_assert(alike, "perhaps: this filter's keys are tuples: look one up by a tuple of as many fields.");
    if constexpr (alike) return digest_fields<Key>(policy, key, misfit, std::make_index_sequence<fields>{});
    else return Digest{};
  }
}

// As std::optional's own constructors read `key`: an optional of another type is the value where the value can be made
// of it, and else gives its value if it has one.
template <class Key, class P, class Q, class Misfit>
constexpr Digest digest_optional(const P& policy, const Q& key, const Misfit& misfit) {
  using Value = std::remove_cv_t<typename Key::value_type>;
  const auto value_digest = [&](const auto& value) {
    return combine(Digest{1, 1}, digest_key<Value>(policy, value, misfit));
  };
  if constexpr (std::same_as<Q, std::nullopt_t>) {
    return Digest{};
  } else if constexpr (std::same_as<Q, Key>) {
    return key.has_value() ? value_digest(*key) : Digest{};
  } else if constexpr (is_optional<Q>) {
    static_assert(!std::same_as<Value, bool> || std::same_as<typename Q::value_type, bool>,
                  "perhaps: whether an optional of another type, as an optional bool, is its value or whether it has "
                  "one, differs between standard libraries: say which, by std::optional<bool>.");
    if constexpr (std::constructible_from<Value, const Q&>) {
      return value_digest(key);
    } else {
      return key.has_value() ? value_digest(*key) : Digest{};
    }
  } else if constexpr (std::is_class_v<Q> && !std::constructible_from<Value, const Q&> && MadeFrom<Key, Q>) {
    return with_key<Key>(key, misfit, [&](const Key& made) { return digest_optional<Key>(policy, made, misfit); });
  } else {
    return value_digest(key);
  }
}

// The digest of the Key that `key` stands for, by the law of key_encoding.hpp.
template <class Key, class P, class Q, class Misfit>
constexpr Digest digest_key(const P& policy, const Q& key, const Misfit& misfit) {
  constexpr KeyKind kind = kind_of_key<Key>();
  if constexpr (ReferenceKey<Q> && !std::same_as<Q, Key>) {
    return digest_key<Key>(policy, referred(key), misfit);
  } else if constexpr (WordKey<Key> && (kind == KeyKind::word || Takes<P, Key>)) {
    const auto number = to_number<Key>(key, misfit);
    if constexpr (Takes<P, Key>) {
      return policy(static_cast<Key>(number));
    } else {
      return digest_word(policy, word_of<Key>(number));
    }
  } else if constexpr (kind == KeyKind::real) {
    return digest_real<Key>(policy, key, misfit);
  } else if constexpr (kind == KeyKind::wide_integer && Takes<P, Key>) {
    return policy(static_cast<Key>(to_number<Key>(key, misfit)));
  } else if constexpr (Takes<P, Key>) {
    return with_key<Key>(key, misfit, [&](const Key& itself) { return policy(itself); });
  } else if constexpr (kind == KeyKind::custom) {
    return with_key<Key>(key, misfit, [&](const Key& itself) {
      // A reference, so that what perhaps_key returns lives until it is hashed, be it a value or a view.
      const auto& inner = perhaps_key(itself);
      return digest_key<std::remove_cvref_t<decltype(inner)>>(policy, inner, misfit);
    });
  } else if constexpr (kind == KeyKind::reference) {
    return digest_key<std::remove_cv_t<typename Key::type>>(policy, referred(key), misfit);
  } else if constexpr (kind == KeyKind::optional) {
    return digest_optional<Key>(policy, key, misfit);
  } else if constexpr (kind == KeyKind::bytes && MadeFrom<Key, Q> &&
                       (!TextContent<Key> || (std::is_class_v<Q> && !BytesKey<Q>))) {
    return with_key<Key>(key, misfit, [&](const Key& made) { return digest_bytes(policy, made, misfit); });
  } else if constexpr (kind == KeyKind::bytes) {
    return digest_bytes(policy, key, misfit);
  } else if constexpr (kind == KeyKind::tuple) {
    return digest_tuple<Key>(policy, key, misfit);
  } else {
    return digest_compound<Key>(policy, key, misfit);
  }
}

// The digest of an argument, which is a key or a digest already. Throws std::invalid_argument for a value that no Key
// has; without exceptions, such a value gets the digest of some other key.
template <class Key, class P, class Q>
constexpr Digest to_digest(const P& policy, const Q& key) {
  static_assert(!std::same_as<Key, Digest>,
                "perhaps: a Digest is what keys become: give the filter the type of the keys, and pass digests to its "
                "functions.");
  if constexpr (std::same_as<Q, Digest>) {
    return key;
  } else if constexpr (exceptions_enabled) {
    return digest_key<Key>(policy, key, RefuseMisfit{});
  } else {
    bool fits = true;
    return digest_key<Key>(policy, key, NoteMisfit{fits});
  }
}

// Real numbers under a policy of a foreign format: the two zeros are one number, and have two digests.
template <class Key, class P>
concept HasTwoZeros = RealKey<Key> && HashesBitsOfReals<P>;

// `ask(digest)` of the Key that `key` stands for, or `absent` where no Key has its value: what every lookup does. Where
// the value has two digests, the better of both answers.
template <class Key, class P, class Q, class Answer, class Ask>
[[gnu::always_inline]] constexpr Answer ask_for(const P& policy, const Q& key, Answer absent, const Ask& ask) {
  if constexpr (HasTwoZeros<Key, P> && !std::same_as<Q, Digest>) {
    bool fits = true;
    const Key real = to_real<Key>(referred(key), NoteMisfit{fits});
    if (!fits) return absent;
    if ((real_bits(static_cast<double>(real)) & ~sign_of_real) != 0) return ask(policy(real));
    const Answer positive = ask(policy(Key{0}));
    const Answer negative = ask(policy(static_cast<Key>(std::bit_cast<double>(sign_of_real))));
    return negative < positive ? positive : negative;
  } else if constexpr (std::same_as<Q, Digest> || always_fits<Key, Q>()) {
    return ask(to_digest<Key>(policy, key));
  } else {
    bool fits = true;
    const Digest digest = digest_key<Key>(policy, key, NoteMisfit{fits});
    return fits ? ask(digest) : absent;
  }
}

// `put(digest)` of the Key that `key` stands for: what every insertion does. Throws std::invalid_argument for a value
// that no Key has; without exceptions, nothing is put in, and `refused` is the answer.
template <class Key, class P, class Q, class Answer, class Put>
[[gnu::always_inline]] constexpr Answer put_for(const P& policy, const Q& key, Answer refused, const Put& put) {
  if constexpr (exceptions_enabled || std::same_as<Q, Digest>) {
    return put(to_digest<Key>(policy, key));
  } else {
    bool fits = true;
    const Digest digest = digest_key<Key>(policy, key, NoteMisfit{fits});
    return fits ? put(digest) : refused;
  }
}

// Whether the answers for a range of Q can be had from one digest each, as batches do.
template <class Key, class P, class Q>
concept AskedByDigest = std::same_as<Q, Digest> || (always_fits<Key, Q>() && !HasTwoZeros<Key, P>);

template <ComparablePolicy P>
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
  return [&policy]<class Q>(const Q& key) { return to_digest<Key>(policy, key); };
}

}  // namespace detail

/// Adapts a hash of 64 or 32 bits, such as std::hash, whose values need not be well mixed (std::hash of an integer is
/// often the integer itself): two multiplications spread it over a digest. It can't add information: DigestBits says
/// how many good bits F has, and sizing accounts for them. F may hash Key, or words and std::string_view. If F has a
/// stored_id, filters that use it can be saved (stored/format.hpp).
template <class F, unsigned DigestBits = std::numeric_limits<std::size_t>::digits>
class MixedHash : public detail::AdaptedId<F> {
 public:
  static constexpr unsigned digest_bits = DigestBits;  ///< How many bits of F are good

  constexpr MixedHash() requires(!std::is_pointer_v<F>) = default;  ///< Adapts F{}
  constexpr explicit MixedHash(F hash) : hash_(std::move(hash)) {}  ///< Adapts `hash`

  /// The digest of `key`: F's value spread by mix_word. O(1) beside F.
  template <class T>
  requires detail::IntegerHash<F, T> constexpr Digest operator()(const T& key) const {
    using Value = decltype(hash_(key));
    static_assert(std::numeric_limits<Value>::digits >= static_cast<int>(DigestBits),
                  "perhaps: this hash returns fewer bits than MixedHash states: write MixedHash<F, 32>.");
    return mix_word(static_cast<std::uint64_t>(hash_(key)), 0x452821E638D01377U);
  }

  /// Whether the adapted hashes are equal; those without state are. If F has state and no operator==, neither has this.
  friend constexpr bool operator==(const MixedHash& left, const MixedHash& right) requires detail::ComparablePolicy<F> {
    return detail::same_policy(left.hash_, right.hash_);
  }

 private:
  [[no_unique_address]] F hash_{};
};

/// The digest of `key` as a filter of Key and P computes it: pass it to any number of filters with an equal policy.
/// Throws std::invalid_argument for a value that no Key has. O(length of the key).
template <class Key, class P, class Q = Key>
constexpr Digest digest_of(const P& policy, const Q& key) requires HashPolicy<P, Key> {
  return detail::to_digest<Key>(policy, key);
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
