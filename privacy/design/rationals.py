"""Exact probabilities: every probability of a design is an integer numerator over 2^32.

The browser compares 32 random bits with the numerator, and Python reconstructs with the same rational, so one number
is declared, applied and inverted.
"""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

ONE = 2**32
MOST_POWER = 400  # of ten, in a number that is written
LONGEST = 12  # decimals that always tell two neighbouring numerators apart


def fraction(value: int | float | Decimal | Fraction) -> Fraction:
    """The number a person wrote: 0.3 is 3/10, not the binary double nearest to it.

    >>> fraction(0.3), fraction(2)
    (Fraction(3, 10), Fraction(2, 1))
    """
    return Fraction(repr(float(value))) if isinstance(value, float) else Fraction(value)


def parse_number(text: str) -> Decimal | None:
    """The number that somebody wrote; None where it is none, or has a power that no float has.

    A few letters can name a number of millions of digits. To write it out, or to make a `Fraction` of it, takes
    minutes.

    >>> parse_number("0.50"), parse_number(" -3e2 "), parse_number("1e3000000"), parse_number("x")
    (Decimal('0.50'), Decimal('-3E+2'), None, None)
    """
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) <= MOST_POWER else None


def vanishes(text: str) -> bool:
    """Whether a written number is not 0 but becomes 0 as a float.

    >>> vanishes("1e-400"), vanishes("0e-400"), vanishes("0.1")
    (True, False, False)
    """
    return not float(text) and not set("123456789").isdisjoint(text.lower().partition("e")[0])


def parse_fraction(text: str) -> Fraction | None:
    """The exact number that somebody wrote, as a decimal or as a fraction; None where it is none.

    >>> parse_fraction("1/7"), parse_fraction("0.05"), parse_fraction("1/0"), parse_fraction("1/2/3")
    (Fraction(1, 7), Fraction(1, 20), None, None)
    """
    above, slash, below = text.partition("/")
    number = parse_number(above)
    if number is None or not slash:
        return None if number is None else Fraction(number)
    return Fraction(number) / Fraction(divisor) if (divisor := parse_number(below)) else None


def numerator(share: Fraction) -> int:
    """The integer nearest to share · 2^32.

    >>> numerator(Fraction(1, 2)) == 2**31
    True
    """
    return round(share * ONE)


def apportion(shares: Sequence[Fraction]) -> tuple[int, ...]:
    """Numerators that sum to 2^32 exactly, each less than 1 from its share (largest remainders; first ones on ties).

    >>> apportion([Fraction(1), Fraction(3)])
    (1073741824, 3221225472)
    """
    total = sum(shares, Fraction(0))
    exact = [share / total * ONE for share in shares]
    whole = [int(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda j: (whole[j] - exact[j], j))
    for j in by_remainder[: ONE - sum(whole)]:
        whole[j] += 1
    return tuple(whole)


def apportion_within(
    shares: Sequence[Fraction], least: Sequence[int], most: Sequence[int], first: Sequence[Fraction | int]
) -> tuple[int, ...] | None:
    """Numerators that sum to 2^32, nearest to these shares of it and each within its bounds; None where there are none.

    What rounding leaves over goes to the numerator with the greatest `first`, and what that cannot take to the next.
    """
    if any(low > high for low, high in zip(least, most, strict=True)):
        return None
    table = [min(max(round(share), low), high) for share, low, high in zip(shares, least, most, strict=True)]
    missing = ONE - sum(table)
    for place in sorted(range(len(table)), key=first.__getitem__, reverse=True):
        room = most[place] if missing > 0 else least[place]
        moved = (min if missing > 0 else max)(missing, room - table[place])
        table[place] += moved
        missing -= moved
    return None if missing else tuple(table)


def decimals(numerators: Sequence[int]) -> list[float]:
    """The shortest decimals that `apportion` turns back into these numerators."""
    for digits in range(1, LONGEST):
        rounded = [round(Fraction(value, ONE), digits) for value in numerators]
        if abs(sum(rounded, Fraction(0)) - 1) < Fraction(1, 10**9) and apportion(rounded) == tuple(numerators):
            return [float(value) for value in rounded]
    return [float(round(Fraction(value, ONE), LONGEST)) for value in numerators]


@lru_cache(4096)  # the words of a list have few chances, and a page of its draft writes them twenty times
def decimal(value: int) -> float:
    """The shortest decimal whose nearest numerator is this one."""
    for digits in range(1, LONGEST):
        rounded = round(Fraction(value, ONE), digits)
        if numerator(rounded) == value:
            return float(rounded)
    return float(round(Fraction(value, ONE), LONGEST))
