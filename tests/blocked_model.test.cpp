// SPDX-License-Identifier: BSL-1.0
//
// The models of block layouts: every row of the reference tables, counting by hand for tiny filters, and the edges.
#include <perhaps/layout/blocked.hpp>
#include <perhaps/layout/split_block.hpp>
#include <perhaps/model/blocked.hpp>
#include <perhaps/sizing.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/csv.hpp"
#include "support/suite.hpp"

namespace {

using perhaps::Blocked;
using perhaps::bloom_parameters;
using perhaps::SplitBlock;
using perhaps::detail::blocked_fpr;
using perhaps::detail::partial_split_fpr;
using perhaps::detail::split_fpr;

using BlockLayouts = std::tuple<Blocked<64>, Blocked<512>, SplitBlock<64, 8>, SplitBlock<32, 8>, SplitBlock<16, 8>>;

// Sums of a hundred terms are ordered but for this.
constexpr double rounding = 4e-15;

bool close(double value, double reference, double tolerance) {
  return std::abs(value - reference) <= tolerance * std::abs(reference);
}

double model(const support::Row& row, double blocks, double keys) {
  const double bits = row.real("block_bits");
  const auto k = static_cast<unsigned>(row.integer("k"));
  if (row.text("kind") == "indep") return blocked_fpr(bits, blocks, k, keys);
  return split_fpr(row.real("word_bits"), k, blocks, 1, keys);
}

// What sizing needs of a layout, for blocks with one bit in each of eight lanes.
template <unsigned LaneBits>
struct EightLanes {
  static constexpr std::uint64_t block_bits = std::uint64_t{LaneBits} * 8;
  static constexpr bool takes_hashes(unsigned hashes) { return hashes == 8; }
  static double expected_fpr(std::uint64_t bits, unsigned, double keys) {
    return split_fpr(LaneBits, 8, static_cast<double>(bits / block_bits), 1, keys);
  }
};

// A layout that counts how often it is asked for a rate.
template <class Layout>
struct Counted : Layout {
  static double expected_fpr(std::uint64_t bits, unsigned hashes, double keys) {
    ++asked;
    return Layout::expected_fpr(bits, hashes, keys);
  }
  static inline std::uint64_t asked = 0;
};

template <class Layout>
void check_sizing(const std::string& name) {
  constexpr double keys = 1e9;
  int rows = 0;
  for (const auto& row : support::read_csv("blocked_sizing.csv")) {
    if (row.text("layout") != name) continue;
    ++rows;
    const auto found = perhaps::detail::smallest_parameters<Layout>(keys, row.real("p"), perhaps::max_hashes);
    INFO(name << ", p = " << row.text("p"));
    REQUIRE(found.bits != 0);
    CHECK(found.hashes == row.integer("k_best"));
    CHECK(close(static_cast<double>(found.bits) / keys, row.real("bits_per_key_min"), 1e-6));
  }
  CHECK(rows == 10);
}

// The rate by trying all keys and all absent keys: each of `patterns` (a block and bits in it) is as likely.
double rate_by_enumeration(const std::vector<std::uint64_t>& patterns, unsigned keys, std::uint64_t filter = 0) {
  double sum = 0;
  if (keys == 0) {
    for (const std::uint64_t pattern : patterns) sum += (pattern & ~filter) == 0 ? 1 : 0;
  } else {
    for (const std::uint64_t pattern : patterns) sum += rate_by_enumeration(patterns, keys - 1, filter | pattern);
  }
  return sum / static_cast<double>(patterns.size());
}

// All patterns of `fields` independent fields of `values` values, each made a bit by `position(field, value)`.
template <class Place>
void add_patterns(std::vector<std::uint64_t>& patterns, unsigned fields, unsigned values, Place position) {
  std::uint64_t count = 1;
  for (unsigned field = 0; field < fields; ++field) count *= values;
  for (std::uint64_t code = 0; code < count; ++code) {
    std::uint64_t rest = code;
    std::uint64_t pattern = 0;
    for (unsigned field = 0; field < fields; ++field, rest /= values) {
      pattern |= std::uint64_t{1} << position(field, static_cast<unsigned>(rest % values));
    }
    patterns.push_back(pattern);
  }
}

}  // namespace

