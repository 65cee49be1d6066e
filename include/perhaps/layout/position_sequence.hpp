// SPDX-License-Identifier: BSL-1.0
//
// What all layouts with k probes do with their positions, one after the other: set bits, test bits, visit cells. A
// position sequence is made from a digest and gives one position with each next().
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

// Calls `step` so many times, while it says true; how often it did.
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

// Where bit `position` lies among 64-bit words.
struct BitPosition {
  constexpr explicit BitPosition(std::uint64_t position) noexcept
      : word(to_size(position / 64)), shift(static_cast<unsigned>(position) % 64) {}
  constexpr std::uint64_t mask() const noexcept { return std::uint64_t{1} << shift; }

  std::size_t word;
  unsigned shift;
};

template <class Words, class Positions>
struct SetNext {
  Words& storage;
  Positions& positions;

  [[gnu::always_inline]] void operator()() const noexcept {
    const BitPosition position(positions.next());
    storage.set(position.word, position.mask());
  }
};

// Functions for more than one group are out of line, and get copies of the positions that are made for the call only:
// so up to eight probes stay in registers, and are few instructions where they are used.
template <class Words, class Positions>
[[gnu::noinline]] void set_groups(Words& storage, unsigned hashes, Positions positions) noexcept {
  const SetNext<Words, Positions> set_next{storage, positions};
  for (; hashes > probe_group; hashes -= probe_group) repeat(probe_group, set_next);
  repeat(hashes, set_next);
}

template <class Words, class Positions>
[[gnu::always_inline]] inline void set_bits(Words& storage, unsigned hashes, Positions positions) noexcept {
  if (hashes > probe_group) [[unlikely]] {
    const Positions copy = positions;
    return set_groups(storage, hashes, copy);
  }
  repeat(hashes, SetNext<Words, Positions>{storage, positions});
}

template <class Words, class Positions>
struct TestAndSetNext {
  Words& storage;
  Positions& positions;
  bool& present;

  [[gnu::always_inline]] void operator()() const noexcept {
    const BitPosition position(positions.next());
    present &= storage.test_and_set(position.word, position.mask());
  }
};

// test_and_set_bits on storage that threads share. Of several threads that call this for the same positions at once, at
// most one is told that a bit was missing. The bit at the highest position that was missing when a thread looked is the
// one to claim: the thread sets all others first, that one last, and says "missing" only if it was the one to set it.
//
// Suppose that two threads both said so, for the bits p1 < p2. They are different bits, as only one thread sets a bit.
// The first thread saw p2 set when it looked, so the second had set it already, and p1 before, if it was not set by
// then. The second set p2 with release order and the first saw it with acquire order, so p1 was set when the first
// thread came to set it: a contradiction.
template <class Words, class Positions>
[[gnu::noinline]] bool claim_bits(Words& storage, unsigned hashes, Positions positions) noexcept {
  std::uint64_t missing = 0;  // the position to claim, plus one
  Positions looked = positions;
  for (unsigned probe = 0; probe < hashes; ++probe) {
    const std::uint64_t next = looked.next();
    const BitPosition position(next);
    const bool set = (storage.load_acquire(position.word) & position.mask()) != 0;
    if (!set && next >= missing) missing = next + 1;
  }
  if (missing == 0) return true;
  for (unsigned probe = 0; probe < hashes; ++probe) {
    const std::uint64_t next = positions.next();
    const BitPosition position(next);
    if (next + 1 != missing) storage.set(position.word, position.mask());
  }
  const BitPosition claimed(missing - 1);
  return storage.test_and_set(claimed.word, claimed.mask());
}

// Sets them and says whether all had been set before.
template <class Words, class Positions>
[[gnu::always_inline]] inline bool test_and_set_bits(Words& storage, unsigned hashes, Positions positions) noexcept {
  if constexpr (requires { requires Words::concurrent; }) {
    const Positions copy = positions;
    return claim_bits(storage, hashes, copy);
  }
  bool present = true;
  const TestAndSetNext<Words, Positions> set_next{storage, positions, present};
  for (; hashes > probe_group; hashes -= probe_group) repeat(probe_group, set_next);
  repeat(hashes, set_next);
  return present;
}

