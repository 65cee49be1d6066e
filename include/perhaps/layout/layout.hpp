// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// BitLayout: where in m bits the k bits of a digest land, and what false-positive rate follows. A layout is a type
/// with static members only; filters are templates over it, and sizing inverts its model.
#ifndef PERHAPS_LAYOUT_LAYOUT_HPP
#define PERHAPS_LAYOUT_LAYOUT_HPP

#include <perhaps/detail/argument.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/layout/position_sequence.hpp>
#include <perhaps/model/classic.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// As many as a rate of 2^-64 is best met with; probe sequences need not have more. Lower rates take more bits.
inline constexpr unsigned max_hashes = 64;
static_assert(max_hashes < detail::row_size, "models keep a number for each k");

/// What filters and sizing ask of a layout. Its members are static:
///
///     name, hashes_rule                 the layout, and which k it takes, in words, for messages
///     block_bits, words_for(m)          what m is a multiple of; how many 64-bit words m bits take
///     takes_hashes(k)                   which k there are
///     insert, test_and_insert, may_contain, each <Isa>(words, m, k, digest)
///                                       set and test the bits of a digest, alike for every instruction set
///     expected_fpr(m, k, n)             the model of the rate. It must not fall as n grows, nor rise as m grows
///     current_fpr(m, k, word)           the rate of the bits word(0), word(1) ..
///     estimated_keys(m, k, X), estimate_variance(m, k, n)
///                                       the number of keys from X bits set, and how well that is known
///
/// Members that a layout may have besides, and what is lacking without them:
///
///     for_each_position, visit_positions_while, all_positions: see CellLayout       no counting filters
///     counter_reaches(m, k, n, T)       the probability that a given one of m counters is at T or above once n
///                                       distinct keys are in: without it, as for k independent positions among all m
///     CounterKernel<Isa, width>         counters of a block at once; without it, counters one by one
///     Batch<Words>                      tiles of keys at once; without it, batches are single calls
///     folds = true                      the positions for m/d bits are those for m, divided by d; without it, filters
///                                       don't fold
///     stored_id                         its number in stored filters; without it, filters are not saved
///     probe_sequence                    the ProbeSequence, if it has one, which is then stored too
///     preferred_hashes                  a k that sizing prefers where it costs up to 3 % more bits; without it, sizing
///                                       takes the k of the least bits
template <class L>
concept BitLayout = requires(OwnedWords& words, const OwnedWords& constant, std::uint64_t bits, unsigned hashes,
                             Digest digest, double keys, std::uint64_t (*word)(std::uint64_t)) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::block_bits } -> std::convertible_to<std::uint64_t>;
  { L::hashes_rule } -> std::convertible_to<std::string_view>;
  { L::takes_hashes(hashes) } -> std::same_as<bool>;
  { L::words_for(bits) } -> std::same_as<std::uint64_t>;
  { L::template insert<isa::Scalar>(words, bits, hashes, digest) } noexcept;
  { L::template test_and_insert<isa::Scalar>(words, bits, hashes, digest) } noexcept -> std::same_as<bool>;
  { L::template may_contain<isa::Scalar>(constant, bits, hashes, digest) } noexcept -> std::same_as<bool>;
  { L::expected_fpr(bits, hashes, keys) } -> std::same_as<double>;
  { L::current_fpr(bits, hashes, word) } -> std::same_as<double>;
  { L::estimated_keys(bits, hashes, bits) } -> std::same_as<double>;
  { L::estimate_variance(bits, hashes, keys) } -> std::same_as<double>;
};

namespace detail {

template <class L>
consteval bool is_no_hash_policy() {
  static_assert(
      !requires { L::digest_bits; },
      "perhaps: this is a hash policy in the place of the layout: the hash comes before the layout, second in "
      "BloomFilter<Key, XxHash3, SplitBlock<>>, third in CountingBloomFilter.");
  return true;
}

// The layout that a filter is given: a BitLayout, and a sentence for a hash policy, which does not compile.
template <class L>
concept LayoutArgument = is_no_hash_policy<L>() && BitLayout<L>;

}  // namespace detail

