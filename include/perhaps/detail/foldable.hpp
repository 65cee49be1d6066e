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

#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/folding.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
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
    check_not_moved_from("folded");
    if (!folds_by(d)) {
      fail<std::invalid_argument>("d must divide " + show(units()) + (block_bits() == 1 ? " bits" : " blocks") +
                                  ", got " + show(d));
    }
    return fold(d);
  }

  /// The filter folded as far as its rate, with the keys that are in, stays at most `fpr`: by the largest such d.
  /// O(m) for each prime factor of m. A filter without keys folds to one bit, or one block.
  /// Throws std::invalid_argument for an fpr outside (0, 1) or below current_fpr(), where there is no such d;
  /// std::bad_alloc.
  [[nodiscard]] Owner fold_to(double fpr) const requires exceptions_enabled {
    demand_rate("fpr", fpr);
    check_not_moved_from("fold_to");
    const double rate = self().current_fpr();
    if (rate > fpr) fail<std::invalid_argument>("fpr = " + show(fpr) + " is below this filter's rate, " + show(rate));
    const std::uint64_t d = widest(fpr);
    if (d == 0) fail_for_memory();
    return fold(d);
  }

  /// folded() without exceptions: nothing where it throws, or where memory lacks. O(m).
  [[nodiscard]] std::optional<Owner> try_folded(std::uint64_t d) const noexcept {
    return folds_by(d) ? try_fold(d) : std::nullopt;
  }

  /// fold_to() without exceptions: nothing where it throws, or where memory lacks. O(m) for each prime factor of m.
  [[nodiscard]] std::optional<Owner> try_fold_to(double fpr) const noexcept {
    if (!is_rate(fpr) || units() == 0 || self().current_fpr() > fpr) return std::nullopt;
    const std::uint64_t d = widest(fpr);
    return d != 0 ? try_fold(d) : std::nullopt;
  }

 private:
  friend Filter;
  Foldable() = default;

  const Filter& self() const noexcept { return static_cast<const Filter&>(*this); }

  static constexpr std::uint64_t block_bits() noexcept { return Filter::layout::block_bits; }
  std::uint64_t units() const noexcept { return self().bits() / block_bits(); }

  bool folds_by(std::uint64_t d) const noexcept { return d > 0 && units() > 0 && units() % d == 0; }

  void check_not_moved_from(const char* operation) const {
    if (units() == 0) fail_moved_from(operation);
  }

  auto words_folded(std::uint64_t d) const noexcept {
    return folded_words<typename Filter::layout, typename Owner::storage>(self().words(), self().bits(), d);
  }

  Owner fold(std::uint64_t d) const {
    auto hash = self().hash_policy();
    auto words = words_folded(d);
    if (!words) fail_for_memory();
    return Owner({.bits = self().bits() / d, .hashes = self().hashes()}, *std::move(words), std::move(hash));
  }

  std::optional<Owner> try_fold(std::uint64_t d) const noexcept {
    auto words = words_folded(d);
    if (!words) return std::nullopt;
    return attempt([&] {
      return Owner::make({.bits = self().bits() / d, .hashes = self().hashes()}, *std::move(words),
                         self().hash_policy());
    });
  }

  // 0 if memory lacks.
  std::uint64_t widest(double fpr) const noexcept {
    using Layout = typename Filter::layout;
    return widest_fold<Layout, typename Owner::storage>(
        self().words(), self().bits(), 1, [&](std::span<const std::uint64_t> words, std::uint64_t bits) {
          const auto word = [words](std::uint64_t i) { return words[to_size(i)]; };
          return Layout::current_fpr(bits, self().hashes(), word) <= fpr;
        });
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
