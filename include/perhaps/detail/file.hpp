// SPDX-License-Identifier: BSL-1.0
//
// What files.hpp asks of the operating system: a file that is read or written piece by piece, a file that is put in the
// place of another one, and a file in memory. POSIX, and Windows.
//
// Nothing here throws but std::bad_alloc, for paths. What fails leaves its number, errno or GetLastError(), in
// `system_error`; 0 says that it was done.
#ifndef PERHAPS_DETAIL_FILE_HPP
#define PERHAPS_DETAIL_FILE_HPP

#include <perhaps/version.hpp>

#if defined(_WIN32)
// Of <windows.h> what this needs, and none of the macros that would change a program's words.
#pragma push_macro("NOMINMAX")
#pragma push_macro("WIN32_LEAN_AND_MEAN")
#undef NOMINMAX
#undef WIN32_LEAN_AND_MEAN
#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#pragma pop_macro("WIN32_LEAN_AND_MEAN")
#pragma pop_macro("NOMINMAX")
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#endif

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// A path as it is given: text, or a class that has the system's own text, as std::filesystem::path has.
template <class T>
concept HasNativePath = requires(const T& path) {
  path.native();
  path.c_str();
};

template <class T>
concept FilePath = std::convertible_to<const T&, std::string_view> || HasNativePath<T>;

// How many files this process has begun to write: part of their temporary names.
inline unsigned next_temporary() noexcept {
  static std::atomic<unsigned> count{0};
  return count.fetch_add(1, std::memory_order_relaxed);
}

#if defined(_WIN32)

using SystemPath = std::wstring;
using SystemError = unsigned long;

inline SystemError last_error() noexcept { return ::GetLastError(); }
inline constexpr SystemError not_a_regular_file = ERROR_ACCESS_DENIED;

template <FilePath P>
SystemPath system_path(const P& path) {
  if constexpr (HasNativePath<P>) {
    return SystemPath(path.native());
  } else {
    // As std::ofstream reads it: in the code page of the program.
    const std::string_view text = path;
    const auto size = static_cast<int>(text.size());
    SystemPath wide(static_cast<std::size_t>(::MultiByteToWideChar(CP_ACP, 0, text.data(), size, nullptr, 0)), L'\0');
    ::MultiByteToWideChar(CP_ACP, 0, text.data(), size, wide.data(), static_cast<int>(wide.size()));
    return wide;
  }
}

// For messages.
inline std::string shown_path(const SystemPath& path) {
  const auto size = static_cast<int>(path.size());
  const int bytes = ::WideCharToMultiByte(CP_UTF8, 0, path.data(), size, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, path.data(), size, text.data(), bytes, nullptr, nullptr);
  return text;
}

// A file that is open, closed when this ends.
class File {
 public:
  File() = default;
  File(File&& other) noexcept : handle_(std::exchange(other.handle_, INVALID_HANDLE_VALUE)) {}
  File& operator=(File&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~File() { static_cast<void>(close()); }

  bool is_open() const noexcept { return handle_ != INVALID_HANDLE_VALUE; }

  SystemError open(const SystemPath& path) noexcept {
    handle_ = ::CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                            FILE_ATTRIBUTE_NORMAL, nullptr);
    return is_open() ? 0 : last_error();
  }

  // Of a file that is not there yet.
  SystemError create(const SystemPath& path) noexcept {
    handle_ = ::CreateFileW(path.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    return is_open() ? 0 : last_error();
  }

  // Reads up to `bytes`; `got` is 0 at the end.
  SystemError read(std::span<std::byte> bytes, std::size_t& got) noexcept {
    DWORD count = 0;
    const bool done = ::ReadFile(handle_, bytes.data(), piece(bytes.size()), &count, nullptr) != 0;
    got = count;
    return done ? 0 : last_error();
  }

  SystemError write(std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty()) {
      DWORD count = 0;
      if (::WriteFile(handle_, bytes.data(), piece(bytes.size()), &count, nullptr) == 0) return last_error();
      bytes = bytes.subspan(count);
    }
    return 0;
  }

  // All that was written is on the disk.
  SystemError sync() noexcept { return ::FlushFileBuffers(handle_) != 0 ? 0 : last_error(); }

  // Goes to `offset` from `origin`, FILE_BEGIN and so on; -1 where it can't.
  std::int64_t seek(std::int64_t offset, unsigned long origin) noexcept {
    LARGE_INTEGER to{};
    LARGE_INTEGER at{};
    to.QuadPart = offset;
    return ::SetFilePointerEx(handle_, to, &at, origin) != 0 ? std::int64_t{at.QuadPart} : -1;
  }
  static constexpr unsigned long from_beginning = FILE_BEGIN;
  static constexpr unsigned long from_here = FILE_CURRENT;
  static constexpr unsigned long from_end = FILE_END;

