// SPDX-License-Identifier: BSL-1.0
//
// Sizing of cuckoo filters: rates, fingerprint bits, buckets, and what is refused.
#include <perhaps/cuckoo_filter.hpp>
#include <perhaps/sizing/cuckoo.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "support/catch.hpp"
#include "support/csv.hpp"

namespace {

using perhaps::cuckoo_parameters;
using perhaps::CuckooFilter;

bool close(double value, double reference) { return std::abs(value - reference) <= 1e-12 * std::abs(reference); }

template <class Make>
std::string refusal(Make make) {
  try {
    static_cast<void>(make());
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("every row of cuckoo_fpr.csv comes out right") {
  const auto rows = support::read_csv("cuckoo_fpr.csv");
  REQUIRE(rows.size() == 126);
  for (const auto& row : rows) {
    const auto f = static_cast<unsigned>(row.integer("f_bits"));
    const auto b = static_cast<unsigned>(row.integer("bucket_size"));
    INFO("f = " << f << ", b = " << b << ", load = " << row.text("load"));
    CHECK(close(perhaps::cuckoo_fpr(f, b, row.real("load")), row.real("fpr_load_aware_nonzero")));
    CHECK(close(perhaps::cuckoo_fpr(f, b, 1), row.real("fpr_upper_nonzero")));
  }
}

TEST_CASE("every row of cuckoo_min_f.csv comes out right") {
  const auto rows = support::read_csv("cuckoo_min_f.csv");
  REQUIRE(rows.size() == 30);
  for (const auto& row : rows) {
    const auto b = static_cast<unsigned>(row.integer("bucket_size"));
    INFO("p = " << row.text("p") << ", b = " << b);
    const auto expected = row.integer("min_f_upper_nonzero");
    if (expected > perhaps::max_fingerprint_bits) {
      CHECK_THROWS_AS(perhaps::fingerprint_bits_for(row.real("p"), b), std::invalid_argument);
      continue;
    }
    CHECK(perhaps::fingerprint_bits_for(row.real("p"), b) == expected);
    CHECK(perhaps::fingerprint_bits_for(row.real("p"), b, 0.95) == row.integer("min_f_load0.95_nonzero"));
  }
}

TEST_CASE("fingerprints for a rate") {  // BUGS K13
  CHECK(perhaps::fingerprint_bits_for(0.01) >= 10);
  CHECK(perhaps::fingerprint_bits_for(0.001) >= 13);
  CHECK(perhaps::fingerprint_bits_for(1e-6) >= 23);
  CHECK(perhaps::fingerprint_bits_for(0.9) == perhaps::min_fingerprint_bits);
  for (const double p : {0.0, -1.0, 1.0, 2.0, std::nan(""), 1e-12}) {
    CHECK_THROWS_AS(perhaps::fingerprint_bits_for(p), std::invalid_argument);
  }
  for (const double p : {0.3, 0.1, 0.01, 1e-4, 1e-8}) {
    const auto sized = cuckoo_parameters({.keys = 1'000'000, .fpr = p});
    INFO("p = " << p);
    CHECK(sized.expected_fpr <= p);
    // Whatever shorter fingerprints meet the rate by lower loads take no less memory.
    for (unsigned bits = perhaps::min_fingerprint_bits; bits < sized.fingerprint_bits; ++bits) {
      const auto shorter = perhaps::try_cuckoo_parameters({.keys = 1'000'000, .fpr = p}, 4, bits);
      CHECK((!shorter || shorter->bytes >= sized.bytes));
    }
  }
}

TEST_CASE("one more key costs one bucket at most, not twice the table") {
  for (const std::uint64_t n : {std::uint64_t{996'147}, std::uint64_t{100'000}, std::uint64_t{7'969'177}}) {
    const auto before = cuckoo_parameters({.keys = n}, 4, 12);
    const auto after = cuckoo_parameters({.keys = n + 1}, 4, 12);
    CHECK(after.buckets >= before.buckets);
    CHECK(after.buckets <= before.buckets + 1);
  }
}

TEST_CASE("an odd number of buckets is planned only where keys with a single bucket are too few to fill it") {
  // With an odd number m of buckets, a fingerprint's two buckets are one for one bucket in m: a key has that
  // fingerprint and that bucket once in m * m, and b + 1 such keys in one bucket are one too many.
  int odd = 0;
  int even = 0;
  for (const unsigned b : {2U, 4U, 8U}) {
    for (std::uint64_t n = 2 * b + 1; n < 20'000; n += 1 + n / 100) {
      const std::uint64_t buckets = cuckoo_parameters({.keys = n}, b, 16).buckets;
      const auto m = static_cast<double>(buckets);
      (buckets % 2 == 1 ? odd : even) += 1;
      double overfull = m;
      for (unsigned i = 0; i <= b; ++i) overfull *= static_cast<double>(n - i) / (i + 1) / (m * m);
      INFO(n << " keys in " << buckets << " buckets of " << b << ": " << overfull
             << " overfull buckets with an odd number");
      if (buckets % 2 == 1) CHECK(overfull < 1e-7);
    }
  }
  // Both are met, and from some size on it does not matter.
  CHECK(odd > 50);
  CHECK(even > 50);
  int odd_of_large = 0;
  for (std::uint64_t n = 1'000'000; n < 1'000'100; ++n) {
    odd_of_large += cuckoo_parameters({.keys = n}, 4, 12).buckets % 2 == 1 ? 1 : 0;
  }
  CHECK(odd_of_large > 25);
}

TEST_CASE("buckets grow with keys, memory is what is promised") {  // BUGS S12
  for (const unsigned b : {2U, 4U, 8U}) {
    for (const unsigned f : {4U, 8U, 12U, 32U}) {
      std::uint64_t before = 0;
      for (std::uint64_t n = 0; n < 3'000'000; n += 1 + n / 7) {
        const auto sized = cuckoo_parameters({.keys = n}, b, f);
        INFO("n = " << n << ", b = " << b << ", f = " << f);
        CHECK(sized.buckets >= before);
        CHECK(sized.buckets * b >= n);
        CHECK(sized.bytes >= (sized.buckets * b * f + 7) / 8);
        CHECK(sized.bytes < sized.buckets * b * f / 8 + 16);
        before = sized.buckets;
      }
    }
  }
  for (const std::uint64_t n : {100'000ULL, 1'000'000ULL, 10'000'000ULL}) {
    const auto sized = cuckoo_parameters({.keys = n}, 4, 12);
    CHECK(static_cast<double>(n) / (static_cast<double>(sized.buckets) * 4) >= 0.95);
  }
  CHECK(CuckooFilter<int>({.keys = 100'000}).bytes() <= 160'000);  // 1.5 bytes a key at 95 %: 157 895
}

TEST_CASE("sizes at the edges") {  // BUGS S10
  CHECK(CuckooFilter<int>({.keys = 0}).buckets() == 1);
  CHECK(CuckooFilter<int>({.keys = 4}).buckets() == 1);
  CHECK(CuckooFilter<int>({.keys = 8}).buckets() == 2);
  for (const std::uint64_t n : {~std::uint64_t{0}, (std::uint64_t{1} << 63U) + 1}) {
    CHECK_THROWS_AS(CuckooFilter<int>({.keys = n}), std::length_error);
    CHECK_FALSE(CuckooFilter<int>::make({.keys = n}));
    CHECK_THROWS_AS(CuckooFilter<int>({.buckets = n}), std::length_error);
    CHECK_FALSE(CuckooFilter<int>::make({.buckets = n}));
  }
  CHECK(cuckoo_parameters({.keys = 10'000'000'000}, 4, 12).buckets > 2'500'000'000);
}

TEST_CASE("what can't be met is refused, and the message says what would do") {
  CHECK(refusal([] { return CuckooFilter<int>({.keys = 1'000'000, .fpr = 1e-4}); }) ==
        "perhaps: fpr = 1e-04 takes fingerprints of 17 bits, not 12");
  CHECK(refusal([] { return CuckooFilter<int>({.keys = 1'000'000, .fpr = 1e-10}); }) ==
        "perhaps: fpr = 1e-10 takes fingerprints of more than 32 bits, not 12");
  CHECK(refusal([] { return CuckooFilter<int>({.keys = 10, .fpr = 1.5}); }) ==
        "perhaps: fpr must be above 0 and below 1, got 1.5");
  CHECK(refusal([] { return CuckooFilter<int>({.buckets = 0}); }) == "perhaps: buckets must be above 0, got 0");
  CHECK(refusal([] { return CuckooFilter<int>({.buckets = 10, .fingerprint_bits = 16}); }) ==
        "perhaps: fingerprint bits differ: 16 and this filter's 12");
  CHECK(refusal([] { return CuckooFilter<int>({.buckets = 10, .bucket_size = 8}); }) ==
        "perhaps: bucket sizes differ: 8 and this filter's 4");
  CHECK(refusal([] { return cuckoo_parameters({.keys = 10}, 3, 12); }) ==
        "perhaps: bucket_size must be 2, 4 or 8, got 3");
  CHECK(refusal([] { return cuckoo_parameters({.keys = 10}, 4, 33); }) ==
        "perhaps: fingerprint_bits must be from 4 to 32, got 33");
  CHECK(refusal([] { return cuckoo_parameters({.keys = 10}); }) == "perhaps: fpr or fingerprint_bits must be given");
  CHECK(refusal([] {
          return cuckoo_parameters({.keys = 40'000'000, .fpr = 0.009}, 4, 0, 32);
        }).find("a hash of 32 bits") != std::string::npos);
  CHECK(refusal([] { return CuckooFilter<int>({.keys = 1'000'000, .fpr = 0.002}); }) == "accepted");
}
