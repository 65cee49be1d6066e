// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Storage: who owns a filter's 64-bit words. Layouts read and set bits through three calls and never see the memory:
///
///     load(i) -> word        set(i, mask)        test_and_set(i, mask) -> were all bits of mask set?
///
///     OwnedWords       zeroed memory of its own, aligned to a cache line so that no block of a filter straddles two.
///                      Large ones ask the system for huge pages: single lookups in 12.5 MB take 7.5 ns with them, 8.4
///                      without
///     BorrowedWords    words that somebody else owns, such as shared memory or huge pages, to be read and written. It
///                      moves, but has no copies: two filters writing into the same words by accident would each see
///                      the other's keys
///     ReadOnlyWords    words that somebody else owns, such as a mapped file, to be read only. What would write does
///                      not compile. Copies see the same words
///
/// Borrowed words are not allocated, copied or freed; they must live as long as the filter over them, and stay where
/// they are. Filters make storage, and clear, unite and count its words.
///
/// Threads: any number may read a storage at once; writing needs exclusion from all who use the words, other processes
/// included. Storage that threads may write to and read at once is in storage/atomic_words.hpp.
#ifndef PERHAPS_STORAGE_HPP
#define PERHAPS_STORAGE_HPP

#include <perhaps/detail/borrowing.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace perhaps {
inline namespace PERHAPS_ABI {

/// Words that can be asked: enough for a filter that nobody writes to.
template <class S>
concept ReadableStorage = std::movable<S> && requires(const S& constant, std::size_t i) {
  { constant.load(i) } noexcept -> std::same_as<std::uint64_t>;
  { constant.size() } noexcept -> std::same_as<std::size_t>;
  { constant.words() } noexcept -> std::same_as<std::span<const std::uint64_t>>;
};

/// Words that can be asked and written: what a filter needs to insert.
/// `set(i, mask)` sets bits of word i; `test_and_set(i, mask)` also says whether all of them had been set.
template <class S>
concept Storage = ReadableStorage<S> && requires(S& storage, std::size_t i, std::uint64_t mask) {
  { storage.set(i, mask) } noexcept;
  { storage.test_and_set(i, mask) } noexcept -> std::same_as<bool>;
  { storage.words() } noexcept -> std::same_as<std::span<std::uint64_t>>;
};

/// Storage that gets its memory itself: zero words.
template <class S>
concept AllocatingStorage = Storage<S> && std::constructible_from<S, std::size_t> && requires(std::size_t size) {
  { S::make(size) } -> std::same_as<std::optional<S>>;
};

/// Storage whose words are plain memory, aligned to a block of the filter's layout (a cache line always will do), that
/// may be read and written directly: says so by `static constexpr bool plain = true`. Vector kernels need it; elsewhere
/// layouts go by load, set and test_and_set.
template <class S>
concept ContiguousStorage = ReadableStorage<std::remove_const_t<S>> && requires { requires S::plain; };

/// Storage that any number of threads may read and set bits of at once: says so by `static constexpr bool concurrent =
/// true`. `load_acquire(i)` is a load that pairs with what set and test_and_set release, and test_and_set tells exactly
/// one of several threads that a bit had not been set.
template <class S>
concept ConcurrentStorage = Storage<std::remove_const_t<S>> && requires(const S& constant, std::size_t i) {
  requires S::concurrent;
  { constant.load_acquire(i) } noexcept -> std::same_as<std::uint64_t>;
};

namespace detail {

// Precondition: `to` has as many words as `from`, elsewhere.
inline void copy_words(const std::uint64_t* from, std::size_t size, std::uint64_t* to) noexcept {
  if (size != 0) std::memcpy(to, from, size * sizeof(std::uint64_t));
}

// The words of a storage, which other threads may be writing to if it is a concurrent one.
template <class Words>
void copy_words(const Words& from, std::uint64_t* to) noexcept {
  if constexpr (ConcurrentStorage<Words>) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from.load(i);
  } else {
    copy_words(from.words().data(), from.size(), to);
  }
}

inline bool equal_words(const std::uint64_t* left, const std::uint64_t* right, std::size_t size) noexcept {
  return size == 0 || std::memcmp(left, right, size * sizeof(std::uint64_t)) == 0;
}

// Words of known address and number, and what every storage does with them. `Word` is const for those that are
// only read.
template <class Word>
class WordSpan {
 public:
  static constexpr bool plain = true;

  std::uint64_t load(std::size_t i) const noexcept { return words_[i]; }

  void set(std::size_t i, std::uint64_t mask) noexcept requires(!std::is_const_v<Word>) { words_[i] |= mask; }

  bool test_and_set(std::size_t i, std::uint64_t mask) noexcept requires(!std::is_const_v<Word>) {
    const std::uint64_t before = words_[i];
    words_[i] = before | mask;
    return (before & mask) == mask;
  }

  std::size_t size() const noexcept { return size_; }

  std::span<Word> words() noexcept { return {words_, size_}; }
  std::span<const Word> words() const noexcept { return {words_, size_}; }

 protected:
  WordSpan(Word* words, std::size_t size) noexcept : words_(words), size_(size) {}

  WordSpan(const WordSpan&) = default;
  WordSpan& operator=(const WordSpan&) = default;

  // A moved-from storage has no words.
  WordSpan(WordSpan&& other) noexcept
      : words_(std::exchange(other.words_, nullptr)), size_(std::exchange(other.size_, 0)) {}

  WordSpan& operator=(WordSpan&& other) noexcept {
    WordSpan taken(std::move(other));  // first, in case other is *this
    *this = taken;
    return *this;
  }

  ~WordSpan() = default;

  Word* data() const noexcept { return words_; }

 private:
  Word* words_;
  std::size_t size_;
};

}  // namespace detail

