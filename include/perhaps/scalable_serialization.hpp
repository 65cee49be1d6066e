// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Saving, loading and viewing a ScalableFilter, by the functions of serialization.hpp:
///
///     const auto bytes = to_bytes(chain);                                      write(chain, file);
///     auto same = from_bytes<ScalableFilter<BloomFilter<int>>>(bytes); read<ScalableFilter<BloomFilter<int>>>(file)
///     auto view = view_bytes<ScalableFilter<BloomFilter<int>>>(mapped);        a chain of views, which only reads
///
/// What is stored is the header of stored_format.hpp with kind 4, the chain's numbers, and its stages as each of them
/// is stored alone, the oldest first:
///
///        0     64  header: hash, layout, probe and key ids, cell bits and seed are those of the stages; cells is the
///                  number of stages, keys the index of the newest, counted from 0; the checksum is XXH3-64 of this
///                  header (its checksum taken as 0), of the next 64 bytes, and of the headers of all stages
///       64      8  keys that the first stage was made for
///       72     24  rate, growth and tightening, as IEEE 754 numbers of 64 bits
///       96     32  zeros
///      128         the stages, each followed by zeros up to a multiple of 64 bytes
///
/// The guarantees are those of serialization.hpp: what loads equals what was saved, and all else is refused.
#ifndef PERHAPS_SCALABLE_SERIALIZATION_HPP
#define PERHAPS_SCALABLE_SERIALIZATION_HPP

#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/scalable_filter.hpp>
#include <perhaps/scalable_sizing.hpp>
#include <perhaps/serialization.hpp>
#include <perhaps/storable.hpp>
#include <perhaps/stored/byte_range.hpp>
#include <perhaps/stored/stream.hpp>
#include <perhaps/stored_format.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <iosfwd>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace perhaps::inline PERHAPS_ABI {
namespace detail {

inline constexpr std::uint8_t chain_kind = 4;

// The numbers of a chain, as they are stored behind its header.
using ChainBlock = std::array<unsigned char, 64>;

inline ChainBlock encode_chain_block(const ScalableTarget& target) noexcept {
  ChainBlock block{};
  store_little_endian(block.data(), target.keys);
  store_little_endian(block.data() + 8, std::bit_cast<std::uint64_t>(target.fpr));
  store_little_endian(block.data() + 16, std::bit_cast<std::uint64_t>(target.growth));
  store_little_endian(block.data() + 24, std::bit_cast<std::uint64_t>(target.tightening));
  return block;
}

inline ScalableTarget decode_chain_block(const ChainBlock& block) noexcept {
  const auto real = [&block](std::size_t offset) {
    return std::bit_cast<double>(load_little_endian<std::uint64_t>(block.data() + offset));
  };
  return {.keys = load_little_endian<std::uint64_t>(block.data()),
          .fpr = real(8),
          .growth = real(16),
          .tightening = real(24)};
}

inline constexpr std::array<std::byte, 64> zeros{};

// The zeros behind a stage of so many bytes.
constexpr std::size_t padding_behind(std::uint64_t bytes) noexcept { return (64 - bytes % 64) % 64; }

inline bool all_zero(Bytes bytes) noexcept {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

// The friend of chains that reads and makes them.
struct ChainAccess {
  template <class F>
  static ScalableFilter<F> make(const ScalableTarget& target, std::uint64_t index, std::vector<F> stages) {
    auto hash = stages.front().hash_policy();
    return ScalableFilter<F>(target, index, std::move(hash), std::move(stages));
  }

  // All but the checksum. Of a chain without stages, one that does not load.
  template <class F>
  static StoredHeader header_of(const ScalableFilter<F>& chain) noexcept {
    StoredHeader header = StoredAccess::header_of_type<F>();
    header.kind = chain_kind;
    if constexpr (SeededPolicy<typename F::hasher>) header.seed = chain.hash_policy().seed();
    header.cells = chain.stages().size();
    header.keys = chain.index_;
    header.payload_bytes = sizeof(ChainBlock);
    for (const F& stage : chain.stages()) {
      const std::uint64_t bytes = stored_header_bytes + StoredAccess::header_of(stage).payload_bytes;
      header.payload_bytes += bytes + padding_behind(bytes);
    }
    return header;
  }
};

// Calls `put(bytes)` for all that is stored of a chain, piece by piece. O(m).
template <class F, class Put>
void put_chain(const ScalableFilter<F>& chain, Put put) {
  StoredHeader header = ChainAccess::header_of(chain);
  const ChainBlock block = encode_chain_block(chain.target());
  Checksum checksum(header);
  checksum.add(std::as_bytes(std::span(block)));
  std::vector<HeaderBytes> headers;
  headers.reserve(chain.stages().size());
  for (const F& stage : chain.stages()) {
    headers.push_back(encode_header(sealed_header(stage)));
    checksum.add(std::as_bytes(std::span(headers.back())));
  }
  header.checksum = checksum.value();
  const HeaderBytes head = encode_header(header);
  put(std::as_bytes(std::span(head)));
  put(std::as_bytes(std::span(block)));
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const F& stage = chain.stages()[i];
    put(std::as_bytes(std::span(headers[i])));
    for_each_piece(stage, put);
    put(Bytes(zeros).first(padding_behind(StoredAccess::header_of(stage).payload_bytes)));
  }
}

// What the header of a chain says.
struct ChainHeader {
  StoredHeader stored;
  ScalableTarget target;

