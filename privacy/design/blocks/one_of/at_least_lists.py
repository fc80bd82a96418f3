"""What figures of lists with a threshold err by in the stated populations: `expected.Lists` for two kinds of word.

The words are each single answer, and each set of `size` answers of which `least` are enough. A figure is no sum of
words: each record weighs by its class (`at_least`). People above the cap, of whom the loss word says so, send nothing
else more often than others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from privacy.design.blocks.one_of.at_least import Kind, count_true, solve_classes
from privacy.design.blocks.one_of.expected import Lists, SeenPeople, Weights
from privacy.design.blocks.one_of.lists import own_sets
from privacy.design.blocks.one_of.populations import Population
from privacy.design.channels import Floats

if TYPE_CHECKING:
    from privacy.design.blocks.one_of.expected import Expected


@dataclass(frozen=True)
class _WordClasses:
    """Of patterns of one length: what each class of words weighs by what an own one adds, and how many words it has.

    `true`: how many of them are true of people with d answers of the pattern, c in all.
    """

    kinds: list[int]
    weights: Floats
    words: Floats
    true: Floats


@lru_cache(maxsize=64)
def _tabulate(items: int, length: int, kind: Kind) -> _WordClasses:
    kinds = ((1, 1), kind)
    solved = solve_classes(items, length, kinds)
    assert solved
    true = np.zeros((len(solved), length + 1, items + 1))
    for d in range(length + 1):
        for c in range(d, items - length + d + 1):
            true[:, d, c] = [count_true(items, length, kinds[size > 1], own, c, d) for size, own in solved]
    words = [comb(length, own) * comb(items - length, size - own) for size, own in solved]
    weights, counts = (np.array([float(one) for one in own])[:, np.newaxis] for own in (solved.values(), words))
    return _WordClasses([int(size > 1) for size, _ in solved], weights, counts, true)


@dataclass(frozen=True)
class ThresholdLists(Lists):
    """Lists of single answers and of one other `kind` of word about so many `items`; rows of chances are these two."""

    items: int
    kind: Kind

    far_below: ClassVar[bool] = True

    def _ways(self, most: int, most_alone: int) -> Floats:
        del most_alone  # no answer stands alone
        owned = [(count, own_sets(self.items, Fraction(count), *self.kind)) for count in range(most + 1)]
        return np.array(owned, float)

    def see(self, expected: "Expected", population: Population, counted: Floats, kept: Floats) -> SeenPeople:
        rows = []
        for word, own in zip(expected.words, counted, strict=False):
            singles = population.count_answers([[part] for part in word], expected.most[0])
            held = [singles.sum(axis=0) - 2 * own, own][-len(word) :]
            rows.append(self._see_pattern(np.array([counted[-1] - sum(held), *held]), kept))
        mean, squares, means = (np.array(one) for one in zip(*rows, strict=True))
        weights, share = Weights(squares, means, means), counted[:-1].sum(axis=1, keepdims=True)
        biases = [sums.over(mean - share) for sums in expected.sums]
        spreads = [sums.variance(weights) for sums in expected.sums]
        return SeenPeople(mean, weights, counted[-1] @ self.measure(kept), biases, spreads)

    def _see_pattern(self, cells: Floats, kept: Floats) -> tuple[Floats, Floats, Floats]:
        """Of a pattern whose people are in these cells, by d and c: its mean, and E[w²] and E[w] of `Weights`."""
        table = _tabulate(self.items, len(cells) - 1, self.kind)
        added, bases = self.added[table.kinds], self.bases[table.kinds] * table.words
        by = table.weights / added
        chance = bases + added * ((table.true * cells).sum(axis=1) @ kept)
        means = (by * chance).sum(axis=0)
        return means - (by * bases).sum(axis=0), (by**2 * chance).sum(axis=0), means

    def as_words(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Chances of the words whose figures err as much, of the first list by length: where nothing else is true."""
        bases, added = [], []
        kept = np.ones((self.items + 1, len(self.caps)))
        for length in (1, 2):
            squares = []
            for held in (0, length):
                cells = np.zeros((length + 1, self.items + 1))
                cells[held, held] = 1
                mean, square, shifted = (float(one[0]) for one in self._see_pattern(cells, kept))
                squares.append(square - shifted**2 + mean**2)
            miss, rise = squares[0], squares[1] - squares[0]
            added.append(1 / sqrt(4 * miss + rise**2))
            bases.append((1 - rise * added[-1]) / 2)
        return tuple(bases), tuple(added)


def lists_of_sets(items: int, kind: Kind, gamma: float, weights: Sequence[float]) -> ThresholdLists:
    """The chances of lists in which sets weigh so much, as `lists.sets_block` makes them."""
    weight = np.array([np.ones(len(weights)), weights])
    size, least = kind
    cap = np.array([least, float(own_sets(items, Fraction(least), size, least))]) @ weight
    total = np.array([items, comb(items, size)]) @ weight + (1 + gamma) * cap
    unit = (gamma - 1) / total
    return ThresholdLists(
        weight / total, weight * unit, cap * unit, cap * unit, cap / total, np.zeros(len(weights)), items, kind
    )
