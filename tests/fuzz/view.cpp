// SPDX-License-Identifier: BSL-1.0
//
// Fuzz target: views of stored bytes. A view is made exactly where loading succeeds, and answers alike; one that
// checks the structure only stays within its bytes, whatever they are.
#include <array>

#include "fuzz/decode.hpp"

namespace {

template <class F>
void check(const fuzz::Bytes& bytes) {
  alignas(64) static std::array<std::byte, 8192> memory;
  if (bytes.size() > memory.size()) return;
  // At the end, so that AddressSanitizer sees a read beyond, unless that breaks the alignment.
  const std::size_t begin = (memory.size() - bytes.size()) / 64 * 64;
  std::copy(bytes.begin(), bytes.end(), memory.begin() + static_cast<std::ptrdiff_t>(begin));
  const auto stored = std::span<const std::byte>(memory).subspan(begin, bytes.size());
  const auto owner = perhaps::try_from_bytes<F>(bytes);
  const auto view = perhaps::try_view_bytes<F>(stored);
  const auto trusting = perhaps::try_view_bytes<F>(stored, perhaps::Verify::structure);
  fuzz::require(static_cast<bool>(owner) == static_cast<bool>(view));
  if (view) fuzz::require(trusting && *view == *owner);
  if (!trusting) return;
  for (std::uint64_t key = 0; key < 40; ++key) {
    const bool found = trusting->may_contain(key);
    if (owner) fuzz::require(found == owner->may_contain(key));
  }
  static_cast<void>(trusting->estimated_size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Word = std::uint64_t;
  using perhaps::XxHash3;
  fuzz::for_each_input(data, size, [](const fuzz::Bytes& bytes) {
    check<perhaps::BloomFilter<Word>>(bytes);
    check<perhaps::BloomFilter<Word, XxHash3, perhaps::Classic<perhaps::EnhancedDoubleHashing>>>(bytes);
    check<perhaps::BloomFilter<Word, XxHash3, perhaps::Blocked<512>>>(bytes);
    check<perhaps::BloomFilter<Word, XxHash3, perhaps::SplitBlock<64, 8>>>(bytes);
    check<perhaps::BloomFilter<Word, XxHash3, perhaps::SplitBlock<32, 8>>>(bytes);
    check<perhaps::ParquetFilter<Word>>(bytes);
  });
  return 0;
}