TEST_CASE("every row of blocked_fpr.csv comes out right, for any number of blocks") {
  const auto rows = support::read_csv("blocked_fpr.csv");
  REQUIRE(rows.size() == 208);
  for (const auto& row : rows) {
    INFO(row.text("kind") << ", " << row.text("block_bits") << " bits, k = " << row.text("k") << ", "
                          << row.text("bits_per_key") << " bits per key");
    for (const char* blocks : {"1", "16", "1024", "1048576"}) {
      INFO(blocks << " blocks");
      const std::string suffix = std::string("_M") + blocks;
      CHECK(close(model(row, std::stod(blocks), row.real("n" + suffix)), row.real("fpr" + suffix), 1e-11));
    }
    const double many = std::exp2(40);
    const double per_block = row.real("block_bits") / row.real("bits_per_key");
    CHECK(close(model(row, many, per_block * many), row.real("fpr_poisson"), 1e-9));
  }
}

TEST_CASE("layouts use their models") {
  for (const unsigned k : {1U, 7U, 16U, 40U}) {
    CHECK(Blocked<512>::expected_fpr(512 * 100, k, 5000) == blocked_fpr(512, 100, k, 5000));
    CHECK(Blocked<64>::expected_fpr(64 * 100, k, 700) == blocked_fpr(64, 100, k, 700));
  }
  using Split = SplitBlock<64, 8>;
  CHECK(Split::expected_fpr(512 * 100, 8, 5000) == split_fpr(64, 8, 100, 1, 5000));
  CHECK(Split::expected_fpr(512 * 100, 16, 5000) == split_fpr(64, 8, 100, 2, 5000));
  CHECK(Split::expected_fpr(512 * 100, 5, 5000) == partial_split_fpr(64, 8, 100, 5, 5000));
  CHECK(SplitBlock<16, 8>::expected_fpr(128 * 100, 6, 1200) == partial_split_fpr(16, 8, 100, 6, 1200));
  CHECK(SplitBlock<16, 8>::expected_fpr(128 * 100, 8, 1200) == split_fpr(16, 8, 100, 1, 1200));
  // Patterns of 32 bits are those of a key in the block once in 2^32.
  CHECK(close(SplitBlock<32, 8>::expected_fpr(256 * 100, 8, 3000), split_fpr(32, 8, 100, 1, 3000) + 30 / std::exp2(32),
              1e-15));
}

TEST_CASE("every row of blocked_sizing.csv comes out right") {
  check_sizing<Blocked<64>>("indep64");
  check_sizing<Blocked<128>>("indep128");
  check_sizing<Blocked<256>>("indep256");
  check_sizing<Blocked<512>>("indep512");
  check_sizing<EightLanes<64>>("split8x64");
  check_sizing<EightLanes<32>>("split8x32");
}

TEST_CASE("split blocks take the k that needs the least bits, or k = 8 where no other saves more than 3 %") {
  using Layout = SplitBlock<64, 8>;
  for (const double p : {0.3, 0.1, 0.03, 0.02, 0.015, 0.01, 0.003, 0.001, 5e-4, 3e-4, 2e-4, 1e-4, 1e-5, 1e-6}) {
    for (const std::uint64_t n : {1ULL, 30ULL, 300ULL, 12'345ULL, 10'000'000ULL}) {
      const auto sized = bloom_parameters<Layout>({.keys = n, .fpr = p}, 128);
      INFO("p = " << p << ", n = " << n << ", k = " << sized.hashes);
      const auto meets = [&](std::uint64_t blocks, unsigned k) {
        return blocks > 0 && Layout::expected_fpr(blocks * 512, k, static_cast<double>(n)) <= p;
      };
      const std::uint64_t blocks = sized.bits / 512;
      CHECK(meets(blocks, sized.hashes));
      CHECK_FALSE(meets(blocks - 1, sized.hashes));
      std::uint64_t least = blocks;  // with any k
      for (const unsigned k : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 16U}) {
        least = (std::min)(least, perhaps::detail::first_true(least, [&](std::uint64_t m) { return meets(m, k); }));
      }
      if (sized.hashes == 8) {
        CHECK(static_cast<double>(blocks) <= 1.03 * static_cast<double>(least));
      } else {
        CHECK(blocks == least);
        CHECK_FALSE(meets(least + least * 3 / 100, 8));
      }
    }
  }
  // The table at the head of split_block.hpp.
  const auto bits_per_key = [](double p) {
    return static_cast<double>(bloom_parameters<SplitBlock<64, 8>>({.keys = 100'000'000, .fpr = p}).bits) / 1e8;
  };
  CHECK(std::abs(bits_per_key(0.1) - 4.86) < 0.005);
  CHECK(std::abs(bits_per_key(0.01) - 10.10) < 0.005);
  CHECK(std::abs(bits_per_key(0.001) - 15.73) < 0.006);
  CHECK(std::abs(bits_per_key(1e-4) - 22.9) < 0.05);
  CHECK(std::abs(bits_per_key(1e-5) - 30.0) < 0.05);
}

