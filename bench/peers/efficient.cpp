// SPDX-License-Identifier: BSL-1.0
//
// efficient/cuckoofilter.
#include "contender.hpp"

#if defined(PERHAPS_BENCH_EFFICIENT)
// The header needs it, and includes it not.
#include <cstring>

#include <cuckoofilter.h>
#endif

namespace peers {

#if defined(PERHAPS_BENCH_EFFICIENT)
namespace {

template <std::size_t FingerprintBits>
class Cuckoo {
 public:
  explicit Cuckoo(std::uint64_t keys) : filter_(keys) {}
  void insert(std::uint64_t key) { filter_.Add(key); }
  bool contains(std::uint64_t key) const { return filter_.Contain(key) == cuckoofilter::Ok; }
  bool erase(std::uint64_t key) { return filter_.Delete(key) == cuckoofilter::Ok; }
  double bits() const { return static_cast<double>(filter_.SizeInBytes()) * 8; }

 private:
  cuckoofilter::CuckooFilter<std::uint64_t, FingerprintBits> filter_;
};

template <std::size_t FingerprintBits>
Made<std::uint64_t> make(std::uint64_t keys) {
  return std::make_unique<Runner<std::uint64_t, Cuckoo<FingerprintBits>>>(
      "`CuckooFilter<" + std::to_string(FingerprintBits) + ">`", keys);
}

}  // namespace

Made<std::uint64_t> make_efficient_cuckoo(unsigned fingerprint_bits, std::uint64_t keys) {
  return fingerprint_bits == 8 ? make<8>(keys) : fingerprint_bits == 12 ? make<12>(keys) : make<16>(keys);
}

std::string efficient_version() { return PERHAPS_BENCH_EFFICIENT; }
#else
Made<std::uint64_t> make_efficient_cuckoo(unsigned, std::uint64_t) { return {}; }
std::string efficient_version() { return {}; }
#endif

}  // namespace peers
