"""Comparisons of figures: between subgroups, between figures, and over the versions of a survey."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.choices import AVAILABLE
from privacy.errors import InputError
from privacy.reconstruct.available import check_cases
from privacy.reconstruct.group_difference import check_least
from privacy.reconstruct.linearised import Estimate, Linearised, with_error
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from privacy.records.open_columns import groups

__all__ = ["Compared", "Contrast", "GroupFigure", "Sample", "Trend", "compare_figures", "slope"]


@dataclass(frozen=True)
class Sample:
    """The records of one version, and how their respondents were drawn; None: alike, each alone."""

    records: Records
    sampling: Sampling | None = None
    name: str = ""

    @property
    def drawn(self) -> Sampling:
        return self.sampling or Sampling.simple(len(self.records))

    def estimate(self, figure: Linearised, level: float) -> Estimate:
        """The figure with its error."""
        return figure.simple_estimate(level) if self.sampling is None else figure.estimate(self.sampling, level)


@dataclass(frozen=True)
class GroupFigure:
    """One figure in one group of one version; without an estimate where too few were asked."""

    figure: str
    version: str
    group: str
    n: int
    estimate: Estimate | None

    @property
    def name(self) -> str:
        return " · ".join(part for part in (self.figure, self.group, self.version) if part)

    def to_json(self) -> dict[str, Any]:
        return {"figure": self.figure, "version": self.version, "group": self.group, "n": self.n} | _json(self.estimate)


@dataclass(frozen=True)
class Contrast:
    """The second figure less the first."""

    first: str
    second: str
    estimate: Estimate

    def to_json(self) -> dict[str, Any]:
        return {"of": self.second, "less": self.first} | _json(self.estimate)


@dataclass(frozen=True)
class Trend:
    """How much a figure grows from one version to the next."""

    figure: str
    group: str
    estimate: Estimate

    def to_json(self) -> dict[str, Any]:
        return {"figure": self.figure, "group": self.group} | _json(self.estimate)


@dataclass(frozen=True)
class Compared:
    n: int
    estimator: str
    measure: str
    level: float
    least: int
    figures: tuple[GroupFigure, ...]
    differences: tuple[Contrast, ...]
    trends: tuple[Trend, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON of `candor compare`."""
        parts = {name: [one.to_json() for one in getattr(self, name)] for name in ("figures", "differences", "trends")}
        return vars(self) | parts


def compare_figures(
    samples: Sequence[Sample],
    texts: Sequence[str],
    by: str | None = None,
    *,
    estimator: str = "stratified",
    measure: str = "confidence",
    level: float = 0.95,
    least: int = 1,
    cases: str = AVAILABLE,
) -> Compared:
    """Estimate figures in subgroups and versions, and compare them.

    Parameters
    ----------
    samples : sequence of Sample
        The versions of a survey, the oldest first; often one.
    texts : sequence of str
        Shares such as "drugs,!cheating", or rules such as "drugs => cheating".
    by : str, optional
        An open column whose values make the subgroups.
    estimator : {"stratified", "combined", "pooled"}
        How direct and disguised respondents are joined.
    measure : str
        Which figure of rules is compared: a metric that has an error, such as "confidence", "lift" or "leverage".
    level : float
        Of the intervals.
    least : int
        The fewest respondents about whom a figure is reported.
    cases : {"available", "complete"}
        As in `reconstruct`.

    Returns
    -------
    Compared
        Within a version the difference between two figures of one group and between one figure in two groups; over
        versions that of one figure; and from three versions on its trend.

    Examples
    --------
    >>> from privacy.design import Design
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> codes = np.array([[1]] * 40 + [[0]] * 60 + [[1]] * 60 + [[0]] * 40, np.uint8)
    >>> sex = {"sex": np.repeat(np.array(["f", "m"], object), 100)}
    >>> sample = Sample(Records(design, codes, np.zeros(200, bool), sex))
    >>> compared = compare_figures([sample], ["drugs"], "sex")
    >>> shares, (difference,) = compared.figures, compared.differences
    >>> [round(one.estimate.estimate, 3) for one in shares], round(difference.estimate.estimate, 3)
    ([0.3, 0.7], 0.4)
    """
    check_cases(cases)
    check_least(least)
    if not samples:
        raise InputError("records: no version is given.")
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    if not texts:
        raise InputError("figures: none is named.")
    figures: list[GroupFigure] = []
    differences: list[Contrast] = []
    for sample in samples:
        own, apart = _within(sample, texts, by, estimator, measure, level, least, cases)
        figures += own
        differences += apart
    trends = []
    for told_of in dict.fromkeys((one.figure, one.group) for one in figures):
        line = [one for one in figures if (one.figure, one.group) == told_of and one.estimate is not None]
        freedom = min([*(sample.drawn.freedom for sample in samples), *(max(one.n - 1, 1) for one in line)])
        differences += [_between(first, second, freedom, level) for first, second in combinations(line, 2)
                        if first.version != second.version]  # fmt: skip
        if len(line) > 2 and len(line) == len(samples):
            trends.append(
                Trend(
                    *told_of,
                    slope([(one.estimate.estimate, one.estimate.se) for one in line if one.estimate], freedom, level),
                )
            )
    n = sum(len(sample.records) for sample in samples)
    return Compared(n, estimator, measure, level, least, tuple(figures), tuple(differences), tuple(trends))


