"""What the advisor may vary of flip blocks: how many items are asked, and the table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, floor, inf
from typing import Any

import numpy as np

from privacy.design.blocks.flips import turning
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.flips.krawtchouk import eigenvalues
from privacy.design.blocks.flips.tables import TUNED_FLIPS, best_tables
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Squares
from privacy.design.items import Item
from privacy.design.notation import write_ask
from privacy.design.plans import Advisor, Judge, Plan, PlannedBlock, Sketched
from privacy.design.rationals import ONE, apportion_within, decimals


@dataclass(frozen=True)
class FlipSketch(Sketched):
    """A flip block in floats."""

    flips: tuple[float, ...]

    @classmethod
    def from_tilt(cls, items: tuple[int, ...], tilt: Sequence[float]) -> "FlipSketch":
        """The flip block in which one set of d answers has a chance in proportion to tilt[d]."""
        return cls(items, len(tilt) - 1, _flips_of(tuple(tilt)))

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return ((0.0, 0.0),) * len(self.items)

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        square, hit, miss = turning.squares(np.array([self.flips]), shares)
        return square[0], hit[0], miss[0]

    def line(self, noise: float) -> tuple[float, float]:
        del noise
        strength = sum(share * (1 - 2 * d / self.ask) for d, share in enumerate(self.flips))
        return (1 - strength) / 2, strength

    def chances(self, noise: Floats) -> Floats:
        return np.tile(turning.chances(np.array([self.flips]), noise.shape[1]), (len(noise), 1, 1))

    @property
    def tilt(self) -> list[float]:
        """Return for each d how many times as likely a set of d answers is turned over as a set of the rarest size."""
        per_set = [share / comb(self.ask, d) for d, share in enumerate(self.flips)]
        least = min(per_set)
        return [share / least if least else inf for share in per_set]

    @property
    def odds(self) -> float:
        return max(self.tilt)

    def exact_block(self, questions: Sequence[ExpectedItem], limit: Fraction) -> FlipBlock | None:
        """The block in numerators, each from unit·C(s, d) to γ·unit·C(s, d), so that γ holds whatever the rounding."""
        ways = [comb(self.ask, d) for d in range(self.ask + 1)]
        tilt = [min(Fraction(value), limit) for value in self.tilt]
        unit = Fraction(ONE) / sum(way * value for way, value in zip(ways, tilt, strict=True))
        least, most = [ceil(unit * way) for way in ways], [floor(limit * unit * way) for way in ways]
        table = apportion_within([unit * way * value for way, value in zip(ways, tilt, strict=True)], least, most, ways)
        if table is None or not any(eigenvalues(table)[1:]):
            return None
        items = tuple(Item(questions[place].id) for place in self.items)
        return FlipBlock(items, table, self.ask if self.ask < len(items) else None)


@dataclass(frozen=True)
class FlipPlan(PlannedBlock):
    """A flip block in which a set of d answers is γ^levels[d] times as likely as the rarest."""

    levels: tuple[float, ...] = ()

    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> FlipSketch:
        return FlipSketch.from_tilt(self.items, [odds**level for level in self.levels])

    def as_recipe(self, made: FlipBlock) -> tuple[str, Mapping[str, Any]]:
        return "flip", {"flips": decimals(made.flips), **write_ask(made.ask)}


@lru_cache(maxsize=64)
def _flips_of(tilt: tuple[float, ...]) -> tuple[float, ...]:
    """The chance of each number d of turned answers, if one set of d has a chance in proportion to tilt[d]."""
    shares = [comb(len(tilt) - 1, d) * value for d, value in enumerate(tilt)]
    total = sum(shares)
    return tuple(share / total for share in shares)


def sketch(block: FlipBlock, items: tuple[int, ...]) -> FlipSketch:
    return FlipSketch(items, block.items_per_person, tuple(share / ONE for share in block.flips))


def _plans(items: Sequence[int], brief: Brief, odds: float, asked: range, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """One block under the best tables; one that turns no number over more often than another is a coin."""
    if all(brief.questions[item].boolean for item in items):
        for levels in best_tables(items, brief, odds, judge, asked):
            if any(levels[1:]):
                yield TUNED_FLIPS, (FlipPlan(tuple(items), len(levels) - 1, levels=levels),)


ADVISOR = Advisor(_plans)
