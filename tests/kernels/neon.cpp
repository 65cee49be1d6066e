// SPDX-License-Identifier: BSL-1.0
//
// Empty on processors without NEON.
#include "kernels/apply.hpp"

#if PERHAPS_HAS_NEON_KERNELS

namespace kernels {

std::vector<bool> apply_neon(LayoutId layout, Operation operation, std::uint64_t* words, std::size_t size,
                             std::uint64_t m, unsigned k, const std::vector<perhaps::Digest>& digests) {
  return apply_with<perhaps::isa::Neon>(layout, operation, Lent(words, size), m, k, digests);
}

}  // namespace kernels

#endif
