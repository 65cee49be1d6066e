# SPDX-License-Identifier: BSL-1.0
#
# Shows filters in GDB, with Python 3.8 or later, by what they say of themselves:
#
#     (gdb) source <prefix>/share/perhaps/perhaps_gdb.py        once a session, or in ~/.gdbinit
#     (gdb) print seen
#     $1 = BloomFilter on Classic: m = 9592955, k = 7, fill = 0.517974, keys ~ 1.00007e+06, fpr ~ 0.0100035
#     (gdb) print/r seen                                        the members as they are
#
# Everything is read from memory and no function of the program is called, so core dumps and optimised programs will do.
# Of the standard library's types no member is named: of a filter's words only the pointer is read, their number follows
# from m. Up to 16 MiB of bits are counted, in a quarter of a second at most; of more, 64 pieces of 256 KiB are, evenly
# spread, which is good to two or three digits, and the line says so.
import math
import re
import struct

import gdb
import gdb.printing

PIECE = 1 << 18
PIECES = 64


class Unreadable(Exception):
    """Why the words of a filter can't be counted."""


if hasattr(int, "bit_count"):

    def popcount(number):
        return number.bit_count()

else:  # Python before 3.10: seven times slower

    def popcount(number):
        return bin(number).count("1")


def number(value):
    """A size in a filter: detail::ZeroOnMove<T>, or T."""
    value_type = value.type.strip_typedefs()
    return int(value["value_"] if value_type.code == gdb.TYPE_CODE_STRUCT else value)


def first_pointer(value):
    """The first pointer among the members of a storage, bases first: where its words begin."""
    for field in value.type.strip_typedefs().fields():
        if not hasattr(field, "bitpos"):  # static
            continue
        code = field.type.strip_typedefs().code
        if code == gdb.TYPE_CODE_PTR:
            return value[field]
        if code == gdb.TYPE_CODE_STRUCT:
            pointer = first_pointer(value[field])
            if pointer is not None:
                return pointer
    return None


