"""Worlds, made again: what a method makes of a table when its people have other values.

`Again` makes them one by one, by any method. `OnLevels` asks of many worlds at once whether full-domain generalisation
takes the levels it has taken. A world is left as soon as a node holds in it that beats these levels, and a node is
asked only where those asked before do not settle it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.errors import InputError
from privacy.release.classes import DENSE, SUPPRESSED, compact, number_classes, shares
from privacy.release.codes import code_values
from privacy.release.full_domain import LOSSES, CodedTable, Generalisation, Search, by_loss
from privacy.release.lattice import GeneralisationLattice, Node
from privacy.release.methods import Job, Made
from privacy.release.models import AnonymityModel, safe
from privacy.release.progress import nobody
from privacy.release.suppression import ClassesOfNode

_SAME, _OTHER, _UNKNOWN = range(3)
STACK, OPEN = 1 << 18, 1 << 23  # records, and nodes, of all worlds that are looked at together
LOOK = 50  # the time of asking a node in a world, beside that of its records

Labels = list[Ints]  # of each attribute the number of each record's label


class SpentError(Exception):
    """More worlds would take too long."""


@dataclass(eq=False)
class Again:
    """Makes a job again, one world after the other. `left` is how much work may still be done, in the unit of `effort`.

    Values come as an array with a row for each world, or with one row where they are the same in all.
    """

    job: Job
    labels: list[list[str]]  # that were published
    make: Callable[[Job], Made]
    effort: int  # at most, of one world
    left: int
    numbers: list[dict[str, int]] = field(init=False)  # of the labels of each attribute
    given: int = field(init=False)

    def __post_init__(self) -> None:
        self.numbers, self.given = [{} for _ in self.labels], self.left

    @property
    def records(self) -> int:
        return self.job.records

    @property
    def together(self) -> int:
        """How many worlds are tried at once."""
        return 1

    @property
    def sure(self) -> int:
        """How many worlds the work that is left surely suffices for."""
        return self.left // self.effort

    @property
    def most(self) -> int:
        """How many worlds the work that is left can suffice for at most."""
        return self.left // self.effort

    @cached_property
    def label_numbers(self) -> Labels:
        """The numbers of the published labels, by attribute."""
        return self._number_labels(self.labels)

    @property
    def decisive(self) -> Bools:
        """Which records are in classes on whose sensitive values the table may depend."""
        return np.ones(self.records, bool)

    @property
    def first_rows(self) -> Ints:
        """The rows whose values alone may show that a world becomes another table."""
        return np.arange(0)

    def may_become(self, values: Sequence[Ints]) -> Callable[[Ints], Bools]:
        """What says whether worlds may become the table, by values of the `first_rows`, as places in `values`."""
        del values
        return lambda worlds: np.ones(len(worlds), bool)

    def becomes(self, secrets: Sequence[Ints], rows: Ints) -> list[bool]:
        """Whether each world becomes the table; `secrets` are those of these rows, which are all `decisive` ones."""
        del rows
        made = self.labels_of_worlds([quasi.codes for quasi in self.job.quasis], secrets)
        return [bool(own) and all(map(np.array_equal, own or [], self.label_numbers)) for own in made]

    def labels_of_worlds(self, codes: Sequence[Ints], secrets: Sequence[Ints]) -> list[Labels | None]:
        """The labels that each world would publish; None where it surely becomes another table, or none."""
        worlds = max((len(one) for one in (*codes, *secrets) if one.ndim == 2), default=1)
        return [
            self._remake(*([one[world] if one.ndim == 2 else one for one in own] for own in (codes, secrets)))
            for world in range(worlds)
        ]

    def _remake(self, codes: list[Ints], secrets: list[Ints]) -> Labels | None:
        """The labels that the method publishes of one world; None where it makes no table of it."""
        self.spend(self.effort)
        quasis = [replace(quasi, codes=own) for quasi, own in zip(self.job.quasis, codes, strict=True)]
        numbers = {
            quasi.name: np.array(quasi.hierarchy.labels[0], object)[quasi.codes].tolist()
            for quasi in quasis
            if quasi.name in self.job.numbers
        }
        try:
            made = self.make(replace(self.job, quasis=quasis, numbers=numbers, secrets=secrets))
        except InputError:
            return None  # the method makes no table of this world
        return self._number_labels(made.labels)

    def _number_labels(self, labels: list[list[str]]) -> Labels:
        numbered = []
        for known, column in zip(self.numbers, labels, strict=True):
            codes, different = code_values(column)
            numbered.append(np.array([known.setdefault(label, len(known)) for label in different], np.int64)[codes])
        return numbered

    def cannot_try(self, worlds: int, tried: int) -> bool:
        """Whether the work that is left does not suffice for so many worlds, by what those that were tried took."""
        return tried < worlds and self.left * tried < (self.given - self.left) * (worlds - tried)

    def begin(self) -> "Again":
        """Forget the work that was done: another attack has as much."""
        self.left = self.given
        return self

    def spend(self, work: int) -> None:
        """Take work off what is left; raise `SpentError` where that is too little."""
        self.left -= work
        if self.left < 0:
            raise SpentError


@dataclass(eq=False)
class OnLevels(Again):
    """Makes many worlds on levels. The loss is one that grows with the levels, and nothing else is asked of a table."""

    taken: Generalisation
    classes: dict[int, tuple[Ints, Ints, Ints]] = field(default_factory=dict)  # of nodes where only values differ

    def begin(self) -> Again:
        self.classes.clear()
        return super().begin()

    @property
    def together(self) -> int:
        return max(min(STACK // self.records, OPEN // len(self.nodes)), 1)

    @property
    def most(self) -> int:
        return self.left // self.of_node

    @cached_property
    def nodes(self) -> Ints:
        """All nodes, a row each, by the sum of their levels; of nodes with equal losses the first is taken."""
        every = np.indices(self.taken.lattice.holding.shape).reshape(len(self.job.quasis), -1)
        return every[:, np.lexsort((*every[::-1], every.sum(axis=0)))].T

    @cached_property
    def of_node(self) -> int:
        """The most work that asking one node in one world takes."""
        return self.records + len(self.nodes) // 8 + LOOK

    @property
    def of_loss(self) -> int:
        """The work for a node's loss in a world with codes of its own; 0 where the sizes of classes give the loss."""
        return 0 if self.job.minimise == "discernibility" else self.records * len(self.job.quasis)

    @cached_property
    def overall(self) -> list[Floats]:
        """How common each sensitive value is; the same in all worlds."""
        return [shares(codes) for codes in self.job.secrets]

    @cached_property
    def _places(self) -> Ints:
        places = np.empty(self.taken.lattice.holding.shape, np.int64)
        places[tuple(self.nodes.T)] = np.arange(len(self.nodes))
        return places

    def place(self, node: Node) -> int:
        return int(self._places[node])

    @cached_property
    def names(self) -> list[list[Ints]]:
        """For each attribute, and each of its levels, the numbers of the labels."""
        return [
            [
                np.array([known.setdefault(name, len(known)) for name in names], np.int64)
                for names in quasi.hierarchy.labels
            ]
            for known, quasi in zip(self.numbers, self.job.quasis, strict=True)
        ]

    @cached_property
    def alike(self) -> list[int]:
        """The nodes that may publish the labels of the node taken: on each attribute they have all of them."""
        shared, kept = np.ones(len(self.nodes), bool), self.taken.kept
        for names, levels, published in zip(self.names, self.nodes.T, self.label_numbers, strict=True):
            need = np.unique(published[kept])
            shared &= np.array([bool(np.isin(need, own).all()) for own in names])[levels]
        return np.flatnonzero(shared).tolist()

    @cached_property
    def settling(self) -> list[int]:
        """All nodes in the order in which they are asked: first those that settle all others where no values count.

        Those of the table itself would settle more, but by them how many worlds are tried would tell of its values.
        """
        _, lattice = self._whatever_values
        first = [self.place(node) for node in (*lattice.highest, *lattice.minimal)]
        near = np.argsort(abs(self.nodes.sum(axis=1) - sum(self.taken.node)), kind="stable").tolist()
        return list(dict.fromkeys([*first, *near]))

    @property
    def suppressible(self) -> int:
        return int(self.job.suppression * self.records + 1e-9)

    @cached_property
    def _whatever_values(self) -> tuple[Search, GeneralisationLattice]:
        """The search of what holds for k alone, and its lattice."""
        search = Search(self.taken.table, AnonymityModel(self.job.model.k), self.suppressible)
        return search, search.lattice(nobody) if self.job.model.about_sensitive else self.taken.lattice

    @cached_property
    def before(self) -> list[int]:
        """The nodes that would be taken in place of this one if people had other sensitive values, and they held.

        They hold for no sensitive values, and have less loss, or as much and lower levels.
        """
        search, lattice = self._whatever_values
        nodes = takewhile(lambda one: one[1] != self.taken.node, by_loss(search, lattice, LOSSES[self.job.minimise]))
        return [self.place(node) for _, node in nodes]

    @property
    def decisive(self) -> Bools:
        """Which records are in classes on whose sensitive values the table may depend.

        The levels taken publish classes with the same values in every world, so that only other levels may ask of them.
        """
        return np.ones(self.records, bool) if self.before else ~self.taken.kept

    @property
    def first_rows(self) -> Ints:
        return np.flatnonzero(~self.taken.kept)

    def may_become(self, values: Sequence[Ints]) -> Callable[[Ints], Bools]:
        codes = [quasi.codes for quasi in self.job.quasis]

        def may(worlds: Ints) -> Bools:
            known = [own[worlds] for own in values]
            return np.asarray(_Worlds(self, len(worlds), codes, known, self.first_rows).as_taken(quick=True) != _OTHER)

        return may

    def becomes(self, secrets: Sequence[Ints], rows: Ints) -> list[bool]:
        """Whether each world becomes the table; `secrets` are those of these rows, which are all `decisive` ones."""
        self.spend(secrets[0].size if self.before else 0)  # each record was drawn
        codes = [quasi.codes for quasi in self.job.quasis]
        return _Worlds(self, len(secrets[0]), codes, secrets, None if len(rows) == self.records else rows).same()

    def labels_of_worlds(self, codes: Sequence[Ints], secrets: Sequence[Ints]) -> list[Labels | None]:
        """The labels that each world publishes on its best node; None where they surely differ from the table's."""
        worlds = max((len(one) for one in (*codes, *secrets) if one.ndim == 2), default=1)
        table = _Worlds(self, worlds, codes, secrets)
        return table.labels(table.best())


