// SPDX-License-Identifier: BSL-1.0
//
// Inverting a layout's model of the false-positive rate: the least m, over all k, that meets a target. The only thing
// assumed of the model is that the rate does not rise with m.
#ifndef PERHAPS_SIZING_SMALLEST_PARAMETERS_HPP
#define PERHAPS_SIZING_SMALLEST_PARAMETERS_HPP

#include <perhaps/detail/real.hpp>
#include <perhaps/version.hpp>

#include <cstdint>
#include <limits>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

struct Geometry {
  std::uint64_t bits = 0;
  unsigned hashes = 0;
};

// The least x in [1, 2^64) with holds(x), which is false up to some x and true from there on, or 0 if there is none;
// `guess` is where to start looking. Gallops away from the guess, then halves: O(log of the guess's error) calls.
template <class Predicate>
std::uint64_t first_true(std::uint64_t guess, Predicate holds) {
  constexpr std::uint64_t end = (std::numeric_limits<std::uint64_t>::max)();
  std::uint64_t fails = 0;
  std::uint64_t works = guess;
  std::uint64_t stride = 1;
  if (holds(guess)) {
    while (works > stride && holds(works - stride)) {
      works -= stride;
      if (stride <= end / 2) stride *= 2;
    }
    if (works > stride) fails = works - stride;
  } else {
    fails = guess;
    for (;;) {
      if (fails == end) return 0;
      works = stride < end - fails ? fails + stride : end;
      if (holds(works)) break;
      fails = works;
      if (stride <= end / 2) stride *= 2;
    }
  }
  while (works - fails > 1) {
    const std::uint64_t middle = fails + (works - fails) / 2;
    (holds(middle) ? works : fails) = middle;
  }
  return works;
}

// The greatest x in [0, 2^64 - 1] with holds(x), which is true from 0 on up to some x.
template <class Predicate>
std::uint64_t last_true(Predicate holds) {
  return first_true(1, [&](std::uint64_t x) { return !holds(x); }) - 1;  // 0 - 1, if there is none
}

// The m for which the classic formula gives exactly fpr: ln(1 - p^(1/k)) = -kn/m. No layout needs less.
inline double classic_bits(double keys, double fpr, double hashes) noexcept {
  return -hashes * keys / log1p(-exp(log(fpr) / hashes));
}

// The next k that the layout takes, from `k` on in steps of `step`; 0 if there is none in [1, max_hashes].
template <class Layout>
unsigned next_hashes(unsigned k, int step, unsigned max_hashes) noexcept {
  while (k >= 1 && k <= max_hashes && !Layout::takes_hashes(k)) k = static_cast<unsigned>(static_cast<int>(k) + step);
  return k <= max_hashes ? k : 0;
}

// The k next to `wanted` that the layout takes, rather above than below.
template <class Layout>
unsigned nearest_hashes(unsigned wanted, unsigned max_hashes) noexcept {
  const unsigned above = next_hashes<Layout>(wanted, 1, max_hashes);
  return above != 0 ? above : next_hashes<Layout>(wanted, -1, max_hashes);
}

// The k next to log2(1/fpr), the best one without blocks, that the layout takes.
template <class Layout>
unsigned balanced_hashes(double fpr, unsigned max_hashes) noexcept {
  const double balanced = round(-log2(fpr));
  const unsigned wanted = balanced < 1 ? 1 : balanced > max_hashes ? max_hashes : static_cast<unsigned>(balanced);
  return nearest_hashes<Layout>(wanted, max_hashes);
}

// A layout that is fastest with one k: sizing prefers it to a k that saves no more than 3 % of the bits.
template <class Layout>
concept PrefersHashes = requires { requires Layout::preferred_hashes != 0U; };

// The least m, a multiple of `Layout::block_bits`, whose rate Layout::expected_fpr(m, k, keys) is at most `fpr` for
// some k that the layout takes, and the smallest such k; or the k that the layout prefers, with up to 3 % more bits. 0
// bits when m >= 2^64.
// The least m as a function of k falls to its minimum at or below log2(1/fpr) and rises behind it, so the search walks
// downhill from there: down as long as fewer hashes need no more bits, else one up, as rounding may have it. Not
// further: where a model has a term that falls with k, hundreds of hashes would save a few bits.
template <class Layout>
Geometry smallest_parameters(double keys, double fpr, unsigned max_hashes) {
  constexpr std::uint64_t block = Layout::block_bits;
  constexpr std::uint64_t most = (std::numeric_limits<std::uint64_t>::max)() / block;
  const auto rate = [&](std::uint64_t blocks, unsigned k) {
    return blocks > most ? 0.0 : Layout::expected_fpr(blocks * block, k, keys);
  };
  const auto meets = [&](unsigned k) {
    return [&rate, fpr, k](std::uint64_t blocks) { return rate(blocks, k) <= fpr; };
  };
  const auto to_blocks = [](double bits) {
    const double blocks = ceil(bits / static_cast<double>(block));
    return blocks < 1                           ? std::uint64_t{1}
           : blocks < static_cast<double>(most) ? static_cast<std::uint64_t>(blocks)
                                                : most;
  };
  const auto taken = [&](unsigned k, int step) { return next_hashes<Layout>(k, step, max_hashes); };
  const unsigned start = balanced_hashes<Layout>(fpr, max_hashes);

  // The ratio of model to formula hardly changes from one m to the next: a second step from it lands within a bit.
  const double formula = classic_bits(keys, fpr, start);
  const double ratio = rate(to_blocks(formula), start) / fpr;
  // A model that is not above the formula gives no correction, and one that is 0 or 1 at once no number.
  const double corrected = ratio > 1 ? classic_bits(keys, fpr / ratio, start) : formula;
  const bool usable = corrected > formula && corrected < 2 * formula;
  Geometry best{first_true(to_blocks(usable ? corrected : formula), meets(start)), start};
  if (best.bits == 0) return {};
  for (unsigned k = taken(start - 1, -1); k >= 1 && meets(k)(best.bits); k = taken(k - 1, -1)) {
    best = {first_true(best.bits, meets(k)), k};
  }
  const unsigned more = taken(start + 1, 1);
  if (best.hashes == start && more != 0 && best.bits > 1 && meets(more)(best.bits - 1)) {
    best = {first_true(best.bits - 1, meets(more)), more};
  }
  if constexpr (PrefersHashes<Layout>) {
    constexpr unsigned fast = Layout::preferred_hashes;
    const std::uint64_t bound = best.bits + best.bits / 100 * 3 + best.bits % 100 * 3 / 100;
    if (best.hashes != fast && fast <= max_hashes && bound <= most && meets(fast)(bound)) {
      best = {first_true(best.bits, meets(fast)), fast};
    }
  }
  if (best.bits > most) return {};
  return {best.bits * block, best.hashes};
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
