// SPDX-License-Identifier: BSL-1.0
//
// LevelDB asks a filter before it reads a block of a table: keys that are not in the store cost no reads. This measures
// a real store without filters, with LevelDB's own, and with these, at as many bytes. Do not use filters where nearly
// every key that is asked for is there: they save nothing then.
#include <perhaps/leveldb.hpp>
#include <perhaps/perhaps.hpp>

#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/env.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace {

// Counts the reads of table files.
class CountingFile final : public leveldb::RandomAccessFile {
 public:
  CountingFile(leveldb::RandomAccessFile* file, std::atomic<std::uint64_t>& reads) : file_(file), reads_(reads) {}
  leveldb::Status Read(std::uint64_t offset, std::size_t n, leveldb::Slice* result, char* scratch) const override {
    ++reads_;
    return file_->Read(offset, n, result, scratch);
  }

 private:
  std::unique_ptr<leveldb::RandomAccessFile> file_;
  std::atomic<std::uint64_t>& reads_;
};

class CountingEnv final : public leveldb::EnvWrapper {
 public:
  CountingEnv() : EnvWrapper(leveldb::Env::Default()) {}
  leveldb::Status NewRandomAccessFile(const std::string& name, leveldb::RandomAccessFile** file) override {
    leveldb::Status status = target()->NewRandomAccessFile(name, file);
    if (status.ok()) *file = new CountingFile(*file, reads);
    return status;
  }
  std::atomic<std::uint64_t> reads{0};
};

// Counts the bytes of the filters that a policy makes.
class Measured final : public leveldb::FilterPolicy {
 public:
  explicit Measured(const leveldb::FilterPolicy& policy) : policy_(policy) {}
  const char* Name() const override { return policy_.Name(); }
  void CreateFilter(const leveldb::Slice* keys, int n, std::string* dst) const override {
    const std::size_t before = dst->size();
    policy_.CreateFilter(keys, n, dst);
    bytes += dst->size() - before;
    filtered += static_cast<std::uint64_t>(n);
  }
  bool KeyMayMatch(const leveldb::Slice& key, const leveldb::Slice& filter) const override {
    const bool match = policy_.KeyMayMatch(key, filter);
    ++asked;
    if (match) ++matched;
    return match;
  }
  mutable std::atomic<std::uint64_t> bytes{0}, filtered{0}, asked{0}, matched{0};

 private:
  const leveldb::FilterPolicy& policy_;
};

std::string key_of(std::uint64_t i) {
  char text[24];
  std::snprintf(text, sizeof(text), "user%016llx", static_cast<unsigned long long>(i * 0x9E3779B97F4A7C15U));
  return text;
}

bool measure(const char* label, const leveldb::FilterPolicy* policy, std::uint64_t keys) {
  const std::string path = "leveldb_example.db";
  std::filesystem::remove_all(path);
  CountingEnv env;
  std::unique_ptr<Measured> measured;
  if (policy != nullptr) measured = std::make_unique<Measured>(*policy);
  std::unique_ptr<leveldb::Cache> cache(leveldb::NewLRUCache(64U << 10U));  // so that blocks must be read
  leveldb::Options options;
  options.create_if_missing = true;
  options.env = &env;
  options.filter_policy = measured.get();
  options.block_cache = cache.get();
  leveldb::DB* opened = nullptr;
  if (!leveldb::DB::Open(options, path, &opened).ok()) return false;
  std::unique_ptr<leveldb::DB> store(opened);
  for (std::uint64_t i = 0; i < keys; ++i) {
    if (!store->Put({}, key_of(2 * i), "a value of some thirty characters").ok()) return false;
  }
  store->CompactRange(nullptr, nullptr);

  const std::uint64_t asked = keys / 5;
  std::string value;
  bool right = true;
  for (std::uint64_t i = 0; i < asked; i += 10) right = right && store->Get({}, key_of(2 * i), &value).ok();
  // The quickest of five passes, as other programs take their turns.
  double time = 0;
  for (int pass = 0; pass < 5; ++pass) {
    env.reads = 0;
    if (measured) measured->asked = measured->matched = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < asked; ++i) right = right && store->Get({}, key_of(2 * i + 1), &value).IsNotFound();
    const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
    time = pass == 0 ? passed.count() : std::min(time, passed.count());
  }

  std::printf("%-28s %.3f reads", label, static_cast<double>(env.reads) / static_cast<double>(asked));
  if (measured) {
    std::printf(", %4.1f bits a key, rate %.2f %%",
                8.0 * static_cast<double>(measured->bytes) / static_cast<double>(measured->filtered),
                100.0 * static_cast<double>(measured->matched) / static_cast<double>(measured->asked));
  }
  std::printf(", %.2f us\n", time / static_cast<double>(asked));
  store.reset();
  std::filesystem::remove_all(path);
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t keys = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const std::unique_ptr<const leveldb::FilterPolicy> own(leveldb::NewBloomFilterPolicy(10));
  const auto classic = perhaps::leveldb_policy_by_bits(10);
  const auto one_line = perhaps::leveldb_policy_by_bits<perhaps::Blocked<128>>(10);
  const auto by_rate = perhaps::leveldb_policy(0.01);
  std::printf("%llu keys; for each absent key:\n", static_cast<unsigned long long>(keys));
  const bool right = measure("no filter", nullptr, keys) && measure("LevelDB's own, 10 bits", own.get(), keys) &&
                     measure("perhaps, Classic, 10 bits", classic.get(), keys) &&
                     measure("perhaps, Blocked<128>", one_line.get(), keys) &&
                     measure("perhaps, Classic, 1 %", by_rate.get(), keys);
  return right ? 0 : 1;
}
