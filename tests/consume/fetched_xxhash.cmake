# A machine without xxHash: perhaps fetches it, and installs its header for those who use the installed package. In
# place of the download, a folder with the header.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
file(COPY "${XXHASH_INCLUDE_DIR}/xxhash.h" DESTINATION "${WORK}/download")
set(fetched -DCMAKE_DISABLE_FIND_PACKAGE_xxHash=ON "-DFETCHCONTENT_SOURCE_DIR_XXHASH=${WORK}/download")
consume(subdirectory "-DPERHAPS_FROM=${ROOT}" ${fetched} -DPERHAPS_FETCH_DEPENDENCIES=ON
        "-DXXHASH_UNDER=${WORK}/download")

install_into("${WORK}/prefix" ${fetched})
file(RENAME "${WORK}/download" "${WORK}/gone")
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
