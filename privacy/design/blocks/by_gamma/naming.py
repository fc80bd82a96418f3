"""A coin by γ that names several: the device sends a set of cells, and the true one is among them more often.

*Cells* are the combinations of answers to what a respondent is asked: K of the points 0 … Q − 1, Q the least odd number
from K on that no number from 2 to d − 1 divides. A set is d points b, b + s, b + 2s, … modulo Q, 1 ≤ s ≤ (Q − 1)/2. So
1, …, d − 1 have inverses modulo Q: one step s leads from a point to another in so many steps, and any two points are
together in as many sets (a block design: Park, Nam and Lee 2023). The true cell is in the one that is sent with
p = γd/(γd + Q − d), rounded down to 2^-32, and any other with q = (d − p)/(Q − 1); all sets with the true cell are as
likely, and all without it (subset selection: Ye and Barg 2018). Two points are both in it with p(d − 1)/(Q − 1) where
one is true, else, in the mean over pairs, with (d − 1)(d − 2p)/((Q − 1)(Q − 2)).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, count
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from privacy.design import reading
from privacy.design.block import Explained, RowWords, Words
from privacy.design.blocks.by_gamma.design import WORDS as GAMMA_WORDS, GammaBlock, asked_sets
from privacy.design.draws import Take, draw_below
from privacy.design.gammas import Gamma
from privacy.design.items import Item
from privacy.design.notation import Entry, Notation, check_ask
from privacy.design.rationals import ONE
from privacy.design.sentences import Said, of_people
from privacy.errors import EntryError, to_translate

MOST_CELLS = 256
_EXACT = "gamma"  # γ in the exact form, so that a browser sees the mark of one kind
MOST_PLACES = 2**18  # of all sets, by what was asked
_DOES_NOT_FIT = to_translate("{names} is not from 2 to half of what one may answer together, at most {most} answers.")


@dataclass(frozen=True)
class Naming:
    """How `named` of some cells are named, by sets of so many `points`; `inside` is the numerator of p."""

    named: int
    cells: int
    points: int
    inside: int

    @property
    def sets(self) -> int:
        return count_sets(self.points)

    @property
    def gamma(self) -> Fraction:
        return Fraction(self.inside * (self.points - self.named), (ONE - self.inside) * self.named)

    @property
    def other(self) -> Fraction:
        return (self.named - Fraction(self.inside, ONE)) / (self.points - 1)

    @property
    def keep(self) -> int:
        """The numerator of what is kept, p − q."""
        return int(self.inside - ONE * self.other)


@dataclass(frozen=True)
class NamingBlock(GammaBlock):
    """Records hold numbers in place of options (`Item.numbers`), which together write that of a set."""

    mark: ClassVar[str] = "names"

    @classmethod
    def read(cls, entry: Entry, where: str, notation: Notation) -> "NamingBlock":
        others = {"by-gamma" if key == _EXACT else key: value for key, value in entry.items() if key != "names"}
        block = GammaBlock.read(others, where, notation)
        check_ask(block.ask, len(block.items), where)  # before sets of so many are counted
        return with_names(block, reading.whole_number(entry, "names", where), where)

    def entry(self, notation: Notation) -> dict[str, Any]:
        others = super().entry(notation)
        return {"names": self.names} | ({_EXACT: others.pop("by-gamma")} if notation.exact else {}) | others

    def coin_of(self, items: tuple[Item, ...]) -> Naming:
        cells = prod(len(item.options) for item in items)
        true, points = self.stated * self.names, points_for(cells, self.names)
        return Naming(self.names, cells, points, true * ONE // (true + (points - self.names) * ONE))

    @cached_property
    def asked(self) -> tuple[tuple[int, tuple[int, ...], Naming], ...]:
        """Each set of items that may be asked, with its coin and the first place of its numbers in `by_record`."""
        rows, first = [], 0
        for here in combinations(range(len(self.items)), self.items_per_person):
            coin = self.coin_for(here)
            rows.append((first, here, coin))
            first += coin.sets
        return tuple(rows)

    def item_odds(self, place: int) -> Gamma:
        return max(coin.gamma for kinds, coin in self.coins.items() if self.kinds[place] in kinds)

    def chance(self, here: Sequence[int], truth: Sequence[int], sent: Sequence[int]) -> Fraction:
        coin = self.coin_for(here)
        cell = np.ravel_multi_index(tuple(truth), [self.kinds[index] for index in here])
        number = self.numbers_of(np.array([sent]))
        is_inside = cell in points_of(number, coin.points, coin.named)
        share, points = (coin.inside, coin.named) if is_inside else (ONE - coin.inside, coin.points - coin.named)
        return Fraction(share * coin.points, ONE * points * coin.sets) if number < coin.sets else Fraction(0)

    def numbers_of(self, codes: NDArray[Any]) -> NDArray[np.intp]:
        """The numbers that the columns asked write: the first has the lowest digit."""
        return np.asarray(codes.astype(np.intp) @ self.items[0].numbers ** np.arange(codes.shape[-1]))

    def can_send(self, codes: Sequence[int]) -> bool:
        here = [index for index, code in enumerate(codes) if code < self.items[0].numbers]
        coin = self.coin_for(here)
        return bool(self.numbers_of(np.array([codes[index] for index in here])) < coin.sets)

    @property
    def blanket(self) -> None:
        """None: what a crowd adds follows from γ."""


def with_names(block: GammaBlock, names: int, where: str = "block") -> NamingBlock:
    """The coin by γ as one that names so many."""
    most = most_sets(block.kinds, block.items_per_person, names)
    if not most:
        raise EntryError(_DOES_NOT_FIT, at=f"{where}.names", names=names, most=MOST_CELLS)
    numbers = least_base(most, block.items_per_person, max(block.kinds))
    return NamingBlock(tuple(replace(item, numbers=numbers) for item in block.items), block.stated, block.ask, names)


def most_sets(kinds: tuple[int, ...], ask: int, names: int) -> int:
    """How many sets there are at most of what is asked together; 0 where so many cannot be named."""
    ways = asked_sets(kinds, ask)
    sets = {
        kind: count_sets(points_for(prod(kind), names)) for kind in ways if 4 <= 2 * names <= prod(kind) <= MOST_CELLS
    }
    few = sum(ways[kind] * size for kind, size in sets.items()) <= MOST_PLACES
    return max(sets.values(), default=1) if few and len(sets) == len(ways) else 0


@lru_cache(maxsize=MOST_CELLS)
def points_for(cells: int, named: int) -> int:
    return next(number for number in count(cells) if all(number % less for less in range(2, max(named, 3))))


def least_base(numbers: int, digits: int, least: int = 1) -> int:
    """The least base, from `least` on, in which so many digits write so many numbers."""
    return next(size for size in count(least) if size**digits >= numbers)


def count_sets(points: int) -> int:
    return points * (points - 1) // 2


def points_of(numbers: NDArray[np.intp], points: int, named: int) -> NDArray[np.intp]:
    """The points of sets, a row for each number."""
    step, start = np.divmod(numbers[:, np.newaxis], points)
    return np.asarray((start + (step + 1) * np.arange(named)) % points)


@lru_cache(maxsize=1 << 14)
def signal_of(gamma: float, cells: int, named: int) -> tuple[float, float, float]:
    """What a record tells of a centred product v of literals: a², its worth, then a²·c and a²·n.

    With r the sum of v over the cells named, in a unit in which noise alone gives r the variance of v in even noise,
    E[r | x] = a·v(x) and E[r² | x] = c·v(x)² + n·(that variance). Of a coin a that names one cell c = a and n = 1 − a.
    """
    points = points_for(cells, named) if named > 1 else cells
    true = gamma * named / (gamma * named + points - named)
    other, with_true = (named - true) / (points - 1), true * (named - 1) / (points - 1)
    without = (named - 1) * (named - 2 * true) / ((points - 1) * max(points - 2, 1))
    unit = cells * named * (points - named) / (points * (points - 1))
    worth = (true - other) ** 2 / unit
    return worth, worth * (true - other - 2 * (with_true - without)) / unit, worth * cells * (other - without) / unit


def coin_like(signal: Any, noise: Any) -> tuple[Any, Any]:
    """The coin, and how likely its noise matches, that err as much of a literal which even noise matches with `noise`.

    Whatever its share is: a record is worth as much, and varies as much for those of whom it is true and for others.
    """
    third, by_chance = signal[1] / signal[0] ** 2, signal[2] / signal[0] ** 2
    start, slope = noise * (by_chance * (1 - noise) + (third - 1) * noise), third * (1 - 2 * noise) + 2 * noise
    keep = 1 / np.sqrt(slope**2 + 4 * start)
    return keep, (1 - slope * keep) / (2 - 2 * keep)


def disguise(block: NamingBlock, truth: NDArray[Any], here: NDArray[np.bool_], take: Take) -> NDArray[Any]:
    """Disguise rows of answers: words for p, for a place in the set and one beside it, and for a step."""
    sent, size = truth.copy(), block.items[0].numbers
    for _, asked, coin in block.asked:
        rows = np.flatnonzero(here[:, asked].all(axis=1))
        codes = truth[rows[:, np.newaxis], [*asked]].T.astype(np.intp)
        cells = np.ravel_multi_index(tuple(codes), [block.kinds[index] for index in asked])
        is_inside = take(len(rows)) < coin.inside
        near = draw_below(coin.named, len(rows), take)
        far = coin.named + draw_below(coin.points - coin.named, len(rows), take)
        step = 1 + draw_below(coin.sets // coin.points, len(rows), take).astype(np.intp)
        turn = np.where(is_inside, near, far).astype(np.intp)
        # Round by round, where steps leave some points out.
        back = step * turn + turn * np.gcd(step, coin.points) // coin.points
        numbers = (step - 1) * coin.points + (cells - back) % coin.points
        sent[rows[:, np.newaxis], [*asked]] = numbers[:, np.newaxis] // size ** np.arange(len(asked)) % size
    return sent


_NAMES = to_translate(
    "Your device names up to {named} of the {cells} {answers}. Yours is among them for {yours} of {of} people; any "
    "other for {other} of {of}."
)
_ANSWERS = to_translate("possible answers"), to_translate("pairs of answers"), to_translate("combinations of answers")


def _explain(blocks: Sequence[NamingBlock]) -> Explained:
    """Of each block, how often its device names what is true, and all else; of what it asks, where p is largest."""
    explained: Explained = []
    for block in blocks:
        coin = max(block.coins.values(), key=lambda coin: coin.inside)
        of, (without, other) = of_people([1 - Fraction(coin.inside, ONE), coin.other])
        figures = {"named": coin.named, "cells": coin.cells, "yours": of - without, "other": other, "of": of}
        explained.append(([block], [Said(_NAMES, figures | {"answers": _ANSWERS[min(block.items_per_person, 3) - 1]})]))
    return explained


_ROW = RowWords(
    about=to_translate("These columns together hold the number of a set of answers, and no answer (docs/formats.md)."),
    sent=to_translate("Each device sends the number of a set of answers."),
    limit=to_translate("No row of your file shows an answer, and regressions of these answers are not possible."),
    names_answers=False,
)
WORDS = Words(GAMMA_WORDS.advice, _explain, row=_ROW, changes=False)
