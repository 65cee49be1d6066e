// SPDX-License-Identifier: BSL-1.0
//
// Filters that threads share: nothing is lost, nothing is torn, the bits are those of the sequential filter, and of
// several threads that put in one new key, one is told so. Part of test_threads, which is built with ThreadSanitizer
// too.
#include <perhaps/bloom_filter.hpp>
#include <perhaps/concurrent_bloom_filter.hpp>
#include <perhaps/layout/blocked.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/split_block.hpp>
#include <perhaps/serialization.hpp>
#include <perhaps/storage/atomic_words.hpp>

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <sstream>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::XxHash3;

template <class Layout>
using Shared = perhaps::ConcurrentBloomFilter<std::uint64_t, XxHash3, Layout>;
template <class Layout>
using Plain = perhaps::BloomFilter<std::uint64_t, XxHash3, Layout>;

using Layouts = std::tuple<perhaps::Classic<>, perhaps::Blocked<512>, perhaps::Blocked<64>, perhaps::SplitBlock<64, 8>,
                           perhaps::SplitBlock<32, 8>, perhaps::SplitBlock<16, 8>>;

template <class Work>
void in_threads(unsigned count, Work work) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < count; ++t) threads.emplace_back([&work, t] { work(t); });
  for (std::thread& thread : threads) thread.join();
}

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < count; ++i) keys.push_back(first + i);
  return keys;
}

}  // namespace

static_assert(perhaps::ConcurrentStorage<perhaps::AtomicWords> && perhaps::AllocatingStorage<perhaps::AtomicWords>);
static_assert(perhaps::ConcurrentStorage<perhaps::BorrowedAtomicWords>);
static_assert(!perhaps::ContiguousStorage<perhaps::AtomicWords> && !perhaps::ConcurrentStorage<perhaps::OwnedWords>);
static_assert(std::copyable<perhaps::AtomicWords> && std::movable<perhaps::BorrowedAtomicWords>);
static_assert(!std::copy_constructible<perhaps::BorrowedAtomicWords>);

TEMPLATE_LIST_TEST_CASE("eight threads write and read one filter, whose bits are those of one thread", "", Layouts) {
  constexpr std::uint64_t keys_each = 600;
  constexpr std::uint64_t step = 300;  // the half of them is the next thread's too
  Shared<TestType> shared({.keys = 8 * step + step, .fpr = 0.01});
  std::atomic<std::uint64_t> denied{0};
  in_threads(8, [&](unsigned t) {
    const auto own = numbers(t * step, keys_each);
    std::uint64_t lost = 0;
    switch (t % 4) {
      case 0:
        for (const std::uint64_t key : own) shared.insert(key);
        break;
      case 1:
        for (const std::uint64_t key : own) static_cast<void>(shared.test_and_insert(key));
        break;
      case 2:
        shared.insert_range(own);
        break;
      default: {
        Plain<TestType> part({.bits = shared.bits(), .hashes = shared.hashes()});
        part.insert_range(own);
        shared |= part;
      }
    }
    // What this thread put in, others still writing: one by one, in a batch, in copies and in saved bytes.
    for (const std::uint64_t key : own) lost += shared.may_contain(key) ? 0U : 1U;
    shared.may_contain_range(own, [&](std::size_t, bool perhaps) { lost += perhaps ? 0U : 1U; });
    const Shared<TestType> copy = shared;
    const Plain<TestType> snapshot(shared);
    const auto loaded = perhaps::from_bytes<Plain<TestType>>(perhaps::to_bytes(shared));
    std::stringstream stream;
    perhaps::write(shared, stream);
    const auto read = perhaps::read<Plain<TestType>>(stream);
    for (const std::uint64_t key : own) {
      const bool everywhere =
          copy.may_contain(key) && snapshot.may_contain(key) && loaded.may_contain(key) && read.may_contain(key);
      lost += everywhere ? 0U : 1U;
    }
    if (shared.empty() || shared.current_fpr() < 0 || shared.estimated_size() <= 0) ++lost;
    denied += lost;
  });
  CHECK(denied == 0);

  Plain<TestType> sequential({.bits = shared.bits(), .hashes = shared.hashes()});
  for (std::uint64_t key = 0; key < 7 * step + keys_each; ++key) sequential.insert(key);
  CHECK(shared == sequential);
  CHECK(perhaps::to_bytes(shared) == perhaps::to_bytes(sequential));
}

