// SPDX-License-Identifier: BSL-1.0
//
// What compilers say to operators between filters that have none: the deleted function's template argument Why names
// the reason. Deleted, so that a requires expression still finds that there is no such operator.
#ifndef PERHAPS_DETAIL_MERGING_HPP
#define PERHAPS_DETAIL_MERGING_HPP

#include <perhaps/version.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

namespace perhaps {
inline namespace PERHAPS_ABI {

template <class Filter, class Key>
class BatchLookups;

namespace detail {

// The reasons.
struct OnlyFiltersOfEqualKeyHashAndLayoutCanBeMerged;
struct CuckooFiltersCannotBeMergedInsertTheKeysOrUseBloomFilters;
struct AViewOnlyReadsCopyItIntoAFilterOfItsOwn;

template <class F>
concept AnyFilter = requires {
  typename F::key_type;
  requires std::derived_from<F, BatchLookups<F, typename F::key_type>>;
};

template <class F>
concept OnlyReads = requires(typename F::storage& words) {
  { words.words() } -> std::same_as<std::span<const std::uint64_t>>;
};

template <class A>
using WhyNotMerged =
    std::conditional_t<requires { A::fingerprint_bits; } || requires { A::stage_type::fingerprint_bits; },
                       CuckooFiltersCannotBeMergedInsertTheKeysOrUseBloomFilters,
                       std::conditional_t<OnlyReads<A>, AViewOnlyReadsCopyItIntoAFilterOfItsOwn,
                                          OnlyFiltersOfEqualKeyHashAndLayoutCanBeMerged>>;

}  // namespace detail

template <class A, detail::AnyFilter B, class Why = detail::WhyNotMerged<std::remove_cvref_t<A>>>
requires(detail::AnyFilter<std::remove_cvref_t<A>> && !requires(A& left, const B& right) { left.operator|=(right); })
void operator|=(A&&, const B&) = delete;

template <class A, detail::AnyFilter B, class Why = detail::WhyNotMerged<std::remove_cvref_t<A>>>
requires(detail::AnyFilter<std::remove_cvref_t<A>> && !requires(A& left, const B& right) { left.operator&=(right); })
void operator&=(A&&, const B&) = delete;

template <class A, detail::AnyFilter B, class Why = detail::WhyNotMerged<std::remove_cvref_t<A>>>
requires(detail::AnyFilter<std::remove_cvref_t<A>> && !requires(A& left, const B& right) { left.operator+=(right); })
void operator+=(A&&, const B&) = delete;

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
