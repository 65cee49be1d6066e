// SPDX-License-Identifier: BSL-1.0
//
// The tests come in two sizes. The default suite asks each law of one filter of every kind that has code of its own,
// and takes minutes to compile and run. The full suite (CMake's PERHAPS_FULL_TESTS)
// asks each law of the full product of widths, probe sequences and block sizes, and measures longer.
#ifndef PERHAPS_TESTS_SUPPORT_SUITE_HPP
#define PERHAPS_TESTS_SUPPORT_SUITE_HPP

#include <type_traits>

namespace support {

#if defined(PERHAPS_FULL_TESTS)
inline constexpr bool full_suite = true;
#else
inline constexpr bool full_suite = false;
#endif

// The list of types to test: `Full`, or `Default`, which is a part of it.
template <class Full, class Default>
using Suite = std::conditional_t<full_suite, Full, Default>;

// A number of repetitions, of random steps or of samples.
template <class Number>
constexpr Number repetitions(Number full, Number by_default) {
  return full_suite ? full : by_default;
}

}  // namespace support

#endif
