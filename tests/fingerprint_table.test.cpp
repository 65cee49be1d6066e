// SPDX-License-Identifier: BSL-1.0
//
// The packed table against a plain array, for every width and bucket size: nothing is lost, no neighbour is touched.
#include <perhaps/cuckoo/fingerprint_table.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/keys.hpp"
#include "support/reserved.hpp"

namespace {

template <unsigned Bits, unsigned Slots>
void check_table() {
  using Table = perhaps::detail::FingerprintTable<Bits, Slots>;
  static_assert(Table::chunks * Table::chunk_slots == Slots);
  const std::uint64_t buckets = 37;
  const auto bytes = static_cast<std::size_t>(Table::bytes_for(buckets));
  CHECK(bytes >= (buckets * Bits * Slots + 7) / 8);
  CHECK(bytes < (buckets * Bits * Slots + 7) / 8 + 8);
  std::vector<unsigned char> memory(bytes);  // exactly: a sanitizer sees any access beyond
  Table table(memory.data());
  std::vector<std::uint32_t> model(buckets * Slots);
  const std::uint32_t most = Bits == 32 ? ~0U : (1U << Bits) - 1;
  bool same = true;
  for (std::uint64_t step = 0; step < 4000; ++step) {
    const std::uint64_t random = support::scramble(step);
    const std::uint64_t bucket = random % buckets;
    const auto slot = static_cast<unsigned>((random >> 20U) % Slots);
    const std::uint32_t choices[] = {0, 1, most, most - 1, static_cast<std::uint32_t>(random >> 32U) & most};
    const std::uint32_t value = choices[(random >> 16U) % 5];
    table.set(bucket, slot, value);
    model[bucket * Slots + slot] = value;
    for (std::uint64_t near = bucket == 0 ? 0 : bucket - 1; near < buckets && near <= bucket + 1; ++near) {
      for (unsigned s = 0; s < Slots; ++s) same &= table.get(near, s) == model[near * Slots + s];
    }
    for (const std::uint32_t sought : choices) {
      unsigned expected_count = 0;
      for (unsigned s = 0; s < Slots; ++s) {
        if (model[bucket * Slots + s] == sought) ++expected_count;
      }
      const std::uint64_t other = (random >> 40U) % buckets;
      bool in_other = false;
      for (unsigned s = 0; s < Slots; ++s) in_other |= model[other * Slots + s] == sought;
      same &= table.count(bucket, sought) == expected_count;
      same &= table.contains(bucket, other, sought) == (expected_count != 0 || in_other);
      same &= table.contains(bucket, bucket, sought) == (expected_count != 0);
    }
  }
  for (std::uint64_t i = 0; i < buckets * Slots; ++i) {
    same &= table.get(i / Slots, static_cast<unsigned>(i % Slots)) == model[i];
  }
  INFO("f = " << Bits << ", b = " << Slots);
  CHECK(same);
  std::uint64_t occupied = 0;
  for (const std::uint32_t fingerprint : model) occupied += fingerprint != 0 ? 1U : 0U;
  CHECK(table.occupied(buckets) == occupied);
}

// Full tables, longer than any run of sums.
template <unsigned Bits, unsigned Slots>
void check_full_table() {
  using Table = perhaps::detail::FingerprintTable<Bits, Slots>;
  const std::uint64_t buckets = 1000;
  std::vector<unsigned char> memory(static_cast<std::size_t>(Table::bytes_for(buckets)));
  Table table(memory.data());
  CHECK(table.occupied(buckets) == 0);
  for (std::uint64_t i = 0; i < buckets * Slots; ++i) {
    table.set(i / Slots, static_cast<unsigned>(i % Slots), i % 3 == 0 ? 1 : (Bits == 32 ? ~0U : (1U << Bits) - 1));
  }
  INFO("f = " << Bits << ", b = " << Slots);
  CHECK(table.occupied(buckets) == buckets * Slots);
  CHECK(table.occupied(buckets - 1) == (buckets - 1) * Slots);
}

// Memory that is full on both sides of a table of any number of buckets: what is beyond its end does not count, and is
// not touched.
template <unsigned Bits, unsigned Slots>
void check_ends() {
  using Table = perhaps::detail::FingerprintTable<Bits, Slots>;
  const std::uint64_t most = 40;
  std::vector<unsigned char> memory(static_cast<std::size_t>(Table::bytes_for(most)), 0xFF);
  const Table table(memory.data());
  bool right = true;
  for (std::uint64_t buckets = 0; buckets < most; ++buckets) right &= table.occupied(buckets) == buckets * Slots;
  // A table in memory of exactly its size, which a sanitizer guards.
  for (std::uint64_t buckets = 1; buckets < most; ++buckets) {
    std::vector<unsigned char> exact(static_cast<std::size_t>(Table::bytes_for(buckets)));
    Table last(exact.data());
    for (unsigned slot = 0; slot < Slots; ++slot) right &= last.put(buckets - 1, 1 + slot % 7);
    right &= !last.put(buckets - 1, 1);
    right &= last.occupied(buckets) == Slots && last.occupied(buckets - 1) == 0;
    right &= last.contains(0, buckets - 1, 1) && last.count(buckets - 1, 1) >= 1;
    right &= last.remove(buckets - 1, buckets - 1, 1) && last.occupied(buckets) == Slots - 1;
  }
  INFO("f = " << Bits << ", b = " << Slots);
  CHECK(right);
}

// Buckets beyond 2^32, in memory that is only promised.
template <unsigned Bits, unsigned Slots>
void check_far_buckets() {
  using Table = perhaps::detail::FingerprintTable<Bits, Slots>;
  const std::uint64_t buckets = (std::uint64_t{1} << 35U) + 3;
  const support::Reserved memory(Table::bytes_for(buckets));
  if (!memory.is_there()) return;
  Table table(memory.bytes());
  std::vector<std::uint64_t> some{0, 1, 2, buckets - 1};
  for (const unsigned power : {29U, 31U, 32U, 33U, 34U, 35U}) {
    for (const std::uint64_t off : {0U, 1U, 2U}) some.push_back((std::uint64_t{1} << power) - 1 + off);
  }
  const std::uint32_t most = Bits == 32 ? ~0U : (1U << Bits) - 1;
  const auto value = [&](std::size_t i) { return 1 + static_cast<std::uint32_t>(support::scramble(i) % most); };
  INFO("f = " << Bits << ", b = " << Slots);
  for (std::size_t i = 0; i < some.size(); ++i) CHECK(table.put(some[i], value(i)));
  for (std::size_t i = 0; i < some.size(); ++i) {
    CHECK(table.get(some[i], 0) == value(i));
    CHECK(table.count(some[i], 0) == Slots - 1);
    CHECK(table.contains(5, some[i], value(i)));
    CHECK(table.remove(5, some[i], value(i)));
    CHECK(table.count(some[i], 0) == Slots);
  }
}

template <unsigned... Offsets>
void check_all(std::integer_sequence<unsigned, Offsets...>) {
  (check_table<4 + Offsets, 2>(), ...);
  (check_table<4 + Offsets, 4>(), ...);
  (check_table<4 + Offsets, 8>(), ...);
}

}  // namespace

