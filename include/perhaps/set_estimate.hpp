// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// How many keys two Bloom filters have together and in common, with the standard errors, read off their bits:
///
///     const auto sets = estimate_sets(a, b);     sets.both           |A or B|            +- sets.both_error()
///                                                sets.intersection() |A and B|           +- sets.intersection_error()
///                                                sets.jaccard()      their quotient      +- sets.jaccard_error()
///
/// The formulas, and where they are from, are in cardinality.hpp. The larger the union beside the intersection, the
/// less the estimate of the latter says: its error tells.
#ifndef PERHAPS_SET_ESTIMATE_HPP
#define PERHAPS_SET_ESTIMATE_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/cardinality.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/sizing/bloom_geometry.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// Nothing if the filters are not compatible, or were moved from. Over any storage, views included. O(m), no copy.
template <class Key, class Hash, class Layout, class A, class B>
std::optional<SetEstimate> try_estimate_sets(const BloomFilter<Key, Hash, Layout, A>& left,
                                             const BloomFilter<Key, Hash, Layout, B>& right) noexcept {
  if (!left.is_compatible(right) || left.bits() == 0) return std::nullopt;
  std::uint64_t both = 0;
  for (std::size_t i = 0; i < left.words().size(); ++i) {
    both += static_cast<unsigned>(std::popcount(left.words()[i] | right.words()[i]));
  }
  return set_estimate<Layout>(left.bits(), left.hashes(), left.set_bits(), right.set_bits(), both);
}

/// The estimate of try_estimate_sets(). Throws std::invalid_argument that names the differing field if the filters are
/// not compatible, or if they were moved from.
template <class Key, class Hash, class Layout, class A, class B>
SetEstimate estimate_sets(const BloomFilter<Key, Hash, Layout, A>& left, const BloomFilter<Key, Hash, Layout, B>& right)
    requires detail::exceptions_enabled {
  const auto sets = try_estimate_sets(left, right);
  if (left.bits() == 0 && right.bits() == 0) detail::fail_moved_from("estimate_sets");
  if (!sets) detail::fail_incompatible("estimate_sets", "bits", left.bits(), right.bits(), left, right);
  return *sets;
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
