"""How records of a coin by γ are read: by the coin of what each of them was asked.

With a coin a, a record that was asked the literals E estimates their centred product v_E, whose mean in even noise is
0, without bias by v_E(record)/a, with a variance near 1/a². So records of coins that keep more count more: the estimate
is Σ a·v_E(record) / Σ a², over all who were asked E. A record that names several cells has the sum of v_E over them,
in the unit of `signal_of`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import row_keys
from privacy.design.block import Patterns
from privacy.design.blocks.by_gamma.advise import sketch
from privacy.design.blocks.by_gamma.design import GammaBlock, asked_sets
from privacy.design.blocks.by_gamma.naming import (
    NamingBlock,
    coin_like,
    count_sets,
    least_base,
    points_for,
    points_of,
    signal_of,
)
from privacy.design.blocks.coin.design import CoinBlock, CoinPatterns
from privacy.design.channels import ByRecord, Floats, Literal, replacing
from privacy.design.rationals import ONE
from privacy.errors import InputError


def patterns_of(block: GammaBlock) -> Patterns:
    """Those of a coin block where all that may be asked has one coin."""
    if len(block.coins) > 1:
        return GammaPatterns(block)
    (coin,) = block.coins.values()
    return CoinPatterns(CoinBlock(block.items, coin.keep, block.ask))


@dataclass(frozen=True)
class GammaPatterns(CoinPatterns):
    """Where one item is asked, it has one coin. Of several, a record of some has the coin of all that it was asked."""

    block: GammaBlock
    absent: tuple[int, ...] = ()

    def keep(self, *places: int) -> float:
        """The mean over all that may be asked beside these items, without those that are `absent`."""
        keeps, ways = self._coins(places)
        return float(keeps @ ways)

    def loudest(self, *places: int) -> float:
        keeps, ways = self._coins(places)
        return float(keeps.max() * (keeps @ ways) / (keeps**2 @ ways)) if len(places) > 0 else 1.0

    def _coins(self, places: Sequence[int]) -> tuple[Floats, Floats]:
        """What the coins keep of all that may be asked with these items, and how likely each of them is then."""
        block, here = self.block, {*places}
        others = tuple(kind for at, kind in enumerate(block.kinds) if at not in here.union(self.absent))
        ways = asked_sets(others, block.items_per_person - len(here))
        inside = [block.kinds[place] for place in places]
        keeps = [block.coins[tuple(sorted([*inside, *own]))].keep / ONE for own in ways]
        counts = np.array([*ways.values()], float)
        return np.array(keeps), counts / max(counts.sum(), 1.0)

    @property
    def apart(self) -> bool:
        return self.block.ask == 1

    def without(self, places: Sequence[int]) -> "GammaPatterns":
        return GammaPatterns(self.block, tuple(places))

    @property
    def by_record(self) -> "GammaRecords | None":
        return None if self.apart else GammaRecords(self.block)


@dataclass(frozen=True)
class GammaRecords(ByRecord):
    """All answers of a record are at the place of what it was asked; there is no bias, and no rare cell."""

    block: GammaBlock

    @property
    def most_places(self) -> int:
        return len(self.block.coins)

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[np.intp]:
        return np.broadcast_to(self.block.kinds_asked(here)[:, np.newaxis], codes.shape)

    def products(
        self, literals: Sequence[Literal], centres: Floats, matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        keep = np.array([*(coin.keep / ONE for coin in self.block.coins.values()), 0.0])[places.max(axis=0)]
        centred = np.ones((1, matches.shape[1]))
        for own in matches - centres:
            centred = np.concatenate([centred, centred * own])
        several = (np.arange(len(centred)) > 0)[:, np.newaxis]
        return np.where(several, keep * centred, 1.0), np.where(several, keep**2, 1.0)


@dataclass(frozen=True)
class NamingPatterns(GammaPatterns):
    """Forecasts take a coin that errs as much; records are read whole."""

    block: NamingBlock

    def noise(self, place: int, options: frozenset[int]) -> float:
        return self._matches(0, [(place, options)])

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.CoinFactor]:
        """The factor of all literals."""
        if len(literals) > self.block.items_per_person:  # which nobody is asked
            return super().factors(first, literals)
        even = np.array([[1 / self.block.kinds[column - first] for column, _ in literals]])
        signal = sketch(self.block, ()).moments(even)[:, 0, -1]
        keep, noise = coin_like(signal, self._matches(first, literals))
        return [replacing.CoinFactor(self.block.items, (tuple(literals),), float(keep), float(noise))]

    @property
    def by_record(self) -> "NamingRecords":
        return NamingRecords(self.block)

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> NoReturn:
        names = ", ".join(repr(self.block.items[index].id) for index in places)
        raise InputError(
            f"A record names several answers to {names} and shows none by itself; ask for shares and tables."
        )


@dataclass(frozen=True)
class NamingRecords(GammaRecords):
    """A place is a set, by what was asked; those that tell the same of the literals have one number (`merged`).

    Each literal that was asked has a digit of it, from 1 on, the first the lowest.
    """

    block: NamingBlock

    @property
    def most_places(self) -> int:
        first, _, coin = self.block.asked[-1]
        return first + coin.sets

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[np.intp]:
        items, ask = codes.shape[1], self.block.items_per_person
        digit = np.minimum(np.maximum(here.cumsum(axis=1) - 1, 0), ask - 1)
        numbers = (here * codes.astype(np.intp) * self.block.items[0].numbers ** digit).sum(axis=1)
        later = np.array([[comb(items - 1 - item, ask - place) for item in range(items)] for place in range(ask)])
        rank = len(self.block.asked) - 1 - (here * later[digit, np.arange(items)]).sum(axis=1)  # of what was asked
        first, sets = np.array([(first, coin.sets) for first, _, coin in self.block.asked]).T
        rank = np.maximum(rank, 0)  # direct people may have been asked more, and write no number
        return np.broadcast_to((first[rank] + np.minimum(numbers, sets[rank] - 1))[:, np.newaxis], codes.shape)

    def merged(self, literals: Sequence[Literal]) -> NDArray[Any]:
        return _tabulate(self.block, tuple(literals))[0]

    def products(
        self, literals: Sequence[Literal], centres: Floats, matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        tables = np.zeros((2, 2 ** len(literals), matches.shape[1]))
        tables[:, 0] = 1.0  # and no more of who was asked none of them
        for inside, rows in _tabulate(self.block, tuple(literals))[1].items():
            here = np.flatnonzero(((places.T > 0) == np.isin(np.arange(len(literals)), inside)).all(axis=1))
            size = least_base(len(rows), len(inside))
            numbers = size ** np.arange(len(inside)) @ (places[[*inside]][:, here] - 1)
            is_one = numbers < len(rows)  # no record is in another cell
            tables[:, :, here[is_one]] = rows[numbers[is_one]].transpose(1, 2, 0)
        return tables[0], tables[1]


@lru_cache(maxsize=1 << 7)
def _tabulate(block: NamingBlock, literals: tuple[Literal, ...]) -> tuple[NDArray[Any], dict[tuple[int, ...], Floats]]:
    """The digits of each place; by the literals asked, and by number, weights and coefficients of all sets of them."""
    made: dict[tuple[int, ...], dict[bytes, int]] = {}
    alike: dict[Any, NDArray[np.intp]] = {}
    sets = []
    for first, asked, coin in block.asked:
        if inside := tuple(j for j, (item, _) in enumerate(literals) if item in asked):
            here = tuple((asked.index(literals[j][0]), literals[j][1]) for j in inside)
            kinds = tuple(block.kinds[item] for item in asked)
            if (key := (inside, here, kinds)) not in alike:
                sums, number = _sums_of_sets(kinds, coin.named, here)
                masks = sum((np.arange(sums.shape[1]) >> bit & 1) << j for bit, j in enumerate(inside))
                worth = signal_of(float(coin.gamma), coin.cells, coin.named)[0]
                table = np.zeros((len(sums), 2, 2 ** len(literals)))
                table[:, 0, masks], table[:, 1, masks] = sums * (worth * ONE / coin.keep), worth
                table[:, :, 0] = 1.0
                unlike = made.setdefault(inside, {})
                alike[key] = np.array([unlike.setdefault(row.tobytes(), len(unlike)) for row in table])[number]
            sets.append((inside, slice(first, first + coin.sets), alike[key]))
    sizes = {inside: least_base(len(rows), len(inside)) for inside, rows in made.items()}
    digits = np.zeros((len(literals), NamingRecords(block).most_places), np.min_scalar_type(max(sizes.values())))
    for inside, places, numbers in sets:
        digits[[*inside], places] = (
            1 + numbers // sizes[inside] ** np.arange(len(inside))[:, np.newaxis] % sizes[inside]
        )
    return digits, {inside: np.frombuffer(b"".join(rows)).reshape(len(rows), 2, -1) for inside, rows in made.items()}


@lru_cache(maxsize=1 << 10)
def _sums_of_sets(kinds: tuple[int, ...], named: int, literals: tuple[Literal, ...]) -> tuple[Floats, NDArray[np.intp]]:
    """The sums of the centred products of all sets of literals over the cells of a set, and which of them each has."""
    cells, points = prod(kinds), points_for(prod(kinds), named)
    matches = np.zeros((points, 1), np.uint16)
    matches[:cells] = 1  # beyond them are no cells
    codes = np.unravel_index(np.arange(points) % cells, kinds)
    for axis, options in literals:
        matches = np.hstack([matches, matches * np.isin(codes[axis], sorted(options))[:, np.newaxis]])
    counts = matches[points_of(np.arange(count_sets(points)), points, named)].sum(axis=1)
    _, first, number = np.unique(row_keys(counts), return_index=True, return_inverse=True)
    sums = counts[first].astype(float)
    for bit, (axis, options) in enumerate(literals):
        pairs = sums.reshape(len(sums), -1, 2, 1 << bit)
        pairs[:, :, 1] -= len(options) / kinds[axis] * pairs[:, :, 0]
    return sums, number