TEST_CASE("tables of every width and bucket size hold what is put in") {
  check_all(std::make_integer_sequence<unsigned, 29>{});
}

TEST_CASE("put takes the first empty slot, remove the first match, and both refuse when there is none") {
  using Table = perhaps::detail::FingerprintTable<12, 4>;
  std::vector<unsigned char> memory(static_cast<std::size_t>(Table::bytes_for(3)));
  Table table(memory.data());
  for (const std::uint32_t value : {7U, 4095U, 7U, 1U}) CHECK(table.put(1, value));
  CHECK_FALSE(table.put(1, 5));
  CHECK(table.count(1, 7) == 2);
  CHECK_FALSE(table.remove(1, 0, 5));
  CHECK(table.remove(0, 1, 7));
  CHECK(table.get(1, 0) == 0);
  CHECK(table.remove(1, 0, 7));
  CHECK(table.get(1, 2) == 0);
  CHECK(table.put(1, 2));
  CHECK(table.put(1, 5));
  CHECK(table.get(1, 0) == 2);
  CHECK(table.get(1, 2) == 5);
  CHECK(table.count(0, 0) == 4);
  CHECK(table.count(2, 0) == 4);
}

TEST_CASE("occupied slots are counted in tables of any length") {
  check_full_table<4, 2>();
  check_full_table<4, 8>();
  check_full_table<7, 8>();
  check_full_table<8, 4>();
  check_full_table<12, 4>();
  check_full_table<17, 2>();
  check_full_table<31, 8>();
  check_full_table<32, 4>();
}

TEST_CASE("what lies beyond a table's end is not its own") {
  check_ends<4, 2>();
  check_ends<4, 8>();
  check_ends<7, 8>();
  check_ends<8, 4>();
  check_ends<12, 4>();
  check_ends<17, 2>();
  check_ends<31, 8>();
  check_ends<32, 4>();
}

TEST_CASE("buckets beyond 2^32 are where they belong") {
  check_far_buckets<4, 2>();
  check_far_buckets<12, 4>();
  check_far_buckets<17, 2>();
  check_far_buckets<31, 8>();
}
