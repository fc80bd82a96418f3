"""The minimality attack: what a table tells somebody who knows how it was made.

A method generalises no further than it must. So who knows the method, the model and everybody's quasi-identifiers asks
in which *worlds* it would have made just this table: a world gives the published sensitive values of each class to its
people. The share of these worlds in which somebody has a value is what the attacker believes (Wong, Fu, Wang and Pei
2007). The attack succeeds on people of whom these beliefs break the model that every class of the table fulfils.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Bools, Floats, Ints
from privacy.release.again import STACK, Again, SpentError, WorldValues, batches
from privacy.release.attacks import MINIMALITY, Attack
from privacy.release.classes import Classes, number_classes
from privacy.release.models import AnonymityModel
from privacy.release.progress import Progress, nobody

DEEP = 300  # parts or values of a class, of which no list of all worlds is begun
SEED = 0
SURE = 4.5  # standard errors by which beliefs from worlds drawn at random are made smaller
Cells = tuple[tuple[int, ...], ...]  # how many people of each group have each value


def minimality(again: Again, member: Ints, groups: Ints, most: int, progress: Progress = nobody) -> Attack:
    """Try the attack on a table.

    `again` makes it with other sensitive values, and `member` is the class of each record; records of one of `groups`
    have the same quasi-identifiers. All worlds are tried if `most` are enough and none takes too long, otherwise some
    that are drawn at random, the same each time. Values of classes on which the table does not depend are not drawn:
    what is believed of their people is what is published.
    """
    value_of, meanings = again.values
    values = again.different
    table = _ClassTable(member, groups, value_of, values)
    whole = table.all_worlds(min(most, again.sure))
    rows = np.arange(len(member)) if whole is not None else np.flatnonzero(again.decisive)
    there, part = np.unique(table.part[rows], return_inverse=True)
    tried, explained, believed = 0, 0.0, np.zeros(len(there) * values)
    if not len(rows):  # whatever people have, the table would be the same
        return Attack(MINIMALITY, len(member), 0, worlds=most)
    early = np.isin(rows, again.first_rows)
    lots, others = (_Lot.within(member[rows[own]], value_of[rows[own]]) for own in (early, ~early))
    worlds = _draw_worlds(most, lots, others, early, again.may_become) if whole is None else whole

    def share_out(drawn: Ints) -> Ints:
        drawn[:, ~early] = others.share_out(drawn[:, ~early])
        return drawn

    try:
        for some in batches(worlds, again.together):
            left = [(weight, world) for weight, world in some if world is not None]
            if left:
                own = WorldValues(np.stack([world for _, world in left]), None if whole is not None else share_out)
                same = again.becomes(own, rows)
                for place in np.flatnonzero(same).tolist():
                    weight, world = left[place][0], own.values[place]
                    explained += weight
                    believed += weight * np.bincount(part * values + world, minlength=len(believed))
            tried += len(some)
            progress(tried / (most if whole is None else len(whole)))
    except SpentError:
        pass  # what was tried so far counts
    broken = np.zeros(len(member), bool)
    if explained:
        shares = believed.reshape(len(there), -1)
        shares /= shares.sum(axis=1, keepdims=True)
        if whole is None:
            shares = _nearer(shares, table.class_shares[there], SURE / 2 / np.sqrt(explained))
        for codes, secret in zip(meanings, again.job.secrets, strict=True):
            broken[rows] |= _breaks(shares, codes, secret, again.job.model)[part]
    return Attack(MINIMALITY, len(member), int(broken.sum()), worlds=tried)


@dataclass(frozen=True, eq=False)
class _ClassTable:
    """The classes of a table, and the parts of each: its people with the same quasi-identifiers."""

    member: Ints
    groups: Ints
    value_of: Ints
    values: int

    @cached_property
    def part(self) -> Ints:
        """The part of each record: its class and its quasi-identifiers, as a number."""
        return number_classes([self.member, self.groups])

    @property
    def parts(self) -> int:
        return int(self.part.max()) + 1

    @property
    def class_shares(self) -> Floats:
        """The share of each value in the class of each part (people of the same quasi-identifiers): parts × values."""
        counts = np.zeros((int(self.member.max()) + 1, self.values))
        np.add.at(counts, (self.member, self.value_of), 1)
        owner = np.empty(self.parts, np.int64)
        owner[self.part] = self.member
        return (counts / counts.sum(axis=1, keepdims=True))[owner]

    def all_worlds(self, most: int) -> list[tuple[float, Ints]] | None:
        """All worlds that differ in how often parts have a value, each with its weight; None if more than `most`."""
        classes, count = [], 1
        mixed = self._more_than_one(self.part) & self._more_than_one(self.value_of)
        if int(mixed.sum()) > most.bit_length():  # each of these classes has two worlds or more
            return None
        for number in range(int(self.member.max()) + 1):
            rows = np.flatnonzero(self.member == number)
            parts = [rows[self.part[rows] == part] for part in np.unique(self.part[rows])]
            values, have = np.unique(self.value_of[rows], return_counts=True)
            if max(len(parts), len(values)) > DEEP:
                return None
            ways = list(islice(_ways([len(part) for part in parts], tuple(have.tolist())), most + 1))
            count *= len(ways)
            if count > most:
                return None
            weights = [_weight(way) for way in ways]
            classes.append(
                [(parts, values, way, weight / max(weights)) for way, weight in zip(ways, weights, strict=True)]
            )
        return [self._world(one) for one in product(*classes)]

    def _more_than_one(self, codes: Ints) -> Bools:
        """Of each class whether its records differ in something."""
        starts = np.cumsum(np.bincount(self.member)) - np.bincount(self.member)
        own = codes[np.argsort(self.member, kind="stable")]
        return np.asarray(np.minimum.reduceat(own, starts) < np.maximum.reduceat(own, starts))

    def _world(self, classes: Sequence[tuple[list[Ints], Ints, Cells, float]]) -> tuple[float, Ints]:
        """The weight of a world, and the value of each record in it, from one way for each class."""
        world = np.empty(len(self.member), np.int64)
        for parts, values, counts, _weight in classes:
            for rows, own in zip(parts, counts, strict=True):
                world[rows] = np.repeat(values, own)
        return prod(weight for *_, weight in classes), world


@dataclass(frozen=True, eq=False)
class _Lot:
    """Values that are exchanged by lot within classes; `order` are the rows class by class."""

    member: NDArray[Any]
    order: Ints
    values: Ints

    @classmethod
    def within(cls, member: Ints, values: Ints) -> "_Lot":
        own = number_classes([member]) if len(member) else member
        own = own.astype(np.uint16) if int(own.max(initial=0)) < 1 << 16 else own  # sorted in linear time
        return cls(own, np.argsort(own, kind="stable"), values)

    def draw(self, random: np.random.Generator, worlds: int) -> Ints:
        """A row for each world: the places of the values, mixed."""
        return np.stack([random.permutation(len(self.values)) for _ in range(worlds)])

    def share_out(self, mixed: Ints) -> Ints:
        """Give mixed values to the rows, each within its class."""
        drawn = np.empty(mixed.shape, np.int64)
        in_classes = np.argsort(self.member[mixed], axis=1, kind="stable")
        drawn[:, self.order] = self.values[np.take_along_axis(mixed, in_classes, axis=1)]
        return drawn


def _draw_worlds(
    count: int, lots: _Lot, others: _Lot, early: Bools, may: Callable[[Ints], Bools]
) -> Iterator[tuple[float, Ints | None]]:
    """The values of rows in worlds: those of each class by lot.

    Of the `early` ones, whole classes, they are drawn first; None where they `may` not become the table. For `others`
    there are the places of their mixed values, to be shared out where they matter.
    """
    random = np.random.default_rng(SEED)
    together = max(STACK // max(len(lots.values), 1), 1)
    for done in range(0, count, together):
        drawn = lots.share_out(lots.draw(random, min(together, count - done)))
        for own, fit in zip(drawn, may(drawn).tolist(), strict=True):
            world = np.empty(len(early), np.int64)
            if fit:
                world[early], world[~early] = own, others.draw(random, 1)[0]
            yield 1.0, world if fit else None


def _ways(sizes: Sequence[int], have: tuple[int, ...]) -> Iterator[Cells]:
    """Yield every way to share out values over parts of these sizes; `have`: how many there are of each value."""
    if len(sizes) == 1:
        yield (have,)
        return
    for own in _choices(sizes[0], have):
        left = tuple(all_ - some for all_, some in zip(have, own, strict=True))
        for rest in _ways(sizes[1:], left):
            yield (own, *rest)


def _choices(size: int, have: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every way to take `size` values, as how many of each; `have`: how many there are of each."""
    if len(have) == 1:
        if size <= have[0]:
            yield (size,)
        return
    for first in range(max(size - sum(have[1:]), 0), min(size, have[0]) + 1):
        for rest in _choices(size - first, have[1:]):
            yield (first, *rest)


