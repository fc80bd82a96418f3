"""Earlier releases of the same people: a new one may tell, together with them, what none of them tells alone.

A release leaves a *fingerprint*: the class of every person and the sensitive values that are published, in the order of
the table that both were made from. Who holds the releases knows the class of a person in each, and the value is one
that all these classes have (complementary release; a temporal attack where one was made later of the same people). It
must also fit what is left of one class where others are subtracted from it.
Whoever sets rows of two releases side by side by all that both publish besides learns more: the row of a person is one
that stands in the classes of both (Sweeney 2002, section 5.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from privacy.arrays import Ints
from privacy.errors import InputError
from privacy.release.attacks import left_open
from privacy.release.classes import numbered
from privacy.release.reasons import ReleaseError


@dataclass(frozen=True, eq=False)
class Fingerprint:
    """A release of a table: for every row its class, and the code of its value, by attribute.

    Suppressed rows are a class. `others` are the columns that are published as they are.
    """

    name: str
    member: Ints
    secrets: dict[str, Ints]
    others: dict[str, Ints] = field(default_factory=dict)

    @property
    def beside(self) -> dict[str, Ints]:
        """All that stands beside the quasi-identifiers."""
        return self.secrets | self.others


def newly_disclosed(new: Fingerprint, earlier: Sequence[Fingerprint]) -> dict[str, int]:
    """Count the people of whom releases together tell a sensitive value that none of them tells alone.

    Attributes of which nothing new is told are left out. Raises `InputError` where a release is of another table.

    >>> ill = {"disease": np.array([0, 1, 2, 3])}
    >>> one = Fingerprint("first", np.array([0, 0, 1, 1]), ill)
    >>> newly_disclosed(Fingerprint("second", np.array([0, 1, 1, 0]), ill), [one])
    {'disease': 4}
    """
    counts = {}
    for attribute in new.secrets:
        known = [new, *(one for one in earlier if attribute in one.secrets)]
        if any(len(one.member) != len(new.member) for one in known):
            raise InputError("earlier: a release must have the same people in the same number of rows.")
        releases = [(one.member, one.secrets[attribute]) for one in known]
        together = left_open(releases).sum(axis=1) == 1
        alone = np.logical_or.reduce([left_open([one]).sum(axis=1) == 1 for one in releases])
        count = int((together & ~alone).sum())
        if count:
            counts[attribute] = count
    return counts


def newly_found(new: Fingerprint, earlier: Sequence[Fingerprint]) -> int:
    """Count the people whose row two releases find together, and none of them alone, by what stands in both.

    Both answers are open by themselves, and only one combination of them stands in both classes of each person.

    >>> said = {"drugs": np.array([0, 0, 1, 1]), "theft": np.array([0, 1, 0, 1])}
    >>> one = Fingerprint("first", np.array([0, 1, 1, 0]), said)
    >>> newly_found(Fingerprint("second", np.array([0, 0, 1, 1]), said), [one])
    4
    """
    exposed = np.zeros(len(new.member), bool)
    for one in earlier:
        common = sorted(new.beside.keys() & one.beside.keys())
        if not common or len(one.member) != len(new.member):
            continue
        people = len(new.member)
        rows = numbered([np.concatenate([new.beside[name], one.beside[name]]) for name in common])
        here, there = _by_class(new.member, rows[:people]), _by_class(one.member, rows[people:])
        pairs, of_person = np.unique(np.stack([new.member, one.member]), axis=1, return_inverse=True)
        is_single = [
            len(here[own]) > 1 < len(there[other]) and len(here[own] & there[other]) == 1
            for own, other in pairs.T.tolist()
        ]
        exposed |= np.array(is_single)[of_person.ravel()]
    return int(exposed.sum())


def _by_class(member: Ints, rows: Ints) -> dict[int, set[int]]:
    classes: dict[int, set[int]] = {}
    for own, row in zip(member.tolist(), rows.tolist(), strict=True):
        classes.setdefault(own, set()).add(row)
    return classes


def require_unbroken(new: Fingerprint, earlier: Sequence[Fingerprint]) -> None:
    """Refuse a release that would tell something new together with earlier ones.

    The sentence says of how many people which attribute would be told, or how many rows would be found.

    >>> ill = {"disease": np.array([0, 1, 2, 3])}
    >>> one = Fingerprint("first", np.array([0, 0, 1, 1]), ill)
    >>> require_unbroken(Fingerprint("second", np.array([0, 0, 1, 1]), ill), [one])  # the same classes tell no more
    >>> require_unbroken(Fingerprint("third", np.array([0, 1, 1, 0]), ill), [one])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    privacy.release.reasons.ReleaseError: Together with ... this one would reveal “disease” of 4 of them; ...
    """
    for attribute, count in newly_disclosed(new, earlier).items():
        raise ReleaseError("disclosed", attribute=attribute, count=count)
    if count := newly_found(new, earlier):
        raise ReleaseError("joined", count=count)
