"""Comparisons of figures: between subgroups, between figures, and over the versions of a survey."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from privacy.choices import AVAILABLE
from privacy.errors import InputError
from privacy.output import counted
from privacy.reconstruct.available import check_cases
from privacy.reconstruct.group_difference import check_least
from privacy.reconstruct.linearised import Estimate, Linearised, differences, drawn_alike, with_error
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.shares_and_rules import figure
from privacy.records import Records
from privacy.records.open_columns import groups

MOST_GROUPS = 500  # of which every two are compared
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

    def differences(
        self, figures: Sequence[Linearised], pairs: Sequence[tuple[int, int]], level: float
    ) -> list[Estimate]:
        """The second figure less the first of each pair, with its error."""
        found = differences(figures, pairs, self.drawn, level)
        return [drawn_alike(one, len(self.records)) for one in found] if self.sampling is None else found


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
    contrasts: list[Contrast] = []
    for sample in samples:
        own, apart = _within(sample, texts, by, estimator, measure, level, least, cases)
        figures += own
        contrasts += apart
    freedoms = [sample.drawn.freedom for sample in samples]
    lines: dict[tuple[str, str], list[GroupFigure]] = {}
    for one in figures:
        if one.estimate is not None:
            lines.setdefault((one.figure, one.group), []).append(one)
    trends = []
    for told_of, line in lines.items():
        freedom = min([*freedoms, *(max(one.n - 1, 1) for one in line)])
        contrasts += [_between(first, second, freedom, level) for first, second in combinations(line, 2)
                        if first.version != second.version]  # fmt: skip
        if len(line) > 2 and len(line) == len(samples):
            trends.append(
                Trend(
                    *told_of,
                    slope([(one.estimate.estimate, one.estimate.se) for one in line if one.estimate], freedom, level),
                )
            )
    n = sum(len(sample.records) for sample in samples)
    return Compared(n, estimator, measure, level, least, tuple(figures), tuple(contrasts), tuple(trends))


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
    place, parts = None, [("", len(records))]
    if by is not None:
        place, names = groups(records.open_columns, by, "by")
        sizes = np.bincount(place, minlength=len(names))
        _check_groups(by, int((sizes >= least).sum()), least)
        parts = [(f"{by}={name}", size) for name, size in zip(names, sizes.tolist(), strict=True)]
    figures, known = [], []
    for text in texts:
        for number, (group, size) in enumerate(parts):
            one = None
            if size >= least:
                among = None if place is None else place == number
                one = figure(records, text, sampling, estimator, measure, among, cases)
            if one is None or one.n < least:
                figures.append(GroupFigure(text, sample.name, group, 0, None))
                continue
            figures.append(GroupFigure(text, sample.name, group, one.n, sample.estimate(one, level)))
            known.append((figures[-1], one))
    told = [one for one, _ in known]
    pairs = [
        (first, second)
        for first, second in combinations(range(len(told)), 2)
        if (told[first].figure == told[second].figure) != (told[first].group == told[second].group)
    ]
    apart = sample.differences([one for _, one in known], pairs, level)
    contrasts = [
        Contrast(told[first].name, told[second].name, estimate)
        for (first, second), estimate in zip(pairs, apart, strict=True)
    ]
    return figures, contrasts


def _check_groups(by: str, number: int, least: int) -> None:
    if number > MOST_GROUPS:
        raise InputError(
            f"by: {by!r} makes {number} groups of {counted(least, 'respondent')} or more, and at most {MOST_GROUPS} "
            "are compared; a larger least leaves small groups out."
        )


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
