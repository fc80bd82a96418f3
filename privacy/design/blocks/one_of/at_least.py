"""Lists of two kinds of word, one with a threshold: single answers, and sets of which some answers are enough.

A record shows all answers of its word, and words of one length are alike. For a pattern P a record weighs σ by the
length l of its word and by how many answers of P are in it, j. Of a person with c telling answers, d of them in P,

    E[figure] = a·Σ σ_lj · added_l · #{words of length l with j answers of P that are true of this person}

so the σ with E = 1[P] for everybody below the cap solve one linear equation for each (c, d). For single answers and
sets of four of which two are enough, c up to 2 leaves one solution. The loss word takes the whole cap: people above it
send nothing else more often than others. So a figure lacks these people alone, and the loss word measures how many they
are: for every population the truth is between the figure and this more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.rationals import ONE

EXACT, LONGEST = 2, 2  # answers of people whose figures are exact, and of patterns
Kind = tuple[int, int]
"""How many answers a word has, and how many of these are enough."""
Class = tuple[int, int]
"""How many answers a word has, and how many of these are in the pattern."""


def weights_of(block: OneOfBlock, length: int) -> dict[Class, Fraction] | None:
    """σ of each class of words for patterns of this length; None where the list is not complete, or σ not one."""
    of_size, items = {len(word.parts): word for word in block.words}, len(block.items)
    if len(block.words) != sum(comb(items, size) for size in of_size):
        return None
    if len({(len(word.parts), word.base, word.own) for word in block.words}) > len(of_size):
        return None
    kinds = tuple((size, word.enough) for size, word in of_size.items())
    above = sum(of_size[size].added * count_true(items, 0, (size, least), 0, EXACT + 1, 0) for size, least in kinds)
    solved = solve_classes(items, length, kinds) if above > block.cap else None
    return solved and {(size, own): by * Fraction(ONE, of_size[size].added) for (size, own), by in solved.items()}


@lru_cache(maxsize=256)
def solve_classes(items: int, length: int, kinds: tuple[Kind, ...]) -> dict[Class, Fraction] | None:
    """σ·added of each class, which the kinds of words alone say; None where there is none, or more than one.

    >>> [str(by) for by in solve_classes(10, 2, ((1, 1), (4, 2))).values()]
    ['0', '0', '1/140', '-1/84', '1/28']
    """
    classes = [
        (kind, own)
        for kind in kinds
        for own in range(min(length, kind[0]) + 1)
        if comb(length, own) * comb(items - length, kind[0] - own)
    ]
    cells = [(c, d) for c in range(1, EXACT + 1) for d in range(min(length, c) + 1) if c - d <= items - length]
    rows = [
        [*(Fraction(count_true(items, length, kind, own, c, d)) for kind, own in classes), Fraction(d == length)]
        for c, d in cells
    ]
    solved = _solve(rows, len(classes))
    return {(size, own): by for ((size, _), own), by in zip(classes, solved, strict=True)} if solved else None


def has_figures(items: int, kind: Kind) -> bool:
    """Whether a list of all single answers and all words of a kind has figures of patterns of all lengths.

    >>> [items for items in range(4, 9) if has_figures(items, (4, 2))]
    [6, 7, 8]
    """
    return all(solve_classes(items, length, ((1, 1), kind)) for length in range(1, LONGEST + 1))


def count_true(items: int, length: int, kind: Kind, own: int, c: int, d: int) -> int:
    """How many words of a kind, with `own` answers of a pattern, are true of who has c answers, d of the pattern."""
    size, enough = kind
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
class ClassWeights:
    """What a record weighs for patterns of one length: by class of word, beside what it weighs whatever it shows."""

    of_class: dict[Class, float]
    every: float

    @property
    def ends(self) -> tuple[float, float]:
        own = (0.0, *self.of_class.values())
        return self.every + min(own), self.every + max(own)


def figure_of(block: OneOfBlock, length: int) -> ClassWeights | None:
    """How patterns of this length are worked out; None where they cannot be."""
    weights = weights_of(block, length)
    if weights is None:
        return None
    base, items = {len(word.parts): word.base for word in block.words}, len(block.items)
    words = {(size, own): comb(length, own) * comb(items - length, size - own) for size, own in weights}
    every = -sum(by * base[one[0]] * words[one] for one, by in weights.items()) / ONE
    return ClassWeights({one: float(by) for one, by in weights.items()}, float(every))


def least_of_classes(block: OneOfBlock, length: int) -> dict[Class, float]:
    """How often a word of each class that has an answer of the pattern is sent at least, whatever is true."""
    base, items = {len(word.parts): word.base for word in block.words}, len(block.items)
    return {
        (size, own): base[size] * comb(length, own) * comb(items - length, size - own) / ONE
        for size in base
        for own in range(1, min(length, size) + 1)
    }