  // A checksum that has seen the header.
  Checksum begin_checksum() const noexcept {
    const ChainBlock block = encode_chain_block(target);
    Checksum checksum(stored);
    checksum.add(std::as_bytes(std::span(block)));
    return checksum;
  }

  // Why a stage with this header is none of this chain.
  std::optional<FormatFailure> find_mismatch(const StoredHeader& stage) const noexcept {
    using R = FormatReason;
    const auto differ = [](R reason, std::uint64_t found, std::uint64_t expected) -> std::optional<FormatFailure> {
      if (found == expected) return std::nullopt;
      return FormatFailure{reason, found, expected};
    };
    if (const auto failure = differ(R::hash, stage.hash_id, stored.hash_id)) return failure;
    if (const auto failure = differ(R::layout, stage.layout_id, stored.layout_id)) return failure;
    if (const auto failure = differ(R::probes, stage.probe_id, stored.probe_id)) return failure;
    if (const auto failure = differ(R::key_kind, stage.key_kind, stored.key_kind)) return failure;
    if (const auto failure = differ(R::seed, stage.seed, stored.seed)) return failure;
    return differ(R::chain, stage.cell_bits, stored.cell_bits);
  }
};

// The header of a chain whose stages are of type F, from the first 128 bytes or what there is of them.
template <class F>
Loaded<ChainHeader> chain_header(Bytes bytes) noexcept {
  const auto header = try_stored_header(bytes);
  if (!header) return header.failure();
  constexpr std::size_t whole = stored_header_bytes + sizeof(ChainBlock);
  if (header->kind != chain_kind) return FormatFailure{FormatReason::kind, header->kind, chain_kind};
  if (bytes.size() < whole) return FormatFailure{FormatReason::truncated, bytes.size(), whole};
  if (header->hashes != 0) return FormatFailure{FormatReason::reserved, header->hashes, 0};
  ChainBlock block{};
  const Bytes stored = bytes.subspan(stored_header_bytes, block.size());
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = std::to_integer<unsigned char>(stored[i]);
  if (!all_zero(stored.subspan(32))) return FormatFailure{FormatReason::padding};
  const ScalableTarget target = decode_chain_block(block);
  if (!is_scalable(target)) return FormatFailure{FormatReason::chain, header->cells, header->keys};
  // A stage takes 128 bytes at least. Each index up to that of the newest has one; a union has more.
  const bool some = header->cells > 0 && header->cells <= header->payload_bytes / 128;
  const bool in_order = stored_kind<F> == 3 ? header->keys == header->cells - 1 : header->keys < header->cells;
  if (!some || !in_order || header->payload_bytes % 64 != 0 || header->payload_bytes > ~std::uint64_t{0} - 64) {
    return FormatFailure{FormatReason::chain, header->cells, header->keys};
  }
  return ChainHeader{*header, target};
}

// The chain that `bytes` hold, each stage made by load(bytes), which gives a Loaded<F>.
template <class F, class Load>
Loaded<ScalableFilter<F>> load_chain(Bytes bytes, Load load) {
  const auto chain = chain_header<F>(bytes);
  if (!chain) return chain.failure();
  const std::uint64_t whole = chain->stored.payload_bytes + stored_header_bytes;
  if (bytes.size() < whole) return FormatFailure{FormatReason::truncated, bytes.size(), whole};
  if (bytes.size() > whole) return FormatFailure{FormatReason::too_long, bytes.size(), whole};
  Checksum sum = chain->begin_checksum();
  std::vector<F> stages;
  Bytes rest = bytes.subspan(stored_header_bytes + sizeof(ChainBlock));
  for (std::uint64_t i = 0; i < chain->stored.cells; ++i) {
    const auto header = try_stored_header(rest);
    if (!header) return header.failure();
    const std::size_t left = rest.size() - stored_header_bytes;
    if (header->payload_bytes > left) return FormatFailure{FormatReason::truncated, left, header->payload_bytes};
    const Bytes own = rest.first(stored_header_bytes + to_size(header->payload_bytes));
    auto stage = load(own);
    if (!stage) return stage.failure();
    if (const auto failure = chain->find_mismatch(*header)) return *failure;
    sum.add(own.first(stored_header_bytes));
    stages.push_back(*std::move(stage));
    const std::size_t padding = padding_behind(own.size());
    rest = rest.subspan(own.size());
    if (padding > rest.size() || !all_zero(rest.first(padding))) return FormatFailure{FormatReason::padding};
    rest = rest.subspan(padding);
  }
  if (!rest.empty()) return FormatFailure{FormatReason::length, whole, whole - rest.size()};
  const std::uint64_t checksum = sum.value();
  if (checksum != chain->stored.checksum) {
    return FormatFailure{FormatReason::checksum, chain->stored.checksum, checksum};
  }
  return ChainAccess::make<F>(chain->target, chain->stored.keys, std::move(stages));
}

// load_chain() that gives FormatReason::memory where that throws.
template <class F, class Load>
Loaded<ScalableFilter<F>> try_load_chain(Bytes bytes, Load load) noexcept {
  auto loaded = attempt([&]() -> std::optional<Loaded<ScalableFilter<F>>> { return load_chain<F>(bytes, load); });
  if (!loaded) return FormatFailure{FormatReason::memory, bytes.size(), 0};
  return *std::move(loaded);
}

template <class F, class Stream>
Loaded<ScalableFilter<F>> read_chain(Stream& in) {
  if (in.fail()) return FormatFailure{FormatReason::stream};
  std::array<std::byte, stored_header_bytes + sizeof(ChainBlock)> head{};
  const std::size_t got = read_bytes(in, head);
  if (in.bad()) return FormatFailure{FormatReason::stream};
  const auto chain = chain_header<F>(Bytes(head).first(got));
  if (!chain) return chain.failure();
  Checksum sum = chain->begin_checksum();
  std::uint64_t read = sizeof(ChainBlock);
  std::vector<F> stages;
  for (std::uint64_t i = 0; i < chain->stored.cells; ++i) {
    std::array<std::byte, stored_header_bytes> own{};
    const std::size_t got_own = read_bytes(in, own);
    if (in.bad()) return FormatFailure{FormatReason::stream};
    const auto header = try_stored_header(Bytes(own).first(got_own));
    if (!header) return header.failure();
    if (const auto failure = find_mismatch<F>(*header)) return *failure;
    if (const auto failure = chain->find_mismatch(*header)) return *failure;
    Checksum own_sum(*header);
    auto words = read_words(in, to_size(header->payload_bytes / 8), own.back(), own_sum);
    if (!words) return words.failure();
    if (const auto damage = find_damage<F>(*header, std::as_bytes(words->words()), own_sum.value())) return *damage;
    to_native<F>(words->words());
    sum.add(own);
    stages.push_back(StoredAccess::make<F>(*header, *std::move(words)));
    std::array<std::byte, 64> padding{};
    const std::size_t behind = padding_behind(header->payload_bytes);
    if (read_bytes(in, std::span(padding).first(behind)) != behind) {
      return FormatFailure{in.bad() ? FormatReason::stream : FormatReason::truncated, read,
                           chain->stored.payload_bytes};
    }
    if (!all_zero(padding)) return FormatFailure{FormatReason::padding};
    read += stored_header_bytes + header->payload_bytes + behind;
  }
  if (read != chain->stored.payload_bytes)
    return FormatFailure{FormatReason::length, chain->stored.payload_bytes, read};
  const std::uint64_t checksum = sum.value();
  if (checksum != chain->stored.checksum) {
    return FormatFailure{FormatReason::checksum, chain->stored.checksum, checksum};
  }
  return ChainAccess::make<F>(chain->target, chain->stored.keys, std::move(stages));
}

template <Chain C>
using ChainViewOf = ScalableFilter<ViewOf<typename C::stage_type>>;

}  // namespace detail

