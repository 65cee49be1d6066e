// SPDX-License-Identifier: BSL-1.0
//
// The filter policy for LevelDB: keys are found, rates are met, and damage never hides a key.
#include <perhaps/leveldb.hpp>

#include <perhaps/layout/blocked.hpp>
#include <perhaps/layout/split_block.hpp>

#include <leveldb/db.h>
#include <leveldb/env.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

std::vector<std::string> texts(std::size_t first, std::size_t count) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < count; ++i) keys.push_back("key " + std::to_string(first + i));
  return keys;
}

std::string filter_of(const leveldb::FilterPolicy& policy, const std::vector<std::string>& keys) {
  const std::vector<leveldb::Slice> slices(keys.begin(), keys.end());
  std::string filter = "before";  // CreateFilter appends
  policy.CreateFilter(slices.data(), static_cast<int>(slices.size()), &filter);
  CHECK(filter.substr(0, 6) == "before");
  return filter.substr(6);
}

}  // namespace

TEST_CASE("every key of a filter matches, and others at no more than the rate") {
  const auto classic = perhaps::leveldb_policy(0.01);
  const auto by_bits = perhaps::leveldb_policy_by_bits(10);
  const auto lines = perhaps::leveldb_policy<perhaps::SplitBlock<64, 8>>(0.01);
  const auto words = perhaps::leveldb_policy_by_bits<perhaps::Blocked<64>>(12);
  for (const leveldb::FilterPolicy* policy : {classic.get(), by_bits.get(), lines.get(), words.get()}) {
    std::size_t denied = 0;
    std::size_t positives = 0;
    std::size_t asked = 0;
    for (std::size_t count : {1U, 2U, 7U, 20U, 33U, 80U, 128U, 129U, 500U}) {
      for (std::size_t first = 0; first < 20 * count; first += count) {
        const auto keys = texts(first, count);
        const std::string filter = filter_of(*policy, keys);
        for (const std::string& key : keys) denied += policy->KeyMayMatch(key, filter) ? 0U : 1U;
        for (const std::string& key : texts(1'000'000 + first, 200)) {
          positives += policy->KeyMayMatch(key, filter) ? 1U : 0U;
          ++asked;
        }
      }
    }
    CHECK(denied == 0);
    // 36 000 answers: 1 % and five standard errors. For one key, ten bits without the trailer are few.
    if (policy == classic.get() || policy == lines.get()) CHECK(positives < asked * 13 / 1000);
  }
  CHECK(filter_of(*by_bits, texts(0, 40)).size() == 50);
  CHECK(std::string(classic->Name()) != lines->Name());
  CHECK_THROWS_AS(perhaps::leveldb_policy(1.5), std::invalid_argument);
  CHECK_THROWS_WITH(perhaps::leveldb_policy_by_bits(0.5), "perhaps: bits_per_key must be from 1 to 1024, got 0.5");
}

TEST_CASE("damage of a filter never hides a key") {
  const auto classic = perhaps::leveldb_policy(0.01);
  const auto lines = perhaps::leveldb_policy<perhaps::SplitBlock<64, 8>>(0.01);
  const auto keys = texts(0, 40);
  for (const leveldb::FilterPolicy* policy : {classic.get(), lines.get()}) {
    const std::string filter = filter_of(*policy, keys);
    std::size_t hidden = 0;
    const auto ask = [&](const std::string& damaged) {
      for (const std::string& key : keys) hidden += policy->KeyMayMatch(key, damaged) ? 0U : 1U;
    };
    for (std::size_t i = 0; i < filter.size(); ++i) {  // every byte, as every other value
      for (int change = 1; change < 256; ++change) {
        std::string damaged = filter;
        damaged[i] = static_cast<char>(damaged[i] ^ static_cast<char>(change));
        ask(damaged);
      }
    }
    ask("");
    ask(std::string(1, '\0'));
    ask(std::string(2, '\0'));
    ask(std::string(filter.size(), '\0'));
    ask(std::string(filter.size(), '\xFF'));
    CHECK(hidden == 0);
  }
}

TEST_CASE("a store with the policy finds what was put into it") {
  const auto policy = perhaps::leveldb_policy(0.01);
  leveldb::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64U << 10U;
  options.filter_policy = policy.get();
  const std::string path = "leveldb_test.db";
  static_cast<void>(leveldb::DestroyDB(path, options));
  leveldb::DB* opened = nullptr;
  REQUIRE(leveldb::DB::Open(options, path, &opened).ok());
  std::unique_ptr<leveldb::DB> store(opened);
  const auto keys = texts(0, 5000);
  for (const std::string& key : keys) REQUIRE(store->Put({}, key, key).ok());
  store->CompactRange(nullptr, nullptr);
  std::size_t wrong = 0;
  std::string value;
  for (const std::string& key : keys) wrong += store->Get({}, key, &value).ok() && value == key ? 0U : 1U;
  for (const std::string& key : texts(5000, 5000)) wrong += store->Get({}, key, &value).IsNotFound() ? 0U : 1U;
  CHECK(wrong == 0);
  store.reset();
  CHECK(leveldb::DestroyDB(path, options).ok());
}
