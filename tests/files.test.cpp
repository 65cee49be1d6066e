// SPDX-License-Identifier: BSL-1.0
//
// Filters in files: what is loaded or mapped is what was saved, a save that fails leaves the old file and nothing else,
// and every error names the file.
#include <perhaps/files.hpp>
#include <perhaps/perhaps.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <fcntl.h>
#include <sys/syscall.h>
#endif

#include <bit>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/stored.hpp"

namespace {

namespace fs = std::filesystem;
using perhaps::FileError;
using perhaps::FileReason;
using perhaps::FormatError;
using perhaps::FormatReason;
using perhaps::load;
using perhaps::MappedFilter;
using perhaps::save;
using perhaps::try_load;
using perhaps::try_save;
using perhaps::Verify;

using Word = std::uint64_t;
using Bloom = perhaps::BloomFilter<Word>;
using Split = perhaps::BloomFilter<Word, perhaps::XxHash3, perhaps::SplitBlock<>>;
constexpr bool views = std::endian::native == std::endian::little;

// A folder of its own, removed with all that is in it.
struct Folder {
  fs::path path;

  Folder() {
    std::string name = (fs::temp_directory_path() / "perhaps-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::permissions(path, fs::perms::owner_all, ignored);
    fs::remove_all(path, ignored);
  }

  std::string operator/(const std::string& name) const { return (path / name).string(); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().filename().string());
    return names;
  }
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

template <class F>
std::string stored(const F& filter) {
  const auto bytes = perhaps::to_bytes(filter);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class F>
F filled(F filter, Word keys = 100) {
  for (Word key = 0; key < keys; ++key) static_cast<void>(filter.insert(key));
  return filter;
}

Bloom bloom(Word keys = 100) { return filled(Bloom({.keys = 100, .fpr = 0.001}), keys); }

// What a mapped filter answers is what the saved one answers.
template <class Mapped, class F>
bool answers_as(const Mapped& mapped, const F& filter) {
  for (Word key = 0; key < 2000; ++key) {
    if (mapped.may_contain(key) != filter.may_contain(key)) return false;
  }
  return true;
}

#if defined(__linux__)
// What was asked of the system since this was cleared, by whichever thread, and what is to fail, with which error.
std::mutex recording;
std::vector<std::string> asked;
std::string fails;
int fails_with = 0;

bool recorded(const std::string& call) {
  const std::lock_guard<std::mutex> lock(recording);
  asked.push_back(call);
  if (call == fails) errno = fails_with;
  return call != fails;
}
#endif

}  // namespace

#if defined(__linux__)
// In place of the C library's, so that their order is seen.
extern "C" int fsync(int file) {
  struct ::stat about {};
  const bool folder = ::fstat(file, &about) == 0 && S_ISDIR(about.st_mode);
  return recorded(folder ? "sync folder" : "sync") ? static_cast<int>(::syscall(SYS_fsync, file)) : -1;
}
extern "C" int rename(const char* from, const char* to) noexcept {
  return recorded("rename") ? ::renameat(AT_FDCWD, from, AT_FDCWD, to) : -1;
}
#endif

// How a filter becomes bytes is tested elsewhere, for all of them.
using SavedFilters = support::Suite<support::StoredFilters,
                                    std::tuple<Bloom, perhaps::CountingBloomFilter<Word>, perhaps::CuckooFilter<Word>>>;
using MappedFilters = support::Suite<support::StoredBlooms, std::tuple<Bloom, perhaps::FastBloomFilter<Word>>>;

TEMPLATE_LIST_TEST_CASE("files: what is loaded is what was saved", "", SavedFilters) {
  const Folder folder;
  const auto filter = support::stored_example<TestType>();
  const auto path = folder / "filter";
  save(filter, path);
  CHECK(content(path) == stored(filter));
  CHECK(load<TestType>(path) == filter);
  const auto size = try_save(filter, path);
  REQUIRE(size);
  CHECK(*size == perhaps::stored_size(filter));
  const auto loaded = try_load<TestType>(path);
  REQUIRE(loaded);
  CHECK(*loaded == filter);
  CHECK(folder.files() == std::vector<std::string>{"filter"});
}

TEST_CASE("files: chains, rolling and shared filters, and those under a secret key, are saved and loaded") {
  const Folder folder;
  const auto path = folder / "filter";

  using Chain = perhaps::ScalableFilter<Bloom>;
  const auto chain = filled(Chain({.keys = 10, .fpr = 0.01}), 200);
  REQUIRE(chain.stages().size() > 2);
  save(chain, path);
  CHECK(content(path) == stored(chain));
  CHECK(stored(load<Chain>(path)) == stored(chain));

  using Rolling = perhaps::RollingBloomFilter<Word>;
  const auto rolling = filled(Rolling({.keys = 100, .fpr = 0.01}));
  save(rolling, path);
  CHECK(stored(load<Rolling>(path)) == stored(rolling));

  const auto shared = filled(perhaps::ConcurrentBloomFilter<Word>({.keys = 100, .fpr = 0.001}));
  save(shared, path);
  CHECK(load<Bloom>(path) == bloom());

  using Keyed = perhaps::BloomFilter<Word, perhaps::SipHash>;
  const perhaps::SipHash key(1, 2);
  const auto keyed = filled(Keyed({.keys = 100, .fpr = 0.01}, key));
  save(keyed, path);
  CHECK(load<Keyed>(path, key) == keyed);
  CHECK(try_load<Keyed>(path, perhaps::SipHash(1, 3)).failure().format.reason == FormatReason::key);
  if constexpr (views) {
    const MappedFilter<Keyed> mapped(path, key);
    CHECK(answers_as(*mapped, keyed));
    CHECK_THROWS_AS(MappedFilter<Keyed>(path, perhaps::SipHash(1, 3)), FormatError);
  }
}

TEMPLATE_LIST_TEST_CASE("files: a mapped filter answers as the saved one, whatever becomes of the file", "",
                        MappedFilters) {
  if constexpr (views) {
    const Folder folder;
    const auto path = folder / "filter";
    const auto filter = filled(TestType({.keys = 100, .fpr = 0.01}));
    save(filter, path);
    for (const Verify verify : {Verify::structure, Verify::everything}) {
      const MappedFilter<TestType> mapped(path, verify);
      CHECK(*mapped == filter);
      CHECK(answers_as(*mapped, filter));
    }
    MappedFilter<TestType> renamed(path);
    fs::rename(path, folder / "other");
    CHECK(answers_as(*renamed, filter));
    save(filled(TestType({.keys = 10, .fpr = 0.5}), 5), folder / "other");
    CHECK(answers_as(*renamed, filter));
    fs::remove(folder / "other");
    MappedFilter<TestType> moved(std::move(renamed));
    CHECK(answers_as(*moved, filter));
    CHECK(moved->bits() == filter.bits());
    save(filter, path);
    MappedFilter<TestType> assigned(path);
    assigned = std::move(moved);
    CHECK(answers_as(*assigned, filter));
    CHECK(assigned.bytes().size() == perhaps::stored_size(filter));
  }
}

TEST_CASE("files: a chain is asked where it is mapped") {
  if constexpr (views) {
    const Folder folder;
    using Chain = perhaps::ScalableFilter<Split>;
    const auto chain = filled(Chain({.keys = 10, .fpr = 0.01}), 200);
    save(chain, folder / "chain");
    const MappedFilter<Chain> mapped(folder / "chain");
    CHECK(answers_as(*mapped, chain));
  }
}

TEST_CASE("files: paths of every type, and those that a system would cut short") {
  const Folder folder;
  const std::string path = folder / "filter";
  save(bloom(), fs::path(path));
  CHECK(load<Bloom>(path.c_str()) == bloom());
  CHECK(load<Bloom>(std::string_view(path)) == bloom());
  CHECK(load<Bloom>(fs::path(path)) == bloom());
  if constexpr (views) CHECK(*MappedFilter<Bloom>::make(fs::path(path))->operator->() == bloom());

  const std::string cut = path + std::string("\0 and more", 10);
  CHECK(try_load<Bloom>(cut).failure().system_error == EINVAL);
  CHECK(try_save(bloom(), cut).failure().system_error == EINVAL);
  CHECK_FALSE(try_load<Bloom>(""));
  CHECK_FALSE(try_save(bloom(), ""));
  // The longest name that there is has no room for a suffix.
  const std::string longest = folder / std::string(255, 'x');
  save(bloom(), longest);
  CHECK(load<Bloom>(longest) == bloom());
  // Without a folder, a name in the current one.
  const auto before = fs::current_path();
  fs::current_path(folder.path);
  save(bloom(7), "here");
  CHECK(load<Bloom>("here") == bloom(7));
  fs::current_path(before);
  CHECK(fs::exists(folder / "here"));
}

TEST_CASE("files: the file that is replaced keeps its permissions, and a link stays one") {
  const Folder folder;
  const auto path = folder / "filter";
  save(bloom(), path);
  const ::mode_t umask = ::umask(022);
  ::umask(umask);
  CHECK(fs::status(path).permissions() == static_cast<fs::perms>(0666U & ~umask));
  for (const unsigned mode : {0600U, 0640U, 0664U, 0444U}) {
    fs::permissions(path, static_cast<fs::perms>(mode));
    save(bloom(50), path);
    CHECK(fs::status(path).permissions() == static_cast<fs::perms>(mode));
  }
  fs::create_directory(folder / "sub");
  fs::create_symlink("../filter", folder / "sub/link");
  save(bloom(20), folder / "sub/link");
  CHECK(fs::is_symlink(folder / "sub/link"));
  CHECK(load<Bloom>(path) == bloom(20));
}

namespace {

// Saving fails, says so with the path, and leaves the files that were there.
template <class F>
void check_failed_save(const F& filter, const std::string& path, FileReason reason, int system_error) {
  const auto saved = try_save(filter, path);
  REQUIRE_FALSE(saved);
  CHECK(saved.reason() == reason);
  CHECK(saved.failure().system_error == system_error);
  CHECK(saved.failure().path == path);
  const std::string said = describe(saved.failure());
  CHECK(said.find("'" + path + "'") != std::string::npos);
  CHECK(said.find(std::system_category().message(system_error)) != std::string::npos);
  try {
    save(filter, path);
    FAIL("saved");
  } catch (const FileError& error) {
    CHECK(error.reason() == reason);
    CHECK(error.code().value() == system_error);
    CHECK(std::string(error.what()) == "perhaps: " + said);
  }
}

}  // namespace

TEST_CASE("files: a save that fails leaves the old file and no other") {
  const Folder folder;
  const auto path = folder / "filter";
  save(bloom(), path);
  const auto only_the_old = [&] {
    CHECK(folder.files() == std::vector<std::string>{"filter"});
    CHECK(content(path) == stored(bloom()));
  };

  SECTION("no folder") { check_failed_save(bloom(), folder / "none/filter", FileReason::create, ENOENT); }
  SECTION("a file in the folder's place") {
    check_failed_save(bloom(), folder / "filter/filter", FileReason::create, ENOTDIR);
  }
  SECTION("a folder in the file's place") {
    check_failed_save(bloom(), folder.path.string(), FileReason::replace, EISDIR);
  }
  SECTION("a device in the file's place") {
    check_failed_save(bloom(), "/dev/full", FileReason::replace, EINVAL);
    CHECK(fs::is_character_file("/dev/full"));
  }
  SECTION("no permission") {
    fs::permissions(folder.path, static_cast<fs::perms>(0555U));
    const bool root = ::geteuid() == 0;
    if (root) REQUIRE(::seteuid(65534) == 0);
    check_failed_save(bloom(10), path, FileReason::create, EACCES);
    if (root) REQUIRE(::seteuid(0) == 0);
  }
  SECTION("no room") {
    // The shape of a full disk: a part is written, then no more.
    const Bloom large({.bits = 1U << 20U, .hashes = 3});
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ::rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    for (const rlim_t limit : {rlim_t{0}, rlim_t{63}, rlim_t{5000}, rlim_t{100'000}}) {
      const ::rlimit low{limit, before.rlim_max};
      REQUIRE(::setrlimit(RLIMIT_FSIZE, &low) == 0);
      check_failed_save(large, path, FileReason::write, EFBIG);
      const auto chain = perhaps::ScalableFilter<Bloom>({.keys = 1'000'000, .fpr = 0.01});
      check_failed_save(chain, path, FileReason::write, EFBIG);
      REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    }
    std::signal(SIGXFSZ, handler);
  }
  SECTION("a filter that was moved from") {
    Bloom gone = bloom();
    const Bloom kept = std::move(gone);
    CHECK(try_save(gone, path).reason() == FileReason::moved_from);
    CHECK_THROWS_WITH(save(gone, path), Catch::Contains("'" + path + "'") && Catch::Contains("moved from"));
    perhaps::ScalableFilter<Bloom> chain({.keys = 10, .fpr = 0.01});
    const auto kept_chain = std::move(chain);
    CHECK_THROWS_AS(save(chain, path), std::invalid_argument);
  }
  only_the_old();
}

#if defined(__linux__)
TEST_CASE("files: the new file is on the disk before it gets its name, and the name before saving ends") {
  const Folder folder;
  const auto path = folder / "filter";
  save(bloom(), path);
  asked.clear();
  save(bloom(50), path);
  CHECK(asked == std::vector<std::string>{"sync", "rename", "sync folder"});

  for (const auto& [call, reason, error] :
       {std::tuple("sync", FileReason::sync, EIO), std::tuple("rename", FileReason::rename, EPERM)}) {
    fails = call;
    fails_with = error;
    check_failed_save(bloom(10), path, reason, error);
    CHECK(folder.files() == std::vector<std::string>{"filter"});
    CHECK(content(path) == stored(bloom(50)));
  }
  // The new file is there by then; only that it stays is not known, and is said where a disk fails.
  fails = "sync folder";
  fails_with = EIO;
  check_failed_save(bloom(10), path, FileReason::sync, EIO);
  fails_with = EINVAL;  // a file system that can't
  save(bloom(20), path);
  fails.clear();
  CHECK(load<Bloom>(path) == bloom(20));
  CHECK(folder.files() == std::vector<std::string>{"filter"});
}
#endif

TEST_CASE("files: temporary names that are taken are passed over, and threads save at once") {
  const Folder folder;
  const auto path = folder / "filter";
  const std::string prefix = ".perhaps-" + std::to_string(::getpid()) + "-";
  const unsigned next = perhaps::detail::next_temporary() + 1;
  for (unsigned i = next; i < next + 20; ++i) put(folder / (prefix + std::to_string(i)), "left behind");
  save(bloom(), path);
  CHECK(load<Bloom>(path) == bloom());
  CHECK(folder.files().size() == 21);

  std::vector<std::thread> threads;
  for (Word keys = 1; keys <= 4; ++keys) {
    threads.emplace_back([&, keys] {
      for (int i = 0; i < 20; ++i) save(bloom(keys), path);
    });
  }
  bool whole = true;
  for (int i = 0; i < 50; ++i) whole = whole && try_load<Bloom>(path);  // one of them, at any time
  for (auto& thread : threads) thread.join();
  CHECK(whole);
  CHECK(folder.files().size() == 21);
}

namespace {

// Neither loaded nor mapped, for this reason, which is said with the path.
template <class F>
void check_refused(const std::string& path, FormatReason reason) {
  const auto check = [&](const auto& result, const auto& throwing) {
    REQUIRE_FALSE(result);
    CHECK(result.reason() == FileReason::refused);
    CHECK(result.failure().format.reason == reason);
    CHECK(describe(result.failure()) == "'" + path + "': " + perhaps::describe(result.failure().format));
    try {
      throwing();
      FAIL("no exception");
    } catch (const FormatError& error) {
      CHECK(error.reason() == reason);
      CHECK(error.what() == "perhaps: " + describe(result.failure()));
    }
  };
  check(try_load<F>(path), [&] { static_cast<void>(load<F>(path)); });
  if constexpr (views) check(MappedFilter<F>::make(path), [&] { MappedFilter<F>{path}; });
}

}  // namespace

TEST_CASE("files: a file that is no such filter is refused, and the message names it") {
  const Folder folder;
  const auto path = folder / "filter";
  const std::string whole = stored(bloom());
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{3}, std::size_t{63}, std::size_t{64}, whole.size() - 8, whole.size() - 1}) {
    put(path, std::string_view(whole).substr(0, size));
    check_refused<Bloom>(path, FormatReason::truncated);
  }
  for (const std::size_t more : {1U, 512U, 5000U}) {
    put(path, whole + std::string(more, '\0'));
    check_refused<Bloom>(path, FormatReason::too_long);
    CHECK(try_load<Bloom>(path).failure().format.found == whole.size() + more);
    CHECK(try_load<Bloom>(path).failure().format.expected == whole.size());
  }
  put(path, "#!/bin/sh\necho no filter, but a file that is longer than a header of sixty-four bytes\n");
  check_refused<Bloom>(path, FormatReason::magic);
  put(path, whole);
  check_refused<Split>(path, FormatReason::layout);
  std::string damaged = whole;
  damaged[100] = static_cast<char>(damaged[100] ^ 4);
  put(path, damaged);
  check_refused<Bloom>(path, FormatReason::checksum);
  if constexpr (views) CHECK(MappedFilter<Bloom>::make(path, Verify::structure));

  using Chain = perhaps::ScalableFilter<Bloom>;
  const std::string chain = stored(filled(Chain({.keys = 10, .fpr = 0.01}), 100));
  put(path, chain + "x");
  check_refused<Chain>(path, FormatReason::too_long);
  put(path, chain.substr(0, chain.size() - 64));
  CHECK(try_load<Chain>(path).reason() == FileReason::refused);
}

TEST_CASE("files: what can't be opened or read says why") {
  const Folder folder;
  const auto none = folder / "none";
  const auto check = [&](const auto& result, FileReason reason, int system_error, const std::string& path) {
    REQUIRE_FALSE(result);
    CHECK(result.reason() == reason);
    CHECK(result.failure().system_error == system_error);
    CHECK(describe(result.failure()).find("'" + path + "': " + std::system_category().message(system_error)) !=
          std::string::npos);
  };
  check(try_load<Bloom>(none), FileReason::open, ENOENT, none);
  check(MappedFilter<Bloom>::make(none), FileReason::open, ENOENT, none);
  check(try_load<Bloom>(folder.path), FileReason::read, EISDIR, folder.path.string());
  CHECK_THROWS_AS(load<Bloom>(none), FileError);
  CHECK_THROWS_AS(MappedFilter<Bloom>(none), FileError);
  CHECK_THROWS_AS(load<Bloom>(none), std::system_error);
  CHECK_FALSE(MappedFilter<Bloom>::make("/dev/full"));

  // A pipe has no size, and can be loaded.
  const auto pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const bool more : {false, true}) {
    std::thread writer([&] { put(pipe, stored(bloom()) + (more ? "x" : "")); });
    const auto loaded = try_load<Bloom>(pipe);
    writer.join();
    CHECK(static_cast<bool>(loaded) != more);
    if (more) CHECK(loaded.failure().format.reason == FormatReason::too_long);
  }
}
