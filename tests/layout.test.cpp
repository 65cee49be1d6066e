// SPDX-License-Identifier: BSL-1.0
//
// Layouts: which geometries they take, that a digest has exactly the bits of the definition, that every bit is reached,
// and that the block says nothing about the bits within it.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/keys.hpp"
#include "support/layouts.hpp"
#include "support/suite.hpp"

namespace {

using perhaps::Blocked;
using perhaps::BloomFilter;
using perhaps::BloomParameters;
using perhaps::Classic;
using perhaps::CountingBloomFilter;
using perhaps::Digest;
using perhaps::OwnedWords;
using perhaps::SplitBlock;
using perhaps::XxHash3;

using BlockLayoutsFull =
    std::tuple<Blocked<64>, Blocked<128>, Blocked<256>, Blocked<512>, Blocked<512, perhaps::DoubleHashing>,
               Blocked<64, perhaps::EnhancedDoubleHashing>, SplitBlock<64, 8>, SplitBlock<32, 8>, SplitBlock<16, 8>>;
using BlockLayouts =
    support::Suite<BlockLayoutsFull,
                   std::tuple<Blocked<64>, Blocked<512>, SplitBlock<64, 8>, SplitBlock<32, 8>, SplitBlock<16, 8>>>;

static_assert(perhaps::BitLayout<Classic<>> && perhaps::BitLayout<Blocked<64>>);
static_assert(perhaps::BitLayout<SplitBlock<64, 8>> && perhaps::BitLayout<SplitBlock<32, 8>>);
static_assert(perhaps::CellLayout<Classic<>> && perhaps::CellLayout<Blocked<128>>);
static_assert(!perhaps::CellLayout<SplitBlock<64, 8>> && !perhaps::CellLayout<SplitBlock<32, 8>>);
static_assert(perhaps::CellLayout<SplitBlock<16, 8>>);

template <class Layout>
using Filter = BloomFilter<std::uint64_t, XxHash3, Layout>;

template <class F, class Parameters>
std::string refusal(const Parameters& parameters) {
  CHECK_FALSE(F::make(parameters));
  try {
    const F filter(parameters);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

template <class Layout>
std::vector<unsigned> all_hashes() {
  std::vector<unsigned> taken;
  for (unsigned k = 0; k <= 100; ++k) {
    if (Layout::takes_hashes(k)) taken.push_back(k);
  }
  return taken;
}

std::vector<Digest> random_digests(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Digest> digests;
  for (std::size_t i = 0; i < count; ++i) digests.push_back({random(), random()});
  return digests;
}

bool same_words(std::span<const std::uint64_t> left, const std::vector<std::uint64_t>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end());
}

// The block and the bits within it of one digest, as the layout itself sets them.
struct Located {
  std::uint64_t block;
  std::vector<unsigned> bits;
};

template <class Layout>
Located position(OwnedWords& clean, std::uint64_t m, unsigned k, Digest digest) {
  Layout::insert(clean, m, k, digest);
  Located placed{0, {}};
  for (std::size_t i = 0; i < clean.size(); ++i) {
    for (std::uint64_t word = clean.load(i); word != 0; word &= word - 1) {
      const std::uint64_t bit = i * 64 + static_cast<unsigned>(std::countr_zero(word));
      placed.block = bit / Layout::block_bits;
      placed.bits.push_back(static_cast<unsigned>(bit % Layout::block_bits));
    }
    clean.words()[i] = 0;
  }
  return placed;
}

class Table {
 public:
  Table(std::size_t rows, std::size_t columns) : columns_(columns), counts_(rows * columns) {}
  void add(std::size_t row, std::size_t column) { ++counts_[row * columns_ + column]; }

  // How far the table is from even: chi-squared over its cells, in standard deviations.
  double unevenness() const {
    double total = 0;
    for (const double count : counts_) total += count;
    const auto cells = static_cast<double>(counts_.size());
    const double expected = total / cells;
    double chi_squared = 0;
    for (const double count : counts_) chi_squared += (count - expected) * (count - expected) / expected;
    return (chi_squared - cells) / std::sqrt(2 * cells);
  }

 private:
  std::size_t columns_;
  std::vector<double> counts_;
};

// Words in memory that may not be touched directly, as atomic ones would be.
class DistantWords {
 public:
  explicit DistantWords(std::size_t size) : words_(size) {}
  static std::optional<DistantWords> make(std::size_t size) { return DistantWords(size); }
  std::uint64_t load(std::size_t i) const noexcept { return words_[i]; }
  void set(std::size_t i, std::uint64_t mask) noexcept { words_[i] |= mask; }
  bool test_and_set(std::size_t i, std::uint64_t mask) noexcept {
    const std::uint64_t before = std::exchange(words_[i], words_[i] | mask);
    return (before & mask) == mask;
  }
  std::size_t size() const noexcept { return words_.size(); }
  std::span<std::uint64_t> words() noexcept { return words_; }
  std::span<const std::uint64_t> words() const noexcept { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

static_assert(perhaps::Storage<DistantWords> && !perhaps::ContiguousStorage<DistantWords>);

}  // namespace

TEST_CASE("bits that are no whole blocks are refused by a sentence") {
  CHECK(refusal<Filter<Blocked<512>>>(BloomParameters{.bits = 1000, .hashes = 7}) ==
        "perhaps: bits must be a multiple of 512, the block of Blocked<512>, got 1000");
  CHECK(refusal<Filter<Blocked<64>>>(BloomParameters{.bits = 63, .hashes = 7}) ==
        "perhaps: bits must be a multiple of 64, the block of Blocked<64>, got 63");
  CHECK(refusal<Filter<SplitBlock<64, 8>>>(BloomParameters{.bits = 256, .hashes = 8}) ==
        "perhaps: bits must be a multiple of 512, the block of SplitBlock<64, 8>, got 256");
  CHECK(refusal<Filter<SplitBlock<32, 8>>>(BloomParameters{.bits = 257, .hashes = 8}) ==
        "perhaps: bits must be a multiple of 256, the block of SplitBlock<32, 8>, got 257");
  CHECK(refusal<Filter<SplitBlock<32, 8>>>(BloomParameters{.bits = 0, .hashes = 8}) ==
        "perhaps: bits must be above 0, got 0");
  CHECK(refusal<CountingBloomFilter<int, 4, XxHash3, Blocked<128>>>(
            perhaps::CountingParameters{.counters = 64, .hashes = 3}) ==
        "perhaps: counters must be a multiple of 128, the block of Blocked<128>, got 64");
}

TEST_CASE("hashes that a layout does not take are refused by a sentence") {
  CHECK(refusal<Filter<Blocked<256>>>(BloomParameters{.bits = 256, .hashes = 65}) ==
        "perhaps: hashes must be from 1 to 64, got 65");
  CHECK(refusal<Filter<SplitBlock<64, 8>>>(BloomParameters{.bits = 512, .hashes = 9}) ==
        "perhaps: hashes must be from 1 to 8, or 16, got 9");
  CHECK(refusal<Filter<SplitBlock<64, 8>>>(BloomParameters{.bits = 512, .hashes = 0}) ==
        "perhaps: hashes must be from 1 to 8, or 16, got 0");
  CHECK(refusal<Filter<SplitBlock<32, 8>>>(BloomParameters{.bits = 256, .hashes = 7}) ==
        "perhaps: hashes must be 8, got 7");
  CHECK(all_hashes<SplitBlock<64, 8>>() == std::vector<unsigned>{1, 2, 3, 4, 5, 6, 7, 8, 16});
  CHECK(refusal<Filter<SplitBlock<16, 8>>>(BloomParameters{.bits = 128, .hashes = 16}) ==
        "perhaps: hashes must be from 1 to 8, got 16");
  CHECK(all_hashes<SplitBlock<32, 8>>() == std::vector<unsigned>{8});
  CHECK(all_hashes<SplitBlock<16, 8>>() == std::vector<unsigned>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(all_hashes<Blocked<512>>().size() == 64);
}

TEMPLATE_LIST_TEST_CASE("sizing gives whole blocks and hashes that the layout takes", "", BlockLayouts) {
  for (const std::uint64_t n : {0U, 1U, 3U, 1000U, 54'321U}) {
    for (const double p : {0.9, 0.1, 0.01, 1e-4, 1e-6}) {
      const auto sized = perhaps::bloom_parameters<TestType>({.keys = n, .fpr = p});
      INFO("n = " << n << ", p = " << p);
      CHECK(sized.bits > 0);
      CHECK(sized.bits % TestType::block_bits == 0);
      CHECK(TestType::takes_hashes(sized.hashes));
      CHECK(sized.expected_fpr <= p);
      CHECK(sized.bytes == sized.bits / 8);
      const Filter<TestType> filter({.keys = n, .fpr = p});
      CHECK(filter.bits() == sized.bits);
      CHECK(filter.bytes() == sized.bytes);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a digest has exactly the bits of the definition, and a lookup asks each of them", "",
                        BlockLayouts) {
  for (const std::uint64_t blocks : {1U, 2U, 3U, 8U, 13U}) {
    const std::uint64_t m = blocks * TestType::block_bits;
    for (const unsigned k : all_hashes<TestType>()) {
      for (const Digest digest : random_digests(20, blocks * 100 + k)) {
        const auto expected = support::words_of<TestType>({digest}, m, k);
        OwnedWords inserted(static_cast<std::size_t>(TestType::words_for(m)));
        OwnedWords tested = inserted;
        TestType::insert(inserted, m, k, digest);
        REQUIRE_FALSE(TestType::test_and_insert(tested, m, k, digest));
        REQUIRE(TestType::test_and_insert(tested, m, k, digest));
        REQUIRE(same_words(inserted.words(), expected));
        REQUIRE(same_words(tested.words(), expected));
        REQUIRE(TestType::may_contain(inserted, m, k, digest));
        for (std::size_t i = 0; i < expected.size(); ++i) {
          for (std::uint64_t left = expected[i]; left != 0; left &= left - 1) {
            const std::uint64_t bit = left & (0 - left);
            inserted.words()[i] = expected[i] & ~bit;
            REQUIRE_FALSE(TestType::may_contain(inserted, m, k, digest));
            inserted.words()[i] = expected[i];
          }
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("every bit of every block is reached", "", BlockLayouts) {
  for (const unsigned k : all_hashes<TestType>()) {
    const std::uint64_t m = 5 * TestType::block_bits;
    Filter<TestType> filter({.bits = m, .hashes = k});
    std::mt19937_64 random(k);
    for (std::uint64_t i = 0; i < 20 * m && filter.set_bits() < m; ++i) filter.insert(Digest{random(), random()});
    INFO("k = " << k);
    CHECK(filter.set_bits() == m);
    CHECK(filter.current_fpr() == 1);
    CHECK(filter.estimated_size() == std::numeric_limits<double>::infinity());
  }
}

TEMPLATE_LIST_TEST_CASE("the block says nothing about the bits within it, for powers of two too", "", BlockLayouts) {
  constexpr std::uint64_t keys = 50'000;
  for (const std::uint64_t blocks : {8U, 13U, 64U}) {
    const std::uint64_t m = blocks * TestType::block_bits;
    OwnedWords words(static_cast<std::size_t>(TestType::words_for(m)));
    for (const auto& pattern : support::integer_patterns()) {
      const unsigned k = TestType::takes_hashes(7) ? 7 : 8;
      Table table(static_cast<std::size_t>(blocks), static_cast<std::size_t>(TestType::block_bits));
      for (std::uint64_t i = 0; i < keys; ++i) {
        const Located placed = position<TestType>(words, m, k, XxHash3()(pattern.key(i)));
        for (const unsigned bit : placed.bits) table.add(static_cast<std::size_t>(placed.block), bit);
      }
      INFO(blocks << " blocks, " << pattern.name << " keys");
      CHECK(table.unevenness() < 7);
    }
  }
}

TEST_CASE("split blocks: one bit in each of k lanes next to each other, or two in all") {
  using Layout = SplitBlock<64, 8>;
  const std::uint64_t m = 4 * 512;
  OwnedWords words(static_cast<std::size_t>(Layout::words_for(m)));
  for (const unsigned k : all_hashes<Layout>()) {
    Table lanes(4, 8);
    std::uint64_t single = 0;
    for (const Digest digest : random_digests(20'000, k)) {
      const Located placed = position<Layout>(words, m, k, digest);
      std::array<unsigned, 8> bits{};
      for (const unsigned bit : placed.bits) ++bits[bit / 64];
      const auto used =
          static_cast<unsigned>(std::count_if(bits.begin(), bits.end(), [](unsigned n) { return n > 0; }));
      REQUIRE(used == std::min(k, 8U));
      REQUIRE(*std::max_element(bits.begin(), bits.end()) <= (k == 16 ? 2U : 1U));
      single += static_cast<std::uint64_t>(std::count(bits.begin(), bits.end(), 1U));
      unsigned starts = 0;
      for (unsigned lane = 0; lane < 8; ++lane) {
        if (bits[lane] == 0 || bits[(lane + 7) % 8] != 0) continue;
        ++starts;
        lanes.add(static_cast<std::size_t>(placed.block), lane);
      }
      REQUIRE(starts == (k < 8 ? 1U : 0U));
    }
    INFO("k = " << k);
    if (k < 8) CHECK(lanes.unevenness() < 6);
    // Two bits of a lane meet once in 64: of 160 000 lanes, 2500 +- 50.
    if (k == 16) CHECK(std::abs(static_cast<double>(single) - 2500) < 300);
  }
}

TEST_CASE("split blocks: lanes are independent of each other and of the first lane") {
  using Layout = SplitBlock<64, 8>;
  constexpr std::uint64_t keys = 100'000;
  OwnedWords words(8);
  for (const auto& pattern : support::integer_patterns()) {
    std::vector<Table> pairs(64, Table(64, 64));
    for (std::uint64_t i = 0; i < keys; ++i) {
      const Located placed = position<Layout>(words, 512, 8, XxHash3()(pattern.key(i)));
      for (const unsigned a : placed.bits) {
        for (const unsigned b : placed.bits) {
          if (a / 64 < b / 64) pairs[(a / 64) * 8 + b / 64].add(a % 64, b % 64);
        }
      }
    }
    std::vector<Table> starts(8, Table(8, 64));
    for (std::uint64_t i = 0; i < keys; ++i) {
      const Located placed = position<Layout>(words, 512, 5, XxHash3()(pattern.key(i)));
      const auto has = [&](unsigned lane) {
        return std::any_of(placed.bits.begin(), placed.bits.end(), [&](unsigned bit) { return bit / 64 == lane % 8; });
      };
      unsigned first = 0;
      while (!has(first) || has(first + 7)) ++first;
      for (const unsigned bit : placed.bits) starts[(bit / 64 + 8 - first) % 8].add(first, bit % 64);
    }
    for (unsigned a = 0; a < 8; ++a) {
      for (unsigned b = a + 1; b < 8; ++b) {
        INFO(pattern.name << " keys, lanes " << a << " and " << b);
        CHECK(pairs[a * 8 + b].unevenness() < 7);
      }
      INFO(pattern.name << " keys, lane " << a << " from the first");
      if (a < 5) CHECK(starts[a].unevenness() < 7);
    }
  }
}

TEST_CASE("split blocks of k = 16: the second bits are independent of the first") {
  using Layout = SplitBlock<64, 8>;
  OwnedWords words(8);
  // Where the bits of k = 8 are, the others of k = 16 are elsewhere but once in 64.
  std::vector<Table> pairs(8, Table(64, 64));
  for (const Digest digest : random_digests(200'000, 1)) {
    const Located first = position<Layout>(words, 512, 8, digest);
    const Located both = position<Layout>(words, 512, 16, digest);
    REQUIRE(std::includes(both.bits.begin(), both.bits.end(), first.bits.begin(), first.bits.end()));
    for (unsigned lane = 0; lane < 8; ++lane) {
      unsigned second = first.bits[lane] % 64;
      for (const unsigned bit : both.bits) {
        if (bit / 64 == lane && bit != first.bits[lane]) second = bit % 64;
      }
      pairs[lane].add(first.bits[lane] % 64, second);
    }
  }
  for (const Table& table : pairs) CHECK(table.unevenness() < 6);
}

TEMPLATE_LIST_TEST_CASE("storage that is not plain memory gives the same bits and answers", "", BlockLayouts) {
  using Distant = BloomFilter<std::uint64_t, XxHash3, TestType, DistantWords>;
  const unsigned k = TestType::takes_hashes(5) ? 5 : 8;
  const BloomParameters parameters{.bits = 40 * TestType::block_bits, .hashes = k};
  Filter<TestType> near(parameters);
  Distant distant(parameters);
  Distant batch(parameters);
  const auto digests = random_digests(300, 7);
  batch.insert_range(digests);
  for (const Digest digest : digests) CHECK(near.test_and_insert(digest) == distant.test_and_insert(digest));
  CHECK(std::ranges::equal(near.words(), distant.words()));
  CHECK(std::ranges::equal(near.words(), batch.words()));
  std::vector<bool> answers;
  const auto absent = random_digests(5000, 8);
  distant.may_contain_range(absent, std::back_inserter(answers));
  for (std::size_t i = 0; i < absent.size(); ++i) {
    REQUIRE(near.may_contain(absent[i]) == distant.may_contain(absent[i]));
    REQUIRE(near.may_contain(absent[i]) == answers[i]);
  }
  CHECK(distant.current_fpr() == near.current_fpr());
}

TEMPLATE_LIST_TEST_CASE("a moved-from filter takes no harm, in batches neither", "", BlockLayouts) {
  Filter<TestType> filter({.keys = 100, .fpr = 0.01});
  const Filter<TestType> taken = std::move(filter);
  // NOLINTBEGIN(bugprone-use-after-move): the documented state
  filter.insert(1);
  CHECK(filter.may_contain(2));
  CHECK(filter.test_and_insert(3));
  const std::vector<std::uint64_t> keys{1, 2, 3};
  filter.insert_range(keys);
  std::vector<bool> answers;
  filter.may_contain_range(keys, std::back_inserter(answers));
  CHECK(answers == std::vector<bool>{true, true, true});
  CHECK(filter.bits() == 0);
  CHECK(filter.fill_ratio() == 1);
  CHECK(filter.current_fpr() == 1);
  CHECK(filter.expected_fpr(5) == 1);
  CHECK(filter.estimated_size() == std::numeric_limits<double>::infinity());
  filter.clear();
  // NOLINTEND(bugprone-use-after-move)
  CHECK_FALSE(taken.may_contain(2));
}

TEMPLATE_LIST_TEST_CASE("no block straddles two cache lines", "", BlockLayouts) {
  const Filter<TestType> filter({.bits = 3 * TestType::block_bits, .hashes = 8});
  CHECK(reinterpret_cast<std::uintptr_t>(filter.words().data()) % 64 == 0);
  CHECK(64 % (TestType::block_bits / 8) == 0);
}
