"""Yes/no answers of many records as bits, a line for each item: as files of columns hold them, and counters count them.

>>> bits = Bits.from_lines(3, [np.array([0b101], np.uint8)], [None])
>>> np.asarray(bits).tolist()
[[1], [0], [1]]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design

NOT_ASKED = 255  # the code of yes/no items

Line = NDArray[np.uint8]


@dataclass(frozen=True)
class Bits:
    """A table of codes (records, items) of yes/no items. Where numpy takes it for a table, it is unpacked.

    The first record is the lowest bit. What is after the last one is 0, as is the answer of who was not asked.
    """

    rows: int
    yes: NDArray[np.uint8]  # (items, bytes)
    asked: NDArray[np.uint8]  # the same, or one line where everybody was asked every item

    @classmethod
    def from_lines(cls, rows: int, yes: Sequence[Line], asked: Sequence[Line | None]) -> "Bits":
        """Make a table of one line of bits per item; excess bits are cleared; None says that everybody was asked."""
        everybody = pack_bits(np.ones(rows, bool))
        lines = [everybody if line is None else line & everybody for line in asked]
        answers = np.stack([line & own for line, own in zip(yes, lines, strict=True)])
        return cls(rows, answers, np.stack(lines) if any(line is not None for line in asked) else everybody[None])

    def __len__(self) -> int:
        return self.rows

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        codes = np.where(unpack_bits(self.asked, self.rows), unpack_bits(self.yes, self.rows), np.uint8(NOT_ASKED)).T
        return codes if dtype is None else codes.astype(dtype, copy=False)

    def take(self, rows: np.ndarray, **_as_numpy_asks: Any) -> "Bits":
        """The records at these rows."""
        yes, asked = (
            np.stack([pack_bits(unpack_bits(line, self.rows)[rows]) for line in lines])
            for lines in (self.yes, self.asked)
        )
        return Bits(len(rows), yes, asked)

    def asks(self, design: Design) -> bool:
        """Whether each record was asked as many items of each block as the design asks."""
        asked = np.broadcast_to(self.asked, self.yes.shape)
        return not design.sampled or all(
            (
                unpack_bits(asked[first : first + len(block.items)], self.rows).sum(axis=0, dtype=np.uint16)
                == block.items_per_person
            ).all()
            for first, block in zip(design.first_columns, design.blocks, strict=True)
        )


Batch = tuple[np.ndarray | Bits, np.ndarray]
"""Some records as those who count take them: their codes (n, items), or bits, and who is direct (n,)."""


def pack_bits(values: np.ndarray) -> Line:
    """Pack truth values into bits, eight to a byte, the first one lowest."""
    return np.packbits(values, bitorder="little")


def unpack_bits(lines: np.ndarray, rows: int) -> np.ndarray:
    """Unpack the first `rows` bits of each line into 0 and 1."""
    return np.unpackbits(lines, axis=-1, count=rows, bitorder="little")
