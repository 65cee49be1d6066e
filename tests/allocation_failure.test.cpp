// SPDX-License-Identifier: BSL-1.0
//
// Every allocation of every operation fails in turn. What throws then throws std::bad_alloc and leaves everything as it
// was; what returns std::optional or bool then returns nothing and never throws.
#include <perhaps/parquet.hpp>
#include <perhaps/perhaps.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/allocations.hpp"
#include "support/catch.hpp"

namespace {

enum class End { succeeded, lacked_memory, threw_otherwise };

// Whatever it returns is gone before allocations can succeed again.
template <class Operation>
End end_of(Operation operation) noexcept {
  try {
    static_cast<void>(operation());
    return End::succeeded;
  } catch (const std::bad_alloc&) {
    return End::lacked_memory;
  } catch (...) {
    return End::threw_otherwise;
  }
}

// Runs `operation(state)` with its first, second .. allocation failing, until there are no more; how many there are.
template <class State, class Operation>
std::size_t check_throwing(const std::string& name, const State& state, Operation operation) {
  for (std::size_t i = 1;; ++i) {
    State own = state;
    support::fail_allocation(i);
    const End end = end_of([&] {
      operation(own);
      return 0;
    });
    const bool failed = support::allocation_failed();
    support::fail_allocation(0);
    INFO(name << ", allocation " << i);
    if (!failed) {
      CHECK(end == End::succeeded);
      return i - 1;
    }
    CHECK(end == End::lacked_memory);
    CHECK(own == state);
  }
}

// The same of an operation that says whether it succeeded.
template <class State, class Operation>
std::size_t check_trying(const std::string& name, const State& state, Operation operation) {
  for (std::size_t i = 1;; ++i) {
    State own = state;
    bool succeeded = false;
    support::fail_allocation(i);
    const End end = end_of([&] { return succeeded = static_cast<bool>(operation(own)); });
    const bool failed = support::allocation_failed();
    support::fail_allocation(0);
    INFO(name << ", allocation " << i);
    CHECK(end == End::succeeded);
    CHECK(succeeded == !failed);
    if (!failed) return i - 1;
    CHECK(own == state);
  }
}

// Operations without a state.
template <class Operation>
std::size_t check_throwing(const std::string& name, Operation operation) {
  return check_throwing(name, 0, [&](int) { static_cast<void>(operation()); });
}

template <class Operation>
std::size_t check_trying(const std::string& name, Operation operation) {
  return check_trying(name, 0, [&](int) { return operation(); });
}

// A policy with tables, as tabulation hashing has them: copies allocate, moves do not.
struct Tabulated {
  static constexpr unsigned digest_bits = 128;
  std::vector<std::uint64_t> table = std::vector<std::uint64_t>(16, 0x9E3779B97F4A7C15U);

