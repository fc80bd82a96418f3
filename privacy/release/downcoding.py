"""Downcoding: finer values that a table tells somebody who knows how it was made (Cohen 2022).

A method keeps finer values where it can. So who knows the method, and which values occur, asks which *worlds* would
have become just this table: a world puts values that occur in place of the labels. Where at least so many people of a
class have a finer value in all these worlds, it can be written in place of their label, and the table still says the
truth.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, islice, product
from math import prod

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.errors import InputError
from privacy.release.attacks import DOWNCODING, Attack
from privacy.release.attributes import Quasi
from privacy.release.classes import SUPPRESSED, numbered
from privacy.release.methods import METHODS, Job
from privacy.release.progress import Progress, nobody

Remake = Callable[[Job], list[list[str]]]
SEED = 0
ENOUGH = 507  # worlds drawn at random: from fewer no belief can be sure
SURE, BELIEF = 4.5, 0.9  # of worlds drawn at random: standard errors by which a belief must exceed this


def downcoding(
    job: Job, labels: list[list[str]], member: Ints, rows: Ints, remake: Remake, most: int,
    progress: Progress = nobody,
) -> Attack | None:  # fmt: skip
    """Try the attack on the labels that a method made of a job; None where no label stands for several values.

    `member` is the class of each row. `rows` number what else is published that the method looks at, as sensitive
    values: rows of a class alike in it may be exchanged. `remake` makes the labels of another job. All worlds are tried
    if `most` are enough. Then a finer value is found where it has people in all worlds that become this table.
    Otherwise worlds are drawn, each value as often as it occurs; then it is found where the belief in it exceeds
    `BELIEF`, and does not from the label alone.
    """
    table = _Table(job, labels, member, rows)
    if not table.cells:
        return None
    whole = table.all_worlds(most)
    if whole is None and most < ENOUGH:
        most = 0
    worlds = table.drawn(most) if whole is None else whole
    least = [cell.counted([quasi.codes for quasi in job.quasis]) for cell in table.cells]
    sums, tried, explained = [np.zeros(len(one)) for one in least], 0, 0
    for tried, codes in enumerate(worlds, 1):
        progress(tried / (most if whole is None else len(whole)))
        own = table.remade(remake, codes)
        if own is None:
            continue
        explained += 1
        for cell, fewest, total in zip(table.cells, least, sums, strict=True):
            counts = cell.counted(own)
            np.minimum(fewest, counts, out=fewest)
            total += counts
    if whole is None:
        least = [cell.believed(total, explained) for cell, total in zip(table.cells, sums, strict=True)]
    found = [int(fewest.sum()) for fewest in least]
    people: dict[int, int] = {}  # of a class at least as many as have one finer value
    for cell, some in zip(table.cells, found, strict=True):
        people[cell.number] = max(people.get(cell.number, 0), some)
    return Attack(DOWNCODING, len(rows), sum(people.values()), worlds=tried, cells=sum(found))


@dataclass(frozen=True, eq=False)
class _Cell:
    """One label of one class: the rows, the values it may stand for, and the finer value that each of these has."""

    number: int
    place: int
    rows: Ints
    options: Ints
    finer: Ints  # of each value of the attribute, −1 of others
    shares: Floats  # of each finer value among those who have one of the options

    def counted(self, codes: Sequence[Ints]) -> Ints:
        """How many people of the class have each finer value."""
        finer = self.finer[codes[self.place][self.rows]]
        return np.bincount(finer[finer >= 0], minlength=len(self.shares))

    def believed(self, sums: Floats, worlds: int) -> Ints:
        """Count rows whose finer value random worlds make nearly certain although the label does not."""
        beliefs = sums / max(worlds, 1) / len(self.rows) - SURE / 2 / np.sqrt(max(worlds, 1))
        return np.where((beliefs > BELIEF) & (self.shares <= BELIEF), len(self.rows), 0)


@dataclass(frozen=True, eq=False)
class _Table:
    """A published table and what its labels leave open."""

    job: Job
    labels: list[list[str]]
    member: Ints
    rows: Ints

    @cached_property
    def cells(self) -> list[_Cell]:
        """The labels that stand for several values, class by class."""
        cells = []
        for number, rows in enumerate(_split(self.member)):
            for place, quasi in enumerate(self.job.quasis):
                options = self._options(quasi, self.labels[place][rows[0]], rows)
                if len(options) > 1:
                    cells.append(_cell(number, place, rows, options, quasi))
        return cells

    def _options(self, quasi: Quasi, label: str, rows: Ints) -> Ints:
        """The values that occur and that a label may stand for; a range stands for all between its ends."""
        occur = np.unique(quasi.codes)
        if METHODS[self.job.method].levels:
            if label == SUPPRESSED:
                return occur
        elif quasi.name in self.job.numbers:
            numbers = np.array(quasi.hierarchy.labels[0], object)[occur].astype(np.float64)
            own = np.asarray(self.job.numbers[quasi.name], np.float64)[rows]
            return occur[(numbers >= own.min()) & (numbers <= own.max())]
        fits = np.zeros(len(occur), bool)
        for names, places in zip(quasi.hierarchy.labels, quasi.hierarchy.places, strict=True):
            if label in names:
                fits |= places[occur] == names.index(label)
        return occur[fits]

    @cached_property
    def _groups(self) -> list[tuple[Ints, list[_Cell]]]:
        """The rows that may be exchanged, with the labels of their class."""
        cells: dict[int, list[_Cell]] = {}
        for cell in self.cells:
            cells.setdefault(cell.number, []).append(cell)
        groups = [(rows, int(self.member[rows[0]])) for rows in _split(numbered([self.member, self.rows]))]
        return [(rows, cells[number]) for rows, number in groups if number in cells]

    def all_worlds(self, most: int) -> list[list[Ints]] | None:
        """Every world that differs in how often rows that may be exchanged have values; None where these are many."""
        ways, count = [], 1
        for rows, cells in self._groups:
            if prod(len(cell.options) for cell in cells) > most:
                return None
            tuples = product(*(cell.options.tolist() for cell in cells))
            own = list(islice(combinations_with_replacement(tuples, len(rows)), most + 1))
            count *= len(own)
            if count > most:
                return None
            ways.append([(rows, cells, np.array(way, np.int64)) for way in own])
        worlds = []
        for one in product(*ways):
            codes = [quasi.codes.copy() for quasi in self.job.quasis]
            for rows, cells, way in one:
                for cell, column in zip(cells, way.T, strict=True):
                    codes[cell.place][rows] = column
            worlds.append(codes)
        return worlds

    def drawn(self, count: int) -> Iterator[list[Ints]]:
        random = np.random.default_rng(SEED)
        chances = []
        for cell in self.cells:
            occurs = np.bincount(self.job.quasis[cell.place].codes)[cell.options]
            chances.append(occurs / occurs.sum())
        for _ in range(count):
            codes = [quasi.codes.copy() for quasi in self.job.quasis]
            for cell, chance in zip(self.cells, chances, strict=True):
                codes[cell.place][cell.rows] = random.choice(cell.options, len(cell.rows), p=chance)
            yield codes

    def remade(self, remake: Remake, codes: Sequence[Ints]) -> list[Ints] | None:
        """A world that becomes this table, its rows in the order of the table's; None where it does not."""
        quasis = [replace(quasi, codes=own) for quasi, own in zip(self.job.quasis, codes, strict=True)]
        numbers = {
            quasi.name: np.array(quasi.hierarchy.labels[0], object)[quasi.codes].tolist()
            for quasi in quasis
            if quasi.name in self.job.numbers
        }
        try:
            labels = remake(replace(self.job, quasis=quasis, numbers=numbers))
        except InputError:
            return None  # the method makes no table of this world
        if labels == self.labels:
            return list(codes)
        own, published = self._published(labels), self._published(self.labels)
        order, places = (sorted(range(len(rows)), key=rows.__getitem__) for rows in (own, published))
        if [own[row] for row in order] != [published[row] for row in places]:
            return None
        moved = [column.copy() for column in codes]
        for column, before in zip(moved, codes, strict=True):
            column[places] = before[order]
        return moved

    def _published(self, labels: list[list[str]]) -> list[tuple[object, ...]]:
        return list(zip(*labels, self.rows.tolist(), strict=True))


def _split(owner: Ints) -> list[Ints]:
    """The rows of each owner."""
    return np.split(np.argsort(owner, kind="stable"), np.cumsum(np.bincount(owner))[:-1])


def _cell(number: int, place: int, rows: Ints, options: Ints, quasi: Quasi) -> _Cell:
    """The finer values are those of the highest level on which the options differ."""
    for places in reversed(quasi.hierarchy.places):
        if len(np.unique(places[options])) > 1:
            break
    finer = np.full(len(quasi.hierarchy.labels[0]), -1)
    finer[options] = np.unique(places[options], return_inverse=True)[1]
    own = finer[quasi.codes]
    counts = np.bincount(own[own >= 0])
    return _Cell(number, place, rows, options, finer, counts / counts.sum())
