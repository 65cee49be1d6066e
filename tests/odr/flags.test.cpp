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

  odr::Filters expected;
  odr::plain.insert(expected, 0, 3000);
  odr::Filters shared;
  const std::uint64_t share = 3000 / units.size();
  for (std::uint64_t i = 0; i < units.size(); ++i) units[i]->insert(shared, i * share, (i + 1) * share);
  CHECK(shared == expected);
  const auto answers = odr::plain.ask(expected, 2000, 6000);
  for (const odr::Unit* unit : units) CHECK(unit->ask(shared, 2000, 6000) == answers);
}
