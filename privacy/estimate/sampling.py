"""How respondents were drawn: weights, strata and clusters, and the variance of a sum over them.

A figure that is no sum is made one first: its linearisation gives each respondent the part that he or she has in it
(Taylor linearisation; Särndal, Swensson and Wretman 1992, section 5.5). The variance of a sum is that between clusters
within strata, as if clusters were drawn with replacement (Binder 1983). Without clusters each respondent is one, and
without strata there is one stratum: the robust variance of regressions is this one.

Weights that meet known margins leave residuals of the parts (`privacy.estimate.calibration`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.estimate.calibration import Calibration, Margins, read_bounds
from privacy.estimate.sample import Sample
from privacy.records.open_columns import Column, groups, numbers

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
FEW_CLUSTERS = 30  # degrees of freedom: with fewer the covariance of many figures is mostly noise


class OneDecidesError(InputError):
    """One respondent has more weight than all others together, so every figure is what he or she answers."""


@dataclass(frozen=True)
class Sampling:
    """Weights with a mean of 1, and for each respondent the number of the cluster and of its stratum.

    Some respondents of a sample whose errors are about everybody have that `whole`, and their places in it.
    """

    weights: Floats
    cluster: Places
    stratum: Places  # of each cluster
    calibration: Calibration | None = None
    whole: "tuple[Sampling, Places] | None" = None

    @classmethod
    def of(cls, sample: "Sample | Sampling | None", columns: Mapping[str, Column], rows: int) -> "Sampling | None":
        """What all that estimates takes as `sample`: a sampling as it is, or read from these columns.

        None where everybody counts alike.
        """
        return sample if sample is None or isinstance(sample, Sampling) else cls.from_columns(columns, rows, sample)

    @classmethod
    def from_columns(cls, columns: Mapping[str, Column], rows: int, sample: Sample) -> "Sampling":
        """Read the sampling from columns of the records; weights are then made to meet margins.

        >>> import numpy as np
        >>> columns = {"w": np.array([1.0, 3.0, 2.0, 2.0]), "town": np.array(["a", "a", "b", "c"], object)}
        >>> sampling = Sampling.from_columns(columns, 4, Sample(weights="w", cluster="town"))
        >>> sampling.weights.tolist(), sampling.freedom
        ([0.5, 1.5, 1.0, 1.0], 1.0)
        """
        if not isinstance(sample, Sample):
            raise InputError(f"sample: {quote(sample)} is not made by candor.Sample, as Sample(weights='w') is.")
        bounds, margins = read_bounds(sample.trim), sample.margins
        if sample.trim is not None and margins is None:
            raise InputError("trim: it goes with margins, which weights are made to meet.")
        weights, cluster, strata = sample.weights, sample.cluster, sample.strata
        if margins is not None:
            drawn = cls.from_columns(columns, rows, replace(sample, margins=None, trim=None))
            calibration = Calibration.read(Margins.parse(margins), columns, drawn.weights, bounds)
            met = calibration.weigh(drawn.weights)
            _refuse_one_who_decides(met, "margins: weights that meet them give one respondent")
            return replace(drawn, weights=met, calibration=calibration)
        given = np.ones(rows)
        if weights is not None:
            given = numbers(columns, weights, "weights")
            if (given < 0).any() or not given.any():
                worst = "all are 0" if (given == 0).all() else f"{given.min():g} is negative"
                raise InputError(f"weights: in the column {weights!r} {worst}; weights are at least 0, and not all 0.")
        if rows:
            given = given / given.max()  # the largest that a file can hold have no sum
        given = given * rows / given.sum()
        _refuse_one_who_decides(given, f"weights: the column {weights!r} gives one respondent")
        if cluster is None and strata is None and rows > 1:
            return cls(given, np.arange(rows), np.zeros(rows, np.intp))
        own = np.arange(rows) if cluster is None else groups(columns, cluster, "cluster")[0]
        layer, names = (np.zeros(rows, np.intp), [""]) if strata is None else groups(columns, strata, "strata")
        # A cluster of one name in two strata is two clusters.
        pairs, place = np.unique(np.stack([layer, own], axis=1), axis=0, return_inverse=True)
        stratum = pairs[:, 0]
        alone = np.flatnonzero(np.bincount(stratum, minlength=len(names)) == 1)
        if len(alone):
            what = "cluster" if cluster is not None else "respondent"
            if rows == 1:
                raise InputError("There is one respondent, so the variation of figures is unknown.")
            if strata is None:
                raise InputError(f"cluster: all rows are in one {what}, so the variation of figures is unknown.")
            raise InputError(
                f"strata: {quote(names[alone[0]])} of {strata!r} has only one {what}, so the variation there is "
                "unknown; join it to another stratum."
            )
        return cls(given, place.ravel(), stratum)

    @classmethod
    def simple(cls, rows: int) -> "Sampling":
        """The sampling of `rows` people who were all drawn alike and alone."""
        return cls(np.ones(rows), np.arange(rows), np.zeros(rows, np.intp))

    @property
    def is_simple(self) -> bool:
        """Whether everybody counts alike and was drawn alone."""
        alone = len(self.stratum) == len(self.weights) and not self.stratum.any()
        return alone and self.calibration is None and bool((self.weights == 1).all())

    def people(self, rows: Any) -> int:
        """How many people these rows are."""
        return int(np.count_nonzero(rows))

    @cached_property
    def freedom(self) -> float:
        """The degrees of freedom of Student's t: clusters less strata, fewer where some weigh more than others."""
        known = len(self.stratum) - int(self.stratum.max(initial=-1)) - 1
        return min(known, max(self.effective(slice(None)) - 1, 1))

    @cached_property
    def _stratum_sizes(self) -> NDArray[np.int64]:
        return np.bincount(self.stratum)

    def worth(self, rows: Any, groups: Places | None = None, size: int = 1) -> Floats:
        """The effective number of some respondents, (Σw)²/Σw² in each group (Kish 1965)."""
        weights = self.weights[rows]
        places = np.zeros(len(weights), np.intp) if groups is None else groups[rows]
        total, squares = (np.bincount(places, weights**power, minlength=size).astype(float) for power in (1, 2))
        worth = np.divide(total**2, squares, out=np.zeros_like(total), where=squares > 0)
        return np.round(worth, 6)  # weights that are alike are worth whole people

    def effective(self, rows: Any) -> float:
        """How many clusters that vary alike would tell as much of an error as those of these respondents.

        See `effective_number`. It is less than `worth`, the number that would give as small an error.
        """
        totals = np.bincount(self.cluster[rows], self.weights[rows])
        return effective_number(*(float((totals**power).sum()) for power in (1, 2, 4)))

    def covariance(self, parts: Floats) -> Floats:
        """The covariance of Σ weight·part, from the parts (a row for each respondent) of figures (columns)."""
        return self.covariance_of(parts.T, parts.shape[1])

    def covariance_of(self, figures: Iterable[Floats], count: int) -> Floats:
        """As `covariance`, of an iterator of `count` figures: each gives its part of every respondent, an array."""
        if self.whole is not None:
            whole, places = self.whole
            return whole.covariance_of((_scatter(parts, places, len(whole.weights)) for parts in figures), count)
        if self.calibration is not None:
            figures = map(self.calibration.residual, figures)
        apart = np.empty((len(self.stratum), count))
        root = np.sqrt(_variance_factors(self._stratum_sizes))[self.stratum]
        for column, parts in enumerate(figures):  # one at a time: of hundreds of figures a second table is gigabytes
            clusters = np.bincount(self.cluster, parts * self.weights, minlength=len(apart))
            means = np.bincount(self.stratum, clusters, minlength=len(self._stratum_sizes)) / self._stratum_sizes
            apart[:, column] = (clusters - means[self.stratum]) * root
        return apart.T @ apart

    def in_cells(self, cell: Places, count: int) -> "CellSums":
        """The total weight in each of `count` cells, from the cell of each respondent."""
        rows = self.stratum[self.cluster] if self._apart else self.cluster
        many = len(self._stratum_sizes) if self._apart else len(self.stratum)
        key = rows * count + cell if many > 1 else cell
        sums, squares = (
            np.bincount(key, self.weights**power, many * count).astype(float).reshape(many, count) for power in (1, 2)
        )
        of = (self, cell) if self.calibration is not None else None
        fourths = np.bincount(cell, self.weights**4, count).astype(float)
        return CellSums(sums, squares, fourths, self._stratum_sizes, None if self._apart else self.stratum, of)

    @cached_property
    def _apart(self) -> bool:
        """Whether no two respondents share a cluster."""
        return len(self.cluster) == 0 or int(np.bincount(self.cluster).max()) == 1

    def redrawn(self, count: int, rng: np.random.Generator) -> Iterator[Floats]:
        """Return the weights of resampled surveys, for figures that cannot be linearised.

        Of each stratum one cluster less than it has is drawn, with replacement, and what is drawn counts for the rest.
        """
        if self.whole is not None:
            whole, places = self.whole
            yield from (weights[places] for weights in whole.redrawn(count, rng))
            return
        for _ in range(count):
            drawn = self.weights * draw_clusters(self._stratum_sizes, self.stratum, rng)[self.cluster]
            yield drawn if self.calibration is None else self.calibration.nearly_meet(self.weights, drawn)

    def select(self, rows: Any) -> "Sampling":
        """The sampling of some respondents, as a domain of the whole sample: errors count the others with no part."""
        whole = None
        if self.calibration is not None:
            of, places = self.whole or (self, np.arange(len(self.weights)))
            whole = of, places[rows]
        return replace(self, weights=self.weights[rows], cluster=self.cluster[rows], whole=whole)


