"""γ as an exact number: the largest factor by which one disguised record can change the odds between two answers."""

import math
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

from privacy.design.rationals import ONE
from privacy.errors import InputError

Gamma = Fraction | float  # the float is always infinity
PRECISE = Context(prec=60)
LEAST_EPSILON, MOST_EPSILON = 1e-6, 100


def product(gammas: Iterable[Gamma]) -> Gamma:
    """The γ of answers that are disguised separately; infinite where one of theirs is.

    >>> product([Fraction(3), Fraction(2)]), product([Fraction(3), math.inf])
    (Fraction(6, 1), inf)
    """
    total = Fraction(1)
    for gamma in gammas:
        if isinstance(gamma, float):
            return gamma
        total *= gamma
    return total


def of_epsilon(epsilon: Fraction, at: str = "epsilon") -> Fraction:
    """e^ε in steps of 2^-32, rounded down so that no ε above it is promised; by decimals, alike on every processor.

    >>> float(of_epsilon(Fraction(2)))
    7.389056098880246
    """
    if not LEAST_EPSILON <= epsilon <= MOST_EPSILON:
        raise InputError(f"{at}: {float(epsilon):g} is outside {LEAST_EPSILON:g} to {MOST_EPSILON}.")
    power = PRECISE.exp(PRECISE.divide(Decimal(epsilon.numerator), Decimal(epsilon.denominator)))
    return Fraction(math.floor(Fraction(power) * ONE), ONE)


def of_coin(keep: int, rarest: Fraction) -> Gamma:
    """1 + a/((1−a)·q) of a coin whose least likely noise has the chance q."""
    if keep == 0:
        return Fraction(1)
    if keep == ONE or rarest == 0:
        return math.inf
    return 1 + Fraction(keep, ONE - keep) / rarest


def of_matrix(channel: Sequence[Sequence[Any]]) -> Gamma:
    """max over outputs of max/min over inputs, P(output y | input x) at [x][y]; unused outputs do not count.

    >>> of_matrix([[0.75, 0.25], [0.25, 0.75]])
    Fraction(3, 1)
    """
    if len({len(row) for row in channel}) != 1:
        raise InputError("channel: a matrix has a row for every input, all of the same length.")
    if not all(0 <= chance <= 1 for row in channel for chance in row):
        raise InputError("channel: a probability is outside 0 to 1.")
    return of_columns(zip(*channel, strict=True))


def of_columns(columns: Iterable[Sequence[Any]]) -> Gamma:
    """Return γ of a checked channel from its columns, in any unit.

    >>> of_columns([[3, 1], [1, 3]])
    Fraction(3, 1)
    """
    worst: Gamma = Fraction(1)
    for column in columns:
        high, low = Fraction(max(column)), Fraction(min(column))
        if high == 0:
            continue
        if low == 0:
            return math.inf
        worst = max(worst, high / low)
    return worst


def outward(gamma: Gamma) -> float:
    """γ as the nearest float that is not below it.

    >>> outward(Fraction(7, 3)) >= Fraction(7, 3)
    True
    """
    return gamma if isinstance(gamma, float) else at_least(gamma)


def round_up(figure: Gamma, digits: int) -> Decimal:
    """A printed figure of the promise: the least number with this many digits that is not below it.

    >>> round_up(Fraction(7, 3), 3)
    Decimal('2.34')
    """
    if figure == math.inf:
        return Decimal("Infinity")
    exact = Fraction(figure)
    return Context(prec=digits, rounding=ROUND_CEILING).divide(Decimal(exact.numerator), Decimal(exact.denominator))


def at_least(value: Fraction) -> float:
    """The least float that is not below the value.

    >>> at_least(Fraction(1, 3)) >= Fraction(1, 3)
    True
    """
    try:
        near = float(value)
    except OverflowError:
        return math.inf
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)
