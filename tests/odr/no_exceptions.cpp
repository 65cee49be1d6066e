// SPDX-License-Identifier: BSL-1.0
//
// Compiled with -fno-exceptions -fno-rtti: what could throw is absent, what returns std::optional or bool works.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <sstream>
#include <string>

namespace {

using Filter = perhaps::BloomFilter<std::string>;

static_assert(!std::constructible_from<Filter, perhaps::BloomTarget>);
static_assert(!std::constructible_from<Filter, perhaps::BloomParameters>);
template <class F>
concept Unites = requires(F& filter) { filter |= filter; };
template <class F>
concept Intersects = requires(F& filter) { filter &= filter; };
static_assert(!Unites<Filter> && !Intersects<Filter>);

using Counting = perhaps::CountingBloomFilter<std::string>;
template <class F>
concept Adds = requires(F& filter) { filter += filter; };
static_assert(!std::constructible_from<Counting, perhaps::BloomTarget>);
static_assert(!std::constructible_from<Counting, perhaps::CountingParameters> && !Adds<Counting>);

using Cuckoo = perhaps::CuckooFilter<std::string>;
static_assert(!std::constructible_from<Cuckoo, perhaps::CuckooTarget>);
static_assert(!std::constructible_from<Cuckoo, perhaps::CuckooParameters>);

int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  auto left = Filter::make({.keys = 1000, .fpr = 0.01});
  auto right = Filter::make({.keys = 1000, .fpr = 0.01});
  const auto other_size = Filter::make({.keys = 2000, .fpr = 0.01});
  check(left && right && other_size, "make");
  if (!left || !right || !other_size) return 1;

  left->insert("owl");
  right->insert(std::string("fox"));
  check(left->may_contain("owl") && !left->may_contain("fox"), "insert and may_contain");
  check(left->try_unite(*right) && left->may_contain("owl") && left->may_contain("fox"), "try_unite");
  check(left->try_intersect(*right) && left->may_contain("fox") && !left->may_contain("owl"), "try_intersect");
  check(!left->try_unite(*other_size) && !left->try_intersect(*other_size), "refusal of another size");
  check(!left->may_contain(static_cast<const char*>(nullptr)), "a null C string is certainly not in");
  left->insert(static_cast<const char*>(nullptr));
  check(!left->may_contain(""), "a null C string is not put in");

  check(!Filter::make({.keys = 1000, .fpr = 0}), "make refuses a rate of 0");
  check(!Filter::make({.keys = 1000, .fpr = 2}), "make refuses a rate of 2");
  check(!Filter::make(perhaps::BloomParameters{.bits = 0, .hashes = 1}), "make refuses no bits");
  check(!Filter::make(perhaps::BloomParameters{.bits = 64, .hashes = 1000}), "make refuses 1000 hashes");
  check(!Filter::make(perhaps::BloomParameters{.bits = std::uint64_t{1} << 62U, .hashes = 1}), "make lacks memory");

  const auto parameters = perhaps::try_bloom_parameters({.keys = 1000, .fpr = 0.01});
  check(parameters && parameters->bits == left->bits() && parameters->hashes == left->hashes(), "try_bloom_parameters");
  check(!perhaps::try_bloom_parameters({.keys = 1000, .fpr = 1}), "try_bloom_parameters refuses a rate of 1");
  check(!perhaps::try_bloom_parameters({.keys = ~std::uint64_t{0}, .fpr = 0.001}), "try_bloom_parameters: too many");

  // Formulas that refuse an argument by throwing elsewhere return NaN here, or 0 where they count.
  const auto is_nan = [](double x) { return x != x; };
  check(is_nan(perhaps::expected_fpr(1000, 7, -1)) && is_nan(perhaps::exact_fpr(1000, 65, 10)), "formulas: no rate");
  check(is_nan(perhaps::estimated_keys(100, 7, 101)) && is_nan(perhaps::cuckoo_fpr(12, 4, 2)), "formulas: no number");
  check(perhaps::optimal_hashes(0, 10) == 0 && perhaps::max_keys(0, 7, 0.01) == 0, "formulas: no count");
  check(perhaps::expected_fpr(1000, 7, 100) > 0 && perhaps::max_keys(1000, 7, 0.01) > 0, "formulas work");

  auto counting = Counting::make({.keys = 1000, .fpr = 0.01});
  auto other_counting = Counting::make(perhaps::CountingParameters{.counters = 64, .hashes = 3});
  check(counting && other_counting, "make a counting filter");
  if (!counting || !other_counting) return 1;
  counting->insert("owl");
  check(counting->try_add(*counting) && counting->count("owl") == 2, "try_add");
  check(!counting->try_add(*other_counting) && counting->count("owl") == 2, "refusal of another number of counters");
  check(counting->erase("owl") && counting->erase("owl") && !counting->erase("owl"), "erase");
  check(!Counting::make({.keys = 1000, .fpr = 0}), "make refuses a counting filter with a rate of 0");

  auto cuckoo = Cuckoo::make({.keys = 1000});
  check(cuckoo && cuckoo->insert("owl") && cuckoo->may_contain("owl") && cuckoo->size() == 1, "a cuckoo filter");
  check(cuckoo && cuckoo->erase("owl") && !cuckoo->erase("owl") && cuckoo->empty(), "erase from a cuckoo filter");
  check(!Cuckoo::make({.keys = 1000, .fpr = 1e-6}), "make refuses a rate that needs longer fingerprints");
  check(!Cuckoo::make({.buckets = 0}) && !Cuckoo::make({.buckets = ~std::uint64_t{0}}), "make refuses bucket counts");
  check(!perhaps::try_cuckoo_parameters({.keys = 10}, 3, 12), "try_cuckoo_parameters refuses buckets of three");
  check(!Counting::make(perhaps::CountingParameters{.counters = 0, .hashes = 3}), "make refuses no counters");
  check(perhaps::try_counting_parameters({.keys = 1000, .fpr = 0.01}).has_value(), "try_counting_parameters");
  check(!perhaps::try_counting_parameters({.keys = 1000, .fpr = 0.01}, 5), "try_counting_parameters refuses 5 bits");

