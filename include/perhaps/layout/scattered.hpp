// SPDX-License-Identifier: BSL-1.0
//
// Scattered: the classic layout. Each probe lands anywhere in the m bits.
//
//     bit   0                                             m-1
//           |..1.....1..........1....1........1...1......|       k = 6 probes, six cache lines
//
// Best rate per bit of all layouts, (1 - e^(-kn/m))^k, and any m from 1 bit up; k memory accesses per operation.
//
// Burton H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970.
#ifndef PERHAPS_LAYOUT_SCATTERED_HPP
#define PERHAPS_LAYOUT_SCATTERED_HPP

#include <perhaps/detail/classic_model.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace perhaps::inline PERHAPS_ABI {

template <ProbeSequence Probes = RotatingDoubleHashing>
struct Scattered {
  using probe_sequence = Probes;
  static constexpr std::string_view name = "Scattered";

  // Sets the k bits of `digest`. `storage` holds at least words_for(bits) words, bits > 0. O(k).
  template <class Words>
  static void insert(Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    Probes probes(digest);
    const auto set_next = [&] {
      const Place place(fast_range(probes.next(), bits));
      storage.set(place.word, place.mask());
    };
    for (; hashes > group; hashes -= group) repeat(group, set_next);
    repeat(hashes, set_next);
  }

  // Sets them and says whether all had been set before. O(k).
  template <class Words>
  static bool test_and_insert(Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    Probes probes(digest);
    bool present = true;
    const auto set_next = [&] {
      const Place place(fast_range(probes.next(), bits));
      present &= storage.test_and_set(place.word, place.mask());
    };
    for (; hashes > group; hashes -= group) repeat(group, set_next);
    repeat(hashes, set_next);
    return present;
  }

  // Whether all k bits are set. O(k). Branches once in eight probes: a branch per probe is mispredicted in every
  // second lookup of mixed traffic, and the loads of one group overlap, so probing on costs less than deciding.
  template <class Words>
  static bool may_contain(const Words& storage, std::uint64_t bits, unsigned hashes, Digest digest) noexcept {
    Probes probes(digest);
    if (hashes > group) return test_groups(storage, bits, hashes, probes);
    return test_group(storage, bits, hashes, probes);
  }

  // Calls `visit(place)` for the k places of `digest` in [0, places), for cells other than bits: bit i and cell i are
  // the same place. A place that two probes hit is visited twice. O(k).
  template <class Visit>
  static void for_each_place(std::uint64_t places, unsigned hashes, Digest digest, Visit visit) noexcept {
    visit_places_while(places, hashes, digest, [visit](std::uint64_t place) {
      visit(place);
      return true;
    });
  }

  // Calls `visit(place)` for them in turn until one says false; how many said true. O(k).
  template <class Visit>
  static unsigned visit_places_while(std::uint64_t places, unsigned hashes, Digest digest, Visit visit) noexcept {
    Probes probes(digest);
    if (hashes > group) return visit_groups(places, hashes, probes, visit);
    return visit_group(places, hashes, probes, visit);
  }

  // Whether `test(place)` holds for all of them. Branches once in eight, like may_contain. O(k).
  template <class Test>
  static bool all_places(std::uint64_t places, unsigned hashes, Digest digest, Test test) noexcept {
    Probes probes(digest);
    if (hashes > group) return all_in_groups(places, hashes, probes, test);
    return all_in_group(places, hashes, probes, test);
  }

  static constexpr std::uint64_t words_for(std::uint64_t bits) noexcept { return bits / 64 + (bits % 64 != 0 ? 1 : 0); }

  // Up to this many keys the model is the exact expectation; beyond, the classic formula is within 0.1 % of it.
  static constexpr double exact_up_to = 10'000;

  // The expected rate with n keys: never falls as n grows, never rises as m grows.
  static double expected_fpr(std::uint64_t bits, unsigned hashes, double keys) {
    const auto m = static_cast<double>(bits);
    double fpr = 0;
    if (keys <= exact_up_to) {
      fpr = detail::exact_fpr(m, hashes, keys);
    } else {
      fpr = detail::classic_fpr(m, hashes, keys);
      // One step down where the formulas meet would break the promise.
      if (keys < 2 * exact_up_to) fpr = (std::max)(fpr, detail::exact_fpr(m, hashes, exact_up_to));
    }
    return (std::min)(1.0, fpr + Probes::excess_fpr(m, hashes, keys));
  }

