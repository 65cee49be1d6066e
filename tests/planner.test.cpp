// SPDX-License-Identifier: BSL-1.0
//
// The planner: which filter is smallest, and that each plan is what the filter would be.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::FilterKind;
using perhaps::Plan;

const Plan* find(const std::vector<Plan>& plans, FilterKind kind) {
  const auto found = std::ranges::find(plans, kind, &Plan::kind);
  return found == plans.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("facts: Bloom filters are smallest above 0.4 %, cuckoo filters below") {
  for (const double fpr : {0.1, 0.03, 0.01, 0.005}) {
    INFO("fpr = " << fpr);
    CHECK(perhaps::plan_filters({.keys = 1'000'000, .fpr = fpr}).front().kind == FilterKind::bloom);
  }
  for (const double fpr : {0.001, 1e-4, 1e-6}) {
    INFO("fpr = " << fpr);
    CHECK(perhaps::plan_filters({.keys = 1'000'000, .fpr = fpr}).front().kind == FilterKind::cuckoo);
  }
  const auto plans = perhaps::plan_filters({.keys = 1'000'000, .fpr = 0.001});
  CHECK(std::abs(find(plans, FilterKind::bloom)->bits_per_key - 14.4) < 0.05);
  CHECK(std::abs(find(plans, FilterKind::cuckoo)->bits_per_key - 13.6) < 0.05);
}

TEST_CASE("plans are sorted, meet the target and are what the filters are") {
  for (const std::uint64_t n : {0ULL, 1ULL, 10ULL, 1000ULL, 1'000'000ULL}) {
    for (const double fpr : {0.3, 0.01, 1e-5}) {
      const auto plans = perhaps::plan_filters({.keys = n, .fpr = fpr});
      INFO("n = " << n << ", fpr = " << fpr);
      REQUIRE(plans.size() == 3);
      CHECK(std::ranges::is_sorted(plans, {}, &Plan::bytes));
      for (const Plan& plan : plans) CHECK(plan.achieved_fpr <= fpr);
      const perhaps::BloomFilter<int> bloom({.keys = n, .fpr = fpr});
      const perhaps::CountingBloomFilter<int> counting({.keys = n, .fpr = fpr});
      CHECK(find(plans, FilterKind::bloom)->bytes == bloom.bytes());
      CHECK(find(plans, FilterKind::bloom)->hashes == bloom.hashes());
      CHECK(find(plans, FilterKind::counting_bloom)->bytes >= counting.bytes());
      const Plan& cuckoo = *find(plans, FilterKind::cuckoo);
      const auto sized = perhaps::cuckoo_parameters({.keys = n, .fpr = fpr}, cuckoo.bucket_size);
      CHECK(sized.fingerprint_bits == cuckoo.fingerprint_bits);
      CHECK(sized.bytes == cuckoo.bytes);
      for (const unsigned bucket_size : {2U, 4U, 8U}) {
        CHECK(cuckoo.bytes <= perhaps::cuckoo_parameters({.keys = n, .fpr = fpr}, bucket_size).bytes);
      }
    }
  }
}

TEST_CASE("what can erase, what may refuse, and what is out of reach") {
  const auto plans = perhaps::plan_filters({.keys = 100, .fpr = 0.01});
  CHECK_FALSE(find(plans, FilterKind::bloom)->erases());
  CHECK(find(plans, FilterKind::counting_bloom)->erases());
  CHECK_FALSE(find(plans, FilterKind::counting_bloom)->may_refuse());
  CHECK(find(plans, FilterKind::cuckoo)->may_refuse());
  // Below 2b/2^32 no fingerprint is long enough.
  CHECK(find(perhaps::plan_filters({.keys = 1'000'000, .fpr = 1e-12}), FilterKind::cuckoo) == nullptr);
  CHECK_THROWS_AS(perhaps::plan_filters({.keys = 100, .fpr = 1.5}), std::invalid_argument);
}
