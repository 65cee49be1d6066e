// SPDX-License-Identifier: BSL-1.0
//
// What the fuzz targets share: bytes whose checksum is made right, so that the checks behind it are reached, and the
// promises that every filter that loads must keep.
#ifndef PERHAPS_TESTS_FUZZ_DECODE_HPP
#define PERHAPS_TESTS_FUZZ_DECODE_HPP

#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace fuzz {

using Bytes = std::vector<std::byte>;

inline void require(bool holds) {
  if (!holds) std::abort();
}

// Makes the checksum right, which is in the last eight bytes of the header.
inline void seal(Bytes& bytes) {
  for (std::size_t i = 56; i < 64; ++i) bytes[i] = {};
  const std::uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size());
  for (std::size_t i = 0; i < 8; ++i) bytes[56 + i] = static_cast<std::byte>(checksum >> (8 * i) & 255U);
}

// Calls `check(bytes)` with the input as it is, and with the right checksum.
template <class Check>
void for_each_input(const std::uint8_t* data, std::size_t size, Check check) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  Bytes bytes(begin, begin + size);
  check(bytes);
  if (size < 64) return;
  seal(bytes);
  check(bytes);
}

// Whether `written` is `read`, but for the kind of key, in bytes 20 to 23: a filter of 32-bit integers loads as one of
// 64-bit integers, and is written as such.
inline bool same_but_key_kind(const Bytes& written, Bytes read) {
  if (written.size() != read.size()) return false;
  std::copy(written.begin() + 20, written.begin() + 24, read.begin() + 20);
  seal(read);
  return written == read;
}

// A filter that loads is written as the bytes it came from, finds what is inserted, and estimates in range.
template <class F>
void check_filter(F& filter, const Bytes& bytes) {
  require(same_but_key_kind(perhaps::to_bytes(filter), bytes));
  require(filter.current_fpr() >= 0 && filter.current_fpr() <= 1);
  for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{bytes.size()}}) {
    static_cast<void>(filter.may_contain(key));
    if constexpr (requires { F::fingerprint_bits; }) {
      const std::uint64_t before = filter.size();
      const bool accepted = filter.insert(key);
      require(filter.size() == before + (accepted ? 1 : 0));
      if (accepted) require(filter.may_contain(key) && filter.count(key) > 0 && filter.erase(key));
    } else {
      filter.insert(key);
      require(filter.may_contain(key));
    }
  }
}

template <class F>
void check_bytes(const Bytes& bytes) {
  auto loaded = perhaps::try_from_bytes<F>(bytes);
  if (loaded) check_filter(*loaded, bytes);
}

}  // namespace fuzz

#endif
