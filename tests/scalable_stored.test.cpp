// SPDX-License-Identifier: BSL-1.0
//
// Stored chains: what loads is what was saved, by bytes, streams and views, and bytes that are anything else are
// refused.
#include <perhaps/perhaps.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/keys.hpp"

namespace {

using Key = std::uint64_t;
using perhaps::BloomFilter;
using perhaps::FormatReason;
using perhaps::ScalableFilter;
using perhaps::XxHash3;
using Bytes = std::vector<std::byte>;

using Classic = ScalableFilter<BloomFilter<Key>>;
using Split = ScalableFilter<BloomFilter<Key, XxHash3, perhaps::SplitBlock<>>>;
using Cuckoo = ScalableFilter<perhaps::CuckooFilter<Key, 12>>;

template <class C>
C filled(Key keys, std::uint64_t seed = 7) {
  C chain({.keys = 2, .fpr = 0.1, .growth = 2.5}, XxHash3(seed));
  for (Key i = 0; i < keys; ++i) chain.insert(support::scramble(i));
  return chain;
}

template <class C>
void check_refused(const Bytes& bytes) {
  CHECK(!perhaps::try_from_bytes<C>(bytes));
  std::istringstream in(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  CHECK(!perhaps::try_read<C>(in));
  if constexpr (requires { typename C::stage_type::layout; }) CHECK(!perhaps::try_view_bytes<C>(bytes));
}

void put_number(Bytes& bytes, std::size_t offset, std::uint64_t number) {
  for (std::size_t i = 0; i < 8; ++i) bytes[offset + i] = static_cast<std::byte>(number >> (8 * i) & 255U);
}

// Makes the checksum of the chain's header right again: an attacker would.
void seal(Bytes& bytes, const std::vector<std::size_t>& stages) {
  put_number(bytes, 56, 0);
  perhaps::detail::Checksum checksum;
  checksum.add(std::span(bytes).first(128));
  for (const std::size_t stage : stages) checksum.add(std::span(bytes).subspan(stage, 64));
  put_number(bytes, 56, checksum.value());
}

}  // namespace

TEMPLATE_TEST_CASE("a chain loads as it was saved, and grows on as it would have", "", Classic, Split, Cuckoo) {
  for (const Key keys : {0U, 1U, 2U, 3U, 50U, 500U}) {
    const auto chain = filled<TestType>(keys);
    const Bytes bytes = perhaps::to_bytes(chain);
    CHECK(bytes.size() == perhaps::stored_size(chain));
    auto loaded = perhaps::from_bytes<TestType>(bytes);
    CHECK(loaded == chain);
    CHECK(perhaps::to_bytes(loaded) == bytes);
    std::stringstream stream;
    perhaps::write(chain, stream);
    perhaps::write(chain, stream);
    CHECK(stream.str() == std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()) +
                              std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    CHECK(perhaps::read<TestType>(stream) == chain);
    CHECK(perhaps::read<TestType>(stream) == chain);
    TestType target({.keys = 1, .fpr = 0.5});
    perhaps::load_into(target, bytes);
    CHECK(target == chain);
    auto grown = chain;
    for (Key i = 0; i < 1000; ++i) {
      grown.insert(i);
      loaded.insert(i);
    }
    CHECK(loaded.current_fpr() <= 0.1);
    CHECK(loaded.stages().size() == grown.stages().size());
    for (Key i = 0; i < 1000; ++i) REQUIRE(loaded.may_contain(i));
    for (Key i = 0; i < keys; ++i) REQUIRE(loaded.may_contain(support::scramble(i)));
  }
}

TEMPLATE_TEST_CASE("views of chains answer like their owners", "", Classic, Split) {
  const auto chain = filled<TestType>(300);
  const Bytes stored = perhaps::to_bytes(chain);
  alignas(64) std::array<std::byte, 1U << 14U> memory{};
  REQUIRE(stored.size() + 8 < memory.size());
  std::memcpy(memory.data(), stored.data(), stored.size());
  const auto bytes = std::span<const std::byte>(memory).first(stored.size());
  for (const auto verify : {perhaps::Verify::structure, perhaps::Verify::everything}) {
    const auto view = perhaps::view_bytes<TestType>(bytes, verify);
    CHECK(view == chain);
    CHECK(chain == view);
    for (Key i = 0; i < 1000; ++i) REQUIRE(view.may_contain(i) == chain.may_contain(i));
    CHECK(view.stages().front().words().data() == static_cast<const void*>(memory.data() + 192));
  }
  std::memmove(memory.data() + 4, memory.data(), stored.size());
  const auto askew = perhaps::try_view_bytes<TestType>(std::span<const std::byte>(memory).subspan(4, stored.size()));
  REQUIRE(!askew);
  CHECK(askew.reason() == FormatReason::alignment);
}

TEMPLATE_TEST_CASE("every prefix and every changed byte of a stored chain is refused", "", Classic, Cuckoo) {
  const auto chain = filled<TestType>(30);
  REQUIRE(chain.stages().size() >= 3);
  const Bytes bytes = perhaps::to_bytes(chain);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    check_refused<TestType>(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const unsigned change : {1U, 128U}) {
      Bytes changed = bytes;
      changed[at] ^= static_cast<std::byte>(change);
      check_refused<TestType>(changed);
    }
  }
  Bytes longer = bytes;
  longer.resize(longer.size() + 64);
  CHECK(!perhaps::try_from_bytes<TestType>(longer));
}

