// SPDX-License-Identifier: BSL-1.0
//
// Membership under any compiler flags: every kind of filter on every layout, integer and text keys, one by one and in
// batches, saved and loaded. A plain program that needs no exceptions. It prints a hash of all that it stored, which
// must not depend on the flags: tests/flags/run compares it.
#include <perhaps/perhaps.hpp>

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace {

int failures = 0;
std::uint64_t stored = 0;

void check(bool holds, const char* name, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("%s: %s\n", name, what);
}

// Keys that are in have even numbers, others odd ones.
template <class Key>
Key key(std::uint64_t number) {
  if constexpr (std::is_same_v<Key, std::string>) {
    // From none to some hundred characters: xxHash hashes short, middling and long ones differently.
    std::string text(static_cast<unsigned>(number % 300), static_cast<char>('a' + number % 26));
    return text + std::to_string(number);
  } else {
    return static_cast<Key>(number * 0x9E3779B97F4A7C15U);
  }
}

template <class Key>
std::vector<Key> keys(std::uint64_t first, std::uint64_t count) {
  std::vector<Key> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(key<Key>(first + 2 * i));
  return all;
}

// A filter of some type. Each operation is instantiated once, so that this program compiles in seconds.
template <class Key>
class AnyFilter {
 public:
  virtual ~AnyFilter() = default;
  virtual bool insert(const Key& key) = 0;
  virtual void insert_all(const std::vector<Key>& keys) = 0;
  virtual bool finds(const Key& key) const = 0;
  virtual std::vector<bool> answers(const std::vector<Key>& keys) const = 0;
  virtual std::vector<std::byte> saved() const = 0;
  virtual bool loads(const std::vector<std::byte>& bytes) const = 0;
  // Takes one key out, or puts it in again where filters do not erase; whether it was in.
  virtual bool erase(const Key& key) = 0;
};

template <class F>
class Filter final : public AnyFilter<typename F::key_type> {
  using Key = typename F::key_type;

 public:
  explicit Filter(const F& filter) : filter_(filter) {}

  bool insert(const Key& key) override {
    if constexpr (std::is_same_v<decltype(filter_.insert(key)), bool>) {
      return filter_.insert(key);
    } else {
      filter_.insert(key);
      return true;
    }
  }
  void insert_all(const std::vector<Key>& keys) override { static_cast<void>(filter_.insert_range(keys)); }
  bool finds(const Key& key) const override { return filter_.may_contain(key); }
  std::vector<bool> answers(const std::vector<Key>& keys) const override {
    std::vector<bool> all(keys.size());
    filter_.may_contain_range(keys, [&](std::size_t i, bool perhaps) { all[i] = perhaps; });
    return all;
  }
  std::vector<std::byte> saved() const override { return perhaps::to_bytes(filter_); }
  bool loads(const std::vector<std::byte>& bytes) const override {
    const auto loaded = perhaps::try_from_bytes<F>(bytes);
    return loaded && *loaded == filter_;
  }
  bool erase(const Key& key) override {
    if constexpr (requires { filter_.erase(key); }) {
      return filter_.erase(key);
    } else {
      return filter_.test_and_insert(key);
    }
  }

 private:
  F filter_;
};

template <class Key>
void check_filters(const char* name, AnyFilter<Key>& filter, AnyFilter<Key>& batch, std::uint64_t count) {
  const std::vector<Key> in = keys<Key>(0, count);
  const std::vector<Key> absent = keys<Key>(1, 2000);
  const std::vector<bool> all_found(in.size(), true);

  bool accepted = true, found = true, found_in_batch = true;
  for (const Key& one : in) accepted = filter.insert(one) && accepted;
  batch.insert_all(in);
  for (const Key& one : in) {
    found = filter.finds(one) && found;
    found_in_batch = batch.finds(one) && found_in_batch;
  }
  check(accepted && found, name, "keys that were inserted are denied");
  check(filter.answers(in) == all_found, name, "keys that were inserted are denied in a batch");
  check(found_in_batch && batch.answers(in) == all_found, name, "keys that were inserted in a batch are denied");

  const std::vector<std::byte> bytes = filter.saved();
  stored = stored * 0x9E3779B97F4A7C15U + XXH3_64bits(bytes.data(), bytes.size());
  check(filter.loads(bytes), name, "does not load as it was saved");
  check(batch.saved() == bytes, name, "a batch makes another filter than single calls");

  std::vector<bool> single;
  std::size_t wrong = 0;
  for (const Key& one : absent) {
    single.push_back(filter.finds(one));
    wrong += single.back() ? 1U : 0U;
  }
  check(filter.answers(absent) == single, name, "a batch answers other than single calls");
  check(wrong < absent.size() / 10, name, "absent keys are found");

  bool known = true;
  for (const Key& one : in) known = filter.erase(one) && known;
  check(known, name, "erase, or test_and_insert, denies a key that is in");
}

// `made` has position for `count` keys at a rate of 5 % at most.
template <class Made>
void check_filter(const char* name, const Made& made, std::uint64_t count) {
  if (!made) {
    check(false, name, "was not made");
    return;
  }
  Filter<typename Made::value_type> filter(*made), batch(*made);
  check_filters<typename Made::value_type::key_type>(name, filter, batch, count);
}

// In the first-level cache, beyond it, and where batches prefetch.
constexpr std::uint64_t small = 500;
constexpr std::uint64_t middling = 30'000;
constexpr std::uint64_t wide = 2'000'000;

using perhaps::XxHash3;
using Word = std::uint64_t;

template <class Layout>
void check_bloom(const char* name, unsigned hashes) {
  for (const std::uint64_t size : {small, middling, wide}) {
    // The widest are hardly filled: only their size matters.
    const std::uint64_t bits = size * 16 / 512 * 512 + 512;
    check_filter(name, perhaps::BloomFilter<Word, XxHash3, Layout>::make({.bits = bits, .hashes = hashes}),
                 size == wide ? 2000 : size);
  }
}

template <unsigned CounterBits, class Layout>
void check_counting(const char* name) {
  for (const std::uint64_t size : {small, wide}) {
    const std::uint64_t counters = size * 16 / 512 * 512 + 512;
    check_filter(name,
                 perhaps::CountingBloomFilter<Word, CounterBits, XxHash3, Layout>::make(
                     perhaps::CountingParameters{.counters = counters, .hashes = 6}),
                 size == wide ? 2000 : size);
  }
}

void check_bloom_filters() {
  check_bloom<perhaps::Classic<>>("Classic", 6);
  check_bloom<perhaps::Classic<perhaps::DoubleHashing>>("Classic, double hashing", 7);
  check_bloom<perhaps::Classic<perhaps::EnhancedDoubleHashing>>("Classic, enhanced double hashing", 17);
  check_bloom<perhaps::Blocked<64>>("Blocked<64>", 4);
  check_bloom<perhaps::Blocked<128>>("Blocked<128>", 5);
  check_bloom<perhaps::Blocked<256>>("Blocked<256>", 9);
  check_bloom<perhaps::Blocked<512>>("Blocked<512>", 6);
  check_bloom<perhaps::Blocked<512, perhaps::DoubleHashing>>("Blocked<512>, double hashing", 6);
  check_bloom<perhaps::SplitBlock<64, 8>>("SplitBlock<64, 8>, k = 5", 5);
  check_bloom<perhaps::SplitBlock<64, 8>>("SplitBlock<64, 8>, k = 8", 8);
  check_bloom<perhaps::SplitBlock<64, 8>>("SplitBlock<64, 8>, k = 16", 16);
  check_bloom<perhaps::SplitBlock<32, 8>>("SplitBlock<32, 8>", 8);
  check_bloom<perhaps::SplitBlock<16, 8>>("SplitBlock<16, 8>", 6);
  check_filter("ParquetFilter", perhaps::ParquetFilter<Word>::make({.keys = small, .fpr = 0.01}), small);
}

void check_counting_filters() {
  check_counting<2, perhaps::Classic<>>("counters of 2 bits");
  check_counting<4, perhaps::Classic<>>("counters of 4 bits");
  check_counting<8, perhaps::Classic<>>("counters of 8 bits");
  check_counting<16, perhaps::Classic<>>("counters of 16 bits");
  check_counting<4, perhaps::Blocked<512>>("counters on Blocked<512>");
  check_counting<4, perhaps::SplitBlock<16, 8>>("counters on SplitBlock<16, 8>");
}

template <unsigned FingerprintBits, unsigned BucketSize>
void check_cuckoo(const char* name) {
  check_filter(name, perhaps::CuckooFilter<Word, FingerprintBits, BucketSize>::make({.keys = small}), small);
  check_filter(name, perhaps::CuckooFilter<Word, FingerprintBits, BucketSize>::make({.keys = middling}), middling);
}

void check_cuckoo_filters() {
  check_cuckoo<12, 4>("cuckoo, f = 12");
  check_cuckoo<8, 2>("cuckoo, f = 8, b = 2");
  check_cuckoo<17, 2>("cuckoo, f = 17, b = 2");
  check_cuckoo<32, 8>("cuckoo, f = 32, b = 8");
}

template <class Layout>
using TextBloom = perhaps::BloomFilter<std::string, XxHash3, Layout>;

void check_text() {
  const perhaps::BloomTarget target{.keys = small, .fpr = 0.01};
  check_filter("text, Classic", TextBloom<perhaps::Classic<>>::make(target), small);
  check_filter("text, Blocked<512>", TextBloom<perhaps::Blocked<512>>::make(target), small);
  check_filter("text, SplitBlock<64, 8>", TextBloom<perhaps::SplitBlock<64, 8>>::make(target), small);
  check_filter("text, Parquet", perhaps::ParquetFilter<std::string>::make(target), small);
  check_filter("text, counting", perhaps::CountingBloomFilter<std::string>::make(target), small);
  check_filter("text, cuckoo", perhaps::CuckooFilter<std::string>::make({.keys = small}), small);
}

// -Ofast and -ffast-math let compilers take it that no NaN or infinity ever comes; a target from outside may hold one.
double from_bits(std::uint64_t bits) {
  volatile std::uint64_t hidden = bits;
  const std::uint64_t seen = hidden;
  double value;
  std::memcpy(&value, &seen, sizeof(value));
  return value;
}

void check_targets() {
  constexpr std::uint64_t nan = 0x7FF8000000000000U, infinity = 0x7FF0000000000000U, minus_one = 0xBFF0000000000000U,
                          zero = 0, minus_zero = 0x8000000000000000U, one = 0x3FF0000000000000U;
  for (const std::uint64_t bits : {nan, infinity, minus_one, zero, minus_zero, one, nan | minus_zero}) {
    const double fpr = from_bits(bits);
    check(!perhaps::try_bloom_parameters({.keys = 1000, .fpr = fpr}), "try_bloom_parameters", "takes any rate");
    check(!perhaps::try_counting_parameters({.keys = 1000, .fpr = fpr}), "try_counting_parameters", "takes any rate");
    check(bits == zero || !perhaps::try_cuckoo_parameters({.keys = 1000, .fpr = fpr}, 4, 12), "try_cuckoo_parameters",
          "takes any rate");
  }
}

}  // namespace

int main() {
  check_bloom_filters();
  check_counting_filters();
  check_cuckoo_filters();
  check_text();
  check_targets();
  if (failures == 0) std::printf("all keys are found, stored %016" PRIX64 "\n", stored);
  return failures == 0 ? 0 : 1;
}
