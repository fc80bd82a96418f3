"""What a search asks, answered from tables of few items (`privacy.records.count_tables`) in place of records.

The cells of a table are counted like records, each as many times as there are people in it: a product of matrices of
whole numbers, which is exact. Nothing says how itemsets that no table holds vary together, so there is no `uneven` and
no `parities`, and no figure after selection.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import numpy as np

from mining.engines.bits import RecordCells, itemset_cells
from mining.engines.literals import Literals
from privacy.records.count_tables import CountTables

_AT_ONCE = 512  # itemsets whose cells are held at once


_Cells = tuple[Callable[[Any], np.ndarray], np.ndarray]
"""Of a table: which cells lines of the literals have, by number, and the people of each group in each: (2, cells)."""


@dataclass(frozen=True)
class TableCounter:
    """Counts of both groups, as `mining.engines.bits.BitCounter` gives them."""

    literals: Literals
    tables: CountTables
    _known: dict[int, _Cells] = field(default_factory=dict)

    @property
    def sizes(self) -> np.ndarray:
        return np.array(self.tables.tables[0].sizes)

    def without_direct(self) -> "TableCounter":
        return replace(self, tables=self.tables.without_direct(), _known={})

    def singles(self) -> np.ndarray:
        """As `BitCounter.singles`; only who matches literals, and who was asked items that have some."""
        lines, count = self.literals.lines, len(self.literals)
        singles = np.zeros((2, len(lines)), dtype=np.int64)
        for some in [np.arange(count)] if lines.asking is None else [np.arange(count), lines.asking]:
            singles[:, some] = self._matching(some[:, None], self.literals.column[:, None])
        return singles

    def differences(self, itemsets: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """As `BitCounter.differences`."""
        used, place = np.unique([first, second], return_inverse=True)
        both = np.concatenate([itemsets[first], itemsets[second, -1:]], axis=1)
        alone, together = (self._matching(some, self.literals.column[some]) for some in (itemsets[used], both))
        return alone[:, place.reshape(2, -1)].sum(axis=1) - 2 * together

    def count_mixed(self, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
        """As `BitCounter.count_mixed`."""
        itemsets, asked = np.c_[np.repeat(prefixes, np.diff(bounds), axis=0), tails], self.literals.lines.asking
        assert asked is not None
        masks = np.arange(2 ** itemsets.shape[1])[:, None] >> np.arange(itemsets.shape[1]) & 1
        lines = (np.where(mask, itemsets, asked[itemsets]) for mask in masks)
        return np.stack([self._matching(some, self.literals.column[itemsets]) for some in lines], axis=-1)

    def cells(self, itemsets: np.ndarray) -> np.ndarray:
        """As `BitCounter.cells`."""
        counts = []
        for itemset, place in zip(itemsets, self.tables.places(self.literals.column[itemsets]).tolist(), strict=True):
            own, (lines, groups) = itemset_cells(self.literals, itemset), self._cells(place)
            number = RecordCells(self.literals, lines).number(itemset, own)
            counts += [np.bincount(number, people, own.count) for people in groups]
        return np.concatenate(counts).astype(np.int64)

    def _matching(self, lines: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """How many people are in all these lines (F, L), which are about these columns: (2, F)."""
        matching = np.zeros((2, len(lines)), dtype=np.int64)
        places = self.tables.places(columns)
        order = np.argsort(places, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(places[order])) + 1) if len(lines) else ():
            cells, groups = self._cells(int(places[rows[0]]))
            for some in np.array_split(rows, len(rows) // _AT_ONCE + 1):
                matching[:, some] = groups @ reduce(np.bitwise_and, map(cells, lines[some].T)).T
        return matching

    def _cells(self, place: int) -> _Cells:
        if place not in self._known:
            records, counts = self.tables.tables[place].records, self.tables.tables[place].counts
            lines = np.packbits(self.literals.lines.of_records(records.codes, records.direct).T == 1, axis=1)
            people = np.stack([counts * ~records.direct, counts * records.direct]).astype(float)
            self._known[place] = lambda line: np.unpackbits(lines[line], axis=-1, count=len(counts)), people
        return self._known[place]
