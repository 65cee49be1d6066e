#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Whether what two object files define under one name is one function: same_calls.py OBJDUMP FIRST SECOND.

The linker keeps one of the two. So for every function of this library that both objects define, the functions that it
calls must be the same. Both objects are compiled without optimisation, where a call is a call.
"""
import re
import subprocess
import sys


def calls(objdump, path):
    """The names that each function of the library refers to."""
    listing = subprocess.run([objdump, "-dr", path], check=True, capture_output=True, text=True).stdout
    functions = {}
    current = None
    for line in listing.splitlines():
        if header := re.match(r"[0-9a-f]+ <(.+)>:$", line):
            name = header.group(1)
            current = functions.setdefault(name, set()) if re.match("_ZNK?7perhaps", name) else None
        elif current is not None and (target := re.search(r"R_\S+\s+(_Z[^\s+-]+)", line)):
            current.add(target.group(1))
    return functions


def main():
    objdump, *paths = sys.argv[1:]
    first, second = (calls(objdump, path) for path in paths)
    shared = first.keys() & second.keys()
    print(f"{len(first)} and {len(second)} functions, {len(shared)} under the same names")
    if len(shared) < 100:
        sys.exit("too few to mean anything: are the objects compiled without optimisation?")
    differing = sorted(name for name in shared if first[name] != second[name])
    for name in differing:
        print(f"{name} calls {sorted(first[name] ^ second[name])[:4]} in one object only")
    sys.exit(1 if differing else 0)


main()
