# FetchContent from a git URL.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
make_repository(repository)
if(NOT repository)
  skip("no git")
endif()
consume(app "-DPERHAPS_FROM=file://${repository}")
