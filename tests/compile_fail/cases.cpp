// SPDX-License-Identifier: BSL-1.0
//
// Lines that must not compile, one for each PERHAPS_CASE, beside the right ones.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#if !defined(PERHAPS_CASE)
#error "define PERHAPS_CASE, 0 for no wrong line"
#endif

namespace {

using perhaps::BloomFilter;
using perhaps::CountingBloomFilter;
using perhaps::Digest;
using perhaps::MixedHash;

struct Padded {
  std::uint32_t a;
  std::uint8_t b;
};

struct Tied {
  std::uint32_t a;
  std::uint8_t b;
};
auto perhaps_key(const Tied& tied) { return std::tie(tied.a, tied.b); }

struct Careless {
  std::uint32_t a;
  std::uint8_t b;
};
auto perhaps_key(const Careless& careless) {
#if PERHAPS_CASE == 35
  return perhaps::object_bytes(careless);
#elif PERHAPS_CASE == 0
  return std::tie(careless.a, careless.b);
#endif
}

struct Careful {
  std::uint32_t a;
  std::uint32_t b;
};
auto perhaps_key(const Careful& careful) { return perhaps::object_bytes(careful); }

struct OfDigests {
  static constexpr unsigned digest_bits = 128;
  Digest operator()(Digest digest) const { return digest; }
};

struct Salted {
  int salt = 0;
  std::uint64_t operator()(std::uint64_t word) const { return word; }
};
struct Compared : Salted {
  friend bool operator==(const Compared& left, const Compared& right) { return left.salt == right.salt; }
};

struct NoWidth {
  Digest operator()(std::string_view) const { return {}; }
};

struct Width {
  static constexpr unsigned digest_bits = 64;
  Digest operator()(std::string_view) const { return {}; }
};

template <std::uint32_t Id>
struct WithId : Width {
  static constexpr std::uint32_t stored_id = Id;
};

struct WithState : WithId<0x80000001> {
  int state = 0;
  bool operator==(const WithState& other) const { return state == other.state; }
};

struct ForInts {
  static constexpr unsigned digest_bits = 64;
  Digest operator()(int) const { return {}; }
};

struct Short {
  std::uint32_t operator()(std::uint64_t word) const { return static_cast<std::uint32_t>(word); }
};

template <class Filter, class Key>
void use(const Key& key) {
  Filter filter({.keys = 1000, .fpr = 0.01});
  filter.insert(key);
}

struct Unfolding : perhaps::Classic<> {
  static constexpr bool folds = false;
};

}  // namespace

