// SPDX-License-Identifier: BSL-1.0
//
// First steps with each filter: put keys in, ask, take out, and read what the filter says of itself.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>

namespace {

struct Point {
  int x, y;
};

// What a Point is made of; found by argument-dependent lookup.
auto perhaps_key(const Point& p) { return std::tie(p.x, p.y); }

const char* answer(bool perhaps) { return perhaps ? "perhaps" : "certainly not"; }

}  // namespace

int main() {
  // Insert and ask: a million keys at 1 %, 1.2 MB.
  perhaps::BloomFilter<std::string> seen({.keys = 1'000'000, .fpr = 0.01});
  seen.insert("owl");
  std::cout << "Bloom: owl " << answer(seen.may_contain("owl")) << ", fox " << answer(seen.may_contain("fox")) << ", "
            << seen.bits() << " bits, k = " << seen.hashes() << '\n';

  // The first time a key of a stream comes by, test_and_insert says false.
  int distinct = 0;
  for (const char* word : {"a", "rose", "is", "a", "rose", "is", "a", "rose"}) {
    distinct += seen.test_and_insert(word) ? 0 : 1;
  }
  std::cout << "Distinct words: " << distinct << ", estimated keys in the filter: " << seen.estimated_size() << '\n';

  // Erase too: a counter for each bit.
  perhaps::CountingBloomFilter<std::string> stock({.keys = 50'000, .fpr = 0.001});
  stock.insert("lamp");
  stock.insert("lamp");
  stock.erase("lamp");
  std::cout << "Counting: lamp " << answer(stock.may_contain("lamp")) << ", count " << stock.count("lamp") << '\n';

  // Erase, exact size, fewer bits at low rates; insert may refuse, and then nothing has changed.
  perhaps::CuckooFilter<std::uint64_t, 12> ids({.keys = 1'000'000});
  if (!ids.insert(42)) return 1;
  std::cout << "Cuckoo: size " << ids.size() << ", 43 " << answer(ids.may_contain(43)) << ", rate when full "
            << ids.expected_fpr(1'000'000) << '\n';
  ids.erase(42);

  // Keys of a class.
  perhaps::BloomFilter<Point> places({.keys = 1000, .fpr = 0.001});
  places.insert(Point{3, 4});
  std::cout << "Points: (3, 4) " << answer(places.may_contain(Point{3, 4})) << ", (4, 3) "
            << answer(places.may_contain(Point{4, 3})) << '\n';

  // How large would it be? No filter is built.
  const auto sized = perhaps::bloom_parameters({.keys = 1'000'000'000, .fpr = 0.001});
  std::cout << "A billion keys at 0.1 %: " << static_cast<double>(sized.bytes) / 1e9 << " GB, k = " << sized.hashes
            << '\n';

  const bool right = seen.may_contain("owl") && distinct == 3 && stock.count("lamp") == 1 && ids.empty();
  return right ? 0 : 1;
}
