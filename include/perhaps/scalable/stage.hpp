// SPDX-License-Identifier: BSL-1.0
//
// How the stages of a ScalableFilter are made, and when they are full: the one place that tells Bloom filters from
// cuckoo filters by what they can do.
#ifndef PERHAPS_SCALABLE_STAGE_HPP
#define PERHAPS_SCALABLE_STAGE_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/cuckoo_filter.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/sizing/cuckoo.hpp>
#include <perhaps/sizing/scalable.hpp>
#include <perhaps/sizing/smallest_parameters.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// What follows from the type of the stages; `exists` for those of which chains can be made.
template <class F>
struct StageTraits {
  static constexpr bool exists = false;
};

template <class Key, class Hash, detail::LayoutArgument Layout, ReadableStorage Words>
struct StageTraits<BloomFilter<Key, Hash, Layout, Words>> {
  using F = BloomFilter<Key, Hash, Layout, Words>;
  static constexpr bool exists = true;
  static constexpr bool erases = false;
  static constexpr bool writes = AllocatingStorage<Words>;

  static F create(ScalableStage stage, std::uint64_t, const Hash& hash) {
    return F(BloomTarget{.keys = stage.keys, .fpr = stage.fpr}, hash);
  }

  static std::optional<F> make(ScalableStage stage, std::uint64_t, const Hash& hash) {
    return F::make(BloomTarget{.keys = stage.keys, .fpr = stage.fpr}, hash);
  }

  // Reads all the bits: 0 if the filter has reached its rate, or holds all but 1/512 of the keys that it was made for;
  // else a number of new keys that it takes before its bits need to be read again. So a stage is read four times or
  // so, whatever its size, and is not filled beyond its rate meanwhile.
  static std::uint64_t room(const F& filter, ScalableStage stage) noexcept {
    const auto most = static_cast<double>(stage.keys);
    const double left = most - (min)(filter.estimated_size(), most);
    if (left <= (max)(0.5, most / 512) || filter.current_fpr() >= stage.fpr) return 0;
    return left < 2 ? 1 : static_cast<std::uint64_t>(left * 0.875);
  }
};

template <class Key, unsigned FingerprintBits, unsigned BucketSize, class Hash>
struct StageTraits<CuckooFilter<Key, FingerprintBits, BucketSize, Hash>> {
  using F = CuckooFilter<Key, FingerprintBits, BucketSize, Hash>;
  static constexpr bool exists = true;
  static constexpr bool erases = true;
  static constexpr bool writes = true;

  static constexpr PlannedTable table{FingerprintBits, BucketSize};

  // The rate of later stages comes from a lower load where the fingerprints are too short for a full table.
  static std::optional<CuckooParameters> later_stage(ScalableStage stage) noexcept {
    const double floor = collision_fpr(static_cast<double>(stage.keys), Hash::digest_bits);
    if (!(stage.fpr > floor)) return std::nullopt;
    return plan_cuckoo(stage.keys, table, floor, stage.fpr);
  }

  static F create(ScalableStage stage, std::uint64_t index, const Hash& hash) {
    if (index == 0) return F(CuckooTarget{.keys = stage.keys, .fpr = stage.fpr}, hash);
    const auto parameters = later_stage(stage);
    if (!parameters) {
      fail<std::length_error>("a next stage of keys = " + show(stage.keys) + " at fpr = " + show(stage.fpr) +
                              " is out of reach of fingerprints of " + show(FingerprintBits) + " bits");
    }
    return F(*parameters, hash);
  }

  static std::optional<F> make(ScalableStage stage, std::uint64_t index, const Hash& hash) {
    if (index == 0) return F::make(CuckooTarget{.keys = stage.keys, .fpr = stage.fpr}, hash);
    const auto parameters = later_stage(stage);
    return parameters ? F::make(*parameters, hash) : std::nullopt;
  }

  // How many more keys the filter takes before its rate is reached. O(64).
  static std::uint64_t room(const F& filter, ScalableStage stage) noexcept {
    const std::uint64_t most = last_true([&](std::uint64_t keys) { return filter.expected_fpr(keys) <= stage.fpr; });
    return most > filter.size() ? most - filter.size() : 0;
  }

  // Whether copies of one key, not the number of keys, are why the filter has refused it. Were a stage opened for them,
  // memory would grow geometrically with the copies of one key. O(1).
  static bool is_crowded(const F& filter, ScalableStage stage, Digest digest) noexcept {
    return filter.size() < stage.keys / 2 && filter.count(digest) >= BucketSize;
  }

  [[noreturn]] static void fail_crowded(const F& filter, Digest digest) {
    fail<std::length_error>("insert: the newest stage has no room for another copy of a key that is in it " +
                            show(std::uint64_t{filter.count(digest)}) +
                            " times, and a chain opens no stage for copies before that one is half full");
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
