"""What the advisor may vary of coin blocks: how many items are asked, and whether they share a coin."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import floor, inf, prod
from typing import Any

from privacy.design.block import Block
from privacy.design.blocks.coin.design import CoinBlock, noise_of, rarest_of
from privacy.design.brief import Brief, ExpectedItem
from privacy.design.channels import Floats, Squares, replacing
from privacy.design.items import Item
from privacy.design.notation import write_ask
from privacy.design.plans import Advisor, Judge, Plan, PlannedBlock, Sketched
from privacy.design.rationals import ONE, apportion, decimal

ONE_COIN = "one coin over all items"
COIN_EACH = "a coin per item"
SAMPLED_COIN = "sampled, one coin"
SAMPLED_EACH = "sampled, a coin per item"


@dataclass(frozen=True)
class CoinSketch(Sketched):
    """A coin block in floats; `drawn` is the distribution of noise for each item."""

    keep: float
    drawn: tuple[tuple[float, ...], ...]
    each: bool = False

    @classmethod
    def most_accurate(
        cls, items: tuple[int, ...], ask: int, gamma: float, noise: tuple[tuple[float, ...], ...], each: bool = False
    ) -> "CoinSketch":
        """The coin block that keeps the largest share of true answers under γ."""
        rarest = _rarest_first(noise)[:ask]
        if not each:
            return cls(items, ask, float(keep_of(gamma, prod(rarest))), noise)
        return cls(items, ask, _keep_of_each(gamma, tuple(rarest)), noise, each=True)

    @property
    def noise(self) -> tuple[tuple[float, ...], ...]:
        return self.drawn

    @property
    def rarest(self) -> list[float]:
        """List the least likely noise of the items, lowest first, for as many items as are asked."""
        return _rarest_first(self.noise)[: self.ask]

    @property
    def apart(self) -> bool:
        return self.each

    @property
    def odds(self) -> float:
        if self.each:
            return prod(_gamma_of(self.keep, least) for least in self.rarest)
        return _gamma_of(self.keep, prod(self.rarest))

    @property
    def channel(self) -> "CoinSketch":
        return replace(self, items=(), drawn=())

    def squares(self, shares: Floats, noise: Floats) -> Squares:
        if self.each:
            return replacing.squares_apart(self.keep, shares, noise)
        return replacing.squares(self.keep, shares.prod(axis=1), noise.prod(axis=1))

    def line(self, noise: float) -> tuple[float, float]:
        return (1 - self.keep) * noise, self.keep

    def chances(self, noise: Floats) -> Floats:
        return (replacing.chances_apart if self.each else replacing.chances)(self.keep, noise)

    def exact_block(self, questions: Sequence[ExpectedItem], limit: Fraction) -> Block | None:
        items = tuple(
            Item(questions[place].id, questions[place].options, _noise_numerators(noise))
            for place, noise in zip(self.items, self.noise, strict=True)
        )
        ask = self.ask if self.ask < len(items) else None
        if self.each:
            keep = floor(self.keep * ONE)
        else:
            rarest = sorted(rarest_of(item) for item in items)[: self.ask]
            keep = floor(keep_of(limit, prod(rarest, start=Fraction(1))) * ONE)
        while keep > 0:
            made = CoinBlock(items, keep, ask, self.each)
            if made.gamma <= limit:
                return made
            keep -= 1 + keep // 2**30
        return None


@dataclass(frozen=True)
class CoinPlan(PlannedBlock):
    """A coin block with even noise."""

    each: bool = False

    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> CoinSketch:
        noise = even_noise(tuple(len(questions[item].options) for item in self.items))
        return CoinSketch.most_accurate(self.items, self.ask, odds, noise, self.each)

    def as_recipe(self, made: CoinBlock) -> tuple[str, Mapping[str, Any]]:
        """Return the name of the recipe and its settings; even noise is written as one θ."""
        return "each" if made.each else "coin", {"keep": decimal(made.keep), "theta": 0.5, **write_ask(made.ask)}


def sketch(block: CoinBlock, items: tuple[int, ...]) -> CoinSketch:
    noise = tuple(tuple(share / ONE for share in noise_of(item)) for item in block.items)
    return CoinSketch(items, block.items_per_person, block.keep / ONE, noise, block.each)


def _plans(items: Sequence[int], brief: Brief, odds: float, asked: range, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """One coin over all items, whole and sampled, and a coin for each of them, each with the name of its family."""
    del brief, odds, judge
    for ask in asked:
        is_whole = ask == len(items)
        yield ONE_COIN if is_whole else SAMPLED_COIN, (CoinPlan(tuple(items), ask),)
        if ask > 1:
            yield COIN_EACH if is_whole else SAMPLED_EACH, (CoinPlan(tuple(items), ask, each=True),)


def keep_of(gamma: Any, rarest: Any) -> Any:
    """Return the chance a of keeping that has this γ, by γ = 1 + a/((1−a)·rarest noise); numbers or arrays of them.

    >>> keep_of(9, Fraction(1, 2)), keep_of(9, Fraction(1, 10))
    (Fraction(4, 5), Fraction(4, 9))
    """
    return (gamma - 1) * rarest / (1 + (gamma - 1) * rarest)


@lru_cache(maxsize=1024)
def _keep_of_each(gamma: float, rarest: tuple[float, ...]) -> float:
    """Return the chance of keeping where each item has a coin of its own and all their γ multiply to `gamma`."""
    low, high = 0.0, float(keep_of(gamma, max(rarest)))
    counted = Counter(rarest).items()
    if len(counted) == 1:
        return float(keep_of(gamma ** (1 / len(rarest)), rarest[0]))
    for _ in range(60):
        keep = (low + high) / 2
        try:
            spent = prod(_gamma_of(keep, least) ** count for least, count in counted)
        except OverflowError:  # of thousands of items
            spent = inf
        low, high = (keep, high) if spent <= gamma else (low, keep)
    return low


def _gamma_of(keep: float, rarest: float) -> float:
    """γ = 1 + a/((1−a)·q) of a coin that keeps with the chance a, whose rarest noise has the chance q."""
    return 1 + keep / ((1 - keep) * rarest) if rarest > 0 and keep < 1 else inf


@lru_cache(maxsize=1024)
def _noise_numerators(noise: tuple[float, ...]) -> tuple[int, ...]:
    return apportion([Fraction(share) for share in noise])


@lru_cache(maxsize=1024)
def _rarest_first(noise: tuple[tuple[float, ...], ...]) -> list[float]:
    return sorted(map(min, noise))


@lru_cache(maxsize=1024)
def even_noise(options: tuple[int, ...]) -> tuple[tuple[float, ...], ...]:
    """The noise of items with so many options, in which every option is as likely.

    >>> even_noise((2,))
    ((0.5, 0.5),)
    """
    return tuple((1 / count,) * count for count in options)


ADVISOR = Advisor(_plans)
