// SPDX-License-Identifier: BSL-1.0
//
// What may be referred to after a call: objects that have a name, and temporaries such as std::span and
// std::string_view, which own nothing themselves. A temporary that owns its elements, such as a vector that a function
// returns, is gone when the statement ends, and so is what a view of it would read.
#ifndef PERHAPS_DETAIL_BORROWING_HPP
#define PERHAPS_DETAIL_BORROWING_HPP

#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// `T` as a forwarding reference deduces it: a reference for objects that have a name.
template <class T>
concept OwningTemporary = !std::is_lvalue_reference_v<T> && !std::ranges::enable_borrowed_range<std::remove_cvref_t<T>>;

// Whatever is not a span of `Element` already, and converts to one while it lives.
template <class T, class Element>
concept ConvertsToSpan = !std::same_as<std::remove_cvref_t<T>, std::span<Element>> &&
                         std::constructible_from<std::span<Element>, std::remove_reference_t<T>&>;

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
