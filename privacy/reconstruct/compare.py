"""Comparisons of figures: between subgroups, between figures, and over the versions of a survey."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np

from privacy.choices import Cases, Estimator, Measure
from privacy.design import arguments
from privacy.errors import InputError, NoFigureError
from privacy.estimate.linearised import (
    Estimate,
    LinearisedFigure,
    differences,
    estimate_alike,
    with_error,
    with_far_ends,
)
from privacy.estimate.sample import Sample
from privacy.estimate.sampling import Sampling
from privacy.options import check_arguments, tables
from privacy.output import count_of, to_json_value
from privacy.reconstruct.discoveries import q_of_family
from privacy.reconstruct.group_difference import check_least
from privacy.reconstruct.shares_and_rules import figure
from privacy.records.open_columns import groups
from privacy.records.records import Records, require_records
from privacy.result import DataFrame, Result, TextColumns, data_frame

MOST_GROUPS = 500  # of which every two are compared


@dataclass(frozen=True)
class DrawnRecords:
    """The records of one version, and how their respondents were drawn; None: alike, each alone."""

    records: Records
    sampling: Sampling | None = None
    name: str = ""

    @property
    def own_sampling(self) -> Sampling:
        return self.sampling or Sampling.simple(len(self.records))

    def estimate(self, figure: LinearisedFigure, level: float) -> Estimate:
        return figure.simple_estimate(level) if self.sampling is None else figure.estimate(self.sampling, level)

    def differences(
        self, figures: Sequence[LinearisedFigure], pairs: Sequence[tuple[int, int]], level: float
    ) -> list[Estimate]:
        """The second figure less the first of each pair, with its error."""
        found = differences(figures, pairs, self.own_sampling, level)
        return [estimate_alike(one, len(self.records)) for one in found] if self.sampling is None else found


@dataclass(frozen=True)
class GroupFigure:
    """One figure in one group of one version; without an estimate where too few were asked, or for the `reason`."""

    figure: str
    version: str
    group: str
    n: int
    estimate: Estimate | None
    ends: tuple[Estimate, ...] = ()  # the lowest and the highest that it may be: the estimate, where it has no bias
    reason: str | None = None

    @property
    def name(self) -> str:
        return " · ".join(part for part in (self.figure, self.group, self.version) if part)

    def to_json(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in ("figure", "version", "group", "n", "reason")}
        return own | _json(self.estimate)


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


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Figures and their differences; `candor.compare` makes it."""

    n: int
    estimator: str
    measure: str
    level: float
    least: int
    figures: tuple[GroupFigure, ...]
    differences: tuple[Contrast, ...]
    trends: tuple[Trend, ...]

    @cached_property
    def q(self) -> np.ndarray:
        """The false discovery rate of each difference, among all of them that have a p."""
        return q_of_family(np.array([difference.estimate.p for difference in self.differences]))

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{count_of(self.n, 'record')}; {self.estimator} estimator"
        rows = [[figure.name, figure.n or None, *_table_cells(figure.estimate)[:-1]] for figure in self.figures]
        yield TextColumns(["figure", "n", "estimate", "se", "low", "high"], rows)
        if self.differences:
            yield ""
            apart = zip(self.differences, self.q.tolist(), strict=True)
            rows = [[one.second, one.first, *_table_cells(one.estimate), q] for one, q in apart]
            yield TextColumns(["of", "less", "difference", "se", "low", "high", "p", "q"], rows)
        for trend in self.trends:
            one = trend.estimate
            name = " · ".join(part for part in (trend.figure, trend.group) if part)
            yield f"{name}: {one.estimate:+.4g} a version, {one.ci[0]:.4g} to {one.ci[1]:.4g}, p {one.p:.3g}"
        yield from (
            f"{figure.name} has no figure. {figure.reason}" for figure in self.figures if figure.reason is not None
        )
        if any(figure.estimate is None and figure.reason is None for figure in self.figures):
            yield f"Nothing is reported about fewer than {self.least} respondents."
        known = [figure.estimate for figure in self.figures if figure.estimate is not None]
        if self.n > 1 and any(figure.n == 1 for figure in self.figures):
            yield "A figure with n 1 is about one respondent; a larger least leaves such figures out."
        if any(np.isnan(one.estimate) for one in known):
            yield "An estimate is missing where nobody answered directly and the disguise leaves nothing of it."
        if any(np.isfinite(one.estimate) and np.isnan(one.se) for one in known):
            yield "An error is missing where too few answers differ, or one person decides a figure."

    def picture(self) -> str:
        """The figures with their intervals."""
        from privacy.draw import named_rows
        from privacy.draw.chart import Axis, Points

        known = [(figure.name, figure.estimate) for figure in self.figures if figure.estimate][: named_rows.MOST_ROWS]
        names = [name for name, _ in known]
        points = Points(
            "",
            [one.estimate for _, one in known],
            range(len(known)),
            left=[_drawable(one.ci[0]) for _, one in known],
            right=[_drawable(one.ci[1]) for _, one in known],
            labels=names,
        )
        return named_rows.rows("Figures with their intervals", names, [points], Axis())

    def to_frame(self) -> DataFrame:
        """Return a row per figure."""
        rows = [
            [figure.figure, figure.group, figure.version, figure.n, *_table_cells(figure.estimate)[:-1]]
            for figure in self.figures
        ]
        frame = data_frame(rows, columns=["figure", "group", "version", "n", "estimate", "se", "low", "high"])
        return frame.astype(dict.fromkeys(["estimate", "se", "low", "high"], float))

    def to_json(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in ("n", "estimator", "measure", "level", "least")}
        apart = zip(self.differences, self.q.tolist(), strict=True)
        return to_json_value(
            own
            | {
                "figures": [figure.to_json() for figure in self.figures],
                "differences": [one.to_json() | {"q": q} for one, q in apart],
                "trends": [trend.to_json() for trend in self.trends],
            }
        )


