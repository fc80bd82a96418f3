"""Worlds, made again: what a method makes of a table when its people have other values.

`Again` makes them one by one, by any method. `OnLevels` asks of many worlds at once whether full-domain generalisation
takes the levels it has taken. A world is left as soon as a node holds in it that beats these levels, and a node is
asked only where those asked before do not settle it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Bools, Floats, Ints
from privacy.errors import InputError
from privacy.release.classes import DENSE, SUPPRESSED, compact, count_keys, number_classes
from privacy.release.codes import code_values
from privacy.release.full_domain import LOSSES, CodedTable, Generalisation, Search, by_loss
from privacy.release.lattice import GeneralisationLattice, Node
from privacy.release.levels import NodeClasses, number_values, one_of_each
from privacy.release.methods import Job, Made
from privacy.release.models import safe
from privacy.release.suppression import ClassesOfNode

_SAME, _OTHER, _UNKNOWN = range(3)
STACK, OPEN = 1 << 18, 1 << 23  # records, and nodes, of all worlds that are looked at together
LOOK = 50  # the time of asking a node in a world, beside that of its records

Labels = list[Ints]  # of each attribute the number of each record's label


class SpentError(Exception):
    """More worlds would take too long."""


@dataclass(frozen=True, eq=False)
class WorldValues:
    """The numbers of sensitive values of some rows, a row for each world.

    `finish` makes them from what was `drawn`, in which those that may show first that a world becomes another table
    are final.
    """

    drawn: Ints
    finish: Callable[[Ints], Ints] | None = None

    @cached_property
    def values(self) -> Ints:
        return self.finish(self.drawn) if self.finish else self.drawn


@dataclass(frozen=True, eq=False)
class WorldCodes:
    """The codes `of` each attribute in so many worlds: a row for each, or one where they are the same in all."""

    count: int
    of: Callable[[int], Ints]


@dataclass(eq=False)
class Again:
    """Makes a job again, one world after the other. `left` is how much work may still be done, in the unit of `effort`.

    Codes come as an array with a row for each world, or with one row where they are the same in all.
    """

    job: Job
    labels: list[list[str]]  # that were published
    make: Callable[[Job], Made]
    effort: int  # at most, of one world
    left: int
    numbers: list[dict[str, int]] = field(init=False)  # of the labels of each attribute
    given: int = field(init=False)
    kept: int = field(init=False, default=0)  # work for worlds that are still to be tried

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

    @cached_property
    def values(self) -> tuple[Ints, list[Ints]]:
        """The number of each record's sensitive values, and of each attribute the values that numbers stand for."""
        numbers, count = number_values(self.job.secrets, self.records)
        return numbers, [codes[one_of_each(numbers, count)] for codes in self.job.secrets]

    @property
    def different(self) -> int:
        """How many different sensitive values there are."""
        return len(self.values[1][0]) if self.values[1] else 1

    def may_become(self, worlds: Ints) -> Bools:
        """Whether worlds may become the table, by the numbers of the values of the `first_rows`."""
        return np.ones(len(worlds), bool)

    def becomes(self, worlds: WorldValues, rows: Ints) -> list[bool]:
        """Whether each world becomes the table; it gives numbers of values to these rows, to all `decisive` ones."""
        del rows
        codes = [quasi.codes for quasi in self.job.quasis]
        made = [self._remake(codes, [values[world] for values in self.values[1]]) for world in worlds.values]
        return [bool(own) and all(map(np.array_equal, own or [], self.label_numbers)) for own in made]

    def labels_of_worlds(self, codes: WorldCodes) -> list[Labels | None]:
        """The labels that each world would publish; None where it surely becomes another table, or none."""
        return [self._remake(self.codes_in(codes, world), self.job.secrets) for world in range(codes.count)]

    def codes_in(self, codes: WorldCodes, world: int) -> list[Ints]:
        """The codes of each attribute in one of these worlds."""
        every = map(codes.of, range(len(self.job.quasis)))
        return [own if own.ndim == 1 else own[world] for own in every]

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

    def keep_pace(self, tried: int, worlds: int) -> None:
        """Let the first `tried` of so many worlds take no more than their share of the work."""
        self.kept = self.given - self.given * min(tried, worlds) // worlds

    def begin(self) -> "Again":
        """Forget the work that was done: another attack has as much."""
        self.left, self.kept = self.given, 0
        return self

    def spend(self, work: int) -> None:
        """Take work off what is left; raise `SpentError` where that is too little, or what others are to have."""
        self.left -= work
        if self.left < self.kept:
            raise SpentError


