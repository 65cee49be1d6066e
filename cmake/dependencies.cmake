# Where xxHash, Catch2 and Google Benchmark come from: what find_package finds (a system package, Conan, vcpkg), else a
# release archive, pinned by its hash. PERHAPS_FETCH_DEPENDENCIES=OFF forbids the download; PERHAPS_<NAME>_URL and
# PERHAPS_<NAME>_SHA256 name another place for it, such as a mirror, and another archive.
include(FetchContent)

option(PERHAPS_FETCH_DEPENDENCIES "Download dependencies that find_package does not find" ON)

# perhaps_fetch(<name> <url> <sha256> [<FetchContent option>...]): the release archive, or an error that says what to
# install. Sets <name>_SOURCE_DIR.
macro(perhaps_fetch name url hash)
  if(NOT PERHAPS_FETCH_DEPENDENCIES)
    message(FATAL_ERROR "perhaps needs ${name}: install it, or set PERHAPS_FETCH_DEPENDENCIES=ON")
  endif()
  string(TOUPPER "PERHAPS_${name}" perhaps_prefix)
  set(${perhaps_prefix}_URL "${url}" CACHE STRING "Where to download ${name} from when it is not installed")
  set(${perhaps_prefix}_SHA256 "${hash}" CACHE STRING "The archive's SHA-256")
  mark_as_advanced(${perhaps_prefix}_URL ${perhaps_prefix}_SHA256)
  # SYSTEM comes first: CMake 3.25 takes it for a part of the argument that it follows.
  FetchContent_Declare(${name} SYSTEM ${ARGN} URL "${${perhaps_prefix}_URL}"
                       URL_HASH "SHA256=${${perhaps_prefix}_SHA256}" DOWNLOAD_EXTRACT_TIMESTAMP ON)
  FetchContent_MakeAvailable(${name})
endmacro()

# Target xxHash::xxhash: the header. A macro, so that the imported target belongs to the caller's directory.
macro(perhaps_find_xxhash)
  if(NOT TARGET xxHash::xxhash)
    list(PREPEND CMAKE_MODULE_PATH "${PROJECT_SOURCE_DIR}/cmake")
    find_package(xxHash 0.8 QUIET)
    list(POP_FRONT CMAKE_MODULE_PATH)
  endif()
  if(NOT TARGET xxHash::xxhash)
    # The archive's own CMake project builds a library that is not needed: SOURCE_SUBDIR names a folder without one.
    perhaps_fetch(
      xxhash https://github.com/Cyan4973/xxHash/archive/refs/tags/v0.8.2.tar.gz
      baee0c6afd4f03165de7a4e67988d16f0f2b257b51d0e3cb91909302a26a79c4 SOURCE_SUBDIR tests/none)
    add_library(perhaps_xxhash INTERFACE)
    target_include_directories(perhaps_xxhash SYSTEM INTERFACE "${xxhash_SOURCE_DIR}")
    # Installed beside us, for users of the installed package have no other: see install.cmake.
    set(PERHAPS_FETCHED_XXHASH "${xxhash_SOURCE_DIR}/xxhash.h")
    add_library(xxHash::xxhash ALIAS perhaps_xxhash)
  endif()
endmacro()

# Target Catch2::Catch2WithMain and the command catch_discover_tests; Catch2 2.13 and 3 both do.
macro(perhaps_find_catch2)
  find_package(Catch2 QUIET)
  if(NOT Catch2_FOUND)
    perhaps_fetch(catch2 https://github.com/catchorg/Catch2/archive/v3.6.0.tar.gz
                  485932259a75c7c6b72d4b874242c489ea5155d17efa345eb8cc72159f49f356)
    list(APPEND CMAKE_MODULE_PATH "${catch2_SOURCE_DIR}/extras")
  endif()
  include(Catch)
endmacro()

# Target benchmark::benchmark.
macro(perhaps_find_benchmark)
  find_package(benchmark 1.7 QUIET)
  if(NOT benchmark_FOUND)
    set(BENCHMARK_ENABLE_TESTING OFF)
    set(BENCHMARK_ENABLE_INSTALL OFF)
    perhaps_fetch(benchmark https://github.com/google/benchmark/archive/refs/tags/v1.8.2.tar.gz
                  2aab2980d0376137f969d92848fbb68216abb07633034534fc8c65cc4e7a0e93)
  endif()
endmacro()