TEST_CASE("blocks of independent bits agree with trying all keys and absent keys") {
  for (const unsigned k : {1U, 2U, 3U}) {
    std::vector<std::uint64_t> patterns;
    for (unsigned block = 0; block < 2; ++block) {
      add_patterns(patterns, k, 4, [&](unsigned, unsigned value) { return block * 4 + value; });
    }
    for (unsigned n = 0; n <= (k == 3 ? 2U : 3U); ++n) {
      INFO("k = " << k << ", n = " << n);
      CHECK(close(blocked_fpr(4, 2, k, n), rate_by_enumeration(patterns, n), 1e-13));
    }
  }
}

TEST_CASE("split blocks agree with trying all keys and absent keys, with one bit or two in a lane") {
  for (const unsigned bits : {1U, 2U}) {
    for (const unsigned lanes : {1U, 2U, 3U}) {
      std::vector<std::uint64_t> patterns;
      for (unsigned block = 0; block < 2; ++block) {
        const auto position = [&](unsigned field, unsigned value) { return block * 16 + field % lanes * 3 + value; };
        add_patterns(patterns, lanes * bits, 3, position);
      }
      for (unsigned n = 0; n <= (patterns.size() < 60 ? 3U : 1U); ++n) {
        INFO(bits << " bits in each of " << lanes << " lanes, n = " << n);
        CHECK(close(split_fpr(3, lanes, 2, bits, n), rate_by_enumeration(patterns, n), 1e-13));
      }
    }
  }
}

