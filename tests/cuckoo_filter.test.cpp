// SPDX-License-Identifier: BSL-1.0
//
// CuckooFilter: refusal that changes nothing, exact books, copies of a key, erase, and programs of random steps.
#include <perhaps/cuckoo_filter.hpp>
#include <perhaps/filter_concepts.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "support/catch.hpp"
#include "support/keys.hpp"
#include "support/suite.hpp"

namespace {

using perhaps::CuckooFilter;
using perhaps::Digest;

using Integers = CuckooFilter<std::uint64_t>;

static_assert(perhaps::ErasableFilter<Integers> && !perhaps::MergeableFilter<Integers>);
static_assert(std::copyable<Integers> && std::is_nothrow_move_constructible_v<Integers>);
static_assert(!std::convertible_to<int, Integers> && !std::default_initializable<Integers>);

using WidthsFull = std::tuple<CuckooFilter<std::uint64_t, 4, 4>, CuckooFilter<std::uint64_t, 8, 2>,
                              CuckooFilter<std::uint64_t, 8, 4>, CuckooFilter<std::uint64_t, 12, 4>,
                              CuckooFilter<std::uint64_t, 13, 8>, CuckooFilter<std::uint64_t, 16, 4>,
                              CuckooFilter<std::uint64_t, 19, 2>, CuckooFilter<std::uint64_t, 32, 8>>;
using Widths =
    support::Suite<WidthsFull, std::tuple<CuckooFilter<std::uint64_t, 4, 4>, CuckooFilter<std::uint64_t, 12, 4>,
                                          CuckooFilter<std::uint64_t, 13, 8>, CuckooFilter<std::uint64_t, 19, 2>>>;

template <class F>
bool finds_all(const F& filter, const std::vector<std::uint64_t>& keys) {
  return std::ranges::all_of(keys, [&](std::uint64_t key) { return filter.may_contain(key); });
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a refused insert changes nothing and loses nobody", "", Widths) {  // BUGS K01
  for (const std::uint64_t buckets : {1U, 2U, 3U, 10U, 333U, 1024U}) {
    TestType filter({.buckets = buckets});
    std::vector<std::uint64_t> accepted;
    std::uint64_t refused = 0;
    for (std::uint64_t key = 0; refused < 50; ++key) {
      const TestType before = filter;
      if (filter.insert(support::scramble(key))) {
        accepted.push_back(support::scramble(key));
        continue;
      }
      ++refused;
      REQUIRE(filter == before);
    }
    INFO("buckets = " << buckets);
    CHECK(filter.size() == accepted.size());
    CHECK(finds_all(filter, accepted));
    // Room made by an erase is found again.
    REQUIRE(filter.erase(accepted.back()));
    CHECK(filter.insert(accepted.back()));
    for (const std::uint64_t key : accepted) REQUIRE(filter.erase(key));
    CHECK(filter.empty());
    CHECK(filter == TestType({.buckets = buckets}));  // every slot is empty again
  }
}

TEST_CASE("the books are right when full, and after") {  // BUGS K02
  Integers filter({.buckets = 64});
  std::vector<std::uint64_t> accepted;
  for (std::uint64_t key = 0; filter.insert(key); ++key) accepted.push_back(key);
  CHECK(filter.size() == accepted.size());
  CHECK(filter.load_factor() > 0.85);
  const std::uint64_t size = filter.size();
  REQUIRE(filter.erase(accepted.front()));
  CHECK(filter.size() == size - 1);
  CHECK(filter.insert(accepted.front()));
  for (const std::uint64_t key : accepted) REQUIRE(filter.erase(key));
  CHECK(filter.size() == 0);
  CHECK(filter.empty());
}

TEST_CASE("no fingerprint is mistaken for an empty slot") {  // BUGS K03
  struct Given {
    Digest operator()(std::uint64_t word) const { return {word, 0}; }
    enum : unsigned { digest_bits = 64 };
  };
  CuckooFilter<std::uint64_t, 8, 4, Given> filter({.keys = 10});
  CHECK_FALSE(filter.may_contain(0));
  REQUIRE(filter.insert(0));
  CHECK(filter.may_contain(0));
  CHECK(filter.size() == 1);
  CHECK(filter.erase(0));
  CHECK_FALSE(filter.may_contain(0));
  CHECK_FALSE(filter.erase(0));

  CuckooFilter<std::uint64_t, 8> many({.keys = 100'000});
  for (std::uint64_t key = 0; key < 100'000; ++key) REQUIRE(many.insert(key));
  bool all = true;
  for (std::uint64_t key = 0; key < 100'000; ++key) all &= many.may_contain(key);
  CHECK(all);
}

TEST_CASE("every fingerprint value is used evenly") {
  // One bucket, one key at a time: the stored value is the fingerprint.
  std::vector<std::uint64_t> counts(16);
  CuckooFilter<std::uint64_t, 4, 2> filter({.buckets = 1});
  for (std::uint64_t key = 0; key < 150'000; ++key) {
    filter.clear();
    REQUIRE(filter.insert(key));
    ++counts[std::to_integer<unsigned>(filter.packed()[0]) & 15U];
  }
  CHECK(counts[0] == 0);
  double chi_squared = 0;
  for (std::size_t value = 1; value < 16; ++value) {
    const double off = static_cast<double>(counts[value]) - 10'000;
    chi_squared += off * off / 10'000;
  }
  CHECK(chi_squared < 45);  // 14 degrees of freedom: once in 25 000
}

TEST_CASE("ten buckets, forty keys") {  // BUGS K04
  for (std::uint64_t buckets = 1; buckets <= 40; ++buckets) {
    CuckooFilter<std::uint64_t, 24> filter({.buckets = buckets});
    std::vector<std::uint64_t> accepted;
    for (std::uint64_t key = 0; key < 4 * buckets; ++key) {
      if (filter.insert(key)) accepted.push_back(key);
    }
    INFO("buckets = " << buckets);
    CHECK(accepted.size() == filter.size());
    CHECK(finds_all(filter, accepted));
  }
}

TEMPLATE_LIST_TEST_CASE("a key is in as often as it was accepted, 2b times at most", "", Widths) {  // BUGS K06
  TestType filter({.keys = 1000});
  std::vector<std::uint64_t> others;
  for (std::uint64_t key = 0; others.size() < 500; ++key) {
    if (filter.count(key + 1'000'000) == 0 && filter.insert(key)) others.push_back(key);
  }
  std::uint64_t twin = 77'000'000;
  while (filter.may_contain(twin)) ++twin;
  unsigned accepted = 0;
  for (int i = 0; i < 100; ++i) accepted += filter.insert(twin) ? 1U : 0U;
  CHECK(accepted <= 2 * TestType::bucket_size);
  CHECK(accepted >= TestType::bucket_size);
  CHECK(filter.count(twin) == accepted);
  CHECK(finds_all(filter, others));
  for (unsigned i = 0; i < accepted; ++i) {
    CHECK(filter.erase(twin));
    CHECK(filter.count(twin) == accepted - 1 - i);
  }
  CHECK_FALSE(filter.erase(twin));
  CHECK(finds_all(filter, others));
}

TEST_CASE("erasing a key that is certainly not in changes nothing") {  // BUGS K08
  Integers filter({.keys = 10'000});
  for (std::uint64_t key = 0; key < 10'000; ++key) REQUIRE(filter.insert(key));
  const Integers before = filter;
  int absent = 0;
  for (std::uint64_t key = 1'000'000; absent < 10'000; ++key) {
    if (filter.may_contain(key)) continue;
    ++absent;
    REQUIRE_FALSE(filter.erase(key));
  }
  CHECK(filter == before);
  CHECK(filter.size() == 10'000);
}

TEST_CASE("keys with equal fingerprints do not share a slot") {  // BUGS K09
  CuckooFilter<std::uint64_t, 8> filter({.keys = 4000});
  for (std::uint64_t key = 0; key < 4000; ++key) REQUIRE(filter.insert(key));
  for (std::uint64_t key = 2000; key < 4000; ++key) REQUIRE(filter.erase(key));
  bool all = true;
  for (std::uint64_t key = 0; key < 2000; ++key) all &= filter.may_contain(key);
  CHECK(all);
  REQUIRE(filter.insert(1));
  CHECK(filter.erase(1));
  CHECK(filter.may_contain(1));
}

TEST_CASE("the harm of erasing absent keys is what the documentation says") {
  const auto lost = [](auto filter, std::uint64_t keys) {
    for (std::uint64_t key = 0; key < keys; ++key) REQUIRE(filter.insert(key));
    for (std::uint64_t key = 1'000'000; key < 1'100'000; ++key) filter.erase(key);
    std::uint64_t denied = 0;
    for (std::uint64_t key = 0; key < keys; ++key) denied += filter.may_contain(key) ? 0U : 1U;
    return denied;
  };
  const std::uint64_t f8 = lost(CuckooFilter<std::uint64_t, 8>({.buckets = 16'384}), 62'259);
  const std::uint64_t f12 = lost(CuckooFilter<std::uint64_t, 12>({.buckets = 16'384}), 62'259);
  const std::uint64_t f16 = lost(CuckooFilter<std::uint64_t, 16>({.buckets = 16'384}), 62'259);
  INFO(f8 << ", " << f12 << ", " << f16);
  CHECK((f8 > 2600 && f8 < 3200));
  CHECK((f12 > 120 && f12 < 250));
  CHECK(f16 < 30);
}

TEMPLATE_LIST_TEST_CASE("random steps against a multiset", "", Widths) {
  TestType filter({.buckets = 512});
  std::unordered_map<std::uint64_t, unsigned> model;
  std::uint64_t size = 0;
  bool right = true;
  const std::uint64_t steps = support::repetitions(1'000'000U, 120'000U);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t random = support::scramble(step ^ (std::uint64_t{TestType::fingerprint_bits} << 40U));
    const std::uint64_t key = random % 3000;
    // Phases of growth and shrinking, so that the table is often full and often nearly empty.
    const bool growing = (step / 20'000) % 2 == 0;
    const std::uint64_t dice = (random >> 32U) % 8;
    if (dice < (growing ? 4U : 1U)) {
      if (filter.insert(key)) {
        ++model[key];
        ++size;
      }
    } else if (dice < 5) {
      const auto found = model.find(key);
      if (found == model.end()) continue;  // only what was inserted may be erased
      right &= filter.erase(key);
      --size;
      if (--found->second == 0) model.erase(found);
    } else {
      const auto found = model.find(key);
      const unsigned expected = found == model.end() ? 0 : found->second;
      right &= filter.count(key) >= expected;
      right &= expected == 0 || filter.may_contain(key);
      right &= filter.may_contain(key) == (filter.count(key) != 0);
    }
    right &= filter.size() == size;
  }
  CHECK(right);
  for (const auto& [key, count] : model) right &= filter.count(key) >= count;
  CHECK(right);
}

TEST_CASE("a key with both its positions in one bucket is counted once") {
  for (const std::uint64_t buckets : {1U, 3U, 5U}) {
    CuckooFilter<std::uint64_t, 32> filter({.buckets = buckets});
    for (std::uint64_t key = 0; key < 40; ++key) {
      filter.clear();
      REQUIRE(filter.insert(key));
      REQUIRE(filter.count(key) == 1);
      REQUIRE(filter.insert(key));
      REQUIRE(filter.count(key) == 2);
    }
  }
}

TEST_CASE("counts are exact where fingerprints are long") {
  CuckooFilter<std::uint64_t, 32> filter({.keys = 3000});
  std::unordered_map<std::uint64_t, unsigned> model;
  for (std::uint64_t step = 0; step < 3000; ++step) {
    const std::uint64_t key = support::scramble(step) % 1500;
    if (filter.insert(key)) ++model[key];
  }
  for (std::uint64_t key = 0; key < 1500; ++key) {
    const auto found = model.find(key);
    REQUIRE(filter.count(key) == (found == model.end() ? 0 : found->second));
  }
}

TEST_CASE("strings are found in every spelling, by digest too") {
  CuckooFilter<std::string, 16> filter({.keys = 100});
  REQUIRE(filter.insert("owl"));
  CHECK(filter.may_contain(std::string("owl")));
  CHECK(filter.may_contain(filter.digest("owl")));
  CHECK_FALSE(filter.may_contain("fox"));
  CHECK(filter.erase(std::string_view("owl")));
  CHECK(filter.empty());
}

TEST_CASE("a moved-from cuckoo filter accepts nothing and denies nothing") {
  Integers filter({.keys = 10});
  const Integers taken = std::move(filter);
  // NOLINTBEGIN(bugprone-use-after-move): the documented state
  CHECK_FALSE(filter.insert(1));
  CHECK(filter.may_contain(1));
  CHECK_FALSE(filter.erase(1));
  CHECK(filter.count(1) == 0);
  CHECK(filter.load_factor() == 1);
  CHECK(filter.current_fpr() == 1);
  filter.clear();
  // NOLINTEND(bugprone-use-after-move)
  CHECK(taken.buckets() > 0);
}
