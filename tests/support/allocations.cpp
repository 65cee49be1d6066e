// SPDX-License-Identifier: BSL-1.0
//
// The operator new that counts, and fails when it is told to. A translation unit of its own: inlined next to calls of
// new and delete, malloc and free look mismatched to the compiler.
#include "support/allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::size_t count = 0;
std::size_t largest = 0;
std::size_t until_failure = 0;  // how many allocations up to the one that fails, itself included
bool failed = false;

// Notes an allocation, and whether it is to fail.
bool is_to_fail(std::size_t size) noexcept {
  ++count;
  if (size > largest) largest = size;
  if (until_failure == 0 || --until_failure != 0) return false;
  failed = true;
  return true;
}

void* allocate(std::size_t size) noexcept {
  if (is_to_fail(size)) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

std::size_t support::allocations() noexcept { return count; }
std::size_t support::largest_allocation() noexcept { return largest; }
void support::reset_largest_allocation() noexcept { largest = 0; }

void support::fail_allocation(std::size_t number) noexcept {
  until_failure = number;
  failed = false;
}

bool support::allocation_failed() noexcept { return failed; }

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return ::operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

// Filters' words are aligned to a cache line. Windows frees such memory otherwise.
#if !defined(_WIN32)
namespace {

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  if (is_to_fail(size)) return nullptr;
  const auto multiple = static_cast<std::size_t>(alignment);
  if (size > ~std::size_t{0} - multiple) return nullptr;
  return std::aligned_alloc(multiple, size == 0 ? multiple : (size + multiple - 1) / multiple * multiple);
}

}  // namespace

void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size, std::align_val_t alignment) { return ::operator new(size, alignment); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }
#endif
