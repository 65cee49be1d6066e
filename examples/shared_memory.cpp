// SPDX-License-Identifier: BSL-1.0
//
// One filter for several processes, in POSIX shared memory: workers of a crawler, say, that must not fetch a page
// twice. Every process maps the memory and inserts without locks; of the workers that meet a page, one is told that it
// is new. Do not do so where the processes could each fill a filter of its own and unite them afterwards (sharded.cpp):
// that is faster. POSIX.
#include <perhaps/perhaps.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

namespace {

using Pages = perhaps::ConcurrentBloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<>,
                                             perhaps::BorrowedAtomicWords>;

// What all processes must agree on: sizes, and a hash policy without a seed or with the same one.
perhaps::BloomParameters parameters() {
  return perhaps::bloom_parameters<perhaps::SplitBlock<>>({.keys = 300'000, .fpr = 1e-9});
}

// The filter, and the number of pages fetched, side by side in the memory of that name.
struct Memory {
  std::span<std::uint64_t> words;
  std::uint64_t* fetched = nullptr;  // one for each worker
};

Memory map(const char* name, int flags) {
  const std::size_t bytes = parameters().bytes + 64;
  const int file = ::shm_open(name, O_RDWR | flags, 0600);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes)) != 0) std::exit(1);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) std::exit(1);
  auto* words = static_cast<std::uint64_t*>(memory);
  return {{words, parameters().bytes / 8}, words + parameters().bytes / 8};
}

// Worker 0 meets pages 0 to 199 999, worker 1 those from 100 000 on: half of each are the other's too.
int work(const char* name, unsigned worker) {
  const Memory memory = map(name, 0);
  Pages seen(parameters(), perhaps::BorrowedAtomicWords(memory.words));
  std::uint64_t fetched = 0;
  for (std::uint64_t page = 0; page < 200'000; ++page) {
    if (!seen.test_and_insert(page + worker * 100'000)) ++fetched;
  }
  memory.fetched[worker] = fetched;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) return work(argv[1], static_cast<unsigned>(std::atoi(argv[2])));

  // Fresh shared memory is zero, which is a filter without keys.
  const std::string name = "/perhaps_example_" + std::to_string(::getpid());
  const Memory memory = map(name.c_str(), O_CREAT | O_EXCL);

  // Two programs of their own, which know the name only.
  for (const char* worker : {"0", "1"}) {
    if (::fork() == 0) {
      ::execl(argv[0], argv[0], name.c_str(), worker, static_cast<char*>(nullptr));
      ::_exit(127);
    }
  }
  bool worked = true;
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    ::wait(&status);
    worked = worked && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  ::shm_unlink(name.c_str());

  const Pages seen(parameters(), perhaps::BorrowedAtomicWords(memory.words));
  std::uint64_t denied = 0;
  for (std::uint64_t page = 0; page < 300'000; ++page) denied += seen.may_contain(page) ? 0U : 1U;
  std::printf("two processes, one filter of %zu bytes\n", seen.bytes());
  std::printf("pages met: 400000, fetched: %llu, of 300000 different ones\n",
              static_cast<unsigned long long>(memory.fetched[0] + memory.fetched[1]));
  std::printf("pages denied: %llu\n", static_cast<unsigned long long>(denied));
  return worked && denied == 0 && memory.fetched[0] + memory.fetched[1] == 300'000 ? 0U : 1U;
}
