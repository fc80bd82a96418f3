"""What a table does to beliefs: how sure of a sensitive value somebody is before and after it, class by class.

Bayes-optimal privacy after Machanavajjhala and others (2007, section 3): the prior α(q, s) is how likely a value s is
for somebody whose quasi-identifiers q are known, the posterior β(q, s, T*) the same once the table is seen. Priors are
the share of a value in the whole table: that of somebody who knows that a person is in it, and no more than all do.
Then theorem 3.1 makes the posterior the share of the value in the class. `posterior` is the theorem for any prior,
`row_beliefs` applies it to a person who thought one value more likely, or less, than it is among all.

A table whose every posterior is its prior fulfils the uninformative principle.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Floats, Ints
from privacy.errors import InputError
from privacy.guarantee.breach import odds_growth
from privacy.release.classes import NEAR, Classes, number_classes, tally
from privacy.release.models.conditions import largest_posterior

LEVELS = (0.01, 0.05, 0.1, 0.2, 0.5)
"""The ρ₁ for which the least ρ₂ is measured."""


@dataclass(frozen=True)
class Rise:
    """Positive disclosure: the odds of their value grow most for `rows` rows; `before` of `of` records have it.

    In their class `after` of `size` have it. `about` is the sensitive attribute, where there are several.
    """

    rows: int
    before: int
    of: int
    after: int
    size: int
    about: str = ""

    @property
    def growth(self) -> float:
        """How many times the odds of the value grew."""
        return float(odds_growth(Fraction(self.before, self.of), Fraction(self.after, self.size)))

    @property
    def order(self) -> tuple[float, float]:
        """Return the key by which rises are compared; a certainty is worse the less likely the value was before."""
        return self.growth, -self.before / self.of

    def to_json(self) -> dict[str, float]:
        return {"rows": self.rows, "before": self.before / self.of, "after": self.after / self.size}


@dataclass(frozen=True)
class Fall:
    """Negative disclosure: a value that `before` of `of` records have is ruled out for `rows` records."""

    rows: int
    before: int
    of: int
    about: str = ""

    def to_json(self) -> dict[str, float]:
        return {"rows": self.rows, "before": self.before / self.of}


def posterior(counts: ArrayLike, given_person: ArrayLike, given_class: ArrayLike) -> Floats:
    """Compute β(q, s, T*) for every value s: theorem 3.1 of Machanavajjhala and others (2007).

    `counts`: n(q*, s), how many rows of the person's class have each value. `given_person`: f(s | q), how likely each
    value was thought of people with the person's own quasi-identifiers. `given_class`: f(s | q*), the same of
    all people whom the labels of the class cover. Several classes may be given, a row of counts each.

    Of four rows two have the flu, which this person was thought to have half as often as others of the class.

    >>> posterior([2, 2], [0.25, 0.75], [0.5, 0.5]).tolist()
    [0.25, 0.75]
    """
    rows, own, others = (np.asarray(values, float) for values in (counts, given_person, given_class))
    if not rows.shape[-1:] == own.shape == others.shape:
        raise InputError("counts: the counts and both priors must be about the same values.")
    if ((rows > 0) & (others <= 0)).any():
        raise InputError("given_class: a value that rows of the class have was thought impossible.")
    weights = rows * np.divide(own, others, out=np.zeros_like(own), where=others > 0)
    total = weights.sum(axis=-1, keepdims=True)
    if not (total > 0).all():
        raise InputError("counts: no value of the class was thought possible for this person.")
    return np.asarray(weights / total)


def rise(classes: Classes) -> Rise:
    """Find the positive disclosure: the value whose odds grow most in a class, and how many rows that is true of.

    >>> from privacy.release.classes import classes_of
    >>> rise(classes_of([[1, 1, 2, 2]], ["flu", "cold", "ulcer", "ulcer"]))
    Rise(rows=2, before=2, of=4, after=2, size=2, about='')
    """
    of, sizes = classes.records, classes.sizes[classes.owner]
    before = np.bincount(classes.value, weights=classes.count).astype(np.int64)[classes.value]
    outside = sizes - classes.count
    growth = np.divide(
        classes.count * (of - before), before * outside, out=np.full(len(sizes), np.inf), where=outside > 0
    )
    growth[before == of] = 1.0
    most = growth >= growth.max() * (1 - NEAR) if np.isfinite(growth.max()) else np.isinf(growth)
    most &= before == before[most].min()
    place = int(np.flatnonzero(most)[0])
    rows = int(classes.count[most].sum())
    return Rise(rows, int(before[place]), of, int(classes.count[place]), int(sizes[place]))


@dataclass(frozen=True)
class RowBelief:
    """How likely a value of a row, counted from 1, is before the table and after it."""

    row: int
    before: float
    after: float

    @property
    def growth(self) -> float:
        """How many times its odds grow."""
        return float(odds_growth(self.before, self.after))

    def to_json(self) -> dict[str, float]:
        return {"row": self.row, "before": self.before, "after": self.after}


def by_row(member: Ints, secret: Ints) -> tuple[RowBelief, ...]:
    """Say of each row with a value how likely that is before the table and after it, (8) of the notes of 2019.

    Before it is P(s), the share of all rows: the prior (7) is P(s | q), and nobody but its holder knows it. `posterior`
    takes it.

    `member` is the class of each row, `secret` its value, −1 where it is missing.

    >>> member, secret = np.array([0, 0, 1, 1]), np.array([0, 1, 1, -1])
    >>> [(one.row, round(one.before, 2), one.after) for one in by_row(member, secret)]
    [(1, 0.33, 0.5), (2, 0.67, 0.5), (3, 0.67, 1.0)]
    """
    rows = np.flatnonzero(secret >= 0)
    member, secret = number_classes([member[rows]]), secret[rows]
    classes = tally(member, secret)
    values = len(classes.overall)
    order = np.argsort(classes.owner * values + classes.value)
    place = order[np.searchsorted((classes.owner * values + classes.value)[order], member * values + secret)]
    after = (classes.count / classes.sizes[classes.owner])[place].tolist()
    before = classes.overall[secret].tolist()
    return tuple(RowBelief(row + 1, *beliefs) for row, *beliefs in zip(rows.tolist(), before, after, strict=True))


def row_beliefs(member: Ints, secret: Ints, value: int, share: float) -> tuple[RowBelief, ...]:
    """Say of each row how sure somebody is of a value after the table who held it for `share` likely: theorem 3.1.

    Of all other people of the class they think what everybody does: the value is as likely as its share among all
    rows. The other values are to each other as they are among all rows. A class without any value tells nothing.

    >>> member, secret = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, -1])
    >>> [one.after for one in row_beliefs(member, secret, 0, 0.25)]
    [0.25, 0.25, 0.25, 0.25, 0.25]
    """
    sizes, counts = (np.bincount(member, weights=rows) for rows in (secret >= 0, secret == value))
    among, after = counts.sum() / sizes.sum(), np.full(len(sizes), share)
    pairs = np.stack([counts, sizes - counts], axis=-1)[sizes > 0]
    after[sizes > 0] = posterior(pairs, [share, 1 - share], [among, 1 - among])[:, 0]
    return tuple(RowBelief(row, share, own) for row, own in enumerate(after[member].tolist(), start=1))


def fall(classes: Classes) -> Fall:
    """Find the negative disclosure: the commonest value that some class rules out.

    >>> from privacy.release.classes import classes_of
    >>> fall(classes_of([[1, 1, 2, 2]], ["flu", "cold", "flu", "flu"]))
    Fall(rows=2, before=1, of=4, about='')
    """
    values = len(classes.overall)
    before = np.bincount(classes.value, weights=classes.count, minlength=values).astype(np.int64)
    sizes = np.bincount(classes.value, weights=classes.sizes[classes.owner], minlength=values).astype(np.int64)
    rows = np.where(before > 0, classes.records - sizes, 0)  # of the classes that lack a value
    value = int(np.lexsort((rows, np.where(rows > 0, before, 0)))[-1])
    return Fall(int(rows[value]), int(before[value]) if rows[value] else 0, classes.records)


def least_rho2(classes: Classes, rho1: float) -> float | None:
    """Compute the least ρ₂ for which a table is (ρ₁, ρ₂)-private; None where no value has a prior that ρ₁ is about.

    >>> from privacy.release.classes import classes_of
    >>> least_rho2(classes_of([[1, 1, 2, 2]], ["flu", "cold", "flu", "flu"]), 0.3)
    0.5
    >>> least_rho2(classes_of([[1, 1, 2, 2]], ["flu", "cold", "flu", "flu"]), 0.2) is None  # a quarter has a cold
    True
    """
    among = classes.overall[classes.value]
    if not (np.minimum(among, 1 - among) < rho1 - NEAR).any():
        return None
    return float(largest_posterior(classes, rho1).max())