@check_arguments(tables.COMPARE)
def compare(
    records: Records | Mapping[str, Records],
    figures: str | Iterable[str],
    by: str | None = None,
    *,
    measure: Measure = "confidence",
    estimator: Estimator = "stratified",
    sample: Sample | None = None,
    level: float = 0.95,
    least: int = 1,
    cases: Cases = "available",
) -> Comparison:
    """Compare shares and rules between subgroups, with each other, and over the versions of a survey.

    Within a version it holds the difference between two figures of one group and between one figure in two groups; over
    versions that of one figure; and from three versions on its trend.

    Parameters
    ----------
    records : Records or mapping of str to Records
        Records with their undisguised columns; or the versions of a survey by their names, the oldest first.
    figures : str or iterable of str
        Shares (``drugs,!cheating``) and rules (``drugs => cheating``).
    by : str, optional
        An undisguised column whose values make the subgroups.
    measure : str
        Which figure of rules is compared: a metric that has an error, such as 'confidence', 'lift' or 'leverage'.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    sample : Sample, optional
        How respondents were drawn and what is known of the population, as in `candor.reconstruct`.
    level : float
        Of the confidence intervals.
    least : int
        The fewest respondents about whom a figure is reported.
    cases : {'available', 'complete'}
        As in `candor.reconstruct`.

    Raises
    ------
    InputError
        Where a figure or a column is unknown, two versions have one name, the groups are more than 500, or no group has
        a figure. A group without one, as nobody seems to have given a rule's first side, is named below the table.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "young": [1, 0] * 5000})
    >>> design = candor.models.warner(["drugs"], theta=0.8)
    >>> table = candor.disguise(frame, design, seed=7).to_frame().assign(young=frame["young"])
    >>> candor.compare(candor.Records.from_frame(table, design), "drugs", "young")
    10000 records; stratified estimator
    figure              n   estimate          se         low       high
    drugs · young=0  5000  0.0206667  0.00964037  0.00213823  0.0399315
    drugs · young=1  5000   0.498667   0.0117851    0.475571   0.521764
    <BLANKLINE>
    of               less             difference         se       low      high             p             q
    drugs · young=1  drugs · young=0       0.478  0.0152258  0.448149  0.507851  1.32765e-197  1.32765e-197
    """
    versions = arguments.by_name(records, "records") if isinstance(records, Mapping) else {"": records}
    named = {name: require_records(each) for name, each in versions.items()}
    texts = arguments.texts(figures, "figures")
    samples = [
        DrawnRecords(each, Sampling.of(sample, each.open_columns, len(each)), name if len(named) > 1 else "")
        for name, each in named.items()
    ]
    check_least(least)
    if not samples:
        raise InputError("records: no version is given.")
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    if not texts:
        raise InputError("figures: none is named.")
    estimated = partial(figure, estimator=estimator, measure=measure, cases=cases)
    made: list[GroupFigure] = []
    contrasts: list[Contrast] = []
    for drawn in samples:
        own, apart = _compare_groups(drawn, texts, by, estimated, level, least)
        made += own
        contrasts += apart
    for text in texts:
        of_text = [figure for figure in made if figure.figure == text]
        reasons = [f"{one.group}: {one.reason}" if one.group else one.reason for one in of_text if one.reason]
        if reasons and all(one.estimate is None for one in of_text):
            raise NoFigureError(reasons[0])
    freedoms = [drawn.own_sampling.freedom for drawn in samples]
    lines: dict[tuple[str, str], list[GroupFigure]] = {}
    for one in made:
        if one.estimate is not None:
            lines.setdefault((one.figure, one.group), []).append(one)
    trends = []
    for labels, line in lines.items():
        freedom = min([*freedoms, *(max(one.n - 1, 1) for one in line)])
        contrasts += [_compare_versions(first, second, freedom, level) for first, second in combinations(line, 2)
                        if first.version != second.version]  # fmt: skip
        if len(line) > 2 and len(line) == len(samples):
            values = [(one.estimate.estimate, one.estimate.se) for one in line if one.estimate]
            trends.append(Trend(*labels, slope(values, freedom, level, [one.ends for one in line])))
    n = sum(len(drawn.records) for drawn in samples)
    return Comparison(n, estimator, measure, level, least, tuple(made), tuple(contrasts), tuple(trends))


