// SPDX-License-Identifier: BSL-1.0
//
// Filters over memory of others: views of stored bytes answer like their owners and write nothing; filters built in
// given memory are the filters that own theirs.
#include <perhaps/perhaps.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::BorrowedWords;
using perhaps::FormatReason;
using perhaps::ReadOnlyWords;
using perhaps::Verify;
using support::AlignedBytes;
using support::Bytes;
using View = perhaps::BloomFilterView<std::uint64_t>;
using Owner = perhaps::BloomFilter<std::uint64_t>;
using Borrowed = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::Classic<>, BorrowedWords>;

template <class F>
concept Inserts = requires(F& filter) { filter.insert(std::uint64_t{1}); };
template <class F>
concept InsertsDigests = requires(F& filter) { filter.insert(perhaps::Digest{}); };
template <class F>
concept TestsAndInserts = requires(F& filter) { filter.test_and_insert(std::uint64_t{1}); };
template <class F>
concept InsertsRanges = requires(F& filter, std::vector<std::uint64_t> keys) { filter.insert_range(keys); };
template <class F>
concept Clears = requires(F& filter) { filter.clear(); };
template <class F>
concept Unites = requires(F& filter, const Owner& other) { filter |= other; };
template <class F>
concept Intersects = requires(F& filter, const Owner& other) { filter &= other; };
template <class F>
concept TriesToUnite = requires(F& filter, const Owner& other) { filter.try_unite(other); };

// Read-only memory stays so.
static_assert(!Inserts<View> && !InsertsDigests<View> && !TestsAndInserts<View> && !InsertsRanges<View>);
static_assert(!Clears<View> && !Unites<View> && !Intersects<View> && !TriesToUnite<View>);
static_assert(Inserts<Borrowed> && InsertsDigests<Borrowed> && TestsAndInserts<Borrowed> && InsertsRanges<Borrowed>);
static_assert(Clears<Borrowed> && Unites<Borrowed> && Intersects<Borrowed> && TriesToUnite<Borrowed>);
static_assert(!std::constructible_from<View, perhaps::BloomTarget>);
static_assert(!std::constructible_from<View, perhaps::BloomParameters>);
static_assert(!std::constructible_from<Borrowed, perhaps::BloomParameters>);
static_assert(std::copyable<View> && std::movable<Borrowed> && !std::copy_constructible<Borrowed>);
static_assert(!std::is_copy_assignable_v<Borrowed>);

}  // namespace

TEMPLATE_LIST_TEST_CASE("a view answers like its owner", "", support::StoredBlooms) {
  const auto owner = support::stored_example<TestType>(3, 2000);
  AlignedBytes bytes(perhaps::to_bytes(owner));
  for (const Verify verify : {Verify::structure, Verify::everything}) {
    const auto view = perhaps::view_bytes<TestType>(bytes.span(), verify);
    CHECK(view == owner);
    CHECK(view.words().data() == reinterpret_cast<const std::uint64_t*>(bytes.span().data() + 64));
    CHECK((view.bits() == owner.bits() && view.hashes() == owner.hashes() && view.bytes() == owner.bytes()));
    CHECK((view.set_bits() == owner.set_bits() && view.fill_ratio() == owner.fill_ratio()));
    CHECK((view.current_fpr() == owner.current_fpr() && view.estimated_size() == owner.estimated_size()));
    CHECK((view.expected_fpr(5) == owner.expected_fpr(5) && view.empty() == owner.empty()));
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 6000; ++i) keys.push_back(support::scramble(i));
    std::vector<bool> single;
    std::vector<bool> batch;
    for (const std::uint64_t key : keys) single.push_back(owner.may_contain(key));
    view.may_contain_range(keys, std::back_inserter(batch));
    CHECK(batch == single);
    for (std::size_t i = 0; i < keys.size(); ++i) REQUIRE(view.may_contain(keys[i]) == single[i]);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      REQUIRE(view.template may_contain<std::uint64_t, perhaps::isa::Scalar>(keys[i]) == single[i]);
    }
    CHECK(perhaps::to_bytes(view) == perhaps::to_bytes(owner));
    CHECK(TestType(view) == owner);
  }
}

TEST_CASE("a view takes no memory") {
  AlignedBytes bytes(perhaps::to_bytes(support::stored_example<Owner>(3, 2000)));
  const std::size_t before = support::allocations();
  const auto view = perhaps::view_bytes<Owner>(bytes.span());
  const bool found = view.may_contain(support::scramble(1));
  CHECK(support::allocations() == before);
  CHECK(found);
}

