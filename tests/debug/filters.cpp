// SPDX-License-Identifier: BSL-1.0
//
// Filters to look at in a debugger: prints a line for each, what the debugger must show of it, and passes it to look().
#include <perhaps/perhaps.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

namespace debugged {

using perhaps::Blocked;
using perhaps::BloomFilter;
using perhaps::BloomFilterView;
using perhaps::BorrowedWords;
using perhaps::Classic;
using perhaps::CountingBloomFilter;
using perhaps::CuckooFilter;
using perhaps::SplitBlock;
using perhaps::XxHash3;

using Strings = BloomFilter<std::string>;
template <class Layout>
using On = BloomFilter<std::uint64_t, XxHash3, Layout>;
using Borrowing = BloomFilter<std::uint64_t, XxHash3, Blocked<>, BorrowedWords>;
using Shared = perhaps::ConcurrentBloomFilter<std::uint64_t, XxHash3, SplitBlock<>>;
using View = BloomFilterView<std::uint64_t, XxHash3, SplitBlock<>>;

// Storage of the program's own, of which the debugger knows nothing.
struct OwnStorage : perhaps::OwnedWords {
  using OwnedWords::OwnedWords;
  static std::optional<OwnStorage> make(std::size_t size) { return OwnStorage(size); }
};

// A layout of the program's own.
struct OwnLayout : Classic<> {};

void print_bits(const std::string& what, std::uint64_t m, unsigned k, const auto& filter) {
  if (m == 0) {
    std::printf("%s: moved from\n", what.c_str());
    return;
  }
  std::printf("%s: m = %llu, k = %u, fill = %.6g, keys ~ %.6g, fpr ~ %.6g\n", what.c_str(),
              static_cast<unsigned long long>(m), k, filter.fill_ratio(), filter.estimated_size(),
              filter.current_fpr());
}

template <class Key, class Hash, class Layout, class Words>
void expect(const BloomFilter<Key, Hash, Layout, Words>& filter) {
  print_bits("BloomFilter on " + std::string(Layout::name), filter.bits(), filter.hashes(), filter);
}

void expect(const BloomFilter<int, XxHash3, Classic<>, OwnStorage>& filter) {
  std::printf("BloomFilter on Classic: m = %llu, k = %u, words in OwnStorage\n",
              static_cast<unsigned long long>(filter.bits()), filter.hashes());
}

void expect(const On<OwnLayout>& filter) {
  std::printf("BloomFilter on debugged::OwnLayout: m = %llu, k = %u, fill = %.6g\n",
              static_cast<unsigned long long>(filter.bits()), filter.hashes(), filter.fill_ratio());
}

// Words at an address where nothing is.
struct Dangling {
  BloomFilterView<int> view{{.bits = 128, .hashes = 2},
                            perhaps::ReadOnlyWords({reinterpret_cast<const std::uint64_t*>(64), 2})};
};

void expect(const Dangling&) {
  std::puts("{view = BloomFilter on Classic: m = 128, k = 2, words not readable at 0x40}");
}

template <class Key, unsigned Bits, class Hash, class Layout>
void expect(const CountingBloomFilter<Key, Bits, Hash, Layout>& filter) {
  print_bits("CountingBloomFilter, " + std::to_string(Bits) + " bits on " + std::string(Layout::name),
             filter.counters(), filter.hashes(), filter);
}

template <class Key, unsigned Bits, unsigned Slots, class Hash>
void expect(const CuckooFilter<Key, Bits, Slots, Hash>& filter) {
  if (filter.buckets() == 0) {
    std::puts("CuckooFilter: moved from");
    return;
  }
  std::printf("CuckooFilter: %llu buckets of %u x %u bits, size = %llu, load = %.6g, fpr ~ %.6g\n",
              static_cast<unsigned long long>(filter.buckets()), Slots, Bits,
              static_cast<unsigned long long>(filter.size()), filter.load_factor(), filter.current_fpr());
}

// The debugger's breakpoint. The filter must be in memory here, whatever the optimiser does.
template <class Filter>
[[gnu::noinline]] void look(const Filter& filter) {
  static char own;  // so that no two of these functions are alike, and folded
  asm volatile("" : : "r"(&filter), "r"(&own) : "memory");
}

template <class Filter>
Filter filled(Filter filter, std::uint64_t keys) {
  for (std::uint64_t key = 0; key < keys; ++key) static_cast<void>(filter.insert(key));
  return filter;
}

}  // namespace debugged

