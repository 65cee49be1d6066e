# What a Bloom filter includes stays light: run as `cmake -P`, with ROOT set.
#
# A program pays for every header in each of its units. Those of the standard library that bloom_filter.hpp and the
# layouts reach are the ones below; <ranges>, <memory>, <algorithm> or <cmath> would each cost more than all that they
# reach of this library (bench/compile_time.py measures it). One more is one to weigh first.
cmake_minimum_required(VERSION 3.25)

set(light
    array
    bit
    concepts
    cstddef
    cstdint
    cstdio
    cstdlib
    cstring
    initializer_list
    limits
    new
    optional
    span
    stdexcept
    string
    string_view
    sys/mman.h
    type_traits
    utility
    xxhash.h)

set(reached bloom_filter.hpp layout/blocked.hpp layout/split_block.hpp)
set(done "")
set(others "")
while(reached)
  list(POP_FRONT reached header)
  list(APPEND done ${header})
  file(STRINGS "${ROOT}/include/perhaps/${header}" includes REGEX "^ *# *include")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^ *# *include *[<\"]([^>\"]+)[>\"].*" "\\1" included "${line}")
    if(included MATCHES " ")
      # A sentence, which ends the compilation where something lacks.
    elseif(included MATCHES "^perhaps/(.+)")
      if(NOT CMAKE_MATCH_1 IN_LIST done AND NOT CMAKE_MATCH_1 IN_LIST reached)
        list(APPEND reached ${CMAKE_MATCH_1})
      endif()
    elseif("${header} ${included}" STREQUAL "detail/real.hpp cmath")
      # For compilers without the functions that GCC and Clang have built in.
    elseif(included IN_LIST light)
      list(APPEND others ${included})
    else()
      message(SEND_ERROR "${header} includes <${included}>, which every unit with a Bloom filter would then compile")
    endif()
  endforeach()
endwhile()

list(LENGTH done count)
if(count LESS 20)
  message(FATAL_ERROR "only ${count} headers found in ${ROOT}/include/perhaps")
endif()
foreach(header IN LISTS light)
  if(NOT header IN_LIST others)
    message(SEND_ERROR "<${header}> is not included any more: take it off the list")
  endif()
endforeach()
