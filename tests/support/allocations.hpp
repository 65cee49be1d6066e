// SPDX-License-Identifier: BSL-1.0
//
// Counts the program's allocations and lets one of them fail: link allocations.cpp, which replaces the global operator
// new, to one test program.
#ifndef PERHAPS_TESTS_SUPPORT_ALLOCATIONS_HPP
#define PERHAPS_TESTS_SUPPORT_ALLOCATIONS_HPP

#include <cstddef>

namespace support {

// How many so far.
std::size_t allocations() noexcept;

// The size of the largest since the last reset, in bytes.
std::size_t largest_allocation() noexcept;
void reset_largest_allocation() noexcept;

// Lets the `number`-th allocation from now on fail, 1 being the next; with 0 none fails.
void fail_allocation(std::size_t number) noexcept;

// Whether it has.
bool allocation_failed() noexcept;

}  // namespace support

#endif
