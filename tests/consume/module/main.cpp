// SPDX-License-Identifier: BSL-1.0
//
// Imports perhaps; other.cpp, in the same program, includes it.
#include <cstdint>
#include <cstdio>
#include <string>

#include "../plain/other.hpp"

import perhaps;

static_assert(perhaps::HashPolicy<perhaps::XxHash3, std::string>);

int main() {
  perhaps::BloomFilter<std::string> seen({.keys = 1'000'000, .fpr = 0.01});
  seen.insert("owl");
  perhaps::BloomFilter<std::string> other({.keys = 1'000'000, .fpr = 0.01});
  other.insert("fox");
  seen |= other;
  perhaps::CountingBloomFilter<std::string> stock({.keys = 1000, .fpr = 0.001});
  stock.insert("lamp");
  perhaps::CuckooFilter<std::uint64_t> ids({.keys = 1000});
  const bool fits = ids.insert(42);

  const auto bytes = perhaps::to_bytes(seen);
  const auto both = seen | perhaps::from_bytes<perhaps::BloomFilter<std::string>>(bytes);

  const bool right = both == seen && seen.may_contain("owl") && seen.may_contain("fox") && stock.erase("lamp") &&
                     stock.empty() && fits && ids.size() == 1 && other::filters_work() &&
                     perhaps::digest_of<std::string>(perhaps::XxHash3(7), "perhaps").g == other::digest("perhaps");
  std::puts(right ? "imported" : "wrong answers");
  return right ? 0 : 1;
}
