// SPDX-License-Identifier: BSL-1.0
//
// One program of two translation units that both include everything, the second one under hostile conditions: it links,
// and both see the same library.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <string>

#include "odr/hostile.hpp"
#include "support/catch.hpp"

TEST_CASE("two translation units share filters, digests and sizes") {  // BUGS B01, B02
  perhaps::BloomFilter<std::string> filter = odr::hostile_filter();
  CHECK(filter.may_contain("inserted there"));
  filter.insert("inserted here");
  CHECK(odr::hostile_may_contain(filter, "inserted here"));
  CHECK(odr::hostile_digest("text") == perhaps::digest_of<std::string>(perhaps::XxHash3(7), "text"));
  CHECK(odr::hostile_parameters(1000, 0.01) == perhaps::bloom_parameters({.keys = 1000, .fpr = 0.01}));
  CHECK(odr::hostile_count("text", 3) == 3);
}