TEMPLATE_LIST_TEST_CASE("a view needs its payload aligned to a block", "", support::StoredBlooms) {
  const auto owner = support::stored_example<TestType>();
  const Bytes bytes = perhaps::to_bytes(owner);
  constexpr std::size_t block = TestType::layout::block_bits / 8;
  constexpr std::size_t needed = block < 8 ? 8 : block;
  for (std::size_t shift = 0; shift < 64; ++shift) {
    AlignedBytes shifted(bytes, shift);
    const auto view = perhaps::try_view_bytes<TestType>(shifted.span());
    REQUIRE(static_cast<bool>(view) == (shift % needed == 0));
    if (view) {
      CHECK(*view == owner);
      for (std::uint64_t i = 0; i < 300; ++i) {
        REQUIRE(view->may_contain(support::scramble(i)) == owner.may_contain(support::scramble(i)));
      }
    } else {
      CHECK(view.reason() == FormatReason::alignment);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a view refuses what loading refuses", "", support::StoredBlooms) {
  const Bytes bytes = perhaps::to_bytes(support::stored_example<TestType>());
  const auto reason = [](const Bytes& changed, Verify verify) {
    AlignedBytes aligned(changed);
    const auto view = perhaps::try_view_bytes<TestType>(aligned.span(), verify);
    REQUIRE_FALSE(view);
    return view.reason();
  };
  for (const Verify verify : {Verify::structure, Verify::everything}) {
    CHECK(reason({}, verify) == FormatReason::truncated);
    CHECK(reason(Bytes(bytes.begin(), bytes.end() - 1), verify) == FormatReason::truncated);
    Bytes longer = bytes;
    longer.push_back({});
    CHECK(reason(longer, verify) == FormatReason::too_long);
    CHECK(reason(support::resealed_with(bytes, 32, std::uint64_t{0}), verify) == FormatReason::cells);
    CHECK(reason(support::resealed_with(bytes, 6, std::uint8_t{0}), verify) == FormatReason::hashes);
    CHECK(reason(support::resealed_with(bytes, 32, std::uint64_t{1} << 40U), verify) == FormatReason::length);
    const std::uint64_t bits = support::get<std::uint64_t>(bytes, 32);
    if (bits % 64 != 0) {
      Bytes padded = bytes;
      padded.back() |= std::byte{0x80};
      CHECK(reason(support::resealed(padded), verify) == FormatReason::padding);
    }
  }
  Bytes flipped = bytes;
  flipped[70] ^= std::byte{1};
  CHECK(reason(flipped, Verify::everything) == FormatReason::checksum);
  AlignedBytes trusted(flipped);
  CHECK(perhaps::try_view_bytes<TestType>(trusted.span(), Verify::structure));
  CHECK_THROWS_AS(perhaps::view_bytes<TestType>(std::span<const std::byte>()), perhaps::FormatError);
}

TEMPLATE_LIST_TEST_CASE("a filter built in given memory is the filter", "", support::StoredBlooms) {
  using Layout = typename TestType::layout;
  using InPlace = perhaps::BloomFilter<std::uint64_t, typename TestType::hasher, Layout, BorrowedWords>;
  const auto owner = support::stored_example<TestType>(5, 1000);
  const perhaps::BloomParameters parameters{.bits = owner.bits(), .hashes = owner.hashes()};
  perhaps::OwnedWords memory(owner.words().size());
  InPlace built(parameters, BorrowedWords(memory.words()), owner.hash_policy());
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 1000; ++i) keys.push_back(support::scramble(i));
  built.insert_range(std::span(keys).first(500));
  for (std::size_t i = 500; i < 900; ++i) built.insert(keys[i]);
  for (std::size_t i = 900; i < 1000; ++i) static_cast<void>(built.test_and_insert(keys[i]));
  CHECK(built == owner);
  CHECK(perhaps::to_bytes(built) == perhaps::to_bytes(owner));
  CHECK(built.words().data() == memory.words().data());
  CHECK(std::as_const(memory).words()[0] == owner.words()[0]);

  // Another filter over the same words has the keys: one process builds, another asks.
  const InPlace attached(parameters, BorrowedWords(memory.words()), owner.hash_policy());
  CHECK(attached == owner);
  InPlace moved = std::move(built);
  CHECK(moved == owner);
  CHECK(built.bits() == 0);  // NOLINT(bugprone-use-after-move): the documented state
  CHECK(built.may_contain(std::uint64_t{1}));
  moved.clear();
  CHECK(std::as_const(memory).words()[0] == 0);
}

TEST_CASE("given memory of a wrong size, alignment or content is refused") {
  const perhaps::BloomParameters parameters{.bits = 1000, .hashes = 7};
  perhaps::OwnedWords memory(17);
  const auto words = memory.words();
  CHECK_NOTHROW(Borrowed(parameters, BorrowedWords(words.first(16))));
  CHECK_THROWS_WITH(Borrowed(parameters, BorrowedWords(words)), "perhaps: words must be 16 for bits = 1000, got 17");
  CHECK_THROWS_AS(Borrowed(parameters, BorrowedWords(words.first(15))), std::invalid_argument);
  CHECK_FALSE(Borrowed::make(parameters, BorrowedWords(words.first(15))));
  CHECK(Borrowed::make(parameters, BorrowedWords(words.first(16))));
  CHECK_THROWS_AS(Borrowed({.bits = 0, .hashes = 7}, BorrowedWords({})), std::invalid_argument);
  CHECK_THROWS_AS(Borrowed({.bits = 1000, .hashes = 65}, BorrowedWords(words.first(16))), std::invalid_argument);
  words[15] = std::uint64_t{1} << 39U;  // bit 999 is the last
  CHECK_NOTHROW(Borrowed(parameters, BorrowedWords(words.first(16))));
  words[15] = std::uint64_t{1} << 40U;
  CHECK_THROWS_WITH(Borrowed(parameters, BorrowedWords(words.first(16))), "perhaps: words must be 0 from bit 1000 on");
  CHECK_FALSE(Borrowed::make(parameters, BorrowedWords(words.first(16))));

  using Split = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<>, BorrowedWords>;
  words[15] = 0;
  CHECK_NOTHROW(Split({.bits = 512, .hashes = 8}, BorrowedWords(words.first(8))));
  CHECK_THROWS_WITH(Split({.bits = 512, .hashes = 8}, BorrowedWords(words.subspan(1, 8))),
                    "perhaps: words must be aligned to 64 bytes for this layout");
  CHECK_FALSE(Split::make({.bits = 512, .hashes = 8}, BorrowedWords(words.subspan(1, 8))));
}

TEMPLATE_LIST_TEST_CASE("filters unite and intersect across storages", "", support::StoredBlooms) {
  const auto left = support::stored_example<TestType>(5, 1000);
  auto right = left;
  for (std::uint64_t i = 2000; i < 2100; ++i) right.insert(support::scramble(i));
  right.clear();
  for (std::uint64_t i = 500; i < 1200; ++i) right.insert(support::scramble(i));
  AlignedBytes bytes(perhaps::to_bytes(right));
  const Bytes before(bytes.span().begin(), bytes.span().end());
  const auto view = perhaps::view_bytes<TestType>(bytes.span());
  const TestType united = left | right;
  const TestType common = left & right;
  CHECK((left | view) == united);
  CHECK((view | left) == united);
  CHECK((view & left) == common);
  auto into = left;
  into |= view;
  CHECK(into == united);
  into = left;
  into &= view;
  CHECK(into == common);
  CHECK(Bytes(bytes.span().begin(), bytes.span().end()) == before);
  into = left;
  CHECK(into.try_unite(view));
  CHECK(into == united);
  const auto sets = perhaps::estimate_sets(left, view);
  CHECK(sets.intersection() == perhaps::estimate_sets(left, right).intersection());
  CHECK(view.is_compatible(left));

  // A filter and a view of its own words.
  perhaps::OwnedWords memory(left.words().size());
  using Layout = typename TestType::layout;
  using InPlace = perhaps::BloomFilter<std::uint64_t, typename TestType::hasher, Layout, BorrowedWords>;
  InPlace one({.bits = left.bits(), .hashes = left.hashes()}, BorrowedWords(memory.words()), left.hash_policy());
  one |= left;
  const InPlace same({.bits = left.bits(), .hashes = left.hashes()}, BorrowedWords(memory.words()), left.hash_policy());
  one |= same;
  one &= same;
  CHECK(one == left);
}

TEST_CASE("a mismatch with a view names the field and changes nothing") {  // BUGS M01
  auto left = support::stored_example<Owner>(1);
  const Owner before = left;
  AlignedBytes bytes(perhaps::to_bytes(support::stored_example<Owner>(2)));
  const auto view = perhaps::view_bytes<Owner>(bytes.span());
  CHECK_THROWS_WITH(left |= view, "perhaps: |=: seeds differ: 1 and 2");
  CHECK_THROWS_WITH(left &= view, "perhaps: &=: seeds differ: 1 and 2");
  CHECK_THROWS_WITH(perhaps::estimate_sets(left, view), "perhaps: estimate_sets: seeds differ: 1 and 2");
  CHECK_FALSE(left.try_unite(view));
  CHECK(left == before);
}