@dataclass(frozen=True, eq=False)
class _Look:
    """For each world how many records a node must suppress, whether it may leave so, or at all, and its loss.

    `member` is the class of each record, world after world, and `good` says which classes keep the model.
    """

    member: Ints
    good: Bools
    hidden: Ints
    simple: Bools
    leaves: Bools
    losses: Floats


@dataclass(eq=False)
class _Worlds:
    """Some worlds, asked node by node."""

    again: OnLevels
    count: int
    codes: Sequence[Ints]
    secrets: Sequence[Ints]
    rows: Ints | None = None  # of which the secrets are, where others have the same in all worlds
    columns: dict[tuple[int, int], Ints] = field(default_factory=dict)
    seen: dict[int, _Look] = field(default_factory=dict)  # of nodes that may publish the labels of the table

    @property
    def same_codes(self) -> bool:
        """Whether worlds differ in their sensitive values alone."""
        return all(one.ndim == 1 for one in self.codes)

    def same(self) -> list[bool]:
        """Whether each world becomes the table, where worlds differ in their sensitive values alone."""
        again = self.again
        taken = self.as_taken()
        alive, unknown = taken == _SAME, taken == _UNKNOWN
        for node in sorted(again.before, key=lambda one: one not in again.alike):
            worlds = np.flatnonzero(alive)
            if not len(worlds):
                break
            better = worlds[self.look(node, worlds).leaves]
            alive[better] = False
            unknown[better] |= node in again.alike
        if unknown.any():
            found = self.labels(np.where(unknown, self.best(), -1))
            for world in np.flatnonzero(unknown).tolist():
                labels = found[world]
                alive[world] = labels is not None and all(map(np.array_equal, labels, again.label_numbers))
        return alive.tolist()

    def as_taken(self, quick: bool = False) -> Ints:
        """Whether the levels taken publish the same table in each world, another one, or perhaps none.

        A `quick` answer leaves open what further classes would be suppressed.
        Their published classes have the same values in all worlds. So only suppressed records are looked at.
        """
        again, node = self.again, self.again.place(self.again.taken.node)
        kept, rows = again.taken.kept, np.flatnonzero(~again.taken.kept)
        found = np.full(self.count, _SAME)
        if not len(rows):
            return found
        again.spend(self.count * (len(rows) + LOOK))
        member = number_classes([self.classes(node, np.arange(1))[0][rows]])
        classes, worlds = int(member.max()) + 1, np.arange(self.count)
        secrets = list(self.secrets) if self.rows is not None else [one[:, rows] for one in self.secrets]
        stacked = (worlds[:, np.newaxis] * classes + member).ravel()
        good = safe(stacked, [one.ravel() for one in secrets], again.job.model, again.overall).reshape(-1, classes)
        some = np.asarray(good.any(axis=1))  # where none is safe alone, all are suppressed
        found[some] = _OTHER
        own, row = np.nonzero(~good[:, member] & some[:, np.newaxis])
        left, one = np.unique(own, return_inverse=True)
        unsafe = [column[own, row] for column in secrets]
        broken = np.zeros(len(left), bool)
        if len(left):
            broken[:] = ~safe(one, unsafe, again.job.model, again.overall)
        for world in left[broken].tolist():
            made = None if quick else self.suppress(node, world)
            found[world] = _UNKNOWN if made is None else _SAME if np.array_equal(made, kept) else _OTHER
        return found

    def best(self) -> Ints:
        """The number of the node that each world takes; −1 where that node cannot publish the table's labels."""
        again, nodes, every = self.again, self.again.nodes, np.arange(self.count)
        asked = again.job.model
        grows = asked.always_grows(again.suppressible > 0, again.taken.table.several)
        best, least = np.full(self.count, len(nodes)), np.full(self.count, np.inf)
        still_open = np.ones((len(nodes), self.count), bool)
        for node in again.alike:
            made = self.seen[node] = self.look(node, every)
            better = made.leaves & _is_better(made.losses, node, least, best)
            best[better], least[better] = node, made.losses[better]
            if len(again.alike) == 1:  # labels cannot be the same where another number of records is suppressed
                best[made.simple & (made.hidden != again.taken.suppressed)] = len(nodes)
        still_open[again.alike] = False
        alive = best < len(nodes)
        for node in np.unique(best[alive]).tolist():
            still_open[np.ix_((nodes >= nodes[node]).all(axis=1), best == node)] = False
        settling = np.array(again.settling)
        while (waiting := np.asarray((still_open & alive).any(axis=1))[settling]).any():
            node = int(settling[waiting.argmax()])
            worlds = np.flatnonzero(alive & still_open[node])
            made = self.look(node, worlds)
            better = _is_better(made.losses, node, least[worlds], best[worlds])
            holds = made.hidden <= again.suppressible
            still_open[node] = False
            alive[worlds[made.leaves & better]] = False
            still_open[np.ix_((nodes >= nodes[node]).all(axis=1), worlds[~better])] = False  # they lose more
            if grows:
                still_open[np.ix_((nodes <= nodes[node]).all(axis=1), worlds[~holds])] = False
        return np.where(alive, best, -1)

    def look(self, node: int, worlds: Ints) -> _Look:
        again = self.again
        again.spend(len(worlds) * again.of_node)
        member, sizes, starts = self.classes(node, worlds)
        good = safe(member, self._stack_secrets(worlds), again.job.model, again.overall)
        hidden = np.add.reduceat(np.where(good, 0, sizes), starts)
        holds = hidden <= again.suppressible
        simple, leaves = self._leave(node, worlds, member, good, holds & (hidden > 0))
        if again.job.minimise == "discernibility":
            losses = np.add.reduceat(sizes**2, starts).astype(np.float64)
        else:
            again.spend(int(holds.sum()) * again.of_loss)
            losses = np.array([self._loss(node, world) if held else np.inf
                               for world, held in zip(worlds.tolist(), holds, strict=True)])  # fmt: skip
        return _Look(member, good, hidden, simple & holds, leaves & holds, losses)

    def _leave(self, node: int, worlds: Ints, member: Ints, good: Bools, asked: Bools) -> tuple[Bools, Bools]:
        """Whether the node may leave without further suppression, and with it; of worlds that are asked, others may."""
        leaves = np.ones(len(worlds), bool)
        if not asked.any():
            return leaves, leaves
        shape = (len(worlds), self.again.records)
        starred = self._only_stars(node, worlds)
        chosen = (~good[member].reshape(shape) | starred) & asked[:, np.newaxis]
        place, row = np.nonzero(chosen)
        numbers = np.cumsum(asked) - 1
        secrets = [own.reshape(shape)[place, row] for own in self._stack_secrets(worlds)]
        leaves[asked] = safe(numbers[place], secrets, self.again.job.model, self.again.overall)
        simple = leaves.copy()
        for world in np.flatnonzero(~leaves).tolist():
            leaves[world] = self.suppress(node, int(worlds[world])) is not None
        return simple, leaves

    def suppress(self, node: int, world: int) -> Bools | None:
        """Which records a node publishes with their labels in a world; None if it cannot leave."""
        again, one = self.again, np.array([world])
        again.spend(again.of_node)
        member, _, _ = self.classes(node, one)
        secrets = self._stack_secrets(one)
        good = safe(member, secrets, again.job.model, again.overall)
        starred = np.bincount(member[self._only_stars(node, one)[0]], minlength=len(good)) > 0
        own = ClassesOfNode(member, good, starred, secrets, again.job.model, again.overall)
        made = own.suppress(again.suppressible)
        return None if made is None else made.stays(member)

    def _only_stars(self, node: int, worlds: Ints) -> Bools:
        """For each world which records have only labels ``*``."""
        starred = np.ones((len(worlds), self.again.records), bool)
        for place, level in enumerate(self.again.nodes[node].tolist()):
            stars = np.array([one == SUPPRESSED for one in self.again.job.quasis[place].hierarchy.labels[level]])
            if not stars.any():
                return np.zeros_like(starred)
            column = self._column(place, level)
            starred &= stars[column if column.ndim == 1 else column[worlds]]
        return starred

    def classes(self, node: int, worlds: Ints) -> tuple[Ints, Ints, Ints]:
        """The class of each record, world after world, the sizes of all classes, and the first class of each world."""
        if self.same_codes and len(worlds) > 1:
            first, sizes, _ = self.classes(node, worlds[:1])
            starts = np.arange(len(worlds)) * len(sizes)
            return (starts[:, np.newaxis] + first).ravel(), np.tile(sizes, len(worlds)), starts
        if self.same_codes and node in self.again.classes:
            return self.again.classes[node]
        keys, bound = np.arange(len(worlds))[:, np.newaxis], len(worlds)
        every = len(worlds) == self.count
        for place, level in enumerate(self.again.nodes[node].tolist()):
            count = len(self.again.job.quasis[place].hierarchy.labels[level])
            if count == 1:
                continue
            column = self._column(place, level)
            own = column if column.ndim == 1 or every else column[worlds]
            keys, bound = keys * count + own, bound * count
            if bound > DENSE + 4 * keys.size:
                shape = keys.shape
                numbers, bound = compact(keys.ravel(), bound)
                keys = numbers.reshape(shape)
        whole = np.broadcast_to(keys, (len(worlds), self.again.records))
        member, _ = compact(whole.ravel(), bound)
        sizes = np.bincount(member)
        starts = member.reshape(whole.shape).min(axis=1)  # the world comes first in the order of classes
        if self.same_codes:
            self.again.classes[node] = member, sizes, starts
        return member, sizes, starts

    def _column(self, place: int, level: int) -> Ints:
        """The place of each record's label on one level of an attribute; a row for each world if their codes differ."""
        if (place, level) not in self.columns:
            self.columns[place, level] = self.again.job.quasis[place].hierarchy.places[level][self.codes[place]]
        return self.columns[place, level]

    def _stack_secrets(self, worlds: Ints) -> list[Ints]:
        """The sensitive values of all records, world after world."""
        stacked = []
        for known, one in zip(self.again.job.secrets, self.secrets, strict=True):
            whole = np.empty((len(worlds), self.again.records), np.int64)
            if self.rows is None:
                whole[:] = one if one.ndim == 1 else one[worlds]
            else:
                whole[:], whole[:, self.rows] = known, one[worlds]
            stacked.append(whole.ravel())
        return stacked

    def _loss(self, node: int, world: int) -> float:
        job = self.again.job
        own = [one if one.ndim == 1 else one[world] for one in self.codes]
        quasis = [replace(quasi, codes=codes) for quasi, codes in zip(job.quasis, own, strict=True)]
        levels = tuple(self.again.nodes[node].tolist())
        return LOSSES[job.minimise].of(Search(CodedTable(quasis), job.model, self.again.suppressible), levels)

    def labels(self, best: Ints) -> list[Labels | None]:
        """The numbers of the labels that each world publishes on its best node, by attribute; None where none is."""
        again = self.again
        found: list[Labels | None] = [None] * self.count
        for node in np.unique(best[best >= 0]).tolist():
            worlds = np.flatnonzero(best == node)
            columns = []
            for names, (place, level) in zip(again.names, enumerate(again.nodes[node].tolist()), strict=True):
                column = self._column(place, level)
                columns.append(np.broadcast_to(names[level][column], (self.count, again.records)))
            if not again.suppressible:
                for world in worlds.tolist():
                    found[world] = [own[world] for own in columns]
                continue
            stars = [known.setdefault(SUPPRESSED, len(known)) for known in again.numbers]
            stays, simple = self.seen[node].good[self.seen[node].member].reshape(self.count, -1), self.seen[node].simple
            again.spend(int(simple[worlds].sum()) * again.of_node)
            for world in worlds.tolist():
                made = stays[world] if simple[world] else self.suppress(node, world)
                assert made is not None  # the node may leave
                found[world] = [np.where(made, own[world], star) for own, star in zip(columns, stars, strict=True)]
        return found


def batches(entries: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield the entries in lists, the first of one and then of this size; the last one may be shorter."""
    rest = iter(entries)
    yield from ([one] for one in islice(rest, 1))
    while some := list(islice(rest, size)):
        yield some


def _is_better(losses: Floats, node: int | Ints, others: Floats, nodes: Ints) -> Bools:
    """Whether a loss is less than another; where they are equal, whether its node comes first."""
    return np.asarray((losses < others) | ((losses == others) & (node < nodes)))
