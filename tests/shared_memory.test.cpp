// SPDX-License-Identifier: BSL-1.0
//
// One filter in POSIX shared memory, written to and asked by two processes at once.
#include <perhaps/concurrent_bloom_filter.hpp>
#include <perhaps/layout/split_block.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "support/catch.hpp"

namespace {

using Layout = perhaps::SplitBlock<64, 8>;
using Shared = perhaps::ConcurrentBloomFilter<std::uint64_t, perhaps::XxHash3, Layout, perhaps::BorrowedAtomicWords>;

constexpr std::uint64_t keys = 20'000;

// The memory of the filter, mapped into this process.
std::span<std::uint64_t> map(const std::string& name, std::size_t bytes) {
  const int file = ::shm_open(name.c_str(), O_RDWR, 0600);
  if (file < 0) return {};
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) return {};
  return {static_cast<std::uint64_t*>(memory), bytes / 8};
}

// Puts in the keys of one process, from its own mapping. 0 if all went well.
int put_in(const std::string& name, const perhaps::BloomParameters& parameters, std::uint64_t first) {
  const auto words = map(name, parameters.bytes);
  if (words.empty()) return 1;
  Shared filter(parameters, perhaps::BorrowedAtomicWords(words));
  for (std::uint64_t key = first; key < keys; key += 2) {
    filter.insert(key);
    if (!filter.may_contain(key)) return 2;
  }
  return 0;
}

}  // namespace

TEST_CASE("two processes put their keys into one filter in shared memory") {
  const auto parameters = perhaps::bloom_parameters<Layout>({.keys = keys, .fpr = 0.01});
  const std::string name = "/perhaps_test_" + std::to_string(::getpid());
  const int file = ::shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  REQUIRE(file >= 0);
  REQUIRE(::ftruncate(file, static_cast<off_t>(parameters.bytes)) == 0);
  ::close(file);

  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) ::_exit(put_in(name, parameters, 1));
  CHECK(put_in(name, parameters, 0) == 0);
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));

  const auto words = map(name, parameters.bytes);
  ::shm_unlink(name.c_str());
  REQUIRE_FALSE(words.empty());
  const Shared filter(parameters, perhaps::BorrowedAtomicWords(words));
  perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, Layout> sequential(parameters);
  for (std::uint64_t key = 0; key < keys; ++key) sequential.insert(key);
  CHECK(filter == sequential);
}
