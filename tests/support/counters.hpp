// SPDX-License-Identifier: BSL-1.0
//
// Counters of a counting filter, read off its words, and the positions of a key, by their definition.
#ifndef PERHAPS_TESTS_SUPPORT_COUNTERS_HPP
#define PERHAPS_TESTS_SUPPORT_COUNTERS_HPP

#include <perhaps/digest.hpp>

#include <cstdint>
#include <map>

#include "support/layouts.hpp"

namespace support {

// Counter `position`, read off the words by the documented layout.
template <class F>
std::uint64_t counter(const F& filter, std::uint64_t position) {
  constexpr unsigned per_word = 64 / F::counter_bits;
  return (filter.words()[position / per_word] >> (position % per_word * F::counter_bits)) & F::max_count;
}

// Each position of a digest, and how many of its probes hit it.
template <class F>
std::map<std::uint64_t, std::uint64_t> positions_of(const F& filter, perhaps::Digest digest) {
  std::map<std::uint64_t, std::uint64_t> positions;
  using Definition = Definition<typename F::layout>;
  for (const std::uint64_t position : Definition::positions(digest, filter.counters(), filter.hashes()))
    ++positions[position];
  return positions;
}

}  // namespace support

#endif
