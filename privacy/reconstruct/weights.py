"""The weights that turn disguised records into estimates: one algebra for coins, flips and every mixture of blocks.

A pattern is seen through atoms, events that a record matches or not, one for each coin that disguises it and one for
each flipped answer (see `factors`). A weight is a table over the states of the pattern's t atoms, numbered
0 … 2^t − 1 with the first atom as the highest bit and the last state the match of all; every estimate and variance is
a dot product of such tables with counts of records.

Each part of a pattern, one coin or one flip block, is a sum of terms φ/λ:

    coin   φ = q(E_b), λ = 1            and  φ = 1[match] − q(E_b), λ = a
    flips  φ = 2^−L Σ_{|S|=m} Π_{j∈S} z_j, λ = a_m, for m = 0 … L              (z_j = ±1: literal j matches or not)

and the weight of the pattern is Σ φ/Λ over the products of terms, with Λ = k + (1−k)·Πλ. For k = 0 it inverts the
disguise (with one coin block this is (8)–(16) of the improved grouped unrelated-question paper); with k the share of
direct answers it is the pooled estimator's, where Λ = k + (1−k)p is the paper's (7); for k = 1 it indicates a match.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.design.krawtchouk import krawtchouk
from privacy.reconstruct.channels import coined, flipped

__all__ = ["Channel", "Part"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """One coin or one flip block of many patterns, a row for each.

    `strengths` holds the λ, 1 and a or a_0 … a_L; `noise` q(E_b), or None under flips.
    """

    strengths: Floats
    noise: Floats | None

    @property
    def atoms(self) -> int:
        return 1 if self.noise is not None else self.strengths.shape[1] - 1

    def states(self, terms: Floats) -> Floats:
        """Σ factor·φ over the last axis, a factor for each term, as a table over the states of this part's atoms."""
        if self.noise is None:
            return terms @ _flip_terms(self.atoms)
        noise = (terms[..., 0] - terms[..., 1]) * self.noise[:, np.newaxis]
        return np.moveaxis(np.stack([noise, noise + terms[..., 1]]), 0, -1)  # patterns lie side by side

    def at(self, places: NDArray[np.intp]) -> "Part":
        return Part(self.strengths[places], None if self.noise is None else self.noise[places])


@dataclass(frozen=True)
class Channel:
    """What disguises many patterns of one shape: part by part, a row for each pattern."""

    parts: tuple[Part, ...]

    @cached_property
    def atoms(self) -> int:
        return sum(part.atoms for part in self.parts)

    def weights(self, share: ArrayLike = 0.0) -> Floats:
        """The weights, each row a table over states; `share` is k, one for all or one for each."""
        found = self._inverse_strengths(np.asarray(share, dtype=float).reshape(-1))
        for part in self.parts:
            # One axis of terms after the other becomes an axis of states, as in any multilinear transform.
            rest = found.shape[2:]
            lines = np.moveaxis(found, 1, -1).reshape(len(found), -1, found.shape[1])
            found = part.states(lines).reshape(-1, *rest, 2**part.atoms)
        return found.reshape(len(found), -1)

    def _inverse_strengths(self, k: Floats) -> Floats:
        """1/Λ over the products of terms: patterns × terms of the first part × terms of the second …"""
        product = np.ones(len(self.parts[0].strengths) if self.parts else 1)
        for part in self.parts:
            alone = part.strengths.reshape(-1, *[1] * (product.ndim - 1), part.strengths.shape[1])
            product = product[..., np.newaxis] * alone
        k = k.reshape(-1, *[1] * (product.ndim - 1))
        with np.errstate(divide="ignore"):
            return 1.0 / (k + (1.0 - k) * product)

    def through(self, states: Floats, *, back: bool = False) -> Floats:
        """Disguise a distribution over the states of each pattern; `back` applies the transpose."""
        table = states.reshape(-1, *[2] * self.atoms)
        axis = 1
        for part in self.parts:
            if part.noise is None:
                table = flipped(table, range(axis, axis + part.atoms), part.strengths)
            else:
                across = [-1 if place == 0 else 2 if place == axis else 1 for place in range(self.atoms + 1)]
                noise = np.stack([1 - part.noise, part.noise], axis=-1).reshape(across)
                keep = part.strengths[:, 1].reshape(-1, *[1] * self.atoms)
                table = coined(table, [axis], keep, noise, back=back)
            axis += part.atoms
        return table.reshape(len(table), -1)

    def line(self) -> tuple[Floats, Floats]:
        """c and d of P(record matches) = c + d·π, for patterns of a single atom."""
        (part,) = self.parts
        d = part.strengths[:, 1]
        return (1 - d) * (0.5 if part.noise is None else part.noise), d

    def at(self, places: NDArray[np.intp]) -> "Channel":
        """The channel of some of the patterns."""
        return Channel(tuple(part.at(places) for part in self.parts))


@lru_cache(maxsize=64)
def _flip_terms(length: int) -> Floats:
    """2^−L K_m(mismatches) for m = 0 … L and every state: Σ over |S| = m of Π z_j."""
    sizes = range(length + 1)
    by_mismatches = np.array([[krawtchouk(length, m, d) for d in sizes] for m in sizes], dtype=float) / 2**length
    return by_mismatches[:, [length - state.bit_count() for state in range(2**length)]]
