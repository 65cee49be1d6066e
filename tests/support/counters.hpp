// SPDX-License-Identifier: BSL-1.0
//
// Counters of a counting filter, read off its words, and the places of a key, by their definition.
#ifndef PERHAPS_TESTS_SUPPORT_COUNTERS_HPP
#define PERHAPS_TESTS_SUPPORT_COUNTERS_HPP

#include <perhaps/digest.hpp>

#include <cstdint>
#include <map>

#include "support/layouts.hpp"

namespace support {

// Counter `place`, read off the words by the documented layout.
template <class F>
std::uint64_t counter(const F& filter, std::uint64_t place) {
  constexpr unsigned per_word = 64 / F::counter_bits;
  return (filter.words()[place / per_word] >> (place % per_word * F::counter_bits)) & F::max_count;
}

// Each place of a digest, and how many of its probes hit it.
template <class F>
std::map<std::uint64_t, std::uint64_t> places_of(const F& filter, perhaps::Digest digest) {
  std::map<std::uint64_t, std::uint64_t> places;
  using Definition = Definition<typename F::layout>;
  for (const std::uint64_t place : Definition::places(digest, filter.counters(), filter.hashes())) ++places[place];
  return places;
}

}  // namespace support

#endif
