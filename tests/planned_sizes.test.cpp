// SPDX-License-Identifier: BSL-1.0
//
// One number everywhere: the memory that parameters and plans state is what the filter holds, for every kind and size.
// And plans are the best there are: no other width or load of a cuckoo filter beats them.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::Blocked;
using perhaps::Classic;
using perhaps::FilterKind;
using perhaps::Plan;
using perhaps::SplitBlock;

// The memory of a filter that is made as the plan says.
template <unsigned Bits = 4>
std::uint64_t cuckoo_bytes(const perhaps::CuckooParameters& sized) {
  if (sized.fingerprint_bits == Bits) {
    if (sized.bucket_size == 2) return perhaps::CuckooFilter<int, Bits, 2>(sized).bytes();
    if (sized.bucket_size == 4) return perhaps::CuckooFilter<int, Bits, 4>(sized).bytes();
    return perhaps::CuckooFilter<int, Bits, 8>(sized).bytes();
  }
  if constexpr (Bits < perhaps::max_fingerprint_bits) return cuckoo_bytes<Bits + 1>(sized);
  return 0;
}

perhaps::CuckooParameters parameters_of(const Plan& plan) {
  return {.buckets = plan.cells, .fingerprint_bits = plan.fingerprint_bits, .bucket_size = plan.bucket_size};
}

template <class Layout>
std::uint64_t filter_bytes(const Plan& plan) {
  if (plan.kind == FilterKind::bloom) {
    using Filter = perhaps::BloomFilter<int, perhaps::XxHash3, Layout>;
    return Filter(perhaps::BloomParameters{.bits = plan.cells, .hashes = plan.hashes}).bytes();
  }
  if constexpr (perhaps::CellLayout<Layout>) {
    using Filter = perhaps::CountingBloomFilter<int, 4, perhaps::XxHash3, Layout>;
    return Filter(perhaps::CountingParameters{.counters = plan.cells, .hashes = plan.hashes}).bytes();
  }
  return 0;
}

std::uint64_t filter_bytes(const Plan& plan) {
  if (plan.kind == FilterKind::cuckoo) return cuckoo_bytes(parameters_of(plan));
  if (plan.layout == Classic<>::name) return filter_bytes<Classic<>>(plan);
  if (plan.layout == Blocked<512>::name) return filter_bytes<Blocked<512>>(plan);
  return filter_bytes<SplitBlock<64, 8>>(plan);
}

void check_plans(const std::vector<Plan>& plans) {
  for (const Plan& plan : plans) {
    INFO("kind " << static_cast<int>(plan.kind) << ", " << plan.layout << ", keys = " << plan.keys
                 << ", cells = " << plan.cells << ", f = " << plan.fingerprint_bits << ", b = " << plan.bucket_size);
    CHECK(plan.bytes == filter_bytes(plan));
    if (plan.kind != FilterKind::cuckoo) continue;
    // Asked for by the rate that the plan achieves, the filter is that of the plan, or a smaller one.
    const auto again = perhaps::try_cuckoo_parameters({.keys = plan.keys, .fpr = plan.expected_fpr}, plan.bucket_size,
                                                      plan.fingerprint_bits);
    // Where there is memory to spare, 32 bits have rates that longer ones would have in less.
    CHECK((again.has_value() || plan.fingerprint_bits == 32));
    if (!again) continue;
    CHECK(again->bytes <= plan.bytes);
    CHECK(again->expected_fpr <= plan.expected_fpr);
  }
}

struct Table {
  unsigned bits, slots;

  double rate(std::uint64_t keys, std::uint64_t buckets) const {
    const double compared = 2.0 * static_cast<double>(keys) / static_cast<double>(buckets) / (buckets == 1 ? 2 : 1);
    return -std::expm1(compared * std::log1p(-1 / (std::exp2(bits) - 1)));
  }

  // Found by trying, not by the formula that is tested.
  std::uint64_t bytes(std::uint64_t buckets) const {
    std::uint64_t load = 4;
    for (unsigned chunk = slots; chunk >= 1; chunk /= 2) {
      unsigned widest = 0;
      for (unsigned bit = 0; bit < 8 * chunk * bits; bit += chunk * bits) widest = std::max(widest, bit % 8);
      if (widest + chunk * bits > 64) continue;
      load = widest + chunk * bits > 32 ? 8 : 4;
      break;
    }
    return (((buckets * bits * slots + 7) / 8 + load - 1) + 7) / 8 * 8;
  }
};

