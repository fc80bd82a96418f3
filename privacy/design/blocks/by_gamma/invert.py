"""How records of a coin by γ are read: by the coin of what each of them was asked.

With a coin a, a record that was asked the literals E estimates their centred product v_E, whose mean in even noise is
0, without bias by v_E(record)/a, with a variance near 1/a². So records of coins that keep more count more: the estimate
is Σ a·v_E(record) / Σ a², over all who were asked E. A record that names several cells has the sum of v_E over them,
in the unit of `signal_of`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import row_keys
from privacy.design.block import Patterns
from privacy.design.blocks.by_gamma.advise import sketch
from privacy.design.blocks.by_gamma.design import GammaBlock, asked_sets
from privacy.design.blocks.by_gamma.naming import NamingBlock, coin_like, count_sets, least_prime, points_of, signal_of
from privacy.design.blocks.coin.design import CoinBlock, CoinPatterns
from privacy.design.channels import Floats, Literal, replacing
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
class GammaRecords:
    """All answers of a record are at the place of what it was asked (`privacy.design.channels.ByRecord`)."""

    block: GammaBlock

    @property
    def most_places(self) -> int:
        return len(self.block.coins)

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[np.intp]:
        return np.broadcast_to(self.block.kinds_asked(here)[:, np.newaxis], codes.shape)

    def merged(self, literals: Sequence[Literal]) -> None:
        """None: there are few places already."""

    def lacks(self, literals: Sequence[Literal]) -> None:
        """None: records tell of every literal."""

    def products(
        self, literals: Sequence[Literal], centres: Floats, matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        keep = np.array([*(coin.keep / ONE for coin in self.block.coins.values()), 0.0])[places.max(axis=0)]
        centred = np.ones((1, matches.shape[1]))
        for own in matches - centres:
            centred = np.concatenate([centred, centred * own])
        several = (np.arange(len(centred)) > 0)[:, np.newaxis]
        return np.where(several, keep * centred, 1.0), np.where(several, keep**2, 1.0)

    def line(self, literals: Sequence[Literal]) -> None:
        """None: how a record shows the literals depends on what it was asked."""

    def reach(self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]) -> None:
        """None: there is no bias."""

    def doubt(self, literals: Sequence[Literal], places: NDArray[np.intp], shares: Floats) -> None:
        """None: apart from sampling nothing is off."""

    def least(self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]) -> None:
        """None: no cell is rare."""


@dataclass(frozen=True)
class NamingPatterns(GammaPatterns):
    """Forecasts take a coin that errs as much; records are read whole."""

    block: NamingBlock

    def noise(self, place: int, options: frozenset[int]) -> float:
        return self._matches(0, [(place, options)])

    def factors(self, first: int, literals: Sequence[Literal]) -> list[replacing.CoinFactor]:
        """The factor of all literals."""
        even = np.array([[1 / self.block.kinds[column - first] for column, _ in literals]])
        signal = sketch(self.block, ()).moments(even)[:, 0, -1]
        keep, noise = coin_like(signal, self._matches(first, literals))
        return [replacing.CoinFactor(self.block.items, (tuple(literals),), float(keep), float(noise))]

    @property
    def by_record(self) -> "NamingRecords":
        return NamingRecords(self.block)

    def along(self, axes: Sequence[int], places: Sequence[int], shape: tuple[int, ...]) -> NoReturn:
        names = ", ".join(repr(self.block.items[place].id) for place in places)
        raise InputError(
            f"A record names several answers to {names} and shows none by itself; ask for shares and tables."
        )


@dataclass(frozen=True)
class NamingRecords(GammaRecords):
    """A place is a set, by what was asked.

    Sets that tell the same of some literals have one number (`merged`): at the first of the literals that was asked,
    and 0 at the others.
    """

    block: NamingBlock

    @property
    def most_places(self) -> int:
        first, _, coin = self.block.asked[-1]
        return first + coin.sets

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[np.intp]:
        places = np.zeros((len(codes), 1), np.intp)
        for first, asked, coin in self.block.asked:
            rows = np.flatnonzero(here[:, asked].all(axis=1))
            numbers = self.block.numbers_of(codes[np.ix_(rows, asked)])
            places[rows, 0] = first + np.minimum(numbers, coin.sets - 1)  # a direct answer may write none
        return np.broadcast_to(places, codes.shape)

    def merged(self, literals: Sequence[Literal]) -> NDArray[np.intp]:
        return _tabulate(self.block, tuple(literals))[0]

    def products(
        self, literals: Sequence[Literal], centres: Floats, matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> tuple[Floats, Floats]:
        tables = np.ones((2, 2 ** len(literals), matches.shape[1]))
        for numbers, rows in zip(places[::-1], _tabulate(self.block, tuple(literals))[1][::-1], strict=True):
            tables[:, :, numbers >= 0] = rows[numbers[numbers >= 0]].transpose(1, 2, 0)
        return tables[0], tables[1]


@lru_cache(maxsize=1 << 8)
def _tabulate(block: NamingBlock, literals: tuple[Literal, ...]) -> tuple[NDArray[np.intp], list[Floats]]:
    """For each literal the number of each place, and by number weights and coefficients of all sets of literals."""
    numbers = np.zeros((len(literals), NamingRecords(block).most_places), np.intp)
    rows: list[dict[bytes, int]] = [{np.zeros(2 << len(literals)).tobytes(): 0} for _ in literals]
    for first, asked, coin in block.asked:
        if inside := [j for j, (item, _) in enumerate(literals) if item in asked]:
            here = tuple((asked.index(literals[j][0]), literals[j][1]) for j in inside)
            sums, number = _sums_of_sets(tuple(block.kinds[item] for item in asked), coin.named, here)
            masks = sum((np.arange(sums.shape[1]) >> bit & 1) << j for bit, j in enumerate(inside))
            worth = signal_of(float(coin.gamma), coin.cells, coin.named)[0]
            table = np.zeros((len(sums), 2, 2 ** len(literals)))
            table[:, 0, masks], table[:, 1, masks] = sums * (worth * ONE / coin.keep), worth
            table[:, :, 0] = 1.0
            unlike = rows[inside[0]]
            at = np.array([unlike.setdefault(row.tobytes(), len(unlike)) for row in table])
            numbers[inside[0], first : first + coin.sets] = at[number]
    return numbers, [np.array([np.frombuffer(row) for row in unlike]).reshape(len(unlike), 2, -1) for unlike in rows]


@lru_cache(maxsize=1 << 10)
def _sums_of_sets(kinds: tuple[int, ...], named: int, literals: tuple[Literal, ...]) -> tuple[Floats, NDArray[np.intp]]:
    """The sums of the centred products of all sets of literals over the cells of a set, and which of them each has."""
    cells, points = prod(kinds), least_prime(prod(kinds))
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
