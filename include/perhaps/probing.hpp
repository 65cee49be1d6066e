// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// ProbeSequence: the 64-bit probes that follow from a digest, and fast range, which turns a probe into a position.
///
///     sequence                 probe i                           rate / rate of k independent probes (m/n/k)
///                                                               64/6/7   1024/72/10   1000/50/14   m >= 10^5, 1 %
///     DoubleHashing            g + i*h                           1.77     1.29         4.3          1.00
///     EnhancedDoubleHashing    g + i*h + C*i(i^2-1)/6            1.00     1.00         1.03         1.00
///     RotatingDoubleHashing    g + rotl(h, 23*i)                 1.00     1.00         1.00         1.00
///
/// Position: the high word of probe * m. No division, any m up to 2^64 - 1, no rounding to powers of two. It reads the
/// high bits of the probe, so increments must be full-width numbers, not small ones.
///
/// Kirsch and Mitzenmacher, "Less Hashing, Same Performance", 2006. Dillinger and Manolios, "Bloom Filters in
/// Probabilistic Verification", 2004. Lemire, "Fast Random Integer Generation in an Interval", 2018.
#ifndef PERHAPS_PROBING_HPP
#define PERHAPS_PROBING_HPP

#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/detail/wide_multiply.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// Where `probe` lands among `size` positions: floor(probe * size / 2^64), in [0, size) for size > 0.
/// Every position is hit by 2^64/size probes, to within one.
constexpr std::uint64_t fast_range(std::uint64_t probe, std::uint64_t size) noexcept {
  return detail::wide_multiply(probe, size).high;
}

/// Made from a digest, gives one probe after the other. `excess_fpr` is what the sequence adds to the false-positive
/// rate of k independent probes in m bits holding n keys: sizing makes up for it. This library's throw
/// std::invalid_argument for bits that are not above 0 and finite, and for keys below 0 or NaN.
template <class P>
concept ProbeSequence = std::constructible_from<P, Digest> && std::copyable<P> &&
                        requires(P probes, double bits, unsigned hashes, double keys) {
                          { probes.next() } -> std::same_as<std::uint64_t>;
                          { P::excess_fpr(bits, hashes, keys) } -> std::same_as<double>;
                          { P::name } -> std::convertible_to<std::string_view>;
                        };

namespace detail {

// A step of zero would put all k probes on one place. Good hashes give it once in 2^64 keys, poor ones often.
constexpr std::uint64_t nonzero_step(std::uint64_t h) noexcept { return h == 0 ? 0x9E3779B97F4A7C15U : h; }

constexpr bool demand_excess(double bits, double keys) {
  return demand(is_positive(bits), "bits", "above 0 and finite", bits) && demand_count("keys", keys);
}

}  // namespace detail

/// Probe i is g + i*h: the textbook sequence. Two numbers fix all k positions, so an absent key's positions coincide
/// with those of one key more often than k independent ones would: that adds up to 5n/m^2 to the rate, more than 2 % of
/// it below m = 1900 bits at 1 %, 10^5 bits at 10^-4 and 7*10^6 bits at 10^-6. Sizing makes up for it with more bits. A
/// step below 2^64/m stays on one place: h = 0 is replaced, other tiny steps are as rare as the bound says.
class DoubleHashing {
 public:
  static constexpr std::string_view name = "DoubleHashing";  ///< Its name, in messages
  static constexpr detail::BuiltinId stored_id{1};           ///< Its id in stored filters

  /// Begins with probe 0.
  constexpr explicit DoubleHashing(Digest digest) noexcept : g_(digest.g), h_(detail::nonzero_step(digest.h)) {}

  /// Probe i, and on to the next. O(1).
  [[gnu::always_inline]] constexpr std::uint64_t next() noexcept {
    const std::uint64_t probe = g_;
    g_ += h_;
    return probe;
  }

