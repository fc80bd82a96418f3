"""The tables of patterned blocks: which sets of places are turned over γ times as often as the others.

For weights held fixed the error is linear in a table, so the best one under γ has two levels, γ apart. With H the sets
of the higher one, λ_T = (γ−1)·Ĥ(T)/(2^s + (γ−1)·|H|), Ĥ(T) = Σ_{m∈H} (−1)^|m∩T|. By available cases a pattern of L
independent items of prevalence ½ has n·Var = 4^−L Σ_{m=1}^L C(L, m)/(π_m a_m²), a_m² the mean of λ² over the sets of m
places and π_m the share of respondents who are asked m given items. Masks enter and leave H one at a time, each time
the one that lessens the error most, until none does; several beginnings find the best of many such ends.
"""

from functools import lru_cache
from itertools import combinations, permutations
from math import comb, inf

import numpy as np
from numpy.typing import NDArray

from privacy.design.channels import Floats, by_size, walsh_signs
from privacy.design.channels.orders import places_of_sets
from privacy.design.draws import share_asked

_MOST_SETS = 20_000
_BEGINNINGS = 12  # of which each is an even draw of masks


def walsh(table: Floats) -> Floats:
    """The Walsh–Hadamard transform Σ_m table[m]·(−1)^|m∩T|, for every set T."""
    return walsh_signs(len(table)) @ table


def of_typical(strengths: Floats) -> Floats:
    """The flips table with these strengths for sets of 0, 1, … places; where none exists, it is no distribution."""
    asked = len(strengths) - 1
    sizes = np.bitwise_count(np.arange(2**asked))
    return np.bincount(sizes, walsh(strengths[sizes])) / 2**asked


def is_counted(items: int, asked: int) -> bool:
    """Whether the sets of `asked` out of `items` are few enough to look at each."""
    return comb(items, asked) <= _MOST_SETS


@lru_cache(maxsize=256)
def by_pattern(table: tuple[float, ...], items: int, even: bool) -> tuple[Floats, ...]:
    """For all patterns of each size from 0, the mean of λ² over the sets of items that contain the pattern.

    Where sets are too many to go through, chance makes patterns alike, and the mean of all is given.
    """
    squares, asked = walsh(np.array(table)) ** 2, len(table).bit_length() - 1
    if not is_counted(items, asked):
        return tuple(by_size(squares)[:, np.newaxis])
    return tuple(
        np.bincount(name, squares[places]) / np.bincount(name) for name, places in _patterns_asked(items, asked, even)
    )


@lru_cache(maxsize=8)
def _patterns_asked(items: int, asked: int, even: bool) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """For each size: the pattern's number, and its places as a bit mask, for every pattern in every set of items."""
    sets = np.array(list(combinations(range(items), asked)))
    at = 1 << places_of_sets(sets, items, even)
    made = []
    for size in range(asked + 1):
        parts = [list(part) for part in combinations(range(asked), size)]
        names = np.concatenate([sets[:, part] @ items ** np.arange(size) for part in parts])
        _, name = np.unique(names, return_inverse=True)
        made.append((name, np.concatenate([at[:, part].sum(axis=1) for part in parts])))
    return made


@lru_cache(maxsize=256)
def mean_products(table: tuple[float, ...], size: int) -> Floats:
    """The mean of λ_S λ_T λ_{S△T} over all places, relative to typical λ: [S, T], sets of `size` literals."""
    strengths, asked = walsh(np.array(table)), len(table).bit_length() - 1
    typical = np.sqrt(by_size(strengths**2))
    sets = np.arange(2**size)
    at = np.array(
        [
            [sum(1 << place for bit, place in enumerate(own) if one >> bit & 1) for one in sets.tolist()]
            for own in permutations(range(asked), size)
        ]
    )
    left = strengths[at]  # orders × sets
    apart = sets[:, np.newaxis] ^ sets
    mean = np.einsum("os,ot,ost->st", left, left, strengths[at[:, apart]]) / len(at)
    usual = typical[np.bitwise_count(sets)]
    whole = usual[:, np.newaxis] * usual * usual[apart]
    return np.divide(mean, whole, out=np.zeros_like(mean), where=whole > 0)


@lru_cache(maxsize=1024)
def likely_masks(items: int, asked: int, gamma: float, length: int) -> frozenset[int]:
    """The sets of places, as bit masks, that the best table for patterns up to `length` turns over γ times as often."""
    size = 2**asked
    lot = np.random.default_rng(asked)  # numpy's stream may change; then so may which of equal tables is found
    weights = np.bitwise_count(np.arange(size))
    starts = [weights <= radius for radius in range(asked)]
    starts += [np.isin(weights, (0, 1, asked)), np.isin(weights, (0, asked))]
    starts += [lot.random(size) < share for share in np.linspace(0.15, 0.5, _BEGINNINGS)]
    ends = [_improve(start.astype(float), items, asked, gamma, length) for start in starts if 0 < start.sum() < size]
    _, best = min(ends, key=lambda end: end[0])
    return even(frozenset(np.flatnonzero(best).tolist()), asked)


def even(masks: frozenset[int], asked: int) -> frozenset[int]:
    """Swap places so that none is turned over in more than half of the cases; such a table says as much."""
    mostly = sum(1 << place for place in range(asked) if 2 * sum(mask >> place & 1 for mask in masks) > len(masks))
    return frozenset(mask ^ mostly for mask in masks)


def _improve(high: Floats, items: int, asked: int, gamma: float, length: int) -> tuple[float, Floats]:
    """Move sets into or out of `high`, one at a time, while that lessens the error; return least n·Var and `high`."""
    signs, masks = walsh_signs(len(high)), np.arange(len(high))
    error = _errors(walsh(high)[np.newaxis], np.array([high.sum()]), items, asked, gamma, length)[0]
    while True:
        step = 1.0 - 2.0 * high
        transforms = signs @ high + step[:, np.newaxis] * signs
        errors = _errors(transforms, high.sum() + step, items, asked, gamma, length)
        best = int(masks[np.argmin(errors)])
        if not errors[best] < error * (1 - 1e-9):
            return error, high
        error = float(errors[best])
        high = high.copy()
        high[best] = 1.0 - high[best]


def _errors(transforms: Floats, counts: Floats, items: int, asked: int, gamma: float, length: int) -> Floats:
    """The largest n·Var of patterns up to `length`, for each Ĥ (a row) and its number of likely sets (`counts`)."""
    scale = (gamma - 1) / (2**asked + (gamma - 1) * counts)
    sizes = np.bitwise_count(np.arange(2**asked))
    squares = np.stack([(transforms[:, sizes == m] ** 2).mean(axis=1) for m in range(1, length + 1)], axis=1)
    squares *= scale[:, np.newaxis] ** 2
    shares = np.array([share_asked(items, asked, m) for m in range(1, length + 1)])
    known = squares > 1e-12
    parts = np.where(known, 1 / (np.where(known, squares, 1.0) * shares), inf)
    by_length = [
        sum(comb(size, m) * parts[:, m - 1] for m in range(1, size + 1)) / 4**size for size in range(1, length + 1)
    ]
    worst: Floats = np.max(by_length, axis=0)
    return np.where((counts > 0) & (counts < 2**asked), worst, inf)
