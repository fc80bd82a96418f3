"""Open answers as pages show them where they leave as counts with noise alone."""

from math import sqrt

from django.utils.translation import gettext as _

from surveys.displays import Share, ShareRow, Shares
from surveys.domain.exports.noisy import NO_ANSWER, counted_columns, noisy_counts
from surveys.results.reading import Data

REACH = 1.96  # standard errors to each side of a 95 % interval


def shown(data: Data, question: str, language: str) -> list[Shares]:
    """The shares of every answer to a question; EntryError says why there are none."""
    columns = {one.column.name: one for one in counted_columns(data.version.parsed) if one.column.question == question}
    if not columns:
        return []
    answer = noisy_counts(data.snapshot)
    displays: list[Shares] = []
    people, noise = answer["n"], answer["noise"]["within"] / REACH
    for table in answer["tables"]:
        if (name := table["columns"][0]) not in columns:
            continue
        column = columns[name].column
        rows: list[ShareRow] = []
        labels = {one.value: one.label.get(language, one.value) for one in column.values} | {NO_ANSWER: _("no answer")}
        for cell in table["cells"]:
            share = cell["share"]
            se = sqrt(max(share * (1 - share), 0) / people + (noise / people) ** 2)
            value = cell["values"][0]
            rows.append(ShareRow(labels.get(value, value), Share(share, se, cell["share_low"], cell["share_high"])))
        part = column.texts[1].get(language, name) if len(column.texts) > 1 else ""
        displays.append(Shares(name, people, tuple(rows), part))
    return displays
