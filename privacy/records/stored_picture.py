"""The picture of records: what is stored of each item, in shares of those who were asked. It estimates nothing."""

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np

from privacy.design import Design
from privacy.design.fields import Field
from privacy.draw import named_rows
from privacy.draw.chart import Axis, Points

_RANGES = 8  # of the steps of a number


def draw_stored_answers(design: Design, codes: np.ndarray, direct: np.ndarray) -> str:
    """Draw a row for each answer, with the share of the disguised and of the direct records that hold it."""
    stored = list(islice(_count_stored(design, codes, direct), named_rows.MOST_ROWS))
    names = [name for name, _ in stored]
    series = []
    for index, group in enumerate(("disguised", "direct")):
        counts = [counts[index] for _, counts in stored]
        if any(asked for _, asked in counts):
            shares = [some / asked if asked else np.nan for some, asked in counts]
            said = [f"{name}: {some} of {asked} {group}" for name, (some, asked) in zip(names, counts, strict=True)]
            series.append(Points(group, shares, range(len(names)), labels=said))
    if not series:
        return ""
    n, asked = len(codes), sorted(sum(asked for _, asked in counts) for _, counts in stored)
    of_them = f"; each item was asked of {asked[0]} to {asked[-1]} of {n}" if asked[0] < n else ""
    return named_rows.rows(
        "What is stored (not an estimate)",
        names,
        series,
        Axis(f"share of records{of_them}", percent=True, low=0),
        "How many records hold each answer. candor.reconstruct estimates the true answers.",
    )


def _count_stored(design: Design, codes: np.ndarray, direct: np.ndarray) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield each answer, and for disguised and direct records how many hold it and how many were asked.

    Of a number ranges stand for its steps; a place, whose map is not here, is left out.
    """
    direct = direct.astype(bool)
    for field, column in zip(design.fields, codes.T, strict=True):
        if len(field.scales) > 1:
            continue
        asked = column < field.size
        counts = [np.bincount(column[asked & group], minlength=field.size) for group in (~direct, direct)]
        for name, answer in _answers(field):
            yield name, [(int(count[answer].sum()), int(count.sum())) for count in counts]


def _answers(field: Field) -> list[tuple[str, slice]]:
    """The rows that one column is drawn in, each with its codes: yes, each option, or ranges of a number."""
    if field.boolean:
        return [(field.name, slice(1, 2))]
    if not field.numeric:
        return [(f"{field.name}={field.text(code)}", slice(code, code + 1)) for code in range(field.size)]
    edges = sorted({field.size * index // _RANGES for index in range(_RANGES + 1)})
    return [
        (f"{field.name} {field.text(first)} to {field.text(end - 1)}", slice(first, end))
        for first, end in pairwise(edges)
    ]
