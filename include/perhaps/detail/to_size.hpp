// SPDX-License-Identifier: BSL-1.0
//
// From 64-bit numbers of words or bytes, in which filters count, to std::size_t, in which memory is addressed.
#ifndef PERHAPS_DETAIL_TO_SIZE_HPP
#define PERHAPS_DETAIL_TO_SIZE_HPP

#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Precondition: `count` fits, as whatever is in memory does. Where both types are one there is no cast, of which
// compilers can warn that it is useless.
template <class Size = std::size_t>
constexpr Size to_size(std::uint64_t count) noexcept {
  if constexpr (std::same_as<Size, std::uint64_t>) {
    return count;
  } else {
    return static_cast<Size>(count);
  }
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
