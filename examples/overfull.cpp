// SPDX-License-Identifier: BSL-1.0
//
// What goes wrong when a filter takes more keys than it was planned for: nothing that is visible from outside. The
// memory stays, the answers are valid, only "perhaps" comes ever more often. So the filter tells, and a next one
// starts.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <vector>

namespace {

using Filter = perhaps::BloomFilter<std::uint64_t>;

Filter make() { return Filter({.bits = 5000, .hashes = 7}); }  // for 500 keys at 0.8 %

double measured_rate(const Filter& filter) {
  int found = 0;
  for (std::uint64_t key = 1'000'000; key < 1'010'000; ++key) found += filter.may_contain(key) ? 1 : 0;
  return found / 10'000.0;
}

}  // namespace

int main() {
  Filter filter = make();
  std::cout << "   n   fill  rate by its bits  measured  estimated n  saturated\n" << std::fixed;
  for (std::uint64_t n = 1; n <= 5000; ++n) {
    filter.insert(n);
    if (n == 250 || n == 500 || n == 1000 || n == 2000 || n == 5000) {
      std::cout << std::setw(4) << n << std::setprecision(3) << std::setw(7) << filter.fill_ratio()
                << std::setprecision(4) << std::setw(18) << filter.current_fpr() << std::setw(10)
                << measured_rate(filter) << std::setprecision(0) << std::setw(13) << filter.estimated_size()
                << std::setw(11) << (filter.is_saturated() ? "yes" : "no") << '\n';
    }
  }

  // Keys can't be moved out of a filter. When one is over half full, new keys go to a next one, and all are asked.
  std::vector<Filter> chain{make()};
  for (std::uint64_t n = 1; n <= 5000; ++n) {
    if (chain.back().is_saturated()) chain.push_back(make());
    chain.back().insert(n);
  }
  const auto may_contain = [&](std::uint64_t key) {
    return std::any_of(chain.begin(), chain.end(), [&](const Filter& part) { return part.may_contain(key); });
  };
  int strangers = 0;
  for (std::uint64_t key = 1'000'000; key < 1'010'000; ++key) strangers += may_contain(key) ? 1 : 0;
  bool all_found = true;
  for (std::uint64_t n = 1; n <= 5000; ++n) all_found &= may_contain(n);
  std::cout << std::setprecision(4) << "A chain of " << chain.size() << " filters: rate " << strangers / 10'000.0
            << ", every key found: " << (all_found ? "yes" : "no") << '\n';

  return filter.is_saturated() && measured_rate(filter) > 0.98 && all_found && strangers < 1500 ? 0 : 1;
}
