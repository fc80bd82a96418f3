"""What figures read of undisguised answers: classes that at least so many people are in, instead of the answers.

Rare answers are pooled with a common one, which a public order chooses and no count does
(docs/decisions/0072-a-coarse-table.md).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, inf, log10
from typing import Any

import numpy as np

NOBODY_KNOWS = 19  # people who may have given a rare answer or not: as many fewer as never make a figure
MOST_RANGES = 20


class Pooled(str):
    """Stands in place of an answer that is shown only together with others."""

    __slots__ = ()


POOLED, POOLED_OR_SILENT = Pooled("…"), Pooled("…, –")


@dataclass(frozen=True, order=True)
class Span:
    """Stands in place of a number in a range, from `low` to before `high`; the first and the last have no ends.

    `silent`: people who gave no answer are in it, too.
    """

    low: float
    high: float
    whole: bool
    first: bool = False
    last: bool = False
    silent: bool = False

    def __float__(self) -> float:
        return self.low

    @property
    def number(self) -> float | None:
        """The only whole number in the range; rarer ones beyond it count as this one."""
        return self.low if self.whole and self.high - self.low == 1 else None

    def name(self, named: Callable[[float, float, bool], str]) -> str:
        return named(-inf if self.first else self.low, inf if self.last else self.high, self.whole)


@dataclass(frozen=True)
class Coarse:
    """How answers become classes: `of` an answer, and `silence`, of people who gave none; None: these are a class.

    `apart` are the values of which each is a class of its own; a condition may name only these.
    """

    of: Callable[[Any], Any]
    silence: Any = None
    apart: frozenset[str] = frozenset()


def too_few(silent: int | None, least: int) -> int | None:
    """These people without an answer, if they are fewer than `least` and so in a class with others; else None."""
    return silent if silent is not None and silent < least else None


Known = tuple[np.ndarray, np.ndarray]
"""The fewest and the most people of each option by what everybody can read, such as that a group has enough."""


def pool(
    counts: Sequence[int] | np.ndarray, least: int, silent: int | None = None, known: Known | None = None
) -> tuple[np.ndarray, bool]:
    """Which options are shown apart, and whether people without an answer are pooled with the others.

    `silent` are these people; None where the questionnaire lets nobody be one of them. Common options join the rare
    ones from the last to the first, one at least, until any rare count from 0 to `NOBODY_KNOWS` fits, also beside what
    is `known`.
    """
    counts = np.asarray(counts)
    fewest, most = known or (np.zeros(len(counts)), np.full(len(counts), inf))
    common, pooled = counts >= least, too_few(silent, least)
    apart = common & (fewest <= counts) & (counts <= most)
    if apart.all() and pooled is None:
        return apart, False
    people, joined = int(counts[~apart].sum()) + (pooled or 0), False
    for place in np.flatnonzero(apart)[::-1]:
        fits = fewest[~apart].sum() + NOBODY_KNOWS <= people <= most[~apart & common].sum()
        if joined and people >= least + NOBODY_KNOWS and fits:
            break
        apart[place], joined = False, True
        people += int(counts[place])
    return apart, pooled is not None


def are_enough(people: int, least: int, silent: int | None) -> bool:
    """Whether so many people who answered, and so many who did not, are enough for anything to be shown of them."""
    pooled = too_few(silent, least)
    return people >= least if pooled is None else people + pooled >= least + NOBODY_KNOWS


def coarse_options(
    options: Sequence[str],
    counts: Sequence[int] | np.ndarray,
    least: int,
    silent: int | None,
    known: Known | None = None,
) -> Coarse:
    """The classes of one answer out of some options."""
    shown, with_silent = pool(counts, least, silent, known)
    apart = frozenset(option for option, tells in zip(options, shown, strict=True) if tells)
    pooled = POOLED_OR_SILENT if with_silent else POOLED
    return Coarse(lambda answer: answer if answer in apart else pooled, pooled if with_silent else None, apart)


def coarse_numbers(
    values: np.ndarray,
    ends: tuple[float, float],
    whole: bool,
    least: int,
    silent: int | None,
    number: Callable[[Any], float] = float,
) -> Coarse:
    """The classes of numbers between two ends: ranges."""
    pooled = too_few(silent, least)
    edges = _edges(np.sort(values), ends, whole, least, pooled)
    with_silent, last = pooled is not None, len(edges) - 2
    spans = [
        Span(low, high, whole, index == 0, index == last, with_silent and index == last)
        for index, (low, high) in enumerate(pairwise(edges))
    ]

    def span_of(answer: Any) -> Span:
        return spans[int(np.clip(np.searchsorted(edges, number(answer), side="right") - 1, 0, last))]

    return Coarse(span_of, spans[-1] if with_silent else None)


def _edges(ordered: np.ndarray, ends: tuple[float, float], whole: bool, least: int, silent: int | None) -> list[float]:
    """The edges of ranges: the ends of the question are cut in two, and these again, where both halves have enough.

    Which cut is tried follows from the ends alone. As long as one half has too few people, it is left out and the other
    one is cut; its people join the outermost range, which is then as large as `pool` demands.
    """
    need = max(least, (len(ordered) + (silent or 0)) // MOST_RANGES)

    def people(start: float, stop: float) -> int:
        return int(np.subtract(*np.searchsorted(ordered, (stop, start))))

    def cut_again(start: float, stop: float) -> list[float]:
        at = cut(start, stop, whole)
        if at is None or min(people(start, at), people(at, stop)) < need:
            return [stop]
        return [*cut_again(start, at), *cut_again(at, stop)]

    (start, stop), left, right = ends, False, silent is not None
    while (at := cut(start, stop, whole)) is not None:
        enough_below, enough_above = people(start, at) >= need, people(at, stop) >= need
        if enough_below == enough_above:
            break
        start, stop, left, right = (start, at, left, True) if enough_below else (at, stop, True, right)
    edges = [start, *cut_again(start, stop)]
    while left and len(edges) > 2 and people(-inf, edges[1]) < need + NOBODY_KNOWS:
        del edges[1]
    while right and len(edges) > 2 and people(edges[-2], inf) + (silent or 0) < need + NOBODY_KNOWS:
        del edges[-2]
    return edges if len(edges) > 2 else [*ends]  # where the only range begins would tell where everybody is


def cut(start: float, stop: float, whole: bool) -> float | None:
    """The number at which a range is cut in two: a round one in its middle, by factors where it spans several.

    >>> [cut(18, 100, True), cut(50, 100, True), cut(0, 1000, True), cut(3, 4, True), cut(0, 1, False)]
    [50.0, 80.0, 10.0, None, 0.5]
    """
    if start < 0 < stop:
        return 0.0
    if stop <= 0:
        mirrored = cut(-stop, -start, whole)
        return None if mirrored is None else -mirrored
    width = stop - start
    if width <= (1 if whole else 1e-9 * stop):
        return None
    if stop > 10 * max(start, 1):
        by_factor = 10.0 ** floor((log10(max(start, 1)) + log10(stop)) / 2)
        if start < by_factor < stop:
            return by_factor
    low, middle, high = (start + part * width for part in (0.3, 0.5, 0.7))
    for power in range(floor(log10(width)) + 1, floor(log10(width)) - 3, -1):
        for step in (10.0**power, 5 * 10.0 ** (power - 1), 2 * 10.0 ** (power - 1)):
            first, last = -floor(-low / step), floor(high / step)
            if first <= last and (not whole or step >= 1):
                return float(f"{step * min(max(round(middle / step), first), last):.12g}")
    return None
