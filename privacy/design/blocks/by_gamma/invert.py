"""How records of a coin by γ are read: by the coin of what each of them was asked.

With a coin a, a record that was asked the literals E estimates their centred product v_E, whose mean in even noise is
0, without bias by v_E(record)/a, with a variance near 1/a². So records of coins that keep more count more: the estimate
is Σ a·v_E(record) / Σ a², over all who were asked E.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.block import Patterns
from privacy.design.blocks.by_gamma.design import GammaBlock, asked_sets
from privacy.design.blocks.coin.design import CoinBlock, CoinPatterns
from privacy.design.channels import Floats, Literal
from privacy.design.rationals import ONE


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

    def places_of(self, codes: NDArray[Any], here: NDArray[np.bool_], direct: NDArray[np.bool_]) -> NDArray[np.intp]:
        del codes, direct
        return self.block.kinds_asked(here)

    def classes(self, literals: Sequence[Literal]) -> tuple[int, Callable[[NDArray[np.intp]], NDArray[np.intp]]]:
        """Each place is a class: there are few."""
        del literals
        return self.most_places, lambda places: places

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
