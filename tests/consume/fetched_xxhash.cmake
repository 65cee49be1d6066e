# A machine without xxHash: perhaps downloads it, in every way that CMake projects use perhaps, and installs its header
# for those who use the installed package. The archive is one of this machine; all else is as it would be.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
archived_xxhash(fetched)
consume(subdirectory "-DPERHAPS_FROM=${ROOT}" ${fetched} "-DXXHASH_UNDER=${WORK}/subdirectory/_deps/xxhash-src")

make_repository(repository)
if(repository)
  consume(fetch_content "-DPERHAPS_FROM=file://${repository}" ${fetched}
          "-DXXHASH_UNDER=${WORK}/fetch_content/_deps/xxhash-src")
endif()

install_into("${WORK}/prefix" ${fetched})
file(REMOVE_RECURSE "${WORK}/perhaps-build")
set(prefix "${WORK}/moved")
file(RENAME "${WORK}/prefix" "${prefix}")
expect_no_absolute_paths("${prefix}")
# The system's own header is out of sight.
consume(installed -DPERHAPS_FROM=installed "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
        -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF "-DXXHASH_UNDER=${prefix}")

find_program(PKG_CONFIG NAMES pkg-config pkgconf)
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} "${prefix}/share/pkgconfig")
  output_of(flags "${PKG_CONFIG}" --cflags perhaps)
  if(NOT flags MATCHES "/cmake/perhaps/xxhash")
    message(FATAL_ERROR "pkg-config does not name the installed xxhash.h: ${flags}")
  endif()
endif()
