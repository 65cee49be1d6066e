# The port, with vcpkg's helper functions played by this script: those of vcpkg-cmake and vcpkg-cmake-config exist only
# when vcpkg.json names these packages, and the fix-up moves and edits what vcpkg's does.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
set(CURRENT_PORT_DIR "${ROOT}/cmake/packaging/vcpkg/perhaps")
set(CURRENT_PACKAGES_DIR "${WORK}/packages/perhaps_x64-linux")
set(CURRENT_INSTALLED_DIR "${WORK}/installed")
set(TARGET_TRIPLET x64-linux)

file(READ "${CURRENT_PORT_DIR}/vcpkg.json" manifest)
string(JSON PORT GET "${manifest}" name)
string(JSON license GET "${manifest}" license)
cmake_path(GET CURRENT_PORT_DIR FILENAME folder)
expect_equal("the port's name" "${PORT}" "${folder}")
expect_equal("the license" "${license}" "BSL-1.0")
set(packages "")
set(host_packages "")
string(JSON count LENGTH "${manifest}" dependencies)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON type TYPE "${manifest}" dependencies ${i})
  if(type STREQUAL "STRING")
    string(JSON name GET "${manifest}" dependencies ${i})
    list(APPEND packages "${name}")
  else()
    string(JSON name GET "${manifest}" dependencies ${i} name)
    string(JSON host GET "${manifest}" dependencies ${i} host)
    if(host)
      list(APPEND host_packages "${name}")
    endif()
  endif()
endforeach()

if("xxhash" IN_LIST packages)
  # What vcpkg's xxhash brings, of the same names.
  file(COPY "${XXHASH_INCLUDE_DIR}/xxhash.h" DESTINATION "${CURRENT_INSTALLED_DIR}/include")
  file(WRITE "${CURRENT_INSTALLED_DIR}/share/xxhash/xxHashConfig.cmake"
       "add_library(xxHash::xxhash INTERFACE IMPORTED)\n"
       "set_target_properties(xxHash::xxhash PROPERTIES INTERFACE_INCLUDE_DIRECTORIES"
       " \"\${CMAKE_CURRENT_LIST_DIR}/../../include\")\n")
  file(WRITE "${CURRENT_INSTALLED_DIR}/share/xxhash/xxHashConfigVersion.cmake"
       "set(PACKAGE_VERSION 0.8.2)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
endif()

if("vcpkg-cmake" IN_LIST host_packages)
  function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    expect_equal("vcpkg_cmake_configure's further arguments" "${arg_UNPARSED_ARGUMENTS}" "")
    expect_equal("a header-only port builds" "${VCPKG_BUILD_TYPE}" "release")
    run("${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${WORK}/build" ${GENERATOR} "-DCMAKE_CXX_COMPILER=${CXX}"
        -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${CURRENT_INSTALLED_DIR}"
        "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" -DCMAKE_ERROR_ON_ABSOLUTE_INSTALL_DESTINATION=ON
        ${arg_OPTIONS})
  endfunction()

  function(vcpkg_cmake_install)
    run("${CMAKE_COMMAND}" --build "${WORK}/build" --target install)
  endfunction()
endif()

if("vcpkg-cmake-config" IN_LIST host_packages)
  function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
    set(share "${CURRENT_PACKAGES_DIR}/share/${arg_PACKAGE_NAME}")
    file(GLOB files "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*")
    file(COPY ${files} DESTINATION "${share}")
    cmake_path(GET arg_CONFIG_PATH PARENT_PATH parent)
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/${parent}")
    # The files lie one folder higher now: they find the prefix two folders up instead of three.
    file(GLOB files "${share}/*.cmake")
    foreach(file IN LISTS files)
      file(READ "${file}" text)
      string(REGEX REPLACE "(\nget_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\))+"
                           "\\1\\1" text "${text}")
      string(REGEX REPLACE "(PACKAGE_PREFIX_DIR \"\\\${CMAKE_CURRENT_LIST_DIR}/)(\\.\\./)*\" ABSOLUTE"
                           "\\1../../\" ABSOLUTE" text "${text}")
      file(WRITE "${file}" "${text}")
    endforeach()
  endfunction()
endif()

function(vcpkg_fixup_pkgconfig)
  file(GLOB_RECURSE files "${CURRENT_PACKAGES_DIR}/*.pc")
  list(LENGTH files count)
  expect_equal("pkg-config files" "${count}" "1")
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(INSTALL ${arg_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}" RENAME copyright)
endfunction()

include("${CURRENT_PORT_DIR}/portfile.cmake")

# What vcpkg checks after the build of a port.
foreach(file perhapsConfig.cmake perhapsConfigVersion.cmake perhapsTargets.cmake copyright usage)
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/share/perhaps/${file}")
    message(SEND_ERROR "the port installs no share/perhaps/${file}")
  endif()
endforeach()
foreach(folder share/cmake lib debug bin)
  if(EXISTS "${CURRENT_PACKAGES_DIR}/${folder}")
    message(SEND_ERROR "the port leaves ${folder}")
  endif()
endforeach()
file(GLOB_RECURSE entries LIST_DIRECTORIES TRUE "${CURRENT_PACKAGES_DIR}/*")
foreach(entry IN LISTS entries)
  file(GLOB inside "${entry}/*")
  if(IS_DIRECTORY "${entry}" AND NOT inside)
    message(SEND_ERROR "the port leaves an empty folder, ${entry}")
  endif()
endforeach()
expect_no_absolute_paths("${CURRENT_PACKAGES_DIR}")

file(COPY "${CURRENT_PACKAGES_DIR}/" DESTINATION "${CURRENT_INSTALLED_DIR}")
file(REMOVE_RECURSE "${WORK}/packages" "${WORK}/build")
consume(app -DPERHAPS_FROM=installed "-DCMAKE_PREFIX_PATH=${CURRENT_INSTALLED_DIR}"
        "-DXXHASH_UNDER=${CURRENT_INSTALLED_DIR}")
