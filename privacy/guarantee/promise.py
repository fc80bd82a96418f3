"""What a design promises, as exact numbers rounded so that they never promise too much.

γ is the largest factor by which one disguised record can change the odds between two true answers (Evfimievski, Gehrke
and Srikant 2003); ε = ln γ is the same in the words of local differential privacy. The blocks of a design use
randomness of their own, so a respondent's γ is the product over blocks, and some record reaches it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import comb, prod
from typing import Any

from privacy.design import Block, CoinBlock, Design, FlipBlock, GroupedBlock, Item, asked
from privacy.design.krawtchouk import seen
from privacy.design.rationals import ONE, fraction
from privacy.errors import InputError

Gamma = Fraction | float  # the float is always infinity

_PRECISE = Context(prec=60)


def gamma(of: Design | Block | Sequence[Sequence[Any]]) -> Gamma:
    """γ of a design, of a block, or of a matrix with P(output y | input x) at [x][y]: any of its columns will do."""
    if isinstance(of, Design):
        return _product(gamma(block) for block in of.blocks)
    if isinstance(of, CoinBlock):
        return _of_coins(of)
    if isinstance(of, FlipBlock):
        return _of_flips([Fraction(share, ONE) for share in of.flips])
    if isinstance(of, GroupedBlock):
        return _of_grouped(of)
    return _of_matrix(of)


def item_gamma(block: Block, place: int) -> Gamma:
    """γ of what the disguised answer to one item tells alone; the rest of the record may tell more."""
    item = block.items[place]
    if isinstance(block, CoinBlock):
        return _of_coin(block.keep, _rarest(item))
    if isinstance(block, FlipBlock):
        return _of_flips(seen(block.flips, 1))
    return _of_coin(block.keep, Fraction(min(block.theta, ONE - block.theta), ONE))


def epsilon(gamma: Gamma) -> float:
    """ln γ as the nearest float that is not below it."""
    if isinstance(gamma, float):
        return gamma
    if gamma == 1:
        return 0.0
    ratio = _PRECISE.divide(Decimal(gamma.numerator), Decimal(gamma.denominator))
    return _at_least(Fraction(_PRECISE.ln(ratio)) + Fraction(1, 10**50))  # far more than 60 digits can be wrong


def posterior_bound(prior: float | Fraction, gamma: Gamma) -> Fraction:
    """ργ / (1 + ρ(γ−1)): how sure someone can become of what they held likely with the prior ρ."""
    before = _probability(prior)
    if isinstance(gamma, float):
        return Fraction(before > 0)
    return before * gamma / (1 + before * (gamma - 1))


def posterior_floor(prior: float | Fraction, gamma: Gamma) -> Fraction:
    """ρ / (ρ + γ(1−ρ)): how far the belief can fall."""
    return 1 - posterior_bound(1 - _probability(prior), gamma)


@dataclass(frozen=True)
class BlockGuarantee:
    """What one block alone promises, and each of its items alone."""

    gamma: Gamma
    asked: int
    items: tuple[tuple[str, Gamma], ...]


@dataclass(frozen=True)
class Guarantee:
    """What a design promises to a respondent of the disguised group: first of all, for the whole record."""

    gamma: Gamma
    prior: Fraction
    blocks: tuple[BlockGuarantee, ...]

    @property
    def epsilon(self) -> float:
        return epsilon(self.gamma)

    @property
    def posterior(self) -> Fraction:
        return posterior_bound(self.prior, self.gamma)

    def to_json(self) -> dict[str, Any]:
        """Floats rounded outward, and "Infinity" where there is no protection."""
        return {
            **_figures(self.gamma),
            "prior": float(self.prior),
            "posterior": _at_least(self.posterior),
            "blocks": [
                {
                    **_figures(block.gamma),
                    "posterior": _at_least(posterior_bound(self.prior, block.gamma)),
                    "asked": block.asked,
                    "items": [
                        {
                            "id": name,
                            **_figures(alone),
                            "posterior": _at_least(posterior_bound(self.prior, alone)),
                        }
                        for name, alone in block.items
                    ],
                }
                for block in self.blocks
            ],
        }


def guarantee(design: Design, prior: float | Fraction = Fraction(1, 20)) -> Guarantee:
    """The promise of a design to someone of whom a fact was thought `prior` likely."""
    blocks = tuple(
        BlockGuarantee(
            gamma(block),
            asked(block),
            tuple((item.id, item_gamma(block, place)) for place, item in enumerate(block.items)),
        )
        for block in design.blocks
    )
    return Guarantee(gamma(design), _probability(prior), blocks)


def outward(gamma: Gamma) -> float:
    """γ as the nearest float that is not below it."""
    return gamma if isinstance(gamma, float) else _at_least(gamma)


def rounded_up(figure: Gamma, digits: int) -> Decimal:
    """A figure of the promise as it is printed: the least number of so many digits that is not below it."""
    if figure == math.inf:
        return Decimal("Infinity")
    exact = Fraction(figure)
    return Context(prec=digits, rounding=ROUND_CEILING).divide(Decimal(exact.numerator), Decimal(exact.denominator))


def _figures(gamma: Gamma) -> dict[str, float | str]:
    figures = {"gamma": outward(gamma), "epsilon": epsilon(gamma)}
    return {name: "Infinity" if figure == math.inf else figure for name, figure in figures.items()}


def _of_coins(block: CoinBlock) -> Gamma:
    """1 + a/((1−a)·min q), where the least likely noise is that of the s asked items whose noise can be rarest."""
    rarest = sorted(_rarest(item) for item in block.items)[: asked(block)]
    if block.each:
        return _product(_of_coin(block.keep, least) for least in rarest)
    return _of_coin(block.keep, prod(rarest, start=Fraction(1)))


def _of_coin(keep: int, rarest: Fraction) -> Gamma:
    if keep == 0:
        return Fraction(1)
    if keep == ONE or rarest == 0:
        return math.inf
    return 1 + Fraction(keep, ONE - keep) / rarest


def _rarest(item: Item) -> Fraction:
    assert item.noise is not None
    return Fraction(min(item.noise), ONE)


def _of_flips(flips: Sequence[Fraction]) -> Gamma:
    """max f / min f, f(d) = flips[d]/C(s, d): every distance d from what was sent is that of some truth."""
    size = len(flips) - 1
    per_set = [share / comb(size, d) for d, share in enumerate(flips)]
    return max(per_set) / min(per_set) if min(per_set) > 0 else math.inf


def _of_grouped(block: GroupedBlock) -> Gamma:
    """Infinite from two items on: a record that mixes yes and no is the truth."""
    if block.keep > 0 and len(block.items) > 1:
        return math.inf
    return item_gamma(block, 0)


def _of_matrix(channel: Sequence[Sequence[Any]]) -> Gamma:
    """max over outputs of max/min over inputs; outputs that never occur tell nothing."""
    if len({len(row) for row in channel}) != 1:
        raise InputError("channel: a matrix has a row for every input, all of the same length.")
    worst: Gamma = Fraction(1)
    for column in zip(*channel, strict=True):
        if not all(0 <= chance <= 1 for chance in column):
            raise InputError("channel: a probability is outside 0 to 1.")
        chances = [Fraction(chance) for chance in column]
        if max(chances) == 0:
            continue
        if min(chances) == 0:
            return math.inf
        worst = max(worst, max(chances) / min(chances))
    return worst


def _product(gammas: Iterable[Gamma]) -> Gamma:
    total = Fraction(1)
    for one in gammas:
        if isinstance(one, float):
            return one
        total *= one
    return total


def _at_least(value: Fraction) -> float:
    """The least float that is not below the value."""
    try:
        near = float(value)
    except OverflowError:
        return math.inf
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def _probability(prior: float | Fraction) -> Fraction:
    if not 0 <= prior <= 1:
        raise InputError(f"prior: {prior} is outside 0 to 1.")
    return fraction(prior)
