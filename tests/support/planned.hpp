// SPDX-License-Identifier: BSL-1.0
//
// Filling cuckoo tables that were planned for a number of keys.
#ifndef PERHAPS_TESTS_SUPPORT_PLANNED_HPP
#define PERHAPS_TESTS_SUPPORT_PLANNED_HPP

#include <cstdint>

namespace support {

// Fills tables planned for `keys` keys, each with keys of its own; how many refuse one of them.
template <class F>
std::uint64_t refusals(std::uint64_t keys, std::uint64_t tables) {
  F filter({.keys = keys});
  std::uint64_t refused = 0;
  for (std::uint64_t table = 0; table < tables; ++table) {
    filter.clear();
    std::uint64_t key = table << 32U;
    const std::uint64_t end = key + keys;
    while (key != end && filter.insert(key)) ++key;
    refused += key == end ? 0U : 1U;
  }
  return refused;
}

}  // namespace support

#endif
