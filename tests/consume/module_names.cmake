# The module exports every public name of the headers and no other.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
find_program(PYTHON NAMES python3)
if(NOT PYTHON)
  skip("no Python")
endif()
run("${PYTHON}" "${ROOT}/tests/consume/module_names.py" "${ROOT}")
