# Conan 2, from the path or else from PyPI into a virtual environment: `conan create` with its test package, then the
# application, by a build type that the package was not made with. No remote is asked.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
find_program(CONAN conan)
if(CONAN)
  output_of(conan_version "${CONAN}" --version)
endif()
if(NOT conan_version MATCHES "version 2")
  set(CONAN "")
  from_pypi(CONAN "conan>=2,<3" conan)
endif()
if(NOT CONAN)
  skip("neither Conan 2 nor Python with venv")
endif()

set(ENV{CONAN_HOME} "${WORK}/home")
set(ENV{CXX} "${CXX}")
set(ENV{PERHAPS_TEST_XXHASH} "${XXHASH_INCLUDE_DIR}")
file(STRINGS "${XXHASH_INCLUDE_DIR}/xxhash.h" release REGEX "^#define XXH_VERSION_RELEASE")
string(REGEX REPLACE ".* ([0-9]+)$" "\\1" release "${release}")
run("${CONAN}" profile detect)
run("${CONAN}" remote disable "*")
set(settings -s compiler.cppstd=20 -s build_type=Release -c "tools.cmake.cmaketoolchain:generator=${GENERATOR_NAME}"
             -c tools.build:jobs=1)
run("${CONAN}" create "${ROOT}/tests/consume/conan/xxhash" --version=0.8.${release} ${settings})

# A copy: Conan leaves build folders beside the test package.
file(COPY "${ROOT}/cmake/packaging/conan" DESTINATION "${WORK}/checkout/cmake/packaging")
file(COPY "${ROOT}/include" "${ROOT}/LICENSE" DESTINATION "${WORK}/checkout")
run("${CONAN}" create "${WORK}/checkout/cmake/packaging/conan" ${settings})
# The package is whole in Conan's cache.
file(REMOVE_RECURSE "${WORK}/checkout")

list(TRANSFORM settings REPLACE "build_type=Release" "build_type=Debug")
run("${CONAN}" install "--requires=perhaps/${VERSION}" --build=never -g CMakeDeps -g CMakeToolchain
    "--output-folder=${WORK}/generated" ${settings})
consume(app -DPERHAPS_FROM=installed "-DCMAKE_TOOLCHAIN_FILE=${WORK}/generated/conan_toolchain.cmake"
        "-DXXHASH_UNDER=${WORK}/home")

# C++17 is refused with a sentence, not with errors from the headers.
list(TRANSFORM settings REPLACE "cppstd=20" "cppstd=17")
execute_process(COMMAND "${CONAN}" install "--requires=perhaps/${VERSION}" --build=never ${settings}
                WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed ERROR_VARIABLE message OUTPUT_QUIET)
if(NOT failed OR NOT message MATCHES "cppstd.*17.*20")
  message(FATAL_ERROR "C++17 is not refused: ${message}")
endif()
