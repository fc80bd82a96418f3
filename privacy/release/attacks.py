"""Attacks on released tables, each tried on every record it can be tried on; it says how many it gets.

Two need the released table alone: re-identification and homogeneity. The others know more: values that somebody surely
does not have (background knowledge), another release of the same people (complementary release and temporal attack),
or a table of people with their names (linking, in `privacy.release.link`). All were described by Sweeney (2002) and by
Machanavajjhala and others (2007). What somebody learns who knows how a table was made (minimality attacks, Wong and
others 2007; downcoding, Cohen 2022) is not looked at, and every release says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.errors import InputError
from privacy.release.classes import Classes, number_classes

HOMOGENEITY = "homogeneity"
ABSENT = -2  # the class of a person who is not in a release; older sites write -1 for suppressed rows, a class


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
    """Try re-identification, homogeneity, and the attack by somebody who can rule out one sensitive value.

    Re-identification succeeds where a record is alone in its class: a person who knows these values knows whose it is.
    The homogeneity attack succeeds where all records of a class have one sensitive value: it is then known of each of
    them, however large the class (Machanavajjhala and others 2007).

    >>> from privacy.release.classes import classes_of
    >>> [attack.succeeded for attack in attacks(classes_of([[20, 30, 30]], ["flu", "flu", "flu"]))]
    [1, 3, 3]
    """
    return reidentification(classes), *on_secrets(classes)


def reidentification(classes: Classes) -> Attack:
    """Try to find people whose class is a single row; this needs no sensitive attribute."""
    return Attack("re-identification", classes.records, int((classes.sizes == 1).sum()))


def on_secrets(classes: Classes) -> tuple[Attack, Attack]:
    """Try homogeneity, and ruling out one value, on the sensitive attribute of the classes."""
    known = int(classes.sizes[classes.distinct == 1].sum())
    return Attack(HOMOGENEITY, classes.records, known), background(classes)


def background(classes: Classes) -> Attack:
    """Try the background-knowledge attack: somebody rules out one sensitive value of a person.

    It succeeds on a record where its own value may be the only one that is left: its class has at most two.
    """
    known = classes.sizes[classes.distinct <= 2]
    return Attack("background knowledge of 1", classes.records, int(known.sum()))


MOST_COUNTS = 5_000  # of values in cells that three or more releases share: of more no program is solved
NODES = 1_000  # of a program, after which it is too hard


def complementary(releases: Sequence[tuple[Ints, Ints]]) -> Attack:
    """Try to learn sensitive values by joining releases of the same people.

    `releases`: for each release the class of every person, and the code of the sensitive value that is published of
    this person. People are in the same order in all of them. Those who are suppressed are a class; who is not in a
    release has the class `ABSENT` there, and no value. Where people come and go it is called a temporal attack.
    It succeeds on a person of whom `left_open` leaves one sensitive value.

    Two releases with classes of two illnesses each; together they tell of everybody.

    >>> ill = np.array([0, 1, 2, 3])
    >>> complementary([(np.array([0, 0, 1, 1]), ill), (np.array([0, 1, 1, 0]), ill)]).succeeded
    4
    """
    is_found = left_open(releases).sum(axis=1) == 1
    changed = any((member == ABSENT).any() for member, _ in releases)
    return Attack("temporal" if changed else "complementary release", len(is_found), int(is_found.sum()))


def left_open(releases: Sequence[tuple[Ints, Ints]]) -> Bools:
    """Say for every person which sensitive values the releases together leave possible.

    People who share their class in all releases are a cell. A class tells how often a value occurs in its cells
    together, so that the others bound how often it does in one: classes are subtracted from each other until no bound
    moves (the shuttle algorithm of Buzzigoli and Giusti 1999). It finds all that nested classes tell, and two releases.
    Classes of three or more cross in rings, so that programs look for counts that fit all of them at once; of more
    than `MOST_COUNTS` counts they would take too long.

    `releases`: as for `complementary`. Returns a row for each person, a column for each value that somebody has.

    The third person is among two in one release and among three in the other: the difference is the own value.

    >>> ill = np.array([0, 1, 1, 0])
    >>> left_open([(np.array([0, 0, 1, 1]), ill), (np.array([0, 0, 0, 1]), ill)]).tolist()
    [[True, True], [True, True], [False, True], [True, False]]
    """
    people = len(releases[0][0])
    if any(len(member) != people or len(secret) != people for member, secret in releases):
        raise InputError("releases: they are not about the same people.")
    cell = number_classes([member for member, _ in releases])
    size, someone = np.bincount(cell), np.unique(cell, return_index=True)[1]
    owners = [number_classes([member]) for member, _ in releases]
    is_there = [(member != ABSENT)[someone] for member, _ in releases]
    values = np.unique(np.concatenate([secret[member != ABSENT] for member, secret in releases]))
    possible = np.ones((len(size), len(values)), bool)
    for place, value in enumerate(values.tolist()):
        classes = []
        for owner, known, (_, secret) in zip(owners, is_there, releases, strict=True):
            total = np.bincount(owner, weights=secret == value).astype(np.float64)[owner[someone]]
            classes.append((owner[someone], np.where(known, total, 0.0), np.where(known, total, np.inf)))
        least, most = bounds(size, classes)
        possible[:, place] &= most > 0
        possible[least == size] &= values == value
    if len(releases) > 2 and possible.size <= MOST_COUNTS:
        cells = [np.where(known, owner[someone], -1) for owner, known in zip(owners, is_there, strict=True)]
        held = [
            np.stack([np.bincount(owner, weights=secret == value) for value in values.tolist()], axis=1)
            for owner, (_, secret) in zip(owners, releases, strict=True)
        ]
        stated = np.select([member != ABSENT for member, _ in releases], [secret for _, secret in releases])
        codes = np.searchsorted(values, stated)
        own = codes[someone]
        several = np.bincount(cell, weights=codes != own[cell]) > 0
        settled = ~_other_values(size, cells, held, np.where(several, -1, own))
        possible[settled] &= np.arange(len(values)) == own[settled, np.newaxis]
    return np.asarray(possible[cell])


def _other_values(size: Ints, owners: Sequence[Ints], held: Sequence[Ints], own: Ints) -> Bools:
    """Say for each cell whether somebody in it may have another value than its `own`, −1 where there are several.

    `owners`: by release the class of each cell, −1 where it is absent; `held`: how often each value occurs in each
    class. Each program asks for counts that fit all classes, in which as many cells as can be have another value.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # slow to import
    from scipy.sparse import csr_array, eye_array, hstack

    cells, values = len(size), held[0].shape[1]
    places, count = np.arange(cells * values).reshape(cells, values), cells * values
    rows, columns, right, first = [np.repeat(np.arange(cells), values)], [places.ravel()], [size.astype(float)], cells
    for owner, counts in zip(owners, held, strict=True):
        there = np.flatnonzero(owner >= 0)
        used, number = np.unique(owner[there], return_inverse=True)
        rows.append((first + number[:, np.newaxis] * values + np.arange(values)).ravel())
        columns.append(places[there].ravel())
        right.append(counts[used].ravel())
        first += len(used) * values
    row, column, exact = np.concatenate(rows), np.concatenate(columns), np.concatenate(right)
    fixed = csr_array((np.ones(len(row)), (row, column)), (first, count + cells))
    alone = np.flatnonzero(own >= 0)
    theirs = csr_array((np.ones(len(alone)), (alone, places[alone, own[alone]])), (cells, count))
    rules = [LinearConstraint(fixed, exact, exact), LinearConstraint(hstack([theirs, eye_array(cells)]), ub=size)]
    ends, whole = Bounds(0, np.repeat([np.inf, 1.0], [count, cells])), np.repeat([1, 0], [count, cells])
    open_ = own < 0
    while not open_.all():
        sought = np.concatenate([np.zeros(count), np.where(open_, 0.0, -1.0)])
        solved = milp(sought, integrality=whole, bounds=ends, constraints=rules, options={"node_limit": NODES})
        if not solved.success:  # too hard; or values were changed on purpose, and the releases contradict each other
            return np.ones(cells, bool)
        found = ~open_ & (solved.x[count:] > 1 / 2)
        if not found.any():
            break
        open_ |= found
    return np.asarray(open_)


def bounds(size: Ints, classes: Sequence[tuple[Ints, Floats, Floats]]) -> tuple[Floats, Floats]:
    """How often a value occurs in each cell, at least and at most.

    `classes`: by release the class of each cell, and how often the value occurs there, at least and at most.
    """
    least, most = np.zeros(len(size)), np.minimum.reduce([size, *(total for *_, total in classes)])
    while True:
        low, high = least, most
        for owner, fewest, total in classes:
            others = [np.bincount(owner, weights=bound)[owner] - bound for bound in (low, high)]
            low, high = np.maximum(low, fewest - others[1]), np.minimum(high, total - others[0])
        if (low > high).any():  # values were changed on purpose, and the releases contradict each other
            return np.zeros(len(size)), most
        if (low == least).all() and (high == most).all():
            return least, most
        least, most = low, high
