"""Shares and rules in subgroups and over versions, with their differences."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from candor import arguments
from candor.results import Result, TextColumns
from mining.engines.discoveries import q_values
from privacy.choices import CASES, ESTIMATORS
from privacy.output import counted, strict
from privacy.reconstruct.compared import Compared, Sample, compare_figures
from privacy.reconstruct.metrics import with_error
from privacy.reconstruct.sampling import Sampling

if TYPE_CHECKING:
    import pandas as pd

    from privacy.reconstruct.linearised import Estimate
    from privacy.records import Records


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Figures and their differences; `candor.compare` makes it."""

    compared: Compared

    @cached_property
    def q(self) -> np.ndarray:
        """The false discovery rate of each difference, among all of them that have a p."""
        p = np.array([one.estimate.p for one in self.compared.differences])
        return q_values(p * np.count_nonzero(~np.isnan(p)))

    def contents(self) -> Iterator[str | TextColumns]:
        compared = self.compared
        yield f"{counted(compared.n, 'record')}; {compared.estimator} estimator"
        rows = [[one.name, one.n or None, *_figures(one.estimate)[:-1]] for one in compared.figures]
        yield TextColumns(["figure", "n", "estimate", "se", "low", "high"], rows)
        if compared.differences:
            yield ""
            rows = [
                [one.second, one.first, *_figures(one.estimate), q]
                for one, q in zip(compared.differences, self.q.tolist(), strict=True)
            ]
            yield TextColumns(["of", "less", "difference", "se", "low", "high", "p", "q"], rows)
        for trend in compared.trends:
            one = trend.estimate
            name = " · ".join(part for part in (trend.figure, trend.group) if part)
            yield f"{name}: {one.estimate:+.4g} a version, {one.ci[0]:.4g} to {one.ci[1]:.4g}, p {one.p:.3g}"
        if any(one.estimate is None for one in compared.figures):
            yield f"Nothing is reported about fewer than {compared.least} respondents."
        known = [one.estimate for one in compared.figures if one.estimate is not None]
        if compared.n > 1 and any(one.n == 1 for one in compared.figures):
            yield "Where n is 1 a figure tells of one respondent alone; a larger least leaves such figures out."
        if any(np.isnan(one.estimate) for one in known):
            yield "Where no estimate stands, nobody answered directly, and the disguise alone leaves nothing of it."
        if any(np.isfinite(one.estimate) and np.isnan(one.se) for one in known):
            yield "Where no error stands, too few differ in their answers to tell one."

    def picture(self) -> str:
        """The figures with their intervals."""
        from candor import pictures
        from privacy.draw.chart import Axis, Points

        known = [(one.name, one.estimate) for one in self.compared.figures if one.estimate][: pictures.MOST_ROWS]
        names = [name for name, _ in known]
        points = Points(
            "",
            [one.estimate for _, one in known],
            range(len(known)),
            left=[_drawable(one.ci[0]) for _, one in known],
            right=[_drawable(one.ci[1]) for _, one in known],
            labels=names,
        )
        return pictures.rows("Figures with their intervals", names, [points], Axis())

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per figure."""
        import pandas as pd

        rows = [
            [one.figure, one.group, one.version, one.n, *_figures(one.estimate)[:-1]] for one in self.compared.figures
        ]
        frame = pd.DataFrame(rows, columns=["figure", "group", "version", "n", "estimate", "se", "low", "high"])
        return frame.astype(dict.fromkeys(["estimate", "se", "low", "high"], float))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor compare`."""
        document: dict[str, Any] = self.compared.to_json()
        apart = zip(document["differences"], self.q.tolist(), strict=True)
        whole: dict[str, Any] = strict(document | {"differences": [one | {"q": q} for one, q in apart]})
        return whole


def compare(
    records: "Records | Mapping[str, Records]",
    figures: str | Iterable[str],
    by: str | None = None,
    *,
    measure: str = "confidence",
    estimator: str = "stratified",
    weights: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
    level: float = 0.95,
    least: int = 1,
    cases: str = "available",
) -> Comparison:
    """Compare shares and rules between subgroups, with each other, and over the versions of a survey.

    Parameters
    ----------
    records : Records or mapping of str to Records
        Records with their open columns; or the versions of a survey by their names, the oldest first.
    figures : str or iterable of str
        Shares (``drugs,!cheating``) and rules (``drugs => cheating``).
    by : str, optional
        An open column whose values make the subgroups.
    measure : str
        Which figure of rules is compared: a metric that has an error, such as 'confidence', 'lift' or 'leverage'.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    weights, cluster, strata : str, optional
        Open columns that say how respondents were drawn.
    level : float
        Of the confidence intervals.
    least : int
        The fewest respondents about whom a figure is reported.
    cases : {'available', 'complete'}
        As in `candor.reconstruct`.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        Where a figure or a column is unknown, two versions have one name, the groups are more than 500, or the disguise
        leaves nothing of a figure.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "young": [1, 0] * 5000})
    >>> design = candor.models.warner(["drugs"], theta=0.8)
    >>> table = candor.disguise(frame, design, seed=7).to_frame().assign(young=frame["young"])
    >>> candor.compare(candor.Records.from_frame(table, design), "drugs", "young")
    10000 records; stratified estimator
    figure              n   estimate          se         low      high
    drugs · young=0  5000  0.0206667  0.00964037  0.00176636  0.039567
    drugs · young=1  5000   0.498667   0.0117851    0.475562  0.521772
    <BLANKLINE>
    of               less             difference         se       low      high             p             q
    drugs · young=1  drugs · young=0       0.478  0.0152258  0.448149  0.507851  1.32765e-197  1.32765e-197
    """
    versions = arguments.named(records, "records") if isinstance(records, Mapping) else {"": records}
    named = {name: arguments.records(each) for name, each in versions.items()}
    texts = arguments.texts(figures, "figures")
    alike = weights is None and cluster is None and strata is None
    samples = [
        Sample(
            each,
            None if alike else Sampling.of(each.open_columns, len(each), weights, cluster, strata),
            name if len(named) > 1 else "",
        )
        for name, each in named.items()
    ]
    return Comparison(
        compare_figures(
            samples,
            texts,
            by,
            estimator=arguments.choice(estimator, "estimator", ESTIMATORS),
            measure=arguments.choice(measure, "measure", (metric.key for metric in with_error())),
            level=arguments.number(level, "level"),
            least=arguments.whole(least, "least"),
            cases=arguments.choice(cases, "cases", CASES),
        )
    )


def _drawable(end: float) -> float:
    """The end of an interval, NaN where it has none."""
    return end if np.isfinite(end) else np.nan


def _figures(estimate: "Estimate | None") -> list[float | None]:
    if estimate is None:
        return [None] * 5
    return [estimate.estimate, estimate.se, *estimate.ci, estimate.p]
