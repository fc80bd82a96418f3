"""The picture of records: what is stored of each item, in shares of those who were asked. It estimates nothing."""

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np

from candor import pictures
from privacy.design.fields import Field
from privacy.draw.chart import Axis, Points
from privacy.records import Records

__all__ = ["stored_picture"]

_RANGES = 8  # of the steps of a number


def stored_picture(records: Records) -> str:
    """Draw a row for each answer, with the share of the disguised and of the direct records that hold it."""
    stored = list(islice(_stored(records), pictures.MOST_ROWS))
    names = [name for name, _ in stored]
    series = []
    for place, group in enumerate(("disguised", "direct")):
        counts = [counts[place] for _, counts in stored]
        if any(asked for _, asked in counts):
            shares = [some / asked if asked else np.nan for some, asked in counts]
            said = [f"{name}: {some} of {asked} {group}" for name, (some, asked) in zip(names, counts, strict=True)]
            series.append(Points(group, shares, range(len(names)), labels=said))
    if not series:
        return ""
    n, asked = len(records), sorted(sum(asked for _, asked in counts) for _, counts in stored)
    of_them = f"; each item was asked of {asked[0]} to {asked[-1]} of {n}" if asked[0] < n else ""
    return pictures.rows(
        "What is stored, which is no estimate",
        names,
        series,
        Axis(f"share of records{of_them}", percent=True, low=0),
        "How many records hold each answer. What people truly answered, candor.reconstruct estimates.",
    )


def _stored(records: Records) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Each answer, with how many disguised and how many direct records hold it, and how many were asked.

    Of a number ranges stand for its steps; a place, whose map is not here, is left out.
    """
    direct = records.direct.astype(bool)
    for field, codes in zip(records.design.fields, records.codes.T, strict=True):
        if len(field.scales) > 1:
            continue
        asked = codes < field.size
        counts = [np.bincount(codes[asked & group], minlength=field.size) for group in (~direct, direct)]
        for name, answer in _answers(field):
            yield name, [(int(count[answer].sum()), int(count.sum())) for count in counts]


def _answers(field: Field) -> list[tuple[str, slice]]:
    """What one column is drawn by: yes, each option, or ranges of a number, with their codes."""
    if field.boolean:
        return [(field.name, slice(1, 2))]
    if not field.numeric:
        return [(f"{field.name}={field.text(code)}", slice(code, code + 1)) for code in range(field.size)]
    edges = sorted({field.size * place // _RANGES for place in range(_RANGES + 1)})
    return [
        (f"{field.name} {field.text(first)} to {field.text(end - 1)}", slice(first, end))
        for first, end in pairwise(edges)
    ]
