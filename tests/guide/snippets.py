# SPDX-License-Identifier: BSL-1.0
#
# The C++ of README.md and of the guide, compiled and run:
#
#     snippets.py generate <guide.cpp> <page>...     writes one program of all blocks that begin with ```cpp
#     snippets.py check <program> <page>...          runs it and compares what it prints with the comments beside
#
# A block is a program (it has a main), declarations (it begins with one), or statements. Blocks of a page see the
# declarations of those before; lines in a comment `<!-- cpp ... -->` before a block belong to it, unseen by readers.
#
# Each line of a block that ends one of output, by '\n' to std::cout, prints just that one. Its comment says what, if it
# begins with a number: `// 7: text`, or with an arrow: `// -> the whole line`.
import pathlib
import re
import subprocess
import sys

INCLUDES = """array cstddef cstdint cstdlib fstream functional iostream memory mutex optional set shared_mutex span
sstream stdexcept string string_view thread tuple utility vector""".split()

DECLARATION = re.compile(r"(struct|class|enum|template|namespace|static_assert|auto perhaps_key|inline|constexpr)\b")


class Block:
    def __init__(self, page, number, first, lines, unseen):
        self.where = f"{page.name}:{first}"
        self.function = f"block_{number}"
        self.first = first
        self.lines = lines
        self.unseen = unseen
        code = next(line for line in lines if line.strip() and not line.startswith(("//", "#include")))
        self.is_program = any(line == "int main() {" for line in lines)
        self.runs = self.is_program or not DECLARATION.match(code)

    # What the block's lines of output are: None where the comment does not say.
    def expected(self):
        for line in self.lines:
            code, _, comment = line.partition("  // ")
            if "'\\n'" not in code or "std::cerr" in code:
                continue
            number = re.match(r"-?\d[\w.'+-]*", comment)
            if comment.startswith("-> "):
                yield comment[3:]
            else:
                yield number[0].rstrip(".") if number else None


def blocks_of(page):
    unseen, lines, first = [], None, 0
    number = 0
    inside_comment = False
    for i, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if lines is not None:
            if line == "```":
                number += 1
                yield Block(page, number, first, lines, unseen)
                lines, unseen = None, []
            else:
                lines.append(line)
        elif inside_comment:
            inside_comment = line != "-->"
            if inside_comment:
                unseen.append(line)
        elif line == "<!-- cpp":
            inside_comment = True
        elif line == "```cpp":
            lines, first = [], i + 1
    if lines is not None or inside_comment:
        sys.exit(f"{page}: a block does not end")


def generate(output, pages):
    includes = {f"#include <{name}>" for name in INCLUDES} | {"#include <perhaps/perhaps.hpp>"}
    text, calls = [], []
    for page in pages:
        name = "page_" + re.sub(r"\W", "_", page.stem)
        text.append(f"namespace {name} {{")
        for block in blocks_of(page):
            includes |= {line for line in block.lines if line.startswith("#include")}
            body = ["" if line.startswith("#include") else line for line in block.lines]
            text += [f"// {block.where}"]
            if block.is_program:
                body[body.index("int main() {")] = f"void {block.function}() {{"
                text += block.unseen
            elif block.runs:
                text += [f"void {block.function}() {{", *block.unseen]
            else:
                text += block.unseen
            text += [f'#line {block.first} "{page.as_posix()}"', *body]
            if block.runs and not block.is_program:
                text.append("}")
            if block.runs:
                calls.append(f'  std::cout << "== {block.where}\\n";\n  {name}::{block.function}();')
        text.append(f"}}  // namespace {name}")
    main = ["int main() {", *calls, "}", ""]
    pathlib.Path(output).write_text("\n".join([*sorted(includes), *text, *main]), encoding="utf-8")


def check(program, pages):
    said = {}
    for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
        if line.startswith("== "):
            lines = said.setdefault(line[3:], [])
        else:
            lines.append(line)
    failed = checked = 0
    for block in (block for page in pages for block in blocks_of(page) if block.runs):
        expected, lines = list(block.expected()), said.pop(block.where)
        if len(expected) != len(lines):
            print(f"{block.where}: {len(expected)} lines of code print, but {len(lines)} lines were printed: {lines}")
            failed += 1
            continue
        for want, line in zip(expected, lines):
            checked += want is not None
            if want not in (None, line):
                print(f"{block.where}: printed {line}, but the comment says {want}")
                failed += 1
    print(f"{checked} comments about output, {failed} of them wrong")
    sys.exit(failed != 0 or checked == 0)


command, argument, *names = sys.argv[1:]
{"generate": generate, "check": check}[command](argument, [pathlib.Path(name) for name in names])
