// SPDX-License-Identifier: BSL-1.0
//
// What goes wrong when a filter takes more keys than it was planned for: nothing that is visible from outside. The
// memory stays, the answers are valid, only "perhaps" comes ever more often. The filter can say so. Where n is unknown,
// a chain of filters keeps the rate.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <iomanip>
#include <iostream>

namespace {

using Filter = perhaps::BloomFilter<std::uint64_t>;

template <class F>
double measured_rate(const F& filter) {
  int found = 0;
  for (std::uint64_t key = 1'000'000; key < 1'010'000; ++key) found += filter.may_contain(key) ? 1 : 0;
  return found / 10'000.0;
}

}  // namespace

int main() {
  Filter filter({.bits = 5000, .hashes = 7});  // for 500 keys at 0.8 %
  std::cout << "   n   fill  rate by its bits  measured  estimated n  over 1 %\n" << std::fixed;
  for (std::uint64_t n = 1; n <= 5000; ++n) {
    filter.insert(n);
    if (n == 250 || n == 500 || n == 1000 || n == 2000 || n == 5000) {
      std::cout << std::setw(4) << n << std::setprecision(3) << std::setw(7) << filter.fill_ratio()
                << std::setprecision(4) << std::setw(18) << filter.current_fpr() << std::setw(10)
                << measured_rate(filter) << std::setprecision(0) << std::setw(13) << filter.estimated_size()
                << std::setw(10) << (filter.current_fpr() > 0.01 ? "yes" : "no") << '\n';
    }
  }

  perhaps::ScalableFilter<Filter> chain({.keys = 500, .fpr = 0.01});
  for (std::uint64_t n = 1; n <= 5000; ++n) chain.insert(n);
  bool all_found = true;
  for (std::uint64_t n = 1; n <= 5000; ++n) all_found &= chain.may_contain(n);
  std::cout << std::setprecision(4) << "A chain of " << chain.stages().size() << " filters: rate "
            << measured_rate(chain) << ", every key found: " << (all_found ? "yes" : "no") << '\n';

  return measured_rate(filter) > 0.98 && all_found && measured_rate(chain) < 0.011 ? 0 : 1;
}
