// SPDX-License-Identifier: BSL-1.0
//
// Compiled with -mavx2 -mbmi2.
#include <concepts>

#include "kernels/apply.hpp"

namespace kernels {

static_assert(std::same_as<perhaps::isa::Native, perhaps::isa::Avx2>);

std::vector<bool> apply_avx2(LayoutId layout, Operation operation, std::uint64_t* words, std::size_t size,
                             std::uint64_t m, unsigned k, const std::vector<perhaps::Digest>& digests) {
  return apply_with<perhaps::isa::Avx2>(layout, operation, Lent(words, size), m, k, digests);
}

bool count_avx2(CounterOperation operation, std::uint64_t* line, unsigned k, std::uint64_t h) {
  return count_with<perhaps::isa::Avx2>(operation, line, k, h);
}

}  // namespace kernels
