// SPDX-License-Identifier: BSL-1.0
//
// Reading a payload from any stream: files, which can say how much is left, and pipes, sockets and streams of others,
// which can't, or can tell where they are but not go elsewhere. Nothing that a stream says is needed for a right
// answer: it only decides whether memory is taken at once or as bytes come.
//
// Precondition of all functions: the stream's exceptions() are off, so that what its buffer throws becomes badbit.
#ifndef PERHAPS_STORED_STREAM_HPP
#define PERHAPS_STORED_STREAM_HPP

#include <perhaps/storage.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <span>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// What is hashed and copied piece by piece, so that the second finds it in the cache.
inline constexpr std::size_t cached_bytes = std::size_t{1} << 18U;

// Fills `bytes` and says how many there were: fewer only at the end or if the stream fails. Some buffers give fewer
// bytes than asked for before the end, which a stream takes for the end; so only a read that gives nothing is.
template <class Stream>
std::size_t read_bytes(Stream& in, std::span<std::byte> bytes) {
  std::size_t got = 0;
  while (got < bytes.size()) {
    const auto rest = bytes.subspan(got);
    in.read(reinterpret_cast<char*>(rest.data()), static_cast<std::streamsize>(rest.size()));
    const auto more = static_cast<std::size_t>(in.gcount());
    got += more;
    if (in.bad() || more == 0) break;
    if (got < bytes.size()) in.clear();
  }
  return got;
}

enum class StreamEnd : unsigned char {
  unknown,  // the stream can't say how much is left, and is where it was
  known,    // at least as much as asked for is left
  lost,     // asking has moved the stream, and it can't be moved back
};

// Whether a stream says that `size` more bytes are there. A stream is sent to its end only after it has shown that it
// can go back: by one byte, which must be `last`, the last byte that was read.
template <class Stream>
StreamEnd look_ahead(Stream& in, std::byte last, std::uint64_t size) {
  using Position = typename Stream::pos_type;
  using Offset = typename Stream::off_type;
  const auto tell = [&in]() -> Offset {
    const Position position = in.tellg();
    const bool failed = in.fail() || position == Position(Offset(-1));
    in.clear();
    return failed ? Offset(-1) : static_cast<Offset>(position);
  };
  const auto go = [&in](Offset to) {
    in.seekg(Position(to));
    const bool done = in.good();
    in.clear();
    return done;
  };
  const Offset here = tell();
  if (here < 1) return StreamEnd::unknown;
  bool turns = go(here - 1);
  if (turns) {
    turns = in.peek() == Stream::traits_type::to_int_type(static_cast<char>(last));
    in.clear();
    go(here);
  }
  if (!turns) {
    const Offset now = tell();
    return now == -1 || now == here ? StreamEnd::unknown : StreamEnd::lost;
  }
  in.seekg(0, std::ios_base::end);
  in.clear();
  const Offset end = tell();
  if (!go(here) || tell() != here) return StreamEnd::lost;
  const bool enough = end >= here && static_cast<std::uint64_t>(end - here) >= size;
  return enough ? StreamEnd::known : StreamEnd::unknown;
}

// Reads a payload of `size` words and adds it to the checksum; `last` is the byte before it. Unless the stream says
// that all of it is there, memory grows with what has really come, doubling from a page on.
template <class Stream>
LoadResult<OwnedWords> read_words(Stream& in, std::size_t size, std::byte last, Checksum& checksum) {
  constexpr std::size_t piece = cached_bytes / 8;
  constexpr std::size_t page = 4096 / 8;
  const std::uint64_t whole = size * std::uint64_t{8};
  const StreamEnd end = size <= piece ? StreamEnd::known : look_ahead(in, last, whole);
  if (end == StreamEnd::lost) return FormatFailure{FormatReason::stream};
  auto words = OwnedWords::make(end == StreamEnd::known ? size : page);
  std::size_t read = 0;
  while (words && read < size) {
    if (read == words->size()) {
      auto larger = OwnedWords::make(read > size / 2 ? size : 2 * read);
      if (larger) std::ranges::copy(words->words(), larger->words().begin());
      words = std::move(larger);
      continue;
    }
    const auto next = std::as_writable_bytes(words->words().subspan(read, (std::min)(piece, words->size() - read)));
    const std::size_t got = read_bytes(in, next);
    if (in.bad()) return FormatFailure{FormatReason::stream};
    if (got != next.size()) return FormatFailure{FormatReason::truncated, read * std::uint64_t{8} + got, whole};
    checksum.add(next);
    read += next.size() / 8;
  }
  if (!words) return FormatFailure{FormatReason::memory, whole, 0};
  return *std::move(words);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
