"""Shares of the population that respondents were drawn from, beside those of the respondents themselves."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf

import numpy as np
from django.utils.translation import gettext as _

from privacy.design.patterns import Pattern
from privacy.draw.bars import Bar, bars
from privacy.errors import EntryError, InputError
from privacy.reconstruct.intervals import standard_errors
from privacy.reconstruct.sampling import Sampling
from privacy.reconstruct.shares_and_rules import support
from privacy.records import Records
from surveys.displays import (
    Between,
    Share,
    Table,
    between_cell,
    between_heading,
    error,
    interval,
    percent,
    percent_alone,
)
from surveys.questions.shown import skip_place
from surveys.results.answers import show_answers
from surveys.results.figures import Figure, caption, describe_disguise, of_answers
from surveys.results.reading import Data
from surveys.results.tables import Variable, check_enough, open_codes
from surveys.shares import LEVEL


def figures(data: Data, variables: Sequence[Variable]) -> list[Figure]:
    """A figure for each question: how common its answers are in the population; those of too few are left out."""
    if data.sampling is None:
        raise EntryError("Choose a question that describes the sample.")
    drawn = []
    for variable in variables:
        with suppress(InputError):  # of too few people, or the disguise leaves nothing of it
            drawn.append(_figure(data, data.sampling, variable))
    return drawn


def on_grids(data: Data, variables: Sequence[Variable], language: str) -> list[Figure]:
    """A histogram or a map for each disguised question whose answers are no variable of tables.

    None where some of these answers are true: weights would tell whose they are.
    """
    others, design = {variable.question for variable in variables}, data.version.design
    true = {item.id for block in design.blocks if block.gamma == inf for item in block.items}
    asked = [one for one in data.version.parsed.questions if one.sensitive and one.id not in others | true]
    shown = [of_answers(data, show_answers(data, one, language), {}) for one in asked]
    return [replace(figure, name=f"weighted-{figure.name}") for figures in shown for figure in figures]


def _figure(data: Data, sampling: Sampling, variable: Variable) -> Figure:
    axis = variable.axis
    if variable.sensitive:
        records, labels, items = data.alone, list(axis.labels), [axis.name]
        check_enough(data, records, items)
        column, everybody = records.design.column(axis.name), Sampling.simple(len(records))
        n = int((records.codes[:, column] != records.design.not_asked).sum())
        share_of = partial(_disguised_share, records, column, sampling)
        alike = [_disguised_share(records, column, everybody, [place]).value for place in range(len(labels))]
    else:
        codes, labels = open_codes(data, variable)
        items, n = [], int((codes >= 0).sum())
        share_of = partial(_sum, *_open_shares(codes, len(labels), sampling), float(sampling.freedom))
        alike = (np.bincount(codes[codes >= 0], minlength=len(labels)) / n).tolist()
    shares = [share_of([place]) for place in range(len(labels))]
    declined = _skip_place(data, variable, labels)
    between = [
        Between.from_shares(share, share_of([place, declined]))
        if declined is not None and place != declined and label in axis.labels
        else None
        for place, (label, share) in enumerate(zip(labels, shares, strict=True))
    ]
    head: tuple[str, ...]
    head = (_("answer"), _("share"), _("95 % interval"), _("standard error"), _("share of the respondents"))
    rows: list[tuple[str, ...]] = [
        (label, percent(share), interval(share), error(share), percent_alone(own))
        for label, share, own in zip(labels, shares, alike, strict=True)
    ]
    if declined is not None:
        head += (between_heading(),)
        rows = [(*row, between_cell(ends)) for row, ends in zip(rows, between, strict=True)]
    drawn = [Bar(label, share.value, share.low, share.high) for label, share in zip(labels, shares, strict=True)]
    source = caption(describe_disguise(data.version.design, items), data.people(n), drawn=data.drawn, weighed=True)
    return Figure(f"weighted-{axis.name}", axis.heading, source, bars(axis.heading, drawn), Table(head, tuple(rows)))


def _disguised_share(records: Records, column: int, sampling: Sampling, places: Sequence[int]) -> Share:
    """The share of these options of a disguised question."""
    pattern = Pattern(((column, frozenset(places)),))
    one = support(records, pattern, sampling).estimate(sampling, LEVEL)
    return Share(one.estimate, one.se, *one.ci)


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


def _skip_place(data: Data, variable: Variable, labels: Sequence[str]) -> int | None:
    """The place of “prefer not to say” among the labels; None where nobody could say so, or too few did."""
    if variable.sensitive:
        design = data.version.design
        return skip_place(design.items[design.column(variable.axis.name)].options)
    options = next(one.options for one in data.version.parsed.questions if one.id == variable.question)
    place = skip_place(options)
    label = None if place is None else variable.axis.labels[place]
    return labels.index(label) if label in labels else None