  // The rate of a filter with `set_bits` bits set: (X/m)^k. A better estimate for one filter than the model, which
  // knows only how many keys went in.
  static double current_fpr(std::uint64_t bits, unsigned hashes, std::uint64_t set_bits) noexcept {
    return std::pow(static_cast<double>(set_bits) / static_cast<double>(bits), hashes);
  }

 private:
  struct Place {
    constexpr explicit Place(std::uint64_t position) noexcept
        : word(static_cast<std::size_t>(position / 64)), shift(static_cast<unsigned>(position) % 64) {}
    constexpr std::uint64_t mask() const noexcept { return std::uint64_t{1} << shift; }

    std::size_t word;
    unsigned shift;
  };

  template <class Words>
  static bool test_group(const Words& storage, std::uint64_t bits, unsigned hashes, Probes& probes) noexcept {
    std::uint64_t present = 1;
    repeat(hashes, [&] {
      const Place place(fast_range(probes.next(), bits));
      present &= storage.load(place.word) >> place.shift;
    });
    return present != 0;
  }

  template <class Words>
  static bool test_groups(const Words& storage, std::uint64_t bits, unsigned hashes, Probes probes) noexcept {
    for (; hashes > group; hashes -= group) {
      if (!test_group(storage, bits, group, probes)) return false;
    }
    return test_group(storage, bits, hashes, probes);
  }

  template <class Visit>
  static unsigned visit_group(std::uint64_t places, unsigned hashes, Probes& probes, const Visit& visit) noexcept {
    return repeat_while(hashes, [&] { return visit(fast_range(probes.next(), places)); });
  }

  // The functions for more than one group are out of line and get copies, so that up to eight probes stay in registers.
  template <class Visit>
  [[gnu::noinline, gnu::flatten]] static unsigned visit_groups(std::uint64_t places, unsigned hashes, Probes probes,
                                                               Visit visit) noexcept {
    unsigned visited = 0;
    for (; hashes - visited > group; visited += group) {
      if (const unsigned done = visit_group(places, group, probes, visit); done != group) return visited + done;
    }
    return visited + visit_group(places, hashes - visited, probes, visit);
  }

  template <class Test>
  static bool all_in_group(std::uint64_t places, unsigned hashes, Probes& probes, const Test& test) noexcept {
    // Counting failures takes an instruction less for each place than combining truth values.
    std::uint64_t failed = 0;
    repeat(hashes, [&] { failed += test(fast_range(probes.next(), places)) ? 0U : 1U; });
    return failed == 0;
  }

  template <class Test>
  [[gnu::noinline, gnu::flatten]] static bool all_in_groups(std::uint64_t places, unsigned hashes, Probes probes,
                                                            Test test) noexcept {
    for (; hashes > group; hashes -= group) {
      if (!all_in_group(places, group, probes, test)) return false;
    }
    return all_in_group(places, hashes, probes, test);
  }

  static constexpr unsigned group = 8;

  // `step` up to eight times, without a loop: a jump into straight-line code, which a constant k predicts.
  template <class Step>
  static constexpr void repeat(unsigned times, Step step) noexcept {
    switch (times) {
      case 8:
        step();
        [[fallthrough]];
      case 7:
        step();
        [[fallthrough]];
      case 6:
        step();
        [[fallthrough]];
      case 5:
        step();
        [[fallthrough]];
      case 4:
        step();
        [[fallthrough]];
      case 3:
        step();
        [[fallthrough]];
      case 2:
        step();
        [[fallthrough]];
      case 1:
        step();
        [[fallthrough]];
      default:
        break;
    }
  }

  // The same while `step` says true; how often it did.
  template <class Step>
  static constexpr unsigned repeat_while(unsigned times, Step step) noexcept {
    switch (times) {
      case 8:
        if (!step()) return times - 8;
        [[fallthrough]];
      case 7:
        if (!step()) return times - 7;
        [[fallthrough]];
      case 6:
        if (!step()) return times - 6;
        [[fallthrough]];
      case 5:
        if (!step()) return times - 5;
        [[fallthrough]];
      case 4:
        if (!step()) return times - 4;
        [[fallthrough]];
      case 3:
        if (!step()) return times - 3;
        [[fallthrough]];
      case 2:
        if (!step()) return times - 2;
        [[fallthrough]];
      case 1:
        if (!step()) return times - 1;
        [[fallthrough]];
      default:
        return times;
    }
  }
};

}  // namespace perhaps::inline PERHAPS_ABI

#endif
