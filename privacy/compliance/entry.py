"""Errors of entering forms: how many there are, from forms that two people entered, and figures without them.

An error turns a record over with the chance e, whatever it says, so that u and v become e + (1−2e)u and e + (1−2e)v.
Two entries of one record then differ with the chance d = 2e(1−e).
"""

from math import sqrt

from privacy.errors import InputError


def entry_error(differing: int, entered_twice: int) -> float:
    """The chance that an entry is wrong, from how many of the records that were entered twice differ.

    >>> round(entry_error(8, 400), 6)
    0.010102
    """
    if not 0 <= differing <= entered_twice or entered_twice == 0:
        raise InputError(f"entry: {differing} of {entered_twice} records that were entered twice cannot differ.")
    if 2 * differing >= entered_twice:
        raise InputError("entry: half of the records that were entered twice differ, so entries tell nothing.")
    return (1 - sqrt(1 - 2 * differing / entered_twice)) / 2


def share_without_errors(share: float, error: float) -> float:
    """A share of records 1, as it would be if all were entered as they are: (λ′ − e)/(1 − 2e).

    >>> round(share_without_errors(0.2795, 0.01), 6)
    0.275
    """
    return (share - error) / (1 - 2 * error)
