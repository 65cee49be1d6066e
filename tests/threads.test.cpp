// SPDX-License-Identifier: BSL-1.0
//
// Any number of threads may read a filter at once: nothing is cached or hidden. Built with ThreadSanitizer (preset
// `threads`) this shows any write in a const member.
#include <perhaps/perhaps.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "support/catch.hpp"
#include "support/filters.hpp"

namespace {

using Filters = support::Concatenated<support::AllFilters, support::CompoundFilters>::type;

}  // namespace

TEMPLATE_LIST_TEST_CASE("eight threads read one filter", "", Filters) {  // BUGS T01
  using F = TestType;
  auto filling = support::make_filter<F>(2000, 0.01);
  for (std::uint64_t i = 0; i < 2000; ++i) static_cast<void>(support::add(filling, support::key_for<F>(i)));
  const F filter = filling;
  std::atomic<std::uint64_t> found{0};
  std::array<std::thread, 8> threads;
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      std::uint64_t own = 0;
      for (std::uint64_t i = 0; i < 2000; ++i) own += filter.may_contain(support::key_for<F>(i)) ? 1U : 0U;
      const F copy = filter;
      if (copy == filter && !filter.empty() && filter.current_fpr() > 0) found += own;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(found == 8 * 2000);
}
