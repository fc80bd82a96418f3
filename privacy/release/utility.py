"""How much each quasi-identifier tells of each sensitive value, and sensitive values gathered by that.

After Zhu, Zhao and Wang (2010, sections 3.1 and 4.2): u is the share of an attribute's range, or of its different
values, that records with a sensitive value take up. The smaller u, the more useful the attribute is for this value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Floats, Ints
from privacy.design.reading import quote
from privacy.errors import EntryError, InputError
from privacy.release.covers import Space
from privacy.release.reasons import ReleaseError
from privacy.release.tables import read_table

RESTARTS = 50  # of the search for clusters, before one cluster fewer is tried
ROUNDS = 100
LEVELS = {"very high": 0.1, "high": 0.3, "medium": 0.5, "low": 0.7, "very low": 0.9}
"""The u of an expert's five levels of utility (Zhu, Zhao and Wang 2010, section 3.1): a small u is very useful. The
paper names the levels and gives no numbers; these are the middles of five equal parts."""


@dataclass(frozen=True)
class Utility:
    """The source of the utilities, and how they weigh.

    `matrix` is an expert's: for each sensitive value the u of each quasi-identifier; None takes them from the data.
    """

    matrix: Mapping[str, Mapping[str, float]] | None = None
    inverse: bool = False

    def matrix_of(self, values: Sequence[str], names: Sequence[str]) -> Floats:
        """Return the expert's matrix for these sensitive values and quasi-identifiers."""
        matrix = self.matrix or {}
        for value in values:
            if value not in matrix:
                raise ReleaseError("utility_value", at="utility.matrix", value=quote(value))
            for name in names:
                if name not in matrix[value]:
                    raise ReleaseError("utility_name", at="utility.matrix", value=quote(value), name=quote(name))
        return np.array([[matrix[value][name] for name in names] for value in values], float)


def read_utility(path: str | Path) -> dict[str, dict[str, float]]:
    """Read an expert's utility matrix: a CSV file with a row per sensitive value and a column per quasi-identifier.

    Its header is the name of the sensitive attribute and those of the quasi-identifiers: ``disease,age,town``.
    """
    (_, values), *columns = read_table(path).items()
    matrix: dict[str, dict[str, float]] = {}
    for place, value in enumerate(values.tolist()):
        if value in matrix:
            raise InputError(f"{path}: the value {quote(value)} appears twice.")
        matrix[value] = {name: read_share(column[place], f"{path}: {value}, {name}") for name, column in columns}
    return matrix


def read_share(written: Any, where: str) -> float:
    """Read a u: a number from 0 to 1, or how useful an expert finds the attribute, which is one of `LEVELS`.

    >>> read_share("0.25", "spec"), read_share("very high", "spec")
    (0.25, 0.1)
    """
    if written in LEVELS:
        return LEVELS[written]
    try:
        share = -1.0 if isinstance(written, bool) else float(written)
    except (TypeError, ValueError):
        share = -1.0
    if not 0 <= share <= 1:
        raise InputError(f"{where}: {quote(written)} is not a number from 0 to 1, or one of {', '.join(LEVELS)}.")
    return share


@dataclass(frozen=True, eq=False)
class UtilityMatrix:
    """The u of each quasi-identifier for each sensitive value, and the weights that local methods take."""

    values: tuple[str, ...]
    names: tuple[str, ...]
    matrix: Floats
    weights: Floats

    def to_json(self) -> dict[str, Any]:
        """The matrix as a spec holds it, {value: {quasi-identifier: u}}, and the weight of each quasi-identifier."""
        rows = (dict(zip(self.names, row, strict=True)) for row in self.matrix.tolist())
        return {
            "matrix": dict(zip(self.values, rows, strict=True)),
            "weights": dict(zip(self.names, self.weights.tolist(), strict=True)),
        }

    def picture(self, title: str = "What each column tells of each value: a small share tells much") -> str:
        """Draw a heat map of the matrix; a weak cell is an attribute that tells much of this value."""
        from privacy.draw.heat_map import heat_map

        return heat_map(title, ("", self.values), ("", self.names), self.matrix.tolist())