/// How many bytes saving `chain` takes. O(stages()).
template <detail::Chain C>
[[nodiscard]] std::uint64_t stored_size(const C& chain) noexcept {
  static_assert(detail::explain_storable<typename C::stage_type>());
  return detail::ChainAccess::header_of(chain).payload_bytes + stored_header_bytes;
}

/// The stored bytes of `chain`: equal chains give equal bytes, on every platform. O(m). Throws std::bad_alloc.
/// Precondition: it was not moved from (such bytes do not load).
template <detail::Chain C>
[[nodiscard]] std::vector<std::byte> to_bytes(const C& chain) {
  std::vector<std::byte> bytes;
  bytes.reserve(detail::to_size(stored_size(chain)));
  detail::put_chain(chain, [&bytes](std::span<const std::byte> piece) { detail::append(bytes, piece); });
  return bytes;
}

/// The chain that was saved as `bytes`, at any address, or the reason why there is none. from_bytes() and load_into()
/// throw FormatError then. O(m).
template <detail::Chain C>
[[nodiscard]] Loaded<C> try_from_bytes(std::span<const std::byte> bytes) noexcept {
  using F = typename C::stage_type;
  static_assert(detail::explain_storable<F>());
  return detail::try_load_chain<F>(bytes, [](std::span<const std::byte> own) { return try_from_bytes<F>(own); });
}

