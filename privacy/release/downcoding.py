"""Downcoding: finer values that a table tells somebody who knows how it was made (Cohen 2022).

A method keeps finer values where it can. So who knows the method, and which values occur, asks which *worlds* would
have become just this table: a world puts values that occur in place of the labels. Where at least so many people of a
class have a finer value in all these worlds, it can be written in place of their label, and the table still says the
truth.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import combinations_with_replacement, islice, product
from math import ceil, log, prod

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.release.again import Again, Labels, SpentError, WorldCodes, batches
from privacy.release.attacks import DOWNCODING, Attack
from privacy.release.attributes import Quasi
from privacy.release.classes import SUPPRESSED, number_classes
from privacy.release.methods import METHODS, Job
from privacy.release.progress import Progress, nobody

SEED = 0
SURE, BELIEF = 3.4e-6, 0.9  # of worlds drawn at random: by what chance a belief may seem to exceed this
ENOUGH = ceil(log(SURE) / log(BELIEF))  # worlds drawn at random: from fewer no belief can be sure


def downcoding(
    again: Again, member: Ints, rows: Ints, most: int, known: int = 0, progress: Progress = nobody
) -> Attack | None:
    """Try the attack on the labels that a method made of a job; None where no label stands for several values.

    `again` makes the table with other values, and `member` is the class of each row. `rows` number what else is
    published that the method looks at, as sensitive values: rows of a class alike in it may be exchanged. The reader
    knows the first `known` attributes. All worlds are tried if `most` are enough and none takes too long. Then a finer
    value is found where it has people in all worlds that become this table. Otherwise worlds are drawn, each value as
    often as it occurs; then it is found where the belief in it exceeds `BELIEF`, and does not from the label alone.
    """
    if again.most < ENOUGH and again.records > most:  # then there are more worlds than `most`, and too few are drawn
        return Attack(DOWNCODING, len(rows), 0, worlds=0, cells=0)
    table = _Table(again.job, again.labels, member, rows, known)
    if not table.covers:
        return None
    whole = table.all_worlds(min(most, again.sure))
    if whole is None and again.most < ENOUGH:
        return Attack(DOWNCODING, len(rows), 0, worlds=0, cells=0)
    least = table.count_values([quasi.codes for quasi in again.job.quasis])
    sums, tried, explained = np.zeros(len(least)), 0, 0
    stacked = (
        table.draw_worlds(most, again.together) if whole is None else map(table.stack, batches(whole, again.together))
    )
    for some in stacked:
        if whole is None:
            again.keep_pace(tried + some.count, ENOUGH)
        try:
            made = again.labels_of_worlds(some)
        except SpentError:
            break
        for world, labels in enumerate(made):
            if labels and (own := table.in_order(again.codes_in(some, world), labels, again.label_numbers)):
                explained += 1
                counts = table.count_values(own)
                least = np.minimum(least, counts)
                sums += counts
        tried += len(made)
        progress(tried / (most if whole is None else len(whole)))
        if whole is not None:
            continue
        if not explained and tried >= ENOUGH:
            break  # by chance `SURE` at most a tenth of all worlds become the table: too few in `most` to be sure
        rest = most - tried
        if tried >= ENOUGH and not table.almost_sure(sums + rest * table.cells[2], explained + rest).any():
            tried = most  # not even if all the rest became the table, and had one finer value
            break
    if whole is None:
        tried, least = (tried, table.almost_sure(sums, explained)) if tried >= ENOUGH else (0, np.zeros_like(least))
    owner, cell, *_ = table.cells
    cells = np.bincount(cell, weights=least)
    people = np.zeros(int(member.max()) + 1)  # of a class at least as many as have one finer value
    np.maximum.at(people, owner, cells)
    return Attack(DOWNCODING, len(rows), int(people.sum()), worlds=tried, cells=int(cells.sum()))


@dataclass(frozen=True, eq=False)
class _Cover:
    """A label that stands for several values: its rows, in the order of their classes.

    `finer` is the finer value that each value of the attribute has, and `shares` how common each of these is among
    those with one of the `options`. A cell is what one class has of it. `first` is where the counts of each row's cell
    begin, among those of all finer values of all cells.
    """

    place: int
    options: Ints
    finer: Ints
    shares: Floats
    rows: Ints
    first: Ints


@dataclass(frozen=True, eq=False)
class _Pools:
    """What draws an attribute: the rows that are open, and for each where its values are in a pool, and how many."""

    rows: Ints
    first: Ints
    size: Ints
    pool: Ints


@dataclass(frozen=True, eq=False)
class _Table:
    """A published table and what its labels leave open."""

    job: Job
    labels: list[list[str]]
    member: Ints
    rows: Ints
    known: int

    @cached_property
    def covers(self) -> list[_Cover]:
        """The labels that stand for several values, of attributes that the reader does not know."""
        covers, first = [], 0
        for place, quasi in enumerate(self.job.quasis):
            if place < self.known:
                continue
            column, occur = np.array(self.labels[place], object), np.unique(quasi.codes)
            for label_rows in _split(number_classes([column])):
                options = self._options(quasi, occur, self.labels[place][label_rows[0]], label_rows)
                if len(options) < 2:
                    continue
                rows = label_rows[np.argsort(self.member[label_rows], kind="stable")]
                finer = _finer(quasi, options)
                own = finer[quasi.codes]
                counts = np.bincount(own[own >= 0])
                classes = np.unique(self.member[rows], return_inverse=True)[1]
                covers.append(_Cover(place, options, finer, counts / counts.sum(), rows, first + classes * len(counts)))
                first += (int(classes.max()) + 1) * len(counts)
        return covers

    def _options(self, quasi: Quasi, occur: Ints, label: str, rows: Ints) -> Ints:
        """The values that occur and that a label may stand for; a range stands for all between its ends."""
        if label == SUPPRESSED:
            return occur
        if not METHODS[self.job.method].levels and quasi.name in self.job.numbers:
            numbers = np.array(quasi.hierarchy.labels[0], object)[occur].astype(np.float64)
            own = np.asarray(self.job.numbers[quasi.name], np.float64)[rows]
            return occur[(numbers >= own.min()) & (numbers <= own.max())]
        fits = np.zeros(len(occur), bool)
        for names, places in zip(quasi.hierarchy.labels, quasi.hierarchy.places, strict=True):
            if label in names:
                fits |= places[occur] == names.index(label)
        return occur[fits]

    @cached_property
    def cells(self) -> tuple[Ints, Ints, Ints, Floats]:
        """Of every cell its class; of every finer value of a cell the cell, its size, and how common the value is."""
        owners, cells, sizes, shares, count = [], [], [], [], 0
        for cover in self.covers:
            classes, own = np.unique(self.member[cover.rows], return_counts=True)
            many = len(cover.shares)
            owners.append(classes)
            cells.append(np.repeat(np.arange(count, count + len(classes)), many))
            sizes.append(np.repeat(own, many))
            shares.append(np.tile(cover.shares, len(classes)))
            count += len(classes)
        return np.concatenate(owners), np.concatenate(cells), np.concatenate(sizes), np.concatenate(shares)

    def count_values(self, codes: Sequence[Ints]) -> Ints:
        """How many people of each cell have each finer value."""
        keys = [cover.first + cover.finer[codes[cover.place][cover.rows]] for cover in self.covers]
        return np.bincount(np.concatenate(keys), minlength=len(self.cells[1]))

    def almost_sure(self, sums: Floats, worlds: int) -> Ints:
        """The people in each cell whose finer value drawn worlds make almost sure, though the label alone does not.

        By Chernoff's and Hoeffding's bound on how far the mean over drawn worlds may be from that over all worlds.
        """
        _, _, sizes, shares = self.cells
        mean = sums / max(worlds, 1) / sizes
        apart = sum(p * np.log(np.maximum(p, 1e-300) / q) for p, q in ((mean, BELIEF), (1 - mean, 1 - BELIEF)))
        sure = (mean > BELIEF) & (worlds * apart > -log(SURE)) & (shares <= BELIEF)
        return np.where(sure, sizes, 0)

    def all_worlds(self, most: int) -> list[list[Ints]] | None:
        """All worlds, one of those that only exchange rows that are alike; None where they are more than `most`."""
        open_to: dict[int, list[_Cover]] = {}  # of each class
        for cover in self.covers:
            for number in np.unique(self.member[cover.rows]).tolist():
                open_to.setdefault(number, []).append(cover)
        if len(open_to) > most.bit_length():  # each of these classes has two worlds or more
            return None
        ways, count = [], 1
        for rows in _split(number_classes([self.member, self.rows])):
            covers = open_to.get(int(self.member[rows[0]]), [])
            if not covers:
                continue
            if prod(len(cover.options) for cover in covers) > most:
                return None
            tuples = product(*(cover.options.tolist() for cover in covers))
            own = list(islice(combinations_with_replacement(tuples, len(rows)), most + 1))
            count *= len(own)
            if count > most:
                return None
            ways.append([(rows, covers, np.array(way, np.int64)) for way in own])
        worlds = []
        for one in product(*ways):
            codes = [quasi.codes.copy() for quasi in self.job.quasis]
            for rows, covers, way in one:
                for cover, column in zip(covers, way.T, strict=True):
                    codes[cover.place][rows] = column
            worlds.append(codes)
        return worlds

    def draw_worlds(self, count: int, together: int) -> Iterator[WorldCodes]:
        """Worlds in which each label has one of its values by lot, as often as it occurs: one, then several."""
        lots = {place: self._lot(place) for place in sorted({cover.place for cover in self.covers})}
        for some in batches(range(count), together):
            yield WorldCodes(len(some), cache(partial(self._draw, lots, some)))

    def _draw(self, lots: Mapping[int, "_Pools"], some: Sequence[int], place: int) -> Ints:
        """The values of an attribute in these worlds; of those that nobody asks for the numbers are passed over."""
        codes = self.job.quasis[place].codes
        if place not in lots:
            return codes
        lot = lots[place]
        numbers = np.random.PCG64(np.random.SeedSequence((SEED, place))).advance(some[0] * len(lot.size))
        drawn = np.random.Generator(numbers).random((len(some), len(lot.size)))
        drawn *= lot.size
        own = lot.pool[lot.first + drawn.astype(np.int64)]
        if len(lot.rows) == len(codes):
            return own
        whole = np.tile(codes, (len(some), 1))
        whole[:, lot.rows] = own
        return whole

    def _lot(self, place: int) -> "_Pools":
        codes, pools, begin = self.job.quasis[place].codes, [], 0
        lots = np.zeros((len(codes), 2), np.int64)
        for cover in (one for one in self.covers if one.place == place):
            pools.append(codes[np.isin(codes, cover.options)])
            lots[cover.rows] = begin, len(pools[-1])
            begin += len(pools[-1])
        rows = np.flatnonzero(lots[:, 1])
        return _Pools(rows, lots[rows, 0], lots[rows, 1], np.concatenate(pools))

    def stack(self, worlds: Sequence[list[Ints]]) -> WorldCodes:
        """The values of each attribute, with a row for each world where worlds may differ in it."""
        places = {cover.place for cover in self.covers}
        return WorldCodes(
            len(worlds), lambda place: np.stack([own[place] for own in worlds]) if place in places else worlds[0][place]
        )

    def in_order(self, codes: list[Ints], labels: Labels, published: Labels) -> list[Ints] | None:
        """A world that becomes this table, its rows in the order of the table's; None where it does not."""
        if all(map(np.array_equal, labels, published)):
            return codes
        if any(one.sum() != other.sum() for one, other in zip(labels, published, strict=True)):
            return None  # other labels; this shows most worlds, and takes less time than sorting
        own, there = (*labels, self.rows), (*published, self.rows)
        order, places = np.lexsort(own), np.lexsort(there)
        if not all(np.array_equal(one[order], other[places]) for one, other in zip(own, there, strict=True)):
            return None
        moved = [column.copy() for column in codes]
        for column, before in zip(moved, codes, strict=True):
            column[places] = before[order]
        return moved


def _split(owner: Ints) -> list[Ints]:
    """The rows of each owner, a list for each from 0 up."""
    return np.split(np.argsort(owner, kind="stable"), np.cumsum(np.bincount(owner))[:-1])


def _finer(quasi: Quasi, options: Ints) -> Ints:
    """For each value its label's number on the highest level where options differ; −1 for those that are no option."""
    for places in reversed(quasi.hierarchy.places):
        if len(np.unique(places[options])) > 1:
            break
    finer = np.full(len(quasi.hierarchy.labels[0]), -1)
    finer[options] = np.unique(places[options], return_inverse=True)[1]
    return finer
