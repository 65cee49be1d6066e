// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// The stored format, version 1: a header of 64 bytes, then the filter's memory. One layout for all filters, the same
/// bytes from every compiler and platform. All numbers are little-endian.
///
///     offset  bytes  field
///        0      4    magic: 89 50 46 0A, that is "\x89PF\n"
///        4      1    format version: 1
///        5      1    kind of filter: 1 Bloom, 2 counting, 3 cuckoo; 4 a chain and 5 a rolling filter, whose stages
///                    follow (stored/chains.hpp)
///        6      1    k, hashes per key; 0 for cuckoo
///        7      1    bits per cell: 1 for Bloom, width of a counter, width of a fingerprint
///        8      4    hash id: 1 XxHash3, 2 ParquetHash, 3 XxHash3_128, 4 SipHash
///       12      4    layout id: 1 Classic, 0x1000 + B Blocked<B>, 0x2000 + w SplitBlock<w, 8>; 0x3000 + b for cuckoo
///                    filters with b fingerprints per bucket
///       16      4    probe id: 1 DoubleHashing, 2 Enhanced.., 3 RotatingDoubleHashing; 0 for split blocks and cuckoo
///       20      4    kind of key, and in its lowest four bits the key encoding version: 1; see below
///       24      8    seed of the hash policy, or check value of its key; 0 for one that takes neither
///       32      8    cells: m bits, m counters, or buckets
///       40      8    fingerprints in the table (size()); 0 for the others
///       48      8    payload, in bytes: a multiple of 8
///       56      8    XXH3-64, seed 0, of all the bytes, these eight taken as 0
///       64           payload: cell i is bits i*w to i*w + w - 1, w bits per cell (of a bucket: f times b bits,
///                    slot 0 first); bit j is bit j % 8 of byte j / 8. Bits after the last cell are 0.
///
/// The payload of Bloom and counting filters is as long as the layout has it: whole 64-bit words, whole blocks. That of
/// cuckoo filters is the table, and 7 bytes (3 if f*b is up to 26, 28 or 32), rounded up to whole words.
///
/// Policies of others have ids with the highest bit set, declared as `static constexpr std::uint32_t stored_id`.
///
/// The kind of key is a number of one hexadecimal digit for each part of the type, from low to high, and zeros:
///
///     0 end of a tuple    2 to 5  unsigned integers of 8, 16, 32, 64 bits    A, B  floating point of 32, 64 bits
///     C text or bytes     6 to 9  signed integers of 8, 16, 32, 64 bits      D     optional, followed by its value
///     10 bool, 11 char, 12 and 13 wchar_t of 16 and 32 bits (in this order)  E     tuple, followed by its fields and 0
///     14, 15 unsigned and signed integers of 128 bits    16, 17 text of units of 16 and 32 bits    18 path
///     19 sequence, followed by its element               1A variant, followed by its alternatives and 0
///     F other types, durations and time points, and types of more digits, followed by a checksum of 24 bits
///
/// So std::uint64_t is 0x51 with the version in front, and std::pair<int, std::string> 0xC8E1. A filter loads as a
/// filter of another Key where that finds every argument that the stored one took: integers as integers that hold all
/// of their values. Enumerations are their underlying types, classes what their perhaps_key returns.
///
/// Loading trusts nothing: all of it is checked, lengths against each other and against what is there, before memory is
/// taken. Bytes that are not exactly what saving a filter gives are refused, with the reason.
#ifndef PERHAPS_STORED_FORMAT_HPP
#define PERHAPS_STORED_FORMAT_HPP

#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/key_encoding.hpp>
#include <perhaps/stored/byte_range.hpp>
#include <perhaps/stored/names.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {

inline constexpr unsigned stored_format_version = 1;    ///< What is written, and the only one that is read
inline constexpr std::size_t stored_header_bytes = 64;  ///< The header's size

