// SPDX-License-Identifier: BSL-1.0
//
// Lookups by vector registers in words that other threads may be setting bits of. SharedKernel<Kernel, Isa> copies the
// block of a key into registers and hands the copy to the kernel for plain memory.
//
// C++ has no vector operation that is atomic, and a plain load of a word that another thread writes is a data race. On
// x86 the copy is therefore made by an assembler instruction, which is no access in the language's terms: the compiler
// neither repeats it, nor moves it to before an operation that it depends on, nor takes it out of a loop. What the
// processor does is enough. Bits are only ever set, so each bit of the copy is either older or newer, and no mixture of
// the two is a wrong answer: a bit that was set in what happened before the load is set in the copy, since processors
// keep memory coherent byte by byte. Nothing here needs the words, let alone the block, to be read at one moment.
//
// On AArch64 the copy is made of atomic loads of single words.
#ifndef PERHAPS_KERNEL_SHARED_KERNEL_HPP
#define PERHAPS_KERNEL_SHARED_KERNEL_HPP

#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/vectors.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// No kernel: the layout goes by load, set and test_and_set.
struct NoKernel {
  static constexpr bool exists = false;
};

template <class Kernel, class Isa, std::size_t Words>
struct SharedKernel : NoKernel {};

#if PERHAPS_HAS_X86_KERNELS

template <class Kernel>
struct SharedKernel<Kernel, isa::Avx512, 8> {
  static constexpr bool exists = true;

  [[PERHAPS_AVX512, gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                                 std::uint64_t h) noexcept {
    const U64x8 copy = read_eight(block);
    return Kernel::test(static_cast<const std::uint64_t*>(static_cast<const void*>(&copy)), hashes, h);
  }
};

template <class Kernel>
struct SharedKernel<Kernel, isa::Avx2, 8> {
  static constexpr bool exists = true;

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                               std::uint64_t h) noexcept {
    const U64x4 copy[2] = {read_four(block), read_four(block + 4)};
    return Kernel::test(static_cast<const std::uint64_t*>(static_cast<const void*>(&copy)), hashes, h);
  }
};

template <class Kernel, class Isa>
struct SharedKernel<Kernel, Isa, 4> {
  static constexpr bool exists = true;

  [[PERHAPS_AVX2, gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                               std::uint64_t h) noexcept {
    const U64x4 copy = read_four(block);
    return Kernel::test(static_cast<const std::uint64_t*>(static_cast<const void*>(&copy)), hashes, h);
  }
};

#elif PERHAPS_HAS_NEON_KERNELS

template <class Kernel, std::size_t Words>
struct SharedKernel<Kernel, isa::Neon, Words> {
  static constexpr bool exists = true;

  [[gnu::always_inline]] static inline bool test(const std::uint64_t* block, unsigned hashes,
                                                 std::uint64_t h) noexcept {
    U64x2 copy[Words / 2];
    for (std::size_t i = 0; i < Words; i += 2) {
      copy[i / 2] =
          U64x2{__atomic_load_n(block + i, __ATOMIC_RELAXED), __atomic_load_n(block + i + 1, __ATOMIC_RELAXED)};
    }
    return Kernel::test(static_cast<const std::uint64_t*>(static_cast<const void*>(&copy)), hashes, h);
  }
};

#endif

// The gather of the classic layout is an assembler instruction already. What comes before it on storage that threads
// share: memory may have changed, so a gather of earlier is not taken for this one.
template <class Words>
[[gnu::always_inline]] inline void before_gather() noexcept {
#if PERHAPS_HAS_X86_KERNELS
  if constexpr (ConcurrentStorage<Words>) __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

template <class Kernel, class Isa, std::size_t BlockWords, class Words>
struct LookupKernelOf {
  using type = NoKernel;
};

template <class Kernel, class Isa, std::size_t BlockWords, class Words>
requires(Kernel::exists && ContiguousStorage<Words>) struct LookupKernelOf<Kernel, Isa, BlockWords, Words> {
  using type = Kernel;
};

template <class Kernel, class Isa, std::size_t BlockWords, class Words>
requires(Kernel::exists && ConcurrentStorage<Words>) struct LookupKernelOf<Kernel, Isa, BlockWords, Words> {
  using type = SharedKernel<Kernel, Isa, BlockWords>;
};

// What looks up a key in a block of so many words of this storage: test(block, hashes, h), if it `exists`.
template <class Kernel, class Isa, std::size_t BlockWords, class Words>
using LookupKernel = typename LookupKernelOf<Kernel, Isa, BlockWords, std::remove_const_t<Words>>::type;

// Whether a block that threads share has all bits of a key already, where vector registers tell sooner than words do:
// so that inserting keys again and again costs no more than asking for them. False also where there is no such kernel.
template <class Kernel, class Isa, std::size_t BlockWords, class Words>
[[gnu::always_inline]] inline bool surely_has(const Words& storage, std::size_t first, unsigned hashes,
                                              std::uint64_t h) noexcept {
  if constexpr (ConcurrentStorage<Words> && LookupKernel<Kernel, Isa, BlockWords, Words>::exists) {
    return LookupKernel<Kernel, Isa, BlockWords, Words>::test(storage.words().data() + first, hashes, h);
  } else {
    return false;
  }
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
