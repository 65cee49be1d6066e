# What the scripts of this folder share; included by settings.cmake.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# run(<command> <argument>...): fails the test when the command fails.
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# output_of(<variable> <command> <argument>...)
function(output_of result)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY
                  OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

function(expect_equal what value expected)
  if(NOT value STREQUAL expected)
    message(FATAL_ERROR "${what}: '${value}', expected '${expected}'")
  endif()
endfunction()

# A macro, so that it ends the script.
macro(skip why)
  message(NOTICE "skipped: ${why}")
  return()
endmacro()

# from_pypi(<variable> <requirement> <program>): the program of a Python package, in a virtual environment that stays from
# run to run; empty when Python or its venv lacks.
function(from_pypi result requirement program)
  set(environment "${BUILD}/from_pypi/${program}")
  if(NOT EXISTS "${environment}/bin/${program}")
    find_program(PYTHON NAMES python3)
    if(NOT PYTHON)
      return()
    endif()
    execute_process(COMMAND "${PYTHON}" -m venv "${environment}" RESULT_VARIABLE failed)
    if(failed)
      return()
    endif()
    run("${environment}/bin/python" -m pip --quiet install "${requirement}")
  endif()
  set(${result} "${environment}/bin/${program}" PARENT_SCOPE)
endfunction()

separate_arguments(cxx_flags UNIX_COMMAND "${CXX_FLAGS}")

# How the project's own sources are compiled, for those who see our headers as their own.
set(OUR_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wdouble-promotion
                 -Wundef -Werror)

# Warnings that our headers do not heed: an application that has them passes when it sees our headers as a system's.
set(HARSH_WARNINGS ${OUR_WARNINGS} -Wfloat-equal -Wpadded)
if(CXX_ID STREQUAL "GNU")
  list(APPEND HARSH_WARNINGS -Wuseless-cast -Weffc++ -Wtemplates -Wnamespaces)
endif()

# The compiler's command line without CMake: what a user types after c++.
set(CXX_PLAIN "${CXX}" -std=c++20 ${cxx_flags} -I "${ROOT}/include")
if(NOT XXHASH_INCLUDE_DIR STREQUAL "/usr/include")
  list(APPEND CXX_PLAIN -isystem "${XXHASH_INCLUDE_DIR}")
endif()

# consume(<folder> <option>...): configures tests/consume/app with the options in that folder, builds and runs it.
function(consume folder)
  list(JOIN HARSH_WARNINGS " " warnings)
  run("${CMAKE_COMMAND}" -S "${ROOT}/tests/consume/app" -B "${WORK}/${folder}" ${GENERATOR}
      "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS} ${warnings}" -DCMAKE_BUILD_TYPE=Debug
      -DPERHAPS_FETCH_DEPENDENCIES=OFF "-DVERSION=${VERSION}" ${ARGN})
  run("${CMAKE_COMMAND}" --build "${WORK}/${folder}")
  run("${WORK}/${folder}/consumer")
endfunction()

# install_into(<prefix> [<option>...]): the README's two commands.
function(install_into prefix)
  run("${CMAKE_COMMAND}" -S "${ROOT}" -B "${WORK}/perhaps-build" ${GENERATOR} "-DCMAKE_CXX_COMPILER=${CXX}"
      -D PERHAPS_BUILD_TESTS=OFF -D PERHAPS_BUILD_EXAMPLES=OFF ${ARGN})
  run("${CMAKE_COMMAND}" --install "${WORK}/perhaps-build" --prefix "${prefix}")
endfunction()

# No file under the prefix may name a place of this machine.
function(expect_no_absolute_paths prefix)
  file(GLOB_RECURSE files "${prefix}/*")
  list(LENGTH files count)
  if(count LESS 20)
    message(FATAL_ERROR "${prefix}: only ${count} files installed")
  endif()
  foreach(file IN LISTS files)
    if(file MATCHES "/xxhash\\.h$")
      continue()
    endif()
    file(READ "${file}" text)
    foreach(place "${ROOT}/" "${BUILD}/" "${WORK}/" "/usr/" "/home/")
      string(FIND "${text}" "${place}" at)
      if(NOT at EQUAL -1)
        message(SEND_ERROR "${file} names ${place}")
      endif()
    endforeach()
  endforeach()
endfunction()

# archive(<variable> <name> <folder>): packs that folder of ${WORK} as a release, and sets the variable to the options by
# which perhaps takes it for the dependency's download.
function(archive result name folder)
  file(MAKE_DIRECTORY "${WORK}/archives")
  set(file "${WORK}/archives/${name}.tar.gz")
  run("${CMAKE_COMMAND}" -E tar czf "${file}" ${folder})
  file(REMOVE_RECURSE "${WORK}/${folder}")
  file(SHA256 "${file}" hash)
  string(TOUPPER "PERHAPS_${name}" prefix)
  set(${result} "-D${prefix}_URL=file://${file}" "-D${prefix}_SHA256=${hash}" PARENT_SCOPE)
endfunction()

# archived_xxhash(<variable>): options for a machine without xxHash that downloads it.
function(archived_xxhash result)
  file(COPY "${XXHASH_INCLUDE_DIR}/xxhash.h" DESTINATION "${WORK}/xxHash-0.8.2")
  archive(options xxhash xxHash-0.8.2)
  set(${result} -DCMAKE_DISABLE_FIND_PACKAGE_xxHash=ON -DPERHAPS_FETCH_DEPENDENCIES=ON ${options} PARENT_SCOPE)
endfunction()

# make_repository(<variable>): a git repository of the files as they are now, with the tag of this version; empty without
# git. The history is left out: the new repository must not depend on what is committed in this one.
function(make_repository result)
  find_program(GIT git)
  if(NOT GIT)
    return()
  endif()
  set(repository "${WORK}/repository")
  file(MAKE_DIRECTORY "${repository}")
  file(GLOB entries "${ROOT}/*")
  list(FILTER entries EXCLUDE REGEX "/(build[^/]*|\\.[^/]*)$")
  file(COPY ${entries} DESTINATION "${repository}")
  set(git "${GIT}" -C "${repository}" -c user.name=consumer -c user.email=consumer@example.com -c commit.gpgsign=false)
  run(${git} init --quiet)
  run(${git} add --force .)
  run(${git} commit --quiet -m "The version under test")
  run(${git} tag "v${VERSION}")
  set(${result} "${repository}" PARENT_SCOPE)
endfunction()
