// SPDX-License-Identifier: BSL-1.0
#include "kernels/apply.hpp"

namespace kernels {

std::vector<bool> apply_scalar(LayoutId layout, Operation operation, std::uint64_t* words, std::size_t size,
                               std::uint64_t m, unsigned k, const std::vector<perhaps::Digest>& digests) {
  return apply_with<perhaps::isa::Scalar>(layout, operation, Lent(words, size), m, k, digests);
}

}  // namespace kernels