@dataclass(frozen=True)
class AlikeRows(Sampling):
    """People who were all drawn alike and alone, with one row for all whose records are the same.

    The weight of a row is how many they are, so figures and errors are those of all people (`Sampling.simple`).
    """

    @classmethod
    def of_counts(cls, counts: NDArray[np.int64]) -> "AlikeRows":
        return cls(counts.astype(float), np.arange(len(counts)), np.zeros(len(counts), np.intp))

    @cached_property
    def number(self) -> int:
        return int(self.weights.sum())

    def people(self, rows: Any) -> int:
        return int(self.weights[rows].sum())

    @cached_property
    def freedom(self) -> float:
        return float(max(self.number - 1, 1))

    def effective(self, rows: Any) -> float:
        people = float(self.weights[rows].sum())
        return effective_number(people, people, people)

    def covariance_of(self, figures: Iterable[Floats], count: int) -> Floats:
        parts, n = np.stack([*figures]), self.number
        sums = parts @ self.weights
        covariance: Floats = ((parts * self.weights) @ parts.T - np.outer(sums, sums) / n) * (n / max(n - 1, 1))
        return covariance

    def in_cells(self, cell: Places, count: int) -> "CellSums":
        return CellSums.alike(np.bincount(cell, self.weights, count).astype(np.int64), self.number)


