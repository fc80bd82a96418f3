"""The cell of an itemset that each record is in (`privacy.estimate.cells`), read from the lines of a counter."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from mining.engines.literals import Literals
from privacy.design.grid.in_bins import Binned
from privacy.estimate.cells import PatternCells

_NOBODY_KNOWS: Mapping[int, Binned] = {}


def itemset_cells(
    literals: Literals, itemset: np.ndarray, binned: Mapping[int, Binned] = _NOBODY_KNOWS
) -> PatternCells:
    """How the cells of this itemset are numbered; with what classes tell of bins also what each weighs."""
    pattern = literals.pattern(itemset)
    asked = not literals.design.sampled
    return PatternCells(literals.design, pattern, classes=literals.bins.classes, binned=binned, all_asked=asked)


@dataclass(frozen=True)
class RecordCells:
    """The cell of each of some records; `line` gives 0 or 1 for every record, by the number of a line."""

    literals: Literals
    line: Callable[[int], np.ndarray]
    _known: dict[int, np.ndarray] = field(default_factory=dict)  # digits, by literal
    _details: dict[range, np.ndarray] = field(default_factory=dict)

    def number(self, itemset: np.ndarray, own: PatternCells) -> np.ndarray:
        """The number of the cell that each record is in."""
        kind = np.min_scalar_type(own.count)
        digits = (
            self._digits(literal, own, j).astype(kind, copy=False) * kind.type(own.widths[j])
            for j, literal in enumerate(itemset.tolist())
        )
        cell = next(digits)
        for more in digits:
            cell = cell + more
        return cell

    def _digits(self, literal: int, own: PatternCells, j: int) -> np.ndarray:
        """The digits of a literal, the j-th of its itemset: other literals matter only where places are merged."""
        if literal in self._known and own.merged[j] is None:
            return self._known[literal]
        match, asking = self.line(literal), self.literals.lines.asking
        asked = np.ones_like(match) if asking is None else self.line(int(asking[literal]))
        made = own.digits_of(j, asked, match, self._detail(literal)).astype(np.min_scalar_type(own.bases[j]))
        if own.merged[j] is None:
            self._known[literal] = made
        return made

    def _detail(self, literal: int) -> np.ndarray | None:
        """What else records tell of the item of a literal; None where they tell nothing."""
        own = self.literals.lines.detailing.get(int(self.literals.column[literal]))
        if own is not None and own not in self._details:
            detail: np.ndarray = np.zeros(len(self.line(literal)), np.uint8 if len(own) <= 8 else np.uint16)
            for bit, line in enumerate(own):
                detail |= self.line(line).astype(detail.dtype) << detail.dtype.type(bit)
            self._details[own] = detail
        return None if own is None else self._details[own]
