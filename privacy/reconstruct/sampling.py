"""How respondents were drawn: weights, strata and clusters, and the variance of a sum over them.

A figure that is no sum is made one first: its linearisation gives each respondent the part that he or she has in it
(Taylor linearisation; Särndal, Swensson and Wretman 1992, section 5.5). The variance of a sum is that between clusters
within strata, as if clusters were drawn with replacement (Binder 1983). Without clusters each respondent is one, and
without strata there is one stratum: the robust variance of regressions is this one.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.records.open_columns import Column, groups, numbers

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Sampling:
    """Weights with a mean of 1, and for each respondent the number of the cluster and of its stratum."""

    weights: Floats
    cluster: Places
    stratum: Places  # of each cluster

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[str, Column],
        rows: int,
        weights: str | None = None,
        cluster: str | None = None,
        strata: str | None = None,
    ) -> "Sampling":
        """Read the sampling from columns of the records, each given by its name.

        >>> import numpy as np
        >>> columns = {"w": np.array([1.0, 3.0, 2.0, 2.0]), "town": np.array(["a", "a", "b", "c"], object)}
        >>> sampling = Sampling.from_columns(columns, 4, weights="w", cluster="town")
        >>> sampling.weights.tolist(), sampling.freedom
        ([0.5, 1.5, 1.0, 1.0], 2)
        """
        given = np.ones(rows)
        if weights is not None:
            given = numbers(columns, weights, "weights")
            if (given < 0).any() or not given.sum() > 0:
                worst = "all are 0" if (given == 0).all() else f"{given.min():g} is negative"
                raise InputError(f"weights: in the column {weights!r} {worst}; weights are at least 0, and not all 0.")
        given = given * rows / given.sum()
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
            if strata is None:
                raise InputError(f"cluster: all rows are in one {what}, so the variation of figures is unknown.")
            raise InputError(
                f"strata: {quote(names[alone[0]])} of {strata!r} has only one {what}, so the variation there is "
                "unknown; join it to another stratum."
            )
        return cls(given, place.ravel(), stratum)

    @classmethod
    def from_names(
        cls, columns: Mapping[str, Column], rows: int, weights: str | None, cluster: str | None, strata: str | None
    ) -> "Sampling | None":
        """The same; None where no column is named, because everybody was drawn alike and alone.

        >>> Sampling.from_names({}, 4, None, None, None) is None
        True
        """
        if weights is None and cluster is None and strata is None:
            return None
        return cls.from_columns(columns, rows, weights, cluster, strata)

    @classmethod
    def simple(cls, rows: int) -> "Sampling":
        """Everybody drawn alike and alone."""
        return cls(np.ones(rows), np.arange(rows), np.zeros(rows, np.intp))

    @property
    def is_simple(self) -> bool:
        """Whether everybody counts alike and was drawn alone."""
        alone = len(self.stratum) == len(self.weights) and not self.stratum.any()
        return alone and bool((self.weights == 1).all())

    @property
    def freedom(self) -> int:
        """The number of clusters less that of strata: the degrees of freedom of Student's t."""
        return len(self.stratum) - int(self.stratum.max(initial=-1)) - 1

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return np.bincount(self.stratum)

    def worth(self, rows: Any, groups: Places | None = None, size: int = 1) -> Floats:
        """The effective number of some respondents, (Σw)²/Σw² in each group (Kish 1965)."""
        weights = self.weights[rows]
        places = np.zeros(len(weights), np.intp) if groups is None else groups[rows]
        total, squares = (np.bincount(places, weights**power, minlength=size).astype(float) for power in (1, 2))
        worth = np.divide(total**2, squares, out=np.zeros_like(total), where=squares > 0)
        return np.round(worth, 6)  # weights that are alike are worth whole people

    def covariance(self, parts: Floats) -> Floats:
        """The covariance of Σ weight·part, from the parts (a row for each respondent) of figures (columns)."""
        return self.covariance_of(parts.T, parts.shape[1])

    def covariance_of(self, figures: Iterable[Floats], count: int) -> Floats:
        """The same of `count` figures, of which the parts come one figure after the other."""
        apart = np.empty((len(self.stratum), count))
        root = np.sqrt(_variance_factors(self._sizes))[self.stratum]
        for column, parts in enumerate(figures):  # one at a time: of hundreds of figures a second table is gigabytes
            clusters = np.bincount(self.cluster, parts * self.weights, minlength=len(apart))
            means = np.bincount(self.stratum, clusters, minlength=len(self._sizes)) / self._sizes
            apart[:, column] = (clusters - means[self.stratum]) * root
        return apart.T @ apart

    def in_cells(self, cell: Places, count: int) -> "CellSums":
        """The total weight in each of `count` cells, from the cell of each respondent."""
        rows = self.stratum[self.cluster] if self._apart else self.cluster
        many = len(self._sizes) if self._apart else len(self.stratum)
        key = rows * count + cell if many > 1 else cell
        sums, squares = (
            np.bincount(key, self.weights**power, many * count).astype(float).reshape(many, count) for power in (1, 2)
        )
        return CellSums(sums, squares, self._sizes, None if self._apart else self.stratum)

    @cached_property
    def _apart(self) -> bool:
        """Whether no two respondents share a cluster."""
        return len(self.cluster) == 0 or int(np.bincount(self.cluster).max()) == 1

    def redrawn(self, count: int, rng: np.random.Generator) -> Iterator[Floats]:
        """Return the weights of resampled surveys, for figures that cannot be linearised.

        Of each stratum one cluster less than it has is drawn, with replacement, and what is drawn counts for the rest
        (Rao and Wu 1988; Rao, Wu and Yue 1992, equation 2.4).
        """
        members = np.argsort(self.stratum, kind="stable")
        first = np.cumsum(self._sizes) - self._sizes
        owner = np.repeat(np.arange(len(self._sizes)), self._sizes - 1)
        for _ in range(count):
            picked = members[first[owner] + rng.integers(self._sizes[owner])]
            times = np.bincount(picked, minlength=len(self.stratum)) * (self._sizes / (self._sizes - 1))[self.stratum]
            yield self.weights * times[self.cluster]

    def select(self, rows: Any) -> "Sampling":
        """Return the sampling of some respondents as a domain: the others have no part in any figure."""
        return Sampling(self.weights[rows], self.cluster[rows], self.stratum)


