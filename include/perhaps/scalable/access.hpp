// SPDX-License-Identifier: BSL-1.0
//
// ChainAccess: the one friend that filters made of filters have for being saved. It reads and makes them.
#ifndef PERHAPS_SCALABLE_ACCESS_HPP
#define PERHAPS_SCALABLE_ACCESS_HPP

#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// What a RollingBloomFilter knows beside its target and its generations.
struct RollingState {
  std::uint64_t room;    // new keys that the newest generation takes
  std::uint64_t now;     // the time, as it was told last
  std::uint64_t opened;  // when the newest generation began
  bool has_time;         // whether the time was ever told
};

struct ChainAccess {
  template <class C>
  static std::uint64_t index(const C& chain) noexcept {
    return chain.index_;
  }

  template <class C>
  static RollingState state(const C& filter) noexcept {
    return {filter.room_, filter.now_, filter.opened_, filter.has_time_};
  }

  // Precondition: there are stages, and the numbers were checked.
  template <class C, class Target, class F>
  static C make(const Target& target, std::uint64_t index, std::vector<F> stages) {
    auto hash = stages.front().hash_policy();
    return C(target, index, std::move(hash), std::move(stages));
  }

  template <class C, class Target, class F>
  static C make(const Target& target, std::size_t newest, std::vector<F> generations, const RollingState& state) {
    C filter(target, std::move(generations));
    filter.newest_ = newest;
    filter.room_ = state.room;
    filter.now_ = state.now;
    filter.opened_ = state.opened;
    filter.has_time_ = state.has_time;
    return filter;
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