def _weight(cells: Cells) -> int:
    """In how many ways the people of the parts can have values in these numbers."""
    return prod(factorial(sum(own)) // prod(map(factorial, own)) for own in cells)


def _nearer(believed: Floats, published: Floats, error: float) -> Floats:
    """Move beliefs towards the shares that are published, by as much as chance may have added to them."""
    apart = abs(believed - published).max(axis=1, keepdims=True)
    keep = np.clip(1 - error / np.maximum(apart, 1e-12), 0, 1)
    return np.asarray(published + keep * (believed - published))


def _breaks(believed: Floats, codes: Ints, secret: Ints, model: AnonymityModel) -> Bools:
    """For each part whether the beliefs about one attribute, taken as the shares of a class, miss the model."""
    values = int(secret.max()) + 1
    if values < 1:
        return np.zeros(len(believed), bool)
    shares = np.zeros((len(believed), values + 1))
    np.add.at(shares.T, np.where(codes < 0, values, codes), believed.T)
    about = shares[:, :values].sum(axis=1) > 1e-12
    shares = shares[about, :values] / shares[about, :values].sum(axis=1, keepdims=True)
    owner, value = np.nonzero(shares > 1e-12)
    count = shares[owner, value]
    overall = np.bincount(secret[secret >= 0], minlength=values) / (secret >= 0).sum()
    # shares in place of counts: every condition is about shares alone
    classes = Classes(np.ones(int(about.sum())), owner, value, count, overall)  # type: ignore[arg-type]
    missed = np.zeros(len(believed), bool)
    missed[about] = ~replace(model, k=1).holds(classes)
    return missed
