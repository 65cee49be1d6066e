// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Saving, loading and viewing a ScalableFilter, and saving and loading a RollingBloomFilter, by the functions of
/// serialization.hpp:
///
///     const auto bytes = to_bytes(chain);                                      write(chain, file);
///     auto same = from_bytes<ScalableFilter<BloomFilter<int>>>(bytes); read<ScalableFilter<BloomFilter<int>>>(file)
///     auto view = view_bytes<ScalableFilter<BloomFilter<int>>>(mapped);        a chain of views, which only reads
///
/// What is stored is the header of stored/format.hpp with kind 4 or 5, the chain's numbers, and its stages as each of
/// them is stored alone, the oldest first:
///
///        0     64  header: hash, layout, probe and key ids, cell bits and seed are those of the stages; cells is the
///                  number of stages, keys the index of the newest, counted from 0; the checksum is XXH3-64 of this
///                  header (its checksum taken as 0), of the next 64 bytes, and of the headers of all stages
///                                    of a chain                             of a rolling filter
///       64      8  the keys that the first stage was made for             N, the keys that are found
///       72      8  the rate                                               the rate
///       80      8  growth                                                 g, the generations that are full
///       88      8  tightening                                             the age, or 0
///       96      8  0                                                      new keys that the newest has room for
///      104      8  0                                                      the time
///      112      8  0                                                      the time when the newest began
///      120      8  0                                                      1 if the time was ever told
///      128         the stages, each followed by zeros up to a multiple of 64 bytes
///
/// Rates, growth and tightening are IEEE 754 numbers of 64 bits, the others integers.
///
/// The guarantees are those of serialization.hpp: what loads equals what was saved, and all else is refused.
#ifndef PERHAPS_STORED_CHAINS_HPP
#define PERHAPS_STORED_CHAINS_HPP

#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/rolling_bloom_filter.hpp>
#include <perhaps/scalable_filter.hpp>
#include <perhaps/serialization.hpp>
#include <perhaps/stored/byte_range.hpp>
#include <perhaps/stored/chain_header.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/storable.hpp>
#include <perhaps/stored/stream.hpp>
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

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

inline ChainBlock encode_numbers(const ChainNumbers& numbers) noexcept {
  ChainBlock block{};
  for (std::size_t i = 0; i < numbers.size(); ++i) store_little_endian(block.data() + 8 * i, numbers[i]);
  return block;
}

inline constexpr std::array<std::byte, 64> zeros{};

// The zeros behind a stage of so many bytes.
constexpr std::size_t padding_behind(std::uint64_t bytes) noexcept { return (64 - bytes % 64) % 64; }

inline bool all_zero(Bytes bytes) noexcept {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

template <Chain C>
using StageOf = typename ChainTraits<C>::Stage;

template <Chain C>
consteval bool explain_chain() {
  static_assert(
      !KeyedPolicy<typename C::hasher>,
      "perhaps: a chain whose hash policy has a secret key can't be saved or loaded: save its stages, each by "
      "itself, or a filter of one stage.");
  return explain_storable<StageOf<C>>();
}

// All but the checksum. Of a chain without stages, one that does not load.
template <Chain C>
StoredHeader chain_header_of(const C& chain) noexcept {
  using Traits = ChainTraits<C>;
  StoredHeader header = StoredAccess::header_of_type<StageOf<C>>();
  header.kind = Traits::kind;
  header.cells = Traits::stages(chain).size();
  header.keys = Traits::index(chain);
  header.payload_bytes = sizeof(ChainBlock);
  for (const auto& stage : Traits::stages(chain)) {
    const StoredHeader own = StoredAccess::header_of(stage);
    header.seed = own.seed;
    const std::uint64_t bytes = stored_header_bytes + own.payload_bytes;
    header.payload_bytes += bytes + padding_behind(bytes);
  }
  return header;
}

// Calls `put(bytes)` for all that is stored of a chain, piece by piece. O(m).
template <Chain C, class Put>
void put_chain(const C& chain, Put put) {
  const auto stages = ChainTraits<C>::stages(chain);
  StoredHeader header = chain_header_of(chain);
  const ChainBlock block = encode_numbers(ChainTraits<C>::numbers(chain));
  Checksum checksum(header);
  checksum.add(std::as_bytes(std::span(block)));
  std::vector<HeaderBytes> headers;
  headers.reserve(stages.size());
  for (const auto& stage : stages) {
    headers.push_back(encode_header(sealed_header(stage)));
    checksum.add(std::as_bytes(std::span(headers.back())));
  }
  header.checksum = checksum.value();
  const HeaderBytes head = encode_header(header);
  put(std::as_bytes(std::span(head)));
  put(std::as_bytes(std::span(block)));
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const auto& stage = stages[i];
    put(std::as_bytes(std::span(headers[i])));
    for_each_piece(stage, put);
    put(Bytes(zeros).first(padding_behind(StoredAccess::header_of(stage).payload_bytes)));
  }
}

