// SPDX-License-Identifier: BSL-1.0
//
// fastfilter_cpp's counting Bloom filter.
#include "contender.hpp"

#if defined(PERHAPS_BENCH_FASTFILTER)
// The header needs these, and includes them not.
#include <climits>
#include <cstring>
#include <iostream>
#include <vector>

#include <bloom/counting_bloom.h>
#endif

namespace peers {

#if defined(PERHAPS_BENCH_FASTFILTER)
namespace {

class Counting {
 public:
  explicit Counting(std::uint64_t keys) : filter_(keys), keys_(keys) {}
  void insert(std::uint64_t key) { filter_.Add(key); }
  bool contains(std::uint64_t key) const { return filter_.Contain(key) == counting_bloomfilter::Ok; }
  bool erase(std::uint64_t key) { return filter_.Remove(key) == counting_bloomfilter::Ok; }
  double bits() const { return static_cast<double>(keys_) * 10 * 4; }

 private:
  counting_bloomfilter::CountingBloomFilter<std::uint64_t, 10, false> filter_;
  std::uint64_t keys_;
};

}  // namespace

Made<std::uint64_t> make_fastfilter_counting(std::uint64_t keys) {
  return std::make_unique<Runner<std::uint64_t, Counting>>("`CountingBloomFilter<10>`", keys);
}

std::string fastfilter_version() { return PERHAPS_BENCH_FASTFILTER; }
#else
Made<std::uint64_t> make_fastfilter_counting(std::uint64_t) { return {}; }
std::string fastfilter_version() { return {}; }
#endif

}  // namespace peers
