"""Exact errors of available cases, from what each block makes of every truth.

Given who was asked what, the estimate of a pattern adds up, over the sets S of its literals, c_S times the mean of W_S
over those asked S (`privacy.estimate.available`). With π_S the chance to be asked S, n times its variance is

    E[G(x)] − Q(p),  G(x) = Σ_{S,T} κ_ST E[W_S W_T | x],  Q(p) = Σ_{S,T} κ_ST θ_S θ_T,

with κ_ST = c_S c_T π_{S∪T}/(π_S π_T), where x is the truth, p its distribution, θ_S = E[v_S], and c_S the product of
the c_j outside of S. Blocks use randomness of their own and draw what they ask independently, so G and Q of a pattern
are the products of those of its blocks. G is linear in p and Q convex: the worst truth is the maximum of a concave
function over distributions.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from privacy.arrays import Bools
from privacy.design.brief import Brief
from privacy.design.channels import Floats
from privacy.design.draws import share_asked
from privacy.estimate.available import matching

_STEPS = 200
_FEW = 64  # sub-patterns; sorting so few costs more than it saves
_ILL = 1e-9  # what a channel leaves of a pattern, relative to what it is given, and counts as nothing


class BlockSubPatterns:
    """Sub-patterns of one block or of several, as columns of figures: one entry each."""

    @property
    def columns(self) -> tuple[Floats, ...]:
        return tuple(vars(self).values())

    def join(self, other: Self) -> Self:
        """Return the sub-patterns of both."""
        return type(self)(*map(np.concatenate, zip(self.columns, other.columns, strict=True)))


@dataclass(frozen=True)
class TruthCells(BlockSubPatterns):
    """Sub-patterns (rows) of one block or of several, by the 2^m cells of what the truth matches of them.

    shares: how likely each cell is if items are independent; squares: G; direct: G of direct answers; overlap: Q, as a
    matrix of the cells.
    """

    shares: Floats
    squares: Floats
    direct: Floats
    overlap: Floats

    def times(self, other: "TruthCells") -> "TruthCells":
        """All pairs of a sub-pattern here and one of `other`, each pair as one sub-pattern."""

        def cross(a: Floats, b: Floats) -> Floats:
            return np.einsum("ix,jy->ijxy", a, b).reshape(len(a) * len(b), -1)

        size = self.shares.shape[1] * other.shares.shape[1]
        return TruthCells(
            cross(self.shares, other.shares),
            cross(self.squares, other.squares),
            cross(self.direct, other.direct),
            np.einsum("ixu,jyv->ijxyuv", self.overlap, other.overlap).reshape(-1, size, size),
        )

    def without_repeats(self) -> "TruthCells":
        """The same without repetitions; equal blocks make many."""
        if len(self.shares) < _FEW:
            return self
        flat = np.concatenate([column.reshape(len(column), -1) for column in self.columns], axis=1)
        _, first = np.unique(flat, axis=0, return_index=True)
        return TruthCells(*(column[first] for column in self.columns))

    def variance_parts(self) -> tuple[Floats, Floats, Floats]:
        """The parts of n·Var for independent items: G of direct answers, G, and Q."""
        known = np.all(np.isfinite(self.squares), axis=1)
        square = np.einsum("ix,ix->i", np.where(known[:, None], self.squares, 0.0), self.shares)
        least = np.einsum("ix,ix->i", self.shares, np.einsum("ixy,iy->ix", self.overlap, self.shares))
        return np.einsum("ix,ix->i", self.direct, self.shares), np.where(known, square, np.inf), least

    def worst(self, brief: Brief) -> Floats:
        """Return the largest error over all truths; the worst one is searched for, which takes longer."""
        known, linear = self._linear(brief.direct_share)
        return self._deviation(_worst(linear, self.overlap), known, linear, brief.respondents)

    def _linear(self, direct_share: float) -> tuple[Bools, Floats]:
        """Which rows are known, and for each row and cell G of direct and disguised answers together."""
        known = np.all(np.isfinite(self.squares), axis=1)
        return known, direct_share * self.direct + (1 - direct_share) * np.where(known[:, None], self.squares, 0.0)

    def _deviation(self, shares: Floats, known: Bools, linear: Floats, n: int) -> Floats:
        """The largest standard error over the rows with n respondents, at these shares of the cells."""
        least: Floats = np.einsum("ix,ix->i", shares, np.einsum("ixy,iy->ix", self.overlap, shares))
        variance: Floats = np.einsum("ix,ix->i", linear, shares)
        return np.asarray(np.sqrt(np.where(known, np.maximum(variance - least, 0.0), np.inf).max() / n))


def cells_of(chances: Floats, centres: Floats, items: int, ask: int) -> tuple[Floats, Floats, Floats]:
    """Squares, direct and overlap of the sub-patterns of one block of `items`, of which `ask` are asked.

    `chances` (rows, 2^m, 2^m) is P(cell of the record | cell of the truth) where all m literals are asked; `centres`
    (rows, m) say which share of its item's options a literal is.
    """
    rows, size = centres.shape
    known, inverse = _inverse(chances)
    kappa, products, overlap = _of_lot(centres.tobytes(), rows, size, items, ask)
    weights = products @ inverse.transpose(0, 2, 1)
    squares = np.einsum("isy,isy->iy", weights, kappa @ weights)
    squares = np.einsum("ixy,iy->ix", chances, squares)
    direct = np.einsum("ixx->ix", overlap).copy()
    return np.where(known[:, None], squares, np.inf), direct, overlap


def cells_of_coins(moments: Floats, centres: Floats, items: int, ask: int) -> tuple[Floats, Floats, Floats]:
    """As `cells_of`, where the coin a depends on what is asked and noise is even: W_S is v_S(record)/a, and counts a².

    `moments` (3, rows, 2^m) are E[a²], E[a³] and E[a²(1 − a)] of those who are asked each set. Overlap is that of one
    coin, which is never too small an error.
    """
    rows, size = centres.shape
    kappa, products, overlap = _of_lot(centres.tobytes(), rows, size, items, ask)
    worth, third, by_chance = moments
    sets = np.arange(2**size)
    several = (sets[:, None] > 0) & (sets > 0)
    of_truth = kappa * np.where(several, third[:, sets[:, None] | sets] / (worth[:, :, None] * worth[:, None]), 1.0)
    spread = np.where(sets[:, None] >> np.arange(size) & 1, (centres * (1 - centres))[:, None], 1.0).prod(axis=2)
    of_noise = np.einsum("iss,is->i", kappa, (sets > 0) * spread * by_chance / worth**2)
    squares = np.einsum("isx,ist,itx->ix", products, of_truth, products) + of_noise[:, None]
    return squares, np.einsum("ixx->ix", overlap).copy(), overlap


def _inverse(chances: Floats) -> tuple[Bools, Floats]:
    """Invert matrices; return which of them are well conditioned, and the inverses."""
    inverse: Floats = np.full(chances.shape, np.inf)
    with suppress(np.linalg.LinAlgError):
        inverse[:] = np.linalg.inv(chances)
    ones = abs(chances).sum(axis=-2).max(axis=-1) * abs(inverse).sum(axis=-2).max(axis=-1)
    if (ones * chances.shape[-1] < 1 / _ILL).all():  # of n rows a condition is at most n times that of the other norm
        return np.full(len(chances), True), inverse
    known = np.linalg.cond(chances) < 1 / _ILL
    return known, np.linalg.inv(np.where(known[:, None, None], chances, np.eye(chances.shape[-1])))


@lru_cache(maxsize=4096)
def _of_lot(centres: bytes, rows: int, size: int, items: int, ask: int) -> tuple[Floats, Floats, Floats]:
    """Compute what the channel does not change: κ of two sets of literals, their products in each cell, and Q."""
    centre = np.frombuffer(centres).reshape(rows, size)
    sets = np.arange(2**size)
    seen = np.array([share_asked(items, ask, count) for count in range(size + 1)])
    count = np.bitwise_count(sets)
    kappa = np.tile(seen[np.bitwise_count(sets[:, None] | sets)] / (seen[count][:, None] * seen[count]), (rows, 1, 1))
    for bit in range(size):
        away = np.where(sets >> bit & 1, 1.0, centre[:, bit : bit + 1])
        kappa *= away[:, :, None] * away[:, None]
    products = _centre(np.tile(matching(2**size)[..., 0], (rows, 1, 1)), centre)
    return kappa, products, products.transpose(0, 2, 1) @ (kappa @ products)


def cells_of_nobody(size: int) -> TruthCells:
    """A sub-pattern that nobody is asked completely: its error is infinite."""
    cells = 2**size
    return TruthCells(
        np.full((1, cells), 1 / cells), np.full((1, cells), np.inf), np.zeros((1, cells)), np.eye(cells)[None]
    )


def _worst(linear: Floats, overlap: Floats) -> Floats:
    """The distributions over cells (a row each) with the largest linear·p − p'·overlap·p."""
    rows, cells = linear.shape
    equations = np.zeros((rows, cells + 1, cells + 1))
    equations[:, :cells, :cells] = 2 * overlap + 1e-9 * np.eye(cells)
    equations[:, cells, :cells] = equations[:, :cells, cells] = 1.0
    sides = np.concatenate([linear, np.ones((rows, 1))], axis=1)
    shares: Floats = np.linalg.solve(equations, sides[..., None])[:, :cells, 0]
    outside = (shares < 0).any(axis=1)
    shares[outside] = _worst_of(linear[outside], overlap[outside], np.maximum(shares[outside], 0))
    return shares