/// A chain of views over stored bytes, in place, or the reason why there is none: it only reads. The bytes must stay,
/// unchanged, as long as the view. The same reasons, alignment and Verify as for one filter. O(stages()) or O(m).
template <detail::Chain C>
[[nodiscard]] Loaded<detail::ChainViewOf<C>> try_view_bytes(std::span<const std::byte> bytes,
                                                            Verify verify = Verify::everything) noexcept {
  using F = typename C::stage_type;
  static_assert(detail::explain_storable<F>());
  return detail::try_load_chain<detail::ViewOf<F>>(
      bytes, [verify](std::span<const std::byte> own) { return try_view_bytes<F>(own, verify); });
}

/// A chain of views over bytes of any type that the range refers to or that has a name, or the reason why there is
/// none.
template <detail::Chain C, detail::OtherBytes Range>
[[nodiscard]] Loaded<detail::ChainViewOf<C>> try_view_bytes(Range&& bytes,
                                                            Verify verify = Verify::everything) noexcept {
  return try_view_bytes<C>(detail::kept_bytes<Range>(bytes), verify);
}

/// A chain of views over stored bytes, in place. Throws FormatError, std::bad_alloc.
template <detail::Chain C>
[[nodiscard]] detail::ChainViewOf<C> view_bytes(
    std::span<const std::byte> bytes, Verify verify = Verify::everything) requires detail::exceptions_enabled {
  return try_view_bytes<C>(bytes, verify).value();
}

/// A chain of views over bytes of any type that the range refers to or that has a name. Throws FormatError,
/// std::bad_alloc.
template <detail::Chain C, detail::OtherBytes Range>
[[nodiscard]] detail::ChainViewOf<C> view_bytes(
    Range&& bytes, Verify verify = Verify::everything) requires detail::exceptions_enabled {
  return try_view_bytes<C>(detail::kept_bytes<Range>(bytes), verify).value();
}

/// Writes the stored bytes of `chain` and flushes, so that a full disk shows. False if the stream fails. write() throws
/// then. O(m). Throws std::bad_alloc.
template <detail::Chain C, class Traits>
[[nodiscard]] bool try_write(const C& chain, std::basic_ostream<char, Traits>& out) {
  static_assert(detail::explain_storable<typename C::stage_type>());
  detail::put_chain(chain, [&out](std::span<const std::byte> piece) {
    constexpr std::size_t most = std::size_t{1} << 30U;  // stream sizes may be of 32 bits
    for (; !piece.empty(); piece = piece.subspan((std::min)(most, piece.size()))) {
      out.write(reinterpret_cast<const char*>(piece.data()),
                static_cast<std::streamsize>((std::min)(most, piece.size())));
    }
  });
  out.flush();
  return out.good();
}

/// The chain whose stored bytes come next in `in`, or the reason why there is none; read() throws FormatError then.
/// With the guarantees of reading one filter: no byte more is read, and no more memory taken than three times what has
/// come and 256 KiB. O(m).
template <detail::Chain C, class Traits>
[[nodiscard]] Loaded<C> try_read(std::basic_istream<char, Traits>& in) {
  using F = typename C::stage_type;
  static_assert(detail::explain_storable<F>());
  static_assert(detail::OwningFilter<F>, "perhaps: read into a chain whose stages own their words.");
  const auto exceptions = in.exceptions();
  in.exceptions(std::ios_base::goodbit);
  Loaded<C> loaded = detail::read_chain<F>(in);
  in.exceptions(exceptions);
  return loaded;
}

}  // namespace perhaps::inline PERHAPS_ABI

#endif
