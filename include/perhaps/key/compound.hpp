// SPDX-License-Identifier: BSL-1.0
//
// The digests of keys that are made of others: sequences, variants, paths, durations, wide text, and integers of 128
// bits. Each is made of digests of words and bytes, so that it is one on every platform.
#ifndef PERHAPS_KEY_COMPOUND_HPP
#define PERHAPS_KEY_COMPOUND_HPP

#include <perhaps/digest.hpp>
#include <perhaps/key/conversion.hpp>
#include <perhaps/key/integers.hpp>
#include <perhaps/key/shapes.hpp>
#include <perhaps/key_encoding.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// The digest of the Key that `key` stands for: hashing.hpp.
template <class Key, class P, class Q, class Misfit>
constexpr Digest digest_key(const P& policy, const Q& key, const Misfit& misfit);

// Of 128 bits: the low word, then the high one, as a pair of words.
template <class Key, class P, class Q, class Misfit>
constexpr Digest digest_wide_integer(const P& policy, const Q& key, const Misfit& misfit) {
  const auto number = to_number<Key>(key, misfit);
  const auto wide = static_cast<Key>(number);
  const Digest low = digest_key<std::uint64_t>(policy, static_cast<std::uint64_t>(wide), misfit);
  const Digest high = digest_key<std::uint64_t>(policy, static_cast<std::uint64_t>(wide >> 64U), misfit);
  return combine(combine(Digest{2, 0}, low), high);
}

// Element by element, as a tuple of as many fields.
template <class Key, class P, class Q, class Misfit>
constexpr Digest digest_sequence(const P& policy, const Q& key, const Misfit& misfit) {
  if constexpr (!IsA<Q, Key> && std::convertible_to<const Q&, Key>) {
    return with_key<Key>(key, misfit, [&](const Key& made) { return digest_sequence<Key>(policy, made, misfit); });
  } else {
    constexpr bool alike = SequenceKey<Q> && !BytesKey<Q> && !WideText<Q>;
    static_assert(alike,
                  "perhaps: this filter's keys are sequences: look one up by a range of such elements, a std::vector "
                  "or a std::span for instance.");
    Digest digest{};
    if constexpr (alike) {
      if constexpr (requires {
                      { key.size() } -> std::convertible_to<std::size_t>;
                    }) {
        digest.g = key.size();
      } else {
        for (const auto& element : key) {
          static_cast<void>(element);
          ++digest.g;
        }
      }
      for (const auto& element : key) {
        digest = combine(digest, digest_key<ElementOf<Key>>(policy, element, misfit));
      }
    }
    return digest;
  }
}

// The index of the alternative, and its value.
template <class Key, class P, class Misfit, class... Ts>
constexpr Digest digest_alternative(const P& policy, const Key& key, const Misfit& misfit, Alternatives<Ts...>) {
  using std::get;
  if (key.valueless_by_exception()) return {~std::uint64_t{0}, 2};
  return [&]<std::size_t... Is>(std::index_sequence<Is...>) {
    Digest digest{};
    static_cast<void>(((key.index() == Is && (digest = digest_key<Ts>(policy, get<Is>(key), misfit), true)) || ...));
    return combine(Digest{key.index(), 2}, digest);
  }(std::index_sequence_for<Ts...>{});
}

// One name of a path, which is itself a path: in UTF-8, as it is where paths are made of char.
template <class P, class Path, class Misfit>
Digest digest_name(const P& policy, const Path& name, const Misfit& misfit) {
  if constexpr (std::same_as<typename Path::value_type, char>) {
    return digest_key<std::string_view>(policy, std::string_view(name.native()), misfit);
  } else {
    const auto text = name.u8string();
    return digest_key<std::string_view>(policy, text, misfit);
  }
}

// The root's name, whether the root directory follows, and the names behind it: paths that are == are one key.
template <class P, class Path, class Misfit>
Digest digest_path(const P& policy, const Path& path, const Misfit& misfit) {
  const auto root = path.root_name();
  const bool rooted = path.has_root_directory();
  Digest digest = combine(Digest{rooted ? 1U : 0U, 3}, digest_name(policy, root, misfit));
  int skipped = (root.native().empty() ? 0 : 1) + (rooted ? 1 : 0);
  std::uint64_t names = 0;
  for (const auto& name : path) {
    if (skipped-- > 0) continue;
    digest = combine(digest, digest_name(policy, name, misfit));
    ++names;
  }
  return combine(digest, Digest{names, 3});
}

