// SPDX-License-Identifier: BSL-1.0
//
// ZeroOnMove<T>: a number that moves like memory does, leaving 0 behind. Filters keep their sizes in it, so that their
// own moves can be the compiler's and a moved-from filter knows that it has no bits.
#ifndef PERHAPS_DETAIL_ZERO_ON_MOVE_HPP
#define PERHAPS_DETAIL_ZERO_ON_MOVE_HPP

#include <perhaps/version.hpp>

#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class T>
class ZeroOnMove {
 public:
  constexpr ZeroOnMove(T value) noexcept : value_(Hidden{value}) {}  // NOLINT(google-explicit-constructor): it is a T

  ZeroOnMove(const ZeroOnMove&) = default;
  ZeroOnMove& operator=(const ZeroOnMove&) = default;
  constexpr ZeroOnMove(ZeroOnMove&& other) noexcept : value_(std::exchange(other.value_, Hidden{})) {}
  constexpr ZeroOnMove& operator=(ZeroOnMove&& other) noexcept {
    const Hidden value = std::exchange(other.value_, Hidden{});  // first, in case other is *this
    value_ = value;
    return *this;
  }
  ~ZeroOnMove() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): it is a T
  constexpr operator T() const noexcept { return static_cast<T>(value_); }

 private:
  // A type of its own, which no store to the filter's words can be taken to change: loops keep it in a register.
  enum class Hidden : T {};

  Hidden value_;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
