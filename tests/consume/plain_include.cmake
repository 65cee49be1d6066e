# No build system: the compiler and two include paths. Programs of several translation units, with and without
# exceptions and both in one program, and one of them full of macros.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
set(sources "${ROOT}/tests/consume/plain")
set(link -Wl,--warn-common -Wl,--fatal-warnings)
if(CXX_ID STREQUAL "GNU")
  # The linker compares the two units' definitions.
  list(APPEND link -flto -Wodr)
endif()
set(with_exceptions -O1 ${OUR_WARNINGS} ${link})
set(without_exceptions -O1 -fno-exceptions -fno-rtti ${OUR_WARNINGS} ${link})

# program(<name> <option or source>...): builds it and runs it.
function(program name)
  run(${CXX_PLAIN} ${ARGN} -o ${name})
  output_of(said "${WORK}/${name}")
  expect_equal("${name}" "${said}" "all right")
endfunction()

program(units ${with_exceptions} "${sources}/main.cpp" "${sources}/other.cpp")
program(no_exceptions ${without_exceptions} "${sources}/main.cpp" "${sources}/other.cpp")
program(hostile ${with_exceptions} -I "${ROOT}/tests" -DPERHAPS_TEST_HOSTILE "${sources}/main.cpp"
        "${sources}/other.cpp" "${ROOT}/tests/odr/hostile.cpp")

run(${CXX_PLAIN} ${with_exceptions} -c "${sources}/main.cpp" -o main.o)
run(${CXX_PLAIN} ${without_exceptions} -c "${sources}/other.cpp" -o other.o)
program(mixed ${with_exceptions} main.o other.o)
