// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Sizing of chains of filters for an unknown number of keys: what each stage of a ScalableFilter is made for.
///
///     stage            0            1             2                  i
///     keys             c            c g           c g^2              c g^i
///     rate         p (1 - r)    p (1 - r) r   p (1 - r) r^2      p (1 - r) r^i        the sum over all i is p
///
/// A false positive of the chain is one of any stage, so its rate is at most the sum of theirs, however long it grows.
///
/// Almeida, Baquero, Preguiça and Hutchison, "Scalable Bloom Filters", 2007.
#ifndef PERHAPS_SIZING_SCALABLE_HPP
#define PERHAPS_SIZING_SCALABLE_HPP

#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/version.hpp>

#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// What a chain of filters is for. The number of keys is only where it begins; the rate holds for any number.
struct ScalableTarget {
  std::uint64_t keys = 0;    ///< c, the keys that the first stage has room for; 0 is sized as 1
  double fpr = 0;            ///< p, in (0, 1): the most that the rate of the whole chain ever is
  double growth = 2;         ///< g, from 1 to 16: each stage has room for so many times the keys of the one before
  double tightening = 0.85;  ///< r, in (0, 1): each stage has so much of the rate of the one before

  /// Equal in every field.
  friend bool operator==(const ScalableTarget&, const ScalableTarget&) = default;
};

/// What one stage of a chain has to hold.
struct ScalableStage {
  std::uint64_t keys = 0;  ///< The distinct keys that it has room for; 2^64 - 1 stands for all numbers beyond
  double fpr = 0;          ///< Its share of the rate; it falls to 0 only after thousands of stages
};

namespace detail {

// Demands (argument.hpp) a target that chains can be made for.
inline bool demand_scalable(const ScalableTarget& target) {
  return demand_target_rate(target.fpr) &&
         demand(is_count(target.growth) && target.growth >= 1 && target.growth <= 16, "growth", "from 1 to 16",
                target.growth) &&
         demand_rate("tightening", target.tightening);
}

// demand_scalable() without a message.
inline bool is_scalable(const ScalableTarget& target) noexcept {
  return is_rate(target.fpr) && is_count(target.growth) && target.growth >= 1 && target.growth <= 16 &&
         is_rate(target.tightening);
}

// x to the power of a whole number, by squaring: the same result on every platform.
constexpr double whole_power(double x, std::uint64_t exponent) noexcept {
  double power = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0) power *= x;
    x = (min)(x * x, 1e250);  // beyond all numbers of keys
  }
  return power;
}

// The stage `index` of a valid target.
inline ScalableStage scalable_stage(const ScalableTarget& target, std::uint64_t index) noexcept {
  constexpr double most = 18446744073709549568.0;  // the greatest double below 2^64
  const auto first = static_cast<double>(target.keys == 0 ? 1 : target.keys);
  const double keys = ceil(first * (min)(whole_power(target.growth, index), most));
  const double fpr = target.fpr * (1 - target.tightening) * whole_power(target.tightening, index);
  return {keys < most ? static_cast<std::uint64_t>(keys) : ~std::uint64_t{0}, fpr};
}

}  // namespace detail

/// The keys and the rate that stage `index` of a chain is made for, counted from 0: c g^i, rounded up, and p (1 - r)
/// r^i. O(log index). Throws std::invalid_argument for a target whose rate, growth or tightening is out of range;
/// compiled without exceptions, the result is {0, 0} then.
inline ScalableStage scalable_stage(const ScalableTarget& target, std::uint64_t index) {
  if (!detail::demand_scalable(target)) return {};
  return detail::scalable_stage(target, index);
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
