# xxHash::xxhash, the header. xxHash's own package, Conan and vcpkg bring a config of that name; Debian and Ubuntu bring
# the header alone. Installed beside perhapsConfig.cmake, with the header where no package had it.
find_package(xxHash ${xxHash_FIND_VERSION} CONFIG QUIET)
if(TARGET xxHash::xxhash)
  set(xxHash_FOUND TRUE)
  return()
endif()

find_path(xxHash_INCLUDE_DIR xxhash.h PATHS "${CMAKE_CURRENT_LIST_DIR}/xxhash")
mark_as_advanced(xxHash_INCLUDE_DIR)

if(xxHash_INCLUDE_DIR)
  foreach(part MAJOR MINOR RELEASE)
    file(STRINGS "${xxHash_INCLUDE_DIR}/xxhash.h" line REGEX "^#define XXH_VERSION_${part} +[0-9]+")
    string(REGEX REPLACE ".* ([0-9]+).*" "\\1" xxHash_VERSION_${part} "${line}")
  endforeach()
  set(xxHash_VERSION "${xxHash_VERSION_MAJOR}.${xxHash_VERSION_MINOR}.${xxHash_VERSION_RELEASE}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  xxHash
  REQUIRED_VARS xxHash_INCLUDE_DIR
  VERSION_VAR xxHash_VERSION)

if(xxHash_FOUND AND NOT TARGET xxHash::xxhash)
  add_library(xxHash::xxhash INTERFACE IMPORTED)
  set_target_properties(xxHash::xxhash PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${xxHash_INCLUDE_DIR}")
endif()
