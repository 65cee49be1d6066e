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
/// memory is taken, and the target of a failed load is unchanged. stored/format.hpp has the format and the reasons.
/// A checksum is no signature: who can write a file can write a filter of their choice, which is a valid one.
///
/// Streams must be opened as binary. Functions over streams need `<istream>` or `<ostream>` where they are called.
#ifndef PERHAPS_SERIALIZATION_HPP
#define PERHAPS_SERIALIZATION_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/byte_range.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/storable.hpp>
#include <perhaps/stored/stream.hpp>
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

namespace perhaps {
inline namespace PERHAPS_ABI {

template <class F>
class ScalableFilter;
template <class Key, class Hash, detail::LayoutArgument Layout>
class RollingBloomFilter;

namespace detail {

template <class C>
inline constexpr bool is_chain = false;
template <class F>
inline constexpr bool is_chain<ScalableFilter<F>> = true;
template <class Key, class Hash, class Layout>
inline constexpr bool is_chain<RollingBloomFilter<Key, Hash, Layout>> = true;

template <class C>
concept Chain = is_chain<C>;

}  // namespace detail

// Chains are loaded by stored/chains.hpp; declared here for the functions below that call these.
template <detail::Chain C>
[[nodiscard]] LoadResult<C> try_from_bytes(std::span<const std::byte> bytes) noexcept;
template <detail::Chain C, class Traits>
[[nodiscard]] LoadResult<C> try_read(std::basic_istream<char, Traits>& in);

/// How much of stored bytes a view checks when it is made.
enum class Verify {
  structure,   ///< the header, lengths and the last word: O(1), touches two pages. For bytes that are known to be whole
  everything,  ///< the checksum too: O(m), reads all of it
};

namespace detail {

// Filters that other threads may be writing to while they are saved.
template <class F>
concept SharedFilter = requires { requires ConcurrentStorage<typename F::storage>; };

// The plain filter that a filter is copied to for being saved.
template <class F>
using SequentialFilterOf = BloomFilter<typename F::key_type, typename F::hasher, typename F::layout>;

// Turns a payload as it is stored into words, and back.
template <class F>
void to_native(std::span<std::uint64_t> words) noexcept {
  if constexpr (std::endian::native == std::endian::big && !StoredKind<F>::words_are_bytes) {
    for (std::uint64_t& word : words) word = reverse_bytes(word);
  }
}

// Calls `use(bytes)` for the payload, in pieces, as it is stored. Cuckoo tables are bytes in memory already.
template <class F, class Use>
void for_each_piece(const F& filter, Use use) {
  const std::span<const std::uint64_t> words = StoredAccess::words(filter);
  if constexpr (SharedFilter<F>) {
    std::array<std::uint64_t, 512> piece{};
    for (std::size_t first = 0; first < words.size(); first += piece.size()) {
      const std::size_t size = (std::min)(piece.size(), words.size() - first);
      for (std::size_t i = 0; i < size; ++i) piece[i] = StoredAccess::load(filter, first + i);
      to_native<F>(std::span(piece).first(size));
      use(std::as_bytes(std::span(piece).first(size)));
    }
  } else if constexpr (std::endian::native == std::endian::little || StoredKind<F>::words_are_bytes) {
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

// The header of a filter of type F, and `bytes` as long as it says.
template <class F>
LoadResult<StoredHeader> check_structure(std::span<const std::byte> bytes) noexcept {
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

// Where the hash policy of a loaded filter comes from: here from the header, which holds its seed if it has one.
// stored/keyed.hpp has the other origin, the caller, who knows the key that a header must not hold.
struct PolicyFromHeader {
  static std::optional<FormatFailure> mismatch(const StoredHeader&) noexcept { return std::nullopt; }

  template <class F, class Words>
  static F make(const StoredHeader& header, Words words) {
    return StoredAccess::make<F>(header, std::move(words));
  }
};

// try_from_bytes with a policy from `origin`.
template <class F, class Origin>
LoadResult<F> load_stored(std::span<const std::byte> bytes, const Origin& origin) noexcept {
  static_assert(explain_storable<F>());
  static_assert(OwningFilter<F>,
                "perhaps: load into a filter that owns its words; to ask bytes in place, make "
                "a view of them with view_bytes.");
  const auto header = check_structure<F>(bytes);
  if (!header) return header.failure();
  if (const auto failure = origin.mismatch(*header)) return *failure;
  const auto payload = bytes.subspan(stored_header_bytes);
  if (const auto damage = find_damage<F>(*header, payload, checksum_of(*header, payload))) return *damage;
  auto words = OwnedWords::make(payload.size() / 8);
  if (!words) return FormatFailure{FormatReason::memory, payload.size(), 0};
  std::memcpy(words->words().data(), payload.data(), payload.size());
  to_native<F>(words->words());
  return origin.template make<F>(*header, *std::move(words));
}

// try_view_bytes with a policy from `origin`.
template <class F, class Origin>
LoadResult<ViewOf<F>> view_stored(std::span<const std::byte> bytes, const Origin& origin, Verify verify) noexcept {
  static_assert(explain_storable<F>());
  using View = ViewOf<F>;
  const auto header = check_structure<View>(bytes);
  if (!header) return header.failure();
  if (const auto failure = origin.mismatch(*header)) return *failure;
  const auto payload = bytes.subspan(stored_header_bytes);
  if (padding_is_set<View>(*header, payload)) return FormatFailure{FormatReason::padding};
  if constexpr (std::endian::native != std::endian::little) return FormatFailure{FormatReason::byte_order};
  const auto address = reinterpret_cast<std::uintptr_t>(payload.data());
  constexpr std::size_t alignment = block_alignment<typename F::layout>;
  if (address % alignment != 0) return FormatFailure{FormatReason::alignment, address, alignment};
  if (verify == Verify::everything) {
    if (const auto damage = find_damage<View>(*header, payload, checksum_of(*header, payload))) return *damage;
  }
  const auto* words = reinterpret_cast<const std::uint64_t*>(payload.data());
  return origin.template make<View>(*header, ReadOnlyWords({words, payload.size() / 8}));
}

template <class F, class Origin, class Stream>
LoadResult<F> read_without_throwing(Stream& in, const Origin& origin) {
  if (in.fail()) return FormatFailure{FormatReason::stream};
  std::array<std::byte, stored_header_bytes> head{};
  const std::size_t got = read_bytes(in, head);
  if (in.bad()) return FormatFailure{FormatReason::stream};
  const auto header = try_stored_header(Bytes(head).first(got));
  if (!header) return header.failure();
  if (const auto failure = find_mismatch<F>(*header)) return *failure;
  if (const auto failure = origin.mismatch(*header)) return *failure;
  Checksum checksum(*header);
  auto words = read_words(in, to_size(header->payload_bytes / 8), head.back(), checksum);
  if (!words) return words.failure();
  if (const auto damage = find_damage<F>(*header, std::as_bytes(words->words()), checksum.value())) return *damage;
  to_native<F>(words->words());
  return origin.template make<F>(*header, *std::move(words));
}

// try_read with a policy from `origin`.
template <class F, class Origin, class Stream>
LoadResult<F> read_stored(Stream& in, const Origin& origin) {
  static_assert(explain_storable<F>());
  static_assert(OwningFilter<F>, "perhaps: read into a filter that owns its words.");
  const auto exceptions = in.exceptions();
  in.exceptions(std::ios_base::goodbit);
  LoadResult<F> loaded = read_without_throwing<F>(in, origin);
  in.exceptions(exceptions);
  return loaded;
}

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
  bytes.reserve(detail::to_size(stored_size(filter)));
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
[[nodiscard]] LoadResult<F> try_from_bytes(std::span<const std::byte> bytes) noexcept {
  return detail::load_stored<F>(bytes, detail::PolicyFromHeader{});
}

/// The filter that was saved as `bytes`. Throws FormatError, whose reason() says what is wrong with the bytes;
/// std::bad_alloc. O(m).
template <class F>
[[nodiscard]] F from_bytes(std::span<const std::byte> bytes) requires detail::exceptions_enabled {
  return try_from_bytes<F>(bytes).value();
}

/// from_bytes into a filter that is there: unchanged if that throws.
template <class F>
void load_into(F& filter, std::span<const std::byte> bytes) requires detail::exceptions_enabled {
  filter = from_bytes<F>(bytes);
}

/// The filter that was saved as `bytes`, or the reason why there is none, from bytes of any type: std::string,
/// std::string_view, a vector, array or span of std::byte, unsigned char or char. O(m).
template <class F, detail::OtherBytes Range>
[[nodiscard]] LoadResult<F> try_from_bytes(const Range& bytes) noexcept {
  return try_from_bytes<F>(detail::bytes_of(bytes));
}

/// The filter that was saved as `bytes`, from bytes of any type. O(m). Throws FormatError, std::bad_alloc.
template <class F, detail::OtherBytes Range>
[[nodiscard]] F from_bytes(const Range& bytes) requires detail::exceptions_enabled {
  return from_bytes<F>(detail::bytes_of(bytes));
}

/// Loads the filter that was saved as `bytes`, of any type, into one that is there: unchanged if that throws.
template <class F, detail::OtherBytes Range>
void load_into(F& filter, const Range& bytes) requires detail::exceptions_enabled {
  load_into(filter, detail::bytes_of(bytes));
}

/// A read-only filter of type F over stored bytes, in place: for mapped files and received buffers. It answers like the
/// filter that was saved. The bytes must stay, unchanged, as long as the view. No allocation; O(1) or O(m), see Verify.
/// Refused besides for the reasons of loading: FormatReason::alignment unless the payload, 64 bytes from the beginning,
/// is aligned to a block of the layout (8 bytes for Classic, at most 64), FormatReason::byte_order on big-endian.
template <class F>
[[nodiscard]] LoadResult<detail::ViewOf<F>> try_view_bytes(std::span<const std::byte> bytes,
                                                           Verify verify = Verify::everything) noexcept {
  return detail::view_stored<F>(bytes, detail::PolicyFromHeader{}, verify);
}

/// A read-only filter over stored bytes, in place, as try_view_bytes() makes it. Throws FormatError. O(1) or O(m).
template <class F>
[[nodiscard]] detail::ViewOf<F> view_bytes(std::span<const std::byte> bytes, Verify verify = Verify::everything)
    requires detail::exceptions_enabled {
  return try_view_bytes<F>(bytes, verify).value();
}

/// A read-only filter over bytes of any type, in place, or the reason why there is none. The range must be an object
/// that has a name, or one that refers to bytes of others, such as a std::span or std::string_view: the view would
/// outlive the bytes of a temporary std::string or vector, so these do not compile.
template <class F, detail::OtherBytes Range>
[[nodiscard]] LoadResult<detail::ViewOf<F>> try_view_bytes(Range&& bytes, Verify verify = Verify::everything) noexcept {
  return try_view_bytes<F>(detail::kept_bytes<Range>(bytes), verify);
}

/// A read-only filter over bytes of any type, in place, which the range refers to or owns; temporaries that own them do
/// not compile. Throws FormatError.
template <class F, detail::OtherBytes Range>
[[nodiscard]] detail::ViewOf<F> view_bytes(Range&& bytes, Verify verify = Verify::everything)
    requires detail::exceptions_enabled {
  return view_bytes<F>(detail::kept_bytes<Range>(bytes), verify);
}

/// Writes the stored bytes of `filter` and flushes, so that a full disk shows. False if the stream fails. O(m).
/// A filter that threads share is copied first, as its checksum comes before its bits.
template <class F, class Traits>
[[nodiscard]] bool try_write(const F& filter, std::basic_ostream<char, Traits>& out) {
  static_assert(detail::explain_storable<F>());
  if constexpr (detail::SharedFilter<F>) return try_write(detail::SequentialFilterOf<F>(filter), out);
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

/// Writes the stored bytes of `filter` and flushes. Throws FormatError if the stream fails. O(m).
template <class F, class Traits>
void write(const F& filter, std::basic_ostream<char, Traits>& out) requires detail::exceptions_enabled {
  if (!try_write(filter, out)) detail::fail_format({FormatReason::stream});
}

/// The filter whose stored bytes come next in `in`, or the reason why there is none. Reads no byte more, so filters can
/// follow one another; after a failure the stream is somewhere within. A header that promises more than there is takes
/// no more memory than three times what has come and 256 KiB. Streams that can't seek or tell will do. O(m).
/// Throws only what the stream was asked to throw by its exceptions(), once reading has failed.
template <class F, class Traits>
[[nodiscard]] LoadResult<F> try_read(std::basic_istream<char, Traits>& in) {
  return detail::read_stored<F>(in, detail::PolicyFromHeader{});
}

/// The filter whose stored bytes come next in `in`, as try_read() reads it. Throws FormatError, std::bad_alloc. O(m).
template <class F, class Traits>
[[nodiscard]] F read(std::basic_istream<char, Traits>& in) requires detail::exceptions_enabled {
  return try_read<F>(in).value();
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
