// SPDX-License-Identifier: BSL-1.0
//
// What other libraries' users write first: lines that must not compile, one for each PERHAPS_CASE, beside the right
// ones.
#include <perhaps/perhaps.hpp>

#include <array>
#include <cstddef>
#include <string>

#if !defined(PERHAPS_CASE)
#error "define PERHAPS_CASE, 0 for no wrong line"
#endif

namespace {

using perhaps::BloomFilter;
using perhaps::ConcurrentBloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::RollingBloomFilter;
using perhaps::ScalableFilter;
using perhaps::SplitBlock;
using perhaps::XxHash3;
using Key = std::string;

// A range that makes a filter each time that it is asked for one.
struct Making {
  struct Next {
    BloomFilter<int> operator*() const { return BloomFilter<int>({.keys = 10, .fpr = 0.1}); }
    Next& operator++() { return *this; }
    bool operator!=(const Next&) const { return false; }
  };
  Next begin() const { return {}; }
  Next end() const { return {}; }
};

}  // namespace

void cases(std::size_t n, double p) {
#if PERHAPS_CASE == 1
  const BloomFilter<Key> bloom(1000, 0.01);
#elif PERHAPS_CASE == 2
  const BloomFilter<Key> bloom({1000, 0.01});
#elif PERHAPS_CASE == 3
  const BloomFilter<Key> bloom(n, p);
#elif PERHAPS_CASE == 4
  const BloomFilter<Key> bloom{1000, 0.01};
#elif PERHAPS_CASE == 0
  const BloomFilter<Key> bloom({.keys = 1000, .fpr = 0.01});
  const BloomFilter<Key> braced{{.keys = 1000, .fpr = 0.01}};
  const BloomFilter<Key> hashed({.keys = n, .fpr = p}, XxHash3(7));
  const BloomFilter<Key> by_hand({.bits = n, .hashes = 7});
  const auto copy(bloom);
#endif

#if PERHAPS_CASE == 5
  const CountingBloomFilter<Key> counting(1000, 0.01);
#elif PERHAPS_CASE == 6
  const CountingBloomFilter<Key> counting({1000, 0.01});
#elif PERHAPS_CASE == 0
  const CountingBloomFilter<Key> counting({.keys = 1000, .fpr = 0.01});
  const CountingBloomFilter<Key> counting_by_hand({.counters = n, .hashes = 7});
#endif

#if PERHAPS_CASE == 7
  const CuckooFilter<Key> cuckoo(1000);
#elif PERHAPS_CASE == 8
  const CuckooFilter<Key> cuckoo({1000, 0.01});
#elif PERHAPS_CASE == 9
  const CuckooFilter<Key> cuckoo({1000});
#elif PERHAPS_CASE == 0
  const CuckooFilter<Key> cuckoo({.keys = 1000});
  const CuckooFilter<Key> cuckoo_at_rate({.keys = n, .fpr = p});
  const CuckooFilter<Key> cuckoo_by_hand({.buckets = n});
#endif

#if PERHAPS_CASE == 10
  const ScalableFilter<BloomFilter<Key>> scalable(1000, 0.01);
#elif PERHAPS_CASE == 11
  const ScalableFilter<BloomFilter<Key>> scalable({1000, 0.01});
#elif PERHAPS_CASE == 0
  const ScalableFilter<BloomFilter<Key>> scalable({.keys = 1000, .fpr = 0.01});
  const ScalableFilter<BloomFilter<Key>> tight({.keys = n, .fpr = p, .tightening = 0.5});
#endif

#if PERHAPS_CASE == 12
  const RollingBloomFilter<Key> rolling(1000, 0.01);
#elif PERHAPS_CASE == 13
  const RollingBloomFilter<Key> rolling({1000, 0.01});
#elif PERHAPS_CASE == 0
  const RollingBloomFilter<Key> rolling({.keys = 1000, .fpr = 0.01});
  const RollingBloomFilter<Key> aging({.keys = n, .fpr = p, .age = 60});
#endif

#if PERHAPS_CASE == 14
  const ConcurrentBloomFilter<Key> concurrent(1000, 0.01);
#elif PERHAPS_CASE == 15
  const ConcurrentBloomFilter<Key> concurrent({1000, 0.01});
#elif PERHAPS_CASE == 0
  const ConcurrentBloomFilter<Key> concurrent({.keys = n, .fpr = p});
#endif

#if PERHAPS_CASE == 16
  const BloomFilter<Key, SplitBlock<>> layout_second({.keys = 1000, .fpr = 0.01});
#elif PERHAPS_CASE == 17
  const BloomFilter<Key, SplitBlock<>, XxHash3> swapped({.keys = 1000, .fpr = 0.01});
#elif PERHAPS_CASE == 18
  const BloomFilter<Key, XxHash3, perhaps::SipHash> hash_third({.keys = 1000, .fpr = 0.01});
#elif PERHAPS_CASE == 0
  const BloomFilter<Key, XxHash3, SplitBlock<>> layout_third({.keys = 1000, .fpr = 0.01});
#endif

#if PERHAPS_CASE == 19
  const CountingBloomFilter<Key, 4, SplitBlock<16, 8>> counters_swapped({.keys = 1000, .fpr = 0.01});
#elif PERHAPS_CASE == 0
  const CountingBloomFilter<Key, 4, XxHash3, SplitBlock<16, 8>> counters({.keys = 1000, .fpr = 0.01});
#endif

#if PERHAPS_CASE == 20
  const CuckooFilter<Key, 12, 4, SplitBlock<>> laid_out({.keys = 1000});
#elif PERHAPS_CASE == 21
  const BloomFilter<Key> negative({.keys = -1, .fpr = 0.01});
#endif

  BloomFilter<int> ints({.keys = 1000, .fpr = 0.01});
  CuckooFilter<int> others({.keys = 1000});
#if PERHAPS_CASE == 22
  ints |= BloomFilter<long>({.keys = 1000, .fpr = 0.01});
#elif PERHAPS_CASE == 23
  ints &= BloomFilter<int, XxHash3, SplitBlock<>>({.keys = 1000, .fpr = 0.01});
#elif PERHAPS_CASE == 24
  others |= others;
#elif PERHAPS_CASE == 25
  perhaps::view_bytes<BloomFilter<int>>({}) |= ints;
#elif PERHAPS_CASE == 26
  static_cast<void>(perhaps::any_may_contain(Making{}, perhaps::digest<int>(1)));
#elif PERHAPS_CASE == 0
  ints |= BloomFilter<int>({.keys = 1000, .fpr = 0.01});
  ints &= perhaps::view_bytes<BloomFilter<int>>({});
  static_cast<void>(perhaps::any_may_contain(std::array{&ints}, perhaps::digest<int>(1)));
#endif
}
