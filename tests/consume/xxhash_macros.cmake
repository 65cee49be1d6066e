# A program may use xxHash itself, in any of its modes, before perhaps or after: nothing is said, both get right values,
# and the program's macros stay as they were.
cmake_minimum_required(VERSION 3.25)
include("${SETTINGS}")
# In a folder that is not a system's, so that redefined macros are seen.
file(COPY "${XXHASH_INCLUDE_DIR}/xxhash.h" DESTINATION "${WORK}/include")

set(main [=[
#include <cstdio>
#include <string>
int main() {
  unsigned long long sum = 0;
  for (const unsigned length : {0U, 1U, 4U, 9U, 17U, 130U, 250U, 1000U}) {
    const std::string text(length, 'x');
    const perhaps::Digest digest = perhaps::XxHash3(7)(text);
    sum = sum * 3 + digest.g + 5 * digest.h + XXH64(text.data(), text.size(), 9);
  }
#if defined(INLINE_BEFORE)
#if INLINE_BEFORE != XXH_INLINE_ALL + 0
#error XXH_INLINE_ALL is not what it was
#endif
#elif !defined(GIVEN) && (defined(XXH_INLINE_ALL) || defined(XXH_STATIC_LINKING_ONLY) || defined(XXH_NO_INLINE_HINTS))
#error perhaps leaves macros behind
#endif
  std::printf("%llx", sum);
}
]=])

set(expected "")
# tried(<name> <lines before>... AFTER <lines after>...)
function(tried name)
  cmake_parse_arguments(PARSE_ARGV 1 lines "" "" "BEFORE;AFTER")
  list(JOIN lines_BEFORE "\n" before)
  list(JOIN lines_AFTER "\n" after)
  file(WRITE "${WORK}/${name}.cpp" "${before}\n#include <perhaps/xxhash.hpp>\n${after}\n${main}")
  run("${CXX}" -std=c++20 ${cxx_flags} -I "${ROOT}/include" -I include -Wall -Werror ${name}.cpp -o ${name})
  output_of(sum "${WORK}/${name}")
  if(expected STREQUAL "")
    set(expected "${sum}" PARENT_SCOPE)
  else()
    expect_equal("${name}" "${sum}" "${expected}")
  endif()
endfunction()

set(user "#include <xxhash.h>")
tried(alone)
tried(included BEFORE ${user} "#define GIVEN")
tried(included_after AFTER ${user} "#define GIVEN")
set(number 0)
foreach(
  macro
  "XXH_INLINE_ALL"
  "XXH_INLINE_ALL 1"
  "XXH_PRIVATE_API"
  "XXH_PRIVATE_API 1"
  "XXH_STATIC_LINKING_ONLY"
  "XXH_STATIC_LINKING_ONLY 1"
  "XXH_NAMESPACE user_"
  "XXH_IMPLEMENTATION"
  "XXH_VECTOR 0"
  "XXH_FORCE_MEMORY_ACCESS 0"
  "XXH_NO_INLINE_HINTS 1"
  "XXH_NO_XXH3"
  "XXH_NO_STREAM"
  "XXH_NO_LONG_LONG")
  math(EXPR number "${number} + 1")
  set(define "#define ${macro}" "#define GIVEN")
  if(macro STREQUAL "XXH_IMPLEMENTATION")
    # xxHash wants both.
    list(PREPEND define "#define XXH_STATIC_LINKING_ONLY")
  endif()
  if(macro STREQUAL "XXH_INLINE_ALL 1")
    list(APPEND define "#define INLINE_BEFORE 1")
  elseif(macro STREQUAL "XXH_INLINE_ALL")
    list(APPEND define "#define INLINE_BEFORE 0")
  endif()
  tried(defined_${number} BEFORE ${define})
  tried(used_${number} BEFORE ${define} ${user})
  # How xxHash itself is compiled is settled by then.
  if(NOT macro MATCHES "NAMESPACE|IMPLEMENTATION|VECTOR|MEMORY_ACCESS")
    tried(after_${number} AFTER ${define} ${user})
  endif()
endforeach()