@dataclass(eq=False)
class OnLevels(Again):
    """Makes many worlds on levels. The loss is one that grows with the levels, and nothing else is asked of a table."""

    taken: Generalisation
    classes: dict[int, tuple[Ints, int]] = field(default_factory=dict)  # of nodes where only values differ

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
    def search(self) -> Search:
        """What a node of the table is asked with; how common sensitive values are is the same in all worlds."""
        return Search(self.taken.table, self.job.model, int(self.job.suppression * self.records + 1e-9))

    def entries(self, keys: Ints, values: Ints, bound: int = 0) -> tuple[NodeClasses, Ints]:
        """Count records that are alike in their class and values, world after world, and number the classes by key.

        `keys` number the classes of records below a bound, `values` their sensitive values; either has a row for each
        world, or is the same in all.
        """
        bound, values_of = bound or int(keys.max()) + 1, self.different
        worlds = max(len(one) if one.ndim == 2 else 1 for one in (keys, values))
        every = worlds * bound * values_of
        begin = _narrow(np.arange(0, every, bound * values_of)[:, np.newaxis], every)
        pairs = _narrow(keys, every) * values_of + _narrow(values, every) + begin
        found, count = count_keys(pairs.ravel(), every, None)
        owner = found // values_of
        starts = np.diff(owner, prepend=-1) > 0
        return NodeClasses(np.cumsum(starts) - 1, found - owner * values_of, count), owner[starts]

    def worlds_that_miss(self, own: NodeClasses, chosen: Bools, worlds: Ints) -> Ints:
        """The worlds in which the chosen entries miss the model, taken as one class; `worlds` are those of entries."""
        places, table = np.flatnonzero(chosen), self.taken.table
        left, one = np.unique(worlds[places], return_inverse=True)
        if not len(left):
            return left
        secrets = [codes[places] for codes in table.levels.secrets(own, table.sensitive)]
        return left[~safe(one, secrets, self.job.model, table.overall, own.count[places])]

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
        first = [self.place(node) for node in (*self._of_size.highest, *self._of_size.minimal)]
        near = np.argsort(abs(self.nodes.sum(axis=1) - sum(self.taken.node)), kind="stable").tolist()
        return list(dict.fromkeys([*first, *near]))

    @cached_property
    def _of_size(self) -> GeneralisationLattice:
        """What holds for k alone."""
        return self.taken.table.of_size(self.job.model.k, self.search.allowed)

    @cached_property
    def before(self) -> list[int]:
        """The nodes that would be taken in place of this one if people had other sensitive values, and they held.

        They hold for no sensitive values, and have less loss, or as much and lower levels.
        """
        nodes = by_loss(self.search, self._of_size, LOSSES[self.job.minimise])
        return [self.place(node) for _, node in takewhile(lambda one: one[1] != self.taken.node, nodes)]

    @property
    def decisive(self) -> Bools:
        """Which records are in classes on whose sensitive values the table may depend.

        The levels taken publish classes with the same values in every world, so that only other levels may ask of them.
        """
        return np.ones(self.records, bool) if self.before else ~self.taken.kept

    @property
    def first_rows(self) -> Ints:
        return np.flatnonzero(~self.taken.kept)

    @cached_property
    def suppressed_classes(self) -> tuple[Ints, Ints]:
        """The classes of the levels taken whose records are suppressed, and for each of these records which it is."""
        there, member = np.unique(self._member[~self.taken.kept], return_inverse=True)
        return there, member

    @cached_property
    def published_classes(self) -> tuple[NodeClasses, Bools]:
        """The other classes, which have the same values in all worlds; and of all classes which have only ``*``."""
        kept = self.taken.kept
        own, numbers = self.entries(self._member[kept], self.values[0][kept])
        starred = np.zeros(int(self._member.max()) + 1, bool)
        starred[self._member[self.search.only_stars(self.taken.node)]] = True
        return NodeClasses(numbers[own.member], own.value, own.count), starred

    @cached_property
    def _member(self) -> Ints:
        """The class of each record on the levels taken."""
        levels = zip(self.job.quasis, self.taken.node, strict=True)
        return number_classes([quasi.levels[level] for quasi, level in levels])

    def may_become(self, worlds: Ints) -> Bools:
        return np.asarray(self.worlds_of(WorldValues(worlds), self.first_rows).as_taken(quick=True) != _OTHER)

    def becomes(self, worlds: WorldValues, rows: Ints) -> list[bool]:
        """Whether each world becomes the table; it gives numbers of values to these rows, to all `decisive` ones."""
        self.spend(worlds.drawn.size if self.before else 0)  # each record was drawn
        return self.worlds_of(worlds, None if len(rows) == self.records else rows).same()

    def worlds_of(self, values: WorldValues, rows: Ints | None) -> "_Worlds":
        codes = WorldCodes(len(values.drawn), lambda place: self.job.quasis[place].codes)
        return _Worlds(self, codes, values, rows, same_codes=True)

    def labels_of_worlds(self, codes: WorldCodes) -> list[Labels | None]:
        """The labels that each world publishes on its best node; None where they surely differ from the table's."""
        table = _Worlds(self, codes, WorldValues(self.values[0]))
        return table.labels(table.best())


