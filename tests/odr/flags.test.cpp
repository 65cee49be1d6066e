// SPDX-License-Identifier: BSL-1.0
//
// Translation units compiled for different processors share filters in one program.
#include "odr/unit.hpp"

#include <cstdint>
#include <vector>

#include "support/catch.hpp"

TEST_CASE("units compiled for different processors agree on every bit and answer") {
  std::vector<const odr::Unit*> units{&odr::plain};
  if (perhaps::isa::Avx2::available()) units.push_back(&odr::avx2);
  if (perhaps::isa::Avx512::available()) units.push_back(&odr::avx512);
  CHECK(odr::avx2.instruction_set == perhaps::isa::Avx2::name);
  CHECK(odr::avx512.instruction_set == perhaps::isa::Avx512::name);

  // Within the first-level cache and beyond: batches go differently there.
  for (const std::uint64_t keys : {3000U, 100'000U}) {
    odr::Filters expected(keys);
    odr::plain.insert(expected, 0, keys);
    odr::Filters shared(keys);
    const std::uint64_t share = keys / units.size();
    for (std::uint64_t i = 0; i < units.size(); ++i) units[i]->insert(shared, i * share, (i + 1) * share);
    units.back()->insert(shared, units.size() * share, keys);
    // Kept from the test framework, which would print all of it.
    const bool equal = shared == expected;
    CHECK(equal);
    const auto answers = odr::plain.ask(expected, keys / 3 * 2, 2 * keys);
    for (const odr::Unit* unit : units) {
      const bool agrees = unit->ask(shared, keys / 3 * 2, 2 * keys) == answers;
      CHECK(agrees);
    }
  }
}
