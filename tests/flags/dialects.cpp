// SPDX-License-Identifier: BSL-1.0
//
// Each instruction of kernel/vectors.hpp that is written in assembly language, in a function of its own: compiled for
// both dialects of the assembler and compared by dialects.cmake.
#include <perhaps/kernel/vectors.hpp>

#include <cstdint>

namespace dialects {

using perhaps::detail::Mask8;
using perhaps::detail::U64x4;
using perhaps::detail::U64x8;

// Operands are passed in memory, so that no calling convention for wide vectors is needed.
void read_eight(U64x8& a, const std::uint64_t* words) { a = perhaps::detail::read_eight(words); }
void read_four(U64x4& a, const std::uint64_t* words) { a = perhaps::detail::read_four(words); }
void rotate_left(U64x8& a, const U64x8& b) { a = perhaps::detail::rotate_left(a, b); }
void rotate_some_left(U64x8& a, const U64x8& b, Mask8 lanes) { a = perhaps::detail::rotate_left(a, b, lanes); }
void shift_left(U64x8& a, const U64x8& b) { a = perhaps::detail::shift_left(a, b); }
void multiply_low_halves(U64x8& a, const U64x8& b) { a = perhaps::detail::multiply_low_halves(a, b); }
void gather(U64x8& a, const std::uint64_t* words, Mask8 lanes) { a = perhaps::detail::gather(words, a, lanes); }
void permute(U64x8& a, const U64x8& b) { a = perhaps::detail::permute(a, b); }
Mask8 lanes_in_common(const U64x8& a, const U64x8& b) { return perhaps::detail::lanes_in_common(a, b); }
Mask8 lanes_apart(const U64x8& a, const U64x8& b) { return perhaps::detail::lanes_apart(a, b); }
bool all_lanes_in_common(const U64x8& a, const U64x8& b) { return perhaps::detail::all_lanes_in_common(a, b); }
bool is_zero(const U64x8& a) { return perhaps::detail::is_zero(a); }
bool contains_all(const U64x4& a, const U64x4& b) { return perhaps::detail::contains_all(a, b); }

}  // namespace dialects
