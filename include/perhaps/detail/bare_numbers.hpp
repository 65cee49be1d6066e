// SPDX-License-Identifier: BSL-1.0
//
// What filters say to numbers without names, as other libraries take them: each filter has two constructors that accept
// them, only to explain, in one sentence, how the numbers are named.
#ifndef PERHAPS_DETAIL_BARE_NUMBERS_HPP
#define PERHAPS_DETAIL_BARE_NUMBERS_HPP

#include <perhaps/version.hpp>

#include <concepts>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// A number, converted from its own type. Compilers that take designated initializers for arguments of a constructor
// make no such conversion there, so that filter({.keys = 1000, .fpr = 0.01}) stays what it is.
struct BareNumber {
  template <class T>
  requires(std::integral<T> || std::floating_point<T>) constexpr BareNumber(T) noexcept {
  }  // NOLINT(google-explicit-constructor): the conversion is the point
};

template <class F, class... Never>
F&& explain_bare_numbers() {
  static_assert(
      sizeof...(Never) != sizeof...(Never),
      "perhaps: name the numbers, so that none can be taken for another: filter({.keys = 1000, .fpr = 0.01}).");
  return explain_bare_numbers<F, Never...>();
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
