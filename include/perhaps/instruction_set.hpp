// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Instruction sets, as types. Kernels are templates over them, so code for different processors lives side by side in
/// one program under different names:
///
///     isa::Scalar     always there: plain C++, and the reference that all others equal bit for bit
///     isa::Avx2       x86-64 with AVX2 and BMI2
///     isa::Avx512     x86-64 with AVX-512 F, DQ, VL and BW
///     isa::Neon       AArch64
///
/// Single operations use isa::Native, the best set that the compiler flags allow. It is their template argument, so two
/// translation units with different flags call functions of different names. That covers this library's kernels; what a
/// compiler makes of plain C++ under such flags is one function to the linker, here as in the standard library: a
/// program that must start on an old processor compiles none of its units for a newer one, and leaves the rest to
/// batches. Batch operations ask the processor instead, so they are as fast in a program built without any flags. What
/// a filter stores and answers never depends on any of this.
#ifndef PERHAPS_INSTRUCTION_SET_HPP
#define PERHAPS_INSTRUCTION_SET_HPP

#include <perhaps/version.hpp>

#include <concepts>
#include <string_view>
#include <utility>

/// Whether the compiler can make functions for other x86-64 processors than the one that its flags name.
#if defined(__x86_64__) && defined(__GNUC__)
#define PERHAPS_HAS_X86_KERNELS 1
#else
#define PERHAPS_HAS_X86_KERNELS 0
#endif

/// Whether there are kernels for AArch64.
#if defined(__aarch64__) && defined(__ARM_NEON) && defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PERHAPS_HAS_NEON_KERNELS 1
#else
#define PERHAPS_HAS_NEON_KERNELS 0
#endif

namespace perhaps {
inline namespace PERHAPS_ABI {
/// Instruction sets, as types: see instruction_set.hpp.
namespace isa {

/// Plain C++: always there.
struct Scalar {
  static constexpr std::string_view name = "scalar";  ///< Its name
  static bool available() noexcept { return true; }   ///< True
};

/// x86-64 with AVX2 and BMI2.
struct Avx2 {
  static constexpr std::string_view name = "AVX2";  ///< Its name

  /// Whether this processor, and the system it runs on, can execute the set.
#if PERHAPS_HAS_X86_KERNELS
  static bool available() noexcept { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }
#else
  static bool available() noexcept { return false; }
#endif
};

/// x86-64 with AVX-512 F, DQ, VL and BW, and what Avx2 has.
struct Avx512 {
  static constexpr std::string_view name = "AVX-512";  ///< Its name

  /// Whether the processor and the system have it. O(1).
#if PERHAPS_HAS_X86_KERNELS
  static bool available() noexcept {
    return Avx2::available() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  }
#else
  static bool available() noexcept { return false; }
#endif
};

/// AArch64's vectors: always there on little-endian AArch64.
struct Neon {
  static constexpr std::string_view name = "NEON";  ///< Its name

  /// Whether the processor has it, which is known when the program is compiled.
  static bool available() noexcept { return PERHAPS_HAS_NEON_KERNELS != 0; }
};

/// The sets that this compiler can make code for, best last.
#if PERHAPS_HAS_X86_KERNELS
using Compiled = std::tuple<Scalar, Avx2, Avx512>;
#elif PERHAPS_HAS_NEON_KERNELS
using Compiled = std::tuple<Scalar, Neon>;
#else
using Compiled = std::tuple<Scalar>;
#endif

/// The best set that the compiler flags of this translation unit allow.
#if PERHAPS_HAS_X86_KERNELS && defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && \
    defined(__AVX512BW__) && defined(__BMI2__)
using Native = Avx512;
#elif PERHAPS_HAS_X86_KERNELS && defined(__AVX2__) && defined(__BMI2__)
using Native = Avx2;
#elif PERHAPS_HAS_NEON_KERNELS
using Native = Neon;
#else
using Native = Scalar;
#endif

}  // namespace isa

/// One of the types in isa: what kernels and single operations are templates over.
template <class Set>
concept InstructionSet = std::same_as<Set, isa::Scalar> || std::same_as<Set, isa::Avx2> ||
                         std::same_as<Set, isa::Avx512> || std::same_as<Set, isa::Neon>;

namespace detail {

// `pick.template operator()<Isa>()` for the best set that this processor has: how batch operations choose a kernel.
template <class Pick>
auto for_this_processor(Pick pick) {
#if PERHAPS_HAS_X86_KERNELS
  if (isa::Avx512::available()) return pick.template operator()<isa::Avx512>();
  if (isa::Avx2::available()) return pick.template operator()<isa::Avx2>();
#elif PERHAPS_HAS_NEON_KERNELS
  return pick.template operator()<isa::Neon>();
#endif
#if !PERHAPS_HAS_NEON_KERNELS
  return pick.template operator()<isa::Scalar>();
#endif
}

// Whether it is the best set that this processor has.
template <InstructionSet Set>
bool is_best() noexcept {
  return for_this_processor([]<class Isa>() { return std::same_as<Isa, Set>; });
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
