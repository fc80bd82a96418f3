"""Counting: how many records match, from bit-packed columns.

The column of a literal has one bit per record, so that a conjunction is a bitwise AND and a count a population count:
a million records take 125 kB per literal. Counts are integers and add up over parts of the respondents.

>>> from privacy.design import Design
>>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
>>> bits = BitColumns(Records(design, np.array([[1], [0], [1]], np.uint8), np.zeros(3, bool)))
>>> count_states(bits, [[(0, frozenset({1}))]], [0]).tolist()  # of disguised and of direct records: no and yes
[[1, 2], [0, 0]]
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Literal
from privacy.estimate.weights import states_from_supports
from privacy.records import Records

Counts = NDArray[np.int64]
Array = NDArray[Any]
Packed = NDArray[np.uint64]


class BitColumns:
    """Records as bit columns, packed when a literal is first used and kept."""

    def __init__(self, records: Records) -> None:
        self._codes, self._not_asked = records.codes, records.design.not_asked
        self._columns: dict[Literal, Packed] = {}
        self._asked: dict[int, Packed] = {}
        self._everyone = _pack(np.ones(len(records), dtype=bool))
        self._direct = _pack(records.direct) if records.direct.any() else None

    def literal(self, literal: Literal) -> Packed:
        """The records that match a literal; a record that was not asked matches neither it nor its opposite."""
        if literal not in self._columns:
            column, options = literal
            codes = self._codes[:, column]
            self._columns[literal] = _pack(reduce(np.logical_or, [codes == option for option in sorted(options)]))
        return self._columns[literal]

    def records_with(self, columns: Sequence[int]) -> Packed:
        """The records that were asked every one of these items."""
        chosen = self._everyone
        for column in columns:
            if column not in self._asked:
                here = self._codes[:, column] != self._not_asked
                self._asked[column] = self._everyone if here.all() else _pack(here)
            chosen = chosen & self._asked[column]
        return chosen

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of disguised records, and of direct ones."""
        return self.count(self._everyone)

    def count(self, chosen: Packed) -> tuple[int, int]:
        """How many of the chosen records are disguised, and how many direct."""
        total = _count_ones(chosen)
        direct = 0 if self._direct is None else _count_ones(chosen & self._direct)
        return total - direct, direct


def count_states(bits: BitColumns, atoms: Sequence[Sequence[Literal]], columns: Sequence[int]) -> Counts:
    """Count the records in each state of the atoms, among those asked all the columns: 2 groups × 2^t states.

    The supports of the conjunctions of atoms are counted first, and the states computed from them.
    """
    supports = np.empty((2, 1 << len(atoms)), dtype=np.int64)

    def visit(depth: int, state: int, chosen: Packed) -> None:
        if depth == len(atoms):
            supports[:, state] = bits.count(chosen)
            return
        visit(depth + 1, state << 1, chosen)
        visit(depth + 1, state << 1 | 1, reduce(np.bitwise_and, map(bits.literal, atoms[depth]), chosen))

    visit(0, 0, bits.records_with(columns))
    return states_from_supports(supports)


def _pack(matches: NDArray[np.bool_]) -> Packed:
    packed = np.packbits(matches)
    return np.concatenate([packed, np.zeros(-len(packed) % 8, dtype=np.uint8)]).view(np.uint64)


def _count_ones(chosen: Packed) -> int:
    return int(np.bitwise_count(chosen).sum(dtype=np.int64))
