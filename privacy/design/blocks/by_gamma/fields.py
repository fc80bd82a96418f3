"""Finite fields, and the sets of points that a coin that names several may name.

A field has Q elements 0 … Q − 1, Q a prime or a power of two. For d elements 0 … d − 1 and each line x ↦ a·x + b, a not
0, there is one set of d points: the line of these elements. Of two unlike points exactly Q(Q−1)·d(d−1)/(Q(Q−1)) sets
hold both, for exactly one line leads from two elements to two points. So sets hold points and pairs of them as often as
sets of d points drawn at random do, and a number below Q(Q − 1) tells which was drawn.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.intp]
MOST = 256
_POLYNOMIALS = {4: 7, 8: 11, 16: 19, 32: 37, 64: 67, 128: 131, 256: 283}  # irreducible ones, bit by bit


@dataclass(frozen=True)
class Sets:
    """The sets of `named` points of a field."""

    field: int
    named: int

    @property
    def count(self) -> int:
        return self.field * (self.field - 1)

    def number(self, factor: Points, element: Points, point: Points) -> Points:
        """The set whose line has this factor, from 1 on, and leads from the element to the point."""
        step = self._products[factor, element]
        start = step ^ point if self._is_binary else (point - step) % self.field
        return np.asarray((factor - 1) * self.field + start)

    def points(self, numbers: Points) -> Points:
        """The points of each set: a row of them for each number."""
        factor, start = np.divmod(numbers, self.field)
        steps = self._products[factor + 1, : self.named]
        start = start[:, np.newaxis]
        return np.asarray(steps ^ start if self._is_binary else (steps + start) % self.field)

    @property
    def _is_binary(self) -> bool:
        return self.field in _POLYNOMIALS

    @cached_property
    def _products(self) -> Points:
        """The products of all elements."""
        own = np.arange(self.field)
        if not self._is_binary:
            return np.asarray(own[:, np.newaxis] * own % self.field)
        made, factor = np.zeros((self.field, self.field), np.intp), own.copy()
        for bit in range(self.field.bit_length() - 1):
            made ^= np.where(own >> bit & 1, factor[:, np.newaxis], 0)
            factor = factor << 1
            factor = np.where(factor >= self.field, factor ^ _POLYNOMIALS[self.field], factor)
        return made


@lru_cache(maxsize=64)
def sets_over(cells: int, named: int) -> Sets:
    """The sets over the least field that has a point for each cell.

    >>> sets_over(100, 10).field, sets_over(8, 2).field, sets_over(8, 2).points(np.array([0, 9])).tolist()
    (101, 8, [[0, 1], [1, 3]])
    """
    is_prime = (size for size in count(cells) if all(size % other for other in range(2, int(size**0.5) + 1)))
    return Sets(min(next(is_prime), *(size for size in _POLYNOMIALS if size >= cells)), named)
