# The version, read from the header that defines it.
set(PERHAPS_VERSION "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../include/perhaps/version.hpp" line
       REGEX "^#define PERHAPS_VERSION_${part} [0-9]+$")
  if(NOT line MATCHES "([0-9]+)$")
    message(FATAL_ERROR "version.hpp has no PERHAPS_VERSION_${part}")
  endif()
  list(APPEND PERHAPS_VERSION "${CMAKE_MATCH_1}")
endforeach()
list(JOIN PERHAPS_VERSION "." PERHAPS_VERSION)
