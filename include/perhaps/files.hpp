// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Filters in files, by their path: saved, loaded, and asked where they lie.
///
///     save(filter, "seen.perhaps");                          replaces the file as a whole, or leaves it as it was
///     auto copy = load<Filter>("seen.perhaps");
///     const MappedFilter<Filter> mapped("seen.perhaps");     maps the file: no copy, whatever its size
///     mapped->may_contain("owl");
///
/// A path is text or a std::filesystem::path. Errors name it, with the system's reason or with the reason why the bytes
/// were refused. Not part of perhaps.hpp, as it includes the operating system's headers: POSIX, and Windows.
///
/// Guarantee: a program or a machine that stops while a filter is saved leaves the old file or the new one, whole. The
/// new one is written beside the old one under another name, flushed to the disk and renamed, and the new name is
/// flushed too. A program that was stopped can leave a file named `.perhaps-<process>-<number>` behind.
#ifndef PERHAPS_FILES_HPP
#define PERHAPS_FILES_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/detail/file.hpp>
#include <perhaps/scalable_filter.hpp>
#include <perhaps/serialization.hpp>
#include <perhaps/stored/byte_range.hpp>
#include <perhaps/stored/chains.hpp>
#include <perhaps/stored/file_failure.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/keyed.hpp>
#include <perhaps/stored/storable.hpp>
#include <perhaps/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ios>
#include <istream>
#include <limits>
#include <optional>
#include <ostream>
#include <span>
#include <streambuf>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {

namespace detail {

// The file as a stream has it, without a buffer but for bytes that are looked at one by one: pieces of filters are
// large.
class FileBuffer : public std::streambuf {
 public:
  explicit FileBuffer(File& file) noexcept : file_(file) {}

  SystemError error() const noexcept { return error_; }  // the first, or 0

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    if (error_ == 0) error_ = file_.write(std::as_bytes(std::span(bytes, static_cast<std::size_t>(size))));
    return error_ == 0 ? size : 0;
  }

  int_type overflow(int_type letter) override {
    const char byte = traits_type::to_char_type(letter);
    return xsputn(&byte, 1) == 1 ? letter : traits_type::eof();
  }

  // One read at most: streams ask again.
  std::streamsize xsgetn(char* bytes, std::streamsize size) override {
    if (gptr() != egptr()) return std::streambuf::xsgetn(bytes, (std::min)(size, egptr() - gptr()));
    return static_cast<std::streamsize>(take(std::span(bytes, static_cast<std::size_t>(size))));
  }

  int_type underflow() override {
    const std::size_t got = take(buffer_);
    setg(buffer_, buffer_, buffer_ + got);
    return got == 0 ? traits_type::eof() : traits_type::to_int_type(buffer_[0]);
  }

  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    if (from == std::ios_base::cur) offset -= egptr() - gptr();
    const auto origin = from == std::ios_base::beg   ? File::from_beginning
                        : from == std::ios_base::cur ? File::from_here
                                                     : File::from_end;
    setg(nullptr, nullptr, nullptr);
    return pos_type(off_type(file_.seek(offset, origin)));
  }

  pos_type seekpos(pos_type position, std::ios_base::openmode which) override {
    return seekoff(off_type(position), std::ios_base::beg, which);
  }

 private:
  std::size_t take(std::span<char> bytes) noexcept {
    std::size_t got = 0;
    if (error_ == 0) error_ = file_.read(std::as_writable_bytes(bytes), got);
    return got;
  }

  File& file_;
  SystemError error_ = 0;
  char buffer_[512];
};

// The bytes that a filter or a chain takes; 0 if it was moved from.
template <class F>
std::uint64_t bytes_to_save(const F& filter) {
  if constexpr (Chain<F>) {
    if (chain_header_of(filter).cells == 0) return 0;
  } else {
    if (StoredAccess::header_of(filter).cells == 0) return 0;
  }
  return stored_size(filter);
}

// Removes a file when it ends, unless that was renamed.
struct TemporaryFile {
  SystemPath path;
  bool there = false;

  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (there) Place::remove(path);
  }
};

// Puts into the place of the file at `path` what `put(stream)` writes. The failure, if any.
template <class Put>
std::optional<FileFailure> replace_file(const SystemPath& path, Put put) {
  using R = FileReason;
  const auto failed = [&path](R reason, SystemError error) { return file_failure(reason, path, error); };
  Place place;
  if (const auto error = place.locate(path); error != 0) return failed(R::replace, error);
  TemporaryFile temporary;
  File file;  // closed before the temporary file is removed
  // Names that are taken are those of processes that were stopped; a thousand of them are no accident.
  SystemError error = 0;
  for (int tries = 0; tries < 1000; ++tries) {
    temporary.path = place.temporary();
    error = file.create(temporary.path);
    if (!Place::is_taken(error)) break;
  }
  if (error != 0) return failed(R::create, error);
  temporary.there = true;
  if (error = place.keep_permissions(file); error != 0) return failed(R::create, error);
  FileBuffer buffer(file);
  std::ostream out(&buffer);
  if (!put(out)) return failed(R::write, buffer.error());
  if (error = file.sync(); error != 0) return failed(R::sync, error);
  if (error = file.close(); error != 0) return failed(R::write, error);
  if (error = place.replace_by(temporary.path); error != 0) return failed(R::rename, error);
  temporary.there = false;
  if (error = place.sync_folder(); error != 0) return failed(R::sync, error);
  return std::nullopt;
}

