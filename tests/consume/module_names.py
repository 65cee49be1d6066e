# SPDX-License-Identifier: BSL-1.0
#
# Compares the names that cmake/module/perhaps.cppm exports with those that the headers declare in namespace perhaps.
# Adaptors, which need the headers of other libraries, are no part of the module. The headers are formatted, so a
# declaration of that namespace begins in the first column.
import pathlib
import re
import sys

TYPE = re.compile(r"(?:concept|class|struct|enum class|using) (\w+)")
FUNCTION = re.compile(r"(operator\W{1,2}|\w+)\(")
VARIABLE = re.compile(r"(\w+)(?: =|\{|;)")
ADAPTORS = ("leveldb.hpp", "mpi.hpp")
NOT_DECLARATIONS = ("namespace", "inline namespace", "static_assert", "template", "requires", "extern")


def declared(header):
    inside_detail = False
    for line in header.read_text().splitlines():
        if line.startswith("namespace detail {"):
            inside_detail = True
        elif line.startswith("}  // namespace detail"):
            inside_detail = False
        elif not inside_detail and re.match(r"[A-Za-z\[]", line) and not line.startswith(NOT_DECLARATIONS):
            name = TYPE.match(line) or FUNCTION.search(line) or VARIABLE.search(line)
            if not name:
                sys.exit(f"{header}: what does this line declare? {line}")
            yield name[1]


root = pathlib.Path(sys.argv[1])
public = {
    name
    for header in (root / "include" / "perhaps").rglob("*.hpp")
    if "detail" not in header.parts[len(root.parts):] and header.name not in ADAPTORS
    for name in declared(header)
}
exported = set(re.findall(r"^using perhaps::(?:isa::)?(\w+|operator\W{1,2});$", (root / "cmake" / "module" / "perhaps.cppm").read_text(), re.M))
if len(public) < 40:
    sys.exit(f"only {len(public)} public names found in {root}")
for name in sorted(public - exported):
    print(f"{name}: public, but not exported by perhaps.cppm")
for name in sorted(exported - public):
    print(f"{name}: exported by perhaps.cppm, but not public")
print(f"{len(public)} public names, {len(exported)} exported")
sys.exit(public != exported)