// The characters of wide text, in place. Arrays and C strings end at their first NUL.
template <class Q, class Misfit>
auto wide_view(const Q& text, const Misfit& misfit) {
  using Char = WideCharOf<Q>;
  using View = std::basic_string_view<Char>;
  if constexpr (std::is_array_v<Q> && std::extent_v<Q> != 0) {
    const View all(text, std::extent_v<Q>);
    return all.substr(0, all.find(Char{}));
  } else if constexpr (std::is_array_v<Q> || std::is_pointer_v<Q>) {
    const Char* first = text;
    if (first == nullptr) {
      misfit.null_text();
      return View();
    }
    return View(first);
  } else if constexpr (requires { std::span(text); }) {
    const std::span span(text);
    return View(span.data(), span.size());
  } else {
    return static_cast<View>(text);
  }
}

// The units of the text, each of 16 or 32 bits, lowest byte first.
template <class P, class Char, class Misfit>
Digest digest_units(const P& policy, std::basic_string_view<Char> text, const Misfit& misfit) {
  if constexpr (std::endian::native == std::endian::little) {
    const std::string_view bytes(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(Char));
    return digest_key<std::string_view>(policy, bytes, misfit);
  } else {
    std::string bytes;
    bytes.reserve(text.size() * sizeof(Char));
    for (const Char unit : text) {
      for (unsigned i = 0; i < sizeof(Char); ++i) {
        bytes += static_cast<char>(static_cast<unsigned char>(static_cast<std::uint32_t>(unit) >> (8 * i) & 0xFFU));
      }
    }
    return digest_key<std::string_view>(policy, bytes, misfit);
  }
}

// Wide text that is its content, such as std::u16string: a conversion to one copies the content and no more.
template <class Key>
concept WideContent = WideText<Key> && (std::is_pointer_v<Key> || std::is_array_v<Key> ||
                                        requires { requires WideChar<std::remove_cv_t<typename Key::value_type>>; });

template <class Key, class P, class Q, class Misfit>
Digest digest_wide_text(const P& policy, const Q& key, const Misfit& misfit) {
  if constexpr (IsA<Q, Key>) {
    return digest_units(policy, wide_view(static_cast<const Key&>(key), misfit), misfit);
  } else if constexpr (WideContent<Key> && std::same_as<WideCharOf<Q>, WideCharOf<Key>> &&
                       (!std::is_class_v<Q> || WideContent<Q>)) {
    return digest_units(policy, wide_view(key, misfit), misfit);
  } else {
    constexpr bool converts = std::convertible_to<const Q&, Key>;
    static_assert(converts, "perhaps: this filter's keys are wide text: look one up by text of such characters.");
    if constexpr (converts) {
      return with_key<Key>(key, misfit, [&](const Key& made) { return digest_wide_text<Key>(policy, made, misfit); });
    } else {
      return Digest{};
    }
  }
}

// The digest of a key of one of these kinds.
template <class Key, class P, class Q, class Misfit>
constexpr Digest digest_compound(const P& policy, const Q& key, const Misfit& misfit) {
  constexpr KeyKind kind = kind_of_key<Key>();
  if constexpr (kind == KeyKind::wide_integer) {
    return digest_wide_integer<Key>(policy, key, misfit);
  } else if constexpr (kind == KeyKind::wide_text) {
    return digest_wide_text<Key>(policy, key, misfit);
  } else if constexpr (kind == KeyKind::sequence) {
    return digest_sequence<Key>(policy, key, misfit);
  } else {
    return with_key<Key>(key, misfit, [&](const Key& made) {
      if constexpr (kind == KeyKind::path) {
        return digest_path(policy, made, misfit);
      } else if constexpr (kind == KeyKind::duration) {
        return digest_key<typename Key::rep>(policy, made.count(), misfit);
      } else if constexpr (kind == KeyKind::time_point) {
        return digest_key<typename Key::duration>(policy, made.time_since_epoch(), misfit);
      } else if constexpr (kind == KeyKind::variant) {
        return digest_alternative(policy, made, misfit, typename AlternativesOf<Key>::type{});
      } else {
        return Digest{};  // a class without members: one value
      }
    });
  }
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
