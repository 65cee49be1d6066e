// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Storage over words that somebody else owns: shared memory, huge pages, a mapped file. Nothing is allocated, copied
/// or freed; the words must live as long as the filter over them, and stay where they are.
///
///     BorrowedWords    reads and writes; moves, but has no copies: two filters writing into the same words by accident
///                      would each see the other's keys
///     ReadOnlyWords    reads only, through pointers to const; what would write does not compile. Copies see the same
///                      words
///
/// Threads: any number may read at once; writing needs exclusion from whatever else uses the words, other processes
/// included. BorrowedAtomicWords of storage/atomic_words.hpp may be written to and read at once.
#ifndef PERHAPS_BORROWED_WORDS_HPP
#define PERHAPS_BORROWED_WORDS_HPP

#include <perhaps/detail/borrowing.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

namespace perhaps {
inline namespace PERHAPS_ABI {
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
