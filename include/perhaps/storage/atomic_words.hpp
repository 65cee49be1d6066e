// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Storage that threads share: words that are read and written by atomic operations, for ConcurrentBloomFilter.
///
///     AtomicWords            zeroed memory of its own
///     BorrowedAtomicWords    memory of somebody else, such as shared memory that two processes have mapped
///
/// Bits are only ever set here, never cleared, and every write is a read-modify-write of one word, so no bit is lost.
/// A word is read first, and written only if a bit is missing: threads that insert a key again and again leave its
/// cache lines shared among the processors.
///
/// Memory orders: plain reads are relaxed, for a set bit carries no message. Whoever finds one can't know which thread
/// set it, so no order could tell what that thread did before. What happened before a read is visible to it under any
/// order. Writes are releases, and load_acquire() pairs with them; only test_and_insert of a filter needs that, to
/// decide which of several threads was first.
#ifndef PERHAPS_STORAGE_ATOMIC_WORDS_HPP
#define PERHAPS_STORAGE_ATOMIC_WORDS_HPP

#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#if !defined(__GNUC__)
#include <atomic>
#endif

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// What std::atomic_ref does, which not every standard library has. Templates, so that a platform without lock-free
// words can include this header, and is told when it uses it.
#if defined(__GNUC__)
template <class Word>
[[gnu::always_inline]] inline Word load_relaxed(const Word& word) noexcept {
  static_assert(__atomic_always_lock_free(sizeof(Word), nullptr),
                "perhaps: this platform has no lock-free operations on 64-bit words, so no filter that threads share.");
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

template <class Word>
[[gnu::always_inline]] inline Word load_acquire(const Word& word) noexcept {
  return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

template <class Word>
[[gnu::always_inline]] inline Word fetch_or_release(Word& word, Word mask) noexcept {
  return __atomic_fetch_or(&word, mask, __ATOMIC_RELEASE);
}
#else
template <class Word>
Word load_relaxed(const Word& word) noexcept {
  static_assert(std::atomic_ref<Word>::is_always_lock_free,
                "perhaps: this platform has no lock-free operations on 64-bit words, so no filter that threads share.");
  return std::atomic_ref<Word>(const_cast<Word&>(word)).load(std::memory_order_relaxed);
}

template <class Word>
Word load_acquire(const Word& word) noexcept {
  return std::atomic_ref<Word>(const_cast<Word&>(word)).load(std::memory_order_acquire);
}

template <class Word>
Word fetch_or_release(Word& word, Word mask) noexcept {
  return std::atomic_ref<Word>(word).fetch_or(mask, std::memory_order_release);
}
#endif

}  // namespace detail

/// The words of `Owner`, which is OwnedWords or BorrowedWords, read and written by atomic operations. Besides what is
/// below it has `load(i)`, `set(i, mask)`, `test_and_set(i, mask)` and `size()` of Storage, each O(1).
/// Threads: any number may call load, load_acquire, set, test_and_set and size at once, and copy from it. Assignment,
/// moves and access through words() need exclusion.
template <Storage Owner>
class BasicAtomicWords {
 public:
  /// Several threads may read and write at once (ConcurrentStorage).
  static constexpr bool concurrent = true;

  /// `size` zero words. Throws std::bad_alloc. O(size).
  explicit BasicAtomicWords(std::size_t size) requires AllocatingStorage<Owner> : words_(size) {}

  /// The words of a plain storage, which are not copied. O(1).
  explicit BasicAtomicWords(Owner words) noexcept : words_(std::move(words)) {}

  /// Over `words` as they are, which belong to somebody else and must outlive this. O(1).
  explicit BasicAtomicWords(std::span<std::uint64_t> words) noexcept requires(!AllocatingStorage<Owner>)
      : words_(words) {}

  /// `size` zero words, or nothing when memory lacks. O(size).
  static std::optional<BasicAtomicWords> make(std::size_t size) noexcept requires AllocatingStorage<Owner> {
    auto words = Owner::make(size);
    if (!words) return std::nullopt;
    return BasicAtomicWords(*std::move(words));
  }

  /// A copy in memory of its own, while others may write to `other`: it has every bit whose setting happened before
  /// this call, and may have later ones. Throws std::bad_alloc. O(size).
  BasicAtomicWords(const BasicAtomicWords& other) requires AllocatingStorage<Owner> : words_(other.size()) {
    copy_in_place(other);
  }

  /// A copy into this storage; memory of equal size is used again. Throws std::bad_alloc, unchanged. O(size).
  BasicAtomicWords& operator=(const BasicAtomicWords& other) requires AllocatingStorage<Owner> {
    if (size() == other.size()) {
      copy_in_place(other);
    } else {
      *this = BasicAtomicWords(other);
    }
    return *this;
  }

  BasicAtomicWords(BasicAtomicWords&&) = default;
  BasicAtomicWords& operator=(BasicAtomicWords&&) = default;
  ~BasicAtomicWords() = default;

  /// A copy into the memory that is there. Precondition: the sizes are equal. O(size).
  void copy_in_place(const BasicAtomicWords& other) noexcept requires AllocatingStorage<Owner> {
    if (this != &other) detail::copy_words(other, words_.words().data());
  }

  /// The plain storage, which takes the words along. O(1).
  explicit operator Owner() && noexcept { return std::move(words_); }

  /// Word i. Relaxed.
  [[gnu::always_inline]] std::uint64_t load(std::size_t i) const noexcept {
    return detail::load_relaxed(words_.words()[i]);
  }

  /// Word i, after which everything is visible that happened before the bits in it were set. Acquire.
  [[gnu::always_inline]] std::uint64_t load_acquire(std::size_t i) const noexcept {
    return detail::load_acquire(words_.words()[i]);
  }

  /// Sets bits of word i; writes only if one of them is missing. Release.
  [[gnu::always_inline]] void set(std::size_t i, std::uint64_t mask) noexcept { test_and_set(i, mask); }

  /// Sets bits of word i and says whether all of them had been set; writes only if one is missing. Release. Of several
  /// threads that set one bit, exactly one is told that it had not been set.
  [[gnu::always_inline]] bool test_and_set(std::size_t i, std::uint64_t mask) noexcept {
    std::uint64_t& word = words_.words()[i];
    if ((detail::load_relaxed(word) & mask) == mask) return true;
    return (detail::fetch_or_release(word, mask) & mask) == mask;
  }

  /// How many words there are. O(1).
  std::size_t size() const noexcept { return words_.size(); }

  /// All words, as plain memory: for use while no other thread writes. O(1).
  std::span<std::uint64_t> words() noexcept { return words_.words(); }
  /// All words, as plain memory: for use while no other thread writes. O(1).
  std::span<const std::uint64_t> words() const noexcept { return words_.words(); }

 private:
  Owner words_;
};

/// Zeroed words of its own, shared by threads: the storage of ConcurrentBloomFilter.
using AtomicWords = BasicAtomicWords<OwnedWords>;

/// Words of somebody else, shared by threads, or by processes that have mapped the same memory.
using BorrowedAtomicWords = BasicAtomicWords<BorrowedWords>;

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