def memory_of(words, size):
    """The bytes of `size` words in pieces, each a whole number of blocks, and how many bytes that are."""
    # BasicAtomicWords<OwnedWords> has its words where OwnedWords has them.
    storage = re.sub(r"^.*::", "", words.type.strip_typedefs().unqualified().name).rstrip("> ")
    if storage not in ("OwnedWords", "BorrowedWords", "ReadOnlyWords"):
        raise Unreadable("words in " + storage)
    pointer = first_pointer(words)
    if pointer is None or pointer.is_optimized_out:
        raise Unreadable("words optimized out")
    address = int(pointer)
    inferior = gdb.selected_inferior()
    ranges = [(0, 8 * size)]
    if 8 * size > PIECES * PIECE:
        last = 8 * size // PIECE - 1
        ranges = [(last * i // (PIECES - 1) * PIECE, PIECE) for i in range(PIECES)]
    try:
        pieces = [bytes(inferior.read_memory(address + first, length)) for first, length in ranges]
    except (gdb.MemoryError, gdb.error, OverflowError, ValueError):
        raise Unreadable("words not readable at 0x%x" % address) from None
    return pieces, sum(map(len, pieces))


def count_cells(data, cell_bits):
    """How many cells of so many bits are not 0."""
    cells = int.from_bytes(data, "little")
    if cell_bits > 1:
        reach = 1
        while reach < cell_bits:
            cells |= cells >> reach
            reach *= 2
        lowest = ((1 << 64) - 1) // ((1 << cell_bits) - 1)
        cells &= int.from_bytes(struct.pack("<Q", lowest) * (len(data) // 8), "little")
    return popcount(cells)


class Classic:
    """The layouts: the bits that a block takes, and what their namesakes in the headers compute."""

    name = "Classic"
    block = 1

    @staticmethod
    def hit(_hashes):
        return None

    @staticmethod
    def fpr(pieces, _cell_bits, hashes, fill):
        return fill**hashes


class Blocked:
    def __init__(self, block):
        self.name = "Blocked<%d>" % block
        self.block = block

    def hit(self, hashes):
        return -math.expm1(hashes * math.log1p(-1 / self.block))

    def fpr(self, pieces, cell_bits, hashes, _fill):
        length = self.block * cell_bits // 8
        rates = [(i / self.block) ** hashes for i in range(self.block + 1)]
        total = 0.0
        for data in pieces:
            for first in range(0, len(data), length):
                total += rates[count_cells(data[first : first + length], cell_bits)]
        return total / (sum(map(len, pieces)) // length)


class SplitBlock:
    lanes = 8

    def __init__(self, lane, name=None):
        self.name = name or "SplitBlock<%d, 8>" % lane
        self.lane = lane
        self.block = 8 * lane

    def hit(self, hashes):
        return (2 - 1 / self.lane) / self.lane if hashes > self.lanes else hashes / self.block

    def fpr(self, pieces, _cell_bits, hashes, _fill):
        block = struct.Struct("<8Q" if self.lane == 64 else "<8I")
        total = 0.0
        for data in pieces:
            for lanes in block.iter_unpack(data):
                total += self.rate([popcount(lane) / self.lane for lane in lanes], hashes)
        return total / (sum(map(len, pieces)) // block.size)

    def rate(self, fill, hashes):
        if hashes >= self.lanes:
            return math.prod(fill) ** (hashes // self.lanes)
        rotations = (fill[first:] + fill[:first] for first in range(self.lanes))
        return sum(math.prod(rotation[:hashes]) for rotation in rotations) / self.lanes


def layout_of(layout_type):
    name = re.sub(r"^.*?::(?=\w+<)", "", layout_type.strip_typedefs().name.split("<", 1)[0] + "<")[:-1]
    if name == "ParquetBlock":
        return SplitBlock(32, name)
    if name == "Classic":
        return Classic
    if name == "Blocked":
        return Blocked(int(layout_type.template_argument(0)))
    if name == "SplitBlock":
        return SplitBlock(int(layout_type.template_argument(0)))
    return None


def estimated_keys(places, hashes, share, layout):
    """From the share of places that are set, as in cardinality.hpp."""
    if share == 0:
        return 0.0
    if share >= 1:
        return math.inf
    hit = layout.hit(hashes)
    keys_per_position = 1 / hashes if hit is None else 1 / (layout.block * hit)
    return -places * keys_per_position * math.log1p(-share)


def describe_bits(name, value, places, layout_type, cell_bits):
    """A Bloom filter whose places, bits or counters, have `cell_bits` bits each."""
    m = number(value[places])
    k = number(value["hashes_"])
    layout = layout_of(layout_type)
    text = "%s on %s" % (name, layout.name if layout else layout_type.name)
    if m == 0:
        return text + ": moved from"
    text += ": m = %d, k = %d" % (m, k)
    try:
        pieces, length = memory_of(value["words_"], (m + 63) // 64 * cell_bits)
    except Unreadable as why:
        return "%s, %s" % (text, why)
    # Of all bits, those beyond m included, as they are 0; what a sample stands for has no rest.
    counted = min(m, length * 8 // cell_bits)
    cells = sum(count_cells(data, cell_bits) for data in pieces)
    share = cells / counted
    text += ", fill = %.6g" % share
    if layout and k > 0:
        keys = estimated_keys(m, k, share, layout)
        text += ", keys ~ %.6g, fpr ~ %.6g" % (keys, layout.fpr(pieces, cell_bits, k, share))
    if counted < m:
        text += ", from a sample of 1/%.3g" % (m / counted)
    return text


class BloomPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        value_type = self.value.type.strip_typedefs()
        return describe_bits("BloomFilter", self.value, "bits_", value_type.template_argument(2), 1)


class CountingPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        value_type = self.value.type.strip_typedefs()
        counter_bits = int(value_type.template_argument(1))
        name = "CountingBloomFilter, %d bits" % counter_bits
        return describe_bits(name, self.value, "counters_", value_type.template_argument(3), counter_bits)


class CuckooPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        value_type = self.value.type.strip_typedefs()
        fingerprint_bits = int(value_type.template_argument(1))
        bucket_size = int(value_type.template_argument(2))
        buckets = number(self.value["buckets_"])
        size = number(self.value["size_"])
        if buckets == 0:
            return "CuckooFilter: moved from"
        load = size / (buckets * bucket_size)
        compared = 2 * bucket_size * (load / 2 if buckets == 1 else load)
        fpr = -math.expm1(compared * math.log1p(-1 / (2**fingerprint_bits - 1)))
        return "CuckooFilter: %d buckets of %d x %d bits, size = %d, load = %.6g, fpr ~ %.6g" % (
            buckets,
            bucket_size,
            fingerprint_bits,
            size,
            load,
            fpr,
        )


def guarded(printer):
    """The printer, for values of which the compiler has left nothing, or part."""

    class Guarded(printer):
        def to_string(self):
            try:
                return super().to_string()
            except gdb.error as why:
                return "<%s>" % why

    return Guarded


def build_printer():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("perhaps")
    kinds = (("BloomFilter", BloomPrinter), ("CountingBloomFilter", CountingPrinter), ("CuckooFilter", CuckooPrinter))
    for name, printer in kinds:
        printers.add_printer(name, r"^perhaps::(v\w+::)?%s<.*>$" % name, guarded(printer))
    return printers


gdb.printing.register_pretty_printer(gdb.current_objfile(), build_printer(), replace=True)
