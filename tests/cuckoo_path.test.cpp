// SPDX-License-Identifier: BSL-1.0
//
// The search for a free slot: its work is bounded, whatever the table holds, and a search that fails has moved nothing.
#include <perhaps/cuckoo/fingerprint_table.hpp>
#include <perhaps/cuckoo/path.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"
#include "support/keys.hpp"

namespace {

constexpr unsigned slots = 4;
using Packed = perhaps::detail::FingerprintTable<16, slots>;

struct Work {
  std::uint64_t reads = 0;
  std::uint64_t tries = 0;
  std::uint64_t writes = 0;
};

// A table that counts what is done with it.
class CountingTable {
 public:
  CountingTable(unsigned char* memory, Work& work) : table_(memory), work_(&work) {}
  std::uint32_t get(std::uint64_t bucket, unsigned slot) const {
    ++work_->reads;
    return table_.get(bucket, slot);
  }
  bool put(std::uint64_t bucket, std::uint32_t fingerprint) {
    ++work_->tries;
    return table_.put(bucket, fingerprint);
  }
  void set(std::uint64_t bucket, unsigned slot, std::uint32_t fingerprint) {
    ++work_->writes;
    table_.set(bucket, slot, fingerprint);
  }

 private:
  Packed table_;
  Work* work_;
};

using Path = perhaps::detail::CuckooPath<CountingTable, slots>;

// The second bucket of a fingerprint, in tables of `buckets` buckets.
auto other_of(std::uint64_t buckets) {
  return [=](std::uint64_t bucket, std::uint32_t fingerprint) {
    const std::uint64_t sum = support::scramble(fingerprint) % buckets;
    return (sum + buckets - bucket) % buckets;
  };
}

std::vector<unsigned char> full_table(std::uint64_t buckets, std::uint32_t (*fingerprint)(std::uint64_t i)) {
  std::vector<unsigned char> memory(static_cast<std::size_t>(Packed::bytes_for(buckets)));
  Packed table(memory.data());
  for (std::uint64_t i = 0; i < buckets * slots; ++i) table.set(i / slots, i % slots, fingerprint(i));
  return memory;
}

}  // namespace

TEST_CASE("a search that fails has looked at a bounded number of buckets and moved nothing") {
  const auto varied = [](std::uint64_t i) { return static_cast<std::uint32_t>(1 + support::scramble(i) % 65'535); };
  const auto copies = [](std::uint64_t) { return std::uint32_t{77}; };
  const auto pairs = [](std::uint64_t i) { return static_cast<std::uint32_t>(77 + i % 2); };
  for (const auto fingerprint : {+varied, +copies, +pairs}) {
    for (const std::uint64_t buckets : {1U, 2U, 3U, 100U, 5000U, 100'000U}) {
      std::vector<unsigned char> memory = full_table(buckets, fingerprint);
      const std::vector<unsigned char> before = memory;
      for (std::uint64_t i = 0; i < 20; ++i) {
        Work work;
        const std::uint64_t left = support::scramble(i) % buckets;
        const std::uint64_t right = other_of(buckets)(left, 77);
        INFO(buckets << " buckets, " << work.reads << " reads");
        REQUIRE_FALSE(Path::insert(CountingTable(memory.data(), work), left, right, 77, other_of(buckets)));
        REQUIRE(work.reads <= Path::max_nodes * slots);
        REQUIRE(work.tries <= Path::max_nodes * slots);
        REQUIRE(work.writes == 0);
        REQUIRE(memory == before);
      }
    }
  }
}

TEST_CASE("a search that succeeds moves each resident along the chain once, and loses none") {
  const auto varied = [](std::uint64_t i) { return static_cast<std::uint32_t>(1 + support::scramble(i) % 65'535); };
  for (const std::uint64_t buckets : {50U, 1000U}) {
    std::vector<unsigned char> memory = full_table(buckets, varied);
    Packed table(memory.data());
    // Each resident must stay in one of its two buckets; the few free slots are some moves away.
    for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) {
      for (unsigned slot = 0; slot < slots; ++slot) table.set(bucket, slot, 0);
    }
    std::vector<std::uint64_t> homes;  // the first bucket of each fingerprint put in, by fingerprint
    std::uint32_t fingerprint = 1;
    for (std::uint64_t refused = 0; refused < 5 && fingerprint < 65'535; ++fingerprint) {
      const std::uint64_t left = support::scramble(fingerprint + 1'000'000U) % buckets;
      const std::uint64_t right = other_of(buckets)(left, fingerprint);
      homes.push_back(left);
      if (table.put(left, fingerprint) || table.put(right, fingerprint)) continue;
      Work work;
      if (Path::insert(CountingTable(memory.data(), work), left, right, fingerprint, other_of(buckets))) {
        REQUIRE(work.writes >= 1);
        continue;
      }
      ++refused;
      homes.back() = buckets;
    }
    INFO(buckets << " buckets");
    std::uint64_t held = 0;
    for (std::uint32_t i = 1; i <= homes.size(); ++i) {
      if (homes[i - 1] == buckets) continue;
      ++held;
      const std::uint64_t right = other_of(buckets)(homes[i - 1], i);
      const unsigned copies = table.count(homes[i - 1], i) + (right == homes[i - 1] ? 0 : table.count(right, i));
      REQUIRE(copies == 1);
    }
    CHECK(table.occupied(buckets) == held);
    CHECK(static_cast<double>(held) > 0.9 * static_cast<double>(buckets * slots));
  }
}
