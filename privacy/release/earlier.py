"""Earlier releases of the same people: a new one may tell, together with them, what none of them tells alone.

A release leaves a *fingerprint*: the class of every person and the sensitive values that are published, in the order of
the table that both were made from. Who holds the releases knows the class of a person in each, and the value is one
that all these classes have (complementary release; a temporal attack where one was made later of the same people).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privacy.errors import EntryError, InputError

__all__ = ["Fingerprint", "newly_told", "require_unbroken"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """A release of a table: for every row its class (−1: suppressed), and the code of its value, by attribute."""

    name: str
    member: Ints
    secrets: dict[str, Ints]


def newly_told(new: Fingerprint, earlier: Sequence[Fingerprint]) -> dict[str, int]:
    """Count the people of whom releases together tell a sensitive value that none of them tells alone.

    Parameters
    ----------
    new : Fingerprint
        The release that is asked for.
    earlier : sequence of Fingerprint
        Those that were published, of the same people in the same order.

    Returns
    -------
    dict of str to int
        By sensitive attribute; attributes of which nothing new is told are left out.

    Raises
    ------
    InputError
        Where a release is of another table.

    Examples
    --------
    >>> ill = {"disease": np.array([0, 1, 2, 3])}
    >>> one = Fingerprint("first", np.array([0, 0, 1, 1]), ill)
    >>> newly_told(Fingerprint("second", np.array([0, 1, 1, 0]), ill), [one])
    {'disease': 4}
    """
    found = {}
    for attribute in new.secrets:
        known = [new, *(one for one in earlier if attribute in one.secrets)]
        if any(len(one.member) != len(new.member) for one in known):
            raise InputError("earlier: a release is of other people, or of another number of them.")
        values = 1 + max(int(one.secrets[attribute].max(initial=0)) for one in known)
        left = [_left_open(one, attribute, values) for one in known]
        together = np.logical_and.reduce(left).sum(axis=1) == 1
        alone = np.logical_or.reduce([own.sum(axis=1) == 1 for own in left])
        count = int((together & ~alone).sum())
        if count:
            found[attribute] = count
    return found


def require_unbroken(new: Fingerprint, earlier: Sequence[Fingerprint]) -> None:
    """Refuse a release that would tell something new together with earlier ones.

    Parameters
    ----------
    new : Fingerprint
        The release that is asked for.
    earlier : sequence of Fingerprint
        Those that were published.

    Raises
    ------
    EntryError
        The sentence says of how many people which attribute would be told.
    """
    for attribute, count in newly_told(new, earlier).items():
        raise EntryError(
            "Together with earlier releases of the same people this one would tell “{attribute}” of {count} of them, "
            "which no release tells alone; take coarser levels, or the same ones as before.",
            attribute=attribute,
            count=count,
        )


def _left_open(release: Fingerprint, attribute: str, values: int) -> Bools:
    """For every person the sensitive values that the release leaves possible: those of the class.

    Whoever is suppressed is one of the suppressed, and has one of their values.
    """
    classes = release.member + 1  # the suppressed are 0
    open_values = np.zeros((int(classes.max(initial=0)) + 1, values), bool)
    open_values[classes, release.secrets[attribute]] = True
    return np.asarray(open_values[classes])
