"""The blanket of a block: what it sends whatever the truth is. It hides one person in a crowd.

R(y|x) is the chance of the record y under the truth x, β = Σ_y min_x R(y|x), and ω(y) = min_x R(y|x)/β. Every record
can be thought of as drawn from ω with the chance β, and else from what is left: the *privacy blanket* of Balle, Bell,
Gascón and Nissim (The privacy blanket of the shuffle model, 2019).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

import numpy as np

from privacy.design.channels import Floats

_ALIKE = 12  # digits to which two ratios are the same


@dataclass(frozen=True)
class Atoms:
    """R(W|x)/ω(W) and R(W|x')/ω(W) for two truths x and x' and a record W of the blanket: values and their chances."""

    one: tuple[float, ...]
    other: tuple[float, ...]
    chance: tuple[float, ...]


@dataclass(frozen=True)
class Blanket:
    """`share` is β. `pairs` are the pairs of truths that may be the worst, those that are the same included."""

    share: float
    pairs: tuple[Atoms, ...]


def atoms_of_coin(keep: float, rarest: float, differ: bool) -> Atoms:
    """Return the atoms of a coin that keeps with the chance `keep`, a, for two truths that `differ` or are the same.

    R(W|x)/ω(W) = (1−a) + a·1[W=x]/q(x). What is convex in it is largest where q(x), the chance of x in the noise, is
    smallest: `rarest`, the least chance in the noise, is taken for both truths.
    """
    base, jump = 1 - keep, keep / rarest
    if differ:
        return Atoms((base + jump, base, base), (base, base + jump, base), (rarest, rarest, 1 - 2 * rarest))
    return Atoms((base + jump, base), (base + jump, base), (rarest, 1 - rarest))


def join_atoms(parts: Iterable[Atoms]) -> Atoms:
    """Join atoms of answers that are disguised separately: ratios and chances multiply.

    >>> half = Atoms((2.0, 0.5), (1.0, 1.0), (0.5, 0.5))
    >>> sum(join_atoms([half, half]).chance)
    1.0
    """
    result = Atoms((1.0,), (1.0,), (1.0,))
    for part in parts:
        result = _merge_equal(
            np.outer(result.one, part.one).ravel(),
            np.outer(result.other, part.other).ravel(),
            np.outer(result.chance, part.chance).ravel(),
        )
    return result


def mix_atoms(parts: Iterable[tuple[float, Atoms]]) -> Atoms:
    """Mix sets of atoms; everybody sees which set was drawn, with the chance beside it."""
    drawn = [(weight, atoms) for weight, atoms in parts if weight]
    return _merge_equal(
        np.concatenate([atoms.one for _, atoms in drawn]),
        np.concatenate([atoms.other for _, atoms in drawn]),
        np.concatenate([weight * np.array(atoms.chance) for weight, atoms in drawn]),
    )


def agreeing(items: int, asked: int, alike: int) -> list[float]:
    """The chances that 0, 1, … of `asked` items, drawn from `items`, are of the `alike` in which two truths agree."""
    return [comb(alike, j) * comb(items - alike, asked - j) / comb(items, asked) for j in range(asked + 1)]


def _merge_equal(one: Floats, other: Floats, chance: Floats) -> Atoms:
    """Build atoms, and join those that have equal ratios."""
    kept = chance > 0
    ratios = np.array([_round_ratios(one[kept]), _round_ratios(other[kept])])
    (firsts, seconds), places = np.unique(ratios, axis=1, return_inverse=True)
    chances = np.bincount(places.ravel(), chance[kept], len(firsts))
    return Atoms(tuple(firsts.tolist()), tuple(seconds.tolist()), tuple(chances.tolist()))


def _round_ratios(ratios: Floats) -> Floats:
    scale = 10.0 ** (_ALIKE - 1 - np.floor(np.log10(np.where(ratios > 0, ratios, 1.0))))
    return np.round(ratios * scale) / scale