/// Why bytes were refused.
enum class FormatReason : unsigned char {
  magic,              ///< not a stored filter, or damaged in a transfer as text
  format_version,     ///< a later format
  reserved,           ///< a field that is 0 in this version, or for this kind of filter, is not
  kind,               ///< another class of filter
  key_encoding,       ///< keys were hashed by another version of key_encoding.hpp
  key_kind,           ///< keys of a kind of which the filter asked for would deny some: signed integers for unsigned
  hash,               ///< another hash policy
  layout,             ///< another layout
  probes,             ///< another probe sequence
  counter_width,      ///< counters of another width
  fingerprint_width,  ///< fingerprints of another width
  bucket_size,        ///< buckets of another size
  seed,               ///< a seed for a policy that takes none
  cells,              ///< m, counters or buckets are 0, or no whole blocks
  hashes,             ///< k is 0 or not one that the layout takes
  too_large,          ///< more than this platform can address
  length,             ///< the payload's length does not follow from the cells
  truncated,          ///< bytes end early
  too_long,           ///< bytes go on after the payload
  padding,            ///< bits are set after the last cell
  key_count,          ///< size() is not the number of fingerprints
  checksum,           ///< the checksum differs: bytes have changed since they were written
  alignment,          ///< a view: the payload is not aligned to a block of the layout
  byte_order,         ///< a view on a big-endian platform
  stream,             ///< the stream could not be read or written
  memory,             ///< no memory (of the functions that return a reason; others throw std::bad_alloc)
  parquet,            ///< a header that is not that of a Parquet split-block filter
  chain,              ///< a chain of filters whose numbers of stages, rate or growth are out of range
  key,                ///< saved under another secret key of the hash policy
};

/// A reason and the two values that differ, where there are such: what the bytes have and what is asked for.
struct FormatFailure {
  FormatReason reason;         ///< Why
  std::uint64_t found = 0;     ///< What the bytes have
  std::uint64_t expected = 0;  ///< What is asked for

  /// Equal in every field.
  friend bool operator==(const FormatFailure&, const FormatFailure&) = default;
};

namespace detail {

// The failure's sentence, {} for the values. A switch, so that the compiler misses a reason that has none.
constexpr std::string_view sentence_of(FormatReason reason) noexcept {
  using R = FormatReason;
  switch (reason) {
    case R::magic:
      return "no stored filter: it does not begin with the magic bytes";
    case R::format_version:
      return "of a later format version: {}, this library reads {}";
    case R::reserved:
      return "a reserved field is {}, not 0";
    case R::kind:
      return "it is {}, asked for {}";
    case R::key_encoding:
      return "its keys have another encoding version: {}, this library's is {}";
    case R::key_kind:
      return "its keys are {}, asked for {}";
    case R::hash:
      return "its hash policy is {}, asked for {}";
    case R::layout:
      return "its layout is {}, asked for {}";
    case R::probes:
      return "its probe sequence is {}, asked for {}";
    case R::counter_width:
      return "its counters have {} bits, asked for {}";
    case R::fingerprint_width:
      return "its fingerprints have {} bits, asked for {}";
    case R::bucket_size:
      return "its buckets hold {} fingerprints, asked for {}";
    case R::seed:
      return "it has seed {}, for a hash policy that takes none";
    case R::cells:
      return "it has {} cells: none, or no whole blocks of {}";
    case R::hashes:
      return "it has {} hashes, which its layout does not take";
    case R::too_large:
      return "its {} cells are too large for this platform";
    case R::length:
      return "its payload has {} bytes, by its cells it must have {}";
    case R::truncated:
      return "it is truncated: {} bytes of {}";
    case R::too_long:
      return "it is too long: {} bytes instead of {}";
    case R::padding:
      return "bits are set after the last cell";
    case R::key_count:
      return "it says {} keys, but holds {} fingerprints";
    case R::checksum:
      return "its checksum is {}, of its bytes it is {}";
    case R::alignment:
      return "its payload is at address {}, a view needs it aligned to {} bytes";
    case R::byte_order:
      return "a view needs a little-endian platform: load a copy";
    case R::stream:
      return "the stream failed";
    case R::memory:
      return "no memory for {} bytes";
    case R::parquet:
      return "no Parquet split-block filter with XXH64, uncompressed";
    case R::chain:
      return "no chain of filters: its rate, growth or age, its {} stages or the index {} of the newest are out of "
             "range";
    case R::key:
      return "it was saved under another key: its check value is {}, that of the key given is {}";
  }
  return "refused";
}

// A value of a failure, as its sentence has it: ids by their names.
inline std::string show_value(FormatReason reason, std::uint64_t value) {
  using R = FormatReason;
  if (reason == R::kind) return describe_filter_kind(value);
  if (reason == R::hash) return describe_hash(value);
  if (reason == R::layout) return describe_layout(value);
  if (reason == R::probes) return describe_probes(value);
  if (reason == R::key_kind) return describe_keys(value);
  return std::to_string(value);
}

}  // namespace detail