  perhaps::Digest operator()(std::uint64_t key) const noexcept {
    return {key * table[key % 16], (key ^ table[key / 16 % 16]) * 0xBF58476D1CE4E5B9U};
  }
  friend bool operator==(const Tabulated&, const Tabulated&) = default;
};

// One that has no moves of its own, so that each is a copy, which allocates.
struct CopiedTable : Tabulated {
  CopiedTable() = default;
  CopiedTable(const CopiedTable&) = default;
  CopiedTable& operator=(const CopiedTable&) = default;
  ~CopiedTable() = default;
};

using Bloom = perhaps::BloomFilter<std::uint64_t>;
using Split = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<64, 8>>;
using TabulatedBloom = perhaps::BloomFilter<std::uint64_t, Tabulated>;
using Counting = perhaps::CountingBloomFilter<std::uint64_t>;
using TabulatedCounting = perhaps::CountingBloomFilter<std::uint64_t, 8, Tabulated>;
using Cuckoo = perhaps::CuckooFilter<std::uint64_t>;
using TabulatedCuckoo = perhaps::CuckooFilter<std::uint64_t, 16, 4, Tabulated>;

template <class F>
F filled(std::uint64_t keys) {
  F filter({.keys = keys, .fpr = 0.01});
  for (std::uint64_t key = 0; key < keys; ++key) {
    if constexpr (requires {
                    { filter.insert(key) } -> std::same_as<bool>;
                  })
      REQUIRE(filter.insert(key));
    else filter.insert(key);
  }
  return filter;
}

// Two filters, of which one is changed: both must stay as they are.
template <class F>
struct Pair {
  F left = filled<F>(50);
  F right = filled<F>(50);
  F larger = filled<F>(500);
  friend bool operator==(const Pair&, const Pair&) = default;
};

// What all kinds have.
template <class F>
void check_common() {
  const perhaps::BloomTarget target{.keys = 100, .fpr = 0.01};
  const auto construct = [&] {
    if constexpr (std::constructible_from<F, perhaps::BloomTarget>) return F(target);
    else return F(perhaps::CuckooTarget{.keys = 100, .fpr = 0.01});
  };
  const auto make = [&] {
    if constexpr (std::constructible_from<F, perhaps::BloomTarget>) return F::make(target);
    else return F::make(perhaps::CuckooTarget{.keys = 100, .fpr = 0.01});
  };
  constexpr bool plain = std::same_as<typename F::hasher, perhaps::XxHash3>;
  const std::size_t words = 1;  // the filter's memory is one allocation
  const std::size_t constructed = check_throwing("construct", construct);
  CHECK((plain ? constructed == words : constructed >= words));
  // The policy is made by the caller, so one that can't be made does throw.
  if constexpr (plain) CHECK(check_trying("make", make) == words);

  const Pair<F> pair;
  check_throwing("copy", pair, [](Pair<F>& own) { F copy(own.left); });
  check_throwing("copy assignment", pair, [](Pair<F>& own) { own.left = own.larger; });
  check_throwing("copy assignment, equal size", pair, [](Pair<F>& own) { own.left = own.right; });
  CHECK(check_throwing("move and swap", pair, [](Pair<F>& own) {
          F moved(std::move(own.left));
          own.left = std::move(moved);
          swap(own.left, own.larger);
        }) == 0);
  const std::vector<std::uint64_t> keys{1, 2, 3};
  std::array<bool, 3> answers{};
  CHECK(check_throwing("batches", pair, [&](Pair<F>& own) {
          static_cast<void>(own.left.insert_range(keys));
          own.left.may_contain_range(keys, answers.begin());
        }) == 0);
  CHECK(check_throwing("numbers", pair, [](Pair<F>& own) {
          static_cast<void>(own.left.current_fpr() + own.left.expected_fpr(1000));
          own.left.clear();
        }) == 0);
}

// Saving and loading, of policies with ids.
template <class F>
void check_stored() {
  const F filter = filled<F>(50);
  const auto bytes = perhaps::to_bytes(filter);
  check_throwing("to_bytes", [&] { return perhaps::to_bytes(filter); });
  check_throwing("from_bytes", [&] { return perhaps::from_bytes<F>(bytes); });
  check_throwing("load_into", filled<F>(70), [&](F& own) { perhaps::load_into(own, bytes); });
  check_trying("try_from_bytes", [&] { return static_cast<bool>(perhaps::try_from_bytes<F>(bytes)); });

  std::stringstream stored;
  perhaps::write(filter, stored);
  check_trying("try_read", [&] {
    stored.clear();
    stored.seekg(0);
    return static_cast<bool>(perhaps::try_read<F>(stored));
  });
  check_throwing("read", [&] {
    stored.clear();
    stored.seekg(0);
    return perhaps::read<F>(stored);
  });
  // Streams catch what their buffers throw, and fail.
  std::stringstream out;
  check_trying("try_write", [&] {
    out.clear();
    out.str(std::string());
    return perhaps::try_write(filter, out);
  });
}

template <class F>
void check_bloom() {
  check_common<F>();
  const Pair<F> pair;
  CHECK(check_throwing("|= and &=", pair, [](Pair<F>& own) {
          own.left |= own.right;
          own.left &= own.right;
        }) == 0);
  check_throwing("|", pair, [](Pair<F>& own) { static_cast<void>(own.left | own.right); });
  check_throwing("&", pair, [](Pair<F>& own) { static_cast<void>(own.left & own.right); });
  CHECK(check_trying("try_unite, try_intersect", pair, [](Pair<F>& own) {
          return own.left.try_unite(own.right) && own.left.try_intersect(own.right);
        }) == 0);
  CHECK(check_trying("try_estimate_sets", pair,
                     [](Pair<F>& own) { return perhaps::try_estimate_sets(own.left, own.right).has_value(); }) == 0);
  CHECK(check_throwing("estimate_sets", pair,
                       [](Pair<F>& own) { static_cast<void>(perhaps::estimate_sets(own.left, own.right)); }) == 0);

  const perhaps::BloomParameters round{.bits = 512 * 12, .hashes = 8};
  F filter(round);
  for (std::uint64_t key = 0; key < 20; ++key) filter.insert(key);
  CHECK(check_throwing("folded", filter, [](F& own) { static_cast<void>(own.folded(6)); }) >= 1);
  CHECK(check_throwing("fold_to", filter, [](F& own) { static_cast<void>(own.fold_to(0.1)); }) > 2);
  CHECK(check_trying("try_folded", filter, [](F& own) { return own.try_folded(6); }) >= 1);
  CHECK(check_trying("try_fold_to", filter, [](F& own) { return own.try_fold_to(0.1); }) > 2);
  check_throwing("construct by parameters", [&] { return F(round); });
  if constexpr (std::same_as<typename F::hasher, perhaps::XxHash3>) {
    CHECK(check_trying("make by parameters", [&] { return F::make(round); }) == 1);
  }
}

template <class F>
void check_counting() {
  check_common<F>();
  const Pair<F> pair;
  CHECK(check_throwing("+=", pair, [](Pair<F>& own) { own.left += own.right; }) == 0);
  CHECK(check_trying("try_add", pair, [](Pair<F>& own) { return own.left.try_add(own.right); }) == 0);
  check_throwing("+", pair, [](Pair<F>& own) { static_cast<void>(own.left + own.right); });
  check_throwing("to_bloom", pair, [](Pair<F>& own) { static_cast<void>(own.left.to_bloom()); });
}

}  // namespace

