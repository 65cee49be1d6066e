// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// What can go wrong with a file, as files.hpp says it: FileFailure, which functions that don't throw return, and
/// FileError, which others throw. Both name the path and the system's reason.
#ifndef PERHAPS_STORED_FILE_FAILURE_HPP
#define PERHAPS_STORED_FILE_FAILURE_HPP

#include <perhaps/detail/error.hpp>
#include <perhaps/detail/file.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/version.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// What could not be done with a file.
enum class FileReason : unsigned char {
  open,        ///< opening it
  read,        ///< reading it
  map,         ///< mapping it into memory
  refused,     ///< its bytes are not those of the filter asked for: FileFailure::format says why
  replace,     ///< replacing it: it is a folder, a device or something else that is no regular file
  create,      ///< creating a file in its folder
  write,       ///< writing, when the disk is full for instance
  sync,        ///< flushing to the disk
  rename,      ///< renaming the file that was written
  moved_from,  ///< saving a filter that was moved from: it has no bits
  memory,      ///< no memory (of the functions that return a reason; others throw std::bad_alloc)
};

/// What could not be done with a file, and why.
struct FileFailure {
  FileReason reason{};     ///< What could not be done
  int system_error = 0;    ///< The system's reason: errno, or GetLastError() on Windows; 0 if it is not the system's
  FormatFailure format{};  ///< For FileReason::refused, why
  std::string path;        ///< The file; empty if there was no memory to say so
};

namespace detail {

// All but the system's reason. A switch, so that the compiler misses a reason that has none.
inline std::string file_sentence(const FileFailure& failure) {
  using R = FileReason;
  const std::string path = "'" + failure.path + "'";
  switch (failure.reason) {
    case R::open:
      return "cannot open " + path;
    case R::read:
      return "cannot read " + path;
    case R::map:
      return "cannot map " + path + " into memory";
    case R::refused:
      return path + ": " + describe(failure.format);
    case R::replace:
      return "cannot replace " + path + ", which is no regular file";
    case R::create:
      return "cannot create a file in the folder of " + path;
    case R::write:
      return "cannot write " + path;
    case R::sync:
      return "cannot flush " + path + " to the disk";
    case R::rename:
      return "cannot rename the new file to " + path;
    case R::moved_from:
      return "cannot save to " + path + ": this filter was moved from, it has no bits";
    case R::memory:
      return "no memory for " + path;
  }
  return path;
}

}  // namespace detail

/// The failure in a sentence, with the path and the system's reason.
inline std::string describe(const FileFailure& failure) {
  const std::string sentence = detail::file_sentence(failure);
  if (failure.system_error == 0) return sentence;
  return sentence + ": " + std::system_category().message(failure.system_error);
}

/// Thrown for files that could not be opened, read, written and so on: what() is describe() of the failure, and code()
/// the system's reason. Bytes that were read and refused are a FormatError, whose what() names the path too.
class FileError : public std::system_error {
 public:
  /// Says `what` and the system's reason by what(), and keeps the failure.
  FileError(const std::string& what, FileFailure failure)
      : std::system_error(failure.system_error, std::system_category(), what), failure_(std::move(failure)) {}

  FileReason reason() const noexcept { return failure_.reason; }    ///< What could not be done
  const FileFailure& failure() const noexcept { return failure_; }  ///< What, why and where

 private:
  FileFailure failure_;
};

namespace detail {

template <>
struct ThrownFor<FileFailure> {
  [[noreturn]] static void fail(const FileFailure& failure) {
    if (failure.reason == FileReason::memory) fail_for_memory();
    if (failure.reason == FileReason::refused) detail::fail<FormatError>(file_sentence(failure), failure.format);
    if (failure.reason == FileReason::moved_from) detail::fail<std::invalid_argument>(file_sentence(failure));
    detail::fail<FileError>(file_sentence(failure), failure);
  }
};

template <class T>
using FileResult = LoadResult<T, FileFailure>;

inline FileFailure file_failure(FileReason reason, const SystemPath& path, SystemError error = 0) {
  return {reason, static_cast<int>(error), {}, shown_path(path)};
}

// What `make` makes, a FileResult<T>; for want of memory, a failure that says so.
template <class T, class Make>
FileResult<T> attempt_on_file(Make make) noexcept {
  auto made = attempt([&]() -> std::optional<FileResult<T>> { return make(); });
  if (!made) return FileFailure{FileReason::memory, 0, {}, {}};
  return *std::move(made);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