@dataclass(frozen=True)
class CellSums:
    """The weight in each cell and its squares, by cluster; by stratum where each respondent is a cluster.

    Figures of which all respondents of a cell have the same part have their covariance from this.
    """

    sums: Floats
    squares: Floats
    fourths: Floats  # the fourth powers of weights in each cell, of everybody
    sizes: NDArray[np.int64]  # of the strata, in clusters
    stratum: Places | None  # of each cluster
    of: tuple[Sampling, Places] | None = None  # where the respondents of a cell vary apart: these, and their cells

    @classmethod
    def alike(cls, counts: NDArray[np.int64], rows: int) -> "CellSums":
        """The sums where all respondents, `rows` in number, were drawn alike, from the counts of each cell."""
        weight = counts[np.newaxis].astype(float)
        return cls(weight, weight, weight[0], np.array([rows]), None)

    @cached_property
    def totals(self) -> Floats:
        return self.sums.sum(axis=0)

    @cached_property
    def sum_of_squares(self) -> Floats:
        return self.squares.sum(axis=0)

    def effective(self, cells: NDArray[np.bool_]) -> float:
        """As `Sampling.effective`, of the respondents in these cells."""
        if self.stratum is None:
            return effective_number(*(float(own @ cells) for own in (self.totals, self.sum_of_squares, self.fourths)))
        totals = self.sums @ cells
        return effective_number(*(float((totals**power).sum()) for power in (1, 2, 4)))

    def covariance(self, parts: Floats) -> Floats:
        """The covariance of Σ weight·part, from the part of each cell (columns) in figures (rows)."""
        if self.of is not None:
            sampling, cell = self.of
            return sampling.covariance_of((part[cell] for part in parts), len(parts))
        rows = self.sums @ parts.T
        if self.stratum is not None:
            clusters = len(self.stratum)
            return Sampling(np.ones(clusters), np.arange(clusters), self.stratum).covariance(rows)
        spread = _variance_factors(self.sizes)
        covariance: Floats = (parts * (spread @ self.squares)) @ parts.T
        return covariance - rows.T @ (rows * (spread / self.sizes)[:, np.newaxis])