std::vector<Table> tables() {
  std::vector<Table> all;
  for (unsigned bits = 4; bits <= 32; ++bits) {
    for (const unsigned slots : {2U, 4U, 8U}) all.push_back({bits, slots});
  }
  return all;
}

// The greatest x in [low, high] for which holds(x); low - 1 if there is none.
template <class Holds>
std::uint64_t last(std::uint64_t low, std::uint64_t high, Holds holds) {
  while (low <= high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (holds(middle)) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

const Plan* cuckoo_of(const std::vector<Plan>& plans) {
  const auto found = std::ranges::find(plans, FilterKind::cuckoo, &Plan::kind);
  return found == plans.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("cuckoo parameters state the memory that filters hold") {
  for (const Table& table : tables()) {
    for (const std::uint64_t keys : {0U, 1U, 2U, 3U, 7U, 20U, 333U, 4321U}) {
      const auto sized = perhaps::cuckoo_parameters({.keys = keys}, table.slots, table.bits);
      INFO("f = " << table.bits << ", b = " << table.slots << ", keys = " << keys);
      CHECK(sized.bytes == cuckoo_bytes(sized));
      CHECK(sized.bytes == table.bytes(sized.buckets));
    }
    for (std::uint64_t buckets = 1; buckets < 40; ++buckets) {
      const perhaps::CuckooParameters given{
          .buckets = buckets, .fingerprint_bits = table.bits, .bucket_size = table.slots};
      CHECK(cuckoo_bytes(given) == table.bytes(buckets));
      const perhaps::detail::TableGeometry geometry{table.bits, table.slots};
      CHECK(geometry.buckets_in(table.bytes(buckets)) >= buckets);
      CHECK(geometry.buckets_in(table.bytes(buckets + 1) - 1) <= buckets);
    }
  }
}

TEST_CASE("Bloom and counting parameters state the memory that filters hold") {
  const auto check = []<class Layout>() {
    for (const std::uint64_t keys : {0U, 1U, 2U, 5U, 77U, 1000U, 20'000U}) {
      for (const double fpr : {0.9, 0.1, 0.01, 1e-5}) {
        const perhaps::BloomTarget target{.keys = keys, .fpr = fpr};
        const auto sized = perhaps::bloom_parameters<Layout>(target);
        using Filter = perhaps::BloomFilter<int, perhaps::XxHash3, Layout>;
        CHECK(sized.bytes == Filter(target).bytes());
        CHECK(sized.bytes == Filter(sized).bytes());
        CHECK(sized.expected_fpr <= fpr);
        const auto narrow = perhaps::try_bloom_parameters<Layout>(target, 32);
        if (narrow) CHECK(narrow->expected_fpr <= fpr);
        if constexpr (perhaps::CellLayout<Layout>) {
          const auto two = perhaps::counting_parameters<Layout>(target, 2);
          CHECK((two.bytes == perhaps::CountingBloomFilter<int, 2, perhaps::XxHash3, Layout>(target).bytes()));
          const auto sixteen = perhaps::counting_parameters<Layout>(target, 16);
          CHECK((sixteen.bytes == perhaps::CountingBloomFilter<int, 16, perhaps::XxHash3, Layout>(target).bytes()));
        }
      }
    }
  };
  check.template operator()<Classic<>>();
  check.template operator()<Blocked<512>>();
  check.template operator()<SplitBlock<64, 8>>();
}

TEST_CASE("bytes of counters never wrap") {
  for (unsigned i = 50; i < 62; ++i) {
    for (const double fpr : {0.5, 0.01, 1e-6}) {
      const perhaps::BloomTarget target{.keys = std::uint64_t{1} << i, .fpr = fpr};
      const auto bloom = perhaps::try_bloom_parameters(target, 128);
      for (const unsigned width : {2U, 4U, 8U, 16U}) {
        INFO("keys = 2^" << i << ", fpr = " << fpr << ", width " << width);
        const auto counting = perhaps::try_counting_parameters(target, width, 128);
        const bool fits = bloom && static_cast<double>(bloom->bytes) * width < 18446744073709551616.0;
        CHECK(counting.has_value() == fits);
        if (counting) CHECK(counting->bytes / width == bloom->bytes);
        if (!counting) CHECK_THROWS_AS(perhaps::counting_parameters(target, width, 128), std::length_error);
      }
    }
  }
  CHECK_THROWS_WITH(perhaps::counting_parameters({.keys = 1'000'000'000'000'000'000U, .fpr = 0.01}, 16, 128),
                    "perhaps: keys = 1000000000000000000 at fpr = 0.01 with counter_bits = 16 take 2^64 bytes or more");
}

TEST_CASE("plans state the memory that filters hold, smallest first, from one key on") {
  for (const std::uint64_t keys : {0ULL, 1ULL, 2ULL, 3ULL, 5ULL, 9ULL, 30ULL, 500ULL, 12'345ULL}) {
    for (const double fpr : {0.6, 0.1, 0.029, 0.01, 0.0018, 1e-4, 1e-7}) {
      const auto plans = perhaps::plan_filters<Classic<>, Blocked<512>, SplitBlock<64, 8>>({.keys = keys, .fpr = fpr});
      check_plans(plans);
      CHECK(std::ranges::is_sorted(plans, {}, [](const Plan& plan) { return filter_bytes(plan); }));
      for (const Plan& plan : plans) CHECK(plan.expected_fpr <= fpr);
    }
    for (const std::uint64_t bytes : {8ULL, 16ULL, 24ULL, 65ULL, 200ULL, 3000ULL, 20'000ULL}) {
      const auto plans = perhaps::plan_lowest_fpr<Classic<>, Blocked<512>>({.keys = keys, .bytes = bytes});
      check_plans(plans);
      for (const Plan& plan : plans) CHECK(plan.bytes <= bytes);
    }
  }
  for (const double fpr : {0.6, 0.029, 0.0018, 1e-7}) {
    for (const std::uint64_t bytes : {8ULL, 16ULL, 24ULL, 65ULL, 200ULL, 3000ULL, 20'000ULL}) {
      const auto plans = perhaps::plan_most_keys<Classic<>, Blocked<512>>({.fpr = fpr, .bytes = bytes});
      check_plans(plans);
      for (const Plan& plan : plans) CHECK((plan.bytes <= bytes && plan.expected_fpr <= fpr));
    }
  }
}

TEST_CASE("no width and load of a cuckoo filter takes less memory than the plan") {
  for (const std::uint64_t keys : {1ULL, 10ULL, 700ULL, 1'000'000ULL, 300'000'000ULL}) {
    for (const double fpr : {0.5, 0.1, 0.04, 0.029, 0.015, 0.01, 0.002, 0.0018, 0.0017, 1e-4, 3e-6, 5e-9}) {
      const Plan* plan = nullptr;
      const auto plans = perhaps::plan_filters({.keys = keys, .fpr = fpr});
      plan = cuckoo_of(plans);
      REQUIRE(plan != nullptr);
      for (const Table& table : tables()) {
        const std::uint64_t first = perhaps::cuckoo_parameters({.keys = keys}, table.slots, table.bits).buckets;
        // Even numbers of buckets always do.
        std::uint64_t buckets = first;
        if (table.rate(keys, first) > fpr) {
          buckets = last(first, first * 1000, [&](std::uint64_t m) { return table.rate(keys, m) > fpr; }) + 1;
          buckets += buckets % 2;
          if (table.rate(keys, buckets) > fpr) continue;
        }
        INFO("keys = " << keys << ", fpr = " << fpr << ", f = " << table.bits << ", b = " << table.slots);
        CHECK(plan->bytes <= table.bytes(buckets));
      }
    }
  }
}

TEST_CASE("no width and load of a cuckoo filter has a lower rate in given memory, or holds more keys") {
  for (const std::uint64_t bytes : {64ULL, 1000ULL, 1ULL << 20U, 1'690'000ULL}) {
    const auto room = [&](const Table& table) {
      std::uint64_t buckets = bytes * 8 / (table.bits * table.slots);
      while (buckets > 0 && (buckets % 2 == 1 || table.bytes(buckets) > bytes)) --buckets;
      return buckets;
    };
    for (const std::uint64_t keys : {1ULL, 30ULL, 500ULL, 400'000ULL, 1'000'000ULL}) {
      const auto plans = perhaps::plan_lowest_fpr({.keys = keys, .bytes = bytes}, 128);
      const Plan* plan = cuckoo_of(plans);
      for (const Table& table : tables()) {
        const std::uint64_t first = perhaps::cuckoo_parameters({.keys = keys}, table.slots, table.bits).buckets;
        if (room(table) < first) continue;
        INFO("keys = " << keys << ", bytes = " << bytes << ", f = " << table.bits << ", b = " << table.slots);
        REQUIRE(plan != nullptr);
        CHECK(plan->expected_fpr <= table.rate(keys, room(table)) * (1 + 1e-9));
      }
    }
    for (const double fpr : {0.5, 0.1, 0.029, 0.01, 0.0018, 1e-4, 3e-6, 5e-9}) {
      const auto plans = perhaps::plan_most_keys({.fpr = fpr, .bytes = bytes});
      const Plan* plan = cuckoo_of(plans);
      const std::uint64_t more = plan == nullptr ? 1 : plan->keys + 1;
      for (const Table& table : tables()) {
        INFO("fpr = " << fpr << ", bytes = " << bytes << ", f = " << table.bits << ", b = " << table.slots
                      << ", keys = " << more);
        const std::uint64_t first = perhaps::cuckoo_parameters({.keys = more}, table.slots, table.bits).buckets;
        CHECK((room(table) < first || table.rate(more, room(table)) > fpr));
      }
    }
  }
}

TEST_CASE("filters of lower loads hold their keys at their rates") {
  // Eight bits at full load are just above 2.9 %; nine would take more memory.
  perhaps::CuckooFilter<std::uint64_t, 8> filter({.keys = 200'000, .fpr = 0.029});
  CHECK(filter.expected_fpr(200'000) <= 0.029);
  CHECK(filter.bytes() < perhaps::cuckoo_parameters({.keys = 200'000}, 4, 9).bytes);
  std::uint64_t refused = 0;
  for (std::uint64_t key = 0; key < 200'000; ++key) refused += filter.insert(key) ? 0U : 1U;
  CHECK(refused == 0);
  std::uint64_t wrong = 0;
  for (std::uint64_t key = 200'000; key < 1'200'000; ++key) wrong += filter.may_contain(key) ? 1U : 0U;
  CHECK(std::abs(static_cast<double>(wrong) - 29'000) < 5 * std::sqrt(29'000.0));
  // A width for which a longer one would take less is refused, and names it.
  CHECK_THROWS_WITH((perhaps::CuckooFilter<int, 8>({.keys = 200'000, .fpr = 0.02})),
                    "perhaps: fpr = 0.02 takes fingerprints of 9 bits, not 8");
}

TEST_CASE("a table of one bucket states the rate that its filter has") {
  for (const std::uint64_t keys : {1U, 2U, 4U}) {
    const auto sized = perhaps::cuckoo_parameters({.keys = keys}, 4, 8);
    CHECK(sized.buckets == 1);
    CHECK(std::abs(sized.expected_fpr - perhaps::CuckooFilter<int, 8>(sized).expected_fpr(keys)) < 1e-15);
  }
}

TEST_CASE("facts: what lower loads save") {
  const auto most = perhaps::plan_most_keys({.fpr = 0.029, .bytes = 1U << 20U});
  CHECK(cuckoo_of(most)->keys >= 981'672);
  const auto lowest = perhaps::plan_lowest_fpr({.keys = 1'000'000, .bytes = 1'690'000});
  CHECK(cuckoo_of(lowest)->expected_fpr < 0.001595);
  const auto smallest = perhaps::plan_filters({.keys = 1'000'000, .fpr = 0.029});
  CHECK(cuckoo_of(smallest)->fingerprint_bits == 8);
  CHECK(cuckoo_of(smallest)->bytes < 1'070'000);
}