/// The failure in a sentence: "stored filter: its layout is Blocked<512> (0x1200), asked for Classic (0x1)".
inline std::string describe(const FormatFailure& failure) {
  const std::string_view sentence = detail::sentence_of(failure.reason);
  std::string text = "stored filter: ";
  std::size_t at = 0;
  for (const std::uint64_t value : {failure.found, failure.expected}) {
    const std::size_t gap = sentence.find("{}", at);
    if (gap == std::string_view::npos) break;
    text.append(sentence.substr(at, gap - at));
    text.append(detail::show_value(failure.reason, value));
    at = gap + 2;
  }
  return text.append(sentence.substr(at));
}

/// Thrown for bytes that are not what was asked for; what() is describe() of the failure.
class FormatError : public std::runtime_error {
 public:
  /// Says `what` by what(), and keeps the failure.
  FormatError(const std::string& what, FormatFailure failure) : std::runtime_error(what), failure_(failure) {}

  FormatReason reason() const noexcept { return failure_.reason; }    ///< Why
  const FormatFailure& failure() const noexcept { return failure_; }  ///< Why, with both values

 private:
  FormatFailure failure_;
};

namespace detail {

[[noreturn]] inline void fail_format(const FormatFailure& failure) { fail<FormatError>(describe(failure), failure); }

// Throws what a failure of this type is as an exception: one specialisation each.
template <class Failure>
struct ThrownFor;

template <>
struct ThrownFor<FormatFailure> {
  [[noreturn]] static void fail(const FormatFailure& failure) {
    if (failure.reason == FormatReason::memory) fail_for_memory();
    fail_format(failure);
  }
};

}  // namespace detail

/// What a function that loads without exceptions returns: a T, or why there is none. Contextually true if it is a T.
/// The failure is a FormatFailure, or a FileFailure where files are loaded (files.hpp).
template <class T, class Failure = FormatFailure>
class LoadResult {
 public:
  /// A T that was loaded.
  LoadResult(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): like optional
  /// The reason why there is none.
  LoadResult(Failure failure) noexcept : failure_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)

  /// Whether this is a T.
  explicit operator bool() const noexcept { return value_.has_value(); }

  T& operator*() & noexcept { return *value_; }               ///< The T. Precondition: this is one
  const T& operator*() const& noexcept { return *value_; }    ///< The T. Precondition: this is one
  T&& operator*() && noexcept { return std::move(*value_); }  ///< The T. Precondition: this is one
  T* operator->() noexcept { return &*value_; }               ///< Its members. Precondition: this is a T
  const T* operator->() const noexcept { return &*value_; }   ///< Its members. Precondition: this is a T

  const Failure& failure() const noexcept { return failure_; }  ///< Why not, with the details. Precondition: no T
  auto reason() const noexcept { return failure_.reason; }      ///< Why there is none. Precondition: no T

  /// The T. Throws if there is none: FormatError; FileError, where it is for the file; std::bad_alloc, if it is for
  /// want of memory.
  T value() && requires detail::exceptions_enabled {
    if (*this) return std::move(**this);
    detail::ThrownFor<Failure>::fail(failure());
  }

 private:
  std::optional<T> value_;
  Failure failure_{};
};

