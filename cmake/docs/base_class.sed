# Of a header in detail whose members filters inherit, Doxygen is shown everything.
s/^inline namespace PERHAPS_ABI {$//
s/^}  \/\/ namespace PERHAPS_ABI$//
s/ requires exceptions_enabled {/ {/