@dataclass(frozen=True, eq=False)
class _Look:
    """The classes of a node in some worlds, world after world.

    `first` is the first class of each world, and how many there are. `keys` number the classes of records, a row for
    each world, with gaps below `bound`; `numbers` are those of the classes. `starred` have only labels ``*``.
    """

    own: NodeClasses
    first: Ints
    keys: Ints
    bound: int
    numbers: Ints
    good: Bools
    starred: Bools

    @cached_property
    def unsafe(self) -> Ints:
        """How many records of each world are in classes that miss the model."""
        return np.add.reduceat(np.where(self.good, 0, self.own.sizes), self.first[:-1])

    @cached_property
    def world(self) -> Ints:
        """The world of each entry."""
        return np.repeat(np.arange(len(self.keys)), np.diff(self.first))[self.own.member]

    def within(self, world: int) -> tuple[slice, NodeClasses]:
        """The classes of one world: where they stand among all, and themselves, numbered from 0."""
        start, end = self.first[world : world + 2].tolist()
        entries = slice(*np.searchsorted(self.own.member, [start, end]))
        own = self.own
        return slice(start, end), NodeClasses(own.member[entries] - start, own.value[entries], own.count[entries])

    def stays(self, world: int, suppressed: Bools | None = None) -> Bools:
        """Which records of a world are published; the classes that miss the model are suppressed, or these."""
        start, end = self.first[world : world + 2].tolist()
        good = self.good[start:end] if suppressed is None else ~suppressed
        kept = np.zeros(self.bound, bool)
        kept[self.numbers[start:end]] = good
        return kept[self.keys[world]]