/// The header, field by field, in the order of the table of stored/format.hpp.
struct StoredHeader {
  std::uint8_t version = stored_format_version;  ///< Format version
  std::uint8_t kind = 0;                         ///< 1 Bloom, 2 counting, 3 cuckoo, 4 a chain, 5 a rolling filter
  std::uint8_t hashes = 0;                       ///< k; 0 for cuckoo filters
  std::uint8_t cell_bits = 0;                    ///< Bits per cell
  std::uint32_t hash_id = 0;                     ///< Of the hash policy
  std::uint32_t layout_id = 0;  ///< Of the layout; for cuckoo filters, 0x3000 + fingerprints per bucket
  std::uint32_t probe_id = 0;   ///< 0 for split blocks and cuckoo filters
  std::uint32_t key_kind = key_encoding_version;  ///< key_encoding_version, and the kind of key from bit 4 on
  std::uint64_t seed = 0;                         ///< Of the hash policy, or 0
  std::uint64_t cells = 0;                        ///< m bits, m counters, or buckets
  std::uint64_t keys = 0;                         ///< size() of a cuckoo filter, or 0
  std::uint64_t payload_bytes = 0;                ///< What follows the header
  std::uint64_t checksum = 0;                     ///< XXH3-64 of header and payload

  /// Fingerprints per bucket of a cuckoo filter, or 0.
  constexpr std::uint32_t bucket_size() const noexcept {
    return kind == 3 && layout_id / 256 == 0x30 ? layout_id % 256 : 0;
  }

  /// Equal in every field.
  friend bool operator==(const StoredHeader&, const StoredHeader&) = default;
};

namespace detail {

inline constexpr std::array<unsigned char, 4> stored_magic{0x89, 'P', 'F', '\n'};

// Calls `visit(offset, field)` for every field of a header.
template <class Header, class Visit>
constexpr void for_each_field(Header& header, Visit visit) {
  visit(4, header.version);
  visit(5, header.kind);
  visit(6, header.hashes);
  visit(7, header.cell_bits);
  visit(8, header.hash_id);
  visit(12, header.layout_id);
  visit(16, header.probe_id);
  visit(20, header.key_kind);
  visit(24, header.seed);
  visit(32, header.cells);
  visit(40, header.keys);
  visit(48, header.payload_bytes);
  visit(56, header.checksum);
}

using HeaderBytes = std::array<unsigned char, stored_header_bytes>;

inline HeaderBytes encode_header(const StoredHeader& header) noexcept {
  HeaderBytes bytes{};
  for (std::size_t i = 0; i < stored_magic.size(); ++i) bytes[i] = stored_magic[i];
  for_each_field(header, [&](std::size_t offset, auto field) { store_little_endian(bytes.data() + offset, field); });
  return bytes;
}

// XXH3-64 of bytes that come in pieces.
class Checksum {
 public:
  Checksum() noexcept { XXH3_64bits_reset(&state_); }

  // Begins with a header, its checksum taken as 0.
  explicit Checksum(StoredHeader header) noexcept : Checksum() {
    header.checksum = 0;
    const HeaderBytes bytes = encode_header(header);
    add(std::as_bytes(std::span(bytes)));
  }

  void add(std::span<const std::byte> bytes) noexcept { XXH3_64bits_update(&state_, bytes.data(), bytes.size()); }

  std::uint64_t value() const noexcept { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

}  // namespace detail

/// The header at the beginning of `bytes`: what is stored there, for a program that does not know. Only magic, version
/// and length are checked; loading checks the rest.
inline LoadResult<StoredHeader> try_stored_header(std::span<const std::byte> bytes) noexcept {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  for (std::size_t i = 0; i < detail::stored_magic.size() && i < bytes.size(); ++i) {
    if (data[i] != detail::stored_magic[i]) return FormatFailure{FormatReason::magic};
  }
  if (bytes.size() > 4 && data[4] != stored_format_version) {
    return FormatFailure{FormatReason::format_version, data[4], stored_format_version};
  }
  if (bytes.size() < stored_header_bytes) {
    return FormatFailure{FormatReason::truncated, bytes.size(), stored_header_bytes};
  }
  StoredHeader header;
  detail::for_each_field(header, [&]<class Field>(std::size_t offset, Field& field) {
    field = detail::load_little_endian<Field>(data + offset);
  });
  return header;
}

/// The header at the beginning of bytes of another type: a std::string, a vector or a span of unsigned char, and so on.
template <class Range>
requires detail::OtherBytes<Range> LoadResult<StoredHeader> try_stored_header(const Range& bytes) noexcept {
  return try_stored_header(detail::bytes_of(bytes));
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
