"""The cells of an itemset: all that records say of its literals, as one number with a digit for each literal.

In a public order digits are those of `privacy.reconstruct.by_order`. Else the digit of a literal says whether the
record matches it (1), does not (0), or was not asked (2), and of an item in bins it is the class of the record.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

import numpy as np

from mining.engines.literals import Literals
from privacy.reconstruct.by_order import digits_of

NOT_ASKED = 2


@dataclass(frozen=True)
class Layout:
    """How the cells of an itemset are numbered: the digit of the first literal is the lowest."""

    itemset: tuple[int, ...]
    bases: tuple[int, ...]
    in_order: bool  # whether some literal stands in a public order

    @property
    def count(self) -> int:
        return prod(self.bases)


def layout(literals: Literals, itemset: np.ndarray) -> Layout:
    design = literals.design
    columns = literals.column[itemset].tolist()
    orders = [design.blocks[design.place(column)[0]].patterns.by_order for column in columns]
    if any(order is not None for order in orders):
        bases = [3 if order is None else 1 + 2 * order.asked for order in orders]
        return Layout(tuple(itemset.tolist()), tuple(bases), True)
    usual = 3 if design.sampled else 2
    details = literals.lines.details
    return Layout(tuple(itemset.tolist()), tuple(details.get(column, usual) for column in columns), False)


@dataclass(frozen=True)
class RecordCells:
    """The cells of some records, each line of which `line` gives as 0 and 1."""

    literals: Literals
    line: Callable[[int], np.ndarray]
    _known: dict[tuple[int, bool], np.ndarray] = field(default_factory=dict)  # digits, by literal and whether in order

    def number(self, layout: Layout) -> np.ndarray:
        kind, width = np.min_scalar_type(layout.count), 1
        cell: np.ndarray | None = None
        for literal, base in zip(layout.itemset, layout.bases, strict=True):
            digits = self._digits(literal, layout.in_order).astype(kind, copy=False) * kind.type(width)
            cell = digits if cell is None else cell + digits
            width *= base
        assert cell is not None
        return cell

    def _digits(self, literal: int, in_order: bool) -> np.ndarray:
        if (literal, in_order) not in self._known:
            self._known[literal, in_order] = self._digits_of(literal, in_order)
        return self._known[literal, in_order]

    def _digits_of(self, literal: int, in_order: bool) -> np.ndarray:
        lines, column = self.literals.lines, int(self.literals.column[literal])
        match = self.line(literal)
        asked = np.ones_like(match) if lines.asking is None else self.line(int(lines.asking[literal]))
        detail = np.zeros_like(match)
        for bit, line in enumerate(lines.detailing.get(column, ())):
            detail |= self.line(line) << np.uint8(bit)
        if in_order:
            in_bins = column in self.literals.bins.cuts  # whose weights know no order
            return digits_of(asked, match, np.zeros_like(detail) if in_bins else detail)
        if column in lines.details:
            return detail
        return match + NOT_ASKED * (np.uint8(1) - asked)
