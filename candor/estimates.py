"""The shares of true answers, recovered from disguised records or from counts of them, with their error."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from candor import arguments
from candor.results import WIDTH, Result, TextColumns
from privacy import reconstruct as core
from privacy.choices import CASES, ESTIMATORS, EVERY_CASES
from privacy.design.patterns import every_answer
from privacy.output import counted, strict
from privacy.reconstruct.population import reconstruct_sample, table_of_sample
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.tables import Crosstab, reconstruct_table

if TYPE_CHECKING:
    import pandas as pd

    from privacy.design import Design
    from privacy.records import Records

_FIGURES = ("n", "observed", "support", "se", "se_respondents")
_APART = "Each feasible value is fitted to its pattern alone, so that these values need not fit each other."


@dataclass(frozen=True, repr=False)
class Reconstruction(Result):
    """Supports of patterns with their error; `candor.reconstruct` makes it.

    `observed` is the share of records that match a pattern, `support` the unbiased estimate of the share of true
    answers that do, `se` its standard error about the population, `feasible` the most likely support that real answers
    could have.
    """

    report: core.Report

    @property
    def n(self) -> int:
        """How many records there are."""
        return self.report.n

    @property
    def direct(self) -> int:
        """How many of them are direct."""
        return self.report.direct

    @property
    def estimator(self) -> str:
        return self.report.estimator

    @property
    def alike(self) -> bool | None:
        """Whether direct and disguised respondents answer alike; None where there are not two groups to compare."""
        return self.report.groups.alike

    def contents(self) -> Iterator[str | TextColumns]:
        told = EVERY_CASES[self.report.cases].told
        how = f"{self.estimator} estimator, {told}" if told else f"{self.estimator} estimator"
        yield f"{counted(self.n, 'record')}, {self.direct} of them direct; {how}"
        rows = []
        for row in self.report.patterns:
            low, high = row.ci or (None, None)
            feasible = round(row.feasible.support, 4) if row.feasible else None  # the digits that the fit settles
            rows.append([row.pattern, row.n, row.observed, row.support, row.se, low, high, feasible])
        yield TextColumns(["pattern", "n", "observed", "support", "se", "low", "high", "feasible"], rows)
        if len(rows) > 1 and any(row.feasible and not row.feasible.joint for row in self.report.patterns):
            yield _APART
        if self.report.groups.answers:
            yield fill(self.report.groups.advice, WIDTH)

    def picture(self) -> str:
        """The supports with their intervals."""
        from candor import pictures

        known = [row for row in self.report.patterns if row.support is not None][: pictures.MOST_ROWS]
        return pictures.supports(
            "Share of true answers, with its interval",
            [row.pattern for row in known],
            [row.support or 0.0 for row in known],
            [row.ci or (np.nan, np.nan) for row in known],
            [row.feasible.support if row.feasible else np.nan for row in known],
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per pattern, all digits kept."""
        import pandas as pd

        rows = []
        for figures in self.report.patterns:
            low, high = figures.ci or (None, None)
            feasible = figures.feasible.support if figures.feasible else None
            rows.append([figures.pattern, *(getattr(figures, name) for name in _FIGURES), low, high, feasible])
        frame = pd.DataFrame(rows, columns=["pattern", *_FIGURES, "low", "high", "feasible"])
        return frame.astype(dict.fromkeys(frame.columns.difference(["pattern", "n"]), float))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor reconstruct`."""
        document: dict[str, Any] = strict(self.report.to_json())
        return document


@dataclass(frozen=True, repr=False, eq=False)
class JointTable(Result):
    """The share of every combination of answers to some items; `candor.table` makes it.

    `support` and `se` are arrays with an axis for each item, and an entry for each of its options.
    """

    crosstab: Crosstab
    labels: tuple[tuple[str, ...], ...]
    estimator: str

    @property
    def items(self) -> tuple[str, ...]:
        return self.crosstab.items

    @property
    def n(self) -> int:
        """How many respondents were asked all the items."""
        return self.crosstab.n

    @property
    def support(self) -> np.ndarray:
        """The unbiased estimate of each share."""
        return self.crosstab.support

    @property
    def se(self) -> np.ndarray:
        """Its standard error about the population."""
        return self.crosstab.se

    @property
    def feasible(self) -> np.ndarray | None:
        """The most likely table that real answers could have."""
        return self.crosstab.feasible.shares if self.crosstab.feasible else None

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{counted(self.n, 'respondent')} asked all of {', '.join(self.items)}; {self.estimator} estimator"
        rows = [[*labels, support, se, round(share, 4)] for labels, support, se, share in self._cells()]
        yield TextColumns([*self.items, "support", "se", "feasible"], rows)
        if self.feasible is None:
            yield "No feasible table was fitted."

    def picture(self) -> str:
        """The shares, each with two standard errors to either side."""
        from candor import pictures

        cells = list(islice(self._cells(), pictures.MOST_ROWS))
        return pictures.supports(
            f"Shares of {' × '.join(self.items)}, with two standard errors",
            [", ".join(labels) for labels, *_ in cells],
            [support for _, support, _, _ in cells],
            [(support - 2 * se, support + 2 * se) for _, support, se, _ in cells],
            [share for *_, share in cells],
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return a row per combination of answers."""
        import pandas as pd

        rows = [[*labels, *figures] for labels, *figures in self._cells()]
        return pd.DataFrame(rows, columns=[*self.items, "support", "se", "feasible"])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor table`."""
        fit = self.crosstab.feasible
        document: dict[str, Any] = strict(
            {
                "n": self.n,
                "estimator": self.estimator,
                "items": list(self.items),
                "cells": [
                    {"labels": list(labels), "support": support, "se": se, "feasible": share}
                    for labels, support, se, share in self._cells()
                ],
                "fit": fit
                and {
                    "log_likelihood": fit.log_likelihood,
                    "iterations": fit.iterations,
                    "gap": fit.gap,
                    "converged": fit.converged,
                },
            }
        )
        return document

    def _cells(self) -> Iterator[tuple[list[str], float, float, float]]:
        feasible = np.full(self.support.shape, np.nan) if self.feasible is None else self.feasible
        for place in np.ndindex(self.support.shape):
            labels = [names[option] for names, option in zip(self.labels, place, strict=True)]
            yield labels, float(self.support[place]), float(self.se[place]), float(feasible[place])


def reconstruct(
    records: "Records",
    patterns: str | Iterable[str] | None = None,
    *,
    estimator: str = "stratified",
    level: float = 0.95,
    feasible: bool = True,
    cases: str = "available",
    weights: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
) -> Reconstruction:
    """Estimate the share of true answers that match each pattern.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.
    patterns : str or iterable of str, optional
        Comma-separated literals, which must all hold: ``drugs``, ``!cheating``, ``age=30-49``. Without them every item
        is estimated: the yes of a yes/no item, each option of any other.
    estimator : {'stratified', 'combined', 'pooled'}
        Stratified is right also where direct and disguised respondents differ.
    level : float
        Of the confidence intervals.
    feasible : bool
        Whether to fit the feasible supports too, which takes longer.
    cases : {'available', 'complete', 'least-squares'}
        Of a pattern on a block that asks each respondent only some of its items: whether it is estimated from everyone
        who was asked a part of it, or from those who were asked all of it, which has a larger error. Least squares
        weigh the parts by what they tell of each other, which helps with rare answers; supports need not add up then.
    weights, cluster, strata : str, optional
        Open columns that say how respondents were drawn. Supports are then those of the population and errors those of
        such a sample; feasible supports and the comparison of the groups are about the respondents, and left out.

    Returns
    -------
    Reconstruction

    Raises
    ------
    InputError
        Where a pattern names what the design does not have, or the disguise leaves nothing of it.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
    >>> candor.reconstruct(records, ["drugs", "drugs,!cheating"])  # doctest: +ELLIPSIS
    10000 records, 1963 of them direct; stratified estimator
    pattern              n  observed    support         se         low       high  feasible
    drugs            10000    0.4464   0.253153  0.0150606    0.223659   0.282681    0.2604
    drugs,!cheating  10000    0.1314  -0.012072  0.0110514  -0.0333008  0.0100215         0
    No answer differs significantly between the groups, ... combined and pooled are assumptions.
    """
    records = arguments.records(records)
    asked = every_answer(records.design) if patterns is None else arguments.texts(patterns, "patterns")
    estimator = arguments.choice(estimator, "estimator", ESTIMATORS)
    feasible = arguments.flag(feasible, "feasible")
    level, cases = arguments.number(level, "level"), arguments.choice(cases, "cases", EVERY_CASES)
    if weights is None and cluster is None and strata is None:
        return Reconstruction(core.reconstruct(records, asked, estimator, level, feasible=feasible, cases=cases))
    sampling = Sampling.of(records.open_columns, len(records), weights, cluster, strata)
    return Reconstruction(reconstruct_sample(records, asked, sampling, estimator, level, cases))


def reconstruct_counts(
    design: "Design",
    patterns: str | Iterable[str],
    counts: Mapping[str, tuple[int, int]],
    *,
    estimator: str = "stratified",
    level: float = 0.95,
) -> Reconstruction:
    """Estimate from counts alone, as published studies give them.

    Parameters
    ----------
    design : Design
        What the answers were disguised by.
    patterns : str or iterable of str
        The patterns to estimate.
    counts : mapping of str to pair of int
        How many disguised and how many direct records match each pattern; ``""`` stands for all of them. A pattern
        that spreads over several coins or flipped answers needs its parts as well; one that is missing is named.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    level : float
        Of the confidence intervals.

    Returns
    -------
    Reconstruction

    Raises
    ------
    InputError
        Where a count is missing, two spellings of a pattern have different counts, or the counts contradict each other.

    Examples
    --------
    >>> import candor
    >>> warner = candor.models.warner(["drugs"], theta=0.7)
    >>> candor.reconstruct_counts(warner, "drugs", {"": (1000, 0), "drugs": (420, 0)})
    1000 records, 0 of them direct; stratified estimator
    pattern     n  observed  support         se       low      high  feasible
    drugs    1000      0.42      0.3  0.0390192  0.224432  0.377099       0.3
    """
    design, asked = arguments.design(design), arguments.texts(patterns, "patterns")
    pairs = arguments.pairs(counts, "counts")
    for pattern, _ in pairs:
        arguments.text(pattern, "counts")
    known = arguments.named(pairs, "counts")
    estimator = arguments.choice(estimator, "estimator", ESTIMATORS)
    level = arguments.number(level, "level")
    return Reconstruction(core.reconstruct_supports(design, asked, known, estimator, level))


def table(
    records: "Records",
    items: Sequence[str],
    *,
    estimator: str = "stratified",
    feasible: bool = True,
    cases: str = "available",
    weights: str | None = None,
    cluster: str | None = None,
    strata: str | None = None,
) -> JointTable:
    """Estimate the share of every combination of answers to some items.

    Parameters
    ----------
    records : Records
        What `candor.disguise` or `candor.read_records` gave.
    items : sequence of str
        The items of the table, which may have 2^20 cells.
    estimator : {'stratified', 'combined', 'pooled'}
        As in `candor.reconstruct`.
    feasible : bool
        Whether to fit the most likely table that real answers could have, too.
    cases : {'available', 'complete'}
        As in `candor.reconstruct`.
    weights, cluster, strata : str, optional
        As in `candor.reconstruct`; such a table has up to 4096 cells.

    Returns
    -------
    JointTable

    Raises
    ------
    InputError
        Where an item is unknown or named twice, the table is too large, or the disguise leaves nothing of it.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [1, 0, 0, 0] * 2500, "cheating": [1, 0] * 5000})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> records = candor.disguise(frame, design, direct=0.2, seed=7)
    >>> candor.table(records, ["drugs", "cheating"])
    10000 respondents asked all of drugs, cheating; stratified estimator
    drugs  cheating    support         se  feasible
    0      0          0.502585  0.0133402    0.4988
    0      1          0.244261  0.0129124    0.2408
    1      0         -0.012072  0.0110514         0
    1      1          0.265225  0.0142152    0.2604
    """
    records, chosen = arguments.records(records), arguments.texts(items, "items")
    estimator, feasible = arguments.choice(estimator, "estimator", ESTIMATORS), arguments.flag(feasible, "feasible")
    cases = arguments.choice(cases, "cases", CASES)
    design = records.design
    if weights is None and cluster is None and strata is None:
        crosstab = reconstruct_table(records, chosen, estimator, feasible=feasible, cases=cases)
    else:
        sampling = Sampling.of(records.open_columns, len(records), weights, cluster, strata)
        crosstab = table_of_sample(records, chosen, sampling, estimator, cases)
    labels = tuple(design.items[design.column(item)].options for item in chosen)
    return JointTable(crosstab, labels, estimator)