TEMPLATE_LIST_TEST_CASE("what was published by a flag is found by those who see the flag", "", Layouts) {
  constexpr std::uint64_t keys = 5000;
  Shared<TestType> shared({.keys = keys, .fpr = 1e-3});
  std::atomic<std::uint64_t> published{0};
  std::atomic<std::uint64_t> denied{0};
  in_threads(3, [&](unsigned t) {
    if (t == 0) {
      for (std::uint64_t key = 0; key < keys; ++key) {
        shared.insert(key);
        published.store(key + 1, std::memory_order_release);
      }
      return;
    }
    for (std::uint64_t seen = 0; seen < keys;) {
      const std::uint64_t before = seen;
      seen = published.load(std::memory_order_acquire);
      for (std::uint64_t key = before; key < seen; ++key) denied += shared.may_contain(key) ? 0U : 1U;
      const auto fresh = numbers(before, seen - before);
      shared.may_contain_range(fresh, [&](std::size_t, bool perhaps) { denied += perhaps ? 0U : 1U; });
      if (seen == before) std::this_thread::yield();
    }
  });
  CHECK(denied == 0);
}

namespace {

// A storage like AtomicWords that lets something else happen before each of its operations.
struct Interrupted {
  static constexpr bool concurrent = true;

  explicit Interrupted(std::size_t size) : words_(size) {}

  std::uint64_t load(std::size_t i) const noexcept { return step(), words_[i]; }
  std::uint64_t load_acquire(std::size_t i) const noexcept { return load(i); }
  void set(std::size_t i, std::uint64_t mask) noexcept { test_and_set(i, mask); }
  bool test_and_set(std::size_t i, std::uint64_t mask) noexcept {
    step();
    const std::uint64_t before = std::exchange(words_[i], words_[i] | mask);
    return (before & mask) == mask;
  }
  std::size_t size() const noexcept { return words_.size(); }
  std::span<std::uint64_t> words() noexcept { return words_; }
  std::span<const std::uint64_t> words() const noexcept { return words_; }

  // Calls `other` before operation number `at` from now on.
  void interrupt(int at, std::function<void()> other) {
    left_ = at;
    other_ = std::move(other);
  }

  void step() const noexcept {
    if (left_-- == 0) std::exchange(other_, nullptr)();
  }

  std::vector<std::uint64_t> words_;
  mutable int left_ = -1;
  mutable std::function<void()> other_;
};

}  // namespace

// Every interleaving in which one call runs as a whole between two operations of another, and a third one within that.
TEMPLATE_LIST_TEST_CASE("however three calls of test_and_insert interrupt one another, one says new", "", Layouts) {
  constexpr std::uint64_t bits = 1024;
  constexpr unsigned hashes = 8;
  constexpr int steps = 26;
  const auto call = [](Interrupted& storage, perhaps::Digest digest) {
    return TestType::template test_and_insert<perhaps::isa::Scalar>(storage, bits, hashes, digest);
  };
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const perhaps::Digest digest = XxHash3(seed)(seed);
    for (int first = 0; first < steps; ++first) {
      for (int second = 0; second < steps; ++second) {
        Interrupted storage(bits / 64);
        // Some bits of the key are there already, by other keys.
        for (std::uint64_t other = 0; other < seed * 4; ++other) call(storage, XxHash3(seed + 1)(other));
        const bool known = TestType::template may_contain<perhaps::isa::Scalar>(storage, bits, hashes, digest);
        int winners = 0;
        int calls = 0;
        const auto third = [&] {
          ++calls;
          winners += call(storage, digest) ? 0 : 1;
        };
        storage.interrupt(first, [&] {
          storage.interrupt(second, third);
          third();
        });
        third();
        if (winners != (known ? 0 : 1)) ++wrong;
      }
    }
  }
  CHECK(wrong == 0);
}

// Which makes each of them take fifty times as long.
#if defined(__SANITIZE_THREAD__)
constexpr bool under_thread_sanitizer = true;
#elif defined(__has_feature)
constexpr bool under_thread_sanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool under_thread_sanitizer = false;
#endif