def _compare_groups(
    sample: DrawnRecords,
    texts: Sequence[str],
    by: str | None,
    estimated: Callable[..., LinearisedFigure],
    level: float,
    least: int,
) -> tuple[list[GroupFigure], list[Contrast]]:
    """The figures of one version, of all and of each group, and the differences between them.

    Two figures are compared within one group, and one figure between two groups.
    """
    records, sampling = sample.records, sample.own_sampling
    place, parts = None, [("", len(records))]
    if by is not None:
        place, names = groups(records.open_columns, by, "by")
        sizes = np.bincount(place, minlength=len(names))
        if (number := int((sizes >= least).sum())) > MOST_GROUPS:
            raise InputError(
                f"by: {by!r} makes {number} groups of {count_of(least, 'respondent')} or more, and at most "
                f"{MOST_GROUPS} are compared; a larger least leaves small groups out."
            )
        parts = [(f"{by}={name}", size) for name, size in zip(names, sizes.tolist(), strict=True)]
    figures, known = [], []
    for text in texts:
        for number, (group, size) in enumerate(parts):
            one = reason = None
            if size >= least:
                among = None if place is None else place == number
                try:
                    one = estimated(records, text, sampling, among=among)
                except NoFigureError as error:
                    reason = str(error)
            own = None if one is None else sample.estimate(one, level)
            if own is not None and np.isinf(own.ci).any():
                own, reason = (
                    None,
                    f"Nothing can be said of {text!r}: the records do not exclude that its divisor is 0.",
                )
            if one is None or own is None or one.n < least:
                figures.append(GroupFigure(text, sample.name, group, 0, None, reason=reason))
                continue
            far = [one.far_end(sign) for sign in (-1, 1)]
            ends = tuple(own if end is one else sample.estimate(end, level) for end in far)
            figures.append(GroupFigure(text, sample.name, group, one.n, own, ends))
            known.append((figures[-1], one))
    found = [one for one, _ in known]
    pairs = [
        (first, second)
        for first, second in combinations(range(len(found)), 2)
        if (found[first].figure == found[second].figure) != (found[first].group == found[second].group)
    ]
    apart = sample.differences([one for _, one in known], pairs, level)
    compared = zip(pairs, apart, strict=True)
    contrasts = [Contrast(found[first].name, found[second].name, estimate) for (first, second), estimate in compared]
    return figures, contrasts


def _compare_versions(first: GroupFigure, second: GroupFigure, freedom: float, level: float) -> Contrast:
    """Compare a figure of two versions, whose respondents are independent samples."""
    assert first.estimate is not None
    assert second.estimate is not None
    variance = first.estimate.se**2 + second.estimate.se**2
    difference = second.estimate.estimate - first.estimate.estimate
    estimate = with_error(difference, variance, freedom, level)
    return Contrast(first.name, second.name, _reach(estimate, (-1.0, 1.0), (first.ends, second.ends), freedom, level))


def slope(
    figures: Sequence[tuple[float, float]], freedom: float, level: float, ends: Sequence[tuple[Estimate, ...]] = ()
) -> Estimate:
    """How much figures, each with its error, grow from one version to the next.

    It is the line through the versions that fits best, each weighed by its precision. `ends`: the lowest and the
    highest that each figure may be.

    >>> round(slope([(0.1, 0.02), (0.2, 0.02), (0.3, 0.02)], np.inf, 0.95).estimate, 6)
    0.1
    """
    values, errors = np.array(figures).T
    weight = 1 / errors**2
    time = np.arange(len(values)) - float(weight @ np.arange(len(values)) / weight.sum())
    below = float(weight @ time**2)
    estimate = with_error(float((weight * time) @ values) / below, 1 / below, freedom, level)
    return _reach(estimate, (weight * time / below).tolist(), ends, freedom, level)


def _reach(
    estimate: Estimate, slopes: Sequence[float], ends: Sequence[tuple[Estimate, ...]], freedom: float, level: float
) -> Estimate:
    """Let the estimate of Σ slope·figure, of independent samples, reach as far as the figures' biases (`ends`) may."""
    if all(low is high for low, high in ends):
        return estimate
    far = []
    for upper in (False, True):
        counted = [(slope, both[(slope > 0) == upper]) for slope, both in zip(slopes, ends, strict=True)]
        value = sum(slope * end.estimate for slope, end in counted)
        far.append(with_error(value, sum((slope * end.se) ** 2 for slope, end in counted), freedom, level))
    return with_far_ends(estimate, *far)


def _json(estimate: Estimate | None) -> dict[str, Any]:
    if estimate is None:
        return {"estimate": None, "se": None, "ci": None, "p": None}
    return vars(estimate) | {"ci": list(estimate.ci)}


def _drawable(end: float) -> float:
    """The end of an interval, NaN where it has none."""
    return end if np.isfinite(end) else np.nan


def _table_cells(estimate: Estimate | None) -> list[float | None]:
    if estimate is None:
        return [None] * 5
    return [estimate.estimate, estimate.se, *estimate.ci, estimate.p]
