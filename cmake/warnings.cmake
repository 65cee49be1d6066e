# The project's own targets link perhaps_warnings; users never see these flags.
option(PERHAPS_WARNINGS_AS_ERRORS "Treat compiler warnings in the project's own targets as errors" OFF)

add_library(perhaps_warnings INTERFACE)
target_compile_options(
  perhaps_warnings
  INTERFACE
    $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wsign-conversion;-Wshadow;-Wold-style-cast;-Wdouble-promotion;-Wundef>
    $<$<AND:$<BOOL:${PERHAPS_WARNINGS_AS_ERRORS}>,$<CXX_COMPILER_ID:GNU,Clang,AppleClang>>:-Werror>)
