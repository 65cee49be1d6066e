// SPDX-License-Identifier: BSL-1.0
//
// The types of the standard library that are keys without their headers being included: recognised by their members, so
// that programs that don't use them don't compile them, and types of others with such members are keys too.
//
//     WideText          std::u16string, std::u32string, std::wstring, their views, C strings and arrays
//     PathKey           std::filesystem::path
//     DurationKey       std::chrono::duration, and TimePointKey its time_point
//     VariantKey        std::variant
//     SequenceKey       ranges: std::vector<int>, std::span, std::set, std::map and so on
#ifndef PERHAPS_KEY_SHAPES_HPP
#define PERHAPS_KEY_SHAPES_HPP

#include <perhaps/version.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class T>
concept WideChar = std::same_as<T, char16_t> || std::same_as<T, char32_t> || std::same_as<T, wchar_t>;

// The characters of wide text: of a pointer or array, of what a span is made from, or of what converts to a view.
template <class T>
consteval auto wide_char_of() {
  if constexpr (std::is_pointer_v<T> || std::is_array_v<T>) {
    using Char = std::remove_cv_t<std::remove_pointer_t<std::decay_t<T>>>;
    if constexpr (WideChar<Char>) return Char{};
  } else if constexpr (requires(const T& text) {
                         requires WideChar<std::remove_cv_t<typename decltype(std::span(text))::element_type>>;
                       }) {
    return std::remove_cv_t<typename decltype(std::span(std::declval<const T&>()))::element_type>{};
  } else if constexpr (std::is_class_v<T>) {
    if constexpr (std::convertible_to<const T&, std::u16string_view>) return char16_t{};
    else if constexpr (std::convertible_to<const T&, std::u32string_view>) return char32_t{};
    else if constexpr (std::convertible_to<const T&, std::wstring_view>) return wchar_t{};
  }
}

template <class T>
using WideCharOf = decltype(wide_char_of<T>());

template <class T>
concept WideText = !std::is_void_v<WideCharOf<T>>;

// Its names are compared one by one, as "a//b" is "a/b".
template <class T>
concept PathKey = std::is_class_v<T> && requires(const T& path) {
  { path.native() } -> std::same_as<const typename T::string_type&>;
  { path.has_root_directory() } -> std::same_as<bool>;
  { path.root_name() } -> std::same_as<T>;
  { *path.begin() } -> std::convertible_to<const T&>;
  path.u8string();
};

template <class T>
concept DurationKey = std::is_class_v<T> && requires(const T& duration) {
  { duration.count() } -> std::same_as<typename T::rep>;
  T::period::num;
  T::period::den;
};

template <class T>
concept TimePointKey = std::is_class_v<T> && requires(const T& time) {
  typename T::clock;
  { time.time_since_epoch() } -> std::same_as<typename T::duration>;
};

// The alternatives of a variant are the arguments of its template.
template <class... Ts>
struct Alternatives {};

template <class T>
struct AlternativesOf {};
template <template <class...> class Variant, class... Ts>
struct AlternativesOf<Variant<Ts...>> {
  using type = Alternatives<std::remove_cv_t<Ts>...>;
};

template <class T>
concept VariantKey = std::is_class_v<T> && requires(const T& variant) {
  { variant.index() } -> std::same_as<std::size_t>;
  { variant.valueless_by_exception() } -> std::same_as<bool>;
  typename AlternativesOf<T>::type;
};

// begin(range), end(range) as a for statement finds them.
namespace ranged {
using std::begin;
using std::end;

template <class T>
concept Range = requires(const T& range) {
  *begin(range);
  begin(range) != end(range);
};

template <class T>
auto element_of(const T& range) -> std::remove_cvref_t<decltype(*begin(range))>;
}  // namespace ranged

template <ranged::Range T>
using ElementOf = decltype(ranged::element_of(std::declval<const T&>()));

// No range of itself, which would have no end.
template <class T>
concept SequenceKey = ranged::Range<T> && !std::same_as<ElementOf<T>, T>;

// Equal ones may have their elements in another order.
template <class T>
concept UnorderedKey = SequenceKey<T> && requires { typename T::hasher; };

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