// What the header of a chain says.
struct ChainHeader {
  StoredHeader stored;
  ChainNumbers numbers;

  // A checksum that has seen the header.
  Checksum begin_checksum() const noexcept {
    const ChainBlock block = encode_numbers(numbers);
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

// The header of a chain of type C, from the first 128 bytes or what there is of them.
template <Chain C>
LoadResult<ChainHeader> chain_header(Bytes bytes) noexcept {
  using Traits = ChainTraits<C>;
  const auto header = try_stored_header(bytes);
  if (!header) return header.failure();
  constexpr std::size_t whole = stored_header_bytes + sizeof(ChainBlock);
  if (header->kind != Traits::kind) return FormatFailure{FormatReason::kind, header->kind, Traits::kind};
  if (bytes.size() < whole) return FormatFailure{FormatReason::truncated, bytes.size(), whole};
  if (header->hashes != 0) return FormatFailure{FormatReason::reserved, header->hashes, 0};
  ChainHeader chain{*header, {}};
  const auto* block = reinterpret_cast<const unsigned char*>(bytes.data()) + stored_header_bytes;
  for (std::size_t i = 0; i < chain.numbers.size(); ++i) {
    chain.numbers[i] = load_little_endian<std::uint64_t>(block + 8 * i);
  }
  // A stage takes 128 bytes at least.
  const bool some = header->cells > 0 && header->cells <= header->payload_bytes / 128;
  if (!some || header->payload_bytes % 64 != 0 || header->payload_bytes > ~std::uint64_t{0} - 64 ||
      !Traits::valid(chain.numbers, header->cells, header->keys)) {
    return FormatFailure{FormatReason::chain, header->cells, header->keys};
  }
  return chain;
}

// A chain of stages that were loaded; generations must be of one size.
template <Chain C>
LoadResult<C> made_chain(const ChainHeader& chain, std::uint64_t checksum, std::vector<StageOf<C>> stages) {
  if (checksum != chain.stored.checksum) {
    return FormatFailure{FormatReason::checksum, chain.stored.checksum, checksum};
  }
  if constexpr (ChainTraits<C>::kind == 5) {
    for (const auto& stage : stages) {
      if (!stage.is_compatible(stages.front())) {
        return FormatFailure{FormatReason::chain, chain.stored.cells, chain.stored.keys};
      }
    }
  }
  return ChainTraits<C>::make(chain.numbers, chain.stored.keys, std::move(stages));
}

// The chain that `bytes` hold, each stage made by load(bytes), which gives what is LoadResult.
template <Chain C, class Load>
LoadResult<C> load_chain(Bytes bytes, Load load) {
  const auto chain = chain_header<C>(bytes);
  if (!chain) return chain.failure();
  const std::uint64_t whole = chain->stored.payload_bytes + stored_header_bytes;
  if (bytes.size() < whole) return FormatFailure{FormatReason::truncated, bytes.size(), whole};
  if (bytes.size() > whole) return FormatFailure{FormatReason::too_long, bytes.size(), whole};
  Checksum sum = chain->begin_checksum();
  std::vector<StageOf<C>> stages;
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
  return made_chain<C>(*chain, sum.value(), std::move(stages));
}

// load_chain() that gives FormatReason::memory where that throws.
template <Chain C, class Load>
LoadResult<C> try_load_chain(Bytes bytes, Load load) noexcept {
  auto loaded = attempt([&]() -> std::optional<LoadResult<C>> { return load_chain<C>(bytes, load); });
  if (!loaded) return FormatFailure{FormatReason::memory, bytes.size(), 0};
  return *std::move(loaded);
}

template <Chain C, class Stream>
LoadResult<C> read_chain(Stream& in) {
  using F = StageOf<C>;
  if (in.fail()) return FormatFailure{FormatReason::stream};
  std::array<std::byte, stored_header_bytes + sizeof(ChainBlock)> head{};
  const std::size_t got = read_bytes(in, head);
  if (in.bad()) return FormatFailure{FormatReason::stream};
  const auto chain = chain_header<C>(Bytes(head).first(got));
  if (!chain) return chain.failure();
  Checksum sum = chain->begin_checksum();
  std::uint64_t read = sizeof(ChainBlock);
  std::vector<StageOf<C>> stages;
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
  return made_chain<C>(*chain, sum.value(), std::move(stages));
}

template <Chain C>
using ChainViewOf = ScalableFilter<ViewOf<typename C::stage_type>>;  // of a ScalableFilter only

}  // namespace detail

/// How many bytes saving `chain` takes. O(stages()).
template <detail::Chain C>
[[nodiscard]] std::uint64_t stored_size(const C& chain) noexcept {
  static_assert(detail::explain_chain<C>());
  return detail::chain_header_of(chain).payload_bytes + stored_header_bytes;
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
[[nodiscard]] LoadResult<C> try_from_bytes(std::span<const std::byte> bytes) noexcept {
  using F = detail::StageOf<C>;
  static_assert(detail::explain_chain<C>());
  return detail::try_load_chain<C>(bytes, [](std::span<const std::byte> own) { return try_from_bytes<F>(own); });
}

/// A chain of views over stored bytes, in place, or the reason why there is none: it only reads. The bytes must stay,
/// unchanged, as long as the view. Reasons, alignment and Verify are those of try_view_bytes() for one filter.
/// O(stages()) or O(m).
template <detail::Chain C>
[[nodiscard]] LoadResult<detail::ChainViewOf<C>> try_view_bytes(std::span<const std::byte> bytes,
                                                                Verify verify = Verify::everything) noexcept {
  using F = detail::StageOf<C>;
  static_assert(detail::explain_chain<C>());
  return detail::try_load_chain<detail::ChainViewOf<C>>(
      bytes, [verify](std::span<const std::byte> own) { return try_view_bytes<F>(own, verify); });
}

/// A chain of views over bytes of any type that the range refers to or that has a name, or the reason why there is
/// none.
template <detail::Chain C, detail::OtherBytes Range>
[[nodiscard]] LoadResult<detail::ChainViewOf<C>> try_view_bytes(Range&& bytes,
                                                                Verify verify = Verify::everything) noexcept {
  return try_view_bytes<C>(detail::kept_bytes<Range>(bytes), verify);
}

/// A chain of views over stored bytes, in place. Throws FormatError, std::bad_alloc.
template <detail::Chain C>
[[nodiscard]] detail::ChainViewOf<C> view_bytes(std::span<const std::byte> bytes, Verify verify = Verify::everything)
    requires detail::exceptions_enabled {
  return try_view_bytes<C>(bytes, verify).value();
}

/// A chain of views over bytes of any type that the range refers to or that has a name. Throws FormatError,
/// std::bad_alloc.
template <detail::Chain C, detail::OtherBytes Range>
[[nodiscard]] detail::ChainViewOf<C> view_bytes(Range&& bytes, Verify verify = Verify::everything)
    requires detail::exceptions_enabled {
  return try_view_bytes<C>(detail::kept_bytes<Range>(bytes), verify).value();
}

/// Writes the stored bytes of `chain` and flushes, so that a full disk shows. False if the stream fails. write() throws
/// then. O(m). Throws std::bad_alloc.
template <detail::Chain C, class Traits>
[[nodiscard]] bool try_write(const C& chain, std::basic_ostream<char, Traits>& out) {
  static_assert(detail::explain_chain<C>());
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
[[nodiscard]] LoadResult<C> try_read(std::basic_istream<char, Traits>& in) {
  using F = detail::StageOf<C>;
  static_assert(detail::explain_chain<C>());
  static_assert(detail::OwningFilter<F>, "perhaps: read into a chain whose stages own their words.");
  const auto exceptions = in.exceptions();
  in.exceptions(std::ios_base::goodbit);
  LoadResult<C> loaded = detail::read_chain<C>(in);
  in.exceptions(exceptions);
  return loaded;
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
