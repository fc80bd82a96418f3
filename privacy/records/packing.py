"""Records packed into bits: a row is the direct flag, then each item's code in as few bits as its field needs.

The item that a sampled block did not ask is one more value, after the others. The first bit of a field is its highest;
what is left of the last byte is zero. Every record of a design takes the same number of bytes.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from privacy.design import Design
from privacy.design.fields import Field
from privacy.errors import InputError
from privacy.records.records import Records, check_codes, check_direct


def row_bytes(design: Design) -> int:
    """How many bytes one packed record takes.

    >>> row_bytes(Design.parse({"model": "warner", "theta": 0.7, "items": [f"q{place}" for place in range(10)]}))
    2
    """
    return (1 + sum(field.bits for field in design.fields) + 7) // 8


def pack(records: Records, *, may_be_complete: bool = False) -> np.ndarray:
    """Pack records into bits: a row of `row_bytes` bytes for each.

    With `may_be_complete` all of them may answer every item although the design asks some, as true answers do.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a", "b"], "direct": True})
    >>> pack(Records(design, np.array([[1, 0]], np.uint8), np.array([True]))).tolist()
    [[192]]
    """
    design = records.design
    check_codes(design, records.codes, may_be_complete=may_be_complete, source="The records")
    check_direct(design, records.direct, len(records), source="The records")
    codes = records.codes.astype(design.code_type, copy=False)
    bits = np.zeros((len(records), 8 * row_bytes(design)), np.uint8)
    bits[:, 0] = records.direct
    end = 1
    for alike, columns in _alike(design):
        start, end = end, end + (columns.stop - columns.start) * alike.bits
        code = np.minimum(codes[:, columns], np.array([field.size for field in design.fields[columns]], codes.dtype))
        for index in range(alike.bits):
            bits[:, start + index : end : alike.bits] = code >> (alike.bits - 1 - index) & 1
    return np.packbits(bits.ravel()).reshape(len(records), row_bytes(design))  # row by row takes ten times as long


def pack_one(design: Design, codes: Sequence[int], direct: bool) -> bytes:
    """Pack one record, which the caller has checked, into the bytes that `pack` makes; without tables, so faster.

    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> pack_one(design, [1], direct=False).hex()
    '40'
    """
    number, bits = int(direct), 1
    for code, field in zip(codes, design.fields, strict=True):
        number = number << field.bits | min(code, field.size)
        bits += field.bits
    return (number << -bits % 8).to_bytes((bits + 7) // 8)


def count_direct(design: Design, packed: bytes) -> int:
    """Count the packed records of people who answered directly, without unpacking them.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a", "b"], "direct": True})
    >>> count_direct(design, bytes([192, 64, 128]))
    2
    """
    return int((np.frombuffer(packed, np.uint8)[:: row_bytes(design)] >> 7).sum())


def unpack(design: Design, packed: np.ndarray | bytes, *, may_be_complete: bool = False) -> Records:
    """Return the records that were packed, or refuse bytes that no record of the design packs into.

    `packed` has a row for each record, or is the bytes of these rows one after the other.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["a", "b"], "direct": True})
    >>> unpack(design, np.array([[192]], np.uint8)).codes.tolist()
    [[1, 0]]
    """
    if not isinstance(packed, np.ndarray):
        packed = np.frombuffer(packed, np.uint8).reshape(-1, row_bytes(design))
    if packed.ndim != 2 or packed.shape[1] != row_bytes(design) or packed.dtype != np.uint8:
        raise InputError(
            f"Packed records of {packed.dtype} and shape {packed.shape} do not fit this design, "
            f"whose records take {row_bytes(design)} bytes each."
        )
    bits = np.unpackbits(packed.ravel()).reshape(len(packed), 8 * packed.shape[1])  # row by row takes thrice the time
    codes = np.empty((len(packed), len(design.fields)), design.code_type)
    end = 1
    for alike, columns in _alike(design):
        count, width = columns.stop - columns.start, alike.bits
        start, end = end, end + count * width
        inside = bits[:, start:end].reshape(len(packed), count, width)
        codes[:, columns] = inside[:, :, 0] if width else 0  # a field of one value takes no bits
        for index in range(1, width):
            codes[:, columns] = codes[:, columns] << 1 | inside[:, :, index]
    if (packed[:, -1:] & (1 << bits.shape[1] - end) - 1).any():
        raise InputError("Packed records end in bits that belong to no item of this design.")
    if any(field.value_count < 1 << field.bits for field in design.fields):
        wrong = codes > np.array([field.value_count - 1 for field in design.fields], design.code_type)
        if wrong.any():
            row, column = (int(place) for place in np.unravel_index(wrong.argmax(), wrong.shape))
            raise InputError(
                f"Packed records: row {row} has {codes[row, column]} for {design.items[column].id!r}, too much."
            )
    direct = bits[:, 0].astype(bool)
    if design.sampled:  # else every code is a value of its field, and nothing is left that could be wrong
        codes[codes == np.array([field.size for field in design.fields], design.code_type)] = design.not_asked
        check_codes(design, codes, may_be_complete=may_be_complete, source="The records")
    check_direct(design, direct, len(codes), source="The records")
    return Records(design, codes, direct)


def _alike(design: Design) -> Iterator[tuple[Field, slice]]:
    """Yield runs of fields of the same number of bits: the first field of each, and the columns of all."""
    first = 0
    for _, fields in groupby(design.fields, lambda field: field.bits):
        alike = list(fields)
        yield alike[0], slice(first, first + len(alike))
        first += len(alike)
