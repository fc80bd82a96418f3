"""One share from people who answered in several modes, such as by web and on paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from privacy.errors import InputError


@dataclass(frozen=True)
class ShareOfMode:
    """The share that one mode gives, with its error, and how many people answered so."""

    people: int
    share: float
    se: float


def join_as_strata(modes: Sequence[ShareOfMode]) -> tuple[float, float]:
    """The share of all with its error, each mode by the people in it: right whether or not modes differ.

    >>> share, se = join_as_strata([ShareOfMode(600, 0.1, 0.02), ShareOfMode(400, 0.2, 0.03)])
    >>> round(share, 4), round(se, 6)
    (0.14, 0.017041)
    """
    people = sum(one.people for one in modes)
    if not people:
        raise InputError("modes: nobody answered in any.")
    share = sum(one.people * one.share for one in modes) / people
    inside = sum((one.people / people * one.se) ** 2 for one in modes)
    between = sum(one.people / people * (one.share - share) ** 2 for one in modes) / people
    return share, sqrt(inside + between)


def pool(modes: Sequence[ShareOfMode]) -> tuple[float, float]:
    """The share with the smallest error, if the same people would have answered alike in all modes.

    >>> share, se = pool([ShareOfMode(600, 0.1, 0.02), ShareOfMode(400, 0.2, 0.04)])
    >>> round(share, 4), round(se, 6)
    (0.12, 0.017889)
    """
    if not modes or min(one.se for one in modes) <= 0:
        raise InputError("modes: pooling needs an error of each.")
    worth = [one.se**-2 for one in modes]
    share = sum(one.share * by for one, by in zip(modes, worth, strict=True)) / sum(worth)
    return share, sum(worth) ** -0.5


def mode_difference(one: ShareOfMode, other: ShareOfMode) -> tuple[float, float]:
    """How far the second mode lies above the first, with its error: of people and mode together, where people choose.

    >>> apart, se = mode_difference(ShareOfMode(600, 0.1, 0.03), ShareOfMode(400, 0.2, 0.04))
    >>> round(apart, 4), round(se, 4)
    (0.1, 0.05)
    """
    return other.share - one.share, sqrt(one.se**2 + other.se**2)
