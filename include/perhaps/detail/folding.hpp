// SPDX-License-Identifier: BSL-1.0
//
// Folding: the filter of m/d bits from that of m bits, by OR of d neighbours, since floor(x m/d) = floor(floor(x m)/d):
//
//     d = 3     |..1...|.1.1..|......|...1..|        bits, of the classic layout; or whole blocks, lane by lane
//                v  v   v  v   v  v   v  v
//               |1.|11|..|.1|
//
// Exact: not a superset of what the small filter would be, but that filter.
#ifndef PERHAPS_DETAIL_FOLDING_HPP
#define PERHAPS_DETAIL_FOLDING_HPP

#include <perhaps/detail/packed_counters.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Whether any of the bits [first, last) is set. Templates, here and below, so that only programs that fold compile
// them.
template <class Words>
bool any_bit(const Words& words, std::uint64_t first, std::uint64_t last) noexcept {
  const auto begin = to_size(first / 64);
  const auto end = to_size((last - 1) / 64);
  const std::uint64_t from = ~std::uint64_t{0} << (first % 64);
  const std::uint64_t to = ~std::uint64_t{0} >> (63 - (last - 1) % 64);
  if (begin == end) return (words[begin] & from & to) != 0;
  std::uint64_t any = (words[begin] & from) | (words[end] & to);
  for (std::size_t i = begin + 1; i < end && any == 0; ++i) any |= words[i];
  return any != 0;
}

// `to[i]` gets the OR of `d` bits each of `from`'s `bits` bits; d divides bits, `to` is zero. O(bits/64 + bits/d).
template <class Words>
void fold_single_bits(const Words& from, std::uint64_t bits, std::uint64_t d, std::span<std::uint64_t> to) noexcept {
  const auto gather = [&]<unsigned Bits>() {
    using Groups = PackedCounters<Bits>;
    for (std::size_t i = 0; i < from.size(); ++i) {
      to[i / Bits] |= Groups::gather(Groups::nonzero(from[i])) << (i % Bits * Groups::per_word);
    }
  };
  if (d == 2) return gather.template operator()<2>();
  if (d == 4) return gather.template operator()<4>();
  if (d == 8) return gather.template operator()<8>();
  for (std::uint64_t i = 0; i < bits / d; ++i) {
    if (any_bit(from, i * d, i * d + d)) to[to_size(i / 64)] |= std::uint64_t{1} << (i % 64);
  }
}

// Folds blocks of whole words: `to`'s block i gets the OR of d blocks of `from`.
template <class Words>
void fold_blocks(const Words& from, std::size_t block_words, std::uint64_t d, std::span<std::uint64_t> to) noexcept {
  const std::size_t blocks = to.size() / block_words;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t part = 0; part < to_size(d); ++part) {
      const std::size_t source = (block * to_size(d) + part) * block_words;
      for (std::size_t i = 0; i < block_words; ++i) to[block * block_words + i] |= from[source + i];
    }
  }
}

// A layout that says that it can be folded: it picks bits, or blocks, by fast_range of one hash.
template <class Layout>
concept Folds = requires { requires Layout::folds; };

// Words of m/d bits, zero at first, from those of m.
template <class Layout>
void fold_words(std::span<const std::uint64_t> from, std::uint64_t bits, std::uint64_t d,
                std::span<std::uint64_t> to) noexcept {
  static_assert(
      Folds<Layout>,
      "perhaps: this layout can't be folded: a key's positions among m/d must be its positions among m, divided by d. "
      "One for which that holds says so by `static constexpr bool folds = true;`.");
  if constexpr (Layout::block_bits % 64 == 0) {
    fold_blocks(from, Layout::block_bits / 64, d, to);
  } else {
    static_assert(Layout::block_bits == 1, "perhaps: layouts fold by single bits or by blocks of whole words.");
    fold_single_bits(from, bits, d, to);
  }
}

// Calls `try_prime(p)` for the prime factors p >= least of `number`, each once, upwards. O(sqrt(number)).
template <class TryPrime>
void for_each_prime(std::uint64_t number, std::uint64_t least, TryPrime try_prime) {
  for (std::uint64_t p = 2; p <= number / p; ++p) {
    if (number % p != 0) continue;
    while (number % p == 0) number /= p;
    if (p >= least) try_prime(p);
  }
  if (number > 1 && number >= least) try_prime(number);
}

// The words of the filter of m/d bits, in memory of their own; nothing if memory lacks.
template <class Layout, class Storage>
std::optional<Storage> folded_words(std::span<const std::uint64_t> from, std::uint64_t bits, std::uint64_t d) noexcept {
  auto words = Storage::make(to_size(Layout::words_for(bits / d)));
  if (words) fold_words<Layout>(from, bits, d, words->words());
  return words;
}

// The largest divisor d of the number of units, bits or blocks, by which these words can be folded so that
// `passes(words, bits)` holds; 0 if memory lacks. What does not pass never does after further folding, so the search
// goes from each to its multiples, by primes >= `least` in rising order: every divisor is reached once, from one that
// is smaller already.
template <class Layout, class Storage, class Passes>
std::uint64_t widest_fold(std::span<const std::uint64_t> words, std::uint64_t bits, std::uint64_t least,
                          Passes passes) noexcept {
  std::uint64_t best = 1;
  for_each_prime(bits / Layout::block_bits, least, [&](std::uint64_t p) {
    if (best == 0) return;
    const auto folded = folded_words<Layout, Storage>(words, bits, p);
    if (!folded) best = 0;
    if (!folded || !passes(folded->words(), bits / p)) return;
    const std::uint64_t d = p * widest_fold<Layout, Storage>(folded->words(), bits / p, p, passes);
    if (d == 0 || d > best) best = d;
  });
  return best;
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
