// SPDX-License-Identifier: BSL-1.0
//
// Counts the program's allocations: link allocations.cpp, which replaces the global operator new, to one test program.
#ifndef PERHAPS_TESTS_SUPPORT_ALLOCATIONS_HPP
#define PERHAPS_TESTS_SUPPORT_ALLOCATIONS_HPP

#include <cstddef>

namespace support {

// How many so far.
std::size_t allocations() noexcept;

// The size of the largest since the last reset, in bytes.
std::size_t largest_allocation() noexcept;
void reset_largest_allocation() noexcept;

}  // namespace support

#endif