using RacingLayouts = std::tuple<perhaps::Classic<>, perhaps::SplitBlock<64, 8>>;

TEMPLATE_LIST_TEST_CASE("of two threads that put in a new key, exactly one is told so", "", RacingLayouts) {
  constexpr std::uint64_t rounds = under_thread_sanitizer ? 200 : 4000;
  constexpr std::uint64_t races = 125;  // in each round; half a million over both layouts, two calls each
  Shared<TestType> shared({.keys = rounds * races, .fpr = 1e-9});
  std::vector<std::atomic<unsigned char>> winners(rounds * races);
  std::atomic<std::uint64_t> arrived{0};
  in_threads(2, [&](unsigned) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      ++arrived;
      for (unsigned spin = 0; arrived < 2 * (round + 1); ++spin) {
        if (spin > 100) std::this_thread::yield();
      }
      for (std::uint64_t key = round * races; key < (round + 1) * races; ++key) {
        if (!shared.test_and_insert(key)) ++winners[key];
      }
    }
  });
  std::uint64_t not_one = 0;
  for (const auto& count : winners) not_one += count == 1 ? 0U : 1U;
  CHECK(not_one == 0);
}

TEMPLATE_LIST_TEST_CASE("words move between plain and shared filters and are not copied", "", Layouts) {
  Plain<TestType> plain({.keys = 1000, .fpr = 0.01});
  plain.insert_range(numbers(0, 500));
  const Plain<TestType> before = plain;
  const std::uint64_t* words = plain.words().data();

  Shared<TestType> shared(std::move(plain));
  CHECK(shared.words().data() == words);
  CHECK(shared == before);
  CHECK(plain.bits() == 0);                        // NOLINT(bugprone-use-after-move)
  CHECK(plain.may_contain(std::uint64_t{12345}));  // it was moved from

  shared.insert_range(numbers(500, 500));
  const Plain<TestType> copy(shared);
  Plain<TestType> back(std::move(shared));
  CHECK(back.words().data() == words);
  CHECK(back == copy);
  CHECK(shared.bits() == 0);  // NOLINT(bugprone-use-after-move)
  Plain<TestType> sequential({.keys = 1000, .fpr = 0.01});
  sequential.insert_range(numbers(0, 1000));
  CHECK(back == sequential);

  // Copies own their words, assignment of equal and other sizes too.
  Shared<TestType> assigned({.keys = 10, .fpr = 0.1});
  assigned = Shared<TestType>(Plain<TestType>(sequential));
  CHECK(assigned == sequential);
  const Shared<TestType> other({.bits = assigned.bits(), .hashes = assigned.hashes()});
  assigned = other;
  CHECK(assigned.empty());
  CHECK(assigned.words().data() != other.words().data());
}

TEST_CASE("filters over borrowed words demand what plain ones do") {
  using Line = perhaps::SplitBlock<64, 8>;
  using Borrowed = perhaps::ConcurrentBloomFilter<std::uint64_t, XxHash3, Line, perhaps::BorrowedAtomicWords>;
  perhaps::OwnedWords memory(17);
  const auto words = [&](std::size_t first, std::size_t count) {
    return perhaps::BorrowedAtomicWords(memory.words().subspan(first, count));
  };
  Borrowed left({.bits = 1024, .hashes = 8}, words(0, 16));
  Borrowed right({.bits = 1024, .hashes = 8}, words(0, 16));
  left.insert(std::uint64_t{7});
  CHECK(right.may_contain(std::uint64_t{7}));
  CHECK(right.test_and_insert(std::uint64_t{7}));
  CHECK_THROWS_WITH(Borrowed({.bits = 1024, .hashes = 8}, words(1, 16)),
                    "perhaps: words must be aligned to 64 bytes for this layout");
  CHECK_THROWS_WITH(Borrowed({.bits = 1024, .hashes = 8}, words(0, 17)),
                    "perhaps: words must be 16 for bits = 1024, got 17");
  CHECK_FALSE(Borrowed::make({.bits = 1024, .hashes = 8}, words(0, 15)));
}