TEST_CASE("allocations of Bloom filters fail") {
  check_bloom<Bloom>();
  check_stored<Bloom>();
}

TEST_CASE("allocations of Bloom filters of split blocks fail") { check_bloom<Split>(); }

TEST_CASE("allocations of Bloom filters with a policy that allocates fail") { check_bloom<TabulatedBloom>(); }

TEST_CASE("allocations of counting filters fail") {
  check_counting<Counting>();
  check_stored<Counting>();
  check_counting<TabulatedCounting>();
}

TEST_CASE("allocations of cuckoo filters fail") {
  check_common<Cuckoo>();
  check_stored<Cuckoo>();
  check_common<TabulatedCuckoo>();
}

TEST_CASE("factories return nothing where moving a policy is a copy that fails") {
  const perhaps::BloomParameters round{.bits = 960, .hashes = 4};
  CopiedTable policy;
  // The argument itself is the caller's copy; what fails behind it is reported by an empty result.
  const auto check = [&](const std::string& name, auto make) {
    std::size_t throws = 0;
    std::size_t nothing = 0;
    for (std::size_t i = 1;; ++i) {
      support::fail_allocation(i);
      bool made = false;
      const End end = end_of([&] { return made = static_cast<bool>(make()); });
      const bool failed = support::allocation_failed();
      support::fail_allocation(0);
      INFO(name << ", allocation " << i);
      CHECK(end != End::threw_otherwise);
      CHECK((made == (end == End::succeeded && !failed)));
      if (end == End::lacked_memory) ++throws;
      else if (failed) ++nothing;
      if (!failed) break;
    }
    CHECK(throws <= 1);
    CHECK(nothing >= 2);
  };
  using F = perhaps::BloomFilter<std::uint64_t, CopiedTable>;
  using G = perhaps::CountingBloomFilter<std::uint64_t, 4, CopiedTable>;
  using H = perhaps::CuckooFilter<std::uint64_t, 12, 4, CopiedTable>;
  check("BloomFilter", [&] { return F::make(round, policy); });
  check("CountingBloomFilter",
        [&] { return G::make(perhaps::CountingParameters{.counters = 960, .hashes = 4}, policy); });
  check("CuckooFilter", [&] { return H::make(perhaps::CuckooParameters{.buckets = 20}, policy); });
  const F filter(round, policy);
  check("try_folded", [&] { return filter.try_folded(2); });
  check("try_fold_to", [&] { return filter.try_fold_to(0.1); });
}

