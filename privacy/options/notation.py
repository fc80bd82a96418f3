"""Numbers as people type them, and what the arguments of commands have a notation for.

Each function reads one, and refuses it in a sentence. Nothing here is slow to import.
"""

from argparse import ArgumentTypeError
from collections.abc import Sequence
from fractions import Fraction
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


def words(text: str) -> list[str]:
    """Split a text into the words between commas.

    >>> words("age, sex"), words("")
    (['age', 'sex'], [])
    """
    return [word.strip() for word in text.split(",")] if text.strip() else []


def pair_of_numbers(text: str) -> list[float]:
    """Read the numbers between commas; the analysis then checks that there are two.

    >>> pair_of_numbers("0.3,3")
    [0.3, 3.0]
    """
    return [number(one) for one in text.split(",")]


def prevalence(text: str) -> str | list[str] | dict[str, str]:
    """One share of all items, one of each in their order, or one of each by its name.

    >>> prevalence("rare"), prevalence("rare,0.2"), prevalence("drugs=rare,theft=0.2")
    ('rare', ['rare', '0.2'], {'drugs': 'rare', 'theft': '0.2'})
    """
    entries = [entry.strip() for entry in text.split(",")]
    if all("=" in entry for entry in entries):
        pairs = [entry.rpartition("=")[::2] for entry in entries]
        if twice := next((name for index, (name, _) in enumerate(pairs) if name in dict(pairs[:index])), None):
            raise InputError(f"prevalence: {twice!r} is named twice.")
        return {name.strip(): share.strip() for name, share in pairs}
    return entries if len(entries) > 1 else entries[0]


def lists(texts: Sequence[str]) -> list[list[str]]:
    """Split each text at its commas."""
    return [text.split(",") for text in texts]


def values_by_column(texts: Sequence[str]) -> dict[str, list[str]]:
    """The values that columns may have, from texts such as "sex=f,m".

    >>> values_by_column(["sex=f,m"])
    {'sex': ['f', 'm']}
    """
    values: dict[str, list[str]] = {}
    for text in texts:
        name, equals, listed = text.partition("=")
        if not equals or name in values:
            raise InputError(f"values: “{text}” is not a new column with its values, such as sex=f,m.")
        values[name] = listed.split(",")
    return values


def value_and_share(text: str) -> tuple[str, str]:
    """A value, and how likely somebody held it.

    >>> value_and_share("flu=1/7")
    ('flu', '1/7')
    """
    from privacy.design.reading import quote

    value, equals, share = text.rpartition("=")
    if not equals:
        raise InputError(f"belief: {quote(text)} is not VALUE=SHARE, such as flu=1/7.")
    return value, share


def shares_by_answer(texts: Sequence[str]) -> dict[str, float | tuple[float, ...]]:
    """The known share of each answer, or the two bounds between which it lies.

    >>> shares_by_answer(["never:0..0.01", "always:1"])
    {'never': (0.0, 0.01), 'always': 1.0}
    """
    known: dict[str, float | tuple[float, ...]] = {}
    for text in texts:
        answer, colon, share = text.rpartition(":")
        if not colon or answer.strip() in known:
            raise InputError(
                f"--anchor: {text!r} is not a new answer and its share, such as never:0, or never:0..0.01 for bounds."
            )
        try:
            ends = tuple(number(end) for end in share.split(".."))
        except InputError as error:
            raise InputError(f"--anchor: {error}") from None
        known[answer.strip()] = ends if len(ends) > 1 else ends[0]
    return known


def chance(text: str) -> Fraction:
    """Read a share from 0 to 1 exactly, as a decimal or a fraction.

    >>> chance("1/7")
    Fraction(1, 7)
    """
    from privacy.design.rationals import parse_fraction
    from privacy.design.reading import quote

    share = parse_fraction(text)
    if share is None or not 0 <= share <= 1:
        raise InputError(f"direct: {quote(text)} is not a share from 0 to 1.")
    return share


def seed(text: str) -> int:
    """Read the whole number that makes randomness repeatable; it may have more digits than other numbers.

    >>> seed("7")
    7
    """
    from privacy.design.arguments import LONGEST_SEED
    from privacy.design.reading import quote

    if not text.isdecimal() or len(text) > LONGEST_SEED:
        raise InputError(f"seed: {quote(text)} is not a whole number from 0, of {LONGEST_SEED} digits at most.")
    return int(text)
