"""γ as an exact number: the largest factor by which one disguised record can change the odds between two answers."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from privacy.design.rationals import ONE
from privacy.errors import InputError

__all__ = ["Gamma", "of_coin", "of_matrix", "product"]

Gamma = Fraction | float  # the float is always infinity


def product(gammas: Iterable[Gamma]) -> Gamma:
    """The γ of answers that are disguised apart; infinite where one of them is.

    Parameters
    ----------
    gammas : iterable of Gamma
        One of each answer.

    Returns
    -------
    Fraction or float

    Examples
    --------
    >>> product([Fraction(3), Fraction(2)]), product([Fraction(3), math.inf])
    (Fraction(6, 1), inf)
    """
    total = Fraction(1)
    for one in gammas:
        if isinstance(one, float):
            return one
        total *= one
    return total


def of_coin(keep: int, rarest: Fraction) -> Gamma:
    """1 + a/((1−a)·q) of a coin whose least likely noise has the chance q."""
    if keep == 0:
        return Fraction(1)
    if keep == ONE or rarest == 0:
        return math.inf
    return 1 + Fraction(keep, ONE - keep) / rarest


def of_matrix(channel: Sequence[Sequence[Any]]) -> Gamma:
    """max over outputs of max/min over inputs, P(output y | input x) at [x][y]; unused outputs do not count.

    Parameters
    ----------
    channel : sequence of sequence of number
        A row for each true answer, a column for each record.

    Returns
    -------
    Fraction or float
        Infinite where a record excludes an answer.

    Examples
    --------
    >>> of_matrix([[0.75, 0.25], [0.25, 0.75]])
    Fraction(3, 1)
    """
    if len({len(row) for row in channel}) != 1:
        raise InputError("channel: a matrix has a row for every input, all of the same length.")
    worst: Gamma = Fraction(1)
    for column in zip(*channel, strict=True):
        if not all(0 <= chance <= 1 for chance in column):
            raise InputError("channel: a probability is outside 0 to 1.")
        chances = [Fraction(chance) for chance in column]
        if max(chances) == 0:
            continue
        if min(chances) == 0:
            return math.inf
        worst = max(worst, max(chances) / min(chances))
    return worst
