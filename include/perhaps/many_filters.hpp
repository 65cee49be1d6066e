// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// One key, many filters: what a store with a filter for each of its files asks. The key is hashed once, and the memory
/// of 16 filters is asked for before the first of them is read, so that their misses of the cache overlap.
///
///     const auto digest = perhaps::digest<std::string>("owl");         no filter need be at hand to hash
///     perhaps::any_may_contain(filters, digest)                        false: certainly in none of them
///     perhaps::which_may_contain(filters, digest, masks.begin())       bit i % 64 of word i / 64: filter i
///
/// `filters` is a range of filters, of pointers to them, plain or smart and none of them null, or of
/// std::reference_wrapper. All of them have the hash policy that the digest was made with.
#ifndef PERHAPS_MANY_FILTERS_HPP
#define PERHAPS_MANY_FILTERS_HPP

#include <perhaps/digest.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class F>
concept AnswersDigests = requires(const F& filter, Digest digest) {
  filter.may_contain(digest);
  filter.prefetch(digest);
};

// The filter that an element of a range stands for.
template <class Element>
const auto& filter_of(const Element& element) noexcept {
  if constexpr (AnswersDigests<Element>) {
    return element;
  } else if constexpr (requires { element.get().may_contain(Digest{}); }) {
    return element.get();
  } else {
    return *element;
  }
}

// Calls `answer(mask, count)` for up to 16 filters at a time: bit i of the mask is what filter i of them says. Ends
// when that says false.
template <class Filters, class Answer>
void ask_many(Filters&& filters, Digest digest, const Answer& answer) {
  using Element = decltype(*std::begin(filters));
  using F = std::remove_cvref_t<decltype(filter_of(*std::begin(filters)))>;
  static_assert(AnswersDigests<F>,
                "perhaps: this asks a range of filters of this library, of pointers to them, or of "
                "std::reference_wrapper.");
  static_assert(std::is_reference_v<Element> || !AnswersDigests<Element>,
                "perhaps: this range makes each filter anew, and it is gone before it is asked: ask a range of filters "
                "that are kept, or of pointers to them.");
  constexpr std::size_t most = 16;
  std::array<const F*, most> asked{};
  auto next = std::begin(filters);
  const auto end = std::end(filters);
  for (;;) {
    std::size_t count = 0;
    for (; count < most && next != end; ++next, ++count) {
      asked[count] = &filter_of(*next);
      asked[count]->prefetch(digest);
    }
    if (count == 0) return;
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < count; ++i) mask |= std::uint64_t{asked[i]->may_contain(digest)} << i;
    if (!answer(mask, count) || count < most) return;
  }
}

}  // namespace detail

/// The digest of `key` as filters of this Key and Hash compute it, with no filter at hand: pass it to any number of
/// filters with an equal hash policy. digest<std::string>("owl") is that of XxHash3 without a seed. Throws
/// std::invalid_argument for a value that no Key has. O(length of the key).
template <class Key, class Hash = XxHash3, class Q = Key>
[[nodiscard]] constexpr Digest digest(const Q& key, const Hash& hash = Hash{}) requires HashPolicy<Hash, Key> {
  return detail::to_digest<Key>(hash, key);
}

/// Which of the filters answer "perhaps": writes a std::uint64_t for each 64 of them to `out`, whose end is returned.
/// Bit i % 64 of word i / 64 is filter i's answer; bits beyond the last filter are 0. O(filters).
template <class Filters, class Out>
Out which_may_contain(Filters&& filters, Digest digest, Out out) {
  std::uint64_t word = 0;
  std::size_t filled = 0;
  detail::ask_many(filters, digest, [&](std::uint64_t mask, std::size_t count) {
    word |= mask << filled;
    filled += count;
    if (filled == 64) {
      *out++ = word;
      word = 0;
      filled = 0;
    }
    return true;
  });
  if (filled != 0) *out++ = word;
  return out;
}

/// Whether any of the filters answers "perhaps". False: the key of `digest` is certainly in none of them. O(filters).
template <class Filters>
[[nodiscard]] bool any_may_contain(Filters&& filters, Digest digest) {
  bool any = false;
  detail::ask_many(filters, digest, [&any](std::uint64_t mask, std::size_t) {
    any = mask != 0;
    return !any;
  });
  return any;
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
