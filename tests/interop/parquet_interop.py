#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Parquet filters of this library against DuckDB and Apache Arrow, both ways, key by key. Needs the PyPI packages duckdb
and pyarrow:

    parquet_interop.py <program parquet_filter> <program arrow_filter>

1. Files that DuckDB and Arrow write: the filter there finds every value, answers absent as DuckDB does, and the one
   that this library makes of the same values has the same bytes.
2. Filters that this library makes, put into such a file: DuckDB answers by them, and so does Arrow's C++ library.
3. Filters of every size that this library's sizing gives: Arrow's C++ library reads them and answers alike.
"""
import pathlib
import subprocess
import sys
import tempfile

import duckdb
import pyarrow
import pyarrow.parquet

PROGRAM = sys.argv[1]
ARROW_PROGRAM = sys.argv[2]
ROWS = 1000
COLUMNS = {
    "a": ("INT64", pyarrow.int64(), lambda i: 7 * i - 900),
    "b": ("INT32", pyarrow.int32(), lambda i: 3 * i - 500),
    "s": ("BYTE_ARRAY", pyarrow.string(), lambda i: f"key {i} \u00e9"),
    "d": ("DOUBLE", pyarrow.float64(), lambda i: i / 4 + 0.25),
    "f": ("FLOAT", pyarrow.float32(), lambda i: i / 8 + 0.125),
}
SQL_TYPES = {"a": "BIGINT", "b": "INTEGER", "s": "VARCHAR", "d": "DOUBLE", "f": "FLOAT"}


def lines(values):
    return "".join(f"{value!r}\n" if isinstance(value, float) else f"{value}\n" for value in values).encode()


def run(arguments, values):
    return subprocess.run([PROGRAM, *map(str, arguments)], input=lines(values), check=True, capture_output=True).stdout


def run_arrow(arguments, values):
    done = subprocess.run([ARROW_PROGRAM, *map(str, arguments)], input=lines(values), capture_output=True)
    check(done.returncode == 0, f"Arrow refuses {arguments}: {done.stderr.decode()}")
    return done.stdout.decode()


def table(of=lambda i: i):
    return pyarrow.table({
        name: pyarrow.array([value(of(i)) for i in range(ROWS)], type=kind)
        for name, (_, kind, value) in COLUMNS.items()
    })


def write_by_duckdb(path):
    data = table()  # noqa: F841, DuckDB finds it by its name
    duckdb.sql(f"copy (from data) to '{path}' (format parquet, dictionary_size_limit 100000)")


def write_by_arrow(path):
    pyarrow.parquet.write_table(
        table(), path, bloom_filter_options={name: {"ndv": ROWS, "fpp": 0.01} for name in COLUMNS})


def excluded(path, column, value):
    literal = "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
    rows = duckdb.sql(
        f"select bloom_filter_excludes from parquet_bloom_probe('{path}', '{column}', {literal}::{SQL_TYPES[column]})"
    ).fetchall()
    return rows[0][0]


def check(holds, what):
    if not holds:
        sys.exit(f"disagree: {what}")


def main():
    asked = 0
    for writer in (write_by_duckdb, write_by_arrow):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "file.parquet"
            writer(path)
            places = duckdb.sql("select path_in_schema, bloom_filter_offset, bloom_filter_length "
                                f"from parquet_metadata('{path}')").fetchall()
            check(len(places) == len(COLUMNS), f"{writer.__name__}: columns {places}")
            for column, offset, length in places:
                kind, _, value = COLUMNS[column]
                what = f"{writer.__name__}, column {column}"
                check(offset is not None, f"{what} has no filter")
                present = [value(i) for i in range(ROWS)]
                absent = [value(i) for i in range(ROWS, ROWS + 4000)]
                index = list(COLUMNS).index(column)
                check(run(["answers", path, offset, kind], present) == b"1" * ROWS, f"{what}: a value is denied")
                answers = run(["answers", path, offset, kind], absent).decode()
                check(run_arrow(["column", path, index, kind], absent) == answers, f"{what}: Arrow's answers")
                for absent_key, answer in list(zip(absent, answers))[:400]:
                    check(excluded(path, column, absent_key) == (answer == "0"), f"{what}: {absent key!r}")
                file = bytearray(path.read_bytes())
                # The header of ours tells how long the bits are: 16 bytes less the length's digits beyond two.
                bits = max(size for size in range(32, length, 32) if length - size in (15, 16, 17, 18))
                mine = run(["make", bits, kind], present)
                check(bytes(file[offset:offset + length]) == mine, f"{what}: other bytes for the same values")
                # Ours, of other values, in its place.
                file[offset:offset + length] = run(["make", bits, kind], absent[:ROWS])
                path.write_bytes(file)
                answers = run(["answers", path, offset, kind], present).decode()
                check(run_arrow(["column", path, index, kind], absent[:ROWS]) == "1" * ROWS, f"{what}: Arrow denies")
                check(run_arrow(["column", path, index, kind], present) == answers, f"{what}: Arrow's answers by ours")
                for known in absent[:200]:
                    check(not excluded(path, column, known), f"{what}: DuckDB denies {known!r}")
                for other, answer in list(zip(present, answers))[:200]:
                    check(excluded(path, column, other) == (answer == "0"), f"{what}: {other!r}")
                asked += 800
            print(f"{writer.__name__}: {len(places)} columns agree")
    print(f"{asked} questions to DuckDB answered alike")
    check_sizes()


# Thrift's compact form of field 1 of the header, the length: zigzag, seven bits a byte.
def bytes_of_bits(filter_bytes):
    zigzag = shift = 0
    for byte in filter_bytes[1:]:
        zigzag |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return zigzag // 2


def check_sizes():
    sizes = set()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "filter"
        keys = 1
        while keys < 10**8:
            for rate in (0.1, 0.01, 0.0001):
                kind, _, value = COLUMNS["a"]
                known = [value(i) for i in range(min(keys, 3000))]
                absent = [value(i) for i in range(3000, 6000)]
                done = subprocess.run([PROGRAM, "size", str(keys), str(rate), kind], input=lines(known),
                                      capture_output=True)
                if done.returncode != 0:  # more than 128 MiB
                    check(b"128 MiB" in done.stderr, f"{keys} keys at {rate}: {done.stderr.decode()}")
                    continue
                path.write_bytes(done.stdout)
                if bytes_of_bits(done.stdout) in sizes:
                    continue
                sizes.add(bytes_of_bits(done.stdout))
                check(run_arrow(["alone", path, kind], known) == "1" * len(known), f"{keys} keys at {rate}: denied")
                ours = run(["answers", path, 0, kind], absent).decode()
                check(run_arrow(["alone", path, kind], absent) == ours, f"{keys} keys at {rate}: answers differ")
            keys = keys * 5 // 3 + 1
    check(sizes == {32 << i for i in range(23)}, f"not all sizes were tried: {sorted(sizes)}")
    print(f"Arrow reads filters of {len(sizes)} sizes and answers alike")


main()
