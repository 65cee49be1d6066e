// SPDX-License-Identifier: BSL-1.0
//
// OwnedWords: zeroed, aligned, copied by value, moved out of, refused when memory lacks.
#include <perhaps/storage.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "support/catch.hpp"

using perhaps::OwnedWords;

static_assert(perhaps::AllocatingStorage<OwnedWords> && perhaps::ContiguousStorage<OwnedWords>);
static_assert(perhaps::Storage<perhaps::BorrowedWords> && perhaps::ContiguousStorage<perhaps::BorrowedWords>);
static_assert(!perhaps::AllocatingStorage<perhaps::BorrowedWords>);
static_assert(perhaps::ContiguousStorage<perhaps::ReadOnlyWords> && !perhaps::Storage<perhaps::ReadOnlyWords>);
static_assert(std::movable<perhaps::BorrowedWords> && !std::copy_constructible<perhaps::BorrowedWords>);
static_assert(std::copyable<perhaps::ReadOnlyWords>);
static_assert(std::is_nothrow_move_constructible_v<OwnedWords> && std::is_nothrow_move_assignable_v<OwnedWords>);

TEST_CASE("words start as zeros on a cache line") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    const OwnedWords storage(size);
    CHECK(storage.size() == size);
    CHECK(reinterpret_cast<std::uintptr_t>(storage.words().data()) % OwnedWords::alignment == 0);
    std::uint64_t any = 0;
    for (const std::uint64_t word : storage.words()) any |= word;
    CHECK(any == 0);
  }
}

TEST_CASE("set and test_and_set change the bits of the mask and no others") {
  OwnedWords storage(3);
  storage.set(1, 0b0101);
  CHECK(storage.load(1) == 0b0101);
  CHECK(storage.test_and_set(1, 0b0100));
  CHECK_FALSE(storage.test_and_set(1, 0b0110));
  CHECK(storage.load(1) == 0b0111);
  CHECK((storage.load(0) | storage.load(2)) == 0);
}

TEST_CASE("copies are equal and independent, moves leave nothing behind") {
  OwnedWords first(4);
  first.set(2, 9);
  OwnedWords second = first;
  CHECK(second == first);
  second.set(0, 1);
  CHECK_FALSE(second == first);
  const std::uint64_t* memory = second.words().data();
  second = first;  // of the same size: into the memory that is there
  CHECK(second == first);
  CHECK(second.words().data() == memory);
  OwnedWords third(1);
  third = first;
  CHECK(third == first);
  const OwnedWords taken = std::move(third);
  CHECK(taken == first);
  CHECK(third.size() == 0);  // NOLINT(bugprone-use-after-move): the documented state
}