// `read(stream)`, a LoadResult<F>, of a file that must hold that and no more.
template <class F, class Read>
FileResult<F> load_file(const SystemPath& path, Read read) {
  using R = FileReason;
  const auto refused = [&path](FormatFailure why) {
    FileFailure failure = file_failure(R::refused, path);
    failure.format = why;
    return failure;
  };
  File file;
  if (const auto error = file.open(path); error != 0) return file_failure(R::open, path, error);
  FileBuffer buffer(file);
  std::istream in(&buffer);
  LoadResult<F> loaded = read(in);
  const bool more = loaded && in.peek() != std::istream::traits_type::eof();
  if (buffer.error() != 0) return file_failure(R::read, path, buffer.error());
  if (!loaded && loaded.reason() == FormatReason::memory) return file_failure(R::memory, path);
  if (!loaded) return refused(loaded.failure());
  if (!more) return *std::move(loaded);
  const std::uint64_t expected = stored_size(*loaded);
  std::uint64_t found = 0;
  if (file.size(found) != 0 || found <= expected) found = expected + 1;  // of a pipe, at least
  return refused({FormatReason::too_long, found, expected});
}

// Filters whose stored bytes can be asked in place.
template <class F>
inline constexpr bool is_bloom = false;
template <class Key, class Hash, class Layout, class Words>
inline constexpr bool is_bloom<BloomFilter<Key, Hash, Layout, Words>> = true;

template <class F>
struct MappedAs {
  static_assert(
      is_bloom<F>,
      "perhaps: Bloom filters and ScalableFilters of them can be asked in place, where a file is mapped: load "
      "others, load<F>(path).");
  using View = ViewOf<F>;
};
template <class F>
struct MappedAs<ScalableFilter<F>> : MappedAs<F> {
  using View = ScalableFilter<ViewOf<F>>;
};

// A file in memory, read-only, for as long as this lives; an empty file is no memory.
class Mapping {
 public:
  Mapping() = default;
  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping() {
    if (!bytes_.empty()) File::unmap(bytes_);
  }

  Bytes bytes() const noexcept { return bytes_; }

  static FileResult<Mapping> make(const SystemPath& path) {
    using R = FileReason;
    File file;
    Mapping mapping;
    std::uint64_t size = 0;
    if (const auto error = file.open(path); error != 0) return file_failure(R::open, path, error);
    if (const auto error = file.size(size); error != 0) return file_failure(R::open, path, error);
    if (size > (std::numeric_limits<std::size_t>::max)()) {
      FileFailure failure = file_failure(R::refused, path);
      failure.format = {FormatReason::too_large, size, 0};
      return failure;
    }
    if (size != 0) {
      const std::byte* bytes = nullptr;
      const auto length = static_cast<std::size_t>(size);
      if (const auto error = file.map(length, bytes); error != 0) return file_failure(R::map, path, error);
      mapping.bytes_ = {bytes, length};
    }
    return mapping;
  }

 private:
  Bytes bytes_;
};

}  // namespace detail

/// Saves `filter`, of any class that can be stored, as the file at `path`: the bytes of to_bytes(). What was there is
/// replaced as a whole once the new file is on the disk, and keeps its permissions; if saving fails, it is as it was. A
/// symbolic link to a file stays one. The folder must be there and writable. O(m), and the time of the disk.
/// Throws FileError; std::invalid_argument for a filter that was moved from; std::bad_alloc.
template <class F, detail::FilePath Path>
void save(const F& filter, const Path& path) requires detail::exceptions_enabled {
  const auto system_path = detail::system_path(path);
  if (detail::bytes_to_save(filter) == 0) {
    detail::ThrownFor<FileFailure>::fail(detail::file_failure(FileReason::moved_from, system_path));
  }
  const auto failure = detail::replace_file(system_path, [&](std::ostream& out) { return try_write(filter, out); });
  if (failure) detail::ThrownFor<FileFailure>::fail(*failure);
}

/// save() without exceptions: the size of the file in bytes, or why it was not saved.
template <class F, detail::FilePath Path>
[[nodiscard]] LoadResult<std::uint64_t, FileFailure> try_save(const F& filter, const Path& path) noexcept {
  return detail::attempt_on_file<std::uint64_t>([&]() -> detail::FileResult<std::uint64_t> {
    const auto system_path = detail::system_path(path);
    const std::uint64_t size = detail::bytes_to_save(filter);
    if (size == 0) return detail::file_failure(FileReason::moved_from, system_path);
    auto failure = detail::replace_file(system_path, [&](std::ostream& out) { return try_write(filter, out); });
    if (failure) return *std::move(failure);
    return size;
  });
}

