# Target docs: the site of reference and guide, in folder site of the build. Anything public without a comment, and
# any reference that leads nowhere, is an error.
find_package(Doxygen 1.9.4 REQUIRED)
find_program(PERHAPS_SED sed REQUIRED)

configure_file("${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in" "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
add_custom_target(
  docs
  COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/docs/concepts.cmake
  COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/Doxyfile"
  COMMENT "The site of reference and guide: ${PROJECT_BINARY_DIR}/site/index.html"
  VERBATIM)
