"""The tables of flip blocks: their γ and their strengths, and the best of them under a γ.

The levels of a table give one exponent for each number d of turned answers: a set of d is γ to that power times as
likely as the rarest set.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations
from math import comb, inf

import numpy as np

from privacy.design.blankets import Atoms
from privacy.design.blocks.flips import turning
from privacy.design.blocks.flips.krawtchouk import eigenvalues
from privacy.design.brief import Brief
from privacy.design.channels import Floats
from privacy.design.gammas import Gamma
from privacy.design.plans import Judge

TUNED_FLIPS = "flips by a tuned table"
LONGEST_TABLE = 30  # beyond it steps of 2^-32 are too coarse for the share that turns nothing over
_MOST_TABLES = 4000
_STEPS = (0.5, 0.2, 0.08, 0.03, 0.01)  # by which one level is moved
_LEADING = 4  # tables of one block that are kept for every length of pattern


def gamma_of(flips: Sequence[Fraction]) -> Gamma:
    """γ of a table: max f / min f, f(d) = flips[d]/C(s, d), for at every distance d from a record is some truth."""
    size = len(flips) - 1
    per_set = [share / comb(size, d) for d, share in enumerate(flips)]
    return max(per_set) / min(per_set) if min(per_set) > 0 else inf


@lru_cache(maxsize=64)
def strengths_of(flips: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(float(value) for value in eigenvalues(flips))


def of_two_truths(ratios: Sequence[float], size: int, differ: int) -> Atoms:
    """Return the atoms of a record drawn evenly, for two truths that differ in `differ` of `size` answers.

    It may lie i steps from the first in those answers, and j in the others.
    """
    steps = [(i, j) for i in range(differ + 1) for j in range(size - differ + 1)]
    return Atoms(
        tuple(ratios[i + j] for i, j in steps),
        tuple(ratios[differ - i + j] for i, j in steps),
        tuple(comb(differ, i) * comb(size - differ, j) / 2**size for i, j in steps),
    )


def best_tables(
    items: Sequence[int], brief: Brief, gamma: float, judge: Judge, asked: range
) -> Iterator[tuple[float, ...]]:
    """Yield the levels of the best tables of one flip block, by length of pattern."""
    best: list[list[tuple[float, tuple[float, ...]]]] = [[] for _ in range(brief.length)]
    for ask in (count for count in asked if count <= LONGEST_TABLE):
        levels = _tables(ask, min(brief.length, ask))
        squares = partial(turning.squares, shares_of(levels, gamma))
        worst = np.maximum.accumulate(judge(items, ask, len(levels), squares), axis=1)
        for length, entries in enumerate(best):
            order = np.argsort(worst[:, length])[:_LEADING]
            entries += [(float(worst[row, length]), tuple(levels[row])) for row in order]
    for length, entries in enumerate(best):
        for error, table in sorted(entries)[:_LEADING]:
            yield tuple(float(level) for level in _polish(items, table, error, length, gamma, judge))


def _polish(
    items: Sequence[int], table: tuple[float, ...], error: float, length: int, gamma: float, judge: Judge
) -> tuple[float, ...]:
    """Improve the levels of a table: move one at a time between 0 and 1 while that lowers the error."""
    for step in _STEPS:
        while True:
            here = np.array(table)
            moved = np.clip(here + np.concatenate([step * np.eye(len(here)), -step * np.eye(len(here))]), 0, 1)
            moved = moved[np.lexsort(moved.T[::-1])]
            squares = partial(turning.squares, shares_of(moved, gamma))
            errors = judge(items, len(table) - 1, len(moved), squares, length + 1).max(axis=1)
            best = int(np.argmin(errors))
            if errors[best] >= error * (1 - 1e-6):
                break
            table, error = tuple(moved[best]), float(errors[best])
    return table


def shares_of(levels: Floats, gamma: float) -> Floats:
    """The flips of tables under γ, from their levels (rows)."""
    ask = levels.shape[1] - 1
    ways = np.array([comb(ask, d) for d in range(ask + 1)], dtype=float)
    tilted = ways * gamma**levels
    return tilted / tilted.sum(axis=1, keepdims=True)


@lru_cache(maxsize=256)
def _tables(ask: int, changes: int) -> Floats:
    """The levels of all tables whose levels are 0 or 1 and change at most `changes` times, a row each.

    For weights held fixed the error is linear in the table, with a coefficient that is a polynomial of degree `length`
    in d; so the best table is at one of its two bounds but where that polynomial is 0, and changes at most that often.
    """
    rows = np.empty((0, ask + 1))
    for count in range(1, changes + 1):
        cuts = np.array(list(combinations(range(1, ask + 1), count)))
        if len(rows) + 2 * len(cuts) > _MOST_TABLES:
            break
        made = (cuts[:, :, np.newaxis] <= np.arange(ask + 1)).sum(axis=1) % 2
        rows = np.concatenate([rows, made, 1 - made])
    rows = rows[(np.diff(rows, axis=1) < 0).any(axis=1)]  # the others turn more than they leave
    return np.asarray(rows[np.argsort(rows @ 0.5 ** np.arange(ask + 1))])