/// The storage that filters have by default: zeroed memory of its own, copied with the filter. Besides what is below it
/// has `load(i)`, `set(i, mask)`, `test_and_set(i, mask)`, `size()` and `words()` of Storage, each O(1).
class OwnedWords : public detail::WordSpan<std::uint64_t> {
 public:
  static constexpr std::size_t alignment = 64;  ///< In bytes: a cache line

  /// From this size on, memory begins at a multiple of it, and is asked to be in pages of it.
  static constexpr std::size_t huge_page = std::size_t{1} << 21U;

  /// `size` zero words. Throws std::bad_alloc. O(size).
  explicit OwnedWords(std::size_t size) : OwnedWords(::operator new(bytes_for(size), alignment_for(size)), size) {}

  /// `size` zero words, or nothing when memory lacks. O(size).
  static std::optional<OwnedWords> make(std::size_t size) noexcept {
    void* memory = ::operator new(bytes_for(size), alignment_for(size), std::nothrow);
    if (memory == nullptr) return std::nullopt;
    return OwnedWords(memory, size);
  }

  /// A copy in memory of its own. Throws std::bad_alloc. O(size).
  OwnedWords(const OwnedWords& other) : OwnedWords(other.size()) { detail::copy_words(other.data(), size(), data()); }

  /// Copies the words of the other into this storage; memory of equal size is used again. If memory lacks, throws
  /// std::bad_alloc, and this storage is unchanged. O(size).
  OwnedWords& operator=(const OwnedWords& other) {
    if (this == &other) return *this;
    if (size() == other.size()) {
      copy_in_place(other);
    } else {
      *this = OwnedWords(other);
    }
    return *this;
  }

  /// A copy into the memory that is there. Precondition: the sizes are equal. O(size).
  void copy_in_place(const OwnedWords& other) noexcept {
    if (this != &other) detail::copy_words(other.data(), size(), data());
  }

  OwnedWords(OwnedWords&&) = default;

