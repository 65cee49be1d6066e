// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Saving and loading filters, as bytes and through streams, and asking stored bytes in place:
///
///     const std::vector<std::byte> bytes = to_bytes(filter);       write(filter, file);
///     auto same = from_bytes<BloomFilter<std::string>>(bytes);     auto same = read<BloomFilter<std::string>>(file);
///     auto view = view_bytes<BloomFilter<std::string>>(mapped);    no copy, no allocation
///
/// Guarantee: what loads equals what was saved; bytes that are anything else are refused, whoever made them, before
/// memory is taken, and the target of a failed load is unchanged. stored_format.hpp has the format and the reasons.
/// A checksum is no signature: who can write a file can write a filter of their choice, which is a valid one.
///
/// Streams must be opened as binary. Functions over streams need `<istream>` or `<ostream>` where they are called.
#ifndef PERHAPS_SERIALIZATION_HPP
#define PERHAPS_SERIALIZATION_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/borrowed_words.hpp>
#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/storable.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored_format.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ios>
#include <iosfwd>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace perhaps::inline PERHAPS_ABI {

/// How much of stored bytes a view checks when it is made.
enum class Verify {
  structure,   ///< the header, lengths and the last word: O(1), touches two pages. For bytes that are known to be whole
  everything,  ///< the checksum too: O(m), reads all of it
};

namespace detail {

// Calls `use(bytes)` for the payload, in pieces, as it is stored. Cuckoo tables are bytes in memory already.
template <class F, class Use>
void for_each_piece(const F& filter, Use use) {
  const std::span<const std::uint64_t> words = StoredAccess::words(filter);
  if constexpr (std::endian::native == std::endian::little || stored_kind<F> == 3) {
    use(std::as_bytes(words));
  } else {
    std::array<std::uint64_t, 512> piece{};
    for (std::size_t first = 0; first < words.size(); first += piece.size()) {
      const std::size_t size = (std::min)(piece.size(), words.size() - first);
      for (std::size_t i = 0; i < size; ++i) piece[i] = reverse_bytes(words[first + i]);
      use(std::as_bytes(std::span(piece).first(size)));
    }
  }
}

// What is hashed and copied piece by piece, so that the second finds it in the cache.
inline constexpr std::size_t cached_bytes = std::size_t{1} << 18U;

// Not inlined: GCC does not see that there is room, and warns.
[[gnu::noinline]] inline void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

// The header with its checksum. O(m).
template <class F>
StoredHeader sealed_header(const F& filter) noexcept {
  StoredHeader header = StoredAccess::header_of(filter);
  Checksum checksum(header);
  for_each_piece(filter, [&](std::span<const std::byte> piece) { checksum.add(piece); });
  header.checksum = checksum.value();
  return header;
}

// Turns a payload as it is stored into words.
template <class F>
void to_native(std::span<std::uint64_t> words) noexcept {
  if constexpr (std::endian::native == std::endian::big && stored_kind<F> != 3) {
    for (std::uint64_t& word : words) word = reverse_bytes(word);
  }
}

// The header of a filter of type F, and `bytes` as long as it says.
template <class F>
Loaded<StoredHeader> check_structure(std::span<const std::byte> bytes) noexcept {
  auto header = try_stored_header(bytes);
  if (!header) return header;
  if (const auto failure = find_mismatch<F>(*header)) return *failure;
  const std::uint64_t payload = bytes.size() - stored_header_bytes;
  const std::uint64_t whole = header->payload_bytes + stored_header_bytes;
  if (payload < header->payload_bytes) return FormatFailure{FormatReason::truncated, bytes.size(), whole};
  if (payload > header->payload_bytes) return FormatFailure{FormatReason::too_long, bytes.size(), whole};
  return header;
}

inline std::uint64_t checksum_of(const StoredHeader& header, std::span<const std::byte> payload) noexcept {
  Checksum checksum(header);
  checksum.add(payload);
  return checksum.value();
}

template <class F>
using ViewOf = BloomFilterView<typename F::key_type, typename F::hasher, typename F::layout>;

}  // namespace detail

/// How many bytes saving `filter` takes. O(1).
template <class F>
[[nodiscard]] std::uint64_t stored_size(const F& filter) noexcept {
  static_assert(detail::explain_storable<F>());
  return detail::StoredAccess::header_of(filter).payload_bytes + stored_header_bytes;
}

