#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Reads stored filters of integers with nothing but the format's description (stored_format.hpp) and Python's standard
library, and answers may_contain. Compares with the answers that the library gives, one line per golden file:

    read_stored.py <folder of golden files> <program golden_files>
"""
import pathlib
import struct
import subprocess
import sys

WORD = (1 << 64) - 1
SALTS = (0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31)


def fold(a, b):
    product = a * b
    return product & WORD, product >> 64


def rotl(x, n):
    n %= 64
    return ((x << n) | (x >> (64 - n))) & WORD


def mix_word(word, key):
    low, high = fold(word ^ key, 0x94D049BB133111EB)
    g_low, g_high = fold(low ^ high, 0x589965CC75374CC3)
    g = g_low ^ g_high
    return g, rotl((low + g) & WORD, 35)


def xxh64_of_word(word):
    """XXH64, seed 0, of the eight bytes of a word."""
    p1, p2, p3, p4, p5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
                          0x27D4EB2F165667C5)
    h = (p5 + 8) & WORD
    h ^= (rotl((word * p2) & WORD, 31) * p1) & WORD
    h = (rotl(h, 27) * p1 + p4) & WORD
    h = ((h ^ (h >> 33)) * p2) & WORD
    h = ((h ^ (h >> 29)) * p3) & WORD
    return h ^ (h >> 32)


def fast_range(x, size):
    return (x * size) >> 64


def probes(probe_id, g, h):
    if probe_id == 1:
        h = h or 0x9E3779B97F4A7C15
        while True:
            yield g
            g = (g + h) & WORD
    elif probe_id == 2:
        increment = 0
        while True:
            yield g
            g = (g + h) & WORD
            increment = (increment + 0x9E3779B97F4A7C15) & WORD
            h = (h + increment) & WORD
    elif probe_id == 3:
        h ^= 0x9E3779B97F4A7C15
        while True:
            yield (g + h) & WORD
            h = rotl(h, 23)
    else:
        sys.exit(f"unknown probe sequence {probe_id}")


def split_16(h, k):
    """Positions of a key within its block of eight lanes of 16."""
    first = (h >> 13) % 8
    for lane in range(8):
        if (lane + first) % 8 < k:
            yield 16 * lane + (h >> (60 - 4 * lane)) % 16


def split_64(h, k):
    """Bits of a key within its block of eight lanes of 64."""
    first = (h >> 13) % 8
    second = h * 0xD6E8FEB86659FD93 & WORD
    for lane in range(8):
        if k >= 8 or (lane + first) % 8 < k:
            yield 64 * lane + (h >> (58 - 6 * lane)) % 64
        if k == 16:
            yield 64 * lane + (second >> (58 - 6 * lane)) % 64


class Stored:
    def __init__(self, data):
        magic, version, self.kind, self.k, self.cell_bits = struct.unpack_from("<4sBBBB", data, 0)
        self.hash, self.layout, self.probe, key_kind = struct.unpack_from("<IIII", data, 8)
        self.bucket_size = self.layout - 0x3000 if self.kind == 3 else 0
        self.seed, self.cells, self.keys, payload, _ = struct.unpack_from("<QQQQQ", data, 24)
        assert magic == b"\x89PF\n" and version == 1
        # Key encoding version 1, and unsigned integers of 64 bits.
        assert key_kind == 0x51, hex(key_kind)
        assert len(data) == 64 + payload and payload % 8 == 0
        self.payload = data[64:]
        width = self.cell_bits * (self.bucket_size if self.kind == 3 else 1)
        assert int.from_bytes(self.payload, "little") >> (self.cells * width) == 0
        if self.kind == 3:
            slots = self.cells * self.bucket_size
            assert sum(self.cell(slot) != 0 for slot in range(slots)) == self.keys
        self.word_key = mix_word(self.seed, 0x243F6A8885A308D3)[0]

    def cell(self, i):
        """Cell i, or slot i of a cuckoo table."""
        bits = int.from_bytes(self.payload, "little")
        return (bits >> (i * self.cell_bits)) & ((1 << self.cell_bits) - 1)

    def digest(self, key):
        if self.hash in (1, 3):  # one hash of integers, two of text
            return mix_word(key, self.word_key)
        if self.hash == 2:
            h = xxh64_of_word(key)
            return h & 0xFFFFFFFF00000000, (h << 32) & WORD
        sys.exit(f"unknown hash {self.hash}")

    def places(self, g, h):
        if self.layout == 1:
            sequence = probes(self.probe, g, h)
            return [fast_range(next(sequence), self.cells) for _ in range(self.k)]
        if 0x1000 < self.layout < 0x2000:
            size = self.layout - 0x1000
            sequence = probes(self.probe, h, h * 0xD6E8FEB86659FD93 & WORD)
            first = fast_range(g, self.cells // size) * size
            return [first + (next(sequence) * size >> 64) for _ in range(self.k)]
        if self.layout == 0x2010:
            first = fast_range(g, self.cells // 128) * 128
            return [first + place for place in split_16(h, self.k)]
        if self.layout == 0x2020:
            first = fast_range(g, self.cells // 256) * 256
            key = h >> 32
            return [first + 32 * lane + ((key * salt & 0xFFFFFFFF) >> 27) for lane, salt in enumerate(SALTS)]
        if self.layout == 0x2040:
            first = fast_range(g, self.cells // 512) * 512
            return [first + place for place in split_64(h, self.k)]
        sys.exit(f"unknown layout {self.layout:#x}")

    def may_contain(self, key):
        g, h = self.digest(key)
        if self.kind != 3:
            return all(self.cell(place) != 0 for place in self.places(g, h))
        fingerprint = 1 + fast_range(h, (1 << self.cell_bits) - 1)
        first = fast_range(g, self.cells)
        r = fast_range(fingerprint * 0x9E3779B97F4A7C15 & WORD, self.cells) | (~self.cells & 1)
        second = (r - first) % self.cells
        return any(
            self.cell(bucket * self.bucket_size + slot) == fingerprint
            for bucket in (first, second) for slot in range(self.bucket_size))


class StoredChain:
    """Filters made of filters (stored/chains.hpp): a header, 64 bytes of numbers, the stages as each is stored alone."""

    def __init__(self, data):
        magic, version, self.kind, hashes, _ = struct.unpack_from("<4sBBBB", data, 0)
        _, stages, newest, payload, _ = struct.unpack_from("<QQQQQ", data, 24)
        assert magic == b"\x89PF\n" and version == 1 and hashes == 0
        assert len(data) == 64 + payload and newest < stages
        self.stages = []
        offset = 128
        for _ in range(stages):
            end = offset + 64 + struct.unpack_from("<Q", data, offset + 48)[0]
            self.stages.append(Stored(data[offset:end]))
            offset = (end + 63) // 64 * 64
            assert not any(data[end:offset])
        assert offset == len(data)

    def may_contain(self, key):
        return any(stage.may_contain(key) for stage in self.stages)


def read(path):
    data = path.read_bytes()
    return (StoredChain if data[5] in (4, 5) else Stored)(data)


def main():
    folder = pathlib.Path(sys.argv[1])
    seen = 0
    output = subprocess.run([sys.argv[2], "answers"], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        name, answers = line.split()
        stored = read(folder / f"{name}.perhaps")
        mine = "".join("01"[stored.may_contain(key)] for key in range(len(answers)))
        if mine != answers:
            wrong = [key for key in range(len(answers)) if mine[key] != answers[key]]
            sys.exit(f"{name}: answers differ for {len(wrong)} keys, first {wrong[0]}")
        seen += 1
    if seen < 24:
        sys.exit(f"only {seen} golden filters")
    print(f"{seen} golden filters, all answers agree")


main()
