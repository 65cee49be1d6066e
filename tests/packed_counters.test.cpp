// SPDX-License-Identifier: BSL-1.0
//
// Packed counters against an array of numbers, for every width: what saturates stays, and no neighbour is touched.
#include <perhaps/detail/packed_counters.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include "support/catch.hpp"
#include "support/keys.hpp"

namespace {

template <unsigned Bits>
class Model {
 public:
  using Counters = perhaps::detail::PackedCounters<Bits>;
  static constexpr std::uint64_t maximum = (std::uint64_t{1} << Bits) - 1;
  static constexpr std::size_t counters = 3 * 64 / Bits;

  void put(std::size_t position, std::uint64_t value) {
    numbers[position] = value;
    words[position * Bits / 64] &= ~(maximum << (position * Bits % 64));
    words[position * Bits / 64] |= value << (position * Bits % 64);
  }

  bool agrees() const {
    bool same = true;
    for (std::size_t position = 0; position < counters; ++position) {
      same &= Counters::get(words, position) == numbers[position];
      same &= Counters::is_set(words, position) == (numbers[position] != 0);
    }
    return same;
  }

  std::array<std::uint64_t, 3> words{};
  std::array<std::uint64_t, counters> numbers{};
};

// Values at both ends of the range, and any others.
template <unsigned Bits>
std::uint64_t value_of(std::uint64_t random) {
  constexpr std::uint64_t maximum = Model<Bits>::maximum;
  const std::array<std::uint64_t, 6> values{0, 1, maximum, maximum - 1, maximum / 2 + 1, (random >> 32U) & maximum};
  return values[random % values.size()];
}

template <unsigned Bits>
void check_one_by_one() {
  using Counters = typename Model<Bits>::Counters;
  Model<Bits> model;
  bool same = true;
  for (std::uint64_t step = 0; step < 6000; ++step) {
    const std::uint64_t random = support::scramble(step);
    const auto position = static_cast<std::size_t>((random >> 8U) % Model<Bits>::counters);
    std::uint64_t& number = model.numbers[position];
    switch (random % 3) {
      case 0:
        model.put(position, value_of<Bits>(support::scramble(random)));
        break;
      case 1:
        Counters::increment(model.words, position);
        if (number != Model<Bits>::maximum) ++number;
        break;
      default:
        same &= Counters::decrement(model.words, position) == (number != 0);
        if (number != 0 && number != Model<Bits>::maximum) --number;
    }
    same &= model.agrees();
  }
  CHECK(same);
}

template <unsigned Bits>
void check_words() {
  using Counters = typename Model<Bits>::Counters;
  bool same = true;
  for (std::uint64_t step = 0; step < 2000; ++step) {
    Model<Bits> left;
    Model<Bits> right;
    Model<Bits> sum;
    std::uint64_t nonzero = 0;
    std::uint64_t saturated = 0;
    std::uint64_t flags = 0;
    for (std::size_t i = 0; i < Counters::per_word; ++i) {
      left.put(i, value_of<Bits>(support::scramble(2 * (step * 64 + i))));
      right.put(i, value_of<Bits>(support::scramble(2 * (step * 64 + i) + 1)));
      const std::uint64_t total = left.numbers[i] + right.numbers[i];
      sum.put(i, total < Model<Bits>::maximum ? total : Model<Bits>::maximum);
      const std::uint64_t lowest = std::uint64_t{1} << (i * Bits);
      if (left.numbers[i] != 0) nonzero |= lowest;
      if (left.numbers[i] == Model<Bits>::maximum) saturated |= lowest;
      if (left.numbers[i] != 0) flags |= std::uint64_t{1} << i;
    }
    same &= Counters::add(left.words[0], right.words[0]) == sum.words[0];
    same &= Counters::nonzero(left.words[0]) == nonzero;
    same &= Counters::saturated(left.words[0]) == saturated;
    same &= Counters::gather(nonzero) == flags;
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("packed counters: one by one they count as numbers do, and saturate") {
  check_one_by_one<2>();
  check_one_by_one<4>();
  check_one_by_one<8>();
  check_one_by_one<16>();
}

TEST_CASE("packed counters: a word at once is counter by counter") {
  check_words<2>();
  check_words<4>();
  check_words<8>();
  check_words<16>();
}