/// The stored bytes of `filter`: equal filters give equal bytes, on every platform. O(m). Throws std::bad_alloc.
/// Precondition: it was not moved from (such bytes do not load).
template <class F>
[[nodiscard]] std::vector<std::byte> to_bytes(const F& filter) {
  static_assert(detail::explain_storable<F>());
  const StoredHeader header = detail::StoredAccess::header_of(filter);
  const auto head = detail::encode_header(header);
  detail::Checksum checksum(header);
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<std::size_t>(stored_size(filter)));
  detail::append(bytes, std::as_bytes(std::span(head)));
  detail::for_each_piece(filter, [&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const auto part = piece.first((std::min)(piece.size(), detail::cached_bytes));
      checksum.add(part);
      detail::append(bytes, part);
      piece = piece.subspan(part.size());
    }
  });
  detail::store_little_endian(reinterpret_cast<unsigned char*>(bytes.data()) + 56, checksum.value());
  return bytes;
}

/// The filter that was saved as `bytes`, at any address, or the reason why there is none. O(m).
template <class F>
[[nodiscard]] Loaded<F> try_from_bytes(std::span<const std::byte> bytes) noexcept {
  static_assert(detail::explain_storable<F>());
  static_assert(detail::OwningFilter<F>,
                "perhaps: load into a filter that owns its words; to ask bytes in place, make "
                "a view of them with view_bytes.");
  const auto header = detail::check_structure<F>(bytes);
  if (!header) return header.failure();
  const auto payload = bytes.subspan(stored_header_bytes);
  if (const auto damage = detail::find_damage<F>(*header, payload, detail::checksum_of(*header, payload))) {
    return *damage;
  }
  auto words = OwnedWords::make(payload.size() / 8);
  if (!words) return FormatFailure{FormatReason::memory, payload.size(), 0};
  std::memcpy(words->words().data(), payload.data(), payload.size());
  detail::to_native<F>(words->words());
  return detail::StoredAccess::make<F>(*header, *std::move(words));
}

/// The same. Throws FormatError, whose reason() says what is wrong with the bytes; std::bad_alloc.
template <class F>
[[nodiscard]] F from_bytes(std::span<const std::byte> bytes) requires detail::exceptions_enabled {
  return try_from_bytes<F>(bytes).value();
}

/// from_bytes into a filter that is there: unchanged if that throws.
template <class F>
void load_into(F& filter, std::span<const std::byte> bytes) requires detail::exceptions_enabled {
  filter = from_bytes<F>(bytes);
}

/// A read-only filter of type F over stored bytes, in place: for mapped files and received buffers. It answers like the
/// filter that was saved. The bytes must stay, unchanged, as long as the view. No allocation; O(1) or O(m), see Verify.
/// Refused besides for the reasons of loading: FormatReason::alignment unless the payload, 64 bytes from the beginning,
/// is aligned to a block of the layout (8 bytes for Scattered, at most 64), FormatReason::byte_order on big-endian.
template <class F>
[[nodiscard]] Loaded<detail::ViewOf<F>> try_view_bytes(std::span<const std::byte> bytes,
                                                       Verify verify = Verify::everything) noexcept {
  static_assert(detail::explain_storable<F>());
  using View = detail::ViewOf<F>;
  const auto header = detail::check_structure<View>(bytes);
  if (!header) return header.failure();
  const auto payload = bytes.subspan(stored_header_bytes);
  if (detail::padding_is_set<View>(*header, payload)) return FormatFailure{FormatReason::padding};
  if constexpr (std::endian::native != std::endian::little) return FormatFailure{FormatReason::byte_order};
  const auto address = reinterpret_cast<std::uintptr_t>(payload.data());
  constexpr std::size_t alignment = detail::block_alignment<typename F::layout>;
  if (address % alignment != 0) return FormatFailure{FormatReason::alignment, address, alignment};
  if (verify == Verify::everything) {
    const std::uint64_t checksum = detail::checksum_of(*header, payload);
    if (const auto damage = detail::find_damage<View>(*header, payload, checksum)) return *damage;
  }
  const auto* words = reinterpret_cast<const std::uint64_t*>(payload.data());
  return detail::StoredAccess::make<View>(*header, ReadOnlyWords({words, payload.size() / 8}));
}

/// The same. Throws FormatError.
template <class F>
[[nodiscard]] detail::ViewOf<F> view_bytes(std::span<const std::byte> bytes,
                                           Verify verify = Verify::everything) requires detail::exceptions_enabled {
  return try_view_bytes<F>(bytes, verify).value();
}

