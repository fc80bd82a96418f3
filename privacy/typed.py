"""Numbers as people type them in a command or a file. Nothing here is slow to import."""

from argparse import ArgumentTypeError
from math import isinf

from privacy.errors import InputError


def number(text: str) -> float:
    """The number that somebody wrote, as a decimal or as a fraction such as 1/7; InputError where no float holds it.

    >>> number(".25"), number("1/4")
    (0.25, 0.25)
    >>> number("1e-400")
    Traceback (most recent call last):
    privacy.errors.InputError: '1e-400' is too small a number.
    """
    from privacy.design.rationals import parse_fraction, vanishes
    from privacy.design.reading import quote

    try:
        if "/" not in text:
            read, is_too_small = float(text), vanishes(text)
        elif (exact := parse_fraction(text)) is not None:
            read, is_too_small = float(exact), bool(exact) and not float(exact)
        else:
            raise ValueError
    except OverflowError:
        raise InputError(f"{quote(text)} is too large a number.") from None
    except ValueError:
        raise InputError(f"{quote(text)} is not a number.") from None
    if isinf(read) and "n" not in text.lower():  # inf itself may be meant
        raise InputError(f"{quote(text)} is too large a number.")
    if is_too_small:
        raise InputError(f"{quote(text)} is too small a number.")
    return read


def number_option(text: str) -> float:
    """`number` as the type of an option of `argparse`, which then says why a number is refused.

    >>> number_option("0.5")
    0.5
    """
    try:
        return number(text)
    except InputError as error:
        raise ArgumentTypeError(str(error)) from None
