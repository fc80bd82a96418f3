"""Worlds, made again: what a method makes of a table when its people have other values.

`Again` makes them one by one, by any method. `OnLevels` asks of many worlds at once whether full-domain generalisation
takes the levels it has taken. A world is left as soon as a node holds in it that beats these levels, and a node is
asked only where those asked before do not settle it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.errors import InputError
from privacy.release.classes import DENSE, SUPPRESSED, compact, shares
from privacy.release.full_domain import LOSSES, Generalisation, Search
from privacy.release.lattice import Node
from privacy.release.methods import Job, Made
from privacy.release.models import AnonymityModel, safe
from privacy.release.progress import nobody
from privacy.release.suppression import ClassesOfNode, Suppression

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

    def __post_init__(self) -> None:
        self.numbers = [{} for _ in self.labels]

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
        return [
            np.array([known.setdefault(label, len(known)) for label in column], np.int64)
            for known, column in zip(self.numbers, labels, strict=True)
        ]

    def spend(self, work: int) -> None:
        """Take work off what is left; raise `SpentError` where that is too little."""
        self.left -= work
        if self.left < 0:
            raise SpentError


@dataclass(eq=False)
class OnLevels(Again):
    """Makes many worlds on levels. The loss is one that grows with the levels, and nothing else is asked of a table."""

    taken: Generalisation

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

    def place(self, node: Node) -> int:
        return int((self.nodes == node).all(axis=1).argmax())

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
        """The nodes that may publish the same labels as the node taken: on each attribute they share a label."""
        shared = np.ones(len(self.nodes), bool)
        for names, levels, level in zip(self.names, self.nodes.T, self.taken.node, strict=True):
            shared &= np.array([bool(np.isin(own, names[level]).any()) for own in names])[levels]
        return np.flatnonzero(shared).tolist()

    @cached_property
    def settling(self) -> list[int]:
        """All nodes in the order in which they are asked: first those that settle all others in the table itself."""
        lattice = self.taken.lattice
        first = [self.place(node) for node in (*lattice.highest, *lattice.minimal)]
        near = np.argsort(abs(self.nodes.sum(axis=1) - sum(self.taken.node)), kind="stable").tolist()
        return list(dict.fromkeys([*first, *near]))

    @property
    def suppressible(self) -> int:
        return int(self.job.suppression * self.records + 1e-9)

    @cached_property
    def losses(self) -> Floats:
        """The loss of every node in the table itself; infinite for nodes that hold for no sensitive values."""
        search = Search(self.job.quasis, [], AnonymityModel(self.job.model.k), self.suppressible)
        losses = np.full(len(self.nodes), np.inf)
        for node in search.lattice(nobody).nodes():
            losses[self.place(node)] = LOSSES[self.job.minimise].of(search, node)
        return losses

    def labels_of_worlds(self, codes: Sequence[Ints], secrets: Sequence[Ints]) -> list[Labels | None]:
        """The labels that each world publishes on its best node; None where they surely differ from the table's."""
        worlds = max((len(one) for one in (*codes, *secrets) if one.ndim == 2), default=1)
        table = _Worlds(self, worlds, codes, secrets)
        best = table.best()
        return [table.labels(world, node) if node >= 0 else None for world, node in enumerate(best.tolist())]


