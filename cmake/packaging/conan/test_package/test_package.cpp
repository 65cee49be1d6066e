// SPDX-License-Identifier: BSL-1.0
#include <perhaps/perhaps.hpp>

#include <cstdio>
#include <string>

int main() {
  perhaps::BloomFilter<std::string> seen({.keys = 1'000'000, .fpr = 0.01});
  seen.insert("owl");
  const bool right = seen.may_contain("owl") && !seen.may_contain("fox");
  std::printf("perhaps %d.%d.%d %s\n", perhaps::version.major, perhaps::version.minor, perhaps::version.patch,
              right ? "works" : "is wrong");
  return right ? 0 : 1;
}