def _within(
    sample: Sample,
    texts: Sequence[str],
    by: str | None,
    estimator: str,
    measure: str,
    level: float,
    least: int,
    cases: str,
) -> tuple[list[GroupFigure], list[Contrast]]:
    """The figures of one version, of all and of each group, and the differences between them.

    Two figures are compared within one group, and one figure between two groups.
    """
    records, sampling = sample.records, sample.drawn
    parts: list[tuple[str, NDArray[np.bool_] | None]] = [("", None)]
    if by is not None:
        place, names = groups(records.open_columns, by, "by")
        parts = [(f"{by}={name}", place == number) for number, name in enumerate(names)]
    figures, known = [], []
    for text in texts:
        for group, among in parts:
            one = None
            if (len(records) if among is None else int(among.sum())) >= least:
                one = figure(records, text, sampling, estimator, measure, among, cases)
            if one is None or one.n < least:
                figures.append(GroupFigure(text, sample.name, group, 0, None))
                continue
            figures.append(GroupFigure(text, sample.name, group, one.n, sample.estimate(one, level)))
            known.append((figures[-1], one))
    differences = []
    for (first, less), (second, of) in combinations(known, 2):
        if (first.figure == second.figure) != (first.group == second.group):
            differences.append(Contrast(first.name, second.name, sample.estimate(of.minus(less), level)))
    return figures, differences


def _between(first: GroupFigure, second: GroupFigure, freedom: int, level: float) -> Contrast:
    """Of two versions, whose respondents were drawn apart."""
    assert first.estimate is not None
    assert second.estimate is not None
    variance = first.estimate.se**2 + second.estimate.se**2
    difference = second.estimate.estimate - first.estimate.estimate
    return Contrast(first.name, second.name, with_error(difference, variance, freedom, level))


def slope(figures: Sequence[tuple[float, float]], freedom: float, level: float) -> Estimate:
    """How much figures, each with its error, grow from one version to the next.

    It is the line through the versions that fits best, each weighed by its precision.

    Parameters
    ----------
    figures : sequence of pair of float
        A figure and its standard error for each version, in their order.
    freedom : float
        Degrees of freedom of the interval; infinite for a normal one.
    level : float
        Of the interval, such as 0.95.

    Returns
    -------
    Estimate
        The change from one version to the next.

    Examples
    --------
    >>> round(slope([(0.1, 0.02), (0.2, 0.02), (0.3, 0.02)], np.inf, 0.95).estimate, 6)
    0.1
    """
    values, errors = np.array(figures).T
    weight = 1 / errors**2
    time = np.arange(len(values)) - float(weight @ np.arange(len(values)) / weight.sum())
    below = float(weight @ time**2)
    return with_error(float((weight * time) @ values) / below, 1 / below, freedom, level)


def _json(estimate: Estimate | None) -> dict[str, Any]:
    if estimate is None:
        return {"estimate": None, "se": None, "ci": None, "p": None}
    return vars(estimate) | {"ci": list(estimate.ci)}
