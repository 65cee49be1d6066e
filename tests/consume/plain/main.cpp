// SPDX-License-Identifier: BSL-1.0
#include <perhaps/perhaps.hpp>

#include <cstdio>
#include <string>

#include "other.hpp"

#if defined(PERHAPS_TEST_HOSTILE)
#include "odr/hostile.hpp"
#endif

namespace {

bool filters_work() {
  auto bloom = perhaps::BloomFilter<std::string>::make({.keys = 1000, .fpr = 1e-6});
  auto counting = perhaps::CountingBloomFilter<std::string>::make({.keys = 1000, .fpr = 1e-6});
  auto cuckoo = perhaps::CuckooFilter<std::string>::make({.keys = 1000});
  if (!bloom || !counting || !cuckoo || !cuckoo->insert("owl")) return false;
  bloom->insert("owl");
  counting->insert("owl");
  return bloom->may_contain("owl") && counting->may_contain("owl") && cuckoo->may_contain("owl");
}

#define PERHAPS_TEST_TEXT_OF(name) #name
#define PERHAPS_TEST_TEXT(macro) PERHAPS_TEST_TEXT_OF(macro)
// Function bodies differ with and without exceptions, so their names must.
bool names_differ_as_bodies_do() {
#if defined(__cpp_exceptions)
  const bool has_exceptions = true;
#else
  const bool has_exceptions = false;
#endif
  return (other::has_exceptions() == has_exceptions) == (other::abi() == PERHAPS_TEST_TEXT(PERHAPS_ABI));
}

bool hostile_unit_agrees() {
#if defined(PERHAPS_TEST_HOSTILE)
  auto filter = odr::hostile_filter();
  filter.insert("inserted here");
  return filter.may_contain("inserted there") && odr::hostile_may_contain(filter, "inserted here");
#else
  return true;
#endif
}

}  // namespace

int main() {
  const bool same_digest =
      perhaps::digest_of<std::string>(perhaps::XxHash3(7), "perhaps").g == other::digest("perhaps");
  const bool right =
      filters_work() && other::filters_work() && same_digest && names_differ_as_bodies_do() && hostile_unit_agrees();
  std::puts(right ? "all right" : "wrong answers");
  return right ? 0 : 1;
}
