"""The plans worth trying, family by family."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from privacy.plan.brief import Brief
from privacy.plan.plan import Plan, Planned, asked
from privacy.plan.standard_errors import table_errors

ONE_COIN = "one coin over all items"
COIN_EACH = "a coin per item"
COIN_BLOCKS = "equal blocks, a coin each"
SAMPLED_COIN = "sampled, one coin"
SAMPLED_EACH = "sampled, a coin per item"
SAMPLED_BLOCKS = "equal sampled blocks, a coin each"
FLIP_BLOCKS = "equal blocks of flips"
FLIPS = "flips by radius, all asked"
SAMPLED_FLIPS = "flips by radius, sampled"
TUNED_FLIPS = "flips by a tuned table"
SKEWED = ", noise near what is expected"
_SKEWS = (0.25, 0.5, 0.75, 1.0)
_LONGEST_TABLE = 30  # beyond it steps of 2^-32 are too coarse for the share that turns nothing over
_MOST_TABLES = 4000


def coins(items: Sequence[int], brief: Brief, skewed: bool) -> Iterator[tuple[str, Plan]]:
    """Equal coin blocks of every size, whole and sampled; with `skewed` also noise near what yes/no items expect."""
    for count in range(1, len(items) + 1):
        groups = _dealt(items, count)
        for ask in range(1, len(groups[0]) + 1):
            plan = tuple(Planned(group, min(ask, len(group))) for group in groups)
            if ask == len(groups[0]):
                family = ONE_COIN if count == 1 else COIN_EACH if ask == 1 else COIN_BLOCKS
            else:
                family = SAMPLED_COIN if count == 1 else SAMPLED_BLOCKS
            if asked(plan) > brief.asked:
                continue
            plans = [(family, plan)]
            if family == SAMPLED_COIN and ask > 1:
                plans.append((SAMPLED_EACH, (Planned(groups[0], ask, each=True),)))
            for name, even in plans:
                yield name, even
                if skewed and brief.guessed and all(brief.questions[item].boolean for item in items):
                    yield from _skewed(name, even)


def flip_blocks(items: Sequence[int], brief: Brief) -> Iterator[tuple[str, Plan]]:
    """Two and more equal blocks of flips, by radius."""
    for count in range(2, len(items) // 2 + 1):
        groups = _dealt(items, count)
        for ask in range(2, len(groups[-1]) + 1):
            for radius in range(ask if count * ask <= brief.asked else 0):
                yield FLIP_BLOCKS, tuple(Planned(group, ask, levels=_radius(ask, radius)) for group in groups)


def flip_tables(items: Sequence[int], brief: Brief, gamma: float, keep: int) -> Iterator[tuple[str, Plan]]:
    """The `keep` best tables of one flip block, for every length of pattern, by radius and tuned."""
    best: dict[tuple[str, int], list[tuple[float, tuple[float, ...]]]] = {}
    for ask in range(1, min(len(items), brief.asked, _LONGEST_TABLE) + 1):
        levels = _tables(ask, min(brief.length, ask))
        found = np.maximum.accumulate(table_errors(_shares(levels, gamma), items, brief), axis=1)
        steps = np.diff(levels, axis=1)
        radii, mirrored = (steps <= 0).all(axis=1), (steps >= 0).all(axis=1)
        by_radius = FLIPS if ask == len(items) else SAMPLED_FLIPS
        for family, rows in ((by_radius, radii), (TUNED_FLIPS, ~radii & ~mirrored)):
            if not rows.any():
                continue
            for length in range(brief.length):
                order = np.argsort(found[rows, length])[:keep]
                entries = [(float(found[rows][row, length]), tuple(levels[rows][row])) for row in order]
                best.setdefault((family, length), []).extend(entries)
    for (family, _), entries in best.items():
        for _, levels_found in sorted(entries)[:keep]:
            table = tuple(float(level) for level in levels_found)
            yield family, (Planned(tuple(items), len(table) - 1, levels=table),)


def _skewed(family: str, plan: Plan) -> Iterator[tuple[str, Plan]]:
    for skew in _SKEWS:
        yield family + SKEWED, tuple(replace(block, skew=skew) for block in plan)


def _dealt(items: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """`count` groups as equal as can be, the larger first; like items are dealt to different groups."""
    return [tuple(items[start::count]) for start in range(count)]


def _radius(ask: int, radius: int) -> tuple[float, ...]:
    return tuple(1.0 if d <= radius else 0.0 for d in range(ask + 1))


def _shares(levels: NDArray[np.float64], gamma: float) -> NDArray[np.float64]:
    ask = levels.shape[1] - 1
    ways = np.array([comb(ask, d) for d in range(ask + 1)], dtype=float)
    tilted = ways * gamma**levels
    shares: NDArray[np.float64] = tilted / tilted.sum(axis=1, keepdims=True)
    return shares


@lru_cache(maxsize=256)
def _tables(ask: int, changes: int) -> NDArray[np.float64]:
    """Tables of two levels that change at most that often.

    For weights held fixed the error is linear in the table, with a coefficient that is a polynomial of degree `length`
    in d; so the best table is at one of its two bounds but where that polynomial is 0, and changes at most that often.
    """
    rows: list[NDArray[np.float64]] = []
    for count in range(1, changes + 1):
        cuts = list(combinations(range(1, ask + 1), count))
        if len(rows) + 2 * len(cuts) > _MOST_TABLES:
            break
        for cut in cuts:
            row = np.zeros(ask + 1)
            for place in cut:
                row[place:] = 1 - row[place]
            rows += [row, 1 - row]
    return np.unique(rows, axis=0)
