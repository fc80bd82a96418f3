"""The cells of an itemset: all that records say of its literals, as one number with a digit for each literal.

Where records are read whole, digits are those of `privacy.estimate.cells`. Else the digit of a literal says
whether the record matches it (1), does not (0), or was not asked (2), and of an item in bins it is the class of the
record.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

import numpy as np

from mining.engines.literals import Literals
from privacy.estimate.cells import RecordPattern, digits_of, record_pattern

NOT_ASKED = 2


@dataclass(frozen=True)
class Layout:
    """How the cells of an itemset are numbered: the digit of the first literal is the lowest."""

    itemset: tuple[int, ...]
    bases: tuple[int, ...]
    whole: RecordPattern | None = None  # where some literal is of a block of which records are read whole

    @property
    def count(self) -> int:
        return prod(self.bases)


def layout(literals: Literals, itemset: np.ndarray) -> Layout:
    """How the cells of this itemset are numbered."""
    own = record_pattern(literals.design, literals.pattern(itemset))
    if own is not None:
        return Layout(tuple(itemset.tolist()), own.bases, own)
    usual = 3 if literals.design.sampled else 2
    details, columns = literals.lines.details, literals.column[itemset].tolist()
    return Layout(tuple(itemset.tolist()), tuple(details.get(column, usual) for column in columns))


@dataclass(frozen=True)
class RecordCells:
    """The cell of each of some records; `line` gives 0 or 1 for every record, by the number of a line."""

    literals: Literals
    line: Callable[[int], np.ndarray]
    _known: dict[tuple[int, bool], np.ndarray] = field(
        default_factory=dict
    )  # digits, by literal and whether records are read whole
    _details: dict[range, np.ndarray] = field(default_factory=dict)

    def number(self, layout: Layout) -> np.ndarray:
        """The number of the cell that each record is in."""
        kind, width = np.min_scalar_type(layout.count), 1
        cell: np.ndarray | None = None
        merged = layout.whole.merged if layout.whole else [None] * len(layout.itemset)
        for literal, base, places in zip(layout.itemset, layout.bases, merged, strict=True):
            digits = self._digits(literal, layout.whole is not None, places)
            digits = digits.astype(kind, copy=False) * kind.type(width)
            cell = digits if cell is None else cell + digits
            width *= base
        assert cell is not None
        return cell

    def _digits(self, literal: int, by_record: bool, merged: np.ndarray | None) -> np.ndarray:
        """The digit of a literal for each record; with `merged`, places that tell the same share a digit."""
        if merged is not None:  # by the other literals, too
            return digits_of(*self._asked_and_matching(literal), merged[self._detail(literal)])
        if (literal, by_record) not in self._known:
            self._known[literal, by_record] = self._digits_of(literal, by_record)
        return self._known[literal, by_record]

    def _digits_of(self, literal: int, by_record: bool) -> np.ndarray:
        column = int(self.literals.column[literal])
        asked, match = self._asked_and_matching(literal)
        if by_record:
            in_bins = column in self.literals.bins.cuts  # whose weights know no place
            return digits_of(asked, match, np.zeros_like(match) if in_bins else self._detail(literal))
        if column in self.literals.lines.details:
            return self._detail(literal)
        return match + NOT_ASKED * (np.uint8(1) - asked)

    def _asked_and_matching(self, literal: int) -> tuple[np.ndarray, np.ndarray]:
        match, asking = self.line(literal), self.literals.lines.asking
        return np.ones_like(match) if asking is None else self.line(int(asking[literal])), match

    def _detail(self, literal: int) -> np.ndarray:
        """What else records tell of the item of a literal; 0 where they tell nothing."""
        own = self.literals.lines.detailing.get(int(self.literals.column[literal]), range(0))
        if own not in self._details:
            detail: np.ndarray = np.zeros(len(self.line(literal)), np.uint8 if len(own) <= 8 else np.uint16)
            for bit, line in enumerate(own):
                detail |= self.line(line).astype(detail.dtype) << detail.dtype.type(bit)
            self._details[own] = detail
        return self._details[own]
