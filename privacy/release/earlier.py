"""Earlier releases of the same people: a new one may tell, together with them, what none of them tells alone.

A release leaves a *fingerprint*: the class of every person and the sensitive values that are published, in the order of
the table that both were made from. Who holds the releases knows the class of a person in each, and the value is one
that all these classes have (complementary release; a temporal attack where one was made later of the same people). It
must also fit what is left of one class where others are subtracted from it.
A person who matches rows of two releases by everything else that both publish learns more: the row of a person is one
that stands in the classes of both (Sweeney 2002, section 5.2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Ints
from privacy.design.reading import document, only_keys
from privacy.errors import InputError
from privacy.files import read_text
from privacy.release.attacks import ABSENT, Attack, complementary, left_open
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

    >>> ill = {"disease": np.array([0, 1, 2, 3])}
    >>> one = Fingerprint("first", np.array([0, 0, 1, 1]), ill)
    >>> newly_disclosed(Fingerprint("second", np.array([0, 1, 1, 0]), ill), [one])
    {'disease': 4}
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

    Both answers are open by themselves, and only one combination of them stands in both classes of each person.

    >>> said = {"drugs": np.array([0, 0, 1, 1]), "theft": np.array([0, 1, 0, 1])}
    >>> one = Fingerprint("first", np.array([0, 1, 1, 0]), said)
    >>> newly_found(Fingerprint("second", np.array([0, 0, 1, 1]), said), [one])
    4
    """
    exposed = np.zeros(len(new.member), bool)
    for one in earlier:
        common = sorted(new.values_beside.keys() & one.values_beside.keys())
        if not common or len(one.member) != len(new.member):
            continue
        people = len(new.member)
        rows = number_classes([np.concatenate([new.values_beside[name], one.values_beside[name]]) for name in common])
        here, there = _by_class(new.member, rows[:people]), _by_class(one.member, rows[people:])
        pairs, of_person = np.unique(np.stack([new.member, one.member]), axis=1, return_inverse=True)
        is_single = [
            ABSENT not in (own, other) and len(here[own]) > 1 < len(there[other]) and len(here[own] & there[other]) == 1
            for own, other in pairs.T.tolist()
        ]
        exposed |= np.array(is_single, bool)[of_person.ravel()]  # of nobody the list is empty
    return int(exposed.sum())


def _by_class(member: Ints, rows: Ints) -> dict[int, set[int]]:
    """The set of row contents (by number) that stand in each class."""
    classes: dict[int, set[int]] = {}
    for own, row in zip(member.tolist(), rows.tolist(), strict=True):
        classes.setdefault(own, set()).add(row)
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
        known = [new, *(one for one in earlier if name in one.secrets)]
        attacks.append(replace(complementary([(one.member, one.secrets[name]) for one in known]), about=name))
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