@dataclass(eq=False)
class _Worlds:
    """Some worlds, asked node by node."""

    again: OnLevels
    count: int
    codes: Sequence[Ints]
    secrets: Sequence[Ints]
    columns: dict[tuple[int, int], Ints] = field(default_factory=dict)

    @property
    def same_codes(self) -> bool:
        """Whether worlds differ in their sensitive values alone."""
        return all(one.ndim == 1 for one in self.codes)

    def best(self) -> Ints:
        """The number of the node that each world takes; −1 where that node cannot publish the table's labels."""
        again, nodes, every = self.again, self.again.nodes, np.arange(self.count)
        asked = again.job.model
        search = Search(again.job.quasis, again.job.secrets, asked, again.suppressible)
        grows = asked.always_grows(again.suppressible > 0, search.several)
        best, least = np.full(self.count, len(nodes)), np.full(self.count, np.inf)
        still_open = np.ones((len(nodes), self.count), bool)
        for node in again.alike:
            if self.same_codes and np.isinf(again.losses[node]):
                continue
            worlds = np.flatnonzero(again.losses[node] <= least) if self.same_codes else every
            if not len(worlds):
                continue
            _, leaves, losses = self.look(node, worlds)
            better = leaves & _is_better(losses, node, least[worlds], best[worlds])
            best[worlds[better]], least[worlds[better]] = node, losses[better]
        still_open[again.alike] = False
        alive = best < len(nodes)
        if self.same_codes and alive.any():
            worst = max(zip(least[alive].tolist(), best[alive].tolist(), strict=True))
            beaten = _is_better(again.losses, np.arange(len(nodes)), *map(np.array, worst))
            still_open[~beaten] = False
        for node in np.unique(best[alive]).tolist():
            still_open[np.ix_((nodes >= nodes[node]).all(axis=1), best == node)] = False
        for node in again.settling:
            worlds = np.flatnonzero(alive & still_open[node])
            if not len(worlds):
                continue
            holds, leaves, losses = self.look(node, worlds)
            better = _is_better(losses, node, least[worlds], best[worlds])
            alive[worlds[leaves & better]] = False
            still_open[np.ix_((nodes >= nodes[node]).all(axis=1), worlds[holds & ~better])] = False  # they lose more
            if grows:
                still_open[np.ix_((nodes <= nodes[node]).all(axis=1), worlds[~holds])] = False
        return np.where(alive, best, -1)

    def look(self, node: int, worlds: Ints) -> tuple[Bools, Bools, Floats]:
        """For each of these worlds whether the node holds there, whether it may leave, and its loss."""
        again = self.again
        again.spend(len(worlds) * again.of_node)
        member, sizes, starts = self.classes(node, worlds)
        good = safe(member, self._stack_secrets(worlds), again.job.model, again.overall)
        hidden = np.add.reduceat(np.where(good, 0, sizes), starts)
        holds = hidden <= again.suppressible
        leaves = holds & self._leave(node, worlds, member, good, holds & (hidden > 0))
        if self.same_codes:
            return holds, leaves, np.full(len(worlds), again.losses[node])
        if again.job.minimise == "discernibility":
            return holds, leaves, np.add.reduceat(sizes**2, starts).astype(np.float64)
        again.spend(int(leaves.sum()) * again.of_loss)
        return (
            holds,
            leaves,
            np.array(
                [
                    self._loss(node, world) if held else np.inf
                    for world, held in zip(worlds.tolist(), holds, strict=True)
                ]
            ),
        )

    def _leave(self, node: int, worlds: Ints, member: Ints, good: Bools, asked: Bools) -> Bools:
        """Whether the node may leave in each world, of those that are asked; where nothing is suppressed it may."""
        leaves = np.ones(len(worlds), bool)
        if not asked.any():
            return leaves
        shape = (len(worlds), self.again.records)
        starred = self._starred(node, worlds)
        chosen = (~good[member].reshape(shape) | starred) & asked[:, np.newaxis]
        place, row = np.nonzero(chosen)
        numbers = np.cumsum(asked) - 1
        secrets = [one[row] if one.ndim == 1 else one[worlds[place], row] for one in self.secrets]
        leaves[asked] = safe(numbers[place], secrets, self.again.job.model, self.again.overall)
        for world in np.flatnonzero(~leaves).tolist():
            leaves[world] = self.suppress(node, int(worlds[world])) is not None
        return leaves

    def suppress(self, node: int, world: int) -> Suppression | None:
        """What a node suppresses in a world; None if it cannot leave."""
        again, one = self.again, np.array([world])
        again.spend(again.of_node)
        member, _, _ = self.classes(node, one)
        secrets = self._stack_secrets(one)
        good = safe(member, secrets, again.job.model, again.overall)
        starred = np.bincount(member[self._starred(node, one)[0]], minlength=len(good)) > 0
        own = ClassesOfNode(member, good, starred, secrets, again.job.model, again.overall)
        return own.suppress(again.suppressible)

    def _starred(self, node: int, worlds: Ints) -> Bools:
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
        return member, sizes, starts

    def _column(self, place: int, level: int) -> Ints:
        """The place of each record's label on one level of an attribute; a row for each world if their codes differ."""
        if (place, level) not in self.columns:
            self.columns[place, level] = self.again.job.quasis[place].hierarchy.places[level][self.codes[place]]
        return self.columns[place, level]

    def _stack_secrets(self, worlds: Ints) -> list[Ints]:
        shape = (len(worlds), self.again.records)
        return [np.broadcast_to(one if one.ndim == 1 else one[worlds], shape).ravel() for one in self.secrets]

    def _loss(self, node: int, world: int) -> float:
        job = self.again.job
        own = [one if one.ndim == 1 else one[world] for one in self.codes]
        quasis = [replace(quasi, codes=codes) for quasi, codes in zip(job.quasis, own, strict=True)]
        levels = tuple(self.again.nodes[node].tolist())
        return LOSSES[job.minimise].of(Search(quasis, [], job.model, self.again.suppressible), levels)

    def labels(self, world: int, node: int) -> Labels:
        """The numbers of the labels that a world publishes on the levels of a node, by attribute."""
        again = self.again
        names, levels = again.names, again.nodes[node].tolist()
        labels = []
        for place, level in enumerate(levels):
            column = self._column(place, level)
            labels.append(names[place][level][column if column.ndim == 1 else column[world]])
        if not again.suppressible:
            return labels
        made = self.suppress(node, world)
        assert made is not None  # the node may leave
        stars = [known.setdefault(SUPPRESSED, len(known)) for known in again.numbers]
        return [np.where(made.kept, own, star) for own, star in zip(labels, stars, strict=True)]


def batches(entries: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield the entries in lists of this size; the last one may be shorter."""
    rest = iter(entries)
    while some := list(islice(rest, size)):
        yield some


def _is_better(losses: Floats, node: int | Ints, others: Floats, nodes: Ints) -> Bools:
    """Whether a loss is less than another; where they are equal, whether its node comes first."""
    return np.asarray((losses < others) | ((losses == others) & (node < nodes)))
