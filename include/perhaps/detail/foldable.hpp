// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// What a Bloom filter has of folding: members folded(d) and fold_to(fpr), for filters over any storage. The result is
/// a filter of its own. detail/folding.hpp has the picture.
///
/// Which rates can be reached depends on the divisors of m, or of the number of blocks: who plans to fold makes m a
/// round number, a power of two for instance. k stays as it is.
#ifndef PERHAPS_DETAIL_FOLDABLE_HPP
#define PERHAPS_DETAIL_FOLDABLE_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/detail/folding.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

namespace perhaps::inline PERHAPS_ABI {
/// What filters are made of; of it, only this class is for reading.
namespace detail {

/// The members for folding that every BloomFilter has.
template <class Filter, class Owner>
class Foldable {
 public:
  /// The filter of m/d bits with the same keys, k and hash policy: exactly the one that inserting them there makes.
  /// O(m). Throws std::invalid_argument unless d divides m, or the number of blocks in layouts of blocks;
  /// std::bad_alloc.
  [[nodiscard]] Owner folded(std::uint64_t d) const requires exceptions_enabled {
    if (!folds_by(d)) {
      fail<std::invalid_argument>("d must divide " + show(units()) + (block_bits() == 1 ? " bits" : " blocks") +
                                  ", got " + show(d));
    }
    return fold(self(), d);
  }

  /// The filter folded as far as its rate, with the keys that are in, stays at most `fpr`: by the largest such d.
  /// O(m) for each prime factor of m. A filter without keys folds to one bit, or one block.
  /// Throws std::invalid_argument for an fpr outside (0, 1) or below current_fpr(), where there is no such d.
  [[nodiscard]] Owner fold_to(double fpr) const requires exceptions_enabled {
    if (!(fpr > 0 && fpr < 1)) fail<std::invalid_argument>("fpr must be in (0, 1), got " + show(fpr));
    const double rate = self().current_fpr();
    if (!(rate <= fpr)) {
      fail<std::invalid_argument>("fpr = " + show(fpr) + " is below this filter's rate, " + show(rate));
    }
    return fold(self(), widest(fpr));
  }

  /// Both without exceptions: nothing where they throw.
  [[nodiscard]] std::optional<Owner> try_folded(std::uint64_t d) const {
    if (!folds_by(d)) return std::nullopt;
    return fold(self(), d);
  }

  /// fold_to() without exceptions: nothing where it throws. O(m) for each prime factor of m.
  [[nodiscard]] std::optional<Owner> try_fold_to(double fpr) const {
    if (!(fpr > 0 && fpr < 1) || !(self().current_fpr() <= fpr)) return std::nullopt;
    return fold(self(), widest(fpr));
  }

 private:
  friend Filter;
  Foldable() = default;

  const Filter& self() const noexcept { return static_cast<const Filter&>(*this); }

  static constexpr std::uint64_t block_bits() noexcept { return Filter::layout::block_bits; }
  std::uint64_t units() const noexcept { return self().bits() / block_bits(); }

  bool folds_by(std::uint64_t d) const noexcept { return d > 0 && units() > 0 && units() % d == 0; }

  template <class From>
  static Owner fold(const From& from, std::uint64_t d) {
    using Layout = typename Filter::layout;
    const std::uint64_t bits = from.bits() / d;
    typename Owner::storage words(static_cast<std::size_t>(Layout::words_for(bits)));
    fold_words<Layout>(from.words(), from.bits(), d, words.words());
    return *Owner::make({.bits = bits, .hashes = from.hashes()}, std::move(words), from.hash_policy());
  }

  std::uint64_t widest(double fpr) const {
    return widest_fold(
        self(), units(), 1, [](const auto& filter, std::uint64_t d) { return fold(filter, d); },
        [fpr](const auto& filter) { return filter.current_fpr() <= fpr; });
  }
};

}  // namespace detail
}  // namespace perhaps::inline PERHAPS_ABI

#endif