@dataclass(frozen=True)
class CellSums:
    """The weight in each cell and its squares, by cluster; by stratum where each respondent is a cluster.

    Figures of which all respondents of a cell have the same part have their covariance from this.
    """

    sums: Floats
    squares: Floats
    sizes: NDArray[np.int64]  # of the strata, in clusters
    stratum: Places | None  # of each cluster

    @classmethod
    def alike(cls, counts: NDArray[np.int64], rows: int) -> "CellSums":
        """Sum over respondents who were all drawn alike, from how many of them are in each cell."""
        weight = counts[np.newaxis].astype(float)
        return cls(weight, weight, np.array([rows]), None)

    @cached_property
    def totals(self) -> Floats:
        return self.sums.sum(axis=0)

    @cached_property
    def sum_of_squares(self) -> Floats:
        return self.squares.sum(axis=0)

    def covariance(self, parts: Floats) -> Floats:
        """The covariance of Σ weight·part, from the part of each cell (columns) in figures (rows)."""
        rows = self.sums @ parts.T
        if self.stratum is not None:
            clusters = len(self.stratum)
            return Sampling(np.ones(clusters), np.arange(clusters), self.stratum).covariance(rows)
        spread = _variance_factors(self.sizes)
        covariance: Floats = (parts * (spread @ self.squares)) @ parts.T
        return covariance - rows.T @ (rows * (spread / self.sizes)[:, np.newaxis])


def _variance_factors(sizes: NDArray[np.int64]) -> Floats:
    """The factor from the squares about a mean of this many to a variance; NaN for a single cluster."""
    return np.divide(sizes, sizes - 1, out=np.full(len(sizes), np.nan), where=sizes > 1)
