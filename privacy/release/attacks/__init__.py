"""Attacks on released tables, and what is said of a table that is published: what it still allows, in plain words.

Each attack is tried on every record it can be tried on. Two need the released table alone: re-identification and
homogeneity. The others know more: values that somebody surely does not have (background knowledge), or a table of
people with their names (linking, in `privacy.release.attacks.link`). All were described by Sweeney (2002) and by
Machanavajjhala and others (2007). Their attacks by another release of the same people (complementary release and
temporal attack) have nothing to join where a further table is made from the released one (`privacy.release.coarsen`).
What somebody learns who knows how a table was made (minimality attacks, Wong and others 2007; downcoding, Cohen 2022)
is not looked at, and every release says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Ints
from privacy.design.sentences import Said
from privacy.errors import InputError, to_translate
from privacy.output import format_count
from privacy.release.classes import Classes, compact, number_classes, tally
from privacy.release.measures import ABOUT_ANSWERS, TableMeasures, measure, sizes_alone, worst
from privacy.release.models import Closeness

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


def audit(
    member: Ints, secrets: Mapping[str, Ints], distances: Sequence[Closeness]
) -> tuple[TableMeasures, tuple[Attack, ...]]:
    """Measure the classes of a table and attack them; of several sensitive attributes the worst of each figure.

    Suppressed records are a class. `secrets`: the value of each record as a code, by the name that attacks then have;
    −1 where a record has no such value, or none that is true. `distances`: by which t of each of them is measured.

    >>> from privacy.release.models import EQUAL
    >>> measures, attacks = audit(np.array([0, 0, 1]), {"ill": np.array([0, 1, 1])}, [EQUAL])
    >>> measures.k, [attack.succeeded for attack in attacks]
    (1, [1, 1, 3])
    """
    sizes = tally(member, np.zeros(len(member), np.int64))
    measures, tried = sizes_alone(measure(sizes)), [reidentification(sizes)]
    measured = []
    for (name, codes), distance in zip(secrets.items(), distances, strict=True):
        known = codes >= 0
        if known.any():
            classes = tally(number_classes([member[known]]), codes[known])
            own = measure(classes, distance)
            about = {key: replace(one, about=name) for key in ("rise", "fall") if (one := getattr(own, key))}
            measured.append(replace(own, **about))
            tried += [replace(attack, about=name) for attack in on_secrets(classes)]
    if measured:
        least = worst(measured)
        measures = replace(measures, **{name: getattr(least, name) for name in ABOUT_ANSWERS})
    return measures, tuple(tried)


FOUND = to_translate(
    "Somebody who knows {known} can find the rows of {some} of {of} people, because they are alone with these values."
)
HIDDEN = to_translate("Somebody who knows {known} can find no single row: at least {k} rows are alike in all of this.")
LEARNED = to_translate(
    "For {some} of {of} people “{secret}” can be learned without finding the row: all fitting rows have the same value."
)
UNKNOWN = to_translate("Nobody's “{secret}” can be learned from this table alone: rows that are alike differ in it.")
RULED_OUT = to_translate(
    "Somebody who can rule out one value of “{secret}” for each person learns the right one for {some} of {of} people."
)
ROSE = to_translate(
    "About “{secret}”, somebody who knows {known} goes from {before} in {of} to {after} in {size} for {some} of {of} "
    "people; no belief grows more."
)
ROSE_SURE = to_translate(
    "About “{secret}”, somebody who knows {known} goes from {before} in {of} to certain for {some} of {of} people; no "
    "belief grows more."
)
UNINFORMED = to_translate(
    "About “{secret}”, somebody who knows {known} learns no more than its share in the whole table."
)
METHOD_KNOWN = to_translate("What a reader learns who also knows how the table was made is not part of these figures.")
FELL = to_translate("For {some} of {of} people a value of “{secret}” can be ruled out that {before} of {of} have.")
SUPPRESSED = to_translate(
    "{some} rows are suppressed. People who fit no other class are among them, so all figures count them as a class."
)
SUPPRESSED_ONE = to_translate("1 row is suppressed. A person who fits no other class can be found by this.")
OLDER = (  # in reports that older sites keep, where suppressed rows were in no class
    to_translate(
        "{some} rows are suppressed. A person who fits no class of the table is one of them, so a few suppressed rows "
        "hide nobody."
    ),
    to_translate("1 row is suppressed. It belongs to the person who fits no class of the table, so it hides nobody."),
)
DISTORTED = to_translate("Some rows may carry another value than the true one, on purpose.")
NO_SECRET = to_translate(
    "No column is sensitive, so these figures do not cover what can be learned without finding a row."
)
NO_VALUE = to_translate(
    "{some} of {of} rows have no “{secret}”. That hides nobody, so what is said of it is about the other rows."
)
NO_VALUE_ONE = to_translate(
    "1 of {of} rows has no “{secret}”. That hides nobody, so what is said of it is about the other rows."
)
BEYOND = to_translate("All this assumes that the reader knows no more and sees no other table about the same people.")
_SECRET = to_translate("the sensitive value")


def remaining_risks(
    measures: TableMeasures,
    attacks: Sequence[Attack],
    known: Sequence[str],
    secrets: Sequence[str],
    *,
    suppressed: int = 0,
    missing: Mapping[str, int] | None = None,
    made_by: str = "",
    changes_values: bool = False,
    on_disguised: Sequence[Said] = (),
) -> list[Said]:
    """Say what a table still allows.

    `suppressed`: how many rows are hidden. `missing`: how many have no value, by sensitive column. `made_by`: the
    method, where one made the table; how many values it changed, if it `changes_values`, would tell of single rows.
    `on_disguised`: what is said of columns that are disguised, about which no attack is tried.
    """
    alone, *others = attacks
    names = ", ".join(known)
    the_secret = secrets[0] if len(secrets) == 1 else _SECRET
    if alone.succeeded:
        said = [Said(FOUND, {"known": names, "some": alone.succeeded, "of": alone.tried})]
    else:
        said = [Said(HIDDEN, {"known": names, "k": measures.k})]
    for attack in others:
        secret = attack.about or the_secret
        figures: dict[str, int | str] = {"secret": secret, "some": attack.succeeded, "of": attack.tried}
        if attack.kind == HOMOGENEITY:
            said.append(Said(LEARNED if attack.succeeded else UNKNOWN, figures))
        elif attack.succeeded:
            said.append(Said(RULED_OUT, figures))
    if made_by:
        said.append(Said(METHOD_KNOWN, {}))
    rise, fall = measures.rise, measures.fall
    if rise:
        secret = rise.about or the_secret
        figures = {"secret": secret, "known": names, "before": rise.before, "of": rise.of, "some": rise.rows}
        if rise.growth <= 1:
            said.append(Said(UNINFORMED, {"secret": secret, "known": names}))
        elif rise.after == rise.size:
            said.append(Said(ROSE_SURE, figures))
        else:
            said.append(Said(ROSE, figures | {"after": rise.after, "size": rise.size}))
    if fall and fall.rows:
        figures = {"secret": fall.about or the_secret, "some": fall.rows, "of": fall.of, "before": fall.before}
        said.append(Said(FELL, figures))
    for name, some in (missing or {}).items():
        if some:
            said.append(Said(NO_VALUE if some > 1 else NO_VALUE_ONE, {"secret": name, "some": some, "of": alone.tried}))
    if not secrets and not on_disguised:
        said.append(Said(NO_SECRET, {}))
    if suppressed:
        said.append(Said(SUPPRESSED, {"some": suppressed}) if suppressed > 1 else Said(SUPPRESSED_ONE, {}))
    if changes_values:
        said.append(Said(DISTORTED, {}))
    return [*said, *on_disguised, Said(BEYOND, {})]


def paragraph(said: Sequence[Said]) -> str:
    """Join sentences into one English paragraph.

    >>> paragraph([Said("{some} rows are suppressed.", {"some": 2}), Said("No column is sensitive.", {})])
    '2 rows are suppressed. No column is sensitive.'
    """
    return " ".join(map(str, said))


MOST_SUBSETS = 100_000  # subsets; beyond that nobody reads the list


@dataclass(frozen=True, eq=False)
class Subset:
    """Some of the quasi-identifiers: the smallest class by them alone, and the records that are alone."""

    columns: tuple[str, ...]
    k: int
    alone: Ints

    def to_json(self) -> dict[str, Any]:
        return {"columns": list(self.columns), "k": self.k, "alone": len(self.alone)}


def of_subsets(columns: Mapping[str, ArrayLike], most: int) -> list[Subset]:
    """Look at every subset of the quasi-identifiers that has up to `most` of them.

    The shorter subsets come first, otherwise they are in the order of the columns.
    """
    if most < 1:
        raise InputError(f"subsets: {most} is below 1.")
    most = min(most, len(columns))
    if sum(comb(len(columns), size) for size in range(1, most + 1)) > MOST_SUBSETS:
        raise InputError(
            f"subsets: {len(columns)} quasi-identifiers have more than {format_count(MOST_SUBSETS)} subsets of up to "
            f"{most}."
        )
    names = list(columns)
    codes = [number_classes([column]) for column in columns.values()]
    members: dict[tuple[int, ...], Ints] = {}
    risks = []
    for size in range(1, most + 1):
        for some in combinations(range(len(names)), size):
            member = codes[some[0]]
            if size > 1:
                before, last = members[some[:-1]], codes[some[-1]]
                others = int(last.max()) + 1
                member = compact(before * others + last, (int(before.max()) + 1) * others)[0]
            sizes = np.bincount(member)
            if size < most:
                members[some] = member
            known = tuple(names[place] for place in some)
            risks.append(Subset(known, int(sizes.min()), np.flatnonzero((sizes == 1)[member])))
    return risks
