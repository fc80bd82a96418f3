"""What a method is given and what it makes, and how much each attribute reveals, by which attributes weigh.

Utility after Zhu, Zhao and Wang (2010, sections 3.1 and 4.2): u is the share of an attribute's range, or of its
different values, that records with a sensitive value take up. The smaller u, the more useful the attribute is for this
value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from privacy.arrays import Bools, Floats, Ints
from privacy.design.reading import quote
from privacy.errors import EntryError, InputError
from privacy.release.attributes import Measured, Quasi, Space
from privacy.release.classes import number_classes, read_table
from privacy.release.measures.everybody import Everybody
from privacy.release.methods.full_domain import CodedTable, Generalisation
from privacy.release.models import AnonymityModel, safe
from privacy.release.reasons import Progress, ReleaseError, nobody

USEFULNESS = {"very high": 0.1, "high": 0.3, "medium": 0.5, "low": 0.7, "very low": 0.9}
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
    """Read a u: a number from 0 to 1, or how useful an expert finds the attribute, which is one of `USEFULNESS`.

    >>> read_share("0.25", "spec"), read_share("very high", "spec")
    (0.25, 0.1)
    """
    if written in USEFULNESS:
        return USEFULNESS[written]
    try:
        share = -1.0 if isinstance(written, bool) else float(written)
    except (TypeError, ValueError):
        share = -1.0
    if not 0 <= share <= 1:
        raise InputError(f"{where}: {quote(written)} is not a number from 0 to 1, or one of {', '.join(USEFULNESS)}.")
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


CLUSTERS = 3  # of sensitive values, in the experiments of the paper (Zhu, Zhao and Wang 2010, section 5.2)


@dataclass(frozen=True, eq=False)
class Made:
    """What a method makes: labels of the quasi-identifiers, sensitive codes, and what it cost.

    `penalty` is the mean over records, `penalty_sum` that of all together, where weights may count twice.
    """

    labels: list[list[str]]
    secrets: list[Ints]
    penalty: float
    penalty_sum: float
    generalisation: Generalisation | None = None
    gathered: Ints | None = None  # of local recoding the class of each record; two may be published alike
    distorted: int = 0
    by_column: "ByColumn | None" = None

    @cached_property
    def member(self) -> Ints:
        """The class of each record: those with the same labels."""
        return number_classes(self.labels)


@dataclass(frozen=True)
class ByColumn:
    """A figure of each quasi-identifier that one method has: its key in reports, its name, and the shares."""

    key: str
    label: str
    shares: Sequence[float]


@dataclass(frozen=True, eq=False)
class Job:
    """A table in codes, and what is asked of a method.

    Of a part of a table `judged` are the sensitive codes that the model is about, and `overall` is how common each
    value is in the whole one.
    """

    method: str
    quasis: Sequence[Quasi]
    numbers: Mapping[str, Sequence[str]]  # those of them that are numbers, as they are written
    weighed: bool  # whether a weight was given; else weights come from the utilities of the data
    secrets: list[Ints]
    expert: Floats | None  # the utility matrix, where it does not come from the data
    inverse: bool  # whether what is useful weighs more
    model: AnonymityModel
    suppression: float
    minimise: str
    literal: bool  # as the paper prints it: how pairs are found, and each weight counts twice
    random: np.random.Generator
    clusters: int = CLUSTERS  # of sensitive values
    bounds: Mapping[str, float] = field(default_factory=dict)  # of figures of the table that is published
    everybody: Everybody | None = None  # of whom the rows are a sample
    front: str = ""  # the figure that is shown beside each table's loss
    progress: Progress = nobody
    judged: Sequence[Ints] | None = None
    overall: Sequence[Floats] | None = None

    @cached_property
    def table(self) -> CodedTable:
        return CodedTable(self.quasis, self.secrets)

    def safe(self, member: Ints) -> Bools:
        return safe(member, self.secrets if self.judged is None else self.judged, self.model, self.overall)

    @property
    def records(self) -> int:
        return len(self.quasis[0].codes)

    def space(self) -> Space:
        """The quasi-identifiers for local recoding, weighed as the spec says or by their utility."""
        attributes: list[Quasi | Measured] = [
            Measured(quasi.name, np.array(self.numbers[quasi.name], np.float64), quasi.weight)
            if quasi.name in self.numbers
            else quasi
            for quasi in self.quasis
        ]
        space = Space(attributes, self.literal)
        if self.weighed or not self.secrets:
            return space
        own = weights(self.matrix(space), inverse=self.inverse)
        weighed = [replace(attribute, weight=float(weight)) for attribute, weight in zip(attributes, own, strict=True)]
        return Space(weighed, self.literal)

    def utility(self, values: Sequence[str]) -> UtilityMatrix:
        """The utility matrix of the first sensitive attribute, and the weights that local methods take.

        `values` are those of this attribute; those that nobody has are left out.
        """
        space, secret = self.space(), self.secrets[0]
        there = np.unique(secret[secret >= 0])
        names = tuple(quasi.name for quasi in self.quasis)
        return UtilityMatrix(tuple(values[place] for place in there), names, self.matrix(space)[there], space.weights)

    def matrix(self, space: Space) -> Floats:
        """The utility matrix of the first sensitive attribute: the expert's, or that of the data."""
        return self.expert if self.expert is not None else utilities(space, self.secrets[0])
