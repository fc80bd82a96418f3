"""Earlier releases of the same people: a new one may tell, together with them, what none of them tells alone.

A release leaves a *fingerprint*: the class of every person and the sensitive values that are published, in the order of
the table that both were made from. Who holds the releases knows the class of a person in each, and the value is one
that all these classes have (complementary release; a temporal attack where one was made later of the same people). It
must also fit what is left of one class where others are subtracted from it.
A person who matches rows of two releases by everything else that both publish learns more: the row of a person is one
that stands in the classes of both (Sweeney 2002, section 5.2).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Bools, Ints
from privacy.design.reading import document, only_keys
from privacy.errors import InputError
from privacy.files import read_text
from privacy.release.attacks import ABSENT, Attack, bounds, complementary, left_open
from privacy.release.classes import number_classes
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
    def values_beside(self) -> dict[str, Ints]:
        """All published columns besides the quasi-identifiers."""
        return self.secrets | self.others


def newly_disclosed(new: Fingerprint, earlier: Sequence[Fingerprint]) -> dict[str, int]:
    """Count the people of whom releases together tell a sensitive value that none of them tells alone.

    What is sensitive in one of them is so in all. Attributes about which nobody learns anything new are left out.
    Raises `InputError` where a release is of another table.
    """
    counts = {}
    for attribute in new.values_beside:
        known = [new, *(one for one in earlier if attribute in one.values_beside)]
        if not any(attribute in one.secrets for one in known):
            continue
        if any(len(one.member) != len(new.member) for one in known):
            raise InputError("earlier: a release must have the same people in the same number of rows.")
        releases = [(one.member, one.values_beside[attribute]) for one in known]
        together = left_open(releases).sum(axis=1) == 1
        alone = np.logical_or.reduce([(left_open([one]).sum(axis=1) == 1) & (one[0] != ABSENT) for one in releases])
        count = int((together & ~alone).sum())
        if count:
            counts[attribute] = count
    return counts


def newly_found(new: Fingerprint, earlier: Sequence[Fingerprint]) -> int:
    """Count the people whose row two releases find together, and none of them alone, by what stands in both.

    Of each person they leave the rows that stand in both classes, less those that others of these classes must have.
    One is found where these are alike in what both publish, or in one with more columns in all that it publishes.
    """
    exposed = np.zeros(len(new.member), bool)
    for one in earlier:
        common = sorted(new.values_beside.keys() & one.values_beside.keys())
        if common and len(one.member) == len(new.member):
            exposed |= _found_together([new, one], common)
    return int(exposed.sum())


def _found_together(releases: Sequence[Fingerprint], common: Sequence[str]) -> Bools:
    people = len(releases[0].member)
    both = number_classes([np.concatenate([one.values_beside[name] for one in releases]) for name in common])
    values = both[:people], both[people:]
    held = [_by_class(one, own) for one, own in zip(releases, values, strict=True)]
    cells, cell = np.unique(np.stack([one.member for one in releases]), axis=1, return_inverse=True)
    more = [len(one.values_beside) > len(common) for one in releases]
    there = [
        [(rows[own], wider) for rows, own, wider in zip(held, classes, more, strict=True) if own != ABSENT]
        for classes in cells.T.tolist()
    ]
    open_ = [
        (place, value)
        for place, own in enumerate(there)
        for value in set.intersection(*({*rows} for rows, _wider in own))
    ]
    place, value = np.array(open_, np.int64).reshape(-1, 2).T
    size = np.bincount(cell.ravel(), minlength=len(there))[place]
    limits = [(place, size.astype(np.float64), size.astype(np.float64))]
    for one, own, classes in zip(releases, values, cells, strict=True):
        owner = number_classes([np.append(one.member, classes[place]), np.append(own, value)])
        total = np.bincount(owner[:people], minlength=len(owner)).astype(np.float64)[owner[people:]]
        is_there = classes[place] != ABSENT
        limits.append((owner[people:], np.where(is_there, total, 0.0), np.where(is_there, total, np.inf)))
    _least, most = bounds(size, limits)
    left: list[list[int]] = [[] for _ in there]
    for (own_place, own_value), number in zip(open_, most.tolist(), strict=True):
        if number > 0:
            left[own_place].append(own_value)
    is_found = [
        (len(some) == 1 and all(len(rows) > 1 for rows, _wider in own))
        or any(wider and sum(rows.values()) > 1 == sum(rows[value] for value in some) for rows, wider in own)
        for some, own in zip(left, there, strict=True)
    ]
    return np.array(is_found, bool)[cell.ravel()]  # of nobody the list is empty


def _by_class(one: Fingerprint, values: Ints) -> dict[int, Counter[int]]:
    """How many different rows each class has of each of the values that both releases publish."""
    whole = number_classes(list(one.values_beside.values()))
    classes: dict[int, Counter[int]] = defaultdict(Counter)
    for member, value, _row in set(zip(one.member.tolist(), values.tolist(), whole.tolist(), strict=True)):
        classes[member][value] += 1
    return classes


def require_unbroken(new: Fingerprint, earlier: Sequence[Fingerprint]) -> None:
    """Refuse a release that would tell something new together with earlier ones.

    The sentence says which attribute would be revealed, and of how many people; or how many rows would be found.

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