TEST_CASE("sizing and formulas allocate nothing") {
  using perhaps::Blocked;
  using perhaps::Classic;
  using perhaps::SplitBlock;
  const auto check = []<class Layout>() {
    for (const double fpr : {0.5, 0.01, 1e-6, 1e-18}) {
      CHECK(check_trying("try_bloom_parameters",
                         [&] { return perhaps::try_bloom_parameters<Layout>({.keys = 500, .fpr = fpr}, 128); }) == 0);
      CHECK(check_throwing("bloom_parameters",
                           [&] { return perhaps::bloom_parameters<Layout>({.keys = 500, .fpr = fpr}, 128); }) == 0);
    }
    CHECK(check_throwing("max_keys", [] { return perhaps::max_keys<Layout>(5120, 8, 0.01); }) == 0);
  };
  check.template operator()<Classic<>>();
  check.template operator()<Blocked<512>>();
  check.template operator()<SplitBlock<64, 8>>();
  check.template operator()<SplitBlock<16, 8>>();
  CHECK(check_trying("try_cuckoo_parameters",
                     [] { return perhaps::try_cuckoo_parameters({.keys = 500, .fpr = 0.01}); }) == 0);
  CHECK(check_throwing("cuckoo_parameters", [] { return perhaps::cuckoo_parameters({.keys = 500, .fpr = 0.01}); }) ==
        0);
  CHECK(check_trying("try_counting_parameters",
                     [] { return perhaps::try_counting_parameters<Blocked<512>>({.keys = 500, .fpr = 0.01}); }) == 0);
  CHECK(check_throwing("counting_parameters",
                       [] { return perhaps::counting_parameters({.keys = 500, .fpr = 0.01}, 16); }) == 0);
  CHECK(check_trying("try_fingerprint_bits_for", [] { return perhaps::try_fingerprint_bits_for(0.01); }) == 0);
  CHECK(check_throwing("exact_fpr", [] { return perhaps::exact_fpr(1000, 64, 100); }) == 0);
}

TEST_CASE("plans are vectors, and throw when those can't be had") {
  CHECK(check_throwing("plan_filters", [] { return perhaps::plan_filters({.keys = 500, .fpr = 0.01}); }) > 0);
  CHECK(check_throwing("plan_lowest_fpr", [] { return perhaps::plan_lowest_fpr({.keys = 500, .bytes = 900}); }) > 0);
  CHECK(check_throwing("plan_most_keys", [] { return perhaps::plan_most_keys({.fpr = 0.01, .bytes = 900}); }) > 0);
}

TEST_CASE("allocations of Parquet's bytes fail") {
  using Parquet = perhaps::ParquetFilter<std::int64_t>;
  const Parquet filter({.keys = 100, .fpr = 0.01});
  const auto bytes = perhaps::to_parquet(filter);
  check_throwing("to_parquet", [&] { return perhaps::to_parquet(filter); });
  check_throwing("from_parquet", [&] { return perhaps::from_parquet<Parquet>(bytes); });
  check_trying("try_from_parquet", [&] { return static_cast<bool>(perhaps::try_from_parquet<Parquet>(bytes)); });
}