TEST_CASE("hostile numbers in a stored chain are refused, with a right checksum too") {
  const auto chain = filled<Classic>(3);
  const Bytes bytes = perhaps::to_bytes(chain);
  std::vector<std::size_t> stages;
  std::size_t at = 128;
  for (const auto& stage : chain.stages()) {
    stages.push_back(at);
    at += (64 + stage.bytes() + 63) / 64 * 64;
  }
  REQUIRE(at == bytes.size());
  Bytes resealed = bytes;
  seal(resealed, stages);
  CHECK(resealed == bytes);
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::size_t field : {32U, 48U, 80U, 88U, 96U, 120U}) {  // stages, payload, growth, tightening, zeros
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, most, most / 2, most - 63, most / 128}) {
      Bytes changed = bytes;
      put_number(changed, field, value);
      // The smallest numbers above 0 are tightenings, if no sensible ones.
      if (changed == bytes || (field == 88 && value != 0 && value < most / 2 - 63)) continue;
      seal(changed, stages);
      check_refused<Classic>(changed);
    }
  }
  // The index of the newest stage: each up to it has a stage.
  for (const std::uint64_t index : {std::uint64_t{chain.stages().size()}, std::uint64_t{60}, most / 2, most}) {
    Bytes changed = bytes;
    put_number(changed, 40, index);
    seal(changed, stages);
    check_refused<Classic>(changed);
  }
  // Of a chain of cuckoo filters, it can't be less than there are stages.
  const auto cuckoo = filled<Cuckoo>(30);
  Bytes changed = perhaps::to_bytes(cuckoo);
  put_number(changed, 40, 0);
  REQUIRE(cuckoo.stages().size() >= 2);
  stages.clear();
  for (std::size_t offset = 128; const auto& stage : cuckoo.stages()) {
    stages.push_back(offset);
    offset += (64 + stage.bytes() + 63) / 64 * 64;
  }
  seal(changed, stages);
  CHECK(perhaps::try_from_bytes<Cuckoo>(changed).reason() == FormatReason::chain);
}

TEST_CASE("chains load as their own kind only") {
  const Bytes bytes = perhaps::to_bytes(filled<Classic>(50));
  CHECK(perhaps::try_from_bytes<Split>(bytes).reason() == FormatReason::layout);
  CHECK(perhaps::try_from_bytes<Cuckoo>(bytes).reason() == FormatReason::kind);
  CHECK(perhaps::try_from_bytes<BloomFilter<Key>>(bytes).reason() == FormatReason::kind);
  CHECK(perhaps::try_from_bytes<ScalableFilter<BloomFilter<std::string>>>(bytes).reason() == FormatReason::key_kind);
  const Bytes one = perhaps::to_bytes(BloomFilter<Key>({.keys = 1, .fpr = 0.1}));
  CHECK(perhaps::try_from_bytes<Classic>(one).reason() == FormatReason::kind);
  CHECK_THROWS_AS(perhaps::from_bytes<Classic>(one), perhaps::FormatError);
}

TEST_CASE("a rolling filter loads as it was saved, and goes on as it would have") {
  using Rolling = perhaps::RollingBloomFilter<Key>;
  for (const Key keys : {0U, 1U, 7U, 30U}) {
    Rolling filter({.keys = 9, .fpr = 0.01, .generations = 2, .age = 50}, XxHash3(3));
    if (keys != 1) filter.advance(100);
    for (Key i = 0; i < keys; ++i) {
      filter.insert(i);
      if (keys != 1) filter.advance(100 + i);
    }
    const Bytes bytes = perhaps::to_bytes(filter);
    CHECK(bytes.size() == perhaps::stored_size(filter));
    auto loaded = perhaps::from_bytes<Rolling>(bytes);
    CHECK(loaded == filter);
    std::stringstream stream;
    perhaps::write(filter, stream);
    CHECK(perhaps::read<Rolling>(stream) == filter);
    for (Key i = 0; i < 40; ++i) {
      filter.insert(1000 + i);
      loaded.insert(1000 + i);
      filter.advance(200 + 3 * i);
      loaded.advance(200 + 3 * i);
      CHECK(loaded == filter);
    }
    CHECK(perhaps::try_from_bytes<Classic>(bytes).reason() == FormatReason::kind);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      Bytes changed = bytes;
      changed[at] ^= std::byte{2};
      REQUIRE(!perhaps::try_from_bytes<Rolling>(changed));
      std::istringstream in(std::string(reinterpret_cast<const char*>(changed.data()), changed.size()));
      REQUIRE(!perhaps::try_read<Rolling>(in));
      REQUIRE(!perhaps::try_from_bytes<Rolling>(std::span<const std::byte>(bytes).first(at)));
    }
    std::vector<std::size_t> positions;
    for (std::size_t offset = 128; const auto& generation : filter.generations()) {
      positions.push_back(offset);
      offset += (64 + generation.bytes() + 63) / 64 * 64;
    }
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    // Index, generations, room, the time of a filter that was not told it, when the newest began, whether it was told.
    for (const std::size_t field : {40U, 80U, 96U, 112U, 120U}) {
      for (const std::uint64_t value : {most, most / 2, std::uint64_t{1} << 32U, std::uint64_t{200}}) {
        Bytes changed = bytes;
        put_number(changed, field, value);
        seal(changed, positions);
        if (perhaps::try_from_bytes<Rolling>(changed)) CHECK(field == 0);
      }
    }
  }
}
