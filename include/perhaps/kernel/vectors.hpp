// SPDX-License-Identifier: BSL-1.0
//
// Vectors for kernels: the compilers' own vector types, which add, shift and combine lane by lane with the usual
// operators, and the few instructions that those operators have no spelling for. Not <immintrin.h>: that header takes
// as long to compile as the rest of this library together.
//
// A function that uses an instruction set names it with PERHAPS_AVX2 or PERHAPS_AVX512, so it exists in every program,
// and may be called only on processors that have the set.
#ifndef PERHAPS_KERNEL_VECTORS_HPP
#define PERHAPS_KERNEL_VECTORS_HPP

#include <perhaps/instruction_set.hpp>
#include <perhaps/version.hpp>

#include <cstdint>
#include <cstring>

#if PERHAPS_HAS_X86_KERNELS
#define PERHAPS_AVX2 gnu::target("avx2,bmi2")
#define PERHAPS_AVX512 gnu::target("avx2,bmi2,avx512f,avx512dq,avx512vl,avx512bw")
#endif

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

#if PERHAPS_HAS_X86_KERNELS || PERHAPS_HAS_NEON_KERNELS
// They may be laid over words: a vector aliases what its elements alias. Not more: a store through gnu::may_alias would
// make compilers read a filter's sizes again for each key.
using U64x2 [[gnu::vector_size(16)]] = std::uint64_t;
using U32x4 [[gnu::vector_size(16)]] = std::uint32_t;
using U64x4 [[gnu::vector_size(32)]] = std::uint64_t;
using U32x8 [[gnu::vector_size(32)]] = std::uint32_t;
using U64x8 [[gnu::vector_size(64)]] = std::uint64_t;

// The words from `words` on, as vectors. Precondition: they are aligned as a Vector is. By way of void, since compilers
// can warn of every other cast to a type of larger alignment.
template <class Vector>
[[gnu::always_inline]] inline Vector* vectors_at(std::uint64_t* words) noexcept {
  return static_cast<Vector*>(static_cast<void*>(words));
}

template <class Vector>
[[gnu::always_inline]] inline const Vector* vectors_at(const std::uint64_t* words) noexcept {
  return static_cast<const Vector*>(static_cast<const void*>(words));
}
#endif

#if PERHAPS_HAS_X86_KERNELS

// Instructions are written for both of the assembler's dialects, {AT&T|Intel}: with -masm=intel the destination comes
// first. A pair of operands in the wrong order would assemble, and compute something else.

// Lanes of a 512-bit vector, one bit each.
using Mask8 = unsigned char;

// Eight words, or four, at any address.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 load_eight(const std::uint64_t* words) noexcept {
  U64x8 result;
  std::memcpy(&result, words, sizeof(result));
  return result;
}

[[PERHAPS_AVX2, gnu::always_inline]] inline U64x4 load_four(const std::uint64_t* words) noexcept {
  U64x4 result;
  std::memcpy(&result, words, sizeof(result));
  return result;
}

// Eight words, or four, at an address that is aligned to them, which other threads may be writing: read by this very
// instruction, once, each word as it is before or after a write.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 read_eight(const std::uint64_t* words) noexcept {
  U64x8 result;
  asm volatile("vmovdqa64 {%1, %0|%0, %1}" : "=v"(result) : "m"(*vectors_at<const U64x8>(words)));
  return result;
}

[[PERHAPS_AVX2, gnu::always_inline]] inline U64x4 read_four(const std::uint64_t* words) noexcept {
  U64x4 result;
  asm volatile("vmovdqa {%1, %0|%0, %1}" : "=x"(result) : "m"(*vectors_at<const U64x4>(words)));
  return result;
}

// The lanes of `value` rotated to the left, each by the low six bits of its lane of `amount`.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 rotate_left(U64x8 value, U64x8 amount) noexcept {
  U64x8 result;
  asm("vprolvq {%2, %1, %0|%0, %1, %2}" : "=v"(result) : "v"(value), "v"(amount));
  return result;
}

