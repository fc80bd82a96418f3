"""Figures of lists of which some words have a threshold, exact for people with so many true answers.

A record shows all answers of its word, and words of one length are alike. For a pattern P a record weighs σ by the
length l of its word and by how many answers of P are in it, j. Of a person with c telling answers, d of them in P,

    E[figure] = a·Σ σ_lj · added_l · #{words of length l with j answers of P that are true of this person}

so the σ with E = a·1[P] for everybody with up to `exact` answers solve one linear equation for each (c, d). For single
answers and sets of four of which two are enough, `exact` = 2 leaves one solution: nothing has to be guessed.

Of people with more answers a figure is off by some part of what the loss word measures, L: by u·L at most above r times
itself where it is too low, by v·L where it is too high. We take S = figure − v·L̂. Then for every population S is no
higher in the mean than the truth, and the truth no higher than (1 + r)·S + (u + (1 + r)·v)·L: as of a list of today.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.invert import WordPatterns, WordRecords
from privacy.design.channels import CapLoss, Floats, Literal
from privacy.design.rationals import ONE

_ROOM = 1e-6  # of rounded chances
Class = tuple[int, int]
"""How many answers a word has, and how many of these are in the pattern."""


def weights_of(block: OneOfBlock, length: int, exact: int = 2) -> dict[Class, Fraction] | None:
    """σ of each class of words for patterns of this length; None where the list is not complete, or σ not one.

    >>> from privacy.design import Design
    >>> entry = {"one-of": 0.1, "items": [*"ab"], "words": [{"word": one, "base": 0.25, "own": 0.35} for one in "ab"]}
    >>> (block,) = Design.parse({"blocks": [entry]}).blocks
    >>> [round(float(one), 6) for one in weights_of(block, 1, exact=1).values()]
    [0.0, 10.0]
    """
    items = len(block.items)
    of_size = {len(word.parts): word for word in block.words}
    if len(block.words) != sum(comb(items, size) for size in of_size):
        return None
    if len({(len(word.parts), word.base, word.own) for word in block.words}) > len(of_size):
        return None
    classes = [
        (size, own)
        for size in of_size
        for own in range(min(length, size) + 1)
        if comb(length, own) * comb(items - length, size - own)
    ]
    cells = [(c, d) for c in range(1, exact + 1) for d in range(min(length, c) + 1) if c - d <= items - length]
    rows = [
        [
            *(
                Fraction(of_size[size].added, ONE) * _count_true(items, length, size, of_size[size].enough, own, c, d)
                for size, own in classes
            ),
            Fraction(d == length),
        ]
        for c, d in cells
    ]
    solved = _solve(rows, len(classes))
    return None if solved is None else dict(zip(classes, solved, strict=True))


def _count_true(items: int, length: int, size: int, enough: int, own: int, c: int, d: int) -> int:
    """How many words of a class are true of who has c answers, d of them in the pattern."""
    return sum(
        comb(d, hit) * comb(length - d, own - hit) * comb(c - d, more) * comb(items - length - c + d, size - own - more)
        for hit in range(own + 1)
        for more in range(size - own + 1)
        if hit + more >= enough
    )


def _solve(rows: Sequence[Sequence[Fraction]], unknown: int) -> list[Fraction] | None:
    """The one solution of linear equations, of which the last column is the right side; None: there is none, or more.

    >>> _solve([[Fraction(2), Fraction(4)]], 1)
    [Fraction(2, 1)]
    """
    left, solved = [list(row) for row in rows], list[list[Fraction]]()
    for column in range(unknown):
        pivot = next((row for row in left if row[column]), None)
        if pivot is None:
            return None
        left.remove(pivot)
        pivot = [value / pivot[column] for value in pivot]
        left, solved = (
            [[value - row[column] * by for value, by in zip(row, pivot, strict=True)] for row in own]
            for own in (left, solved)
        )
        solved.append(pivot)
    return None if any(row[-1] for row in left) else [row[-1] for row in solved]


@dataclass(frozen=True)
class _Figure:
    """What a record weighs for patterns of one length: by class of word; else; and for the loss word beside that."""

    of_class: dict[Class, float]
    nothing: float
    loss: float
    most_lost: float  # u + (1 + r)·v


def _figure(block: OneOfBlock, length: int) -> _Figure | None:
    weights = weights_of(block, length)
    if weights is None:
        return None
    items, places = len(block.items), range(length)
    classes = [(len(word.parts), sum(place in places for place, _ in word.parts)) for word in block.words]
    of_words = np.array([float(weights[one]) for one in classes])
    nothing = -float(of_words @ np.array([word.base for word in block.words])) / ONE
    cells = [(c, d) for c in range(items + 1) for d in range(min(length, c) + 1) if c - d <= items - length]
    truths = np.array([
        [int(place < d or 0 <= place - length < c - d) for place in range(items)] for c, d in cells
    ])  # fmt: skip
    sent = block.numerators(np.where(truths, 1 - np.array(block.harmless), block.harmless)) / ONE
    seen = sent[:, : len(of_words)] @ of_words + nothing
    true = np.array([float(d == length) for _, d in cells])
    spare, measured = 0.0, np.zeros(len(cells))
    if block.losses:
        loss = block.losses[0]
        spare, measured = float(loss.spare), (sent[:, -1] * ONE - loss.base) / block.least_measured[0]
    known = measured > _ROOM
    short, over = true - (1 + spare) * seen, seen - true
    if max(short[~known].max(initial=0), over[~known].max(initial=0)) > _ROOM:
        return None
    up, down = (max(0.0, float((one[known] / measured[known]).max(initial=0))) for one in (short, over))
    return _Figure({one: float(by) for one, by in weights.items()}, nothing, down, up + (1 + spare) * down)


@dataclass(frozen=True)
class ThresholdPatterns(WordPatterns):
    @property
    def by_record(self) -> "ThresholdRecords":
        return ThresholdRecords(self.block)

    @property
    def word_list(self) -> None:
        """None: records of some words say nothing of one pattern alone."""

    def ends_of_weights(self, length: int) -> list[tuple[float, float]]:
        return [(-np.inf, np.inf)] * (length + 1)


@dataclass(frozen=True)
class ThresholdRecords(WordRecords):
    """How records of such a list are read: by how many answers they show, and how many of the pattern's."""

    @cached_property
    def _figures(self) -> list[_Figure | None]:
        return [_figure(self.block, length) for length in (1, 2)]

    def lacks(self, literals: Sequence[Literal]) -> str | None:
        if len(literals) > len(self._figures) or None in self._figures[: len(literals)]:
            return (
                "a list with a threshold has figures of single answers and pairs, where it has all words of each kind."
            )
        return None

    def sub_patterns(self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]) -> Floats:
        rests = [self._side(literal)[1] for literal in literals]
        shows = np.array([match != rest for match, rest in zip(matches, rests, strict=True)])
        made = np.ones((2 ** len(literals), matches.shape[1]))
        for own in range(1, len(made)):
            inside = [bit for bit in range(len(literals)) if own >> bit & 1]
            figure = self._figures[len(inside) - 1]
            if figure is None:
                made[own] = np.nan
                continue
            held = shows[inside].sum(axis=0)
            made[own] = figure.nothing
            for (size, shared), weight in figure.of_class.items():
                made[own, (places[0] == size) & (held == shared)] += weight
            made[own] -= figure.loss * self._lost(places)
        for bit, rest in enumerate(rests):  # 1 less these, where all others match
            if rest:
                pairs = made.reshape(-1, 2, 1 << bit, made.shape[1])
                pairs[:, 1] = pairs[:, 0] - pairs[:, 1]
        return made

    def line(self, literals: Sequence[Literal]) -> None:
        """None: how often others show an answer depends on how many they have."""

    def reach(
        self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]
    ) -> CapLoss | None:
        del matches
        telling = sum(not self._side(literal)[1] for literal in literals)
        figure = self._figures[len(literals) - 1]
        if figure is None or not self.block.losses:
            return None
        return CapLoss(float(self.block.losses[0].spare), figure.most_lost * self._lost(places), below=not telling)

    def least(self, literals: Sequence[Literal], matches: NDArray[np.bool_], places: NDArray[np.intp]) -> None:
        """None: an answer is in many words."""

    def _lost(self, places: NDArray[np.intp]) -> Any:
        """What each cell weighs for what the loss word measures."""
        if not self.block.losses:
            return np.zeros(places.shape[1])
        loss = self.block.losses[0]
        return ((places[0] == self._place_of_loss(0)) * ONE - loss.base) / self.block.least_measured[0]


def patterns_of(block: OneOfBlock) -> WordPatterns:
    """How figures are made of a list of words, with a threshold or without."""
    return (ThresholdPatterns if any(word.least for word in block.words) else WordPatterns)(block)
