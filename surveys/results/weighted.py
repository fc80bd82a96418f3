"""Shares of the population that respondents were drawn from, beside those of the respondents themselves."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf

import numpy as np
from django.utils.translation import gettext as _

from privacy.design.patterns import Pattern
from privacy.draw.bars import bars
from privacy.errors import EntryError, InputError
from privacy.estimate.intervals import standard_errors
from privacy.estimate.sampling import Sampling
from privacy.reconstruct.shares_and_rules import support
from privacy.records import Records
from surveys.displays import ShareRow, Table
from surveys.percent import Share, bar, between_cell, between_heading, error, interval, percent, percent_alone
from surveys.questions.make_displays import add_hidden, skip_place
from surveys.results.answers import show_answers
from surveys.results.figures import Figure, caption, describe_disguise, of_answers, say_uncorrected
from surveys.results.reading import ReportData
from surveys.results.tables import Variable, check_enough, open_codes
from surveys.sentences import join_sentences
from surveys.shares import LEVEL, covariance_of_options, fit_options, patterns_of_options, share_of_estimate


def figures(data: ReportData, variables: Sequence[Variable]) -> list[Figure]:
    """A figure for each question: how common its answers are in the population; those of too few are left out."""
    if data.sampling is None:
        raise EntryError("Choose a question that describes the sample.")
    drawn = []
    for variable in variables:
        with suppress(InputError):  # of too few people, or the disguise leaves nothing of it
            drawn.append(_figure(data, data.sampling, variable))
    return drawn


def on_grids(data: ReportData, variables: Sequence[Variable], language: str) -> list[Figure]:
    """A histogram or a map for each disguised question whose answers are no variable of tables.

    None where some of these answers are true: weights would tell whose they are.
    """
    others, design = {variable.question for variable in variables}, data.version.design
    true = {item.id for block in design.blocks if block.gamma == inf for item in block.items}
    asked = [
        question
        for question in data.version.parsed.questions
        if question.sensitive and question.id not in others | true
    ]
    shown = [of_answers(data, show_answers(data, one, language), {}) for one in asked]
    return [replace(figure, name=f"weighted-{figure.name}") for figures in shown for figure in figures]


def _figure(data: ReportData, sampling: Sampling, variable: Variable) -> Figure:
    axis = variable.axis
    if variable.sensitive:
        records, labels, items = data.for_single_answers, list(axis.labels), [axis.name]
        check_enough(data, records, items)
        column, everybody = records.design.column(axis.name), Sampling.simple(len(records))
        n = int((records.codes[:, column] != records.design.not_asked).sum())
        shown = rows_of_options(records, column, labels, sampling)
        alike = [row.all.value for row in rows_of_options(records, column, labels, everybody) if row.all]
    else:
        codes, labels = open_codes(data, variable)
        items, n = [], int((codes >= 0).sum())
        shown = _open_rows(data, variable, codes, labels, sampling)
        alike = (np.bincount(codes[codes >= 0], minlength=len(labels)) / n).tolist()
    shares = [row.all for row in shown if row.all]
    head: tuple[str, ...]
    between = _("confidence interval (95 %)")
    head = (_("answer"), _("share"), between, _("standard error"), _("share of the respondents"))
    rows: list[tuple[str, ...]] = [
        (label, percent(share), interval(share), error(share), percent_alone(own))
        for label, share, own in zip(labels, shares, alike, strict=True)
    ]
    if any(row.between for row in shown):
        head += (between_heading(),)
        rows = [(*row, between_cell(own.between)) for row, own in zip(rows, shown, strict=True)]
    drawn = list(map(bar, labels, shares))
    drawn_by = join_sentences([data.drawn, "" if variable.sensitive else say_uncorrected(data.version)])
    disguise = describe_disguise(data.version, items)
    source = caption(disguise, data.people(n), drawn=drawn_by, weighed=True)
    table = Table(head, tuple(rows), raw=tuple(share.raw_estimate.value for share in shares))
    drawing = bars(axis.heading, drawn)
    return Figure(f"weighted-{axis.name}", axis.heading, source, drawing, table, disguise=disguise)


def rows_of_options(records: Records, column: int, labels: Sequence[str], sampling: Sampling) -> list[ShareRow]:
    """The shares of all options of a disguised question, fitted together, and what “prefer not to say” may hide."""

    def estimate(pattern: Pattern) -> Share:
        return share_of_estimate(support(records, pattern, sampling).estimate(sampling, LEVEL))

    patterns = patterns_of_options(records.design, column)
    raw = list(map(estimate, patterns))
    shares = fit_options(raw, lambda: covariance_of_options(records, patterns, raw, sampling))
    rows = [ShareRow(label, share) for label, share in zip(labels, shares, strict=True)]
    hidden = skip_place(records.design.items[column].options)
    if hidden is None:
        return rows
    wider = [Pattern(((column, frozenset([index, hidden])),)) for index in range(len(labels))]
    return add_hidden(rows, hidden, list(map(estimate, wider)))


def _open_rows(
    data: ReportData, variable: Variable, codes: np.ndarray, labels: Sequence[str], sampling: Sampling
) -> list[ShareRow]:
    """The shares of all answers to an undisguised question, and what “prefer not to say” may hide."""
    share_of = partial(_sum, *_open_shares(codes, len(labels), sampling), float(sampling.freedom))
    rows = [ShareRow(label, share_of([index])) for index, label in enumerate(labels)]
    hidden = _skip_place(data, variable, labels)
    if hidden is None:
        return rows
    named = [label in variable.axis.labels for label in labels]
    either = [share_of([index, hidden]) if own else None for index, own in enumerate(named)]
    return add_hidden(rows, hidden, either)


def _sum(values: np.ndarray, covariance: np.ndarray, freedom: float, places: list[int]) -> Share:
    value, error = float(values[places].sum()), float(np.sqrt(max(covariance[np.ix_(places, places)].sum(), 0.0)))
    reach = standard_errors(LEVEL, freedom) * error
    return Share(value, error, value - reach, value + reach)


def _open_shares(codes: np.ndarray, size: int, sampling: Sampling) -> tuple[np.ndarray, np.ndarray]:
    """The share of each value among those who gave one, and the covariance matrix of these shares."""
    sums = sampling.in_cells(np.where(codes < 0, size, codes), size + 1)
    total = sums.totals[:size].sum()
    shares = sums.totals[:size] / total
    parts = np.zeros((size, size + 1))
    parts[:, :size] = (np.eye(size) - shares[:, np.newaxis]) / total
    return shares, sums.covariance(parts)


def _skip_place(data: ReportData, variable: Variable, labels: Sequence[str]) -> int | None:
    """The place of “prefer not to say” among the labels; None where nobody could say so, or too few did."""
    options = next(question.options for question in data.version.parsed.questions if question.id == variable.question)
    place = skip_place(options)
    label = None if place is None else variable.axis.labels[place]
    return labels.index(label) if label in labels else None
