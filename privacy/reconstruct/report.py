"""From counts of patterns to supports with their error, and what is printed of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite
from textwrap import fill
from typing import Any

import numpy as np

from privacy.arrays import Floats
from privacy.choices import CASES
from privacy.design.patterns import Pattern
from privacy.errors import InputError
from privacy.estimate.estimators import Estimates, estimate, se_of_paper
from privacy.estimate.figures import CellVariation, estimate_counts, figures_of_counts
from privacy.estimate.intervals import CONTRADICTED, NO_ERROR, NO_FIGURE, contradicts, interval_of_shares
from privacy.estimate.sampled import estimate_sampled
from privacy.estimate.weights import channel_of, shape
from privacy.estimate.wrong_chances import WrongChances, has_wrong_chances
from privacy.output import count_of, to_json_value
from privacy.reconstruct.group_difference import GroupComparison, compare
from privacy.reconstruct.pattern_counts import PatternCounts, PatternQuery
from privacy.result import WIDTH, DataFrame, Result, TextColumns, data_frame

_FIGURES = ("n", "observed", "support", "se", "se_respondents")
PRINTED = (
    "The paper's own error, its equation (6), takes every record for a draw of one chance. It is known who answered "
    "directly, so the error above is the smaller one."
)
BIASED = (
    "People to whom much applies send each of their words less often, so these figures may lie further from the truth "
    "by up to"
)
NEAREST = "Estimates outside 0 to 1 are printed as the nearest share, with what of their intervals shares can be:"
ABOVE = "By chance these are estimated above one of their parts, which no answers can be:"
_SOMETIMES = ("se_printed", "bias")


@dataclass(frozen=True)
class Figures:
    """One pattern's figures; None where there is none, as a standard error from one respondent."""

    pattern: str
    n: int  # respondents asked all of the pattern
    observed: float | None
    support: float | None
    se: float | None  # about the population
    se_respondents: float | None  # about the same respondents' own truth
    ci: tuple[float, float] | None
    se_printed: float | None = None  # of the pooled estimator, as its paper prints it
    bias: float | None = None  # how far it may lie from its estimate, at the upper end, where a disguise is biased

    @property
    def share(self) -> float | None:
        """The support, or the nearest share where it is none."""
        return None if self.support is None else min(max(self.support, 0.0), 1.0)

    @property
    def share_ci(self) -> tuple[float, float] | None:
        """The interval around the share, of shares from 0 to 1 alone."""
        if self.support is None or self.share is None or self.ci is None:
            return None
        return interval_of_shares(self.support, self.ci, self.share)

    def to_json(self) -> dict[str, Any]:
        figures = {name: value for name, value in vars(self).items() if value is not None or name not in _SOMETIMES}
        return figures | {"ci": list(self.ci) if self.ci else None}


