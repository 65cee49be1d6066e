// SPDX-License-Identifier: BSL-1.0
//
// kernels::Apply for one instruction set. All of it is local to the translation unit: what is compiled with other flags
// must not replace a function of the same name in the rest of the program.
#ifndef PERHAPS_TESTS_KERNELS_APPLY_HPP
#define PERHAPS_TESTS_KERNELS_APPLY_HPP

#include <perhaps/instruction_set.hpp>
#include <perhaps/layout/blocked.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/split_block.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/single.hpp"

namespace kernels {
namespace {

class Lent {
 public:
  static constexpr bool plain = true;
  Lent(std::uint64_t* words, std::size_t size) : words_(words), size_(size) {}
  static std::optional<Lent> make(std::size_t) { return std::nullopt; }
  std::uint64_t load(std::size_t i) const noexcept { return words_[i]; }
  void set(std::size_t i, std::uint64_t mask) noexcept { words_[i] |= mask; }
  bool test_and_set(std::size_t i, std::uint64_t mask) noexcept {
    const std::uint64_t before = words_[i];
    words_[i] |= mask;
    return (before & mask) == mask;
  }
  std::size_t size() const noexcept { return size_; }
  std::span<std::uint64_t> words() noexcept { return {words_, size_}; }
  std::span<const std::uint64_t> words() const noexcept { return {words_, size_}; }

 private:
  std::uint64_t* words_;
  std::size_t size_;
};

static_assert(perhaps::ContiguousStorage<Lent>);

template <class Isa, class Layout>
std::vector<bool> apply_to(Operation operation, Lent words, std::uint64_t m, unsigned k,
                           const std::vector<perhaps::Digest>& digests) {
  std::vector<bool> answers;
  for (const perhaps::Digest digest : digests) {
    switch (operation) {
      case Operation::insert:
        Layout::template insert<Isa>(words, m, k, digest);
        answers.push_back(true);
        break;
      case Operation::test_and_insert:
        answers.push_back(Layout::template test_and_insert<Isa>(words, m, k, digest));
        break;
      case Operation::may_contain:
        answers.push_back(Layout::template may_contain<Isa>(words, m, k, digest));
        break;
    }
  }
  return answers;
}

template <class Isa>
[[maybe_unused]] std::vector<bool> apply_with(LayoutId layout, Operation operation, Lent words, std::uint64_t m,
                                              unsigned k, const std::vector<perhaps::Digest>& digests) {
  using perhaps::Blocked;
  using perhaps::Classic;
  using perhaps::SplitBlock;
  switch (layout) {
    case LayoutId::classic:
      return apply_to<Isa, Classic<>>(operation, words, m, k, digests);
    case LayoutId::classic_double:
      return apply_to<Isa, Classic<perhaps::DoubleHashing>>(operation, words, m, k, digests);
    case LayoutId::classic_enhanced:
      return apply_to<Isa, Classic<perhaps::EnhancedDoubleHashing>>(operation, words, m, k, digests);
    case LayoutId::blocked_64:
      return apply_to<Isa, Blocked<64>>(operation, words, m, k, digests);
    case LayoutId::blocked_128:
      return apply_to<Isa, Blocked<128>>(operation, words, m, k, digests);
    case LayoutId::blocked_256:
      return apply_to<Isa, Blocked<256>>(operation, words, m, k, digests);
    case LayoutId::blocked_512:
      return apply_to<Isa, Blocked<512>>(operation, words, m, k, digests);
    case LayoutId::blocked_512_double:
      return apply_to<Isa, Blocked<512, perhaps::DoubleHashing>>(operation, words, m, k, digests);
    case LayoutId::split_64:
      return apply_to<Isa, SplitBlock<64, 8>>(operation, words, m, k, digests);
    case LayoutId::split_32:
      return apply_to<Isa, SplitBlock<32, 8>>(operation, words, m, k, digests);
    case LayoutId::split_16:
      return apply_to<Isa, SplitBlock<16, 8>>(operation, words, m, k, digests);
  }
  return {};
}

template <class Isa>
[[maybe_unused]] bool count_with(CounterOperation operation, std::uint64_t* line, unsigned k, std::uint64_t h) {
  using Kernel = perhaps::SplitBlock<16, 8>::CounterKernel<Isa, 4>;
  switch (operation) {
    case CounterOperation::insert:
      Kernel::insert(line, k, h);
      return true;
    case CounterOperation::erase:
      return Kernel::erase(line, k, h);
    case CounterOperation::may_contain:
      return Kernel::test(line, k, h);
  }
  return false;
}

}  // namespace
}  // namespace kernels

#endif