  SystemError size(std::uint64_t& size) const noexcept {
    LARGE_INTEGER bytes{};
    if (::GetFileSizeEx(handle_, &bytes) == 0) return last_error();
    size = static_cast<std::uint64_t>(bytes.QuadPart);
    return 0;
  }

  // `size` bytes, read-only, until unmap(). The file may be closed meanwhile.
  SystemError map(std::size_t size, const std::byte*& bytes) const noexcept {
    const HANDLE mapping = ::CreateFileMappingW(handle_, nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (mapping == nullptr) return last_error();
    bytes = static_cast<const std::byte*>(::MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size));
    const SystemError error = bytes != nullptr ? 0 : last_error();
    ::CloseHandle(mapping);
    return error;
  }

  static void unmap(std::span<const std::byte> bytes) noexcept { ::UnmapViewOfFile(bytes.data()); }

  SystemError close() noexcept {
    const HANDLE handle = std::exchange(handle_, INVALID_HANDLE_VALUE);
    return handle == INVALID_HANDLE_VALUE || ::CloseHandle(handle) != 0 ? 0 : last_error();
  }

 private:
  static DWORD piece(std::size_t size) noexcept {
    constexpr std::size_t most = std::size_t{1} << 30U;
    return static_cast<DWORD>(size < most ? size : most);
  }

  HANDLE handle_ = INVALID_HANDLE_VALUE;
};

// The file that a path leads to, and the folder that it is in.
struct Place {
  SystemPath file;
  SystemPath folder;  // with the separator behind it, or empty

  // What a file that is to be put there would replace: 0 for nothing or a regular file.
  SystemError locate(const SystemPath& path) {
    file = path;
    const auto end = file.find_last_of(L"\\/:");
    folder = end == SystemPath::npos ? SystemPath() : file.substr(0, end + 1);
    const DWORD attributes = ::GetFileAttributesW(file.c_str());
    const bool other = attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return other ? not_a_regular_file : 0;
  }

  SystemPath temporary() const {
    return folder + L".perhaps-" + std::to_wstring(::GetCurrentProcessId()) + L"-" + std::to_wstring(next_temporary());
  }

  // A new file gets the permissions of its folder.
  SystemError keep_permissions(const File&) const noexcept { return 0; }

  // Puts the file at `from` in the place of this one, for good.
  SystemError replace_by(const SystemPath& from) const noexcept {
    constexpr DWORD how = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    return ::MoveFileExW(from.c_str(), file.c_str(), how) != 0 ? 0 : last_error();
  }

  SystemError sync_folder() const noexcept { return 0; }

  static bool is_taken(SystemError error) noexcept {
    return error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS;
  }
  static void remove(const SystemPath& path) noexcept { ::DeleteFileW(path.c_str()); }
};

#else

using SystemPath = std::string;
using SystemError = int;

inline SystemError last_error() noexcept { return errno; }

template <FilePath P>
SystemPath system_path(const P& path) {
  if constexpr (HasNativePath<P>) return SystemPath(path.native());
  else return SystemPath(std::string_view(path));
}

// For messages.
inline std::string shown_path(const SystemPath& path) { return path; }