/// Writes the stored bytes of `filter` and flushes, so that a full disk shows. False if the stream fails. O(m).
template <class F, class Traits>
[[nodiscard]] bool try_write(const F& filter, std::basic_ostream<char, Traits>& out) {
  static_assert(detail::explain_storable<F>());
  const auto header = detail::encode_header(detail::sealed_header(filter));
  const auto put = [&](std::span<const std::byte> piece) {
    constexpr std::size_t most = std::size_t{1} << 30U;  // stream sizes may be of 32 bits
    for (; !piece.empty(); piece = piece.subspan((std::min)(most, piece.size()))) {
      out.write(reinterpret_cast<const char*>(piece.data()),
                static_cast<std::streamsize>((std::min)(most, piece.size())));
    }
  };
  put(std::as_bytes(std::span(header)));
  detail::for_each_piece(filter, put);
  out.flush();
  return out.good();
}

/// The same. Throws FormatError if the stream fails.
template <class F, class Traits>
void write(const F& filter, std::basic_ostream<char, Traits>& out) requires detail::exceptions_enabled {
  if (!try_write(filter, out)) detail::fail_format({FormatReason::stream});
}

namespace detail {

// How much is left in a stream that can be asked, such as a file.
template <class Stream>
std::optional<std::uint64_t> bytes_left(Stream& in) {
  const auto here = in.tellg();
  if (here == typename Stream::pos_type(-1)) {
    in.clear();
    return std::nullopt;
  }
  in.seekg(0, Stream::end);
  const auto end = in.tellg();
  in.clear();
  in.seekg(here);
  if (!in.good() || end == typename Stream::pos_type(-1) || end < here) return std::nullopt;
  return static_cast<std::uint64_t>(end - here);
}

// Reads a payload of `size` words and adds it to the checksum. A stream that can't say how much is left is not
// believed: memory grows with what has really come, doubling.
template <class Stream>
Loaded<OwnedWords> read_words(Stream& in, std::size_t size, Checksum& checksum) {
  constexpr std::size_t piece = cached_bytes / 8;
  const auto left = bytes_left(in);
  if (left && *left / 8 < size) return FormatFailure{FormatReason::truncated, *left, size * std::uint64_t{8}};
  auto words = OwnedWords::make(left ? size : (std::min)(size, piece));
  std::size_t read = 0;
  while (words && read < size) {
    if (read == words->size()) {
      auto larger = OwnedWords::make(read > size / 2 ? size : 2 * read);
      if (larger) std::ranges::copy(words->words(), larger->words().begin());
      words = std::move(larger);
      continue;
    }
    const auto next = words->words().subspan(read, (std::min)(piece, words->size() - read));
    in.read(reinterpret_cast<char*>(next.data()), static_cast<std::streamsize>(next.size_bytes()));
    if (in.bad()) return FormatFailure{FormatReason::stream};
    const auto got = static_cast<std::uint64_t>(in.gcount());
    if (got != next.size_bytes()) return FormatFailure{FormatReason::truncated, read * 8 + got, size * 8};
    checksum.add(std::as_bytes(next));
    read += next.size();
  }
  if (!words) return FormatFailure{FormatReason::memory, size * std::uint64_t{8}, 0};
  return *std::move(words);
}

}  // namespace detail

/// The filter whose stored bytes come next in `in`, or the reason why there is none. Reads no byte more, so filters can
/// follow one another; after a failure the stream is somewhere within. A header that promises more than there is takes
/// no more memory than three times what has come. O(m).
template <class F, class Traits>
[[nodiscard]] Loaded<F> try_read(std::basic_istream<char, Traits>& in) {
  static_assert(detail::explain_storable<F>());
  static_assert(detail::OwningFilter<F>, "perhaps: read into a filter that owns its words.");
  std::array<std::byte, stored_header_bytes> head{};
  in.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(head.size()));
  if (in.bad()) return FormatFailure{FormatReason::stream};
  const auto header = try_stored_header(std::span(head).first(static_cast<std::size_t>(in.gcount())));
  if (!header) return header.failure();
  if (const auto failure = detail::find_mismatch<F>(*header)) return *failure;
  detail::Checksum checksum(*header);
  auto words = detail::read_words(in, static_cast<std::size_t>(header->payload_bytes / 8), checksum);
  if (!words) return words.failure();
  if (const auto damage = detail::find_damage<F>(*header, std::as_bytes(words->words()), checksum.value())) {
    return *damage;
  }
  detail::to_native<F>(words->words());
  return detail::StoredAccess::make<F>(*header, *std::move(words));
}

/// The same. Throws FormatError, std::bad_alloc.
template <class F, class Traits>
[[nodiscard]] F read(std::basic_istream<char, Traits>& in) requires detail::exceptions_enabled {
  return try_read<F>(in).value();
}

}  // namespace perhaps::inline PERHAPS_ABI

#endif
