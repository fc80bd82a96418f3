"""Noise in place of answers: a coin keeps all of them with the chance a, else all are replaced by a draw from q.

M = a·I + (1−a)·1qᵀ. No matrix is built: a table T becomes a·T + (1−a)·q·ΣT. A pattern E is one atom, with the terms

    φ = q(E), λ = 1    and    φ = 1[match] − q(E), λ = a

so that its weight is (1[match] − (1−a)·q(E)) / a; with one block this is (8)–(16) of the improved grouped
unrelated-question paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.design.channels import Floats, Literal, Squares
from privacy.design.items import Item

_SMALLEST = 2.0**-32  # no design can keep answers more rarely: nothing of them would be left


@dataclass(frozen=True)
class CoinFactor:
    """The part of a pattern under one coin; `noise` is q of it."""

    items: tuple[Item, ...]
    atoms: tuple[tuple[Literal, ...], ...]
    keep: float
    noise: float

    @property
    def shape(self) -> int:
        """Always 0: all factors under coins can be computed together."""
        return 0

    def why_no_estimate(self) -> str | None:
        if self.keep:
            return None
        items = ", ".join(item.id for item in self.items)
        return f"keep = 0 keeps nothing of {items} in a disguised record; only 'pooled' works."

    @staticmethod
    def together(factors: Sequence["CoinFactor"]) -> "CoinOfPatterns":
        """The channel of the patterns that these factors belong to, a row for each."""
        strengths = np.array([(1.0, factor.keep) for factor in factors])
        return CoinOfPatterns(strengths, np.array([factor.noise for factor in factors]))


@dataclass(frozen=True)
class CoinOfPatterns:
    """One coin of many patterns: 1 and a in `strengths`, q in `noise`."""

    strengths: Floats
    noise: Floats

    @classmethod
    def from_noise(cls, keep: Floats, noise: Floats) -> "CoinOfPatterns":
        return cls(np.stack([np.ones(len(keep)), keep]).T, noise)

    @property
    def atoms(self) -> int:
        return 1

    @property
    def one_atom(self) -> bool:
        return True

    def states(self, terms: Floats) -> Floats:
        """Σ terms·φ over the last axis of `terms`, for no match and for a match."""
        noise = (terms[..., 0] - terms[..., 1]) * self.noise[:, np.newaxis]
        return np.moveaxis(np.stack([noise, noise + terms[..., 1]]), 0, -1)  # patterns lie side by side

    def disguise(self, table: Floats, axis: int, *, back: bool = False) -> Floats:
        across = [-1 if index == 0 else 2 if index == axis else 1 for index in range(table.ndim)]
        noise = np.stack([1 - self.noise, self.noise], axis=-1).reshape(across)
        keep = self.strengths[:, 1].reshape(-1, *[1] * (table.ndim - 1))
        return _replace(table, (axis,), keep, noise, back=back)

    def line(self) -> tuple[Floats, Floats]:
        """c and d of P(record matches) = c + d·π, π the true share."""
        keep = self.strengths[:, 1]
        return (1 - keep) * self.noise, keep

    def select(self, places: NDArray[np.intp]) -> "CoinOfPatterns":
        return CoinOfPatterns(self.strengths[places], self.noise[places])


@dataclass(frozen=True)
class CoinOfTable:
    """One coin over some axes of a table; `noise` is q along them, and broadcasts against the table."""

    axes: tuple[int, ...]
    keep: float
    noise: Floats

    @classmethod
    def from_axes(cls, axes: Sequence[int], keep: float, noise: Floats, shape: tuple[int, ...]) -> "CoinOfTable":
        """The channel with the noise of its axes laid along a table of this shape."""
        return cls(tuple(axes), keep, noise.reshape([size if axis in axes else 1 for axis, size in enumerate(shape)]))

    @property
    def atoms(self) -> int:
        return 1

    def disguise(self, table: Floats, *, back: bool = False) -> Floats:
        return _replace(table, self.axes, self.keep, self.noise, back=back)

    def inverse(self, table: Floats) -> Floats:
        """Undo the disguise: the inverse matrix is that of a coin with keep 1/a."""
        return _replace(table, self.axes, 1 / self.keep, self.noise)

    def stays(self) -> Floats:
        return self.keep + (1 - self.keep) * self.noise


def squares(keep: ArrayLike, share: Floats, noise: Floats) -> Squares:
    """E[w²] of sub-patterns under one coin: of all people, of those who match, and of those who do not.

    `share` and `noise` say how common each sub-pattern is in truth and in noise.
    """
    keep = np.asarray(keep)
    if keep.min() < _SMALLEST:
        return (np.full(len(share), np.inf),) * 3
    missed, matched = (1 - keep) * noise, keep + (1 - keep) * noise
    miss = missed * (1 - missed) / keep**2
    hit = (matched * (1 - missed) ** 2 + (1 - matched) * missed**2) / keep**2
    return share * hit + (1 - share) * miss, hit, miss


def squares_apart(keep: float, shares: Floats, noise: Floats) -> Squares:
    """`squares` with a coin for each item: rows are sub-patterns, columns their items, whose figures multiply."""
    if keep < _SMALLEST:
        return squares(keep, shares[:, 0], noise[:, 0])
    square, hit, miss = np.ones(len(shares)), np.ones(len(shares)), np.zeros(len(shares))
    for share, chance in zip(shares.T, noise.T, strict=True):
        s, h, m = squares(keep, share, chance)
        square, hit, miss = square * s, hit * h, np.maximum(miss * np.maximum(h, m), hit * m)
    return square, hit, miss


def independent(shares: Floats) -> Floats:
    """P(exactly these literals match) of every set of independent literals, by their shares: rows × 2^L; j is bit j.

    >>> independent(np.array([[0.5, 0.25]])).tolist()
    [[0.375, 0.375, 0.125, 0.125]]
    """
    drawn = np.ones((len(shares), 1))
    for share in shares.T[:, :, None]:
        drawn = np.concatenate([drawn * (1 - share), drawn * share], axis=1)
    return drawn


def chances(keep: ArrayLike, noise: Floats) -> Floats:
    """P(which literals a record matches | which the truth does), under one coin: rows × 2^L × 2^L; j is bit j."""
    drawn = independent(noise)
    keep = np.asarray(keep)
    return keep * np.eye(drawn.shape[1]) + (1 - keep) * drawn[:, None, :]


def chances_apart(keep: float, noise: Floats) -> Floats:
    """Return `chances` of literals that each have a coin of their own."""
    made = np.ones((len(noise), 1, 1))
    for chance in noise.T[:, :, None]:
        own = chances(keep, chance)
        size = 2 * made.shape[1]
        made = np.einsum("iab,icd->iacbd", own, made).reshape(-1, size, size)
    return made


def _replace(table: Floats, axes: tuple[int, ...], keep: ArrayLike, noise: Floats, *, back: bool = False) -> Floats:
    """Mix a table with the noise that replaces it with the chance 1 − keep; `back` applies the transpose."""
    drawn = (table * noise).sum(axis=axes, keepdims=True) if back else table.sum(axis=axes, keepdims=True) * noise
    share = np.asarray(keep)
    return share * table + (1 - share) * drawn
