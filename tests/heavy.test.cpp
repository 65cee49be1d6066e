// SPDX-License-Identifier: BSL-1.0
//
// What takes minutes: ten million keys, and millions of planned cuckoo tables. Preset `heavy` builds and runs it.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/planned.hpp"
#include "support/statistics.hpp"

namespace {

// Tables of growing size, a hundred million inserts each, four million tables at most.
template <class F>
void check_planned() {
  std::uint64_t all_refused = 0;
  double all_tables = 0;
  for (const std::uint64_t keys :
       {1U,   4U,   5U,   8U,   9U,    10U,   12U,   14U,     16U,     18U,      20U,        24U,
        28U,  32U,  40U,  50U,  64U,   80U,   100U,  128U,    160U,    200U,     256U,       320U,
        400U, 512U, 640U, 800U, 1000U, 2000U, 4000U, 10'000U, 30'000U, 100'000U, 1'000'000U, 10'000'000U}) {
    const std::uint64_t tables = std::clamp<std::uint64_t>(100'000'000 / keys, 5, 4'000'000);
    const std::uint64_t refused = support::refusals<F>(keys, tables);
    std::printf("f = %u, b = %u, n = %llu: %llu of %llu tables refused a key\n", F::fingerprint_bits, F::bucket_size,
                static_cast<unsigned long long>(keys), static_cast<unsigned long long>(refused),
                static_cast<unsigned long long>(tables));
    all_refused += refused;
    all_tables += static_cast<double>(tables);
    CHECK(refused <= 6);  // of four million; one in a million would be four
  }
  INFO(all_refused << " of " << all_tables);
  CHECK(static_cast<double>(all_refused) <= 1e-6 * all_tables);
}

}  // namespace

TEST_CASE("planned cuckoo tables refuse a key less than once in a million") {
  check_planned<perhaps::CuckooFilter<std::uint64_t, 12, 4>>();
  check_planned<perhaps::CuckooFilter<std::uint64_t, 8, 4>>();
  check_planned<perhaps::CuckooFilter<std::uint64_t, 16, 8>>();
}

TEMPLATE_LIST_TEST_CASE("ten million keys", "", support::IntegerFilters) {
  using F = TestType;
  const std::uint64_t n = 10'000'000;
  const double fpr = 0.01;
  if (!support::reaches<F>(fpr)) return;
  auto filter = support::make_filter<F>(n, fpr);
  bool accepted = true;
  for (std::uint64_t i = 0; i < n; ++i) accepted &= support::add(filter, i);
  REQUIRE(accepted);
  bool found = true;
  for (std::uint64_t i = 0; i < n; ++i) found &= filter.may_contain(i);
  CHECK(found);
  std::uint64_t hits = 0;
  for (std::uint64_t i = n; i < 3 * n; ++i) hits += filter.may_contain(i) ? 1U : 0U;
  INFO("hits " << hits);
  CHECK(support::consistent(hits, 2 * n, support::model_fpr<F>(n, fpr), 0.001));
  CHECK(support::wilson(hits, 2 * n).low <= fpr);
}
