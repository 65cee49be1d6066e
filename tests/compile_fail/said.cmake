# A compiler launcher: runs the compiler, keeps what it says in a file, and lets the build go on.
#
#     cmake -D SAID=<file> -P said.cmake -- <compiler> <argument>...
cmake_minimum_required(VERSION 3.25)
set(command)
set(found OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(found)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(found ON)
  endif()
endforeach()
execute_process(COMMAND ${command} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
if(result EQUAL 0)
  string(APPEND said "it compiles\n")
endif()
file(WRITE "${SAID}" "${said}")