def effective_number(total: float, squares: float, fourths: float) -> float:
    """How many clusters that vary alike would tell as much of an error; 1 where one of them decides the figure.

    A cluster of the weight W adds to an error as W², so a sum of their squares has (ΣW²)²/ΣW⁴ degrees of freedom
    (Satterthwaite 1946). One cluster decides where all are worth fewer than two, (ΣW)²/ΣW² (Kish 1965). It has then
    more than half of all weight, the figure is near its answer, and how far others lie from that answer is no error.

    >>> weights = {"alike": [1, 1, 1, 1], "unlike": [3, 2, 2, 2, 2], "one": [9, 1, 1, 1]}
    >>> {name: effective_number(*(sum(w**power for w in own) for power in (1, 2, 4))) for name, own in weights.items()}
    {'alike': 4.0, 'unlike': 4.310345, 'one': 1.0}
    """
    if not total > 0 or total**2 < 2 * squares:
        return 1.0
    return max(round(squares**2 / fourths, 6), 2.0)


def _refuse_one_who_decides(weights: Floats, given_by: str) -> None:
    """Raise OneDecidesError where the weights are worth fewer than two people."""
    if len(weights) > 1 and weights.sum() ** 2 < 2 * (weights @ weights):
        percent = 100 * weights.max() / weights.sum()
        raise OneDecidesError(
            f"{given_by} {percent:.4g} % of all weight, so one person decides every figure; check the weights, or "
            "leave this respondent out."
        )


def _scatter(parts: Floats, places: Places, count: int) -> Floats:
    """Spread the parts of the respondents at `places` over all; the others have 0."""
    everybody = np.zeros(count)
    everybody[places] = parts
    return everybody


def _variance_factors(sizes: NDArray[np.int64]) -> Floats:
    """n/(n − 1) for each number n of clusters; NaN for a single cluster."""
    return np.divide(sizes, sizes - 1, out=np.full(len(sizes), np.nan), where=sizes > 1)


def draw_clusters(sizes: Places, stratum: Places, random: np.random.Generator) -> Floats:
    """The factor on each cluster's weight when of each stratum one cluster less than it has is drawn, with replacement.

    Rao and Wu 1988; Rao, Wu and Yue 1992, equation 2.4.

    >>> draw_clusters(np.array([2]), np.array([0, 0]), np.random.default_rng(1)).sum().tolist()
    2.0
    """
    members = np.argsort(stratum, kind="stable")
    first = np.cumsum(sizes) - sizes
    owner = np.repeat(np.arange(len(sizes)), sizes - 1)
    picked = members[first[owner] + random.integers(sizes[owner])]
    return np.bincount(picked, minlength=len(stratum)) * (sizes / (sizes - 1))[stratum]
