// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// What every filter of this library can do, as concepts: for code that takes any of them.
#ifndef PERHAPS_FILTER_CONCEPTS_HPP
#define PERHAPS_FILTER_CONCEPTS_HPP

#include <perhaps/digest.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// Takes keys in and answers "perhaps" or "certainly not". Whether insert can refuse is up to the filter: its result is
/// void, or a bool that says so.
template <class F>
concept Filter = std::copyable<F> && std::swappable<F> && std::equality_comparable<F> &&
                 requires(F& filter, const F& constant, const typename F::key_type& key, Digest digest) {
                   filter.insert(key);
                   filter.insert(digest);
                   filter.clear();
                   { constant.may_contain(key) } -> std::same_as<bool>;
                   { constant.may_contain(digest) } -> std::same_as<bool>;
                   { constant.digest(key) } -> std::same_as<Digest>;
                   { constant.empty() } -> std::same_as<bool>;
                   { constant.bytes() } -> std::same_as<std::size_t>;
                   { constant.current_fpr() } -> std::same_as<double>;
                 };

/// Can take keys out again. `erase` says whether it found something to take out.
template <class F>
concept ErasableFilter = Filter<F> && requires(F& filter, const typename F::key_type& key, Digest digest) {
  { filter.erase(key) } -> std::same_as<bool>;
  { filter.erase(digest) } -> std::same_as<bool>;
};

/// Filters of equal parameters can be united in place.
template <class F>
concept MergeableFilter = Filter<F> && requires(F& filter, const F& other) {
  { filter |= other } -> std::same_as<F&>;
  { other.is_compatible(other) } -> std::same_as<bool>;
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
