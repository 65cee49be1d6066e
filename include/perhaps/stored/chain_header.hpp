// SPDX-License-Identifier: BSL-1.0
//
// What is stored of a filter made of filters beside these: its kind, eight numbers and the index of the newest. One
// specialisation of ChainTraits for each such filter.
#ifndef PERHAPS_STORED_CHAIN_HEADER_HPP
#define PERHAPS_STORED_CHAIN_HEADER_HPP

#include <perhaps/detail/to_size.hpp>
#include <perhaps/rolling_bloom_filter.hpp>
#include <perhaps/scalable/access.hpp>
#include <perhaps/scalable_filter.hpp>
#include <perhaps/sizing/scalable.hpp>
#include <perhaps/stored/storable.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// The numbers of a chain, as they are stored behind its header: eight of 64 bits.
using ChainNumbers = std::array<std::uint64_t, 8>;
using ChainBlock = std::array<unsigned char, 64>;

template <class C>
struct ChainTraits;

// What is stored of a ScalableFilter beside its stages.
template <class F>
struct ChainTraits<ScalableFilter<F>> {
  using C = ScalableFilter<F>;
  using Stage = F;
  static constexpr std::uint8_t kind = 4;

  static std::span<const F> stages(const C& chain) noexcept { return chain.stages(); }
  static std::uint64_t index(const C& chain) noexcept { return ChainAccess::index(chain); }

  static ChainNumbers numbers(const C& chain) noexcept {
    const ScalableTarget& target = chain.target();
    return {target.keys, std::bit_cast<std::uint64_t>(target.fpr), std::bit_cast<std::uint64_t>(target.growth),
            std::bit_cast<std::uint64_t>(target.tightening)};
  }

  static ScalableTarget target(const ChainNumbers& numbers) noexcept {
    return {.keys = numbers[0],
            .fpr = std::bit_cast<double>(numbers[1]),
            .growth = std::bit_cast<double>(numbers[2]),
            .tightening = std::bit_cast<double>(numbers[3])};
  }

  // Each index up to that of the newest has a stage; a union has more.
  static bool valid(const ChainNumbers& numbers, std::uint64_t cells, std::uint64_t index) noexcept {
    const bool zero = (numbers[4] | numbers[5] | numbers[6] | numbers[7]) == 0;
    return zero && is_scalable(target(numbers)) &&
           (requires { F::fingerprint_bits; } ? index == cells - 1 : index < cells);
  }

  static C make(const ChainNumbers& numbers, std::uint64_t index, std::vector<F> stages) {
    return ChainAccess::make<C>(target(numbers), index, std::move(stages));
  }
};

// What is stored of a RollingBloomFilter beside its generations.
template <class Key, class Hash, class Layout>
struct ChainTraits<RollingBloomFilter<Key, Hash, Layout>> {
  using C = RollingBloomFilter<Key, Hash, Layout>;
  using Stage = typename C::generation_type;
  static constexpr std::uint8_t kind = 5;

  static std::span<const Stage> stages(const C& filter) noexcept { return filter.generations(); }
  static std::uint64_t index(const C& filter) noexcept { return filter.newest(); }

  static ChainNumbers numbers(const C& filter) noexcept {
    const RollingTarget& target = filter.target();
    const RollingState state = ChainAccess::state(filter);
    return {target.keys,        std::bit_cast<std::uint64_t>(target.fpr),
            target.generations, target.age,
            state.room,         state.now,
            state.opened,       state.has_time ? 1U : 0U};
  }

  static RollingTarget target(const ChainNumbers& numbers) noexcept {
    return {.keys = numbers[0],
            .fpr = std::bit_cast<double>(numbers[1]),
            .generations = static_cast<unsigned>(numbers[2]),
            .age = numbers[3]};
  }

  static bool valid(const ChainNumbers& numbers, std::uint64_t cells, std::uint64_t index) noexcept {
    if (numbers[2] > 64 || !is_rolling(target(numbers))) return false;
    return cells == numbers[2] + 1 && index < cells && numbers[4] <= generation_target(target(numbers)).keys &&
           numbers[6] <= numbers[5] && numbers[7] <= 1 && (numbers[7] == 1 || numbers[5] == 0);
  }

  static C make(const ChainNumbers& numbers, std::uint64_t index, std::vector<Stage> stages) {
    return ChainAccess::make<C>(target(numbers), to_size(index), std::move(stages),
                                RollingState{numbers[4], numbers[5], numbers[6], numbers[7] != 0});
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
