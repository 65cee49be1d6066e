# A developer's machine without any of the dependencies: xxHash, Catch2 and Google Benchmark are downloaded, and their
# headers' warnings are not ours. In place of the last two, projects with the names that matter, and a wrong archive.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
archived_xxhash(xxhash)

# What version.test.cpp needs of Catch2.
set(catch2 "${WORK}/Catch2-3.6.0")
file(
  WRITE "${catch2}/src/catch2/catch_all.hpp"
  "inline long careless(double x) { return (long)x; }\n"
  "void test_case();\n"
  "#define TEST_CASE(...) void test_case()\n"
  "#define CHECK(...) if (!(__VA_ARGS__)) throw 1\n"
  "#define REQUIRE(...) CHECK(__VA_ARGS__)\n")
file(WRITE "${catch2}/src/main.cpp" "void test_case();\nint main() { test_case(); }\n")
file(WRITE "${catch2}/extras/Catch.cmake" "function(catch_discover_tests name)\n  add_test(NAME \${name} COMMAND \${name})\n"
                                          "endfunction()\n")
file(
  WRITE "${catch2}/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.10)\n"
  "project(Catch2 LANGUAGES CXX)\n"
  "add_library(Catch2WithMain src/main.cpp)\n"
  "target_include_directories(Catch2WithMain PUBLIC src)\n"
  "add_library(Catch2::Catch2WithMain ALIAS Catch2WithMain)\n")
archive(catch2 catch2 Catch2-3.6.0)

set(benchmark "${WORK}/benchmark-1.8.2")
file(WRITE "${benchmark}/benchmark.cc" "int main() {}\n")
file(
  WRITE "${benchmark}/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.10)\n"
  "project(benchmark LANGUAGES CXX)\n"
  "if(BENCHMARK_ENABLE_TESTING OR BENCHMARK_ENABLE_INSTALL)\n"
  "  message(FATAL_ERROR \"perhaps builds the tests of Google Benchmark\")\n"
  "endif()\n"
  "add_library(benchmark benchmark.cc)\n"
  "add_library(benchmark::benchmark ALIAS benchmark)\n")
archive(benchmark benchmark benchmark-1.8.2)

set(configure
    "${CMAKE_COMMAND}" -S "${ROOT}" ${GENERATOR} "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}"
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON
    -DPERHAPS_BUILD_EXAMPLES=OFF -DPERHAPS_BUILD_BENCHMARKS=ON -DPERHAPS_WARNINGS_AS_ERRORS=ON ${xxhash} ${benchmark})
run(${configure} -B "${WORK}/build" ${catch2})
run("${CMAKE_COMMAND}" --build "${WORK}/build" --target test_version benchmark)
run("${WORK}/build/tests/test_version")

# Another archive than the pinned one is refused.
string(REPEAT "0" 64 other_hash)
execute_process(COMMAND ${configure} -B "${WORK}/wrong" ${catch2} -DPERHAPS_CATCH2_SHA256=${other_hash}
                RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
if(NOT failed OR NOT said MATCHES "does not match expected value")
  message(FATAL_ERROR "an archive with another hash is taken: ${said}")
endif()
