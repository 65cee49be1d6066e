# What Doxygen is shown of a header, line by line: names as users write them, nothing of namespace detail, no special
# members as the compiler makes them, no requires clause that only asks for exceptions, and nothing of xxHash's.
s/^inline namespace PERHAPS_ABI {$//
s/^}  \/\/ namespace PERHAPS_ABI$//
/^namespace detail {/,/^}  \/\/ namespace detail/s/.*//
s/^  ~\{0,1\}[A-Z][A-Za-z0-9]*([A-Za-z0-9& ]*) = default;$//
s/^  [A-Z][A-Za-z0-9]*& operator=([A-Za-z0-9& ]*) = default;$//
s/ requires detail::exceptions_enabled\([ ;]\)/\1/
/^#define XXH_/s/.*//