// A file that is open, closed when this ends. The width of file sizes is part of the type, since programs choose it by
// a macro (_FILE_OFFSET_BITS), each of their units for itself.
template <std::size_t OffsetBytes>
class PosixFile {
 public:
  PosixFile() = default;
  PosixFile(PosixFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  PosixFile& operator=(PosixFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~PosixFile() { static_cast<void>(close()); }

  bool is_open() const noexcept { return file_ >= 0; }

  SystemError open(const SystemPath& path) noexcept { return open(path, O_RDONLY); }

  // Of a file that is not there yet.
  SystemError create(const SystemPath& path) noexcept { return open(path, O_WRONLY | O_CREAT | O_EXCL); }

  // Reads up to `bytes`; `got` is 0 at the end.
  SystemError read(std::span<std::byte> bytes, std::size_t& got) noexcept {
    const auto count = again([&] { return ::read(file_, bytes.data(), piece(bytes.size())); });
    got = count < 0 ? 0 : static_cast<std::size_t>(count);
    return count < 0 ? last_error() : 0;
  }

  SystemError write(std::span<const std::byte> bytes) noexcept {
    while (!bytes.empty()) {
      const auto count = again([&] { return ::write(file_, bytes.data(), piece(bytes.size())); });
      if (count < 0) return last_error();
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return 0;
  }

  // All that was written is on the disk, not only in its memory where the system can say so (macOS).
  SystemError sync() noexcept {
#if defined(F_FULLFSYNC)
    if (::fcntl(file_, F_FULLFSYNC) == 0) return 0;
#endif
    return again([&] { return ::fsync(file_); }) == 0 ? 0 : last_error();
  }

  // Goes to `offset` from `origin`; -1 where it can't.
  std::int64_t seek(std::int64_t offset, int origin) noexcept {
    return std::int64_t{::lseek(file_, static_cast<::off_t>(offset), origin)};
  }
  static constexpr int from_beginning = SEEK_SET;
  static constexpr int from_here = SEEK_CUR;
  static constexpr int from_end = SEEK_END;

  SystemError size(std::uint64_t& size) const noexcept {
    struct stat about {};
    if (::fstat(file_, &about) != 0) return last_error();
    size = static_cast<std::uint64_t>(about.st_size);
    return 0;
  }

  // `size` bytes, read-only, until unmap(). The file may be closed meanwhile.
  SystemError map(std::size_t size, const std::byte*& bytes) const noexcept {
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_, 0);
    if (memory == MAP_FAILED) return last_error();
    bytes = static_cast<const std::byte*>(memory);
    return 0;
  }

  static void unmap(std::span<const std::byte> bytes) noexcept {
    ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
  }

  SystemError take_permissions(unsigned mode) noexcept {
    struct stat about {};
    if (::fstat(file_, &about) != 0) return last_error();
    if ((static_cast<unsigned>(about.st_mode) & 07777U) == mode) return 0;
    return ::fchmod(file_, static_cast<mode_t>(mode)) == 0 ? 0 : last_error();
  }

  // Closed even where that fails.
  SystemError close() noexcept {
    const int file = std::exchange(file_, -1);
    return file < 0 || ::close(file) == 0 || errno == EINTR ? 0 : last_error();
  }

 private:
  SystemError open(const SystemPath& path, int how) noexcept {
    // A path ends at its first NUL for the system: one that has more behind it is another path.
    if (path.find('\0') != SystemPath::npos) return EINVAL;
    file_ = again([&] { return ::open(path.c_str(), how | O_CLOEXEC, 0666); });
    return is_open() ? 0 : last_error();
  }

  // Calls what a signal may interrupt until none has.
  template <class Call>
  static auto again(Call call) noexcept {
    for (;;) {
      const auto result = call();
      if (result >= 0 || errno != EINTR) return result;
    }
  }

  static std::size_t piece(std::size_t size) noexcept {
    constexpr std::size_t most = std::size_t{1} << 30U;
    return size < most ? size : most;
  }

  int file_ = -1;
};

using File = PosixFile<sizeof(::off_t)>;

// The file that a path leads to, by symbolic links too, and the folder that it is in.
template <std::size_t OffsetBytes>
struct PosixPlace {
  SystemPath file;
  SystemPath folder;   // with the separator behind it, or empty
  unsigned mode = 0;   // of the file that is there
  bool there = false;  // whether there is one

  // What a file that is to be put there would replace: 0 for nothing or a regular file.
  SystemError locate(const SystemPath& path) {
    if (path.find('\0') != SystemPath::npos) return EINVAL;
    file = path;
    struct Resolved {
      char* text;
      ~Resolved() { std::free(text); }
    };
    if (const Resolved resolved{::realpath(path.c_str(), nullptr)}; resolved.text != nullptr) file = resolved.text;
    const auto end = file.rfind('/');
    folder = end == SystemPath::npos ? SystemPath() : file.substr(0, end + 1);
    struct stat about {};
    there = ::stat(file.c_str(), &about) == 0;
    if (!there) return 0;
    mode = static_cast<unsigned>(about.st_mode) & 07777U;
    return S_ISREG(about.st_mode) ? 0 : S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
  }

  SystemPath temporary() const {
    return folder + ".perhaps-" + std::to_string(::getpid()) + "-" + std::to_string(next_temporary());
  }

  SystemError keep_permissions(PosixFile<OffsetBytes>& made) const noexcept {
    return there ? made.take_permissions(mode) : 0;
  }

  // Puts the file at `from` in the place of this one.
  SystemError replace_by(const SystemPath& from) const noexcept {
    return ::rename(from.c_str(), file.c_str()) == 0 ? 0 : last_error();
  }

  // The new name is on the disk. Not every file system can say so of a folder, nor is every folder to be read.
  SystemError sync_folder() const noexcept {
    PosixFile<OffsetBytes> opened;
    if (opened.open(folder.empty() ? SystemPath(".") : folder) != 0) return 0;
    const SystemError error = opened.sync();
    return error == EIO || error == ENOSPC ? error : 0;
  }

  static bool is_taken(SystemError error) noexcept { return error == EEXIST; }
  static void remove(const SystemPath& path) noexcept { ::unlink(path.c_str()); }
};

using Place = PosixPlace<sizeof(::off_t)>;

#endif

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
