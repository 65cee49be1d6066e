# Of a header in detail whose members filters inherit, Doxygen is shown everything.
s/^namespace perhaps::inline PERHAPS_ABI {/namespace perhaps {/
s/ requires exceptions_enabled {/ {/