TEST_CASE("bits in some lanes only: agrees with trying all keys and absent keys") {
  for (const unsigned lanes : {3U, 4U}) {
    for (unsigned k = 1; k < lanes; ++k) {
      std::vector<std::uint64_t> patterns;
      for (unsigned block = 0; block < 2; ++block) {
        for (unsigned first = 0; first < lanes; ++first) {
          add_patterns(patterns, k, 2, [&](unsigned field, unsigned value) {
            return block * 16 + (first + field) % lanes * 2 + value;
          });
        }
      }
      for (unsigned n = 0; n <= (patterns.size() < 40 ? 3U : 2U); ++n) {
        INFO(k << " of " << lanes << " lanes, n = " << n);
        CHECK(close(partial_split_fpr(2, lanes, 2, k, n), rate_by_enumeration(patterns, n), 1e-12));
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("no keys, one key", "", BlockLayouts) {
  const unsigned k = 8;
  for (const std::uint64_t blocks : {1U, 2U, 1000U}) {
    const std::uint64_t m = blocks * TestType::block_bits;
    CHECK(TestType::expected_fpr(m, k, 0) == 0);
    const double one = TestType::expected_fpr(m, k, 1);
    CHECK(one > 0);
    CHECK(one < 1 / static_cast<double>(blocks));
  }
}

TEST_CASE("one key: known rates") {
  using Split = SplitBlock<64, 8>;
  CHECK(close(Split::expected_fpr(512, 8, 1), std::exp2(-48), 1e-12));
  CHECK(close(Split::expected_fpr(512 * 1000, 8, 1), std::exp2(-48) / 1000, 1e-12));
  CHECK(close(Split::expected_fpr(512, 1, 1), 1.0 / 512, 1e-12));
  // Two lanes next to each other are those of the key once in eight.
  CHECK(close(Split::expected_fpr(512, 2, 1), 1.0 / 8 / 4096, 1e-9));
  CHECK(close(Blocked<64>::expected_fpr(64, 1, 1), 1.0 / 64, 1e-12));
  CHECK(close(Blocked<64>::expected_fpr(64 * 7, 1, 1), 1.0 / 448, 1e-12));
}

TEMPLATE_LIST_TEST_CASE("the rate never falls as n grows, never rises as m grows", "", BlockLayouts) {
  const double step = support::repetitions(1.3, 2.9);
  for (unsigned k = 1; k <= 16; ++k) {
    if (!TestType::takes_hashes(k)) continue;
    for (const std::uint64_t blocks : {1U, 2U, 7U, 1000U, 1'000'000U}) {
      double before = 0;
      const std::uint64_t m = blocks * TestType::block_bits;
      for (double n = 1; n < 200.0 * static_cast<double>(m); n = std::ceil(n * step)) {
        const double rate = TestType::expected_fpr(m, k, n);
        INFO("k = " << k << ", " << blocks << " blocks, n = " << n);
        REQUIRE(rate >= before * (1 - rounding));
        REQUIRE(rate <= 1);
        before = rate;
      }
      CHECK(before > 0.9999);
    }
    for (const double n : {1.0, 2.0, 10.0, 1000.0, 1e6, 1e10}) {
      double before = 1;
      for (std::uint64_t blocks = 1; blocks < 1'000'000'000; blocks += 1 + blocks / 3) {
        const double rate = TestType::expected_fpr(blocks * TestType::block_bits, k, n);
        INFO("k = " << k << ", " << blocks << " blocks, n = " << n);
        REQUIRE(rate <= before * (1 + rounding));
        before = rate;
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("neighbouring sizes are ordered too", "", BlockLayouts) {
  for (const unsigned k : {4U, 7U, 8U, 16U}) {
    if (!TestType::takes_hashes(k)) continue;
    double before = 0;
    for (double n = 900; n < 1300; ++n) {
      const double rate = TestType::expected_fpr(25 * TestType::block_bits, k, n);
      REQUIRE(rate >= before * (1 - rounding));
      before = rate;
    }
    before = 1;
    for (std::uint64_t blocks = 1; blocks < 300; ++blocks) {
      const double rate = TestType::expected_fpr(blocks * TestType::block_bits, k, 1000);
      REQUIRE(rate <= before * (1 + rounding));
      before = rate;
    }
  }
}

TEMPLATE_LIST_TEST_CASE("sizing: the least whole blocks for n, growing with n", "", BlockLayouts) {
  for (const double p : {0.1, 0.01, 0.001}) {
    std::uint64_t before = 0;
    for (const std::uint64_t n : {0ULL, 1ULL, 2ULL, 10ULL, 100ULL, 1000ULL, 1'000'000ULL, 10'000'000'000ULL}) {
      const auto sized = bloom_parameters<TestType>({.keys = n, .fpr = p}, 128);
      INFO("n = " << n << ", p = " << p);
      CHECK(sized.bits >= before);
      CHECK(sized.expected_fpr <= p);
      if (sized.bits > TestType::block_bits) {
        CHECK(TestType::expected_fpr(sized.bits - TestType::block_bits, sized.hashes, static_cast<double>(n)) > p);
      }
      before = sized.bits;
    }
  }
}

TEMPLATE_LIST_TEST_CASE("sizing asks the model two thousand times at most", "", BlockLayouts) {
  // Each answer of a block model is a sum of some thousand terms; bench/sizing_benchmark.cpp has the times.
  using Layout = Counted<TestType>;
  std::uint64_t most = 0;
  for (const std::uint64_t n : {1ULL, 10ULL, 1000ULL, 1'000'000ULL, 10'000'000'000ULL, 1ULL << 50U}) {
    for (const double p : {0.999, 0.5, 0.01, 1e-6, 1e-9}) {
      Layout::asked = 0;
      const auto sized = bloom_parameters<Layout>({.keys = n, .fpr = p}, 128);
      INFO("n = " << n << ", p = " << p << ": asked " << Layout::asked << " times");
      CHECK(Layout::asked <= 2000);
      CHECK(sized.bits == bloom_parameters<TestType>({.keys = n, .fpr = p}, 128).bits);
      most = std::max(most, Layout::asked);
    }
  }
  INFO("asked " << most << " times");
  CHECK(most > 1);
}
