// SPDX-License-Identifier: BSL-1.0
//
// The counting operator new. A translation unit of its own: inlined next to calls of new and delete, malloc and free
// look mismatched to the compiler.
#include "support/allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::size_t count = 0;
std::size_t largest = 0;

void note(std::size_t size) noexcept {
  ++count;
  if (size > largest) largest = size;
}

void* allocate(std::size_t size) noexcept {
  note(size);
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  note(size);
  const auto unit = static_cast<std::size_t>(alignment);
  if (size > ~std::size_t{0} - unit) return nullptr;
  return std::aligned_alloc(unit, size == 0 ? unit : (size + unit - 1) / unit * unit);
}

}  // namespace

std::size_t support::allocations() noexcept { return count; }
std::size_t support::largest_allocation() noexcept { return largest; }
void support::reset_largest_allocation() noexcept { largest = 0; }

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return ::operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
