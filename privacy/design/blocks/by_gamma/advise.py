"""What the advisor may vary of a coin by γ: how many questions are asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import floor, prod
from typing import Any

import numpy as np

from privacy.design.blocks.by_gamma.design import NAME, GammaBlock, asked_sets, even, is_too_mixed, write_gamma
from privacy.design.blocks.by_gamma.naming import MOST_CELLS, coin_like, most_sets, signal_of, with_names
from privacy.design.blocks.coin.advise import even_noise
from privacy.design.blocks.coin.design import noise_of
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Squares, replacing
from privacy.design.items import Item
from privacy.design.notation import write_ask
from privacy.design.plans import Advisor, Judge, Plan, PlannedBlock, Sketched
from privacy.design.rationals import ONE

SAMPLED_BY_GAMMA = "sampled, a coin by what is asked"
NAMING = "a coin that names several answers"


@dataclass(frozen=True)
class GammaSketch(Sketched):
    """Noise is even, so that the noise of a literal tells how many options its question has; `drawn`: of each item."""

    limit: float
    drawn: tuple[tuple[float, ...], ...]
    names: int = 1

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return self.drawn

    @property
    def odds(self) -> float:
        return self.limit

    @property
    def apart(self) -> bool:
        return self.ask == 1

    @property
    def channel(self) -> "GammaSketch":
        return replace(self, items=(), drawn=tuple(sorted(self.drawn, key=len)))

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        keep, match = coin_like(self.moments(noise)[:, :, -1], noise.prod(axis=1))
        return replacing.squares(keep, shares.prod(axis=1), match)

    def chances(self, noise: Floats) -> Floats:
        second, _, by_chance = self.moments(noise)[:, :, -1]
        keeps = 2 / (1 + np.sqrt(1 + 4 * by_chance / second**2))  # by (1 − a)/a², of coins with as much noise
        return replacing.chances(keeps[:, np.newaxis, np.newaxis], noise)

    def line(self, noise: float) -> tuple[float, float]:
        """That of the coin that keeps most: a bound."""
        keep, match = max(coin_like(signal, noise) for _, signal in self._coins((round(1 / noise),)))
        return (1 - keep) * match, keep

    def moments(self, noise: Floats) -> Floats:
        options = np.rint(1 / noise).astype(int)
        made = np.ones((3, len(noise), 2 ** noise.shape[1]))
        for row, own in enumerate(options.tolist()):
            for mask in range(1, made.shape[2]):
                inside = tuple(sorted(kind for bit, kind in enumerate(own) if mask >> bit & 1))
                made[:, row, mask] = _moments(self.channel, inside)
        return made

    def _coins(self, inside: tuple[int, ...]) -> list[tuple[int, tuple[float, float, float]]]:
        """What the coins show of all that may be asked with such questions, with how many sets have each."""
        others = list(map(len, self.drawn))
        for kind in inside:
            others.remove(kind)
        sets = asked_sets(tuple(others), self.ask - len(inside))
        return [(ways, signal_of(self.limit, prod((*inside, *own)), self.names)) for own, ways in sets.items()]

    def exact_block(self, questions: Sequence[ExpectedItem], limit: Fraction) -> GammaBlock | None:
        items = tuple(even(Item(questions[place].id, questions[place].options)) for place in self.items)
        made = GammaBlock(items, floor(limit * ONE), self.ask if self.ask < len(items) else None)
        made = with_names(made, self.names) if self.names > 1 else made
        return made if all(coin.keep for coin in made.coins.values()) else None


@lru_cache(maxsize=1 << 14)
def _moments(channel: GammaSketch, inside: tuple[int, ...]) -> Floats:
    """E[a²], E[a³] and E[a²(1 − a)] of the coins of all that may be asked with such questions."""
    ways, signals = zip(*channel._coins(inside), strict=True)
    return np.average(signals, axis=0, weights=ways)


@dataclass(frozen=True)
class GammaPlan(PlannedBlock):
    names: int = 1

    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> GammaSketch:
        noise = even_noise(tuple(len(questions[item].options) for item in self.items))
        return GammaSketch(self.items, self.ask, odds, noise, self.names)

    def as_recipe(self, made: GammaBlock) -> tuple[str, Mapping[str, Any]]:
        settings = {"stated": write_gamma(made.stated), **write_ask(made.ask)}
        return NAME, settings | ({"names": self.names} if self.names > 1 else {})


def sketch(block: GammaBlock, items: tuple[int, ...]) -> GammaSketch:
    noise = tuple(tuple(share / ONE for share in noise_of(item)) for item in block.items)
    return GammaSketch(items, block.items_per_person, block.stated / ONE, noise, block.names)


def _plans(items: Sequence[int], brief: Brief, odds: float, asked: range, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """Some questions asked, where they differ in how many options they have; else it is a sampled coin block.

    And as many cells named as are best for the fewest and the most cells, where that saves a tenth of the people.
    """
    del judge
    kinds = tuple(sorted(len(brief.questions[item].options) for item in items))
    for ask in (ask for ask in asked if not is_too_mixed(kinds, ask)):
        if len({*kinds}) > 1 and ask < len(items):
            yield SAMPLED_BY_GAMMA, (GammaPlan(tuple(items), ask),)
        cells = prod(kinds[:ask]), prod(kinds[-ask:])
        counts = range(1, cells[0] // 2 + 1 if cells[1] <= MOST_CELLS else 2)
        people = {names: sum(_people(odds, cells[end], names) for end in (0, 1)) for names in counts}
        names = min(people, key=people.__getitem__)
        if people[names] <= 0.9 * people[1] and most_sets(kinds, ask, names):
            yield NAMING, (GammaPlan(tuple(items), ask, names=names),)


def _people(odds: float, cells: int, names: int) -> float:
    """How many people are needed, up to a factor."""
    worth, third, by_chance = signal_of(odds, cells, names)
    return (third + by_chance) / worth**2


ADVISOR = Advisor(_plans)
