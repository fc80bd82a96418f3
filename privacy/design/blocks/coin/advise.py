"""What the advisor may vary of coin blocks: the partition, how many are asked, whether coins are shared, the noise."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from privacy.design.plans import Advisor, Judge, Plan, PlannedBlock, Sketched, count_asked, dealt
from privacy.design.rationals import ONE, apportion, decimal

ONE_COIN = "one coin over all items"
COIN_EACH = "a coin per item"
COIN_BLOCKS = "equal blocks, a coin each"
SAMPLED_COIN = "sampled, one coin"
SAMPLED_EACH = "sampled, a coin per item"
SAMPLED_BLOCKS = "equal sampled blocks, a coin each"
SKEWED = ", noise near what is expected"
_SKEWS = (0.25, 0.5, 0.75, 1.0)


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
            return cls(items, ask, float(_keep_of(gamma, prod(rarest))), noise)
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
            keep = floor(_keep_of(limit, prod(rarest, start=Fraction(1))) * ONE)
        while keep > 0:
            made = CoinBlock(items, keep, ask, self.each)
            if made.gamma <= limit:
                return made
            keep -= 1 + keep // 2**30
        return None


@dataclass(frozen=True)
class CoinPlan(PlannedBlock):
    """A coin block whose noise lies between even (skew 0) and what is expected of the answers (skew 1)."""

    each: bool = False
    skew: float = 0.0

    def sketch(self, questions: Sequence[ExpectedItem], odds: float) -> CoinSketch:
        noise = _noise_of(tuple(questions[item] for item in self.items), self.skew)
        return CoinSketch.most_accurate(self.items, self.ask, odds, noise, self.each)

    def asking(self, ask: int) -> "CoinPlan":
        return replace(self, ask=ask, each=self.each and ask < len(self.items))

    def changes(self, brief: Brief) -> Iterator[PlannedBlock]:
        """Plans that differ a little: in how many are asked, in whether the coin is shared, or in the skew of noise."""
        yield from super().changes(brief)
        if 1 < self.ask < len(self.items):
            yield replace(self, each=not self.each)
        if brief.has_expectations and all(brief.questions[item].boolean for item in self.items):
            for skew in (self.skew - 0.1, self.skew + 0.1):
                if 0 <= skew <= 1:
                    yield replace(self, skew=skew)

    def takes(self, question: ExpectedItem) -> bool:
        return True

    def merges_with(self, other: PlannedBlock) -> Iterator[PlannedBlock]:
        """One coin for the items of two coin blocks, with as many asked as in both or in the larger one."""
        if isinstance(other, CoinPlan):
            for ask in {self.ask + other.ask, max(self.ask, other.ask)}:
                items, weight = (*self.items, *other.items), self.weight + other.weight
                yield replace(self, items=items, ask=ask, weight=weight, each=False)

    def as_recipe(self, made: CoinBlock) -> tuple[str, Mapping[str, Any]]:
        """Return the name of the recipe and its settings; even noise is written as one θ."""
        return "each" if made.each else "coin", {"keep": decimal(made.keep), "theta": 0.5, **write_ask(made.ask)}


def sketch(block: CoinBlock, items: tuple[int, ...]) -> CoinSketch:
    noise = tuple(tuple(share / ONE for share in noise_of(item)) for item in block.items)
    return CoinSketch(items, block.items_per_person, block.keep / ONE, noise, block.each)


def _plans(items: Sequence[int], brief: Brief, odds: float, thorough: bool, judge: Judge) -> Iterator[tuple[str, Plan]]:
    """Equal coin blocks of every size, whole and sampled, each with the name of its family.

    `thorough` adds noise near the expected shares of yes/no items (of several blocks small steps find such noise), and
    blocks between one for all items and one for each.
    """
    del odds, judge
    skews = (
        _SKEWS if thorough and brief.has_expectations and all(brief.questions[item].boolean for item in items) else ()
    )
    for count in range(1, len(items) + 1) if thorough else sorted({1, len(items)}):
        groups = dealt(items, count)
        for ask in range(1, len(groups[0]) + 1):
            plan = tuple(CoinPlan(group, min(ask, len(group))) for group in groups)
            if ask == len(groups[0]):
                family = ONE_COIN if count == 1 else COIN_EACH if ask == 1 else COIN_BLOCKS
            else:
                family = SAMPLED_COIN if count == 1 else SAMPLED_BLOCKS
            if count_asked(plan) > brief.most_questions:
                continue
            plans = [(family, plan)]
            if family == SAMPLED_COIN and ask > 1:
                plans.append((SAMPLED_EACH, (CoinPlan(groups[0], ask, each=True),)))
            for name, even in plans:
                yield name, even
                for skew in skews if count == 1 else ():
                    yield name + SKEWED, tuple(replace(block, skew=skew) for block in even)


def _proposals(
    brief: Brief, odds: float, asked: range, judge: Judge, error: Callable[[Plan], float]
) -> Iterator[Sequence[Plan]]:
    """One coin for all items, and one each for sampled items; asks ever more until that no longer helps."""
    del odds, judge
    items = tuple(range(len(brief.questions)))
    for each in (False, True):
        first = asked[0] if len(asked) == 1 else max(asked[0], brief.length)
        last = asked[-1] if len(asked) == 1 else min(asked[-1], len(items) - each)
        if each and not 1 < first <= last < len(items):
            continue
        tried: dict[Plan, float] = {}
        for ask in range(first, last + 1):
            plan = (CoinPlan(items, ask, each=each),)
            tried[plan] = error(plan)
            if tried[plan] > min(tried.values()):
                break
        yield sorted(tried, key=tried.__getitem__)


def _keep_of(gamma: Fraction | float, rarest: Fraction | float) -> Fraction | float:
    """Return the chance a of keeping that has this γ, by γ = 1 + a/((1−a)·rarest noise)."""
    return (gamma - 1) * rarest / (1 + (gamma - 1) * rarest)


@lru_cache(maxsize=1024)
def _keep_of_each(gamma: float, rarest: tuple[float, ...]) -> float:
    """Return the chance of keeping where each item has a coin of its own and all their γ multiply to `gamma`."""
    low, high = 0.0, float(_keep_of(gamma, max(rarest)))
    counted = Counter(rarest).items()
    if len(counted) == 1:
        return float(_keep_of(gamma ** (1 / len(rarest)), rarest[0]))
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
def _noise_of(questions: tuple[ExpectedItem, ...], skew: float) -> tuple[tuple[float, ...], ...]:
    return tuple(_noise_between(len(question.options), question.expected, skew) for question in questions)


def _noise_between(options: int, expected: tuple[float, ...] | None, skew: float) -> tuple[float, ...]:
    """Noise between an even one (skew 0) and the expected shares of answers (skew 1)."""
    even = 1 / options
    if not skew or expected is None:
        return (even,) * options
    return tuple((1 - skew) * even + skew * share for share in expected)


FAMILIES = (ONE_COIN, COIN_EACH, COIN_BLOCKS, SAMPLED_COIN, SAMPLED_EACH, SAMPLED_BLOCKS)
ADVISOR = Advisor(_plans, _proposals, families=(*FAMILIES, *(name + SKEWED for name in FAMILIES)))