def attack_by_joining(attributes: Sequence[str], new: Fingerprint, earlier: Sequence[Fingerprint]) -> list[Attack]:
    """Try the attack of somebody who joins a release with all earlier ones, on every sensitive attribute.

    >>> ill = {"disease": np.array([0, 1, 2, 3])}
    >>> one = Fingerprint("first", np.array([0, 0, 1, 1]), ill)
    >>> crossing = Fingerprint("second", np.array([0, 1, 1, 0]), ill)
    >>> [(tried.about, tried.succeeded) for tried in attack_by_joining(["disease"], crossing, [one])]
    [('disease', 4)]
    """
    attacks = []
    for name in attributes:
        known = [new, *(one for one in earlier if name in one.values_beside)]
        attacks.append(replace(complementary([(one.member, one.values_beside[name]) for one in known]), about=name))
    return attacks


def check_with_earlier(new: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]]) -> list[Attack]:
    """Refuse a release that would reveal something new together with earlier ones; else return the failed attacks.

    Each is what `Release.fingerprint_json` gives.
    """
    for one in earlier:
        for name in {*new.get("disguised", ()), *one.get("disguised", ())}:
            if all(name in (*kept["secrets"], *kept["others"], *kept.get("disguised", ())) for kept in (new, one)):
                raise ReleaseError("drawn", attribute=name)
    own, *before = align([new, *earlier])
    require_unbroken(own, before)
    return attack_by_joining(list(own.secrets), own, before)


def align(kept: Sequence[Mapping[str, Any]]) -> list[Fingerprint]:
    """Bring releases into one order of all their people, with the same code for the same value; −2 for absent people.

    >>> one = {"people": ["Ada", "Bob"], "member": [0, 0], "secrets": {"ill": ["flu", "cold"]}, "others": {}}
    >>> two = {"people": ["Bob", "Cy"], "member": [0, 0], "secrets": {"ill": ["cold", "flu"]}, "others": {}}
    >>> [(found.member.tolist(), found.secrets["ill"].tolist()) for found in align([one, two])]
    [([0, 0, -2], [0, 1, -2]), ([-2, 0, 0], [-2, 1, 0])]
    """
    by_name = all(one["people"] is not None for one in kept)
    if not by_name and len({len(one["member"]) for one in kept}) > 1:
        raise InputError(
            "earlier: the releases have different people, who need a column with the role identifier and a different "
            "value each."
        )
    everybody = [one["people"] if by_name else range(len(one["member"])) for one in kept]
    place = {person: number for number, person in enumerate(dict.fromkeys(name for some in everybody for name in some))}
    codes: dict[str, dict[str, int]] = {}

    def lay_out(numbers: Sequence[int], people: Sequence[Any]) -> Ints:
        """The numbers of these people as a column of everybody, with `ABSENT` for all others."""
        column = np.full(len(place), ABSENT, np.int64)
        column[[place[person] for person in people]] = numbers
        return column

    def encode_columns(columns: Mapping[str, Sequence[str]], people: Sequence[Any]) -> dict[str, Ints]:
        return {
            name: lay_out(
                [(known := codes.setdefault(name, {})).setdefault(value, len(known)) for value in column], people
            )
            for name, column in columns.items()
        }

    return [
        Fingerprint(
            "",
            lay_out(one["member"], people),
            encode_columns(one["secrets"], people),
            encode_columns(one["others"], people),
        )
        for one, people in zip(kept, everybody, strict=True)
    ]


def read_fingerprint(path: str | Path) -> Mapping[str, Any]:
    """Read the file that `candor anonymize --fingerprint` wrote.

    >>> from tempfile import NamedTemporaryFile
    >>> text = '{"candor": 1, "people": null, "member": [0, 0], "secrets": {"ill": ["flu", "cold"]}, "others": {}}'
    >>> with NamedTemporaryFile("w", suffix=".json") as file:
    ...     _ = file.write(text), file.flush()
    ...     read_fingerprint(file.name)["secrets"]
    {'ill': ['flu', 'cold']}
    """
    entry = document(read_text(path), str(path))
    only_keys(entry, ("candor", "people", "member", "secrets", "others", "disguised"), str(path))
    try:
        people, member = entry["people"], entry["member"]
        columns = [*entry["secrets"].values(), *entry["others"].values()]
        whole = all(isinstance(one, int) and one >= 0 for one in member) and all(
            len(column) == len(member) and all(isinstance(value, str) for value in column) for column in columns
        )
        named = people is None or (len(set(people)) == len(people) == len(member))
        named &= all(isinstance(name, str) for name in entry.get("disguised", ()))
    except (AttributeError, KeyError, TypeError):
        whole = named = False
    if entry.get("candor") != 1 or not (whole and named):
        raise InputError(f"{path}: this is not the fingerprint of a release, as --fingerprint writes it.")
    return entry
