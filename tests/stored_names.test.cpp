// SPDX-License-Identifier: BSL-1.0
//
// A refusal names both sides by name and id, for every pair of layouts, hash policies, probe sequences and kinds of
// filters; and stored bytes are taken from spans and views of every type of byte.
#include <perhaps/perhaps.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::FormatReason;
using perhaps::SplitBlock;
using perhaps::XxHash3;
using Word = std::uint64_t;
template <class Layout>
using Bloom = perhaps::BloomFilter<Word, XxHash3, Layout>;

// A policy of one's own.
struct Own {
  static constexpr unsigned digest_bits = 64;
  static constexpr std::uint32_t stored_id = 0x8000BEEF;
  perhaps::Digest operator()(std::uint64_t word) const { return perhaps::mix_word(word, 1); }
};

template <class F>
struct Named {
  const char* name;
};

template <class Stored, class Asked>
void check_pair(FormatReason reason, const std::string& what, const Named<Stored>& stored, const Named<Asked>& asked) {
  const auto loaded = perhaps::try_from_bytes<Asked>(perhaps::to_bytes(Stored({.keys = 10, .fpr = 0.01})));
  if constexpr (std::is_same_v<Stored, Asked>) {
    CHECK(loaded);
  } else {
    REQUIRE_FALSE(loaded);
    CHECK(loaded.reason() == reason);
    CHECK(describe(loaded.failure()) == "stored filter: " + what + " is " + stored.name + ", asked for " + asked.name);
  }
}

template <class... Fs>
void check_all(FormatReason reason, const std::string& what, const Named<Fs>&... filters) {
  const auto row = [&](const auto& stored) { (check_pair(reason, what, stored, filters), ...); };
  (row(filters), ...);
}

}  // namespace

TEST_CASE("stored names: a refusal names what is stored and what is asked for") {
  using namespace perhaps;
  check_all(FormatReason::layout, "its layout", Named<Bloom<Classic<>>>{"Classic (0x1)"},
            Named<Bloom<Blocked<512>>>{"Blocked<512> (0x1200)"}, Named<Bloom<Blocked<64>>>{"Blocked<64> (0x1040)"},
            Named<Bloom<SplitBlock<64, 8>>>{"SplitBlock<64, 8> (0x2040)"},
            Named<Bloom<SplitBlock<32, 8>>>{"SplitBlock<32, 8> (0x2020)"});
  check_all(FormatReason::hash, "its hash policy", Named<perhaps::BloomFilter<Word>>{"XxHash3 (0x1)"},
            Named<perhaps::BloomFilter<Word, XxHash3_128>>{"XxHash3_128 (0x3)"},
            Named<perhaps::BloomFilter<Word, Own>>{"0x8000BEEF"});
  check_all(FormatReason::probes, "its probe sequence", Named<Bloom<Classic<>>>{"RotatingDoubleHashing (0x3)"},
            Named<Bloom<Classic<DoubleHashing>>>{"DoubleHashing (0x1)"},
            Named<Bloom<Classic<EnhancedDoubleHashing>>>{"EnhancedDoubleHashing (0x2)"});
  check_all(FormatReason::kind, "it", Named<perhaps::BloomFilter<Word>>{"a Bloom filter (0x1)"},
            Named<perhaps::CountingBloomFilter<Word>>{"a counting Bloom filter (0x2)"},
            Named<ScalableFilter<perhaps::BloomFilter<Word>>>{"a chain of filters (0x4)"},
            Named<RollingBloomFilter<Word>>{"a rolling filter (0x5)"});
}

TEST_CASE("stored names: any number has words") {
  for (std::uint64_t id = 0; id < 0x100000000U; id = id * 3 + 1) {
    for (const std::string& text : {perhaps::describe_filter_kind(id), perhaps::describe_hash(id),
                                    perhaps::describe_layout(id), perhaps::describe_probes(id)}) {
      CHECK(text.find(perhaps::detail::hexadecimal(id)) != std::string::npos);
    }
    CHECK_FALSE(perhaps::describe_keys(id).empty());
  }
  CHECK(perhaps::describe_layout(0x3004) == "buckets of 4 fingerprints (0x3004)");
  CHECK(perhaps::describe_hash(0xFFFFFFFFU) == "0xFFFFFFFF");
}

namespace {

// Every function over bytes, given `bytes`, which refer to those of `filter`.
template <class F, class Bytes>
void check_bytes(const F& filter, Bytes bytes) {
  CHECK(perhaps::from_bytes<F>(bytes) == filter);
  CHECK(perhaps::try_stored_header(bytes));
  F loaded({.bits = 512, .hashes = 3});
  perhaps::load_into(loaded, bytes);
  CHECK(loaded == filter);
  if constexpr (std::endian::native == std::endian::little) {
    CHECK(perhaps::view_bytes<F>(bytes) == filter);
    CHECK(*perhaps::try_view_bytes<F>(bytes, perhaps::Verify::structure) == filter);
    CHECK(perhaps::view_bytes<F>(Bytes(bytes)) == filter);  // a temporary that owns nothing
  }
}

}  // namespace

TEMPLATE_TEST_CASE("stored bytes: spans of every type of byte are loaded and viewed", "", std::byte, char,
                   unsigned char, signed char, char8_t) {
  Bloom<SplitBlock<>> filter({.keys = 50, .fpr = 0.01});
  for (Word key = 0; key < 50; ++key) filter.insert(key);
  support::AlignedBytes aligned(perhaps::to_bytes(filter));
  const auto whole = aligned.span();
  const auto* first = reinterpret_cast<const TestType*>(whole.data());
  check_bytes(filter, std::span<const TestType>(first, whole.size()));
  check_bytes(filter, std::span<TestType>(const_cast<TestType*>(first), whole.size()));
  if constexpr (std::is_same_v<TestType, char> || std::is_same_v<TestType, char8_t>) {
    check_bytes(filter, std::basic_string_view<TestType>(first, whole.size()));
  }
  // Chains have functions of their own.
  using Chain = perhaps::ScalableFilter<Bloom<SplitBlock<>>>;
  Chain chain({.keys = 10, .fpr = 0.01});
  for (Word key = 0; key < 50; ++key) chain.insert(key);
  support::AlignedBytes chained(perhaps::to_bytes(chain));
  const std::span<const TestType> of_chain(reinterpret_cast<const TestType*>(chained.span().data()),
                                           chained.span().size());
  CHECK(perhaps::from_bytes<Chain>(of_chain).may_contain(Word{7}));
  if constexpr (std::endian::native == std::endian::little) {
    CHECK(perhaps::view_bytes<Chain>(of_chain).may_contain(Word{7}));
  }
}