  /// An upper bound, c(k)*n/m^2, for k up to m/2 (sizing stays below). Measured: c rises from 0.75 (k = 3) to 4.7 (k =
  /// 10 and on) in half-full filters; for a single key in a large one it is 1.4 (k = 7) to 2.3 (k = 3 and 20). One
  /// position alone has no step.
  static constexpr double excess_fpr(double bits, unsigned hashes, double keys) {
    if (!detail::demand_excess(bits, keys)) return detail::not_a_number();
    if (hashes < 2) return 0;
    return (hashes > 2 ? 5 : 0.5) * keys / bits / bits;
  }

 private:
  std::uint64_t g_;
  std::uint64_t h_;
};

/// The step grows by a growing amount: probe i is g + i*h + C*i*(i^2 - 1)/6. The increment C is full width, because
/// fast range never sees the published one (1). Two numbers still fix all positions, but only an absent key that starts
/// and steps like a key coincides with it: at most 8n/(km)^2 above independent probes, under 3 % from m = 1000 bits on.
class EnhancedDoubleHashing {
 public:
  static constexpr std::string_view name = "EnhancedDoubleHashing";  ///< Its name, in messages
  static constexpr detail::BuiltinId stored_id{2};                   ///< Its id in stored filters

  /// Begins with probe 0.
  constexpr explicit EnhancedDoubleHashing(Digest digest) noexcept : g_(digest.g), h_(digest.h) {}

  /// Probe i, and on to the next. O(1).
  [[gnu::always_inline]] constexpr std::uint64_t next() noexcept {
    const std::uint64_t probe = g_;
    g_ += h_;
    increment_ += 0x9E3779B97F4A7C15U;
    h_ += increment_;
    return probe;
  }

  /// An upper bound, c(k)*n/m^2. Measured: c = 0.66 at k = 3, 0.06 at k = 7, 0.02 at k = 10, 0.009 at k = 14 for a
  /// single key, up to four times that in half-full filters.
  static constexpr double excess_fpr(double bits, unsigned hashes, double keys) {
    if (!detail::demand_excess(bits, keys)) return detail::not_a_number();
    return hashes > 1 ? 8 * keys / (hashes * bits) / (hashes * bits) : 0;
  }

 private:
  std::uint64_t g_;
  std::uint64_t h_;
  std::uint64_t increment_ = 0;
};

/// The second hash rotates, and the probes do not build on each other: g + rotl(h, 23*i). As good as independent probes
/// at every size measured (k to 30, m from 33), and the cheapest to compute eight at a time: one rotation, one
/// addition. Probes share g but differ in which bits of h come on top, the bits that fast range reads; for two keys to
/// share all positions, g and all 64 bits of h must agree, not only their top log2(m) bits. As 23 is odd, 64 probes
/// differ.
class RotatingDoubleHashing {
 public:
  static constexpr std::string_view name = "RotatingDoubleHashing";  ///< Its name, in messages
  static constexpr detail::BuiltinId stored_id{3};                   ///< Its id in stored filters

  /// Rotating h = 0 would leave all k probes on one place. Good hashes give it once in 2^64 keys, poor ones often; what
  /// is mixed in here they give no more often than any other value.
  static constexpr std::uint64_t whitening = 0x9E3779B97F4A7C15U;
  static constexpr int rotation = 23;  ///< How far h turns from probe to probe

  /// Begins with probe 0.
  constexpr explicit RotatingDoubleHashing(Digest digest) noexcept : g_(digest.g), h_(digest.h ^ whitening) {}

  /// Probe i, and on to the next. O(1).
  [[gnu::always_inline]] constexpr std::uint64_t next() noexcept {
    const std::uint64_t probe = g_ + h_;
    h_ = std::rotl(h_, rotation);
    return probe;
  }

  /// Nothing: as good as independent probes.
  static constexpr double excess_fpr(double bits, unsigned, double keys) {
    return detail::demand_excess(bits, keys) ? 0 : detail::not_a_number();
  }

 private:
  std::uint64_t g_;
  std::uint64_t h_;
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
