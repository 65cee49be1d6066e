// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// What the ids of a stored filter's header mean, in words, with the id in brackets: for messages, and for programs
/// that say what is in a file. Ids without a name here, such as those of policies of your own, are hexadecimal numbers.
#ifndef PERHAPS_STORED_NAMES_HPP
#define PERHAPS_STORED_NAMES_HPP

#include <perhaps/stored/key_kind.hpp>
#include <perhaps/version.hpp>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

inline std::string hexadecimal(std::uint64_t number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789ABCDEF"[number % 16]);
    number /= 16;
  } while (number != 0);
  return "0x" + digits;
}

// The name with its id, or the id alone.
inline std::string named(std::string_view name, std::uint64_t id) {
  if (name.empty()) return hexadecimal(id);
  return std::string(name) + " (" + hexadecimal(id) + ")";
}

}  // namespace detail

/// The kind of filter of StoredHeader::kind: "a Bloom filter (0x1)".
inline std::string describe_filter_kind(std::uint64_t kind) {
  constexpr std::string_view names[] = {
      "", "a Bloom filter", "a counting Bloom filter", "a cuckoo filter", "a chain of filters", "a rolling filter"};
  return detail::named(kind < std::size(names) ? names[kind] : std::string_view(), kind);
}

/// The hash policy of StoredHeader::hash_id: "XxHash3 (0x1)".
inline std::string describe_hash(std::uint64_t id) {
  constexpr std::string_view names[] = {"", "XxHash3", "ParquetHash", "XxHash3_128", "SipHash"};
  return detail::named(id < std::size(names) ? names[id] : std::string_view(), id);
}

/// The layout of StoredHeader::layout_id: "SplitBlock<64, 8> (0x2040)". Of cuckoo filters, the size of their buckets.
inline std::string describe_layout(std::uint64_t id) {
  const std::string low = std::to_string(id % 0x1000);
  if (id == 1) return detail::named("Classic", id);
  if (id / 0x1000 == 1) return detail::named("Blocked<" + low + ">", id);
  if (id / 0x1000 == 2) return detail::named("SplitBlock<" + low + ", 8>", id);
  if (id / 0x1000 == 3) return detail::named("buckets of " + low + " fingerprints", id);
  return detail::named("", id);
}

/// The probe sequence of StoredHeader::probe_id: "RotatingDoubleHashing (0x3)".
inline std::string describe_probes(std::uint64_t id) {
  constexpr std::string_view names[] = {"none", "DoubleHashing", "EnhancedDoubleHashing", "RotatingDoubleHashing"};
  return detail::named(id < std::size(names) ? names[id] : std::string_view(), id);
}

/// The kind of key of StoredHeader::key_kind: "signed integers of 32 bits".
inline std::string describe_keys(std::uint64_t key_kind) { return detail::describe_key_kind(key_kind); }

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
