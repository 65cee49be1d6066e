// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Storage over words that somebody else owns: shared memory, huge pages, a mapped file. Nothing is allocated, copied
/// or freed; the words must live as long as the filter over them, and stay where they are.
///
///     BorrowedWords    reads and writes; moves, but has no copies: two filters writing into the same words by accident
///                      would each see the other's keys
///     ReadOnlyWords    reads only, through pointers to const; what would write does not compile. Copies see the same
///     words
#ifndef PERHAPS_BORROWED_WORDS_HPP
#define PERHAPS_BORROWED_WORDS_HPP

#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace perhaps::inline PERHAPS_ABI {

/// Words of somebody else, to be read and written. It moves, but has no copies. Filters check that their words are
/// aligned to a block of their layout, which is all that vector kernels need.
class BorrowedWords : public detail::PlainWords {
 public:
  /// Over `words` as they are.
  explicit BorrowedWords(std::span<std::uint64_t> words) noexcept : PlainWords(words) {}
};

/// Words to be read only. Copies see the same words; a moved-from one has none.
class ReadOnlyWords {
 public:
  static constexpr bool plain = true;  ///< See PlainStorage

  /// Over `words` as they are, which must outlive this.
  explicit ReadOnlyWords(std::span<const std::uint64_t> words) noexcept : words_(words) {}

  ReadOnlyWords(const ReadOnlyWords&) = default;
  ReadOnlyWords& operator=(const ReadOnlyWords&) = default;

  /// A moved-from storage has no words.
  ReadOnlyWords(ReadOnlyWords&& other) noexcept : words_(std::exchange(other.words_, {})) {}

  /// The same by assignment.
  ReadOnlyWords& operator=(ReadOnlyWords&& other) noexcept {
    const auto words = std::exchange(other.words_, {});
    words_ = words;
    return *this;
  }

  ~ReadOnlyWords() = default;

  std::uint64_t load(std::size_t i) const noexcept { return words_[i]; }  ///< Word i. O(1)

  std::size_t size() const noexcept { return words_.size(); }  ///< How many words

  std::span<const std::uint64_t> words() const noexcept { return words_; }  ///< All words

 private:
  std::span<const std::uint64_t> words_;
};

static_assert(Storage<BorrowedWords> && PlainStorage<BorrowedWords> && !AllocatingStorage<BorrowedWords>);
static_assert(PlainStorage<ReadOnlyWords> && !Storage<ReadOnlyWords>);

}  // namespace perhaps::inline PERHAPS_ABI

#endif