def utilities(space: Space, secret: Ints) -> Floats:
    """Compute the utility matrix from data: sensitive values × quasi-identifiers.

    >>> from privacy.release.attributes import Measured
    >>> age, height = np.array([20.0, 21.0, 60.0, 61.0]), np.array([150.0, 190.0, 151.0, 189.0])
    >>> space = Space([Measured("age", age), Measured("height", height)])
    >>> utilities(space, np.array([0, 0, 1, 1])).round(3).tolist()
    [[0.024, 1.0], [0.024, 0.95]]
    """
    return np.array([attribute.spread(secret) for attribute in space.attributes]).T


def weights(matrix: Floats, *, inverse: bool = False) -> Floats:
    """Turn a utility matrix into a weight for each quasi-identifier; they sum to 1.

    A small u marks a useful attribute, but the paper weighs by u itself. The inverse makes what is useful dear.

    >>> weights(np.array([[0.1, 0.3], [0.2, 0.4]])).round(6).tolist()
    [0.3, 0.7]
    """
    if inverse and (matrix <= 0).any():
        raise EntryError("a utility of 0 has no inverse.", at="weights")
    summed = (1 / matrix if inverse else matrix).sum(axis=0)
    if not summed.sum() > 0:  # no attribute tells more of one value than of another
        return np.full(len(summed), 1 / len(summed))
    return np.asarray(summed / summed.sum())


def clusters(matrix: Floats, count: int, least: int, random: np.random.Generator) -> Ints:
    """Gather sensitive values whose utilities are alike, by L1 distances from medians; return the cluster of each.

    `count` says how many clusters; there are fewer where that many cannot each have `least` values.

    >>> owner = clusters(np.array([[0.1], [0.9], [0.2], [0.8]]), 2, 2, np.random.default_rng(1))
    >>> bool(owner[0] == owner[2] != owner[1] == owner[3])
    True
    """
    for clusters_tried in range(min(count, len(matrix)), 1, -1):
        for _ in range(RESTARTS):
            owner = _medians(matrix, matrix[random.choice(len(matrix), clusters_tried, replace=False)])
            if np.bincount(owner, minlength=clusters_tried).min() >= max(least, 1):
                return owner
    return np.zeros(len(matrix), np.int64)


def _medians(matrix: Floats, centres: Floats) -> Ints:
    """Move centres to the medians of the values nearest to them until nothing changes; return each value's centre."""
    owner = np.full(len(matrix), -1)
    for _ in range(ROUNDS):
        nearest = np.abs(matrix[:, None, :] - centres[None, :, :]).sum(axis=2).argmin(axis=1)
        if (nearest == owner).all():
            break
        owner = nearest
        for place in set(owner.tolist()):
            centres[place] = np.median(matrix[owner == place], axis=0)
    return owner.astype(np.int64)


def distort(member: Ints, secret: Ints, owner: Ints, least: int, random: np.random.Generator) -> Ints:
    """Change sensitive values until every class has enough different ones (section 4.3: selective distortion).

    A value that stands more than once in a class becomes one of its cluster that the class lacks. `owner` is the
    cluster of each sensitive value; each cluster has at least `least` values.

    >>> alike = np.zeros(3, np.int64)
    >>> sorted(distort(alike, alike, alike, 3, np.random.default_rng(1)).tolist())
    [0, 1, 2]
    """
    changed = secret.copy()
    count = len(owner)
    distinct = np.bincount(np.unique(member * count + secret) // count)
    order = np.argsort(member, kind="stable")
    ends = np.cumsum(np.bincount(member)).tolist()
    siblings = [np.flatnonzero(owner == cluster).tolist() for cluster in owner.tolist()]
    for place in np.flatnonzero(distinct < least).tolist():
        records = order[ends[place - 1] if place else 0 : ends[place]].tolist()
        values = changed[records].tolist()  # a class is small: plain lists are faster than arrays
        while len(set(values)) < least:
            doubled = [at for at, value in enumerate(values) if values.count(value) > 1]
            if not doubled:
                raise ReleaseError("class", at="model.l", k=len(records), l=least)
            at = doubled[int(random.integers(len(doubled)))]
            lacking = [value for value in siblings[secret[records[at]]] if value not in values]
            values[at] = lacking[int(random.integers(len(lacking)))]
        changed[records] = values
    return changed
