# Runs an example and looks for its command line and output in examples/README.md, byte for byte:
#
#     cmake -D README=<file> -D PROGRAM=<file> -D NAME=<example> [-D ARGUMENTS=<...>] [-D VARIES=<unit>]
#           [-D "LAUNCHER=<...>" -D SHOWN_LAUNCHER=<...>] -P shown.cmake
#
# LAUNCHER: what starts the program, such as mpirun, in the words that the README has for it.
# VARIES: numbers before this unit, such as ms, differ from run to run, and are not compared; the README must say so.
cmake_minimum_required(VERSION 3.25)
separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
execute_process(COMMAND ${LAUNCHER} "${PROGRAM}" ${arguments} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${SHOWN_LAUNCHER} ${NAME} ${ARGUMENTS}" command)
set(block "```console\n$ ${command}\n${output}```\n")
file(READ "${README}" readme)
if(VARIES)
  string(FIND "${readme}" "`${NAME}`: the numbers before \"${VARIES}\" differ from run to run." said)
  if(said EQUAL -1)
    message(FATAL_ERROR "README.md does not say that the numbers before \"${VARIES}\" differ")
  endif()
  foreach(text readme block)
    string(REGEX REPLACE "[0-9.]+ ${VARIES}" "# ${VARIES}" ${text} "${${text}}")
  endforeach()
endif()
string(FIND "${readme}" "${block}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "examples/README.md does not show this:\n${block}")
endif()
