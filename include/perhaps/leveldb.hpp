// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// LevelDB with these filters: a leveldb::FilterPolicy. Needs LevelDB's headers and library; no other header includes
/// this one.
///
///     const auto policy = perhaps::leveldb_policy(0.01);    // must outlive the database
///     options.filter_policy = policy.get();
///
/// LevelDB keeps one filter for each 2 KiB of a table's data, some 20 to 80 keys, at any address within a block of
/// filters. So a filter is its bits, a byte that checks them, and a byte with k: no header.
///
/// Damage: LevelDB does not verify the checksum of filter blocks unless options.paranoid_checks is set, so a damaged
/// filter could hide keys. Here a filter of a wrong length, k or check byte answers "perhaps". Damage within one byte,
/// and bytes that became zeros, are always noticed; other damage in 255 of 256 cases, in all with paranoid_checks.
///
/// RocksDB closed its interface for filters in version 7.0.
///
/// Threads: a policy may be used by any number at once, as LevelDB does.
#ifndef PERHAPS_LEVELDB_HPP
#define PERHAPS_LEVELDB_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/detail/argument.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/embedded.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// What all bytes of a filter come to, k included: any change of one byte changes it.
inline char leveldb_check(std::span<const std::byte> bytes, unsigned hashes) noexcept {
  const EmbeddedWords words(bytes);
  std::uint64_t check = 0xA5U ^ hashes;
  for (std::size_t first = 0; first < bytes.size(); first += 8) check ^= words.load(first / 8);
  for (unsigned half = 32; half >= 8; half /= 2) check ^= check >> half;
  return static_cast<char>(check & 0xFFU);
}

template <BitLayout Layout>
class LevelDbPolicy final : public ::leveldb::FilterPolicy {
 public:
  // Filters of n keys are sized for the rate; from the last number on, by the bits per key of that.
  explicit LevelDbPolicy(double fpr) : name_(name()) {
    for (std::size_t n = 0; n < sizes_.size(); ++n) sizes_[n] = bloom_parameters<Layout>({.keys = n + 1, .fpr = fpr});
  }

  // Filters take so many bytes per key, trailer included, or less.
  LevelDbPolicy(double bits_per_key, std::size_t trailer) : name_(name()) {
    if (!demand(bits_per_key >= 1 && bits_per_key <= 1024, "bits_per_key", "from 1 to 1024", bits_per_key)) return;
    for (std::size_t n = 0; n < sizes_.size(); ++n) {
      const auto keys = static_cast<std::uint64_t>(n + 1);
      const auto bytes = static_cast<std::uint64_t>(bits_per_key * static_cast<double>(keys) / 8);
      const std::uint64_t bits =
          (std::max)(std::uint64_t{1}, (bytes > trailer ? bytes - trailer : 0) * 8 / unit()) * unit();
      sizes_[n] = {.bits = bits, .hashes = best_hashes(bits, keys)};
    }
  }

  const char* Name() const override { return name_.c_str(); }

  void CreateFilter(const ::leveldb::Slice* keys, int n, std::string* dst) const override {
    if (n <= 0) return;
    BloomFilter<std::string_view, XxHash3, Layout> filter(parameters(static_cast<std::uint64_t>(n)));
    for (int i = 0; i < n; ++i) filter.insert(std::string_view(keys[i].data(), keys[i].size()));
    const std::size_t first = dst->size();
    append_bits(filter, *dst);
    const char check = leveldb_check(std::as_bytes(std::span(*dst).subspan(first)), filter.hashes());
    dst->push_back(check);
    dst->push_back(static_cast<char>(filter.hashes()));
  }

  bool KeyMayMatch(const ::leveldb::Slice& key, const ::leveldb::Slice& filter) const override {
    if (filter.size() <= trailer_bytes) return true;
    const auto bits = std::as_bytes(std::span(filter.data(), filter.size() - trailer_bytes));
    const auto hashes = static_cast<unsigned char>(filter[filter.size() - 1]);
    if (leveldb_check(bits, hashes) != filter[filter.size() - 2]) return true;
    const Digest digest = to_digest<std::string_view>(XxHash3{}, std::string_view(key.data(), key.size()));
    return bits_may_contain<Layout>(bits, hashes, digest);
  }

  static constexpr std::size_t trailer_bytes = 2;

 private:
  // A filter with another name is not asked; a change of what is written must change it.
  static std::string name() { return "perhaps.1." + std::string(Layout::name); }

  static unsigned best_hashes(std::uint64_t bits, std::uint64_t keys) {
    unsigned best = 0;
    double lowest = 2;
    for (unsigned hashes = 1; hashes <= 16; ++hashes) {
      if (!Layout::takes_hashes(hashes)) continue;
      const double rate = Layout::expected_fpr(bits, hashes, static_cast<double>(keys));
      if (rate < lowest) {
        lowest = rate;
        best = hashes;
      }
    }
    return best;
  }

  static constexpr std::uint64_t unit() noexcept { return Layout::block_bits < 8 ? 8 : Layout::block_bits; }

  BloomParameters parameters(std::uint64_t keys) const {
    const std::uint64_t last = sizes_.size();
    BloomParameters size = sizes_[static_cast<std::size_t>((std::min)(keys, last) - 1)];
    if (keys > last) size.bits = size.bits * keys / last;
    size.bits = (size.bits + unit() - 1) / unit() * unit();
    return size;
  }

  std::string name_;
  std::array<BloomParameters, 128> sizes_{};
};

}  // namespace detail

/// A filter policy for LevelDB whose filters have a rate of at most `fpr`. LevelDB does not own it: keep it until the
/// database is closed. `Layout` is Classic<> for the fewest bytes; layouts of blocks round each filter up to blocks.
/// Throws std::invalid_argument for a rate outside (0, 1), std::bad_alloc.
template <BitLayout Layout = Classic<>>
[[nodiscard]] std::unique_ptr<const ::leveldb::FilterPolicy> leveldb_policy(double fpr) {
  return std::make_unique<detail::LevelDbPolicy<Layout>>(fpr);
}

/// A filter policy whose filters take `bits_per_key` bits for each key, all bytes of a filter counted, at the best rate
/// for that: for comparison with leveldb::NewBloomFilterPolicy. Throws std::invalid_argument unless it is from 1 to
/// 1024.
template <BitLayout Layout = Classic<>>
[[nodiscard]] std::unique_ptr<const ::leveldb::FilterPolicy> leveldb_policy_by_bits(double bits_per_key) {
  return std::make_unique<detail::LevelDbPolicy<Layout>>(bits_per_key, detail::LevelDbPolicy<Layout>::trailer_bytes);
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
