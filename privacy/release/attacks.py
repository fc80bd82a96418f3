"""Attacks on released tables, each tried on every record it can be tried on; it says how many it gets.

Two need the released table alone: re-identification and homogeneity. The others know more: values that somebody surely
does not have (background knowledge), or a table of people with their names (linking, in `privacy.release.link`). All
were described by Sweeney (2002) and by Machanavajjhala and others (2007). Their attacks by another release of the same
people (complementary release and temporal attack) have nothing to join where a further table is made from the released
one (`privacy.release.coarsen`). What somebody learns who knows how a table was made (minimality attacks, Wong and
others 2007; downcoding, Cohen 2022) is not looked at, and every release says so.
"""

from dataclasses import dataclass
from typing import Any

from privacy.release.classes import Classes

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
