// SPDX-License-Identifier: BSL-1.0
//
// Law 3: what a kernel sets and answers is what the definition says, bit for bit, with every instruction set that this
// processor has: single operations, and tiles of up to 64 keys.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "kernels/single.hpp"
#include "support/catch.hpp"
#include "support/layouts.hpp"
#include "support/reserved.hpp"
#include "support/suite.hpp"

namespace {

using kernels::LayoutId;
using kernels::Operation;
using perhaps::Blocked;
using perhaps::Classic;
using perhaps::Digest;
using perhaps::OwnedWords;
using perhaps::SplitBlock;
namespace isa = perhaps::isa;

template <class L, LayoutId Id>
struct Named {
  using Layout = L;
  static constexpr LayoutId id = Id;
};

using Layouts =
    std::tuple<Named<Classic<>, LayoutId::classic>, Named<Classic<perhaps::DoubleHashing>, LayoutId::classic_double>,
               Named<Classic<perhaps::EnhancedDoubleHashing>, LayoutId::classic_enhanced>,
               Named<Blocked<64>, LayoutId::blocked_64>, Named<Blocked<128>, LayoutId::blocked_128>,
               Named<Blocked<256>, LayoutId::blocked_256>, Named<Blocked<512>, LayoutId::blocked_512>,
               Named<Blocked<512, perhaps::DoubleHashing>, LayoutId::blocked_512_double>,
               Named<SplitBlock<64, 8>, LayoutId::split_64>, Named<SplitBlock<32, 8>, LayoutId::split_32>,
               Named<SplitBlock<16, 8>, LayoutId::split_16>>;

struct Set {
  std::string_view name;
  kernels::Apply* apply;
};

std::vector<Set> available_sets() {
  std::vector<Set> sets{{"scalar", kernels::apply_scalar}};
#if defined(PERHAPS_TEST_X86)
  if (isa::Avx2::available()) sets.push_back({"AVX2", kernels::apply_avx2});
  if (isa::Avx512::available()) sets.push_back({"AVX-512", kernels::apply_avx512});
#elif PERHAPS_HAS_NEON_KERNELS
  sets.push_back({"NEON", kernels::apply_neon});
#endif
  return sets;
}

// Random ones, and ones whose halves are all zeros or ones, or a single bit.
std::vector<Digest> varied_digests(std::size_t random_ones, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Digest> digests;
  for (const std::uint64_t g : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    for (const std::uint64_t h : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x9E3779B97F4A7C15U}}) {
      digests.push_back({g, h});
    }
  }
  for (int bit = 0; bit < 64; ++bit) digests.push_back({random(), std::uint64_t{1} << bit});
  for (std::size_t i = 0; i < random_ones; ++i) digests.push_back({random(), random()});
  return digests;
}

// Every number of hashes that the layout takes. Probes go in groups of eight: beyond two groups the default suite tries
// the numbers around their ends.
template <class Layout>
std::vector<unsigned> hashes_of() {
  std::vector<unsigned> taken;
  for (unsigned k = 1; k <= perhaps::max_hashes; ++k) {
    const bool tried = support::full_suite || k <= 17 || k % 16 <= 1 || k == 63;
    if (tried && Layout::takes_hashes(k)) taken.push_back(k);
  }
  return taken;
}

template <class Layout>
std::vector<std::uint64_t> some_sizes() {
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t m : {1U, 63U, 64U, 65U, 1000U, 4096U, 30'000U}) {
    if (Layout::block_bits == 1) sizes.push_back(m);
  }
  for (const std::uint64_t blocks : {1U, 2U, 3U, 16U, 61U}) {
    if (Layout::block_bits != 1) sizes.push_back(blocks * Layout::block_bits);
  }
  return sizes;
}

// Half filled, so that hits and misses are met.
template <class Layout>
std::vector<Digest> half_filling(std::uint64_t m, unsigned k, std::uint64_t seed) {
  return varied_digests(static_cast<std::size_t>(m / k / 2), seed);
}

