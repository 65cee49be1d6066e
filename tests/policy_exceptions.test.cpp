// SPDX-License-Identifier: BSL-1.0
//
// Hash policies that own memory and may throw when they are copied: whatever operation fails at whatever copy, both
// filters are as they were, and each still finds its own keys.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "support/catch.hpp"
#include "support/filters.hpp"

namespace {

using perhaps::Digest;

struct NoMore {};

// How many copies may still be made.
int copies_left = -1;

void count_copy() {
  if (copies_left == 0) throw NoMore{};
  if (copies_left > 0) --copies_left;
}

// Copies only, so that its moves may throw.
class Copying {
 public:
  static constexpr unsigned digest_bits = 64;

  Copying() : Copying(0) {}
  explicit Copying(std::uint64_t seed) : seed_(std::make_unique<std::uint64_t>(seed)) {}
  Copying(const Copying& other) : seed_((count_copy(), std::make_unique<std::uint64_t>(*other.seed_))) {}
  Copying& operator=(const Copying& other) {
    count_copy();
    *seed_ = *other.seed_;
    return *this;
  }
  ~Copying() = default;

  Digest operator()(std::uint64_t word) const { return perhaps::mix_word(word, *seed_); }
  friend bool operator==(const Copying& left, const Copying& right) { return *left.seed_ == *right.seed_; }

 private:
  std::unique_ptr<std::uint64_t> seed_;
};

// Two members, of which the second may fail after the first has been assigned; moves don't throw.
struct TwoParts {
  static constexpr unsigned digest_bits = 64;
  std::uint64_t first = 0;
  std::shared_ptr<int> nothing;
  std::uint64_t second = 0;

  TwoParts() = default;
  explicit TwoParts(std::uint64_t seed) : first(seed), second(~seed) {}
  TwoParts(const TwoParts& other) : first(other.first), second((count_copy(), other.second)) {}
  TwoParts(TwoParts&&) noexcept = default;
  TwoParts& operator=(const TwoParts& other) {
    first = other.first;
    count_copy();
    second = other.second;
    return *this;
  }
  TwoParts& operator=(TwoParts&&) noexcept = default;
  ~TwoParts() = default;

  Digest operator()(std::uint64_t word) const { return perhaps::mix_word(word ^ second, first); }
  friend bool operator==(const TwoParts& left, const TwoParts& right) {
    return left.first == right.first && left.second == right.second;
  }
};

template <class Hash>
using Filters =
    std::tuple<perhaps::BloomFilter<std::uint64_t, Hash>, perhaps::CountingBloomFilter<std::uint64_t, 4, Hash>,
               perhaps::CuckooFilter<std::uint64_t, 32, 4, Hash>>;

template <class F>
F filled(std::uint64_t keys, std::uint64_t seed, std::uint64_t first) {
  F filter = [&] {
    if constexpr (requires { F::fingerprint_bits; }) return F({.keys = keys}, typename F::hasher(seed));
    else return F({.keys = keys, .fpr = 1e-6}, typename F::hasher(seed));
  }();
  for (std::uint64_t i = 0; i < keys; ++i) REQUIRE(support::add(filter, first + i));
  return filter;
}

template <class F>
bool finds(const F& filter, std::uint64_t keys, std::uint64_t first) {
  bool all = true;
  for (std::uint64_t i = 0; i < keys; ++i) all = all && filter.may_contain(first + i);
  return all;
}

// Runs `operation(a, b)` with 0, 1, 2 .. copies allowed until it succeeds; after each failure both are as they were.
template <class F, class Operation>
void check_all_or_nothing(std::uint64_t keys_of_b, Operation operation) {
  const F first = filled<F>(100, 1, 0);
  const F second = filled<F>(keys_of_b, 2, 1'000'000);
  F a = first;
  F b = second;
  bool done = false;
  for (int allowed = 0; !done; ++allowed) {
    REQUIRE(allowed < 20);
    copies_left = allowed;
    try {
      operation(a, b);
      done = true;
    } catch (const NoMore&) {
    }
    copies_left = -1;
    if (!done) {
      CHECK((a == first && b == second));
      CHECK((finds(a, 100, 0) && finds(b, keys_of_b, 1'000'000)));
    }
  }
}

template <class F>
void check_assignments() {
  for (const std::uint64_t keys_of_b : {std::uint64_t{100}, std::uint64_t{5000}}) {  // equal and other sizes
    check_all_or_nothing<F>(keys_of_b, [&](F& a, F& b) {
      a = b;
      CHECK((a == b && finds(a, keys_of_b, 1'000'000)));
    });
    check_all_or_nothing<F>(keys_of_b, [&](F& a, F& b) {
      const F copy(b);
      CHECK((copy == b && a != b));
    });
    check_all_or_nothing<F>(keys_of_b, [&](F& a, F&) {
      F& itself = a;
      a = itself;
      CHECK(finds(a, 100, 0));
    });
  }
}

template <class F>
void check_swap() {
  F a = filled<F>(100, 1, 0);
  F b = filled<F>(5000, 2, 1'000'000);
  swap(a, b);
  CHECK((finds(a, 5000, 1'000'000) && finds(b, 100, 0)));
  CHECK(a.hash_policy() == typename F::hasher(2));
  // The first copy of a policy fails before anything has moved.
  copies_left = 0;
  try {
    swap(a, b);
  } catch (const NoMore&) {
  }
  copies_left = -1;
  CHECK((finds(a, 5000, 1'000'000) || finds(a, 100, 0)));
  CHECK(finds(a, 100, 0) == finds(b, 5000, 1'000'000));
}

static_assert(!std::is_nothrow_move_constructible_v<Copying>);
static_assert(std::is_nothrow_swappable_v<perhaps::BloomFilter<int>>);
static_assert(std::is_nothrow_swappable_v<perhaps::CountingBloomFilter<int>>);
static_assert(std::is_nothrow_swappable_v<perhaps::CuckooFilter<int>>);
static_assert(!std::is_nothrow_swappable_v<perhaps::BloomFilter<std::uint64_t, Copying>>);

}  // namespace

TEMPLATE_LIST_TEST_CASE("a copy whose policy throws changes nothing", "", Filters<Copying>) {
  check_assignments<TestType>();
  check_swap<TestType>();
}

TEMPLATE_LIST_TEST_CASE("a policy that throws half-way is not half assigned", "", Filters<TwoParts>) {
  check_assignments<TestType>();
}

TEMPLATE_LIST_TEST_CASE("making a filter passes on what its policy throws", "", Filters<Copying>) {
  int failures = 0;
  bool made = false;
  for (int allowed = 0; !made; ++allowed) {
    REQUIRE(allowed < 20);
    const Copying policy(7);
    copies_left = allowed;
    try {
      if constexpr (requires { TestType::fingerprint_bits; }) {
        made = TestType::make({.keys = 10}, policy).has_value();
      } else {
        made = TestType::make({.keys = 10, .fpr = 0.01}, policy).has_value();
      }
    } catch (const NoMore&) {
      ++failures;
    }
    copies_left = -1;
  }
  CHECK(failures > 0);
}