@dataclass(frozen=True, repr=False)
class Reconstruction(Result):
    """Supports of patterns with their error; `candor.reconstruct` makes it.

    `observed` is the share of records that match a pattern, `support` the unbiased estimate of the share of true
    answers that do, `se` its standard error about the population.
    """

    n: int
    direct: int
    estimator: str
    cases: str
    level: float
    patterns: tuple[Figures, ...]
    groups: GroupComparison

    @property
    def alike(self) -> bool | None:
        """Whether direct and disguised respondents answer alike; None where there are not two groups to compare."""
        return self.groups.alike

    def contents(self) -> Iterator[str | TextColumns]:
        note = CASES[self.cases].note
        how = f"{self.estimator} estimator, {note}" if note else f"{self.estimator} estimator"
        yield f"{count_of(self.n, 'record')}, {self.direct} of them direct; {how}"
        rows, outside = [], [row for row in self.patterns if row.support != row.share]
        for row in self.patterns:
            ends = (row.share_ci if row in outside else row.ci) or (None, None)
            rows.append([row.pattern, row.n, row.observed, row.share, row.se, *ends])
        yield TextColumns(["pattern", "n", "observed", "support", "se", "low", "high"], rows)
        if printed := [(row.pattern, row.se, row.se_printed) for row in self.patterns if row.se_printed is not None]:
            yield ""
            yield fill(PRINTED, WIDTH)
            yield TextColumns(["pattern", "se", "se by (6)"], printed)
        if biased := [(row.pattern, row.bias) for row in self.patterns if row.bias is not None]:
            yield ""
            yield fill(f"{BIASED} as much, chance included; the intervals above allow for it.", WIDTH)
            yield TextColumns(["pattern", "at most"], biased)
        if outside:
            yield fill(f"{NEAREST} {'; '.join(row.pattern for row in outside)}.", WIDTH)
        if above := [name for name, _part in self._above_a_part()]:
            yield fill(f"{ABOVE} {'; '.join(dict.fromkeys(above))}.", WIDTH)
        if lost := [row.pattern for row in self.patterns if row.support is None and row.n]:
            yield fill(NO_FIGURE.format("; ".join(lost)), WIDTH)
        if any(row.support is not None and row.se is None for row in self.patterns):
            yield fill(NO_ERROR, WIDTH)
        if contradicted := [row.pattern for row in self.patterns if contradicts(row.ci)]:
            yield fill(CONTRADICTED.format("; ".join(contradicted)), WIDTH)
        if self.groups.answers:
            yield fill(self.groups.advice, WIDTH)

    def _above_a_part(self) -> Iterator[tuple[str, str]]:
        """The patterns that are estimated above one of their parts, with this part."""
        literals = [frozenset(row.pattern.split(",")) for row in self.patterns]
        for row, literal in zip(self.patterns, literals, strict=True):
            for part, its in zip(self.patterns, literals, strict=True):
                if its < literal and (row.share or 0.0) > (1.0 if part.share is None else part.share):
                    yield row.pattern, part.pattern

    def picture(self) -> str:
        """The supports with their intervals."""
        from privacy.draw import named_rows

        known = [row for row in self.patterns if row.support is not None][: named_rows.MOST_ROWS]
        return named_rows.supports(
            "Share of true answers, with its interval",
            [row.pattern for row in known],
            [row.support or 0.0 for row in known],
            [row.ci or (np.nan, np.nan) for row in known],
        )

    def to_frame(self) -> DataFrame:
        """Return a row per pattern, all digits kept."""
        rows = []
        for figures in self.patterns:
            low, high = figures.ci or (None, None)
            rows.append([figures.pattern, *(getattr(figures, name) for name in _FIGURES), low, high])
        frame = data_frame(rows, columns=["pattern", *_FIGURES, "low", "high"])
        return frame.astype(dict.fromkeys(frame.columns.difference(["pattern", "n"]), float))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor reconstruct`; the sentence in it stays for programs that were written for it."""
        groups = self.groups
        beside = {"finding": groups.finding, "widest": groups.widest and groups.widest.answer, "advice": groups.advice}
        patterns = [figures.to_json() for figures in self.patterns]
        return to_json_value(vars(self) | {"patterns": patterns, "groups": groups.to_json() | beside})


def make_report(query: PatternQuery, counts: PatternCounts, level: float = 0.95) -> Reconstruction:
    """Turn the counts of a query into estimates with their error.

    Respondents who were counted in two parts give the figures of all of them together.

    >>> from privacy.design import Design
    >>> from privacy.reconstruct import count_patterns
    >>> from privacy.records import Records
    >>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]})
    >>> query = PatternQuery.parse(design, ["drugs"])
    >>> first = Records(design, np.array([[1], [0]], np.uint8), np.zeros(2, bool))
    >>> second = Records(design, np.array([[1], [0], [0]], np.uint8), np.zeros(3, bool))
    >>> report = make_report(query, count_patterns(first, query) + count_patterns(second, query))
    >>> report.n, round(report.patterns[0].support, 3)
    (5, 0.3)
    """
    if not 0 < level < 1:
        raise InputError(f"level: {level!r} is not between 0 and 1.")
    design, sizes, estimator = query.design, counts.sizes, query.estimator
    disguised, direct = map(int, sizes)
    figures: dict[int, Figures] = {}
    for places in _by_shape(query):
        own, placed = query.sampled_patterns[places[0]], query.by_record[places[0]]
        if placed:
            ((place,), name) = places, placed.pattern.text(design)
            made = figures_of_counts(placed, counts.patterns[place], estimator, query.cases)
            estimates = estimate_counts(placed, counts.patterns[place], made, level)
            alone = replace(
                _figures_of_row(name, estimates, 0), bias=made.figure().most_biased(CellVariation(made.sums), level)
            )
            figures[place] = _reach_over_chances(query, place, alone, None, sizes, level)
            continue
        channel = channel_of([query.factors[place] for place in places])
        printed = np.full(len(places), np.nan)
        if own:
            states = own.whole(counts.patterns[places[0]])[np.newaxis]
            estimates = estimate_sampled(own, counts.patterns[places[0]], sizes, estimator, level)
        else:
            states = np.stack([counts.patterns[place] for place in places])
            estimates = estimate(states, sizes, channel, estimator, level)
            if estimator == "pooled" and channel.atoms == 1 and direct:
                printed = se_of_paper(estimates, states, channel)
        for row, place in enumerate(places):
            name = query.patterns[place].text(design)
            made_row = _figures_of_row(name, estimates, row, printed[row])
            figures[place] = _reach_over_chances(query, place, made_row, states[row], sizes, level)
    compared = np.stack(counts.compared) if counts.compared else np.empty((0, 2, 2), dtype=np.int64)
    groups = compare(design, query.compared, compared)
    in_order = tuple(figures[index] for index in range(len(query.patterns)))
    return Reconstruction(disguised + direct, direct, estimator, query.cases, level, in_order, groups)


def _reach_over_chances(
    query: PatternQuery, place: int, own: Figures, states: Floats | None, sizes: np.ndarray, level: float
) -> Figures:
    """The figures with an interval over all chances that people's own draws may have."""
    if own.ci is None or own.support is None or not has_wrong_chances(query.design):
        return own
    parts = query.factors[place]

    def share_of(_rest: Pattern, block: int) -> float:
        if states is None:
            return 1.0
        first = query.design.blocks[block].items[0]
        others = [part for part in parts if part.items[0].id != first.id]
        axes = [part in others for part in parts for _ in part.atoms]
        less = states.reshape(2, *[2] * len(axes)).sum(axis=tuple(1 + j for j, other in enumerate(axes) if not other))
        return float(estimate(less.reshape(1, 2, -1), sizes, channel_of([others]), query.estimator).support[0])

    chances = WrongChances.from_pattern(query.design, query.patterns[place], share_of)
    part = float(sizes[0] / sizes.sum()) if query.estimator == "stratified" else 1.0
    return replace(own, ci=chances.widen(own.support, own.ci, level, part))


def _by_shape(query: PatternQuery) -> list[list[int]]:
    """The places of patterns that can be computed together; each of those that available cases estimate, or
    of which records are read whole, is alone.
    """
    places: dict[tuple[int, ...], list[int]] = {}
    for index, parts in enumerate(query.factors):
        if not query.sampled_patterns[index] and not query.by_record[index]:
            places.setdefault(shape(parts), []).append(index)
    alone = [bool(pair[0] or pair[1]) for pair in zip(query.sampled_patterns, query.by_record, strict=True)]
    return [*places.values(), *([index] for index, own in enumerate(alone) if own)]


def _figures_of_row(name: str, estimates: Estimates, row: int, se_printed: float = np.nan) -> Figures:
    """One row of the estimates as figures, with None for NaN; `se_printed`: its error as the paper prints it."""
    asked, observed, support, se, se_respondents, low, high = (
        float(values[row]) if isfinite(values[row]) else None for values in vars(estimates).values()
    )
    ci = None if low is None or high is None else (low, high)
    by_paper = float(se_printed) if isfinite(se_printed) else None
    return Figures(name, int(asked or 0), observed, support, se, se_respondents, ci, by_paper)
