// SPDX-License-Identifier: BSL-1.0
#include "other.hpp"

#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <string>

namespace other {

bool filters_work() {
  auto bloom = perhaps::BloomFilter<std::string>::make({.keys = 1000, .fpr = 1e-6});
  auto counting = perhaps::CountingBloomFilter<std::string>::make({.keys = 1000, .fpr = 1e-6});
  auto cuckoo = perhaps::CuckooFilter<std::string>::make({.keys = 1000});
  if (!bloom || !counting || !cuckoo || !cuckoo->insert("owl")) return false;
  bloom->insert("owl");
  counting->insert("owl");
  return bloom->may_contain("owl") && counting->may_contain("owl") && cuckoo->may_contain("owl") &&
         !bloom->may_contain("fox") && !counting->erase("fox") && !cuckoo->may_contain("fox");
}

std::uint64_t digest(const std::string& key) { return perhaps::digest_of<std::string>(perhaps::XxHash3(7), key).g; }

#define PERHAPS_TEST_TEXT_OF(name) #name
#define PERHAPS_TEST_TEXT(macro) PERHAPS_TEST_TEXT_OF(macro)
std::string abi() { return PERHAPS_TEST_TEXT(PERHAPS_ABI); }

bool has_exceptions() {
#if defined(__cpp_exceptions)
  return true;
#else
  return false;
#endif
}

}  // namespace other
