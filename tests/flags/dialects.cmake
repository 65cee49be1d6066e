# Inline assembly means the same instructions with -masm=intel as with -masm=att: run as `cmake -P`, with ROOT, CXX, WORK
# and OBJDUMP set. A pair of operands in one dialect's order only would assemble in the other, and answer wrongly.
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY "${WORK}")

# All of it is in one header, and all of that header's in dialects.cpp.
file(GLOB_RECURSE headers "${ROOT}/include/*.hpp")
set(statements 0)
foreach(header IN LISTS headers)
  file(STRINGS "${header}" lines REGEX "(^|[^a-z_])(__)?asm(__)?( volatile)?[ ]*\\(")
  list(LENGTH lines count)
  if(count GREATER 0 AND NOT header MATCHES "/kernel/vectors\\.hpp$")
    message(SEND_ERROR "${header} has assembly language: move it to kernel/vectors.hpp, and call it in dialects.cpp")
  endif()
  math(EXPR statements "${statements} + ${count}")
endforeach()
file(STRINGS "${ROOT}/tests/flags/dialects.cpp" functions REGEX "\\) \\{ .*perhaps::detail::")
list(LENGTH functions calls)
if(NOT statements EQUAL calls OR calls EQUAL 0)
  message(SEND_ERROR "${statements} pieces of assembly language, but ${calls} functions in dialects.cpp")
endif()

foreach(dialect att intel)
  execute_process(
    COMMAND "${CXX}" -std=c++20 -O1 -march=x86-64-v4 -masm=${dialect} -I "${ROOT}/include" -c
            "${ROOT}/tests/flags/dialects.cpp" -o "${WORK}/${dialect}.o" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${OBJDUMP}" -d "${WORK}/${dialect}.o" COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE code)
  string(REGEX REPLACE "[^\n]*file format[^\n]*" "" code_${dialect} "${code}")
endforeach()
if(NOT code_att MATCHES "vpgatherqq" OR NOT code_att STREQUAL code_intel)
  message(SEND_ERROR "other instructions with -masm=intel:\n${code_att}\n${code_intel}")
endif()
