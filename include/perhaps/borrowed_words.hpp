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

#include <cstdint>
#include <span>

namespace perhaps::inline PERHAPS_ABI {

/// Words of somebody else, to be read and written. It moves, but has no copies. Filters check that their words are
/// aligned to a block of their layout, which is all that vector kernels need.
class BorrowedWords : public detail::PlainWords<std::uint64_t> {
 public:
  /// Over `words` as they are.
  explicit BorrowedWords(std::span<std::uint64_t> words) noexcept : PlainWords(words.data(), words.size()) {}

  BorrowedWords(BorrowedWords&&) = default;
  BorrowedWords& operator=(BorrowedWords&&) = default;
  ~BorrowedWords() = default;
};

/// Words to be read only. Copies see the same words; a moved-from one has none.
class ReadOnlyWords : public detail::PlainWords<const std::uint64_t> {
 public:
  /// Over `words` as they are, which must outlive this.
  explicit ReadOnlyWords(std::span<const std::uint64_t> words) noexcept : PlainWords(words.data(), words.size()) {}
};

}  // namespace perhaps::inline PERHAPS_ABI

#endif