def _worst_of(gain: Floats, square: Floats, start: Floats) -> Floats:
    """The distributions over cells with the largest gain·p − p'·square·p: Frank and Wolfe (1956), in pairwise steps."""
    shares: Floats = start / start.sum(axis=1, keepdims=True)
    moving = np.arange(len(shares))
    for _ in range(_STEPS):
        here, own = shares[moving], square[moving]
        slope = gain[moving] - 2 * np.einsum("ixy,iy->ix", own, here)
        row, best, away = np.arange(len(moving)), slope.argmax(axis=1), np.where(here > 0, slope, np.inf).argmin(axis=1)
        rise = slope[row, best] - slope[row, away]
        bend = 2 * (own[row, best, best] - 2 * own[row, best, away] + own[row, away, away])
        left = here[row, away]
        step = np.where(bend > 0, np.minimum(left, rise / np.where(bend > 0, bend, 1.0)), left)
        further = rise > 1e-9 * abs(slope).max(axis=1)
        moving, best, away, step = (one[further] for one in (moving, best, away, step))
        if not len(moving):
            break
        shares[moving, best] += step
        shares[moving, away] -= step
    return shares


def _centre(tables: Floats, centres: Floats) -> Floats:
    """Turn conjunctions into Π (1[j] − c_j) over the literals of each set; sets are the second axis of `tables`."""
    for bit, centre in enumerate(centres.T):
        pairs = tables.reshape(len(tables), -1, 2, 1 << bit, tables.shape[-1])
        pairs[:, :, 1] -= centre[:, None, None, None] * pairs[:, :, 0]
    return tables