  /// The words of the other, which then has none. O(1).
  OwnedWords& operator=(OwnedWords&& other) noexcept {
    OwnedWords taken(std::move(other));  // first, in case other is *this
    release();
    WordSpan::operator=(std::move(taken));
    return *this;
  }

  ~OwnedWords() { release(); }

  std::span<std::uint64_t> words() & noexcept { return WordSpan::words(); }             ///< All words. O(1)
  std::span<const std::uint64_t> words() const& noexcept { return WordSpan::words(); }  ///< All words. O(1)
  void words() && = delete;       ///< A temporary's words are gone when the statement ends
  void words() const&& = delete;  ///< A temporary's words are gone when the statement ends

  /// Whether sizes and all words are equal. O(size).
  friend bool operator==(const OwnedWords& left, const OwnedWords& right) noexcept {
    return left.size() == right.size() && detail::equal_words(left.data(), right.data(), left.size());
  }

 private:
  OwnedWords(void* memory, std::size_t size) noexcept : WordSpan(static_cast<std::uint64_t*>(memory), size) {
#if defined(__linux__)
    // Refused, memory is as it was: nothing to do about it.
    if (bytes_for(size) >= huge_page) static_cast<void>(::madvise(memory, bytes_for(size), MADV_HUGEPAGE));
#endif
    std::memset(memory, 0, bytes_for(size));
  }

  static constexpr std::align_val_t alignment_for(std::size_t size) noexcept {
    return std::align_val_t{bytes_for(size) >= huge_page ? huge_page : alignment};
  }

  // A size beyond the address space becomes one that no allocator grants.
  static constexpr std::size_t bytes_for(std::size_t size) noexcept {
    constexpr std::size_t most = (std::numeric_limits<std::size_t>::max)() / 2 / alignment * alignment;
    return size > most / sizeof(std::uint64_t) ? most : size * sizeof(std::uint64_t);
  }

  void release() noexcept { ::operator delete(data(), alignment_for(size())); }
};

namespace detail {

// The words of `words`, to be kept: `T` is deduced by a forwarding reference.
template <class Word, class T>
std::span<Word> kept_words(std::remove_reference_t<T>& words) noexcept {
  static_assert(!OwningTemporary<T>,
                "perhaps: this storage refers to its words, and these are gone when this statement ends: give the "
                "vector or array a name that lives as long as the filter.");
  return std::span<Word>(words);
}

}  // namespace detail

/// Words of somebody else, to be read and written. It moves, but has no copies. Filters check that their words are
/// aligned to a block of their layout, which is all that vector kernels need.
class BorrowedWords : public detail::WordSpan<std::uint64_t> {
 public:
  /// Over `words` as they are.
  explicit BorrowedWords(std::span<std::uint64_t> words) noexcept : WordSpan(words.data(), words.size()) {}

  /// Over the words of a vector or array that has a name; a temporary does not compile.
  template <class Words>
  requires detail::ConvertsToSpan<Words, std::uint64_t>
  explicit BorrowedWords(Words&& words) noexcept : BorrowedWords(detail::kept_words<std::uint64_t, Words>(words)) {}

  BorrowedWords(BorrowedWords&&) = default;
  BorrowedWords& operator=(BorrowedWords&&) = default;
  ~BorrowedWords() = default;
};

/// Words to be read only. Copies see the same words; a moved-from one has none.
class ReadOnlyWords : public detail::WordSpan<const std::uint64_t> {
 public:
  /// Over `words` as they are, which must outlive this.
  explicit ReadOnlyWords(std::span<const std::uint64_t> words) noexcept : WordSpan(words.data(), words.size()) {}

  /// Over the words of a vector, array or span of words that has a name; a temporary vector does not compile.
  template <class Words>
  requires detail::ConvertsToSpan<Words, const std::uint64_t> explicit ReadOnlyWords(Words&& words) noexcept
      : ReadOnlyWords(detail::kept_words<const std::uint64_t, Words>(words)) {}
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
