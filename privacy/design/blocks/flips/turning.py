"""Answers turned over: d of s yes/no answers are turned; d is drawn from a table, and every set of d is equally likely.

The matrix is symmetric and diagonal in the Walsh–Hadamard basis: the coefficient of a set S of answers is multiplied
by a_|S| (see `krawtchouk`). In a pattern of L literals each is an atom of its own, with the terms

    φ = 2^−L Σ_{|S|=m} Π_{j∈S} z_j, λ = a_m, for m = 0 … L              (z_j = ±1: literal j matches or not)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from privacy.design.blocks.flips.krawtchouk import krawtchouk
from privacy.design.channels import Floats, Literal, Squares
from privacy.design.items import Item


@dataclass(frozen=True)
class FlipFactor:
    """The part of a pattern that one table turns over; `strengths` are a_0 … a_L."""

    items: tuple[Item, ...]
    atoms: tuple[tuple[Literal, ...], ...]
    strengths: tuple[float, ...]

    @property
    def shape(self) -> int:
        """How many literals there are: factors of as many can be computed together."""
        return len(self.atoms)

    def why_no_estimate(self) -> str | None:
        lost = [m for m, strength in enumerate(self.strengths) if strength == 0]
        if not lost:
            return None
        return (
            f"these flips leave nothing of {' and of '.join(str(m) for m in lost)} answers taken together "
            f"(a_m = 0), so the pattern is unidentified."
        )

    @staticmethod
    def together(factors: Sequence["FlipFactor"]) -> "FlipsOfPatterns":
        """The channel of the patterns that these factors belong to, a row for each."""
        return FlipsOfPatterns(np.array([factor.strengths for factor in factors]))


@dataclass(frozen=True)
class FlipsOfPatterns:
    """What flips do to the literals of many patterns: a row of `strengths`, a_0 … a_L, for each pattern."""

    strengths: Floats

    @property
    def atoms(self) -> int:
        return self.strengths.shape[1] - 1

    @property
    def one_atom(self) -> bool:
        return False

    def states(self, terms: Floats) -> Floats:
        """Σ terms·φ over the last axis of `terms`, as a table over which literals match."""
        return terms @ _terms(self.atoms)

    def disguise(self, table: Floats, axis: int, *, back: bool = False) -> Floats:
        """Turn the literals over; `back` makes no difference, as the matrix is symmetric."""
        return _turn(table, range(axis, axis + self.atoms), self.strengths)

    def line(self) -> tuple[Floats, Floats]:
        """c and d of P(record matches) = c + d·π, for a single literal."""
        d = self.strengths[:, 1]
        return (1 - d) * 0.5, d

    def select(self, places: NDArray[np.intp]) -> "FlipsOfPatterns":
        return FlipsOfPatterns(self.strengths[places])


@dataclass(frozen=True)
class FlipsOfTable:
    """One table over some yes/no axes of a table of shares, with a_0 … a_L of these axes."""

    axes: tuple[int, ...]
    strengths: Floats

    @property
    def atoms(self) -> int:
        return len(self.axes)

    def disguise(self, table: Floats, *, back: bool = False) -> Floats:
        """Turn the axes over; `back` makes no difference, as the matrix is symmetric."""
        return _turn(table, self.axes, self.strengths)

    def inverse(self, table: Floats) -> Floats:
        """Undo the disguise: the inverse matrix has the strengths 1/a_m."""
        return _turn(table, self.axes, 1 / self.strengths)

    @property
    def _sizes(self) -> range:
        return range(len(self.strengths))

    def stays(self) -> Floats:
        """The chance that nothing is turned over."""
        ways = np.array([math.comb(len(self.axes), m) for m in self._sizes], dtype=float)
        return np.asarray(ways @ self.strengths) / 2 ** len(self.axes)


def squares_of_available(tables: Floats, shares: Floats, seen: Floats) -> Squares:
    """Return `squares` for available cases; `seen[m]` is the share of people who are asked all of m given literals.

    With these the error of independent items comes out as that of available cases, and the worst as where all shares
    are ½.
    """
    count, size = shares.shape
    factors = tables @ _eigen(tables.shape[1] - 1, size).T
    known = (abs(factors) > (tables.shape[1] + 1) * 2.0**-32).all(axis=1, keepdims=True)
    factors = np.where(known, factors, 1)
    sizes, either, apart, together = _pairs_of_sets(size)
    kappa = seen[either] / (seen[sizes][:, None] * seen[sizes]) / 4**size
    ratio = factors[:, apart] / (factors[:, sizes][:, :, None] * factors[:, sizes][:, None])
    by_pair = (ratio * kappa).reshape(len(ratio), -1)

    def variance_of(shares: Floats) -> Floats:
        """n·Var of available cases for independent items: tables × sub-patterns."""
        signs = np.ones((len(shares), 1))
        for share in shares.T[:, :, None]:
            signs = np.concatenate([signs, signs * (2 * share - 1)], axis=1)  # E[Π z] over every set
        given = by_pair @ signs[:, together].reshape(len(signs), -1).T
        return np.where(known, given - ((signs @ kappa) * signs).sum(axis=1), np.inf)

    even = np.broadcast_to(variance_of(np.full((1, size), 0.5)), (len(tables), count))
    return variance_of(shares) + shares.prod(axis=1) ** 2, even, even


@cache
def _pairs_of_sets(size: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """The size of each set of literals; for every two sets the sizes of union and difference, and the difference."""
    sets = np.arange(2**size, dtype=np.intp)
    together = (sets[:, None] ^ sets).astype(np.intp)
    sizes, either, apart = (np.bitwise_count(own).astype(np.intp) for own in (sets, sets[:, None] | sets, together))
    return sizes, either, apart, together


def squares(tables: Floats, shares: Floats, seen: Floats | None = None) -> Squares:
    """E[w²], w a record's weight, under each table (a row) for each sub-pattern (a row of `shares`, an item a column).

    Averaged over the truth, where the truth matches, and at worst where it does not; may be infinite. `seen`: for
    available cases, see `squares_of_available`.
    """
    if seen is not None and seen[-1] < 1:
        return squares_of_available(tables, shares, seen)
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


def chances(tables: Floats, size: int) -> Floats:
    """P(which of `size` literals a record matches | which the truth does): tables × 2^size × 2^size."""
    places = np.arange(2**size)
    turned = np.bitwise_count(places[:, None] ^ places)
    ways = np.array([math.comb(size, e) for e in range(size + 1)])
    return (tables @ _chances_of_turns(tables.shape[1] - 1, size) / ways)[:, turned]


def _squares(tables: Floats, size: int) -> Floats:
    """E[w² | u of a pattern's `size` literals match the truth] for u = 0 … size, under each table (a row)."""
    s = tables.shape[1] - 1
    factors = tables @ _eigen(s, size).T
    known = (abs(factors) > (s + 1) * 2.0**-32).all(axis=1, keepdims=True)
    weights = 2.0**-size * (1 / np.where(known, factors, 1)) @ _symmetric(size).T
    squared = np.einsum("re,uet,rt->ru", tables @ _chances_of_turns(s, size), _moves(size), weights**2)
    return np.where(known, squared, np.inf)


def _turn(table: Floats, axes: Sequence[int], strengths: Floats) -> Floats:
    """Multiply each Walsh coefficient of the axes by its strength: a_0 … a_L, or such a row for each table."""
    size = _sizes(table.ndim, tuple(axes))
    factor = strengths[size] if strengths.ndim == 1 else strengths[:, size[0]]
    return _hadamard(_hadamard(table, axes) * factor, axes) / 2 ** len(axes)


def _hadamard(table: Floats, axes: Sequence[int]) -> Floats:
    """The Walsh–Hadamard transform over the axes; those side by side are one matrix product, which is much faster."""
    transform = table
    for first, count in _runs(tuple(axes)):
        matrix, after = _walsh_signs(2**count), math.prod(table.shape[first + count :])
        if after == 1:
            transform = transform.reshape(-1, 2**count) @ matrix
        else:
            transform = matrix @ transform.reshape(-1, 2**count, after)
    return transform.reshape(table.shape)


@lru_cache(maxsize=64)
def _runs(axes: tuple[int, ...]) -> list[tuple[int, int]]:
    """Group axes that stand side by side, as (first axis, how many), at most four a group, which is fastest."""
    runs: list[tuple[int, int]] = []
    for axis in axes:
        first, count = runs[-1] if runs else (axis, 0)
        if axis == first + count and count < 4:
            runs[-1:] = [(first, count + 1)]
        else:
            runs.append((axis, 1))
    return runs


@lru_cache(maxsize=64)
def _sizes(dimensions: int, axes: tuple[int, ...]) -> NDArray[np.intp]:
    """|S| at each index of a table, where S are the given axes at which the index is 1; other axes have length 1."""
    size = np.zeros((1,) * dimensions, dtype=np.intp)
    for axis in axes:
        size = size + np.arange(2).reshape([2 if other == axis else 1 for other in range(dimensions)])
    return size


@lru_cache(maxsize=64)
def _terms(length: int) -> Floats:
    """The terms φ_m at [m, state]: 2^−L K_m(number of literals that the state does not match)."""
    sizes = range(length + 1)
    by_mismatches = np.array([[krawtchouk(length, m, d) for d in sizes] for m in sizes], dtype=float) / 2**length
    return by_mismatches[:, [length - state.bit_count() for state in range(2**length)]]


@lru_cache(maxsize=256)
def _eigen(s: int, size: int) -> Floats:
    """K_m(d)/C(s, m) at [m, d], m up to `size`: row m times a flips table is its a_m."""
    return np.array([[krawtchouk(s, m, d) / math.comb(s, m) for d in range(s + 1)] for m in range(size + 1)])


@lru_cache(maxsize=256)
def _chances_of_turns(s: int, size: int) -> Floats:
    """At [d, e], the chance that e of d turned answers among s are answers to the `size` items looked at."""
    return np.array(
        [
            [math.comb(d, e) * math.comb(s - d, size - e) / math.comb(s, size) for e in range(size + 1)]
            for d in range(s + 1)
        ]
    )


@lru_cache(maxsize=64)
def _symmetric(size: int) -> Floats:
    """At [t, j], Σ of Π z over all sets of j literals, z = ±1, where t of `size` literals match."""
    return np.array([[krawtchouk(size, j, size - t) for j in range(size + 1)] for t in range(size + 1)], dtype=float)


@lru_cache(maxsize=64)
def _moves(size: int) -> Floats:
    """At [u, e, t], the chance that t literals match after e of `size` are turned over, where u matched before."""
    chance = np.zeros((size + 1,) * 3)
    for u in range(size + 1):
        for e in range(size + 1):
            for lost in range(max(0, e - (size - u)), min(u, e) + 1):
                ways = math.comb(u, lost) * math.comb(size - u, e - lost) / math.comb(size, e)
                chance[u, e, u - lost + e - lost] += ways
    return chance


@lru_cache(maxsize=16)
def _walsh_signs(size: int) -> Floats:
    """(−1)^|S ∩ T| at [S, T]: the bits of each number below `size` are a set."""
    sets = np.arange(size)
    return 1.0 - 2.0 * (np.bitwise_count(sets[:, None] & sets) & 1).astype(float)
