"""The hidden answers that a regression names, and what the records tell of them.

Only the items that are named matter, and of each only which of its literals hold: an item is seen through *classes* of
options. The channel of the classes is the block's own, marginalised over its other items and summed over the options of
a class. A state is a combination of classes; P(record | state) is a table with a row for each pattern of records that
occurs. In a sampled block the items that were not asked are summed out, so that everybody who was asked one counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design import Design
from privacy.errors import InputError

Codes = NDArray[np.int64]
Classes = tuple[int, ...]
"""For each option of an item, the number of its class."""
NOT_ASKED = -1
MOST_STATES = 64
MOST_CELLS = 2**16
Tables = tuple[Floats, Floats | None]
"""P(seen | state), and what a parameter adds for each of its units."""


@dataclass(frozen=True)
class DesignPart:
    """Items that share blocks; each group of respondents may have a design of its own, which has these items."""

    designs: tuple[Design, ...]
    columns: tuple[tuple[int, ...], ...]  # of the items, in the design of each group
    classes: tuple[Classes, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many classes each of its answers has."""
        return tuple(max(classes) + 1 for classes in self.classes)

    @property
    def record_sizes(self) -> tuple[int, ...]:
        """How many values the record of each answer has: as many as classes."""
        return self.sizes

    @property
    def reads_whole(self) -> bool:
        """Whether what a record shows of one answer depends on the others, as in a list of words."""
        return any(
            design.blocks[design.place(column)[0]].patterns.word_list is not None
            for design, own in zip(self.designs, self.columns, strict=True)
            for column in own
        )

    def channel(self, group: int, asked: Sequence[int], absent: Sequence[int] = ()) -> tuple[Floats, None]:
        """P(seen | state) of the answers at `asked` in the design of a group: states × what records show.

        Of records that were not asked the answers that are `absent`.
        """
        classes = [np.array(self.classes[place]) for place in asked]
        sizes = [self.sizes[place] for place in asked]
        options = [len(group) for group in classes]
        states = prod(sizes)
        if states * prod(options) > MOST_CELLS:
            raise InputError(f"These answers make a table of {states * prod(options)} cells; the most is {MOST_CELLS}.")
        table = np.zeros((states, *options))
        for state, kinds in enumerate(np.ndindex(*sizes)):
            table[state, *(int(np.argmax(group == kind)) for group, kind in zip(classes, kinds, strict=True))] = 1.0
        design = self.designs[group]
        homes = [design.place(self.columns[group][place]) for place in asked]
        absent_columns = [self.columns[group][place] for place in absent]
        for block in sorted({block for block, _ in homes}):
            axes = [axis for axis, (own, _) in enumerate(homes, 1) if own == block]
            inside = [homes[axis - 1][1] for axis in axes]
            words = design.blocks[block].patterns.word_list
            if words is not None:
                table = words.disguise(table, axes, inside)
                continue
            missing = [place for own, place in map(design.place, absent_columns) if own == block]
            for piece in design.blocks[block].patterns.without(missing).along(axes, inside, table.shape):
                table = piece.disguise(table)
        for axis, (each, size) in enumerate(zip(classes, sizes, strict=True), 1):
            table = np.stack([table.compress(each == kind, axis).sum(axis=axis) for kind in range(size)], axis=axis)
        return table.reshape(states, -1), None


@dataclass(frozen=True)
class LieDetectorPart:
    """The answer that a stochastic lie detector disguises; a table for each group of respondents."""

    tables: tuple[Tables, ...]
    sizes: tuple[int, ...] = (2,)
    record_sizes: tuple[int, ...] = (2,)
    reads_whole: bool = False

    def channel(self, group: int, asked: Sequence[int], absent: Sequence[int] = ()) -> Tables:
        """P(seen | truth) for a group of respondents, and what the fitted share adds for each of its units."""
        return self.tables[group]


HiddenPart = DesignPart | LieDetectorPart
"""Hidden answers that are disguised together."""


def parts_of(
    designs: Sequence[Design], names: Sequence[str], classes: Sequence[Classes]
) -> tuple[list[DesignPart], list[int]]:
    """Split items into parts that share no block in any design; return the parts, and the items in the parts' order.

    Each group of respondents has one design.
    """
    columns = [[design.column(name) for design in designs] for name in names]
    blocks = [{(g, designs[g].place(column)[0]) for g, column in enumerate(own)} for own in columns]
    together: list[tuple[set[tuple[int, int]], list[int]]] = []
    for item, block in enumerate(blocks):
        joined = [part for part in together if part[0] & block]
        together = [part for part in together if part not in joined]
        together.append(
            (block.union(*(part[0] for part in joined)), sorted([item, *(i for p in joined for i in p[1])]))
        )
    parts = [
        DesignPart(
            tuple(designs),
            tuple(tuple(columns[item][group] for item in items) for group in range(len(designs))),
            tuple(classes[item] for item in items),
        )
        for _, items in together
    ]
    return parts, [item for _, items in together for item in items]


def states_of(sizes: Sequence[int]) -> NDArray[np.intp]:
    """Every combination of classes, a row each; without answers one empty row."""
    return np.array([*np.ndindex(*sizes)], np.intp).reshape(prod(sizes), len(sizes))