int main() {
  using namespace debugged;
  Strings classic({.keys = 1000, .fpr = 0.01});
  for (int i = 0; i < 1000; ++i) classic.insert(std::to_string(i));
  const Strings few({.bits = 100, .hashes = 3});
  auto full = filled(On<Classic<>>({.bits = 70, .hashes = 4}), 1000);
  Strings gone({.keys = 10, .fpr = 0.1});
  const Strings taken = std::move(gone);

  const auto blocked = filled(On<Blocked<>>({.keys = 10'000, .fpr = 0.01}), 10'000);
  const auto narrow = filled(On<Blocked<64>>({.bits = 6400, .hashes = 5}), 500);
  const auto split = filled(On<SplitBlock<>>({.keys = 10'000, .fpr = 0.01}), 10'000);
  const auto split_all = filled(On<SplitBlock<>>({.bits = 51'200, .hashes = 8}), 5000);
  const auto split_twice = filled(On<SplitBlock<>>({.bits = 51'200, .hashes = 16}), 2000);
  const auto parquet = filled(perhaps::ParquetFilter<std::uint64_t>({.bits = 25'600, .hashes = 8}), 2000);

  alignas(64) static std::uint64_t memory[64];
  const auto borrowing = filled(Borrowing({.bits = 4096, .hashes = 6}, BorrowedWords(memory)), 400);
  const BloomFilter<int, XxHash3, Classic<>, OwnStorage> own({.bits = 1000, .hashes = 2});
  const auto own_layout = filled(On<OwnLayout>({.bits = 640, .hashes = 2}), 30);
  const Dangling dangling;
  // More than the debugger counts, and a part of it empty.
  perhaps::OwnedWords some(4'194'304 + 8 * 10);
  for (std::size_t i = some.size() / 4; i < some.size(); ++i) some.set(i, 0x0101010101010101U << (i % 8));
  const std::uint64_t large_bits = 64 * some.size();
  const On<Blocked<>> large({.bits = large_bits, .hashes = 3}, std::move(some));
  const auto large_classic = filled(On<Classic<>>({.bits = (1U << 29U) + 77, .hashes = 16}), 1'000'000);
  const View view({.bits = split.bits(), .hashes = split.hashes()}, perhaps::ReadOnlyWords(split.words()));

  const auto shared = filled(Shared({.keys = 3000, .fpr = 0.001}), 2000);

  const auto counting = filled(CountingBloomFilter<std::uint64_t>({.keys = 2000, .fpr = 0.01}), 2000);
  const auto counting_2 = filled(CountingBloomFilter<std::uint64_t, 2>({.counters = 5000, .hashes = 3}), 1000);
  const auto counting_8 = filled(CountingBloomFilter<std::uint64_t, 8>({.counters = 5000, .hashes = 3}), 1000);
  auto counting_16 = filled(CountingBloomFilter<std::uint64_t, 16>({.counters = 5000, .hashes = 3}), 1000);
  for (int i = 0; i < 1000; ++i) counting_16.insert(7);  // a high byte that is not 0
  const auto counting_blocked =
      filled(CountingBloomFilter<std::uint64_t, 4, XxHash3, Blocked<128>>({.counters = 12'800, .hashes = 5}), 1500);
  CountingBloomFilter<int> counting_gone({.keys = 10, .fpr = 0.1});
  const CountingBloomFilter<int> counting_taken = std::move(counting_gone);

  const auto cuckoo = filled(CuckooFilter<std::uint64_t>({.keys = 1000}), 900);
  const auto one_bucket = filled(CuckooFilter<std::uint64_t, 9, 8>({.buckets = 1}), 5);
  CuckooFilter<int, 16, 2> cuckoo_gone({.keys = 10});
  const auto cuckoo_taken = std::move(cuckoo_gone);

  const auto show = [](const auto&... filters) { ((expect(filters), std::fflush(stdout), look(filters)), ...); };
  show(classic, few, full, gone, taken, blocked, narrow, split, split_all, split_twice, parquet, borrowing, own,
       own_layout, view, shared, dangling, large, large_classic, counting, counting_2, counting_8, counting_16,
       counting_blocked, counting_gone, counting_taken, cuckoo, one_bucket, cuckoo_gone, cuckoo_taken);
}