void cases() {
#if PERHAPS_CASE == 1
  use<BloomFilter<int*>>(static_cast<int*>(nullptr));
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::uintptr_t>>(std::uintptr_t{1});
#endif

#if PERHAPS_CASE == 2
  use<BloomFilter<Padded>>(Padded{});
#elif PERHAPS_CASE == 0
  use<BloomFilter<Tied>>(Tied{});
#endif

#if PERHAPS_CASE == 3
  use<BloomFilter<long double>>(1.0L);
#elif PERHAPS_CASE == 0
  use<BloomFilter<double>>(1.0L);
#endif

#if PERHAPS_CASE == 4
  use<BloomFilter<std::unordered_set<int>>>(std::unordered_set<int>());
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::vector<int>>>(std::vector<int>());
#endif

#if PERHAPS_CASE == 5
  use<BloomFilter<int, std::hash<int>>>(1);
#elif PERHAPS_CASE == 0
  use<BloomFilter<int, MixedHash<std::hash<int>>>>(1);
#endif

#if PERHAPS_CASE == 6
  use<BloomFilter<int, NoWidth>>(1);
#elif PERHAPS_CASE == 0
  use<BloomFilter<int, Width>>(1);
#endif

#if PERHAPS_CASE == 7
  const BloomFilter<int> positional(1000, 0.01);
#elif PERHAPS_CASE == 0
  const BloomFilter<int> named({.keys = 1000, .fpr = 0.01});
#endif

#if PERHAPS_CASE == 8
  const BloomFilter<int> swapped({.keys = 0.01, .fpr = 1000});
#elif PERHAPS_CASE == 0
  const BloomFilter<int> in_order({.keys = 1000, .fpr = 0.01});
#endif

#if PERHAPS_CASE == 9
  use<BloomFilter<std::uint64_t>>("x");
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::uint64_t>>('x');
#endif

#if PERHAPS_CASE == 10
  use<BloomFilter<std::uint64_t, MixedHash<Short>>>(1);
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::uint64_t, MixedHash<Short, 32>>>(1);
#endif

  BloomFilter<int> ints({.keys = 1000, .fpr = 0.01});
#if PERHAPS_CASE == 11
  ints = BloomFilter<long>({.keys = 1000, .fpr = 0.01});
#elif PERHAPS_CASE == 0
  ints = BloomFilter<int>({.keys = 1000, .fpr = 0.01});
#endif

#if PERHAPS_CASE == 12
  use<BloomFilter<std::pair<int, void*>>>(std::pair<int, void*>());
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::pair<int, const char*>>>(std::pair(1, "text"));
#endif

#if PERHAPS_CASE == 13
  use<BloomFilter<std::vector<int>::const_reverse_iterator>>(std::vector<int>::const_reverse_iterator());
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::span<const int>>>(std::span<const int>());
#endif

#if PERHAPS_CASE == 14
  use<BloomFilter<std::string>>(nullptr);
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::string>>("");
#endif

#if PERHAPS_CASE == 15
  use<BloomFilter<std::string>>(5);
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::string>>("5");
#endif

#if PERHAPS_CASE == 16
  use<BloomFilter<std::string, ForInts>>("5");
#elif PERHAPS_CASE == 0
  use<BloomFilter<int, ForInts>>(5);
#endif

#if PERHAPS_CASE == 17
  use<BloomFilter<std::uint64_t>>(5.5);
#elif PERHAPS_CASE == 0
  use<BloomFilter<double>>(5.5);
#endif

#if PERHAPS_CASE == 18
  use<CountingBloomFilter<int, 3>>(1);
#elif PERHAPS_CASE == 0
  use<CountingBloomFilter<int, 2>>(1);
#endif

  CountingBloomFilter<int> fours({.counters = 1000, .hashes = 7});
#if PERHAPS_CASE == 19
  fours += CountingBloomFilter<int, 8>({.counters = 1000, .hashes = 7});
#elif PERHAPS_CASE == 0
  fours += CountingBloomFilter<int, 4>({.counters = 1000, .hashes = 7});
#endif

  using perhaps::XxHash3;
#if PERHAPS_CASE == 20
  use<BloomFilter<int, XxHash3, perhaps::SplitBlock<8, 8>>>(1);
#elif PERHAPS_CASE == 0
  use<BloomFilter<int, XxHash3, perhaps::SplitBlock<32, 8>>>(1);
#endif

#if PERHAPS_CASE == 21
  use<BloomFilter<int, XxHash3, perhaps::SplitBlock<64, 4>>>(1);
#elif PERHAPS_CASE == 0
  use<BloomFilter<int, XxHash3, perhaps::SplitBlock<64, 8>>>(1);
#endif

#if PERHAPS_CASE == 22
  use<BloomFilter<int, XxHash3, perhaps::Blocked<100>>>(1);
#elif PERHAPS_CASE == 0
  use<BloomFilter<int, XxHash3, perhaps::Blocked<128>>>(1);
#endif

#if PERHAPS_CASE == 23
  use<BloomFilter<int, XxHash3, perhaps::Blocked<1024>>>(1);
#elif PERHAPS_CASE == 0
  use<BloomFilter<int, XxHash3, perhaps::Blocked<512>>>(1);
#endif

#if PERHAPS_CASE == 24
  use<CountingBloomFilter<int, 4, XxHash3, perhaps::SplitBlock<64, 8>>>(1);
#elif PERHAPS_CASE == 0
  use<CountingBloomFilter<int, 4, XxHash3, perhaps::Blocked<512>>>(1);
#endif

#if PERHAPS_CASE == 25
  static_cast<void>(perhaps::to_bytes(BloomFilter<std::string, Width>({.keys = 10, .fpr = 0.1})));
#elif PERHAPS_CASE == 0
  static_cast<void>(perhaps::to_bytes(BloomFilter<std::string, WithId<0x80000001>>({.keys = 10, .fpr = 0.1})));
#endif

#if PERHAPS_CASE == 26
  static_cast<void>(perhaps::to_bytes(BloomFilter<std::string, WithId<7>>({.keys = 10, .fpr = 0.1})));
#endif

#if PERHAPS_CASE == 27
  static_cast<void>(perhaps::to_bytes(BloomFilter<std::string, WithState>({.keys = 10, .fpr = 0.1})));
#endif

#if PERHAPS_CASE == 28
  perhaps::view_bytes<BloomFilter<int>>({}).insert(5);
#elif PERHAPS_CASE == 0
  static_cast<void>(perhaps::view_bytes<BloomFilter<int>>({}).may_contain(5));
#endif

#if PERHAPS_CASE == 29
  use<BloomFilter<std::string, perhaps::ParquetHash>>("owl");
#elif PERHAPS_CASE == 0
  use<perhaps::ParquetFilter<std::string>>("owl");
#endif

#if PERHAPS_CASE == 30
  static_cast<void>(perhaps::from_bytes<perhaps::BloomFilterView<int>>({}));
#elif PERHAPS_CASE == 0
  static_cast<void>(perhaps::from_bytes<BloomFilter<int>>({}));
#endif

#if PERHAPS_CASE == 31
  static_cast<void>(perhaps::to_parquet(perhaps::ParquetFilter<bool>({.keys = 10, .fpr = 0.1})));
#elif PERHAPS_CASE == 0
  static_cast<void>(perhaps::to_parquet(perhaps::ParquetFilter<std::int32_t>({.keys = 10, .fpr = 0.1})));
#endif

#if PERHAPS_CASE == 32
  use<perhaps::CuckooFilter<std::string, 12, 4, perhaps::ParquetHash>>("owl");
#endif

#if PERHAPS_CASE == 33
  static_cast<void>(perhaps::to_bytes(BloomFilter<int, MixedHash<std::hash<int>>>({.keys = 10, .fpr = 0.1})));
#endif

#if PERHAPS_CASE == 34
  static_cast<void>(BloomFilter<int, XxHash3, Unfolding>({.keys = 10, .fpr = 0.1}).folded(1));
#elif PERHAPS_CASE == 0
  static_cast<void>(BloomFilter<int, XxHash3>({.keys = 10, .fpr = 0.1}).folded(1));
#endif

#if PERHAPS_CASE == 35
  use<BloomFilter<Careless>>(Careless{});
#elif PERHAPS_CASE == 0
  use<BloomFilter<Careful>>(Careful{});
#endif

#if PERHAPS_CASE == 36
  use<BloomFilter<Digest, OfDigests>>(Digest{1, 2});
#elif PERHAPS_CASE == 0
  use<BloomFilter<int>>(Digest{1, 2});
#endif

#if PERHAPS_CASE == 37
  use<BloomFilter<int, MixedHash<Salted>>>(1);
#elif PERHAPS_CASE == 0
  use<BloomFilter<int, MixedHash<Compared>>>(1);
#endif

#if PERHAPS_CASE == 38
  use<BloomFilter<std::optional<bool>>>(std::optional<int>(1));
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::optional<bool>>>(std::optional<bool>(true));
#endif

#if PERHAPS_CASE == 39
  use<BloomFilter<Tied>>("owl");
#elif PERHAPS_CASE == 0
  use<BloomFilter<Tied>>(Tied{});
#endif

#if PERHAPS_CASE == 40
  use<BloomFilter<double>>("0.5");
#elif PERHAPS_CASE == 0
  use<BloomFilter<double>>(1);
#endif

#if PERHAPS_CASE == 41
  use<BloomFilter<std::tuple<int, int, int>>>(std::pair(1, 2));
#elif PERHAPS_CASE == 0
  use<BloomFilter<std::tuple<int, int>>>(std::pair(1, 2));
#endif
}