/// A layout whose positions can be taken one by one, for cells other than bits, as counting filters do:
/// `for_each_position` visits all k; `visit_positions_while` stops where a visit says false, and says how many said
/// true; `all_positions` says whether a test holds for all.
template <class L>
concept CellLayout =
    BitLayout<L> && requires(std::uint64_t positions, unsigned hashes, Digest digest, bool (*visit)(std::uint64_t)) {
      L::for_each_position(positions, hashes, digest, visit);
      { L::visit_positions_while(positions, hashes, digest, visit) } -> std::same_as<unsigned>;
      { L::all_positions(positions, hashes, digest, visit) } -> std::same_as<bool>;
    };

namespace detail {

// Demands (detail/argument.hpp) what a filter of this layout must have: a number of positions, called `what`, and
// hashes.
template <class Layout>
bool demand_geometry(const char* what, std::uint64_t positions, unsigned hashes) {
  if (!demand_above_0(what, positions)) return false;
  if (positions % Layout::block_bits != 0) [[unlikely]] {
    const std::string rule =
        "a multiple of " + show(std::uint64_t{Layout::block_bits}) + ", the block of " + std::string(Layout::name);
    return demand(false, what, rule.c_str(), positions);
  }
  if (!Layout::takes_hashes(hashes)) [[unlikely]] {
    return demand(false, "hashes", std::string(Layout::hashes_rule).c_str(), hashes);
  }
  return true;
}

// Demands arguments that a layout's model is defined for: such a filter, and so many keys.
template <class Layout>
bool demand_model(std::uint64_t bits, unsigned hashes, double keys) {
  return demand_geometry<Layout>("bits", bits, hashes) && demand_count("keys", keys);
}

// What CellLayout asks for, for layouts whose positions_of(positions, digest) is a position sequence
// (layout/position_sequence.hpp).
template <class Layout>
struct PositionVisitor {
  // Calls `visit(position)` for the k positions of `digest` in [0, positions), for cells other than bits: bit i and
  // cell i are the same position. A position that two probes hit is visited twice. O(k).
  template <class Visit>
  static void for_each_position(std::uint64_t positions, unsigned hashes, Digest digest, Visit visit) noexcept {
    visit_positions_while(positions, hashes, digest, [visit](std::uint64_t position) {
      visit(position);
      return true;
    });
  }

  // Calls `visit(position)` for them in turn until one says false; how many said true. O(k).
  template <class Visit>
  static unsigned visit_positions_while(std::uint64_t positions, unsigned hashes, Digest digest, Visit visit) noexcept {
    return visit_while(hashes, Layout::positions_of(positions, digest), visit);
  }

  // Whether `test(position)` holds for all of them. Branches once in eight, like may_contain. O(k).
  template <class Test>
  static bool all_positions(std::uint64_t positions, unsigned hashes, Digest digest, Test test) noexcept {
    return all_of_positions(hashes, Layout::positions_of(positions, digest), test);
  }
};

// What plain storage under this layout is aligned to, in bytes: a block, so that none straddles two cache lines.
template <class Layout>
inline constexpr std::size_t block_alignment = Layout::block_bits >= 512  ? 64
                                               : Layout::block_bits <= 64 ? 8
                                                                          : std::size_t{Layout::block_bits / 8};

// A hash policy made for one layout names it as `required_layout`. Every filter asserts this; those without a layout
// ask for void.
template <class Hash, class Layout>
consteval bool explain_layout() {
  if constexpr (requires { typename Hash::required_layout; }) {
    static_assert(
        std::same_as<typename Hash::required_layout, Layout>,
        "perhaps: this hash policy serves one layout only, its required_layout: ParquetHash, for instance, makes "
        "32-bit halves for ParquetBlock, and would spoil the rate of any other.");
  }
  return true;
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
