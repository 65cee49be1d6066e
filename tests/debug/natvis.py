# SPDX-License-Identifier: BSL-1.0
#
# Run inside GDB, after stops.py, on the program of filters.cpp, with the variable `natvis` set to the file: evaluates
# the visualizers as Visual Studio would, by GDB's own evaluator, on each filter that comes to look(), and compares with
# the line that the program printed for it. So every member that they name is one, and the numbers are right.
#
#     gdb -nx -batch -ex 'python natvis = "perhaps.natvis"' -ex 'source stops.py' -ex 'source natvis.py' filters
#
# Understood of the language is what the file uses: anything else is an error.
import re
import xml.etree.ElementTree

import gdb

SPACE = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"
MEMBER = re.compile(r"(?<![\w.>])([a-z]+_)\b")
EXPECTED_FILTERS = 29


def arguments_of(value_type):
    """The template arguments of a type, as text."""
    arguments = []
    try:
        while True:
            arguments.append(str(value_type.template_argument(len(arguments))))
    except (RuntimeError, gdb.error):
        return arguments


class Visualizer:
    """One Type of the file, for filters of the matching template."""

    def __init__(self, element):
        self.element = element
        self.names = [element.get("Name")] + [child.get("Name") for child in element.findall(SPACE + "AlternativeType")]

    def matches(self, value_type):
        template, count = value_type.name.split("<", 1)[0], len(arguments_of(value_type))
        return "%s<%s>" % (template, ",".join("*" * count)) in self.names

    def look_at(self, value):
        self.arguments = arguments_of(value.type)
        self.variables = set()
        self.translated = {}
        self.items = {}
        gdb.set_convenience_variable("self", value.address)
        for display in self.element.findall(SPACE + "DisplayString"):
            if self.holds(display):
                self.text = re.sub(r"\{([^{}]+)\}", lambda match: str(self.evaluate(match[1])), display.text)
                break
        self.run(self.element.find(SPACE + "Expand"))
        return self

    def evaluate(self, expression):
        if expression not in self.translated:
            text = re.sub(r"\$T(\d)", lambda match: self.arguments[int(match[1]) - 1], expression)
            text = MEMBER.sub(r"$self->\1", text)
            for name in self.variables:
                text = re.sub(r"\b%s\b" % name, "$natvis_" + name, text)
            self.translated[expression] = text
        return gdb.parse_and_eval(self.translated[expression])

    def holds(self, element):
        condition = element.get("Condition")
        return condition is None or bool(self.evaluate(condition))

    def run(self, parent):
        for element in parent:
            tag = element.tag.replace(SPACE, "")
            if tag == "Variable":
                self.variables.add(element.get("Name"))
                self.evaluate("%s = %s" % (element.get("Name"), element.get("InitialValue")))
            elif tag == "Exec":
                self.evaluate(element.text)
            elif tag == "Item":
                self.items[element.get("Name")] = self.evaluate(element.text)
            elif tag == "Loop":
                while self.holds(element):
                    self.run(element)
            elif tag in ("If", "CustomListItems"):
                if self.holds(element):
                    self.run(element)
            else:
                raise ValueError("what is <%s>?" % tag)


def close(value, expected, tolerance):
    return abs(float(value) - expected) <= tolerance * abs(expected)


def agree(shown, line):
    """Whether what is shown says what the program says: `line` has the same words, and the name of the layout."""
    head = re.sub(r" on [^:]*(?:::\w+)?(?=: )", "", line.split(", fill")[0].split(", load")[0])
    head = head.split(", words")[0]
    if shown.text != head:
        return False
    numbers = dict(re.findall(r"(fill|keys|fpr|load) [=~] ([0-9.e+-]+|inf)", line))
    items = shown.items
    sampled = any("sample" in name for name in items)
    of_a_sample = ", of a sample" if sampled else ""
    # 32 768 bits of a sample; (k - 1)/2B in blocks of 64 bits.
    near = 0.1 if sampled else 1e-5
    near_keys = max(near, 0.07 if "Blocked" in line or "k = 16" in line else 0)
    if "load" in numbers:
        pairs = ((items["[load]"], numbers["load"]), (items["[fpr]"], numbers["fpr"]))
        return all(close(ours, float(theirs), 1e-5) for ours, theirs in pairs)
    if "fill" not in numbers:  # moved from, or nothing that the program counts
        return ("moved from" in line) == ("[fill]" not in items)
    if not close(items["[fill%s]" % of_a_sample], float(numbers["fill"]), near):
        return False
    if "keys" not in numbers:
        return True
    keys = items.get("[keys, about%s]" % of_a_sample)
    if (keys is None) != (numbers["keys"] == "inf"):
        return False
    if keys is not None and not close(keys, float(numbers["keys"]), near_keys):
        return False
    rate = items["[fill^k%s]" % of_a_sample]
    return "Classic" not in line or sampled or close(rate, float(numbers["fpr"]), 1e-5)


def look(_, output):
    visualizers = [Visualizer(element) for element in xml.etree.ElementTree.parse(natvis).getroot()]
    wrong = filters = 0
    used = set()
    for value in stops(output):
        with open(output) as file:
            line = file.read().splitlines()[-1]
        value_type = value.type.strip_typedefs().unqualified()
        if value_type.name.startswith("perhaps::") and "0x40" not in line:
            filters += 1
            found = [visualizer for visualizer in visualizers if visualizer.matches(value_type)]
            used.update(found)
            shown = found[0].look_at(value.cast(value_type)) if len(found) == 1 else None
            if shown is None or not agree(shown, line):
                wrong += 1
                items = {name: str(shown.items[name]) for name in shown.items} if shown else "no visualizer"
                print("natvis:  %s %s" % (shown.text if shown else "", items))
                print("program: %s" % line)
    if filters != EXPECTED_FILTERS or len(used) != len(visualizers):
        wrong += 1
    print("%d filters, %d of %d visualizers" % (filters, len(used), len(visualizers)))
    return wrong


report(look)