@dataclass(eq=False)
class _Worlds:
    """Some worlds, asked node by node.

    They are the codes of each attribute, and numbers of sensitive values: a row for each world, or the same in all.
    `same_codes`: worlds differ in their sensitive values alone.
    """

    again: OnLevels
    codes: WorldCodes
    given: WorldValues
    rows: Ints | None = None  # of which the values are given, where others have the same in all worlds
    same_codes: bool = False
    columns: dict[tuple[int, int], Ints] = field(default_factory=dict)
    seen: dict[int, tuple[_Look, Bools]] = field(default_factory=dict)  # of nodes that may publish the table's labels

    @property
    def count(self) -> int:
        return self.codes.count

    @cached_property
    def values(self) -> Ints:
        """The number of the sensitive values of every record."""
        if self.rows is None:
            return _narrow(self.given.values, self.again.different)
        whole = np.tile(_narrow(self.again.values[0], self.again.different), (self.count, 1))
        whole[:, self.rows] = self.given.values
        return whole

    def same(self) -> list[bool]:
        """Whether each world becomes the table, where worlds differ in their sensitive values alone."""
        again = self.again
        taken = self.as_taken()
        alive, unknown = taken == _SAME, taken == _UNKNOWN
        for node in sorted(again.before, key=lambda one: one not in again.alike):
            worlds = np.flatnonzero(alive)
            if not len(worlds):
                break
            better = worlds[self.leave(self.look(node, worlds))[1]]
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
        again, rows = self.again, self.again.first_rows
        found = np.full(self.count, _SAME)
        if not len(rows):
            return found
        again.spend(self.count * (len(rows) + LOOK))
        there, member = again.suppressed_classes
        own = self.given.drawn if self.rows is not None else self.given.drawn[:, rows]
        entries, _ = again.entries(member, own)
        good = again.search.good(entries, again.job.model).reshape(self.count, -1)
        some = np.asarray(good.any(axis=1))  # where none is safe alone, all are suppressed
        found[some] = _OTHER
        worlds = entries.member // len(there)
        broken = again.worlds_that_miss(entries, ~good.ravel()[entries.member] & some[worlds], worlds)
        found[broken] = _UNKNOWN
        if quick or not len(broken):
            return found
        alike: dict[bytes, int] = {}  # worlds in which the same people of each class are suppressed, by their values
        of_class = np.sort(member * again.different + own[broken], axis=1)
        first = [alike.setdefault(row.tobytes(), world) for row, world in zip(of_class, broken.tolist(), strict=True)]
        again.spend(len(alike) * again.of_node)
        published, starred = again.published_classes
        for world in alike.values():
            place = slice(*np.searchsorted(worlds, [world, world + 1]))
            parts = [published.member, there[entries.member[place] - world * len(there)]]
            values, counts = [published.value, entries.value[place]], [published.count, entries.count[place]]
            is_good = np.ones(len(starred), bool)
            is_good[there] = good[world]
            classes = again.search.classes_of_node(
                NodeClasses(*map(np.concatenate, (parts, values, counts))), is_good, starred
            )
            # what suppresses more records is not asked for: it is another table, as is what fewer would do for
            missed, same = not starred.any(), None
            for further in classes.choices(len(rows), missed):
                if not (same := np.array_equal(np.flatnonzero(further.classes), there)):
                    break
            if same is not None:
                found[world] = _SAME if same else _OTHER
            elif len(again.alike) == 1 or any(True for _ in classes.choices(again.search.allowed, missed)):
                found[world] = _OTHER
        found[broken] = found[first]
        return found

    def best(self) -> Ints:
        """The number of the node that each world takes; −1 where that node cannot publish the table's labels."""
        again, nodes, every = self.again, self.again.nodes, np.arange(self.count)
        allowed = again.search.allowed
        grows = again.job.model.always_grows(allowed > 0, again.taken.table.several)
        best, least = np.full(self.count, len(nodes)), np.full(self.count, np.inf)
        still_open = np.ones((len(nodes), self.count), bool)
        for node in again.alike:
            made = self.look(node, every)
            losses, (simple, leaves) = self.losses(node, every, made), self.leave(made)
            self.seen[node] = made, simple
            better = leaves & _is_better(losses, node, least, best)
            best[better], least[better] = node, losses[better]
            if len(again.alike) == 1:  # labels cannot be the same where another number of records is suppressed
                best[simple & (made.unsafe != again.taken.suppressed)] = len(nodes)
        still_open[again.alike] = False
        alive = best < len(nodes)
        for node in np.unique(best[alive]).tolist():
            still_open[np.ix_((nodes >= nodes[node]).all(axis=1), best == node)] = False
        settling = np.array(again.settling)
        while (waiting := np.asarray((still_open & alive).any(axis=1))[settling]).any():
            node = int(settling[waiting.argmax()])
            worlds = np.flatnonzero(alive & still_open[node])
            made = self.look(node, worlds)
            better = _is_better(self.losses(node, worlds, made), node, least[worlds], best[worlds])
            still_open[node] = False
            alive[worlds[self.leave(made, better)[1]]] = False
            still_open[np.ix_((nodes >= nodes[node]).all(axis=1), worlds[~better])] = False  # they lose more
            if grows:
                still_open[np.ix_((nodes <= nodes[node]).all(axis=1), worlds[made.unsafe > allowed])] = False
        return np.where(alive, best, -1)

    def look(self, node: int, worlds: Ints) -> _Look:
        again = self.again
        again.spend(len(worlds) * again.of_node)
        keys, bound = self._keys(node, worlds)
        keys = np.broadcast_to(keys, (len(worlds), again.records))
        own, numbers = again.entries(keys, self.values if self.values.ndim == 1 else self.values[worlds], bound)
        first = np.searchsorted(numbers, np.arange(len(worlds) + 1) * bound)
        starred = np.zeros(len(numbers), bool)
        if (stars := self._only_stars(node, worlds)) is not None:
            some = np.flatnonzero(stars.any(axis=1))
            starred[np.searchsorted(numbers, some * bound + keys[some, stars[some].argmax(axis=1)])] = True
        return _Look(own, first, keys, bound, numbers % bound, again.search.good(own, again.job.model), starred)

    def leave(self, made: _Look, asked: Bools | None = None) -> tuple[Bools, Bools]:
        """Whether a node may leave without further suppression, and with it, in these worlds or those that are asked.

        No world that is not asked is said to leave.
        """
        simple = made.unsafe <= self.again.search.allowed
        if asked is not None:
            simple &= asked
        chosen = (~made.good | made.starred)[made.own.member] & (simple & (made.unsafe > 0))[made.world]
        broken = self.again.worlds_that_miss(made.own, chosen, made.world)
        simple[broken] = False
        leaves = simple.copy()
        for world in broken.tolist():
            leaves[world] = any(True for _ in self.classes(made, world).choices(self.again.search.allowed, missed=True))
        return simple, leaves

    def losses(self, node: int, worlds: Ints, made: _Look) -> Floats:
        again = self.again
        if again.job.minimise == "discernibility":
            return np.add.reduceat(made.own.sizes**2, made.first[:-1]).astype(np.float64)
        holds = made.unsafe <= again.search.allowed
        again.spend(int(holds.sum()) * again.of_loss)
        return np.array(
            [self._loss(node, world) if held else np.inf for world, held in zip(worlds.tolist(), holds, strict=True)]
        )

    def classes(self, made: _Look, world: int) -> ClassesOfNode:
        """The classes of a node in one world."""
        place, own = made.within(world)
        return self.again.search.classes_of_node(own, made.good[place], made.starred[place])

    def _only_stars(self, node: int, worlds: Ints) -> Bools | None:
        """For each world which records have only labels ``*``; None where no record of any has."""
        starred = np.ones((len(worlds), self.again.records), bool)
        for place, level in enumerate(self.again.nodes[node].tolist()):
            stars = np.array([one == SUPPRESSED for one in self.again.job.quasis[place].hierarchy.labels[level]])
            if not stars.any():
                return None
            starred &= stars[self._column(place, level, worlds)]
        return starred

    def _keys(self, node: int, worlds: Ints) -> tuple[Ints, int]:
        """A number for the class of each record, below a bound: a row for each world if their codes differ."""
        if self.same_codes and node in self.again.classes:
            return self.again.classes[node]
        keys, bound = np.zeros(self.again.records, np.int64), 1
        for place, level in enumerate(self.again.nodes[node].tolist()):
            count = len(self.again.job.quasis[place].hierarchy.labels[level])
            if count == 1:
                continue
            keys, bound = _narrow(keys, bound * count), bound * count
            keys = keys * count + self._column(place, level, worlds)
            if bound > DENSE + 4 * keys.size:
                numbers, bound = compact(keys.ravel(), bound)
                keys = numbers.reshape(keys.shape)
        if self.same_codes:
            self.again.classes[node] = keys, bound = compact(keys, bound)
        return keys, bound

    def _column(self, place: int, level: int, worlds: Ints) -> Ints:
        """The place of each record's label on one level of an attribute; a row for each world if their codes differ."""
        if (place, level) not in self.columns:
            hierarchy = self.again.job.quasis[place].hierarchy
            places = _narrow(hierarchy.places[level], len(hierarchy.labels[level]))
            self.columns[place, level] = places[self.codes.of(place)]
        column = self.columns[place, level]
        return column if column.ndim == 1 or len(worlds) == self.count else column[worlds]

    def _loss(self, node: int, world: int) -> float:
        job = self.again.job
        own = self.again.codes_in(self.codes, world)
        quasis = [replace(quasi, codes=codes) for quasi, codes in zip(job.quasis, own, strict=True)]
        levels = tuple(self.again.nodes[node].tolist())
        return LOSSES[job.minimise].of(Search(CodedTable(quasis), job.model, self.again.search.allowed), levels)

    def labels(self, best: Ints) -> list[Labels | None]:
        """The numbers of the labels that each world publishes on its best node, by attribute; None where none is."""
        again, every = self.again, np.arange(self.count)
        found: list[Labels | None] = [None] * self.count
        for node in np.unique(best[best >= 0]).tolist():
            worlds = np.flatnonzero(best == node)
            columns = []
            for names, (place, level) in zip(again.names, enumerate(again.nodes[node].tolist()), strict=True):
                column = names[level][self._column(place, level, every)]
                columns.append(np.broadcast_to(column, (self.count, again.records)))
            if not again.search.allowed:
                for world in worlds.tolist():
                    found[world] = [own[world] for own in columns]
                continue
            stars = [known.setdefault(SUPPRESSED, len(known)) for known in again.numbers]
            made, simple = self.seen[node]
            again.spend(len(worlds) * again.of_node)
            # with more rows suppressed than in the table, which has all that have only *, labels cannot be the same
            alone = len(again.alike) == 1 and not made.starred.any()
            most = again.taken.suppressed if alone else again.search.allowed
            for world in worlds.tolist():
                further = None if simple[world] else self.classes(made, world).suppress(most, missed=True)
                if not simple[world] and further is None:
                    continue
                stays = made.stays(world, None if further is None else further.classes)
                found[world] = [np.where(stays, own[world], star) for own, star in zip(columns, stars, strict=True)]
        return found


def _narrow(numbers: NDArray[Any], bound: int) -> NDArray[Any]:
    """Numbers below a bound, of half the length where it can be: many of those are added several times as fast."""
    return numbers.astype(np.int32 if bound < 1 << 31 else np.int64, copy=False)


def batches(entries: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield the entries in lists, the first of one and then of this size; the last one may be shorter."""
    rest = iter(entries)
    yield from ([one] for one in islice(rest, 1))
    while some := list(islice(rest, size)):
        yield some


def _is_better(losses: Floats, node: int | Ints, others: Floats, nodes: Ints) -> Bools:
    """Whether a loss is less than another; where they are equal, whether its node comes first."""
    return np.asarray((losses < others) | ((losses == others) & (node < nodes)))