@dataclass(frozen=True)
class Hidden:
    """The records of the named answers: `seen` has the class of each, or NOT_ASKED."""

    parts: tuple[HiddenPart, ...]
    seen: Codes
    direct: NDArray[np.bool_]
    group: NDArray[np.intp]

    def __post_init__(self) -> None:
        if prod(self.sizes) > MOST_STATES:
            raise InputError(
                f"These disguised answers make {prod(self.sizes)} combinations; the most is {MOST_STATES}."
            )

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many classes each answer has."""
        return tuple(size for part in self.parts for size in part.sizes)

    @cached_property
    def states(self) -> NDArray[np.intp]:
        """The class of each answer (columns) in each state (rows)."""
        return states_of(self.sizes)

    @cached_property
    def pattern(self) -> NDArray[np.intp]:
        """The pattern of each respondent's record, as a row of `tables`."""
        return self._patterns[1]

    @cached_property
    def _patterns(self) -> tuple[Codes, NDArray[np.intp]]:
        """The different records (group, direct, and what is seen of each answer), and which one each respondent has."""
        rows = np.column_stack([self.group, self.direct, self.seen]).astype(np.int64)
        low, high = rows.min(axis=0, initial=0), rows.max(axis=0, initial=0)
        key = np.zeros(len(rows), np.int64)
        for column in range(rows.shape[1]):
            key = key * int(high[column] - low[column] + 1) + rows[:, column] - low[column]
        _, first, place = np.unique(key, return_index=True, return_inverse=True)
        return rows[first], place.ravel()

    @cached_property
    def tables(self) -> tuple[Floats, Floats | None]:
        """Return P(record | state) for each pattern (rows) and state, and the part that depends on a model's share."""
        fixed, moving = [], []
        for group, direct, *seen in self._patterns[0].tolist():
            row, change = self._likelihood(group, bool(direct), seen)
            fixed.append(row)
            moving.append(change)
        if all(change is None for change in moving):
            return np.array(fixed), None
        zeros = np.zeros_like(fixed[0])
        return np.array(fixed), np.array([zeros if change is None else change for change in moving])

    def _likelihood(self, group: int, direct: bool, seen: list[int]) -> tuple[Floats, Floats | None]:
        """P(record | state) of one pattern for all states, and what the model's share adds to it, if it has one."""
        row, change = np.ones(1), None
        first = 0
        for part in self.parts:
            codes = seen[first : first + len(part.sizes)]
            first += len(part.sizes)
            asked = [index for index, code in enumerate(codes) if code != NOT_ASKED]
            own, extra = self._likelihood_of_part(part, group, direct, asked, [codes[place] for place in asked])
            if extra is not None:
                change = np.multiply.outer(row, extra).ravel()  # one model has a parameter, and it stands last
            row = np.multiply.outer(row, own).ravel()
        return row, change

    def _likelihood_of_part(
        self, part: HiddenPart, group: int, direct: bool, asked: list[int], codes: list[int]
    ) -> tuple[Floats, Floats | None]:
        shape = [size if index in asked else 1 for index, size in enumerate(part.sizes)]
        every = np.ones(part.sizes)
        if not asked:
            return every.ravel(), None
        if direct:
            own = np.zeros([part.sizes[place] for place in asked])
            own[*codes] = 1.0
            return (own.reshape(shape) * every).ravel(), None
        fixed, moving = part.channel(group, asked, [index for index in range(len(part.sizes)) if index not in asked])
        record = int(np.ravel_multi_index(codes, [part.record_sizes[place] for place in asked]))
        column, extra = fixed[:, record], None if moving is None else moving[:, record]
        return (column.reshape(shape) * every).ravel(), None if extra is None else (
            extra.reshape(shape) * every
        ).ravel()

    def weights(self, answers: Sequence[int], worth: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """An unbiased weight for each respondent, and who was asked all these answers.

        `worth` has an axis for each of the answers, and a value for each of their states; the mean weight of those who
        were asked is an unbiased estimate of its mean. It is the inverse of their joint channel.
        """
        answers, worth = self._with_beside(answers, worth)
        asked = (self.seen[:, answers] != NOT_ASKED).all(axis=1)
        weights = np.zeros(len(self.seen))
        for group, direct in {(int(row[0]), bool(row[1])) for row in self._patterns[0]}:
            rows = np.flatnonzero(asked & (self.group == group) & (self.direct == direct))
            if not len(rows):
                continue
            table, sizes = (worth, worth.shape) if direct else self._inverse(group, answers, worth)
            weights[rows] = table.ravel()[np.ravel_multi_index(tuple(self.seen[rows][:, list(answers)].T), sizes)]
        return weights, asked

    def _with_beside(self, answers: Sequence[int], worth: Floats) -> tuple[Sequence[int], Floats]:
        """`answers` with the others of their parts that are read whole; `worth` is the same whatever these are."""
        first = 0
        for part in self.parts:
            here = range(first, first := first + len(part.sizes))
            lacking = [place for place in here if place not in answers] if {*here} & {*answers} else []
            if lacking and part.reads_whole:
                answers = sorted([*answers, *lacking])
                worth = np.expand_dims(worth, tuple(answers.index(place) for place in lacking))
        return answers, np.broadcast_to(worth, [self.sizes[answer] for answer in answers])

    def _inverse(self, group: int, answers: Sequence[int], worth: Floats) -> tuple[Floats, tuple[int, ...]]:
        """The weights of records with Σ P(record | state)·weight = worth(state), and the sizes of their axes."""
        channel: Floats = np.ones((1, 1))
        sizes: list[int] = []
        first = 0
        for part in self.parts:
            own = [index for index in range(len(part.sizes)) if first + index in answers]
            first += len(part.sizes)
            if own:
                channel = np.asarray(np.kron(channel, part.channel(group, own)[0]), dtype=float)
                sizes += [part.record_sizes[place] for place in own]
        inverse: Floats = np.linalg.pinv(channel, rcond=1e-7) @ worth.ravel()
        if not np.allclose(channel @ inverse, worth.ravel(), rtol=0, atol=1e-7):
            raise InputError("The disguise leaves nothing of these answers together, so they cannot be recovered.")
        return inverse, tuple(sizes)
