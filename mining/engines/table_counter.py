"""What a search asks, answered from tables of few items (`privacy.records.count_tables`) in place of records.

The cells of a table are counted like records, each as many times as there are people in it: a product of matrices of
whole numbers, which is exact. Nothing says how itemsets that no table holds vary together, so there is no `uneven` and
no `parities`, and no figure after selection.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from mining.engines.bits import RecordCells, itemset_cells
from mining.engines.literals import Literals
from privacy.records.count_tables import CountTables

_ENTRIES = 1 << 22  # of cells that match some itemsets, held at once


@dataclass(frozen=True)
class _Cells:
    """The cells of a table: each line of the literals as bits, and how many people of each group are in each cell."""

    lines: np.ndarray  # (lines, bytes)
    people: np.ndarray  # (2, cells)

    def line(self, line: int | np.ndarray) -> np.ndarray:
        return np.unpackbits(self.lines[line], axis=-1, count=self.people.shape[1])


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
        column, count = self.literals.column, len(self.literals)
        made = np.zeros((2, len(self.literals.lines)), dtype=np.int64)
        made[:, :count] = self._matching(np.arange(count)[:, None], column[:, None])
        if self.literals.lines.asking is not None:
            different, first = np.unique(column, return_index=True)
            made[:, count + different] = self._matching(self.literals.lines.asking[first, None], different[:, None])
        return made

    def differences(self, itemsets: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """As `BitCounter.differences`."""
        used, place = np.unique([first, second], return_inverse=True)
        alone = self._of_literals(itemsets[used])[:, place.reshape(2, -1)]
        both = self._of_literals(np.concatenate([itemsets[first], itemsets[second, -1:]], axis=1))
        return alone.sum(axis=1) - 2 * both

    def count_mixed(self, prefixes: np.ndarray, bounds: np.ndarray, tails: np.ndarray) -> np.ndarray:
        """As `BitCounter.count_mixed`."""
        itemsets = np.c_[np.repeat(prefixes, np.diff(bounds), axis=0), tails]
        columns, asked = self.literals.column[itemsets], self.literals.lines.asking
        assert asked is not None
        masks = np.arange(2 ** itemsets.shape[1])[:, None] >> np.arange(itemsets.shape[1]) & 1
        counts = [self._matching(np.where(mask, itemsets, asked[itemsets]), columns) for mask in masks]
        return np.stack(counts, axis=-1)

    def cells(self, itemsets: np.ndarray) -> np.ndarray:
        """As `BitCounter.cells`."""
        counts = []
        places = self.tables.places(self.literals.column[itemsets])
        for itemset, place in zip(itemsets, places.tolist(), strict=True):
            own, cells = itemset_cells(self.literals, itemset), self._cells(place)
            number = RecordCells(self.literals, cells.line).number(itemset, own)
            counts += [np.bincount(number, people, own.count) for people in cells.people]
        return np.concatenate(counts).astype(np.int64)

    def _of_literals(self, itemsets: np.ndarray) -> np.ndarray:
        return self._matching(itemsets, self.literals.column[itemsets])

    def _matching(self, lines: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """How many people are in all these lines (F, L), which are about these columns: (2, F)."""
        made = np.zeros((2, len(lines)), dtype=np.int64)
        for place, rows in self._by_table(columns):
            cells = self._cells(place)
            heads, head = np.unique(lines[rows, :-1], axis=0, return_inverse=True)
            lasts, last = np.unique(lines[rows, -1], return_inverse=True)
            head, of_lasts = head.ravel(), cells.line(lasts).astype(float).T
            step = max(_ENTRIES // cells.people.shape[1], 1)
            for start in range(0, len(heads), step):
                here = np.flatnonzero((head >= start) & (head < start + step))
                matching = np.ones((1, cells.people.shape[1]), np.uint8)
                for line in heads[start : start + step].T:
                    matching = matching & cells.line(line)
                for group, people in enumerate(cells.people):
                    made[group, rows[here]] = ((matching * people) @ of_lasts)[head[here] - start, last[here]]
        return made

    def _by_table(self, columns: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """Each table that is needed, and which rows of columns it is taken for."""
        if len(columns):
            places = self.tables.places(columns)
            order = np.argsort(places, kind="stable")
            for rows in np.split(order, np.flatnonzero(np.diff(places[order])) + 1):
                yield int(places[rows[0]]), rows

    def _cells(self, place: int) -> _Cells:
        if place not in self._known:
            records, counts = self.tables.tables[place].rows
            lines = self.literals.lines.of_records(records.codes, records.direct)
            people = np.stack([counts * ~records.direct, counts * records.direct]).astype(float)
            self._known[place] = _Cells(np.packbits(lines.T == 1, axis=1), people)
        return self._known[place]
