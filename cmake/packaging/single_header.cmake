# All of perhaps in one header. xxHash stays a header of its own.
#
#     cmake -D OUTPUT=perhaps_single.hpp -P cmake/packaging/single_header.cmake
#
# Each header is put where it is first included, with its include guard: including <perhaps/...> too does no harm.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../version.cmake")
cmake_path(SET include_dir NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../include")
set(license "// SPDX-License-Identifier: BSL-1.0\n")
set(inlined "")

# Sets `text` to the header's own text with the texts of the headers of ours that it includes first.
function(inline header)
  file(READ "${include_dir}/${header}" rest)
  string(FIND "${rest}" "${license}//\n" at)
  if(NOT at EQUAL 0)
    message(FATAL_ERROR "${header} does not begin with the license line")
  endif()
  string(LENGTH "${license}//\n" length)
  string(SUBSTRING "${rest}" ${length} -1 rest)

  set(own "")
  set(directive "\n#include <perhaps/")
  while(TRUE)
    string(FIND "${rest}" "${directive}" at)
    if(at EQUAL -1)
      break()
    endif()
    math(EXPR after "${at} + 1")
    string(SUBSTRING "${rest}" 0 ${after} before)
    string(SUBSTRING "${rest}" ${after} -1 rest)
    string(FIND "${rest}" "\n" end)
    string(SUBSTRING "${rest}" 0 ${end} line)
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${rest}" ${end} -1 rest)
    # The next directive may stand on the very next line.
    string(PREPEND rest "\n")
    string(REGEX REPLACE "^#include <([^>]+)>.*$" "\\1" included "${line}")
    string(REGEX REPLACE "^\n" "" before "${before}")
    string(APPEND own "${before}")
    if(NOT included IN_LIST inlined)
      list(APPEND inlined "${included}")
      set(inlined "${inlined}" PARENT_SCOPE)
      inline("${included}")
      string(APPEND own "\n// ---- ${included} ----\n\n${text}")
    endif()
  endwhile()
  string(REGEX REPLACE "^\n" "" rest "${rest}")
  set(text "${own}${rest}" PARENT_SCOPE)
  set(inlined "${inlined}" PARENT_SCOPE)
endfunction()

if(NOT OUTPUT)
  message(FATAL_ERROR "say where to: -D OUTPUT=perhaps_single.hpp")
endif()
inline(perhaps/perhaps.hpp)
file(WRITE "${OUTPUT}" "${license}//\n// perhaps ${PERHAPS_VERSION} in one header, made by cmake/packaging/single_header.cmake."
                       " It needs <xxhash.h>, version 0.8.\n//\n${text}")
