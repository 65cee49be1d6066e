# One version, wherever it is written: version.hpp, which CMake reads, vcpkg.json, the newest entry of the changelog.
# The Conan recipe reads version.hpp itself, and must not write a number of its own.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
set(numbers "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS "${ROOT}/include/perhaps/version.hpp" line REGEX "^#define PERHAPS_VERSION_${part} ")
  string(REGEX REPLACE "^#define PERHAPS_VERSION_${part} " "" number "${line}")
  list(APPEND numbers "${number}")
endforeach()
list(JOIN numbers "." header)
expect_equal("the CMake project" "${VERSION}" "${header}")

file(READ "${ROOT}/cmake/packaging/vcpkg/perhaps/vcpkg.json" json)
string(JSON port GET "${json}" version)
expect_equal("vcpkg.json" "${port}" "${header}")

file(STRINGS "${ROOT}/CHANGELOG.md" entries REGEX "^## ")
list(GET entries 0 newest)
string(REGEX REPLACE "^## ([0-9.]+).*" "\\1" newest "${newest}")
expect_equal("the newest entry of CHANGELOG.md" "${newest}" "${header}")

file(READ "${ROOT}/README.md" readme)
string(REGEX MATCH "find_package\\(perhaps ([0-9.]+) " request "${readme}")
if(NOT request OR NOT header MATCHES "^${CMAKE_MATCH_1}\\.[0-9]+$")
  message(FATAL_ERROR "README.md shows find_package(perhaps ${CMAKE_MATCH_1}), of ${header}")
endif()

file(READ "${ROOT}/cmake/packaging/conan/conanfile.py" recipe)
if(NOT recipe MATCHES "version\\.hpp" OR recipe MATCHES "[\n ]version *= *[\"']")
  message(FATAL_ERROR "conanfile.py must read the version from version.hpp")
endif()