/// The filter that was saved as the file at `path`, which holds that and no more, or why there is none. A pipe or a
/// device will do. O(m).
template <class F, detail::FilePath Path>
[[nodiscard]] LoadResult<F, FileFailure> try_load(const Path& path) noexcept {
  return detail::attempt_on_file<F>([&] {
    return detail::load_file<F>(detail::system_path(path), [](std::istream& in) { return try_read<F>(in); });
  });
}

/// try_load() of a filter that was saved under the secret key of `hash`, such as SipHash(key).
template <detail::KeyedFilter F, detail::FilePath Path>
[[nodiscard]] LoadResult<F, FileFailure> try_load(const Path& path, const detail::HashOf<F>& hash) noexcept {
  return detail::attempt_on_file<F>([&] {
    return detail::load_file<F>(detail::system_path(path), [&](std::istream& in) { return try_read<F>(in, hash); });
  });
}

/// The filter that was saved as the file at `path`. O(m). Throws FileError if the file can't be read, FormatError if it
/// does not hold such a filter, std::bad_alloc.
template <class F, detail::FilePath Path>
[[nodiscard]] F load(const Path& path) requires detail::exceptions_enabled {
  return try_load<F>(path).value();
}

/// The filter that was saved as the file at `path` under the secret key of `hash`. O(m). Throws FileError, FormatError,
/// std::bad_alloc.
template <detail::KeyedFilter F, detail::FilePath Path>
[[nodiscard]] F load(const Path& path, const detail::HashOf<F>& hash) requires detail::exceptions_enabled {
  return try_load<F>(path, hash).value();
}

/// A filter of type F, a Bloom filter or a ScalableFilter of them, that is asked in the file that it was saved to. The
/// file is mapped into memory, which all processes that map it share, and read page by page as it is asked for. It
/// moves, but has no copies. The file may be replaced by save(), renamed or deleted meanwhile: this is the filter that
/// was opened. A file that another program writes to or shortens while it is mapped gives wrong answers, or a fault
/// (SIGBUS); and Windows does not replace a file that is mapped.
template <class F>
class MappedFilter {
 public:
  using filter_type = typename detail::MappedAs<F>::View;  ///< The view: a filter that only reads

  /// Maps the file at `path`, and checks as much of it as `verify` says: O(1) or O(m).
  /// Throws FileError if it can't be opened or mapped, FormatError if it does not hold such a filter, std::bad_alloc.
  template <detail::FilePath Path>
  requires detail::exceptions_enabled explicit MappedFilter(const Path& path, Verify verify = Verify::everything)
      : MappedFilter(make(path, verify).value()) {}

  /// Maps a file that was saved under the secret key of `hash`, such as SipHash(key).
  template <detail::FilePath Path>
  requires(detail::exceptions_enabled && detail::KeyedFilter<F>)
  MappedFilter(const Path& path, const typename F::hasher& hash, Verify verify = Verify::everything)
      : MappedFilter(make(path, hash, verify).value()) {}

  /// Maps a file without exceptions: the filter, or why there is none.
  template <detail::FilePath Path>
  static LoadResult<MappedFilter, FileFailure> make(const Path& path, Verify verify = Verify::everything) noexcept {
    return make_by(path, [&](detail::Bytes bytes) { return try_view_bytes<F>(bytes, verify); });
  }

  /// Maps a file that was saved under the secret key of `hash`, without exceptions.
  template <detail::FilePath Path>
  requires detail::KeyedFilter<F>
  static LoadResult<MappedFilter, FileFailure> make(const Path& path, const typename F::hasher& hash,
                                                    Verify verify = Verify::everything) noexcept {
    return make_by(path, [&](detail::Bytes bytes) { return try_view_bytes<F>(bytes, hash, verify); });
  }

  const filter_type& operator*() const& noexcept { return view_; }   ///< The filter. O(1)
  void operator*() const&& = delete;                                 ///< A temporary's file is unmapped at once
  const filter_type* operator->() const noexcept { return &view_; }  ///< The filter's members. O(1)
  std::span<const std::byte> bytes() const& noexcept { return mapping_.bytes(); }  ///< The file. O(1)
  void bytes() const&& = delete;  ///< A temporary's file is unmapped at once

 private:
  MappedFilter(detail::Mapping mapping, filter_type view) noexcept
      : mapping_(std::move(mapping)), view_(std::move(view)) {}

  template <class Path, class View>
  static LoadResult<MappedFilter, FileFailure> make_by(const Path& given, View view) noexcept {
    return detail::attempt_on_file<MappedFilter>([&]() -> detail::FileResult<MappedFilter> {
      const auto path = detail::system_path(given);
      auto mapping = detail::Mapping::make(path);
      if (!mapping) return mapping.failure();
      auto made = view(mapping->bytes());
      if (made) return MappedFilter(*std::move(mapping), *std::move(made));
      FileFailure failure = detail::file_failure(FileReason::refused, path);
      failure.format = made.failure();
      return failure;
    });
  }

  detail::Mapping mapping_;
  filter_type view_;
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