template <class Words, class Positions>
struct TestNext {
  const Words& storage;
  Positions& positions;
  std::uint64_t& present;

  [[gnu::always_inline]] void operator()() const noexcept {
    const BitPosition position(positions.next());
    present &= storage.load(position.word) >> position.shift;
  }
};

template <class Words, class Positions>
[[gnu::always_inline]] inline bool test_group(const Words& storage, unsigned hashes, Positions& positions) noexcept {
  std::uint64_t present = 1;
  repeat(hashes, TestNext<Words, Positions>{storage, positions, present});
  return present != 0;
}

template <class Words, class Positions>
[[gnu::noinline]] bool test_groups(const Words& storage, unsigned hashes, Positions positions) noexcept {
  for (; hashes > probe_group; hashes -= probe_group) {
    if (!test_group(storage, probe_group, positions)) return false;
  }
  return test_group(storage, hashes, positions);
}

template <class Words, class Positions>
[[gnu::always_inline]] inline bool test_bits(const Words& storage, unsigned hashes, Positions positions) noexcept {
  if (hashes > probe_group) [[unlikely]] {
    const Positions copy = positions;
    return test_groups(storage, hashes, copy);
  }
  return test_group(storage, hashes, positions);
}

template <class Positions, class Visit>
struct VisitNext {
  Positions& positions;
  const Visit& visit;

  [[gnu::always_inline]] bool operator()() const noexcept { return visit(positions.next()); }
};

template <class Positions, class Visit>
[[gnu::always_inline]] inline unsigned visit_group(unsigned hashes, Positions& positions, const Visit& visit) noexcept {
  return repeat_while(hashes, VisitNext<Positions, Visit>{positions, visit});
}

template <class Positions, class Visit>
[[gnu::noinline, gnu::flatten]] unsigned visit_groups(unsigned hashes, Positions positions, Visit visit) noexcept {
  unsigned visited = 0;
  for (; hashes - visited > probe_group; visited += probe_group) {
    if (const unsigned done = visit_group(probe_group, positions, visit); done != probe_group) return visited + done;
  }
  return visited + visit_group(hashes - visited, positions, visit);
}

// Calls `visit(position)` for each position in turn until one says false; how many said true.
template <class Positions, class Visit>
unsigned visit_while(unsigned hashes, Positions positions, Visit visit) noexcept {
  if (hashes > probe_group) [[unlikely]] {
    const Positions copy = positions;
    return visit_groups(hashes, copy, visit);
  }
  return visit_group(hashes, positions, visit);
}

template <class Positions, class Test>
struct CountFailure {
  Positions& positions;
  const Test& test;
  std::uint64_t& failed;

  [[gnu::always_inline]] void operator()() const noexcept { failed += test(positions.next()) ? 0U : 1U; }
};

template <class Positions, class Test>
[[gnu::always_inline]] inline bool all_in_group(unsigned hashes, Positions& positions, const Test& test) noexcept {
  // Counting failures takes an instruction less for each position than combining truth values.
  std::uint64_t failed = 0;
  repeat(hashes, CountFailure<Positions, Test>{positions, test, failed});
  return failed == 0;
}

template <class Positions, class Test>
[[gnu::noinline, gnu::flatten]] bool all_in_groups(unsigned hashes, Positions positions, Test test) noexcept {
  for (; hashes > probe_group; hashes -= probe_group) {
    if (!all_in_group(probe_group, positions, test)) return false;
  }
  return all_in_group(hashes, positions, test);
}

// Whether `test(position)` holds for all positions.
template <class Positions, class Test>
bool all_of_positions(unsigned hashes, Positions positions, Test test) noexcept {
  if (hashes > probe_group) [[unlikely]] {
    const Positions copy = positions;
    return all_in_groups(hashes, copy, test);
  }
  return all_in_group(hashes, positions, test);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
