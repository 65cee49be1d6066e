// SPDX-License-Identifier: BSL-1.0
//
// What a first program does, with each filter.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

int main() {
  perhaps::BloomFilter<std::string> seen({.keys = 1'000'000, .fpr = 0.01});
  seen.insert("owl");
  perhaps::CountingBloomFilter<std::string> stock({.keys = 1000, .fpr = 0.001});
  stock.insert("lamp");
  perhaps::CuckooFilter<std::uint64_t> ids({.keys = 1000});
  const bool fits = ids.insert(42);

  const bool right = seen.may_contain("owl") && !seen.may_contain("fox") && stock.erase("lamp") && stock.empty() &&
                     fits && ids.size() == 1;
  std::puts(right ? "consumed" : "wrong answers");
  return right ? 0 : 1;
}
