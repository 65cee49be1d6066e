# SPDX-License-Identifier: BSL-1.0
#
# Run inside GDB, after the printers and stops.py, on the program of filters.cpp: compares what GDB shows of each filter that comes
# to look() with the line that the program printed for it; then again, of the first filter, from a core dump.
#
#     gdb -nx -batch -ex 'source perhaps_gdb.py' -ex 'source stops.py' -ex 'source look.py' filters
import os
import re

import gdb

EXPECTED_FILTERS = 30
EXPECTED_SAMPLES = 2
NUMBER = re.compile(r"[0-9.]+(?:e[-+]?[0-9]+)?")


def same(line, want):
    """Whether they are equal, but for the numbers after k where only a sample was counted."""
    exact, sampled, _ = line.partition(", from a sample of 1/")
    if not sampled:
        return line == want
    (head, _, rule), (want_head, _, want_rule) = (text.partition(", fill = ") for text in (exact, want))
    numbers, want_numbers = ([float(number) for number in NUMBER.findall(text)] for text in (rule, want_rule))
    return head == want_head and len(numbers) == len(want_numbers) == 3 and all(
        abs(ours - theirs) <= 0.03 * theirs for ours, theirs in zip(numbers, want_numbers))


def look(folder, output):
    core = os.path.join(folder, "core")
    lines = []
    for value in stops(output):
        if not lines:
            gdb.execute("generate-core-file " + core)
        lines.append(value.format_string())
    with open(output) as file:
        expected = file.read().splitlines()

    gdb.execute("core-file " + core)
    lines.append("core: " + gdb.selected_frame().read_var("filter").referenced_value().format_string())
    expected.append("core: " + expected[0])

    print("%d filters" % (len(lines) - 1))
    wrong = 0
    for line, want in zip(lines, expected):
        if not same(line, want):
            wrong += 1
            print("GDB:     %s\nprogram: %s" % (line, want))
    samples = sum("sample" in line for line in lines)
    if len(lines) != len(expected) or len(lines) != EXPECTED_FILTERS + 1 or samples != EXPECTED_SAMPLES:
        wrong += 1
        print("%d lines, %d from samples, for %d" % (len(lines), samples, len(expected)))
    return wrong


report(look)
