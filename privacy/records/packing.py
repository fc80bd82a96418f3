"""Records packed into bits: a row is the direct flag, then each item's code in as few bits as its options need.

The item that a sampled block did not ask is one more value, after the options. The first bit of a field is its
highest; what is left of the last byte is zero. Every record of a design takes the same number of bytes.
"""

from collections.abc import Sequence

import numpy as np

from privacy.design import NOT_ASKED, Design
from privacy.errors import InputError
from privacy.records.records import Records, check


def row_bytes(design: Design) -> int:
    """How many bytes one packed record takes."""
    return (1 + sum(_field_bits(design)) + 7) // 8


def pack(records: Records) -> np.ndarray:
    """Pack records into a uint8 array of `row_bytes` columns."""
    check(records)
    design = records.design
    bits = np.zeros((len(records), 8 * row_bytes(design)), np.uint8)
    bits[:, 0] = records.direct
    end = 1
    for column, width in enumerate(_field_bits(design)):
        code = np.minimum(records.codes[:, column], len(design.items[column].options))
        for place in range(width):
            bits[:, end + place] = code >> (width - 1 - place) & 1
        end += width
    return np.packbits(bits, axis=1)


def pack_one(design: Design, codes: Sequence[int], direct: bool) -> bytes:
    """The bytes that `pack` makes of one record, which the caller has checked: without tables, many times as fast."""
    number, bits = int(direct), 1
    for code, item, width in zip(codes, design.items, _field_bits(design), strict=True):
        number = number << width | min(code, len(item.options))
        bits += width
    return (number << -bits % 8).to_bytes((bits + 7) // 8)


def unpack(design: Design, packed: np.ndarray) -> Records:
    """Return the records of `pack`; bytes that no record of the design packs into are refused."""
    if packed.ndim != 2 or packed.shape[1] != row_bytes(design) or packed.dtype != np.uint8:
        raise InputError(
            f"Packed records of {packed.dtype} and shape {packed.shape} do not fit this design, "
            f"whose records take {row_bytes(design)} bytes each."
        )
    bits = np.unpackbits(packed, axis=1)
    codes = np.zeros((len(packed), len(design.items)), np.uint8)
    end = 1
    for column, width in enumerate(_field_bits(design)):
        for place in range(width):
            codes[:, column] = codes[:, column] << 1 | bits[:, end + place]
        end += width
    if bits[:, end:].any():
        raise InputError("Packed records end in bits that belong to no item of this design.")
    wrong = codes >= np.array(_values(design))
    if wrong.any():
        row, column = (int(place) for place in np.unravel_index(wrong.argmax(), wrong.shape))
        raise InputError(
            f"Packed records: row {row} has {codes[row, column]} for {design.items[column].id!r}, too much."
        )
    codes[codes == np.array([len(item.options) for item in design.items])] = NOT_ASKED
    direct = bits[:, 0].astype(bool)
    records = Records(design, codes, direct)
    check(records)
    return records


def _field_bits(design: Design) -> list[int]:
    return [(values - 1).bit_length() for values in _values(design)]


def _values(design: Design) -> list[int]:
    """How many values the field of each item has: its options, and not being asked where that happens."""
    return [len(item.options) + (block.asked < len(block.items)) for block in design.blocks for item in block.items]
