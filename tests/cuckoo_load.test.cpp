// SPDX-License-Identifier: BSL-1.0
//
// How full cuckoo tables get before the first refusal, and that planned tables take all the keys they were planned for.
#include <perhaps/cuckoo_filter.hpp>

#include <cmath>
#include <cstdint>
#include <string>

#include "support/catch.hpp"
#include "support/keys.hpp"
#include "support/planned.hpp"
#include "support/statistics.hpp"

namespace {

using perhaps::CuckooFilter;
using perhaps::XxHash3;

// The mean load at the first refusal over `tables` tables.
template <class F, class KeyOf>
double mean_load(std::uint64_t buckets, std::uint64_t tables, KeyOf key_of) {
  double sum = 0;
  for (std::uint64_t table = 0; table < tables; ++table) {
    F filter({.buckets = buckets}, XxHash3(table));
    for (std::uint64_t i = 0; filter.insert(key_of(i)); ++i) {
    }
    sum += filter.load_factor();
  }
  return sum / static_cast<double>(tables);
}

template <class F>
void check_planned() {
  INFO("f = " << F::fingerprint_bits << ", b = " << F::bucket_size);
  for (std::uint64_t n = 1; n < 200; ++n) CHECK(support::refusals<F>(n, 300) == 0);
  for (std::uint64_t n = 200; n < 20'000; n += n / 3) CHECK(support::refusals<F>(n, 20) == 0);
  CHECK(support::refusals<F>(100'000, 2) == 0);
  CHECK(support::refusals<F>(1'000'000, 1) == 0);
}

}  // namespace

TEST_CASE("loads before the first refusal, for keys of every pattern") {
  const std::uint64_t buckets = 1U << 14U;
  const auto sequential = [](std::uint64_t i) { return i; };
  const auto pages = [](std::uint64_t i) { return i * 4096; };
  const auto random = [](std::uint64_t i) { return support::scramble(i); };
  CHECK(mean_load<CuckooFilter<std::uint64_t>>(buckets, 5, sequential) >= 0.97);
  CHECK(mean_load<CuckooFilter<std::uint64_t>>(buckets, 5, pages) >= 0.97);
  CHECK(mean_load<CuckooFilter<std::uint64_t>>(buckets, 5, random) >= 0.97);
  CHECK(mean_load<CuckooFilter<std::string>>(buckets, 3, support::string_key) >= 0.97);
  CHECK(mean_load<CuckooFilter<std::uint64_t>>(buckets - 1, 5, sequential) >= 0.97);
  CHECK(mean_load<CuckooFilter<std::uint64_t>>(1U << 17U, 1, sequential) >= 0.97);
  CHECK(mean_load<CuckooFilter<std::uint64_t, 16>>(buckets, 5, pages) >= 0.97);
  CHECK(mean_load<CuckooFilter<std::uint64_t, 12, 8>>(buckets, 3, sequential) >= 0.98);
  CHECK(mean_load<CuckooFilter<std::uint64_t, 12, 8>>(buckets, 3, pages) >= 0.98);
  CHECK(mean_load<CuckooFilter<std::uint64_t, 12, 2>>(buckets, 5, sequential) >= 0.86);
  CHECK(mean_load<CuckooFilter<std::uint64_t, 12, 2>>(buckets, 5, pages) >= 0.86);
}

TEST_CASE("planned tables take all their keys") {
  check_planned<CuckooFilter<std::uint64_t>>();
  check_planned<CuckooFilter<std::uint64_t, 8>>();
  check_planned<CuckooFilter<std::uint64_t, 16>>();
  check_planned<CuckooFilter<std::uint64_t, 12, 2>>();
  check_planned<CuckooFilter<std::uint64_t, 12, 8>>();
  check_planned<CuckooFilter<std::uint64_t, 5, 4>>();
}

TEST_CASE("rates at 95 % load") {  // BUGS K13
  const auto check = [](auto filter, double rate) {
    const auto keys = static_cast<std::uint64_t>(0.95 * static_cast<double>(filter.capacity()));
    for (std::uint64_t i = 0; i < keys; ++i) REQUIRE(filter.insert(i));
    std::uint64_t hits = 0;
    const std::uint64_t queries = 3'000'000;
    for (std::uint64_t i = keys; i < keys + queries; ++i) hits += filter.may_contain(i) ? 1U : 0U;
    INFO("hits " << hits);
    CHECK(support::consistent(hits, queries, filter.current_fpr(), 0.005));
    CHECK(std::abs(static_cast<double>(hits) / static_cast<double>(queries) / rate - 1) < 0.15);
  };
  check(CuckooFilter<std::uint64_t, 8>({.buckets = 1U << 16U}), 0.0295);
  check(CuckooFilter<std::uint64_t, 12>({.buckets = 1U << 16U}), 0.00185);
  check(CuckooFilter<std::uint64_t, 16>({.buckets = 1U << 16U}), 0.000116);
}
