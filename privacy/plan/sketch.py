"""Blocks in floats, light enough to try thousands of them, and their rounding to a design that keeps its promise."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, floor, inf, prod

from privacy.design import Block, CoinBlock, Design, FlipBlock, GroupedBlock, Item, asked
from privacy.design.krawtchouk import eigenvalues
from privacy.design.rationals import ONE, apportion
from privacy.errors import InputError
from privacy.guarantee import gamma
from privacy.plan.brief import Question


@dataclass(frozen=True)
class Coin:
    """A coin block; `items` are places in the brief, `noise` is a distribution for each of them."""

    items: tuple[int, ...]
    ask: int
    keep: float
    noise: tuple[tuple[float, ...], ...]
    each: bool = False

    @property
    def rarest(self) -> list[float]:
        """The least likely noise of the asked items for which it can be rarest."""
        return sorted(min(noise) for noise in self.noise)[: self.ask]

    @property
    def gamma(self) -> float:
        if self.each:
            return prod(_coin_gamma(self.keep, least) for least in self.rarest)
        return _coin_gamma(self.keep, prod(self.rarest))


@dataclass(frozen=True)
class Flips:
    """A flip block."""

    items: tuple[int, ...]
    ask: int
    flips: tuple[float, ...]

    @property
    def tilt(self) -> list[float]:
        """How much likelier one set of d answers is to be turned over than a set of the rarest size."""
        per_set = [share / comb(self.ask, d) for d, share in enumerate(self.flips)]
        least = min(per_set)
        return [share / least if least else inf for share in per_set]

    @property
    def gamma(self) -> float:
        return max(self.tilt)


Sketch = tuple[Coin | Flips, ...]


def coin(
    items: tuple[int, ...], ask: int, gamma: float, noise: tuple[tuple[float, ...], ...], each: bool = False
) -> Coin:
    """The coin block that keeps most under γ."""
    rarest = Coin(items, ask, 0.0, noise).rarest
    if not each:
        return Coin(items, ask, float(_keep(gamma, prod(rarest))), noise)
    low, high = 0.0, float(_keep(gamma, max(rarest)))
    for _ in range(60):
        keep = (low + high) / 2
        low, high = (keep, high) if prod(_coin_gamma(keep, least) for least in rarest) <= gamma else (low, keep)
    return Coin(items, ask, low, noise, each=True)


def flips(items: tuple[int, ...], tilt: Sequence[float]) -> Flips:
    """The flip block in which one set of d answers has a chance in proportion to tilt[d]."""
    ask = len(tilt) - 1
    shares = [comb(ask, d) * value for d, value in enumerate(tilt)]
    total = sum(shares)
    return Flips(items, ask, tuple(share / total for share in shares))


def of_design(design: Design) -> Sketch:
    """The sketch of a design, for its errors."""
    blocks: list[Coin | Flips] = []
    first = 0
    for block in design.blocks:
        items = tuple(range(first, first + len(block.items)))
        first += len(items)
        if isinstance(block, GroupedBlock):
            raise InputError("The grouped model leaks and has no place in advice.")
        if isinstance(block, FlipBlock):
            blocks.append(Flips(items, asked(block), tuple(share / ONE for share in block.flips)))
        else:
            noise = tuple(tuple(share / ONE for share in item.noise or ()) for item in block.items)
            blocks.append(Coin(items, asked(block), block.keep / ONE, noise, block.each))
    return tuple(blocks)


def to_design(sketch: Sketch, questions: Sequence[Question], limit: Fraction, direct: bool) -> Design | None:
    """The design over 2^32 whose exact γ is at most the limit; None where steps of 2^−32 are too coarse.

    All but the last block stay a hair under the γ they have in floats, and the last takes exactly what is left.
    """
    left = limit
    blocks: list[Block] = []
    made: Block | None
    for place, block in enumerate(sketch):
        own = left if place == len(sketch) - 1 else min(left, Fraction(block.gamma) * (1 - Fraction(1, 10**12)))
        if own <= 1:
            return None
        made = _flip_block(block, questions, own) if isinstance(block, Flips) else _coin_block(block, questions, own)
        if made is None:
            return None
        blocks.append(made)
        left /= Fraction(gamma(made))
    return Design(tuple(blocks), direct)


def _coin_block(block: Coin, questions: Sequence[Question], limit: Fraction) -> CoinBlock | None:
    items = tuple(
        Item(questions[place].id, questions[place].options, apportion([Fraction(share) for share in noise]))
        for place, noise in zip(block.items, block.noise, strict=True)
    )
    ask = block.ask if block.ask < len(items) else None
    if block.each:
        keep = floor(block.keep * ONE)
    else:
        rarest = sorted(Fraction(min(item.noise or ()), ONE) for item in items)[: block.ask]
        keep = floor(_keep(limit, prod(rarest, start=Fraction(1))) * ONE)
    while keep > 0:
        made = CoinBlock(items, keep, ask, block.each)
        if gamma(made) <= limit:
            return made
        keep -= 1 + keep // 2**30
    return None


def _flip_block(block: Flips, questions: Sequence[Question], limit: Fraction) -> FlipBlock | None:
    """Every share lies between unit·C(s, d) and γ·unit·C(s, d), so that γ holds whatever the rounding."""
    ways = [comb(block.ask, d) for d in range(block.ask + 1)]
    tilt = [min(Fraction(value), limit) for value in block.tilt]
    unit = Fraction(ONE) / sum(way * value for way, value in zip(ways, tilt, strict=True))
    low = [ceil(unit * way) for way in ways]
    high = [floor(limit * unit * way) for way in ways]
    if any(a > b for a, b in zip(low, high, strict=True)):
        return None
    table = [min(max(round(unit * w * t), a), b) for w, t, a, b in zip(ways, tilt, low, high, strict=True)]
    missing = ONE - sum(table)
    for d in sorted(range(len(ways)), key=lambda d: ways[d], reverse=True):
        moved = min(missing, high[d] - table[d]) if missing > 0 else max(missing, low[d] - table[d])
        table[d] += moved
        missing -= moved
    if missing or not any(eigenvalues(tuple(table))[1:]):
        return None
    items = tuple(Item(questions[place].id) for place in block.items)
    return FlipBlock(items, tuple(table), block.ask if block.ask < len(items) else None)


def _keep(gamma: Fraction | float, rarest: Fraction | float) -> Fraction | float:
    """a from γ = 1 + a/((1−a)·min q)."""
    return (gamma - 1) * rarest / (1 + (gamma - 1) * rarest)


def _coin_gamma(keep: float, rarest: float) -> float:
    return 1 + keep / ((1 - keep) * rarest) if rarest > 0 and keep < 1 else inf