  const auto bytes = perhaps::to_bytes(*cuckoo);
  const auto loaded = perhaps::try_from_bytes<Cuckoo>(bytes);
  check(loaded && *loaded == *cuckoo, "try_from_bytes");
  const auto refused = perhaps::try_from_bytes<Filter>(bytes);
  check(!refused && refused.reason() == perhaps::FormatReason::kind, "try_from_bytes refuses another kind");
  check(!perhaps::describe(refused.failure()).empty(), "a reason in words");
  const auto bloom_bytes = perhaps::to_bytes(*left);
  alignas(64) std::array<std::byte, 4096> aligned{};
  std::copy(bloom_bytes.begin(), bloom_bytes.end(), aligned.begin());
  const auto view = perhaps::try_view_bytes<Filter>(std::span(aligned).first(bloom_bytes.size()));
  check(view && *view == *left, "try_view_bytes");
  check(!perhaps::try_view_bytes<Filter>(aligned), "try_view_bytes refuses a longer input");
  std::stringstream stream;
  check(perhaps::try_write(*left, stream), "try_write");
  const auto read = perhaps::try_read<Filter>(stream);
  check(read && *read == *left, "try_read");

  using Borrowed = perhaps::BloomFilter<std::string, perhaps::XxHash3, perhaps::Classic<>, perhaps::BorrowedWords>;
  std::array<std::uint64_t, 16> memory{};
  auto borrowed = Borrowed::make({.bits = 1024, .hashes = 7}, perhaps::BorrowedWords(memory));
  check(borrowed.has_value(), "make over given memory");
  if (borrowed) borrowed->insert("owl");
  check(borrowed && borrowed->may_contain("owl") && !borrowed->empty(), "insert into given memory");
  check(!Borrowed::make({.bits = 1025, .hashes = 7}, perhaps::BorrowedWords(memory)), "make refuses too few words");
  const auto folded = borrowed ? borrowed->try_folded(4) : std::nullopt;
  check(folded && folded->bits() == 256 && folded->may_contain("owl"), "try_folded");
  check(borrowed && !borrowed->try_folded(3) && borrowed->try_fold_to(0.01), "try_fold_to");
  check(perhaps::try_estimate_sets(*left, *left).has_value(), "try_estimate_sets");
  check(!perhaps::try_estimate_sets(*left, *other_size), "try_estimate_sets refuses another size");

  // A value that no key has is in no filter, and is not put in.
  auto words = perhaps::BloomFilter<std::uint32_t>::make({.keys = 1000, .fpr = 1e-6});
  auto counts = perhaps::CountingBloomFilter<std::uint32_t>::make({.keys = 1000, .fpr = 1e-6});
  auto ids = perhaps::CuckooFilter<std::uint32_t>::make({.keys = 1000});
  check(words && counts && ids, "make filters of 32-bit words");
  if (!words || !counts || !ids) return 1;
  const std::array<std::int64_t, 2> too_large{std::int64_t{1} << 40U, -1};
  words->insert(too_large[0]);
  words->insert_range(too_large);
  counts->insert(too_large[1]);
  counts->insert_range(too_large);
  check(!ids->insert(too_large[0]) && ids->insert_range(too_large) == 0, "a cuckoo filter refuses them");
  check(words->empty() && counts->empty() && ids->empty(), "none is put in");
  check(!words->test_and_insert(-1) && words->empty(), "test_and_insert puts none in");
  words->insert(7U);
  check(!words->may_contain(7 + (std::int64_t{1} << 32U)) && words->may_contain(7L), "7 + 2^32 is not 7");
  check(!counts->erase(-1) && counts->count(-1) == 0 && !ids->erase(-1), "erase and count");

  check(words->may_contain(words->digest(7)), "asked by a digest");

  using Chain = perhaps::ScalableFilter<perhaps::BloomFilter<int>>;
  auto chain = Chain::make({.keys = 1, .fpr = 0.01});
  auto erasable = perhaps::ScalableFilter<perhaps::CuckooFilter<int, 16>>::make({.keys = 1, .fpr = 0.01});
  check(chain && erasable && !Chain::make({.keys = 1, .fpr = 0}), "make a chain");
  if (!chain || !erasable) return 1;
  bool taken = true;
  for (int i = 0; i < 100; ++i) taken = taken && chain->try_insert(i) && erasable->try_insert(i);
  check(taken && chain->may_contain(99) && erasable->erase(99), "a chain grows");
  check(!chain->try_insert(std::int64_t{1} << 40U), "a chain refuses what no key has");
  const auto loaded_chain = perhaps::try_from_bytes<Chain>(perhaps::to_bytes(*chain));
  check(loaded_chain && *loaded_chain == *chain, "a chain loads");

  using Parquet = perhaps::ParquetFilter<std::string>;
  const auto parquet = Parquet::make({.keys = 100, .fpr = 0.01});
  check(parquet && perhaps::try_from_parquet_bits<Parquet>(perhaps::to_parquet_bits(*parquet)), "Parquet's bits");
  check(!perhaps::try_from_parquet<Parquet>({}), "try_from_parquet refuses nothing");
  return failures;
}