// The lanes of `value` that are in `lanes`, rotated to the left; 0 in the others.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 rotate_left(U64x8 value, U64x8 amount, Mask8 lanes) noexcept {
  U64x8 result;
  asm("vprolvq {%[amount], %[value], %[result]%{%[lanes]%}%{z%}|%[result]%{%[lanes]%}%{z%}, %[value], %[amount]}"
      : [result] "=v"(result)
      : [value] "v"(value), [amount] "v"(amount), [lanes] "Yk"(lanes));
  return result;
}

// The lanes of `value` shifted to the left, each by its lane of `amount`: to 0 by 64 or more.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 shift_left(U64x8 value, U64x8 amount) noexcept {
  U64x8 result;
  asm("vpsllvq {%2, %1, %0|%0, %1, %2}" : "=v"(result) : "v"(value), "v"(amount));
  return result;
}

// The low halves of the lanes multiplied, 32 x 32 -> 64 bits.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 multiply_low_halves(U64x8 a, U64x8 b) noexcept {
  U64x8 result;
  asm("vpmuludq {%2, %1, %0|%0, %1, %2}" : "=v"(result) : "v"(a), "v"(b));
  return result;
}

// words[index] in the lanes of `lanes`, 0 in the others, which are not read.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 gather(const std::uint64_t* words, U64x8 index,
                                                           Mask8 lanes) noexcept {
  U64x8 result{};
  // The last input says that memory from `words` on is read.
  asm("vpgatherqq {(%[words],%[index],8), %[result]%{%[lanes]%}|%[result]%{%[lanes]%}, [%[words]+%[index]*8]}"
      : [result] "+&v"(result), [lanes] "+&Yk"(lanes)
      : [words] "r"(words), [index] "v"(index), "m"(*reinterpret_cast<const std::uint64_t(*)[1U << 28U]>(words)));
  return result;
}

// words[index], lane by lane.
[[PERHAPS_AVX512, gnu::always_inline]] inline U64x8 permute(U64x8 words, U64x8 index) noexcept {
  U64x8 result;
  asm("vpermq {%2, %1, %0|%0, %1, %2}" : "=v"(result) : "v"(index), "v"(words));
  return result;
}

// The lanes in which a and b have a bit in common.
[[PERHAPS_AVX512, gnu::always_inline]] inline Mask8 lanes_in_common(U64x8 a, U64x8 b) noexcept {
  Mask8 result;
  asm("vptestmq {%2, %1, %0|%0, %1, %2}" : "=Yk"(result) : "v"(a), "v"(b));
  return result;
}

// The lanes in which they have none.
[[PERHAPS_AVX512, gnu::always_inline]] inline Mask8 lanes_apart(U64x8 a, U64x8 b) noexcept {
  Mask8 result;
  asm("vptestnmq {%2, %1, %0|%0, %1, %2}" : "=Yk"(result) : "v"(a), "v"(b));
  return result;
}

// Whether they have a bit in common in every lane.
[[PERHAPS_AVX512, gnu::always_inline]] inline bool all_lanes_in_common(U64x8 a, U64x8 b) noexcept {
  bool all;
  Mask8 lanes;
  asm("vptestmq {%[b], %[a], %[lanes]|%[lanes], %[a], %[b]}\n\tkortestb %[lanes], %[lanes]"
      : "=@ccc"(all), [lanes] "=&Yk"(lanes)
      : [a] "v"(a), [b] "v"(b));
  return all;
}

[[PERHAPS_AVX512, gnu::always_inline]] inline bool is_zero(U64x8 value) noexcept {
  bool zero;
  Mask8 lanes;
  asm("vptestmq {%[value], %[value], %[lanes]|%[lanes], %[value], %[value]}\n\tkortestb %[lanes], %[lanes]"
      : "=@ccz"(zero), [lanes] "=&Yk"(lanes)
      : [value] "v"(value));
  return zero;
}

// Whether all bits of `part` are set in `whole`.
[[PERHAPS_AVX2, gnu::always_inline]] inline bool contains_all(U64x4 whole, U64x4 part) noexcept {
  bool contained;
  asm("vptest {%[part], %[whole]|%[whole], %[part]}" : "=@ccc"(contained) : [part] "x"(part), [whole] "x"(whole));
  return contained;
}

#endif

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
