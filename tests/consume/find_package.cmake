# Installed, moved to another place, and found there; other versions and components are refused.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
set(prefix "${WORK}/moved to another place")
install_into("${WORK}/prefix")
file(RENAME "${WORK}/prefix" "${prefix}")
expect_no_absolute_paths("${prefix}")
consume(app -DPERHAPS_FROM=installed "-DCMAKE_PREFIX_PATH=${prefix}")
run("${CMAKE_COMMAND}" -S "${ROOT}/tests/consume/requests" -B "${WORK}/requests" ${GENERATOR}
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DVERSION=${VERSION}")
