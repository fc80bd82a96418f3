"""How answers are shown, as far as several types of question show them alike: shares of options, and ranges.

Means and medians are of what is shown: how many gave each answer, or one of a range. Nothing else enters them, so they
tell of nobody what the bars do not. Where some answers are too rare to be named, or numbers lie in ranges, mean and
median lie between two ends: that everybody gave the least or the largest of theirs.

The first and the last range reach the ends of the question. So where these are far from what people say, the middle
between both ends of the mean is no estimate of it, and it is not given (docs/decisions/0072-a-coarse-table.md).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np

from privacy.design.patterns import Pattern
from privacy.estimate.intervals import standard_errors
from privacy.records import Records
from surveys.displays import Histogram, Middle, ShareRow, Shares, StepShares, or_no_answer
from surveys.percent import Between, Share
from surveys.questions.coarse import POOLED_OR_SILENT, Pooled, Span
from surveys.questions.question import Answers, Categories, Given, PublishedQuestion
from surveys.questions.rows import SKIP
from surveys.shares import (
    LEVEL,
    DisguisedShare,
    estimate_options,
    estimate_shares,
    fit_options,
    many_enough,
    merge_counts,
    patterns_of_options,
    rest,
    share_of_count,
)

_USUAL = 0.9  # of people: how far these lie apart says how exactly a mean has to be known
_NARROW = 0.25  # of that


@dataclass(frozen=True)
class AnswerRanges:
    """So many people, each with an answer from `low` to `high`; of one answer both are the same."""

    low: float
    high: float
    count: int


def middle(groups: Sequence[AnswerRanges], ends: tuple[float, float]) -> Middle:
    """The mean with its interval, and the median, of answers between these ends.

    The interval is Student's with one more answer at each end, as Agresti and Coull (1998) count for a share: a few who
    might answer far from the others are seldom in a sample, and without them the interval would be too narrow. Where
    the mean is not known exactly it has the largest variance that the groups allow.

    The mean is given where the groups leave less than a quarter open of what nine of ten people are apart at least.
    """
    lows, highs, counts = (
        np.array([getattr(group, name) for group in groups], float) for name in ("low", "high", "count")
    )
    n = float(counts.sum())
    medians = _quantile(lows, counts, 0.5), _quantile(highs, counts, 0.5)
    if not np.isfinite(ends).all():
        return Middle(None, -np.inf, np.inf, *medians, False, *ends)
    least, most = float(lows @ counts / n), float(highs @ counts / n)
    apart = _quantile(lows, counts, (1 + _USUAL) / 2) - _quantile(highs, counts, (1 - _USUAL) / 2)
    with_ends = n + 2
    below, above = ((one * n + sum(ends)) / with_ends for one in (least, most))
    about = (below + above) / 2
    spread = np.maximum((lows - about) ** 2, (highs - about) ** 2)  # about any point it is no less than the variance
    squares = float(spread @ counts) + sum((end - about) ** 2 for end in ends)
    reach = standard_errors(LEVEL, n + 1) * float(np.sqrt(squares / with_ends / (n + 1)))
    return Middle(
        (least + most) / 2 if most - least <= _NARROW * max(apart, 0.0) else None,
        max(min(below - reach, least), ends[0]),
        min(max(above + reach, most), ends[1]),
        *medians,
        least == most,
        *ends,
    )


def _quantile(values: np.ndarray, counts: np.ndarray, share: float) -> float:
    """The value below which this share of people lies, of values that occur `counts` times; between two, their mean."""
    order = np.argsort(values)
    ends, place = np.cumsum(counts[order]), share * counts.sum()
    places = np.searchsorted(ends, [np.ceil(place) - 1, min(np.floor(place), ends[-1] - 1)], side="right")
    return float(values[order][places].mean())


def open_options(answers: Answers, name: str, given: Given, labels: Sequence[str], heading: str = "") -> Shares:
    """How common each option is among undisguised answers."""
    n = given.people
    if n < answers.least:
        return Shares(name, 0, heading=heading)
    counts = given.count(answers.question.options)
    shown = many_enough(counts, answers.least, n - int(counts.sum()))
    rows = [
        ShareRow(label, share_of_count(int(count), n) if tell else None)
        for label, count, tell in zip(labels, counts, shown, strict=True)
    ]
    hidden = skip_place(answers.question.options)
    if hidden is not None and shown[hidden]:
        rows = add_hidden(rows, hidden, [share_of_count(int(count + counts[hidden]), n) for count in counts])
    together = share_of_count(n - int(counts[shown].sum()), n) if not shown.all() and shown.any() else None
    return Shares(name, n, tuple(rows), heading, together=together, or_none=POOLED_OR_SILENT in given.different)


def open_steps(answers: Answers, name: str, given: Given, labels: Sequence[str], heading: str = "") -> StepShares:
    """How common each step of a scale is among undisguised answers, with their mean and median."""
    shares = open_options(answers, name, given, labels, heading)
    made = StepShares(shares.name, shares.n, shares.rows, heading, together=shares.together, or_none=shares.or_none)
    by_step = [(float(step), row.all) for step, row in zip(answers.question.options, shares.rows, strict=False)]
    rare = [step for step, share in by_step if share is None]
    groups = [AnswerRanges(step, step, round(share.value * made.n)) for step, share in by_step if share]
    if not groups:
        return made
    steps = [step for step, _share in by_step]
    if rare:
        others = made.n - sum(group.count for group in groups)
        silent = min(others, answers.least - 1) if made.or_none else 0
        groups += [AnswerRanges(min(rare), max(rare), others - silent), AnswerRanges(min(steps), max(steps), silent)]
    return replace(made, middle=middle(groups, (min(steps), max(steps))))


def option_shares(answers: Answers, item: str, labels: Sequence[str], heading: str = "") -> Shares:
    """How common each option of a disguised item is; and with “prefer not to say”, behind which it may hide."""
    records = answers.records
    column = records.design.column(item)
    n, rows = _estimate_rows(answers, labels, patterns_of_options(records.design, column), estimate_options)
    hidden = skip_place(records.design.items[column].options)
    if hidden is not None and all(row.all for row in rows):
        wider = [Pattern(((column, frozenset([index, hidden])),)) for index in range(len(labels))]
        rows = add_hidden(
            rows, hidden, [share.all for share in estimate_shares(records, wider, answers.least, answers.least_alone)]
        )
    return Shares(item, n, tuple(rows) if n else (), heading)


def skip_place(options: Sequence[str]) -> int | None:
    """The place of “prefer not to say” beside two other options or more; None where it is not offered."""
    return options.index(SKIP) if SKIP in options and len(options) > 2 else None


def add_hidden(rows: Sequence[ShareRow], hidden: int, either: Sequence[Share | None]) -> list[ShareRow]:
    """Add the range that “prefer not to say”, in the row `hidden`, leaves open to each other row with a share.

    `either` are the raw shares who gave the answer or preferred not to say; None where there is no range.
    """
    silent = rows[hidden].all
    return [
        replace(row, between=Between.from_shares(row.all, silent, both))
        if row.all and silent and both and index != hidden
        else row
        for index, (row, both) in enumerate(zip(rows, either, strict=True))
    ]


def yes_of_each(answers: Answers, name: str, labels: Sequence[str], patterns: Sequence[Pattern]) -> Shares:
    """How common the yes is to each of several disguised items that have a yes and a no."""
    n, rows = _estimate_rows(answers, labels, patterns, estimate_shares)
    fitted = [
        replace(row, all=fit_options([row.all, rest(row.all)], lambda: np.eye(2))[0]) if row.all else row
        for row in rows
    ]
    return Shares(name, n, tuple(fitted) if n else ())


def _estimate_rows(
    answers: Answers,
    labels: Sequence[str],
    patterns: Sequence[Pattern],
    estimate: Callable[[Records, Sequence[Pattern], int, int], list[DisguisedShare]],
) -> tuple[int, list[ShareRow]]:
    """How common each of these patterns is, and in truth where people are simulated, and of how many people."""
    estimates = estimate(answers.records, patterns, answers.least, answers.least_alone)
    n = max((estimate.n for estimate in estimates), default=0)
    rows = [
        ShareRow(
            label, estimate.all, estimate.direct, estimate.disguised, estimate.difference, answers.true_share(pattern)
        )
        for label, estimate, pattern in zip(labels, estimates, patterns, strict=True)
    ]
    return n, rows


def place_among(values: Sequence[str]) -> Callable[[Any], int]:
    """A function that gives the place of an answer among these values, the one behind them for pooled ones, or −1."""
    places = {value: index for index, value in enumerate(values)}
    return lambda answer: len(values) if isinstance(answer, Pooled) else places.get(answer, -1)


def by_ranges(
    answers: Answers,
    values: np.ndarray,
    edges: np.ndarray,
    whole: bool,
    named: Callable[[float, float, bool], str],
    ticks: Callable[[float], str] | None = None,
) -> Histogram:
    """The histogram over neighbouring cells of a grid, joined until each has enough people.

    The first range and the last have no end: those beyond the grid are in them.
    """
    n, name = len(values), answers.question.id
    places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    counts = np.bincount(places, minlength=len(edges) - 1)
    ranges = merge_counts(counts, answers.least)
    if len(ranges) < 2:  # one range of everybody could tell what everybody said
        return empty_histogram(answers)
    ends = (*tuple(float(edges[start]) for start, _stop in ranges), float(edges[-1]))
    bounds = (-inf, *ends[1:-1], inf)
    labels = tuple(named(start, stop, whole) for start, stop in pairwise(bounds))
    shares: tuple[Share, ...] = tuple(share_of_count(int(counts[start:stop].sum()), n) for start, stop in ranges)
    return Histogram(name, n, edges=ends, labels=labels, shares=shares, ticks=ticks)


def by_spans(
    answers: Answers, named: Callable[[float, float, bool], str], ticks: Callable[[float], str] | None = None
) -> Histogram:
    """The histogram over the ranges that stand in place of the answers."""
    spans, n = answers.given.spans, answers.given.people
    if len(spans) < 2 or n < answers.least:
        return empty_histogram(answers)
    edges = (*(span.low for span in spans), spans[-1].high)
    shares = tuple(share_of_count(int(count), n) for count in answers.given.count(spans))
    labels = [or_no_answer(span.name(named)) if span.silent else span.name(named) for span in spans]
    or_none = spans[-1].silent
    return Histogram(
        answers.question.id, n, or_none=or_none, edges=edges, labels=tuple(labels), shares=shares, ticks=ticks
    )


def middle_of_ranges(histogram: Histogram, question: PublishedQuestion, whole: bool, silent: int = 0) -> Middle | None:
    """Mean and median of numbers from what their histogram shows; None of nothing.

    The first range and the last reach the ends of the question; where it has none, nothing is known of its mean.
    `whole`: a range ends one before the next, and a fraction counts as the number below.
    So many people at most in the last range are `silent`: they gave no answer.
    """
    if not histogram.shares:
        return None
    lows, highs = list(histogram.edges[:-1]), [edge - whole for edge in histogram.edges[1:]]
    lows[0] = question.min if isinstance(question.min, int | float) else -inf
    highs[-1] = question.max if isinstance(question.max, int | float) else inf
    counts = [round(share.value * histogram.n) for share in histogram.shares]
    silent = min(silent, counts[-1])
    counts[-1] -= silent
    groups = [AnswerRanges(*group) for group in zip(lows, highs, counts, strict=True)]
    groups += [AnswerRanges(lows[0], highs[-1], silent)] if silent else []
    return middle(groups, (lows[0], highs[-1]))


def of_ranges(answers: Answers, histogram: Histogram, number: Callable[[Any], float] = float) -> list[Categories]:
    """One axis with the ranges of a histogram of undisguised answers, of which each is a number; none of fewer than
    two.
    """
    if len(histogram.labels) < 2:
        return []
    last = len(histogram.labels) - 1

    def place(answer: Any) -> int:
        value = answer.low if isinstance(answer, Span) else number(answer)
        return int(np.clip(np.searchsorted(histogram.edges, value, side="right") - 1, 0, last))

    return [Categories(answers.question.id, answers.text, histogram.labels, place)]


def nearly_all(values: np.ndarray, least: int) -> tuple[float, float] | None:
    """The ends of values between which a histogram may have its edges; None where there are too few for two ranges.

    Beyond each end there are as many people as are reported on, or one of a hundred: no edge tells one person's answer.
    """
    beyond = max(least, len(values) // 100) - 1
    if len(values) < 2 * least:
        return None
    ordered = np.sort(values)
    return float(ordered[beyond]), float(ordered[-1 - beyond])


def empty_histogram(answers: Answers) -> Histogram:
    return Histogram(answers.question.id, 0)
