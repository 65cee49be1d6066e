// SPDX-License-Identifier: BSL-1.0
//
// Whether m, k and the words to hold them go together, under a layout: as a bool, or as an exception that names what
// does not. And which field of two filters differs.
#ifndef PERHAPS_SIZING_BLOOM_GEOMETRY_HPP
#define PERHAPS_SIZING_BLOOM_GEOMETRY_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class Layout>
bool valid_geometry(std::uint64_t bits, unsigned hashes) noexcept {
  return bits > 0 && bits % Layout::block_bits == 0 && Layout::takes_hashes(hashes);
}

template <class Layout>
bool addressable_bits(std::uint64_t bits) noexcept {
  return Layout::words_for(bits) <= (std::numeric_limits<std::size_t>::max)() / sizeof(std::uint64_t);
}

// `what` are bits or counters.
[[noreturn]] inline void fail_unaddressable(const std::string& what, std::uint64_t size) {
  fail<std::length_error>(what + " = " + show(size) + " is too large for this platform");
}

enum class Misfit { none, size, alignment, padding };

// What is wrong with words that are to hold `bits` bits; `alignment` in bytes.
template <class Layout, class Words>
Misfit find_misfit(std::uint64_t bits, const Words& words, std::size_t alignment) noexcept {
  if (words.size() != Layout::words_for(bits)) return Misfit::size;
  if (reinterpret_cast<std::uintptr_t>(words.words().data()) % alignment != 0) return Misfit::alignment;
  const auto rest = static_cast<unsigned>(bits % 64);
  if (rest != 0 && words.load(words.size() - 1) >> rest != 0) return Misfit::padding;
  return Misfit::none;
}

template <class Layout, class Words>
void check_words(std::uint64_t bits, const Words& words, std::size_t alignment) {
  const Misfit misfit = find_misfit<Layout>(bits, words, alignment);
  if (misfit == Misfit::none) return;
  if (misfit == Misfit::size) {
    fail<std::invalid_argument>("words must be " + show(Layout::words_for(bits)) + " for bits = " + show(bits) +
                                ", got " + show(std::uint64_t{words.size()}));
  }
  if (misfit == Misfit::alignment) {
    fail<std::invalid_argument>("words must be aligned to " + show(std::uint64_t{alignment}) +
                                " bytes for this layout");
  }
  fail<std::invalid_argument>("words must be 0 from bit " + show(bits) + " on");
}

// Two filters that are not compatible: which field differs, and both its values. `size` is m, `what` are bits or
// counters.
template <class Filter, class Other>
[[noreturn]] void fail_incompatible(const std::string& operation, const std::string& what, std::uint64_t size,
                                    std::uint64_t other_size, const Filter& left, const Other& right) {
  const auto differ = [&](const std::string& field, const std::string& own, const std::string& other) {
    fail<std::invalid_argument>(operation + ": " + field + " differ: " + own + " and " + other);
  };
  if (size != other_size) differ(what, show(size), show(other_size));
  if (left.hashes() != right.hashes()) differ("hashes", show(left.hashes()), show(right.hashes()));
  if constexpr (requires { left.hash_policy().seed(); }) {
    const auto own = left.hash_policy().seed();
    const auto other = right.hash_policy().seed();
    if (own != other) differ("seeds", show(own), show(other));
  }
  fail<std::invalid_argument>(operation + ": hash policies differ");
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
