// SPDX-License-Identifier: BSL-1.0
//
// What refers to bytes or words of others must not outlive them: lines that must not compile, one for each
// PERHAPS_CASE, beside the right ones.
#include <perhaps/serialization.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if !defined(PERHAPS_CASE)
#error "define PERHAPS_CASE, 0 for no wrong line"
#endif

namespace {

using Filter = perhaps::BloomFilter<int>;
using Words = std::vector<std::uint64_t>;

std::string read_file() { return {}; }

// Such as a mapped file that is unmapped at the end of its life.
struct Mapping {
  operator std::span<const std::byte>() const { return bytes; }  // NOLINT(google-explicit-constructor)
  std::vector<std::byte> bytes;
};

}  // namespace

void cases(const Filter& filter) {
  const std::vector<std::byte> bytes = perhaps::to_bytes(filter);
#if PERHAPS_CASE == 1
  const auto view = perhaps::view_bytes<Filter>(perhaps::to_bytes(filter));
#elif PERHAPS_CASE == 0
  const auto view = perhaps::view_bytes<Filter>(bytes);
#endif

#if PERHAPS_CASE == 2
  static_cast<void>(perhaps::try_view_bytes<Filter>(read_file()));
#elif PERHAPS_CASE == 0
  static_cast<void>(perhaps::try_view_bytes<Filter>(std::string_view("a literal lives for ever")));
#endif

#if PERHAPS_CASE == 3
  auto moved = bytes;
  static_cast<void>(perhaps::view_bytes<Filter>(std::move(moved)));
#elif PERHAPS_CASE == 0
  static_cast<void>(perhaps::from_bytes<Filter>(read_file()));
#endif

  const Mapping mapping;
#if PERHAPS_CASE == 4
  static_cast<void>(perhaps::view_bytes<Filter>(Mapping{}));
#elif PERHAPS_CASE == 0
  static_cast<void>(perhaps::view_bytes<Filter>(mapping));
#endif

#if PERHAPS_CASE == 5
  static_cast<void>(perhaps::view_bytes<Filter>(bytes.data()));
#elif PERHAPS_CASE == 0
  static_cast<void>(perhaps::view_bytes<Filter>(std::span(bytes.data(), bytes.size())));
#endif

  Words words(16);
#if PERHAPS_CASE == 6
  const perhaps::BorrowedWords borrowed(Words(16));
#elif PERHAPS_CASE == 0
  const perhaps::BorrowedWords borrowed(words);
#endif

#if PERHAPS_CASE == 7
  const perhaps::ReadOnlyWords read(std::array<std::uint64_t, 16>{});
#elif PERHAPS_CASE == 0
  const perhaps::ReadOnlyWords read(std::as_const(words));
#endif

  perhaps::OwnedWords owned(16);
#if PERHAPS_CASE == 8
  const perhaps::BorrowedWords of_storage(perhaps::OwnedWords(16).words());
#elif PERHAPS_CASE == 0
  const perhaps::BorrowedWords of_storage(owned.words());
#endif

#if PERHAPS_CASE == 9
  const perhaps::ReadOnlyWords of_filter(Filter({.keys = 10, .fpr = 0.1}).words());
#elif PERHAPS_CASE == 0
  const perhaps::ReadOnlyWords of_filter(filter.words());
  const perhaps::ReadOnlyWords of_view(perhaps::view_bytes<Filter>(bytes).words());
#endif

#if PERHAPS_CASE == 10
  static_cast<void>(perhaps::CountingBloomFilter<int>({.keys = 10, .fpr = 0.1}).words());
#elif PERHAPS_CASE == 0
  const perhaps::CountingBloomFilter<int> counting({.keys = 10, .fpr = 0.1});
  static_cast<void>(counting.words());
#endif

#if PERHAPS_CASE == 11
  static_cast<void>(perhaps::CuckooFilter<int>({.keys = 10}).packed());
#elif PERHAPS_CASE == 0
  const perhaps::CuckooFilter<int> cuckoo({.keys = 10});
  static_cast<void>(cuckoo.packed());
#endif
}
