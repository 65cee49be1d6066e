// SPDX-License-Identifier: BSL-1.0
//
// A filter in a file, asked where it lies. A build job writes it once; each process that needs it maps the file: no
// copy, no allocation, no time, whatever its size, and all of them share the same pages of memory. POSIX.
#include <perhaps/perhaps.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>

namespace {

// One cache line per question: one page of the file is read for it.
using Filter = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<>>;

// A file mapped into memory, read-only, for as long as this lives.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (file < 0 || ::fstat(file, &about) != 0) std::exit(1);
    size_ = static_cast<std::size_t>(about.st_size);
    memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (memory_ == MAP_FAILED) std::exit(1);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() { ::munmap(memory_, size_); }

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(memory_), size_}; }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

void build(const std::string& path, std::uint64_t keys) {
  Filter filter({.keys = keys, .fpr = 0.01});
  for (std::uint64_t key = 0; key < keys; ++key) filter.insert(key);
  std::ofstream file(path, std::ios::binary);
  perhaps::write(filter, file);
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Opens and asks once; returns how long that took. The bytes are trusted: only their structure is checked. Where they
// come from elsewhere, Verify::everything reads them all and compares the checksum.
double open_and_ask(const std::string& path, std::uint64_t key, bool& found) {
  const auto start = std::chrono::steady_clock::now();
  const MappedFile file(path);
  const auto filter = perhaps::view_bytes<Filter>(file.bytes(), perhaps::Verify::structure);
  found = filter.may_contain(key);
  return milliseconds_since(start);
}

}  // namespace

int main() {
  const std::string path = "mapped_example.perhaps";
  for (const std::uint64_t keys : {100'000U, 10'000'000U}) {
    build(path, keys);
    bool found = false;
    double fastest = 1e9;
    for (int i = 0; i < 20; ++i) fastest = std::min(fastest, open_and_ask(path, keys / 2, found));

    const auto start = std::chrono::steady_clock::now();
    std::ifstream file(path, std::ios::binary);
    const auto copy = perhaps::read<Filter>(file);
    const double loading = milliseconds_since(start);

    std::printf("%9llu keys, %5.1f MB: mapped and asked in %.3f ms, loaded in %.1f ms\n",
                static_cast<unsigned long long>(keys), static_cast<double>(copy.bytes()) / 1e6, fastest, loading);
    if (!found) return 1;

    // The view answers like the filter that was written, and what would write to it does not compile.
    const MappedFile mapped(path);
    if (perhaps::view_bytes<Filter>(mapped.bytes()) != copy) return 1;
  }
  std::remove(path.c_str());
}
