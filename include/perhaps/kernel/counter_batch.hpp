// SPDX-License-Identifier: BSL-1.0
//
// Batches of a filter that counts. Counters of a layout with kernels go block by block, like bits (block_batch.hpp);
// others one by one, after all that a tile needs has been asked for.
#ifndef PERHAPS_KERNEL_COUNTER_BATCH_HPP
#define PERHAPS_KERNEL_COUNTER_BATCH_HPP

#include <perhaps/detail/packed_counters.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/block_batch.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/layout/position_sequence.hpp>
#include <perhaps/layout/split_pattern.hpp>
#include <perhaps/version.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// A layout with kernels for counters of this width.
template <class Layout, unsigned CounterBits>
concept HasCounterKernel = requires { typename Layout::template CounterKernel<isa::Scalar, CounterBits>; };

template <class Layout, unsigned CounterBits, class Isa>
struct CounterKernelOf {
  static constexpr bool exists = false;
};

template <class Layout, unsigned CounterBits, class Isa>
requires HasCounterKernel<Layout, CounterBits>
struct CounterKernelOf<Layout, CounterBits, Isa> : Layout::template CounterKernel<Isa, CounterBits> {};

// One block of counters, for BlockBatch.
template <class Layout, unsigned CounterBits>
struct BlockOfCounters {
  using Counters = PackedCounters<CounterBits>;
  static constexpr std::size_t words = std::size_t{Layout::block_bits} * CounterBits / 64;

  template <class Isa>
  using Kernel = CounterKernelOf<Layout, CounterBits, Isa>;

  template <class Words>
  static bool contains(const Words& storage, std::size_t first, unsigned hashes, std::uint64_t h) noexcept {
    const auto all = storage.words();
    return all_of_positions(hashes, Layout::positions_in_block(first * Counters::per_word, h),
                            [=](std::uint64_t position) { return Counters::is_set(all, position); });
  }

  template <class Words>
  static void insert(Words& storage, std::size_t first, unsigned hashes, std::uint64_t h) noexcept {
    const auto all = storage.words();
    visit_while(hashes, Layout::positions_in_block(first * Counters::per_word, h), [=](std::uint64_t position) {
      Counters::increment(all, position);
      return true;
    });
  }
};

// The operations of a filter on any layout, counter by counter; `all` are its words.
template <class Layout, unsigned CounterBits>
struct CounterByCounter {
  using Counters = PackedCounters<CounterBits>;

  static void insert(std::span<std::uint64_t> all, std::uint64_t counters, unsigned hashes, Digest digest) noexcept {
    Layout::for_each_position(counters, hashes, digest,
                              [=](std::uint64_t position) { Counters::increment(all, position); });
  }

  static bool contains(std::span<const std::uint64_t> all, std::uint64_t counters, unsigned hashes,
                       Digest digest) noexcept {
    return Layout::all_positions(counters, hashes, digest,
                                 [=](std::uint64_t position) { return Counters::is_set(all, position); });
  }
};

// For layouts without kernels: one key after the other.
template <class Layout, unsigned CounterBits, class Words>
class ScalarCounterBatch {
  using Counters = PackedCounters<CounterBits>;
  using Operations = CounterByCounter<Layout, CounterBits>;

 public:
  ScalarCounterBatch(Words& storage, std::uint64_t counters, unsigned hashes) noexcept
      : storage_(storage), counters_(counters), hashes_(hashes) {}

  Digest prepare_lookup(Digest digest) const noexcept { return prepared(digest); }
  Digest prepare_insert(Digest digest) const noexcept { return prepared(digest); }

  [[gnu::flatten, gnu::noinline]] std::uint64_t test(const Tile<Digest>& tile) const noexcept {
    return answer_each(tile, [this, all = storage_.words()](Digest digest) {
      return Operations::contains(all, counters_, hashes_, digest);
    });
  }

  [[gnu::flatten, gnu::noinline]] void insert(std::span<const Digest> tile) const noexcept {
    const auto all = storage_.words();
    for (const Digest& digest : tile) Operations::insert(all, counters_, hashes_, digest);
  }

 private:
  // Asks for the counters where memory is far.
  Digest prepared(Digest digest) const noexcept {
    if (storage_.size() * sizeof(std::uint64_t) > l2_bytes) {
      Layout::for_each_position(counters_, hashes_, digest, [all = storage_.words().data()](std::uint64_t position) {
        prefetch_for_writing(all + position / Counters::per_word);
      });
    }
    return digest;
  }

  Words& storage_;
  std::uint64_t counters_;
  unsigned hashes_;
};

template <class Layout, unsigned CounterBits, class Words>
struct CounterBatchOf {
  using type = ScalarCounterBatch<Layout, CounterBits, Words>;
};

template <class Layout, unsigned CounterBits, class Words>
requires HasCounterKernel<Layout, CounterBits> struct CounterBatchOf<Layout, CounterBits, Words> {
  using type = BlockBatch<BlockOfCounters<Layout, CounterBits>, Words>;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