bool same(const OwnedWords& words, const std::vector<std::uint64_t>& expected) {
  return std::ranges::equal(words.words(), expected);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("single operations equal the definition with every instruction set", "", Layouts) {
  using Layout = typename TestType::Layout;
  for (const Set& set : available_sets()) {
    for (const unsigned k : hashes_of<Layout>()) {
      for (const std::uint64_t m : some_sizes<Layout>()) {
        INFO(set.name << ", k = " << k << ", m = " << m);
        const auto digests = half_filling<Layout>(m, k, m + k);
        OwnedWords words(static_cast<std::size_t>(Layout::words_for(m)));
        std::uint64_t* data = words.words().data();

        // Each digest is new or known by those before it.
        std::vector<std::uint64_t> expected(words.size());
        std::vector<bool> known;
        for (const Digest digest : digests) {
          known.push_back(support::found_in<Layout>(expected, digest, m, k));
          for (const std::uint64_t position : support::Definition<Layout>::positions(digest, m, k)) {
            expected[static_cast<std::size_t>(position / 64)] |= std::uint64_t{1} << (position % 64);
          }
        }
        CHECK(set.apply(TestType::id, Operation::test_and_insert, data, words.size(), m, k, digests) == known);
        CHECK(same(words, expected));
        std::ranges::fill(words.words(), std::uint64_t{0});
        set.apply(TestType::id, Operation::insert, data, words.size(), m, k, digests);
        CHECK(same(words, expected));

        const auto absent = varied_digests(500, m * k);
        std::vector<bool> found;
        for (const Digest digest : absent) found.push_back(support::found_in<Layout>(expected, digest, m, k));
        CHECK(set.apply(TestType::id, Operation::may_contain, data, words.size(), m, k, absent) == found);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a lookup misses if any one bit of a key is missing, with every instruction set", "", Layouts) {
  using Layout = typename TestType::Layout;
  const std::uint64_t m = support::whole_blocks<Layout>(1000);
  for (const Set& set : available_sets()) {
    for (const unsigned k : hashes_of<Layout>()) {
      for (const Digest digest : varied_digests(5, k)) {
        OwnedWords words(static_cast<std::size_t>(Layout::words_for(m)));
        std::ranges::fill(words.words(), ~std::uint64_t{0});
        for (const std::uint64_t position : support::Definition<Layout>::positions(digest, m, k)) {
          std::uint64_t& word = words.words()[static_cast<std::size_t>(position / 64)];
          word ^= std::uint64_t{1} << (position % 64);
          const auto answer =
              set.apply(TestType::id, Operation::may_contain, words.words().data(), words.size(), m, k, {digest});
          INFO(set.name << ", k = " << k << ", bit " << position);
          REQUIRE_FALSE(answer[0]);
          word ^= std::uint64_t{1} << (position % 64);
        }
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("tiles of every length equal the definition", "", Layouts) {
  using Layout = typename TestType::Layout;
  for (const unsigned k : hashes_of<Layout>()) {
    for (const std::uint64_t m : some_sizes<Layout>()) {
      INFO("k = " << k << ", m = " << m);
      const auto digests = half_filling<Layout>(m, k, 2 * m + k);
      const auto absent = varied_digests(200, m * k + 1);
      OwnedWords words(static_cast<std::size_t>(Layout::words_for(m)));
      const auto expected = support::words_of<Layout>(digests, m, k);
      const typename perhaps::detail::BatchOf<Layout, OwnedWords>::type batch(words, m, k);
      std::vector<Digest> prepared;
      for (const Digest digest : digests) prepared.push_back(batch.prepare_insert(digest));
      std::size_t length = 1;
      for (std::size_t i = 0; i < digests.size(); i += length, length = length % 16 + 1) {
        const std::size_t count = std::min(length, digests.size() - i);
        batch.insert(std::span<const Digest>(prepared).subspan(i, count));
      }
      REQUIRE(same(words, expected));
      for (std::size_t i = 0; i + 16 <= absent.size(); i += 16) {
        perhaps::detail::Tile<Digest> tile;
        for (std::size_t j = 0; j < 16; ++j) tile[j] = batch.prepare_lookup(absent[i + j]);
        const std::uint64_t answers = batch.test(tile);
        for (std::size_t j = 0; j < 16; ++j) {
          REQUIRE((answers >> j & 1U) == (support::found_in<Layout>(expected, absent[i + j], m, k) ? 1U : 0U));
        }
      }
    }
  }
}

// In memory that is only promised: a filter of terabytes takes some pages.
TEMPLATE_LIST_TEST_CASE("bits beyond 2^32 and blocks beyond 2^32 are where the definition says", "", Layouts) {
  using Layout = typename TestType::Layout;
  using Positions = std::set<std::uint64_t>;
  const auto all_in = [](const Positions& set, const support::Positions& positions) {
    return std::ranges::all_of(positions, [&](std::uint64_t position) { return set.contains(position); });
  };
  constexpr auto two_to = [](unsigned power) { return std::uint64_t{1} << power; };
  for (const std::uint64_t least :
       {two_to(32) - 100, two_to(32) + 1, two_to(32) + two_to(31), two_to(33) + 1, two_to(42) + two_to(41)}) {
    const std::uint64_t m = support::whole_blocks<Layout>(least);
    support::Reserved memory(Layout::words_for(m) * 8);
    if (!memory.is_there()) continue;
    perhaps::BorrowedWords words(memory.words());
    for (const unsigned k : {8U, 19U}) {
      if (!Layout::takes_hashes(k)) continue;
      INFO("k = " << k << ", m = " << m);
      const auto digests = varied_digests(10, m + k);
      const auto absent = varied_digests(170, m * k);
      Positions expected;
      for (const Digest digest : digests) {
        for (const std::uint64_t position : support::Definition<Layout>::positions(digest, m, k))
          expected.insert(position);
      }
      std::vector<bool> found;
      for (const Digest digest : absent) {
        found.push_back(all_in(expected, support::Definition<Layout>::positions(digest, m, k)));
      }
      const auto all_set = [&] {
        return std::ranges::all_of(expected, [&](std::uint64_t position) {
          return (words.load(static_cast<std::size_t>(position / 64)) >> (position % 64) & 1U) != 0;
        });
      };

      const typename perhaps::detail::BatchOf<Layout, perhaps::BorrowedWords>::type batch(words, m, k);
      for (const Digest digest : digests) {
        const Digest prepared = batch.prepare_insert(digest);
        batch.insert(std::span(&prepared, 1));
      }
      REQUIRE(all_set());
      std::vector<bool> answers;
      for (std::size_t i = 0; i + 16 <= absent.size(); i += 16) {
        perhaps::detail::Tile<Digest> tile;
        for (std::size_t j = 0; j < 16; ++j) tile[j] = batch.prepare_lookup(absent[i + j]);
        const std::uint64_t tested = batch.test(tile);
        for (std::size_t j = 0; j < 16; ++j) answers.push_back((tested >> j & 1U) != 0);
      }
      REQUIRE(std::equal(answers.begin(), answers.end(), found.begin()));

      for (const Set& set : available_sets()) {
        INFO(set.name);
        memory.clear();
        const auto apply = [&](Operation operation, const std::vector<Digest>& to) {
          return set.apply(TestType::id, operation, words.words().data(), words.size(), m, k, to);
        };
        apply(Operation::insert, digests);
        REQUIRE(all_set());
        REQUIRE(apply(Operation::may_contain, absent) == found);
      }
      memory.clear();
    }
  }
}

#if defined(PERHAPS_TEST_X86)

namespace {

// What the counting filter does with one line, counter by counter.
bool count_one_by_one(kernels::CounterOperation operation, std::span<std::uint64_t> line, unsigned k, std::uint64_t h) {
  using Counters = perhaps::detail::PackedCounters<4>;
  using Change = kernels::CounterOperation;
  const auto positions = support::Definition<SplitBlock<16, 8>>::positions({0, h}, 128, k);
  for (const std::uint64_t position : positions) {
    if (operation != Change::insert && !Counters::is_set(line, position)) return false;
  }
  for (const std::uint64_t position : positions) {
    if (operation == Change::insert) Counters::increment(line, position);
    if (operation == Change::erase) Counters::decrement(line, position);
  }
  return true;
}

void check_counters(kernels::Count* count) {
  using Change = kernels::CounterOperation;
  std::mt19937_64 random(5);
  alignas(64) std::array<std::uint64_t, 8> line{};
  for (unsigned k = 1; k <= 8; ++k) {
    for (int i = 0; i < 20'000; ++i) {
      // From nearly empty over anything to nearly saturated.
      for (std::uint64_t& word : line) {
        word = random();
        if (i % 4 == 0) word &= random() & random();
        if (i % 4 == 1) word |= random() | random();
      }
      const std::uint64_t h = i % 8 == 7 ? std::uint64_t{1} << (i / 8 % 64) : random();
      for (const Change operation : {Change::may_contain, Change::insert, Change::erase}) {
        auto expected = line;
        const bool answer = count_one_by_one(operation, expected, k, h);
        alignas(64) std::array<std::uint64_t, 8> given = line;
        REQUIRE(count(operation, given.data(), k, h) == answer);
        REQUIRE(given == expected);
      }
    }
  }
}

}  // namespace

TEST_CASE("counters of a line equal counters one by one with every instruction set") {
  if (isa::Avx2::available()) check_counters(kernels::count_avx2);
  if (isa::Avx512::available()) check_counters(kernels::count_avx512);
}

TEST_CASE("eight probes at a time are the probes one by one") {
  if (!isa::Avx512::available()) return;
  for (const Digest digest : varied_digests(100, 1)) {
    perhaps::RotatingDoubleHashing rotating(digest);
    perhaps::DoubleHashing textbook(digest);
    const auto rotating_lanes = kernels::rotating_lanes(digest);
    const auto double_lanes = kernels::double_lanes(digest);
    REQUIRE(rotating_lanes.size() == 64);
    for (const std::uint64_t probe : rotating_lanes) REQUIRE(probe == rotating.next());
    for (const std::uint64_t probe : double_lanes) REQUIRE(probe == textbook.next());
  }
}

TEMPLATE_TEST_CASE("fast range in lanes is exact for all sizes that lookups in lanes take", "",
                   perhaps::RotatingDoubleHashing, perhaps::DoubleHashing) {
  if (!isa::Avx512::available()) return;
  using Kernel = perhaps::detail::ClassicKernel<isa::Avx512, TestType>;
  std::mt19937_64 random(2);
  unsigned taken = 0;
  for (unsigned power = 0; power < 64; ++power) {
    const std::uint64_t least = std::uint64_t{1} << power;
    for (const std::uint64_t off : {~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1}, random() & (least - 1)}) {
      const std::uint64_t size = least + (power == 0 ? 0 : off);
      if (!Kernel::takes(size)) continue;
      ++taken;
      std::vector<std::uint64_t> probes{0, ~std::uint64_t{0}};
      while (probes.size() < 8) probes.push_back(random());
      const auto positions = kernels::fast_range_of(probes, size);
      INFO("size " << size);
      for (std::size_t lane = 0; lane < 8; ++lane) REQUIRE(positions[lane] == perhaps::fast_range(probes[lane], size));
    }
  }
  CHECK(taken >= 4 * 31);
  CHECK(Kernel::takes(0xFFFFFFFFU));
}

TEST_CASE("fast range in lanes is exact for all sizes below 2^32") {
  if (!isa::Avx512::available()) return;
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t most = 0xFFFFFFFFU;
    const std::uint64_t size = i < 4 ? most - static_cast<unsigned>(i) : 1 + (random() & most) % most;
    std::vector<std::uint64_t> probes{0, 1, ~std::uint64_t{0}, most, most + 1, std::uint64_t{1} << 63U};
    while (probes.size() < 8) probes.push_back(random());
    const auto positions = kernels::fast_range_of(probes, size);
    for (std::size_t lane = 0; lane < 8; ++lane) REQUIRE(positions[lane] == perhaps::fast_range(probes[lane], size));
  }
}

#endif

#if defined(PERHAPS_TEST_X86) || PERHAPS_HAS_NEON_KERNELS

namespace {

// Batches use the best set that this processor has; here are the tiles of the others.
template <class Isa, unsigned LaneBits>
void check_split_tiles() {
  using Layout = SplitBlock<LaneBits, 8>;
  using Tiles = perhaps::detail::BlockTiles<Isa, perhaps::detail::SplitKernel<Isa, LaneBits>>;
  if (!Isa::available()) return;
  for (unsigned k = 1; k <= 16; ++k) {
    if (!Layout::takes_hashes(k)) continue;
    for (const std::uint64_t blocks : {1U, 3U, 16U}) {
      const std::uint64_t m = blocks * Layout::block_bits;
      const auto digests = half_filling<Layout>(m, k, m + k);
      const auto expected = support::words_of<Layout>(digests, m, k);
      OwnedWords words(static_cast<std::size_t>(Layout::words_for(m)));
      const auto prepare = [&](Digest digest) {
        return Digest{perhaps::fast_range(digest.g, blocks) * (Layout::block_bits / 64), digest.h};
      };
      std::vector<Digest> prepared;
      for (const Digest digest : digests) prepared.push_back(prepare(digest));
      Tiles::insert(words.words().data(), k, prepared);
      INFO(Isa::name << ", k = " << k << ", " << blocks << " blocks");
      REQUIRE(same(words, expected));
      const auto absent = varied_digests(200, m * k);
      for (std::size_t i = 0; i + 16 <= absent.size(); i += 16) {
        perhaps::detail::Tile<Digest> tile;
        for (std::size_t j = 0; j < 16; ++j) tile[j] = prepare(absent[i + j]);
        const std::uint64_t answers = Tiles::test(words.words().data(), k, tile);
        for (std::size_t j = 0; j < 16; ++j) {
          REQUIRE((answers >> j & 1U) == (support::found_in<Layout>(expected, absent[i + j], m, k) ? 1U : 0U));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("tiles of split blocks equal the definition with every instruction set") {
#if defined(PERHAPS_TEST_X86)
  check_split_tiles<isa::Avx2, 64>();
  check_split_tiles<isa::Avx2, 32>();
  check_split_tiles<isa::Avx512, 64>();
  check_split_tiles<isa::Avx512, 32>();
#else
  check_split_tiles<isa::Neon, 64>();
  check_split_tiles<isa::Neon, 32>();
#endif
}

#endif

TEST_CASE("the set of this processor is chosen, and it is one of those compiled") {
  const std::string_view chosen = perhaps::detail::for_this_processor([]<class Isa>() { return Isa::name; });
  const std::string_view best = isa::Avx512::available() ? isa::Avx512::name
                                : isa::Avx2::available() ? isa::Avx2::name
                                : isa::Neon::available() ? isa::Neon::name
                                                         : isa::Scalar::name;
  CHECK(chosen == best);
  CHECK(isa::Scalar::available());
}
