"""Replicate weights, read or made: the sample as often as it takes, each time without or with more of some clusters.

The variance of a figure is Σ factor·(replicate − figure)² (Wolter 2007, chapters 3 and 4): of the jackknife, of
balanced half samples (Fay's keep a part of the other half: Judkins 1990), and of the bootstrap, which draws one cluster
less than each stratum has (Rao, Wu and Yue 1992). Distances are from the figure, not from the mean of the replicates.

>>> made = read_replicates("jkn", {}, np.ones(4), np.arange(4), np.array([0, 0, 1, 1]))
>>> made.weights.tolist()
[[0.0, 2.0, 1.0, 1.0], [2.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 2.0], [1.0, 1.0, 2.0, 0.0]]
>>> made.factors.tolist()
[0.5, 0.5, 0.5, 0.5]
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.records.open_columns import Column, numbers

Places = NDArray[np.intp]
_KINDS = ("jk1", "jk2", "jkn", "brr", "fay", "bootstrap")
_LARGEST = 2**26  # replicates × respondents
_SEED = 1


@dataclass(frozen=True)
class Replicates:
    """The weights of each replicate, with a mean of 1, and what the square of its distance counts."""

    weights: Floats  # replicates × respondents
    factors: Floats
    freedom: int | None = None  # None: that of clusters and strata

    def covariance(self, distances: Floats) -> Floats:
        """The covariance of figures (columns) from their distances from the estimate by each replicate (rows)."""
        return (distances * self.factors[:, np.newaxis]).T @ distances

    def with_weights(self, weigh: Callable[[Floats], Floats]) -> "Replicates":
        """The same replicates with the weights that `weigh` makes of those of each."""
        return replace(self, weights=np.stack([weigh(own) for own in self.weights]))


def read_replicates(
    text: Any, columns: Mapping[str, Column], weights: Floats, cluster: Places, stratum: Places
) -> Replicates:
    """The replicates that a text names: jk1, jkn, brr, fay=0.3 or bootstrap=200, made from clusters within strata; with
    a colon the columns that hold them, such as brr:rep*.

    `cluster` is that of each respondent and `stratum` that of each cluster.
    """
    if not isinstance(text, str):
        raise InputError(f"replicates: {quote(text)} is not a text such as jkn, bootstrap=200 or brr:rep*.")
    named, _, pattern = text.partition(":")
    kind, _, said = named.partition("=")
    if kind not in _KINDS:
        raise InputError(f"replicates: {quote(kind)} is none of {', '.join(_KINDS)}.")
    number = _number(kind, said, bool(pattern))
    if pattern:
        return _read_from_columns(kind, number, pattern, columns, cluster, stratum)
    sizes = np.bincount(stratum)
    count = {"bootstrap": int(number), "brr": 0, "fay": 0}.get(kind, len(stratum))
    if count * len(weights) > _LARGEST:
        raise InputError(
            f"replicates: {count} replicates of {len(weights)} respondents are too many; name the clusters, or take "
            "bootstrap=200."
        )
    if kind == "jk1" and len(sizes) > 1:
        raise InputError("replicates: jk1 is for samples without strata; take jkn.")
    if kind == "jk2":
        raise InputError("replicates: jk2 is read from columns, such as jk2:rep*; jkn is made.")
    if kind in ("brr", "fay"):
        times, factors = _half_samples(sizes, stratum, number)
    elif kind == "bootstrap":
        times, factors = _bootstrap_factors(sizes, stratum, count), np.full(count, 1 / (count - 1))
    else:
        own = sizes[stratum]
        same = stratum[:, np.newaxis] == stratum
        times = np.where(same, own / (own - 1), 1.0) * ~np.eye(len(stratum), dtype=bool)
        factors = (own - 1) / own
    freedom = min(len(stratum) - len(sizes), max(count - 1, 1)) if kind == "bootstrap" else None  # few tell little
    return Replicates(_scale_to_mean_of_one(times[:, cluster] * weights), factors, freedom)


def _number(kind: str, said: str, read: bool) -> float:
    """Read what follows "=": the part that Fay's half samples keep, or how many bootstrap samples are drawn."""
    if (kind == "fay" or (kind == "bootstrap" and not read)) != bool(said):
        written = {"fay": "fay=0.3", "bootstrap": "bootstrap:rep*" if read else "bootstrap=200"}.get(kind, kind)
        raise InputError(f"replicates: {kind} is written as {written}.")
    try:
        number = float(said or 0)
    except ValueError:
        number = -1.0
    if kind == "fay" and not 0 <= number < 1:
        raise InputError(f"replicates: {quote(said)} of fay is not a part from 0 to below 1.")
    if kind == "bootstrap" and not read and not (number.is_integer() and 2 <= number <= 10_000):
        raise InputError(f"replicates: {quote(said)} is not a number of replicates from 2 to 10000.")
    return number


def _read_from_columns(
    kind: str, number: float, pattern: str, columns: Mapping[str, Column], cluster: Places, stratum: Places
) -> Replicates:
    names = [name for name in columns if fnmatchcase(name, pattern)]
    if len(names) < 2:
        raise InputError(f"replicates: {len(names)} columns are named {pattern!r}, and two or more hold replicates.")
    weights = np.stack([numbers(columns, name, "replicates") for name in names])
    if (weights < 0).any() or not (weights.sum(axis=1) > 0).all():
        raise InputError(f"replicates: weights in {pattern!r} are at least 0, and not all 0.")
    count = len(names)
    factor = {"jk1": (count - 1) / count, "jk2": 1.0, "brr": 1 / count, "bootstrap": 1 / (count - 1)}
    factor["fay"] = 1 / (count * (1 - number) ** 2)
    factors = np.full(count, factor.get(kind, np.nan))
    if kind == "jkn":
        sizes, layer = np.bincount(stratum), stratum[cluster]
        ever = (weights > 0).any(axis=0)
        for place, own in enumerate(weights):
            without = np.unique(layer[ever & (own == 0)])
            if len(without) != 1:
                raise InputError(
                    f"replicates: in {names[place]!r} respondents of {len(without)} strata weigh 0, and jkn leaves out "
                    "one cluster of one; name strata and cluster."
                )
            factors[place] = 1 - 1 / sizes[without[0]]
    return Replicates(_scale_to_mean_of_one(weights), factors, max(int(np.linalg.matrix_rank(weights)) - 1, 1))


def _scale_to_mean_of_one(weights: Floats) -> Floats:
    return weights * (weights.shape[1] / weights.sum(axis=1, keepdims=True))


def _half_samples(sizes: Places, stratum: Places, kept: float) -> tuple[Floats, Floats]:
    """For each half sample the factors on clusters' weights, balanced (McCarthy 1969), and what its square counts."""
    from scipy.linalg import hadamard

    if (sizes != 2).any():
        raise InputError(
            f"replicates: brr and fay need two clusters in each stratum, and one has {sizes[sizes != 2][0]}; take jkn."
        )
    count = 2 ** len(sizes).bit_length()
    signs = hadamard(count)[:, 1 : len(sizes) + 1].astype(float)
    _, first = np.unique(stratum, return_index=True)
    side = np.full(len(stratum), -1.0)
    side[first] = 1.0
    return 1 + (1 - kept) * signs[:, stratum] * side, np.full(count, 1 / (count * (1 - kept) ** 2))


def _bootstrap_factors(sizes: Places, stratum: Places, count: int) -> Floats:
    random = np.random.default_rng(_SEED)
    return np.stack([draw_clusters(sizes, stratum, random) for _ in range(count)])


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
