"""Columns of truth values in Parquet files, as the bits that the files hold them in.

pyarrow makes a byte of each bit and a bit of each byte again, which takes longer than all that is done with the bits.
What is not plain here (gaps, run lengths, pages of the second version) is left to it.
"""

from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from privacy.records.bits import packed, unpacked

if TYPE_CHECKING:
    import pyarrow as pa

# The header of a page: the numbers of its fields, and of what they say.
_KIND, _SIZE, _STORED, _DATA, _VALUES, _ENCODING = 1, 2, 3, 5, 1, 2
_OF_DATA, _PLAIN = 0, 0


class _NotPlainError(Exception):
    pass


def truth_values(file: IO[bytes], metadata: Any, group: int, names: Sequence[str]) -> "dict[str, pa.Array]":
    """Those of the named columns of a row group that are truth values and plain; `metadata` as pyarrow has it."""
    asked, found = set(names), {}
    for place in range(metadata.num_columns):
        about = metadata.schema.column(place)
        if about.name == about.path and about.name in asked and about.physical_type == "BOOLEAN":
            try:
                bits = _bits(file, metadata.row_group(group).column(place), about.max_definition_level > 0)
            except Exception:  # whatever it is, pyarrow reads it, or says what is wrong
                continue
            found[about.name] = bits
    return found


def _bits(file: IO[bytes], column: Any, may_lack: bool) -> "pa.Array":
    """The values of a column of a row group; `may_lack` says that its pages begin with who has a value."""
    import pyarrow as pa

    codec = None if column.compression == "UNCOMPRESSED" else pa.Codec(column.compression.lower())
    file.seek(column.data_page_offset)
    pages = list(_pages(file.read(column.total_compressed_size), codec, may_lack))
    counts = [count for count, _ in pages]
    if sum(counts) != column.num_values:
        raise _NotPlainError
    joined = b"".join(bits for _, bits in pages)
    if any(count % 8 for count in counts[:-1]):
        values = [unpacked(np.frombuffer(bits, np.uint8), count) for count, bits in pages]
        joined = packed(np.concatenate(values)).tobytes()
    return pa.Array.from_buffers(pa.bool_(), column.num_values, [None, pa.py_buffer(joined)])


def _pages(stored: bytes, codec: "pa.Codec | None", may_lack: bool) -> Iterator[tuple[int, bytes]]:
    """How many values each page has, and their bits."""
    at = 0
    while at < len(stored):
        header, start = _struct(stored, at)
        count, at = header[_DATA][_VALUES], start + header[_STORED]
        if header[_KIND] != _OF_DATA or header[_DATA][_ENCODING] != _PLAIN or not start < at <= len(stored):
            raise _NotPlainError
        page = codec.decompress(stored[start:at], header[_SIZE], asbytes=True) if codec else stored[start:at]
        first = _end_of_levels(page, count) if may_lack else 0
        if len(page) != first + (count + 7) // 8:
            raise _NotPlainError
        yield count, page[first:]


def _end_of_levels(page: bytes, count: int) -> int:
    """Where the values begin, after one run of ones: nobody lacks a value."""
    run, end = _varint(page, 4)
    if run != 2 * count or page[end] != 1 or int.from_bytes(page[:4], "little") != end - 3:
        raise _NotPlainError
    return end + 1


def _struct(data: bytes, at: int) -> tuple[dict[int, Any], int]:
    """The numbers in a structure of Thrift's compact protocol, by their fields, and where it ends."""
    fields: dict[int, Any] = {}
    field = 0
    while mark := data[at]:
        field, kind, at = field + (mark >> 4), mark & 15, at + 1
        if kind == 12:
            fields[field], at = _struct(data, at)
        elif kind in (4, 5, 6):
            value, at = _varint(data, at)
            fields[field] = value >> 1 ^ -(value & 1)
        elif kind == 8:  # bytes, which nobody asks for
            size, at = _varint(data, at)
            at += size
        elif kind > 2:  # those below are truth values: nothing comes after their mark
            raise _NotPlainError
    return fields, at + 1


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 64, 7):
        value, at = value | (data[at] & 127) << shift, at + 1
        if data[at - 1] < 128:
            return value, at
    raise _NotPlainError
