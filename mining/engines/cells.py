"""The cells of an itemset: all that records say of its literals, as one number with a digit for each literal.

Where records are read whole, digits are those of `privacy.reconstruct.by_record`. Else the digit of a literal says
whether the record matches it (1), does not (0), or was not asked (2), and of an item in bins it is the class of the
record.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

import numpy as np

from mining.engines.literals import Literals
from privacy.errors import InputError
from privacy.reconstruct.by_record import digits_of

NOT_ASKED = 2
_MOST_CELLS = 1 << 24


@dataclass(frozen=True)
class Layout:
    """How the cells of an itemset are numbered: the digit of the first literal is the lowest."""

    itemset: tuple[int, ...]
    bases: tuple[int, ...]
    by_record: bool  # whether some literal is of a block of which records are read whole

    @property
    def count(self) -> int:
        return prod(self.bases)


def layout(literals: Literals, itemset: np.ndarray) -> Layout:
    design = literals.design
    columns = literals.column[itemset].tolist()
    readers = [design.blocks[design.place(column)[0]].patterns.by_record for column in columns]
    if any(reader is not None for reader in readers):
        bases = [3 if reader is None else 1 + 2 * reader.most_places for reader in readers]
        if prod(bases) > _MOST_CELLS:
            names = ", ".join(repr(design.items[column].id) for column in columns)
            raise InputError(f"{names}: records name a group of many words, of which mining is not worked out.")
        return Layout(tuple(itemset.tolist()), tuple(bases), True)
    usual = 3 if design.sampled else 2
    details = literals.lines.details
    return Layout(tuple(itemset.tolist()), tuple(details.get(column, usual) for column in columns), False)


@dataclass(frozen=True)
class RecordCells:
    """The cells of some records, each line of which `line` gives as 0 and 1."""

    literals: Literals
    line: Callable[[int], np.ndarray]
    _known: dict[tuple[int, bool], np.ndarray] = field(
        default_factory=dict
    )  # digits, by literal and whether records are read whole

    def number(self, layout: Layout) -> np.ndarray:
        kind, width = np.min_scalar_type(layout.count), 1
        cell: np.ndarray | None = None
        for literal, base in zip(layout.itemset, layout.bases, strict=True):
            digits = self._digits(literal, layout.by_record).astype(kind, copy=False) * kind.type(width)
            cell = digits if cell is None else cell + digits
            width *= base
        assert cell is not None
        return cell

    def _digits(self, literal: int, by_record: bool) -> np.ndarray:
        if (literal, by_record) not in self._known:
            self._known[literal, by_record] = self._digits_of(literal, by_record)
        return self._known[literal, by_record]

    def _digits_of(self, literal: int, by_record: bool) -> np.ndarray:
        lines, column = self.literals.lines, int(self.literals.column[literal])
        match = self.line(literal)
        asked = np.ones_like(match) if lines.asking is None else self.line(int(lines.asking[literal]))
        detail = np.zeros_like(match)
        for bit, line in enumerate(lines.detailing.get(column, ())):
            detail |= self.line(line) << np.uint8(bit)
        if by_record:
            in_bins = column in self.literals.bins.cuts  # whose weights know no place
            return digits_of(asked, match, np.zeros_like(detail) if in_bins else detail)
        if column in lines.details:
            return detail
        return match + NOT_ASKED * (np.uint8(1) - asked)
