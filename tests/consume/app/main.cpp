// SPDX-License-Identifier: BSL-1.0
//
// What a first program does.
#include <perhaps/perhaps.hpp>

#include <cstdio>
#include <string>

int main() {
  perhaps::BloomFilter<std::string> seen({.keys = 1'000'000, .fpr = 0.01});
  seen.insert("owl");
  std::printf("%d %d\n", seen.may_contain("owl") ? 1 : 0, seen.may_contain("fox") ? 1 : 0);
  return seen.may_contain("owl") && !seen.may_contain("fox") ? 0 : 1;
}
