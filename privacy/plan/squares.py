"""E[w²] of the weights of sub-patterns in one block: for independent items, where the truth matches, and at worst else.

Each function takes one sub-pattern a row and returns the three; what is not identified has infinite ones.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from privacy.design.krawtchouk import krawtchouk

Floats = NDArray[np.float64]
Squares = tuple[Floats, Floats, Floats]
_SMALLEST = 2.0**-32  # keeps that no design can have: nothing of the answers is left


def of_coin(keep: float, share: Floats, noise: Floats) -> Squares:
    """w is (1[match] − (1−a)q)/a, with q the chance of the sub-pattern as noise."""
    if keep < _SMALLEST:
        return (np.full(len(share), np.inf),) * 3
    missed, matched = (1 - keep) * noise, keep + (1 - keep) * noise
    miss = missed * (1 - missed) / keep**2
    hit = (matched * (1 - missed) ** 2 + (1 - matched) * missed**2) / keep**2
    return share * hit + (1 - share) * miss, hit, miss


def of_coins(keep: float, shares: Floats, noise: Floats) -> Squares:
    """A coin for each item: the product over the items."""
    if keep < _SMALLEST:
        return of_coin(keep, shares[:, 0], noise[:, 0])
    square, hit, miss = np.ones(len(shares)), np.ones(len(shares)), np.zeros(len(shares))
    for share, chance in zip(shares.T, noise.T, strict=True):
        s, h, m = of_coin(keep, share, chance)
        square, hit, miss = square * s, hit * h, np.maximum(miss * np.maximum(h, m), hit * m)
    return square, hit, miss


def of_flips(tables: Floats, shares: Floats) -> Squares:
    """E[w² | u literals match] for each table, averaged over u."""
    count, size = shares.shape
    by_matches = _squares(tables, size)
    chances = np.ones((count, 1))
    for share in shares.T[:, :, None]:
        none = np.zeros((count, 1))
        chances = np.hstack([chances * (1 - share), none]) + np.hstack([none, chances * share])
    shape = (len(tables), count)
    known = np.isfinite(by_matches[:, :1])
    square = np.where(known, np.where(known, by_matches, 0) @ chances.T, np.inf)
    hit = np.broadcast_to(by_matches[:, -1:], shape)
    miss = np.broadcast_to(by_matches[:, :-1].max(axis=1, keepdims=True), shape)
    return square, hit, miss


def _squares(tables: Floats, size: int) -> Floats:
    """E[w² | u of a pattern's `size` literals match the truth] for u = 0 … size, under each flip table (a row)."""
    s = tables.shape[1] - 1
    factors = tables @ _eigen(s, size).T
    known = (abs(factors) > (s + 1) * 2.0**-32).all(axis=1, keepdims=True)
    weights = 2.0**-size * (1 / np.where(known, factors, 1)) @ _symmetric(size).T
    found = np.einsum("re,uet,rt->ru", tables @ _seen(s, size), _moves(size), weights**2)
    return np.where(known, found, np.inf)


@lru_cache(maxsize=256)
def _eigen(s: int, size: int) -> Floats:
    """K_m(d)/C(s, m) at [m, d]."""
    return np.array([[krawtchouk(s, m, d) / math.comb(s, m) for d in range(s + 1)] for m in range(size + 1)])


@lru_cache(maxsize=256)
def _seen(s: int, size: int) -> Floats:
    """Of d turned over among s, e fall on the `size` items looked at: the chance at [d, e]."""
    return np.array(
        [
            [math.comb(d, e) * math.comb(s - d, size - e) / math.comb(s, size) for e in range(size + 1)]
            for d in range(s + 1)
        ]
    )


@lru_cache(maxsize=64)
def _symmetric(size: int) -> Floats:
    """Σ over sets S of j literals of Π z, where t literals match, at [t, j]."""
    return np.array([[krawtchouk(size, j, size - t) for j in range(size + 1)] for t in range(size + 1)], dtype=float)


@lru_cache(maxsize=64)
def _moves(size: int) -> Floats:
    """The chance that t literals match after e of `size` are turned over, where u matched before, at [u, e, t]."""
    chance = np.zeros((size + 1,) * 3)
    for u in range(size + 1):
        for e in range(size + 1):
            for lost in range(max(0, e - (size - u)), min(u, e) + 1):
                ways = math.comb(u, lost) * math.comb(size - u, e - lost) / math.comb(size, e)
                chance[u, e, u - lost + e - lost] += ways
    return chance
