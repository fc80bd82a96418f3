"""Counts with noise as files and pages show them."""

from dataclasses import replace
from math import exp, sqrt
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from surveys.displays import Crossed, ShareRow, Shares
from surveys.domain.exports.columns import FileColumn
from surveys.domain.exports.counts_part import CountsPart
from surveys.features.feature import Source
from surveys.features.noisy_counts import countable
from surveys.features.noisy_counts.counts import NO_ANSWER, columns_to_count, is_drawn, noisy_counts
from surveys.models import Snapshot
from surveys.percent import Share
from surveys.questions.make_displays import add_hidden
from surveys.questions.rows import SKIP
from surveys.shares import fit_options


def _shares(snapshot: Snapshot, question: str, language: str) -> list[Shares]:
    """The shares of a question's answers, alone and together with others, with noise; EntryError says why none are."""
    columns = {one.column.name: one.column for one in columns_to_count(snapshot.version.parsed)}
    if all(column.question != question for column in columns.values()):
        return []
    answer = noisy_counts(snapshot)
    return [
        _display(answer, table, [columns[name] for name in table["columns"]], language)
        for table in answer["tables"]
        if columns[table["columns"][0]].question == question
    ]


def _error(noise: dict[str, Any]) -> float:
    """The standard deviation of the noise of a count, by its law.

    >>> round(_error({"law": "discrete Laplace", "scale": 4.0}), 3)
    5.642
    """
    if "variance" in noise:
        return sqrt(noise["variance"])
    kept = exp(-1 / noise["scale"])
    return sqrt(2 * kept) / (1 - kept)


def _display(answer: dict[str, Any], table: dict[str, Any], columns: list[FileColumn], language: str) -> Shares:
    people, noise = answer["n"], _error(answer["noise"])
    labels = [
        {one.value: one.label.get(language, one.value) for one in column.values} | {NO_ANSWER: _("no answer")}
        for column in columns
    ]
    rows: list[ShareRow] = []
    for cell in table["cells"]:
        share = cell["share"]
        se = sqrt(max(share * (1 - share), 0) / people + (noise / people) ** 2)
        words = [own.get(value, value) for own, value in zip(labels, cell["values"], strict=True)]
        rows.append(ShareRow(" · ".join(words), Share(share, se, cell["share_low"], cell["share_high"])))
    first, *others = columns
    part = first.texts[1].get(language, first.name) if len(first.texts) > 1 else ""
    name = ", ".join(column.name for column in columns)
    if not others:
        values, reach = [cell["values"][0] for cell in table["cells"]], answer["noise"]["within"] / people
        return Shares(name, people, tuple(fit_column(rows, values, reach, people)), part)
    together = _("together with “%(question)s”") % {"question": others[0].title(language)}
    return Crossed(name, people, tuple(fit_cells(rows)), f"{part} {together}".strip())


def fit_cells(rows: list[ShareRow]) -> list[ShareRow]:
    """Fit the shares of all cells of a table as one: everybody is in one of them."""
    raw = [row.all for row in rows if row.all]
    fitted = fit_options(raw, lambda: np.diag([one.se**2 for one in raw]))
    return [replace(row, all=share) for row, share in zip(rows, fitted, strict=True)]


def fit_column(rows: list[ShareRow], values: list[str], reach: float, people: int) -> list[ShareRow]:
    """Fit the shares of all values of a column as one, and add the ranges that “prefer not to say” leaves open.

    `reach`: how far the noise of one share reaches. That of three or more is drawn apart.
    """
    from privacy.release.counts import interval_of_share  # loads SciPy, which a site that takes answers does without

    raw, rows = [row.all for row in rows if row.all], fit_cells(rows)
    if SKIP not in values:
        return rows
    hidden = values.index(SKIP)
    either: list[Share | None] = []
    for one, value in zip(raw, values, strict=True):
        share, more = one.value + raw[hidden].value, sqrt(2) * reach
        se = sqrt(one.se**2 + raw[hidden].se ** 2)
        either.append(None if value == NO_ANSWER else Share(share, se, *interval_of_share(share, people, more)))
    return add_hidden(rows, hidden, either)


def _caption(source: Source) -> str:
    return _("They are counted with noise (ε = %(epsilon)s), which the intervals include.") % {
        "epsilon": f"{float(source['central']['epsilon']):g}"
    }


PART = CountsPart(
    columns=lambda definition: frozenset(countable(definition.open_questions)),
    is_there=is_drawn,
    counts=noisy_counts,
    shares=_shares,
    caption=_caption,
)
