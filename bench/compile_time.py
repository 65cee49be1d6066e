#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""How long a unit takes to compile that includes one header and nothing else.

    bench/compile_time.py                                       every public header, with each compiler that is there
    bench/compile_time.py --peers DIR                           and <boost/bloom/filter.hpp>, if it is in DIR
    bench/compile_time.py --against OTHER/include perhaps/bloom_filter.hpp      two versions of this library
    bench/compile_time.py --compiler clang++ --flags=-O2 perhaps/perhaps.hpp

Seconds of processor time, user and system, of the compiler and all that it starts; the median over the repetitions, in
which all units are compiled in turn. So other work on the machine disturbs all of them alike, and little. `own` is what
is left of it without the compiler's start, `ratio` the whole divided by the peer's, or by bloom_filter.hpp's.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILTER = "perhaps/bloom_filter.hpp"
PEER = "boost/bloom/filter.hpp"


def processor_time(command):
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("failed: " + " ".join(command))
    return usage.ru_utime + usage.ru_stime


class Unit:
    """A source file that includes `headers`, from the folder `include` and, as a system's, `peers`."""

    def __init__(self, name, headers, include, peers):
        self.name = name
        self.text = "".join(f"#include <{header}>\n" for header in headers)
        self.folders = ["-I", str(include)] + (["-isystem", str(peers)] if peers else [])


def measure(compiler, flags, units, repetitions):
    """The median of each unit, in their order."""
    times = [[] for _ in units]
    with tempfile.TemporaryDirectory() as folder:
        commands = []
        for i, unit in enumerate(units):
            source = pathlib.Path(folder, f"{i}.cpp")
            source.write_text(unit.text, encoding="ascii")
            commands.append([compiler, "-std=c++20", *flags, *unit.folders, "-c", str(source), "-o", f"{folder}/{i}.o"])
        for repetition in range(repetitions + 1):
            for times_of_unit, command in zip(times, commands):
                time = processor_time(command)
                if repetition > 0:  # the first round brings files into memory
                    times_of_unit.append(time)
    return [statistics.median(times_of_unit) for times_of_unit in times]


def includes_of(compiler, include, root):
    """What `root` includes of others, itself or by headers of the library."""
    reached, own, others = [root], set(), set()
    while reached:
        header = reached.pop()
        own.add(header)
        text = pathlib.Path(include, header).read_text(encoding="utf-8")
        for included in re.findall(r"^#include <([^>]+)>", text, re.MULTILINE):
            if not included.startswith("perhaps/"):
                others.add(included)
            elif included not in own:
                reached.append(included)
    # Some are for other compilers.
    command = [compiler, "-std=c++20", "-M", "-I", str(include), "-x", "c++", str(pathlib.Path(include, root))]
    files = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return sorted(header for header in others if any(file.endswith("/" + header) for file in files))


def public_headers(include):
    folders = [include / "perhaps", include / "perhaps" / "layout"]
    return [str(path.relative_to(include)) for folder in folders for path in sorted(folder.glob("*.hpp"))]


def print_table(units, times, unit_of_ratios):
    start = times[0]
    base = times[[unit.name for unit in units].index(unit_of_ratios)]
    width = max(len(unit.name) for unit in units)
    print(f"{'':{width}}  seconds    own  ratio")
    for unit, time in zip(units, times):
        print(f"{unit.name:{width}}   {time:6.3f} {time - start:6.3f} {time / base:6.2f}")


def report(compiler, arguments):
    include, peers = arguments.include, arguments.peers
    headers = arguments.headers or public_headers(include)
    units = [Unit("(nothing)", [], include, peers)]
    for header in dict.fromkeys([FILTER, *headers]):
        units.append(Unit(header, [header], include, peers))
        if arguments.against and pathlib.Path(arguments.against, header).exists():
            units.append(Unit(header + ", against", [header], arguments.against, peers))
    has_peer = peers is not None and pathlib.Path(peers, PEER).exists()
    if has_peer:
        units.append(Unit(PEER, [PEER], include, peers))
    print(f"\n{compiler} -std=c++20 {' '.join(arguments.flags)}")
    print_table(units, measure(compiler, arguments.flags, units, arguments.repetitions), PEER if has_peer else FILTER)

    # Alone each, so they add up to more than they cost together.
    includes = includes_of(compiler, include, FILTER)
    units = [Unit("(nothing)", [], include, peers)] + [Unit(header, [header], include, peers) for header in includes]
    times = measure(compiler, arguments.flags, units, arguments.repetitions)
    heaviest = sorted(zip(times[1:], includes), reverse=True)[: arguments.heaviest]
    print(f"heaviest that {FILTER} includes, each alone: ", end="")
    print(", ".join(f"<{header}> {time - times[0]:.3f}" for time, header in heaviest))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headers", nargs="*", help="as they are included; default: all public ones")
    parser.add_argument("--include", type=pathlib.Path, default=ROOT / "include", help="default: this repository's")
    parser.add_argument("--against", type=pathlib.Path, help="the include folder of another version")
    parser.add_argument("--peers", type=pathlib.Path, help=f"where <{PEER}> may be")
    parser.add_argument("--compiler", action="append", help="may be repeated; default: g++ and clang++")
    parser.add_argument("--flags", type=str.split, default=[], help="more flags, as one argument: --flags='-O2 -g'")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--heaviest", type=int, default=8)
    arguments = parser.parse_args()
    compilers = arguments.compiler or [name for name in ("g++", "clang++") if shutil.which(name)]
    if not compilers:
        sys.exit("no compiler found: say which by --compiler")
    for compiler in compilers:
        report(compiler, arguments)


if __name__ == "__main__":
    main()
