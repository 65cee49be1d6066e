# add_subdirectory, by an application whose warnings are harsher than ours.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
consume(app "-DPERHAPS_FROM=${ROOT}")
