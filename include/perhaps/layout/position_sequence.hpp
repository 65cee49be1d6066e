// SPDX-License-Identifier: BSL-1.0
//
// What all layouts with k probes do with their places, one after the other: set bits, test bits, visit cells. A place
// sequence is made from a digest and gives one place with each next().
//
// In groups of eight: a branch per probe is mispredicted in every second lookup of mixed traffic, and the loads of one
// group overlap, so probing on costs less than deciding.
#ifndef PERHAPS_LAYOUT_POSITION_SEQUENCE_HPP
#define PERHAPS_LAYOUT_POSITION_SEQUENCE_HPP

#include <perhaps/detail/to_size.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

inline constexpr unsigned probe_group = 8;

// `step` up to eight times, without a loop: a jump into straight-line code, which a constant k predicts. Steps are
// types of their own, always inlined: lambdas are not in large programs, and an operation then takes three times as
// long.
template <class Step>
[[gnu::always_inline]] constexpr void repeat(unsigned times, Step step) noexcept {
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
[[gnu::always_inline]] constexpr unsigned repeat_while(unsigned times, Step step) noexcept {
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

// Where bit `place` lies among 64-bit words.
struct BitPlace {
  constexpr explicit BitPlace(std::uint64_t place) noexcept
      : word(to_size(place / 64)), shift(static_cast<unsigned>(place) % 64) {}
  constexpr std::uint64_t mask() const noexcept { return std::uint64_t{1} << shift; }

  std::size_t word;
  unsigned shift;
};

template <class Words, class Places>
struct SetNext {
  Words& storage;
  Places& places;

  [[gnu::always_inline]] void operator()() const noexcept {
    const BitPlace place(places.next());
    storage.set(place.word, place.mask());
  }
};

// Functions for more than one group are out of line, and get copies of the places that are made for the call only: so
// up to eight probes stay in registers, and are few instructions where they are used.
template <class Words, class Places>
[[gnu::noinline]] void set_groups(Words& storage, unsigned hashes, Places places) noexcept {
  const SetNext<Words, Places> set_next{storage, places};
  for (; hashes > probe_group; hashes -= probe_group) repeat(probe_group, set_next);
  repeat(hashes, set_next);
}

template <class Words, class Places>
[[gnu::always_inline]] inline void set_bits(Words& storage, unsigned hashes, Places places) noexcept {
  if (hashes > probe_group) [[unlikely]] {
    const Places copy = places;
    return set_groups(storage, hashes, copy);
  }
  repeat(hashes, SetNext<Words, Places>{storage, places});
}

template <class Words, class Places>
struct TestAndSetNext {
  Words& storage;
  Places& places;
  bool& present;

  [[gnu::always_inline]] void operator()() const noexcept {
    const BitPlace place(places.next());
    present &= storage.test_and_set(place.word, place.mask());
  }
};

// test_and_set_bits on storage that threads share. Of several threads that call this for the same places at once, at
// most one is told that a bit was missing. The bit at the highest place that was missing when a thread looked is the
// one to claim: the thread sets all others first, that one last, and says "missing" only if it was the one to set it.
//
// Suppose that two threads both said so, for the bits p1 < p2. They are different bits, as only one thread sets a bit.
// The first thread saw p2 set when it looked, so the second had set it already, and p1 before, if it was not set by
// then. The second set p2 with release order and the first saw it with acquire order, so p1 was set when the first
// thread came to set it: a contradiction.
template <class Words, class Places>
[[gnu::noinline]] bool claim_bits(Words& storage, unsigned hashes, Places places) noexcept {
  std::uint64_t missing = 0;  // the place to claim, plus one
  Places looked = places;
  for (unsigned probe = 0; probe < hashes; ++probe) {
    const std::uint64_t next = looked.next();
    const BitPlace place(next);
    const bool set = (storage.load_acquire(place.word) & place.mask()) != 0;
    if (!set && next >= missing) missing = next + 1;
  }
  if (missing == 0) return true;
  for (unsigned probe = 0; probe < hashes; ++probe) {
    const std::uint64_t next = places.next();
    const BitPlace place(next);
    if (next + 1 != missing) storage.set(place.word, place.mask());
  }
  const BitPlace claimed(missing - 1);
  return storage.test_and_set(claimed.word, claimed.mask());
}

// Sets them and says whether all had been set before.
template <class Words, class Places>
[[gnu::always_inline]] inline bool test_and_set_bits(Words& storage, unsigned hashes, Places places) noexcept {
  if constexpr (requires { requires Words::concurrent; }) {
    const Places copy = places;
    return claim_bits(storage, hashes, copy);
  }
  bool present = true;
  const TestAndSetNext<Words, Places> set_next{storage, places, present};
  for (; hashes > probe_group; hashes -= probe_group) repeat(probe_group, set_next);
  repeat(hashes, set_next);
  return present;
}

template <class Words, class Places>
struct TestNext {
  const Words& storage;
  Places& places;
  std::uint64_t& present;

  [[gnu::always_inline]] void operator()() const noexcept {
    const BitPlace place(places.next());
    present &= storage.load(place.word) >> place.shift;
  }
};

template <class Words, class Places>
[[gnu::always_inline]] inline bool test_group(const Words& storage, unsigned hashes, Places& places) noexcept {
  std::uint64_t present = 1;
  repeat(hashes, TestNext<Words, Places>{storage, places, present});
  return present != 0;
}

template <class Words, class Places>
[[gnu::noinline]] bool test_groups(const Words& storage, unsigned hashes, Places places) noexcept {
  for (; hashes > probe_group; hashes -= probe_group) {
    if (!test_group(storage, probe_group, places)) return false;
  }
  return test_group(storage, hashes, places);
}

template <class Words, class Places>
[[gnu::always_inline]] inline bool test_bits(const Words& storage, unsigned hashes, Places places) noexcept {
  if (hashes > probe_group) [[unlikely]] {
    const Places copy = places;
    return test_groups(storage, hashes, copy);
  }
  return test_group(storage, hashes, places);
}

template <class Places, class Visit>
struct VisitNext {
  Places& places;
  const Visit& visit;

  [[gnu::always_inline]] bool operator()() const noexcept { return visit(places.next()); }
};

template <class Places, class Visit>
[[gnu::always_inline]] inline unsigned visit_group(unsigned hashes, Places& places, const Visit& visit) noexcept {
  return repeat_while(hashes, VisitNext<Places, Visit>{places, visit});
}

template <class Places, class Visit>
[[gnu::noinline, gnu::flatten]] unsigned visit_groups(unsigned hashes, Places places, Visit visit) noexcept {
  unsigned visited = 0;
  for (; hashes - visited > probe_group; visited += probe_group) {
    if (const unsigned done = visit_group(probe_group, places, visit); done != probe_group) return visited + done;
  }
  return visited + visit_group(hashes - visited, places, visit);
}

// Calls `visit(place)` for each place in turn until one says false; how many said true.
template <class Places, class Visit>
unsigned visit_while(unsigned hashes, Places places, Visit visit) noexcept {
  if (hashes > probe_group) [[unlikely]] {
    const Places copy = places;
    return visit_groups(hashes, copy, visit);
  }
  return visit_group(hashes, places, visit);
}

template <class Places, class Test>
struct CountFailure {
  Places& places;
  const Test& test;
  std::uint64_t& failed;

  [[gnu::always_inline]] void operator()() const noexcept { failed += test(places.next()) ? 0U : 1U; }
};

template <class Places, class Test>
[[gnu::always_inline]] inline bool all_in_group(unsigned hashes, Places& places, const Test& test) noexcept {
  // Counting failures takes an instruction less for each place than combining truth values.
  std::uint64_t failed = 0;
  repeat(hashes, CountFailure<Places, Test>{places, test, failed});
  return failed == 0;
}

template <class Places, class Test>
[[gnu::noinline, gnu::flatten]] bool all_in_groups(unsigned hashes, Places places, Test test) noexcept {
  for (; hashes > probe_group; hashes -= probe_group) {
    if (!all_in_group(probe_group, places, test)) return false;
  }
  return all_in_group(hashes, places, test);
}

// Whether `test(place)` holds for all places.
template <class Places, class Test>
bool all_of_places(unsigned hashes, Places places, Test test) noexcept {
  if (hashes > probe_group) [[unlikely]] {
    const Places copy = places;
    return all_in_groups(hashes, copy, test);
  }
  return all_in_group(hashes, places, test);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
