// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Insertion in the spellings of other containers, for filters that never refuse a key:
///
///     filter.insert(keys.begin(), keys.end());      insert_range of the keys between two iterators
///     filter.insert_range({"owl", "fox"});          of keys in braces
///     if (filter.insert_if_absent(key)) send(key);  true: it was new, as std::set::insert says, and Guava's put
#ifndef PERHAPS_INSERTION_HPP
#define PERHAPS_INSERTION_HPP

#include <perhaps/detail/merging.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/version.hpp>

#include <concepts>
#include <initializer_list>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// An iterator, and where it ends: an iterator too, or a sentinel.
template <class Iterator, class End>
concept KeyIterators = std::movable<Iterator> && requires(Iterator& next, const End& end) {
  *next;
  ++next;
  { next != end } -> std::convertible_to<bool>;
};

namespace detail {

// The range between two iterators, to be gone through once. Not std::ranges::subrange, which would take <ranges>.
template <class Iterator, class End>
class Between {
 public:
  Between(Iterator first, End last) : first_(std::move(first)), last_(std::move(last)) {}

  Iterator begin() { return std::move(first_); }
  End end() const { return last_; }

 private:
  Iterator first_;
  End last_;
};

// Whether F takes such a range: not a view, and in programs with exceptions where insert throws.
template <class F, class Keys>
concept InsertsRange = requires(F& filter, Keys& keys) { filter.template insert_range<Keys&, isa::Scalar>(keys); };

}  // namespace detail

/// Insertions that follow from those of `Filter`, which is derived from this.
template <class Filter, class Key>
class Insertions {
 public:
  /// insert_range() of the keys from `first` to before `last`: of any type that insert_range() takes. The same effects,
  /// exceptions and complexity.
  template <class Iterator, class End, InstructionSet Isa = isa::Native>
  requires KeyIterators<Iterator, End>
  void insert(Iterator first, End last) requires detail::InsertsRange<Filter, detail::Between<Iterator, End>> {
    detail::Between<Iterator, End> keys(std::move(first), std::move(last));
    self().template insert_range<detail::Between<Iterator, End>&, Isa>(keys);
  }

  /// insert(key) for every key in braces.
  template <InstructionSet Isa = isa::Native, class F = Filter>
  void insert_range(std::initializer_list<Key> keys) requires detail::InsertsRange<F, const std::initializer_list<Key>>
  {
    self().template insert_range<const std::initializer_list<Key>&, Isa>(keys);
  }

  /// insert(key), and whether the key was new: true for certain, false if it was perhaps in before. The opposite of
  /// what test_and_insert(key) answers, with its effects, exceptions and complexity: true is for what is to be done
  /// with new keys, as with std::set::insert(key).second and with put of Guava's filters.
  template <class Q = Key, InstructionSet Isa = isa::Native, class F = Filter>
  bool insert_if_absent(const Q& key) requires requires(F& filter) { filter.template test_and_insert<Q>(key); } {
    return !self().template test_and_insert<Q, Isa>(key);
  }

  /// A view only reads: what would insert is deleted.
  template <class Q, class Why = detail::AViewOnlyReadsCopyItIntoAFilterOfItsOwn, class F = Filter>
  requires detail::OnlyReads<F> void insert(const Q&) = delete;

 private:
  Filter& self() noexcept { return static_cast<Filter&>(*this); }
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
