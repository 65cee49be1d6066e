// SPDX-License-Identifier: BSL-1.0
//
// Address space without memory: as many zeros as one likes, of which only the pages that are written take memory. So
// filters of terabytes can be tried with a few keys.
#ifndef PERHAPS_TESTS_SUPPORT_RESERVED_HPP
#define PERHAPS_TESTS_SUPPORT_RESERVED_HPP

#include <cstddef>
#include <cstdint>
#include <span>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace support {

class Reserved {
 public:
  // Not all systems have so much to promise: then there is none, and is_there() is false.
  explicit Reserved([[maybe_unused]] std::uint64_t bytes) {
#if defined(__linux__)
    if (bytes > SIZE_MAX / 2) return;
    size_ = static_cast<std::size_t>(bytes);
    void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) bytes_ = static_cast<unsigned char*>(memory);
#endif
  }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;
  ~Reserved() {
#if defined(__linux__)
    if (bytes_ != nullptr) munmap(bytes_, size_);
#endif
  }

  bool is_there() const { return bytes_ != nullptr; }
  unsigned char* bytes() const { return bytes_; }
  std::span<std::uint64_t> words() const { return {reinterpret_cast<std::uint64_t*>(bytes_), size_ / 8}; }

  // All zeros again.
  void clear() {
#if defined(__linux__)
    madvise(bytes_, size_, MADV_DONTNEED);
#endif
  }

 private:
  unsigned char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace support

#endif
