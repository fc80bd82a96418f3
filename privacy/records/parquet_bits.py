"""Columns of truth values in Parquet files, as the bits that the files hold them in.

pyarrow makes a byte of each bit and a bit of each byte again, which takes longer than all that is done with the bits.
What is not plain here (gaps, run lengths, dictionaries, other codecs) is left to it, and so is what is not in order.
Row groups are read here, too: where a footer is damaged, what pyarrow tells of a column ends the process.
"""

from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from privacy.records.bits import packed, unpacked

if TYPE_CHECKING:
    import pyarrow as pa

_SHORT, _LONG, _TEXT, _LIST, _STRUCT = 5, 6, 8, 9, 12  # kinds of values in Thrift's compact protocol
Fields = dict[tuple[int, int], Any]  # by number and kind
# Of a file its row groups; of these columns and rows; of columns what is said of them.
_GROUPS, _COLUMNS, _ROWS, _ABOUT = (4, _LIST), (1, _LIST), (3, _LONG), (3, _STRUCT)
_TYPE, _PATH, _CODEC, _COUNT, _BYTES = (1, _SHORT), (3, _LIST), (4, _SHORT), (5, _LONG), (7, _LONG)
_PAGES, _DICTIONARY = (9, _LONG), (11, _LONG)
# Of a page; then of what it holds.
_KIND, _SIZE, _STORED, _DATA = (1, _SHORT), (2, _SHORT), (3, _SHORT), (5, _STRUCT)
_VALUES, _ENCODING, _LEVELS = (1, _SHORT), (2, _SHORT), (3, _SHORT)
_BOOLEAN, _OF_DATA, _PLAIN, _RUNS = 0, 0, 0, 3
_CODECS = {0: "", 1: "snappy", 6: "zstd"}  # others do not say whether a page is as long as its header says


class _NotPlainError(Exception):
    pass


Group = tuple[list[Fields], int]
"""The columns of a row group, and how many rows it has."""


def row_groups(file: IO[bytes]) -> list[Group]:
    """What the footer says of each row group; nothing where it cannot be read."""
    try:
        file.seek(-8, 2)
        length = int.from_bytes(file.read(4), "little")
        file.seek(-8 - length, 2)
        return [(group[_COLUMNS], group[_ROWS]) for group in _struct(file.read(length), 0)[0][_GROUPS]]
    except Exception:  # whatever it is, pyarrow says what is wrong
        return []


def truth_values(file: IO[bytes], schema: Any, group: Group, names: Sequence[str]) -> "dict[str, pa.Array]":
    """Those of the named columns of a row group that are plain truth values; `schema` is that of pyarrow's metadata."""
    asked, found = set(names), {}
    columns, rows = group
    for place, column in enumerate(columns):
        try:
            about = schema.column(place)
            if about.name == about.path and about.name in asked and about.physical_type == "BOOLEAN":
                found[about.name] = _bits(file, column[_ABOUT], rows, about)
        except Exception:  # whatever it is, pyarrow reads it, or says what is wrong
            continue
    return found


def _bits(file: IO[bytes], column: Fields, rows: int, about: Any) -> "pa.Array":
    """The values of a column of a row group."""
    import pyarrow as pa

    if (column[_TYPE], column[_PATH], column[_COUNT]) != (_BOOLEAN, [about.name.encode()], rows):
        raise _NotPlainError
    if _DICTIONARY in column or about.max_repetition_level:
        raise _NotPlainError
    file.seek(column[_PAGES])
    pages = list(_pages(file.read(column[_BYTES]), _CODECS[column[_CODEC]], rows, about.max_definition_level > 0))
    joined = b"".join(bits for _, bits in pages)
    if any(count % 8 for count, _ in pages[:-1]):
        values = [unpacked(np.frombuffer(bits, np.uint8), count) for count, bits in pages]
        joined = packed(np.concatenate(values)).tobytes()
    return pa.Array.from_buffers(pa.bool_(), rows, [None, pa.py_buffer(joined)])


def _pages(stored: bytes, codec: str, rows: int, may_lack: bool) -> Iterator[tuple[int, bytes]]:
    """How many values each page has, and their bits; a page that is longer than these is not unpacked.

    `may_lack` says that pages begin with who has a value.
    """
    import pyarrow as pa

    at, said = 0, b""
    while at < len(stored):
        if not said or not stored.startswith(said, at):  # most pages say what the one before said
            header, start = _struct(stored, at)
            said, data = stored[at:start], header[_DATA]
            count = data[_VALUES]
            if (header[_KIND], data[_ENCODING], data[_LEVELS]) != (_OF_DATA, _PLAIN, _RUNS):
                raise _NotPlainError
            levels = _everybody(count) if may_lack else b""
            size = len(levels) + (count + 7) // 8
        start = at + len(said)
        at = start + header[_STORED]
        if not (0 < count <= rows and size == header[_SIZE] and start < at <= len(stored)):
            raise _NotPlainError
        page = stored[start:at]
        if codec == "snappy" and _varint(page, 0)[0] != size:
            raise _NotPlainError  # what is missing would be whatever the memory held
        if codec:
            page = pa.decompress(page, size, codec, asbytes=True)
        if len(page) != size or not page.startswith(levels):
            raise _NotPlainError
        rows -= count
        yield count, page[len(levels) :]
    if rows:
        raise _NotPlainError


def _everybody(count: int) -> bytes:
    """How a page begins in which nobody lacks a value: one run of ones, after its length."""
    run, left = bytearray(), 2 * count
    while left > 127:
        run.append(left & 127 | 128)
        left >>= 7
    run += bytes([left, 1])
    return len(run).to_bytes(4, "little") + run


def _struct(data: bytes, at: int) -> tuple[Fields, int]:
    """The fields of a structure, and where it ends."""
    fields: Fields = {}
    number = 0
    while mark := data[at]:
        step, kind = divmod(mark, 16)
        if not step or not kind:  # a number by itself, which no field here needs, or a second way to say the end
            raise _NotPlainError
        number += step
        fields[number, kind], at = (None, at + 1) if kind < 3 else _value(data, at + 1, kind)
    return fields, at + 1


def _value(data: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind == _STRUCT:
        return _struct(data, at)
    if kind in (4, _SHORT, _LONG):
        value, at = _varint(data, at)
        return value >> 1 ^ -(value & 1), at
    if kind == _TEXT:
        size, at = _varint(data, at)
        return data[at : at + size], at + size
    if kind == _LIST:
        size, kind, at = data[at] >> 4, data[at] & 15, at + 1
        if size == 15:
            size, at = _varint(data, at)
        values = []
        for _ in range(size):
            value, at = _value(data, at, kind)
            values.append(value)
        return values, at
    raise _NotPlainError


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 64, 7):
        value, at = value | (data[at] & 127) << shift, at + 1
        if data[at - 1] < 128:
            return value, at
    raise _NotPlainError
