// SPDX-License-Identifier: BSL-1.0
//
// Estimates of how many keys are in: the reference tables, and the edges.
#include <perhaps/bloom_filter.hpp>
#include <perhaps/cardinality.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include "support/catch.hpp"
#include "support/csv.hpp"

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool close(double value, double reference, double tolerance = 1e-12) {
  return value == reference || std::abs(value - reference) <= tolerance * std::abs(reference);
}

}  // namespace

TEST_CASE("every row of cardinality.csv comes out right") {
  const auto rows = support::read_csv("cardinality.csv");
  REQUIRE(rows.size() == 99);
  for (const auto& row : rows) {
    const auto k = static_cast<unsigned>(row.integer("k"));
    INFO("m = " << row.text("m") << ", k = " << k << ", X = " << row.text("X_set_bits"));
    CHECK(close(perhaps::estimated_keys(row.integer("m"), k, row.integer("X_set_bits")), row.real("n_star")));
  }
}

TEST_CASE("every row of cardinality_setops.csv comes out right") {
  const auto rows = support::read_csv("cardinality_setops.csv");
  REQUIRE(rows.size() == 7);
  for (const auto& row : rows) {
    const std::uint64_t m = row.integer("m");
    const auto k = static_cast<unsigned>(row.integer("k"));
    const perhaps::SetEstimate sets{perhaps::estimated_keys(m, k, row.integer("X_A")),
                                    perhaps::estimated_keys(m, k, row.integer("X_B")),
                                    perhaps::estimated_keys(m, k, row.integer("X_or"))};
    INFO("m = " << m << ", true_A = " << row.text("true_A") << ", true_B = " << row.text("true_B"));
    CHECK(close(sets.left, row.real("n_A")));
    CHECK(close(sets.right, row.real("n_B")));
    CHECK(close(sets.both, row.real("n_union")));
    const double raw = row.real("n_inter_incl_excl");
    if (raw < 0) {
      CHECK(sets.intersection() == 0);
    } else {
      CHECK(close(sets.intersection(), raw, 1e-9));
      CHECK(close(sets.jaccard(), row.real("jaccard_est"), 1e-9));
    }
  }
}

TEST_CASE("estimates at the edges") {  // BUGS E01, E06
  CHECK(perhaps::estimated_keys(64, 3, 0) == 0);
  CHECK(perhaps::estimated_keys(64, 3, 64) == infinity);
  CHECK(perhaps::estimated_keys(1, 1, 1) == infinity);
  CHECK(std::abs(perhaps::estimated_keys(30'000'000'000'000, 10, 10) - 1) < 1e-6);
  CHECK(std::abs(perhaps::estimated_keys(1000, 5, 500) - 138.63) < 0.005);
  // Beyond 32 bits, without the bits.
  CHECK(close(perhaps::estimated_keys(std::uint64_t{1} << 33U, 7, std::uint64_t{1} << 32U),
              8589934592.0 / 7 * std::log(2.0)));
}

TEST_CASE("set estimates are never negative or not a number") {
  CHECK(perhaps::SetEstimate{10, 20, 35}.intersection() == 0);
  CHECK(perhaps::SetEstimate{10, 20, 15}.intersection() == 10);
  CHECK(perhaps::SetEstimate{0, 0, 0}.intersection() == 0);
  CHECK(perhaps::SetEstimate{0, 0, 0}.jaccard() == 1);
  CHECK(perhaps::SetEstimate{infinity, infinity, infinity}.intersection() == infinity);
  CHECK(perhaps::SetEstimate{10, infinity, infinity}.intersection() == 10);
  CHECK(perhaps::SetEstimate{infinity, infinity, infinity}.jaccard() == 0);
  CHECK(perhaps::SetEstimate{10, 10, 10}.jaccard() == 1);
}
