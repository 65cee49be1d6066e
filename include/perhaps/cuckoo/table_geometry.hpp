// SPDX-License-Identifier: BSL-1.0
//
// The memory of a cuckoo filter's table: buckets of b slots of f bits, packed without a gap, read by loads of 32 or 64
// bits. The one place for sizing, which knows f and b when it runs, and for FingerprintTable, which has them as its
// type.
#ifndef PERHAPS_CUCKOO_TABLE_GEOMETRY_HPP
#define PERHAPS_CUCKOO_TABLE_GEOMETRY_HPP

#include <perhaps/version.hpp>

#include <cstdint>
#include <numeric>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

struct TableGeometry {
  unsigned bits;   // f
  unsigned slots;  // b

  constexpr unsigned bucket_bits() const noexcept { return bits * slots; }

  // A chunk is as many slots of a bucket as always lie within one load of 64 bits.
  constexpr unsigned chunk_slots() const noexcept {
    unsigned chunk = slots;
    while (span_of(chunk) > 64) chunk /= 2;
    return chunk;
  }

  // By how many bytes a chunk is loaded: 4 where that is always enough, else 8.
  constexpr unsigned load_bytes() const noexcept { return span_of(chunk_slots()) > 32 ? 8 : 4; }

  // Up to where the last load may reach. Precondition, here and below: up to 2^53 buckets.
  constexpr std::uint64_t bytes_for(std::uint64_t buckets) const noexcept {
    return (buckets / 8) * bucket_bits() + ((buckets % 8) * bucket_bits() + 7) / 8 + load_bytes() - 1;
  }

  // What a filter holds for them: whole words.
  constexpr std::uint64_t words_for(std::uint64_t buckets) const noexcept { return (bytes_for(buckets) + 7) / 8; }

  // The most buckets that so many bytes hold.
  constexpr std::uint64_t buckets_in(std::uint64_t bytes) const noexcept {
    constexpr std::uint64_t most = std::uint64_t{1} << 57U;  // so that bits can be counted
    const std::uint64_t whole = (bytes < most ? bytes : most) / 8 * 8;
    return whole < load_bytes() ? 0 : (whole - (load_bytes() - 1)) * 8 / bucket_bits();
  }

 private:
  // The widest load that `chunk` slots need: they start at a multiple of their own width.
  constexpr unsigned span_of(unsigned chunk) const noexcept {
    const unsigned width = chunk * bits;
    return width + 8 - std::gcd(8U, width);
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
