"""Attacks on released tables, each tried on every record it can be tried on; it says how many it gets.

Two need the released table alone: re-identification and homogeneity. The others know more: values that somebody surely
does not have (background knowledge), a table of people with their names (linking), or another release of the same
people (complementary release and temporal attack; row order). All were described by Sweeney (2002) and by
Machanavajjhala and others (2007).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.errors import InputError
from privacy.release.classes import Classes, numbered

__all__ = [
    "HOMOGENEITY",
    "Attack",
    "attacks",
    "background",
    "complementary",
    "linking",
    "on_secrets",
    "reidentification",
    "row_order",
]

Ints = NDArray[np.int64]
HOMOGENEITY = "homogeneity"


@dataclass(frozen=True)
class Attack:
    """On how many records an attack was tried, and on how many it succeeded.

    `about` is the sensitive attribute, where there are several.
    """

    kind: str
    tried: int
    succeeded: int
    about: str = ""

    @property
    def name(self) -> str:
        return f"{self.kind} ({self.about})" if self.about else self.kind

    @property
    def share(self) -> float:
        return self.succeeded / self.tried if self.tried else 0.0

    def to_json(self) -> dict[str, Any]:
        """An entry of the member `attacks` of `candor measure --json`."""
        return {"name": self.name, "tried": self.tried, "succeeded": self.succeeded, "share": self.share}


def attacks(classes: Classes) -> tuple[Attack, ...]:
    """Try re-identification, the homogeneity attack, and the attack of who can rule out one value.

    Re-identification succeeds where a record is alone in its class: whoever knows these values knows whose it is. The
    homogeneity attack succeeds where all records of a class have one sensitive value: it is then known of each of them,
    however large the class (Machanavajjhala and others 2007).

    Parameters
    ----------
    classes : Classes
        The table, divided into classes. Suppressed records count as tried and not as found. Whoever fits no class is
        one of them, so that few suppressed records are found all the same; `candor.anonymize` says so.

    Returns
    -------
    tuple of Attack

    Examples
    --------
    >>> from privacy.release.classes import classes_of
    >>> [attack.succeeded for attack in attacks(classes_of([[20, 30, 30]], ["flu", "flu", "flu"]))]
    [1, 3, 3]
    """
    return reidentification(classes), *on_secrets(classes)


def reidentification(classes: Classes) -> Attack:
    """Try to find people whose class is one row; of any sensitive attribute the same."""
    return Attack("re-identification", classes.records + classes.suppressed, int((classes.sizes == 1).sum()))


def on_secrets(classes: Classes) -> tuple[Attack, Attack]:
    """Try the attacks that ask for the sensitive attribute of the classes."""
    known = int(classes.sizes[classes.distinct == 1].sum())
    return Attack(HOMOGENEITY, classes.records + classes.suppressed, known), background(classes)


def background(classes: Classes, ruled_out: int = 1) -> Attack:
    """Try the background-knowledge attack: somebody rules out some sensitive values of a person.

    Parameters
    ----------
    classes : Classes
        The table, divided into classes.
    ruled_out : int
        How many values the attacker knows that the person does not have.

    Returns
    -------
    Attack
        It succeeds on a record where its own value may be the only one that is left: its class has at most one more
        value than can be ruled out.

    Examples
    --------
    >>> from privacy.release.classes import classes_of
    >>> background(classes_of([[20, 20, 20, 30, 30, 30]], ["flu", "cold", "flu", "flu", "cold", "gout"])).succeeded
    3
    """
    if ruled_out < 0:
        raise InputError(f"ruled_out: {ruled_out} is below 0.")
    known = classes.sizes[classes.distinct <= ruled_out + 1]
    return Attack(f"background knowledge of {ruled_out}", classes.records + classes.suppressed, int(known.sum()))


def linking(sizes: Ints, matches: Ints) -> Attack:
    """Try to link people of an outside table, who have names, with rows of the released table.

    Parameters
    ----------
    sizes : array of int
        The size of each class of the released table.
    matches : array of int
        For each person of the outside table the class whose labels cover what is known of the person; −1 where none
        does.

    Returns
    -------
    Attack
        It succeeds where just one row is left.

    Examples
    --------
    >>> linking(np.array([1, 3]), np.array([0, 1, 1, -1])).to_json()["succeeded"]
    1
    """
    known = matches[matches >= 0]
    return Attack("linking", len(matches), int((sizes[known] == 1).sum()))


def complementary(releases: Sequence[tuple[Ints, Ints]]) -> Attack:
    """Try to join releases of the same people: what each leaves open, all together may not.

    Parameters
    ----------
    releases : sequence of (array of int, array of int)
        For each release the class of every person, −1 where the person is suppressed or not in it, and the code of the
        sensitive value that is published of this person. People are in the same order in all of them.

    Returns
    -------
    Attack
        It succeeds on a person whose sensitive value is the only one that the classes of all releases share.

    Examples
    --------
    Two releases with classes of two illnesses each; together they tell of everybody.

    >>> ill = np.array([0, 1, 2, 3])
    >>> complementary([(np.array([0, 0, 1, 1]), ill), (np.array([0, 1, 1, 0]), ill)]).succeeded
    4
    """
    people = len(releases[0][0])
    if any(len(member) != people or len(secret) != people for member, secret in releases):
        raise InputError("releases: they are not about the same people.")
    values = 1 + max(int(secret.max(initial=0)) for _, secret in releases)
    open_values = np.ones((people, values), bool)
    disclosed = np.zeros(people, bool)
    for member, secret in releases:
        shown = member >= 0
        if not shown.any():
            continue
        in_class = np.zeros((int(member.max()) + 1, values), bool)
        in_class[member[shown], secret[shown]] = True
        open_values[shown] &= in_class[member[shown]]
        disclosed |= shown
    return Attack("complementary release", people, int((disclosed & (open_values.sum(axis=1) == 1)).sum()))


def row_order(releases: Sequence[tuple[Sequence[Sequence[Any]], Ints]]) -> Attack:
    """Try to join two releases of the same people row by row (the unsorted matching attack).

    Parameters
    ----------
    releases : sequence of (columns, array of int)
        For each release the columns of its quasi-identifiers in the order in which it was published, and who stands in
        each row. The attacker does not know the latter, but whoever audits a release does.

    Returns
    -------
    Attack
        It succeeds on a row where all releases have the same person, who is alone with the labels of all of them and
        is alone in none.

    Examples
    --------
    >>> ages, sexes = [["1*", "1*", "2*", "2*"]], [["f", "m", "f", "m"]]
    >>> row_order([(ages, np.arange(4)), (sexes, np.arange(4))]).succeeded
    4
    """
    lengths = {len(people) for _, people in releases} | {len(column) for columns, _ in releases for column in columns}
    if len(lengths) != 1:
        raise InputError("releases: they have different numbers of rows.")
    members = [numbered(columns) for columns, _ in releases]
    alone = np.logical_or.reduce([np.bincount(member)[member] == 1 for member in members])
    same = np.logical_and.reduce([people == releases[0][1] for _, people in releases])
    joined = numbered(members)
    return Attack("row order", lengths.pop(), int(((np.bincount(joined)[joined] == 1) & same & ~alone).sum()))
