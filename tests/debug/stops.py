# SPDX-License-Identifier: BSL-1.0
#
# Run inside GDB on the program of filters.cpp, before look.py or natvis.py: what both need.
import os
import tempfile

import gdb


class Skipped(Exception):
    """GDB may not run programs here."""


def stops(output):
    """The filter, each time that the program comes to look(). The program prints to the file `output`."""
    gdb.Breakpoint("look")
    try:
        gdb.execute("run > " + output)
    except gdb.error as why:
        raise (Skipped(why) if "ptrace" in str(why) else why)
    while gdb.selected_inferior().pid != 0:
        yield gdb.selected_frame().read_var("filter").referenced_value()
        gdb.execute("continue", to_string=True)


def report(look):
    """Calls look(<a folder>, <where the program prints to, in it>) and prints how many things were wrong."""
    gdb.execute("set confirm off")
    gdb.execute("set debuginfod enabled off")
    gdb.execute("set startup-with-shell on")
    with tempfile.TemporaryDirectory() as folder:
        try:
            wrong = look(folder, os.path.join(folder, "output"))
        except Skipped as why:
            print("skipped: GDB may not run programs here: %s" % why)
            return
        gdb.execute("core-file")
    print("all as the program said" if wrong == 0 else "%d wrong" % wrong)
