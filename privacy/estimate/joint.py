"""Joint tables: the disguise applied to a whole distribution, and the most likely distribution behind the records.

A table has one axis for each of some columns, up to 2^20 cells. A respondent of a sampled block shows only some axes:
such records are views of the same table, each with its own counts, and one likelihood joins them all.

>>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "cheating"]})
>>> table_shape(design, [0, 1]), disguise_shares(table_channels(design, [0]), np.array([0.7, 0.3])).round(6).tolist()
((2, 2), [0.6, 0.4])
>>> records = Records(design, np.array([[1, 0], [0, 0], [0, 0]], np.uint8), np.array([False, False, True]))
>>> {view: counts.tolist() for view, counts in view_counts(records, [0]).items()}
{(0, (0,)): [1, 1], (1, (0,)): [1, 0]}
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.design.channels import Floats, TableChannel
from privacy.errors import InputError
from privacy.estimate.bit_columns import DIRECT
from privacy.estimate.likelihood import Fit, climb
from privacy.records import Records

Axes = tuple[int, ...]
View = tuple[int, Axes]
"""A group (0 disguised, 1 direct) and the axes, of the table's columns, that its records show."""
MOST_CELLS = 2**20
TOLERANCE = 1e-4  # in units of log-likelihood: .014 standard errors at the most
LIMIT = 2_000
WORK = 2**21  # cells × views × iterations: what a fit may take, about a second; where more is needed, it says so
LEAST = 100  # iterations: a fit that must end earlier is nowhere near the best one, and is not begun


def table_shape(design: Design, columns: Sequence[int]) -> tuple[int, ...]:
    """Return how many values each of the columns has; refuse a number or a place, which has no cells of its own."""
    for column in columns:
        design.items[column].check_options()
    return tuple(design.fields[column].size for column in columns)


def view_counts(records: Records, columns: Sequence[int]) -> dict[View, NDArray[np.int64]]:
    """Count the records in every cell of the columns, apart by group and by which of the columns were asked."""
    shape = table_shape(records.design, columns)
    codes = [records.codes[:, column] for column in columns]
    kind = records.direct.astype(np.int64)  # the group, and a bit for each column: was it asked?
    for code in codes:
        kind = 2 * kind + (code != records.design.not_asked)
    order = np.argsort(kind, kind="stable")
    kinds, starts = np.unique(kind[order], return_index=True)
    views: dict[View, NDArray[np.int64]] = {}
    for number, start, stop in zip(kinds.tolist(), starts, [*starts[1:], len(order)][: len(kinds)], strict=True):
        rows = order[start:stop]
        axes = tuple(axis for axis in range(len(columns)) if number >> (len(columns) - 1 - axis) & 1)
        if axes:
            cell = np.zeros(len(rows), dtype=np.int64)
            for axis in axes:
                cell = cell * shape[axis] + codes[axis][rows]
            seen = tuple(shape[axis] for axis in axes)
            views[number >> len(columns), axes] = np.bincount(cell, minlength=prod(seen)).reshape(seen)
    return views


def fit_joint(design: Design, columns: Sequence[int], views: dict[View, NDArray[np.int64]], work: int = WORK) -> Fit:
    """Return the most likely joint distribution of the true values; its `shares` have one axis for each column."""
    shape = table_shape(design, columns)
    if prod(shape) > MOST_CELLS:
        raise InputError(f"The joint table of {len(columns)} items has {prod(shape)} cells, more than {MOST_CELLS}.")
    seen = {view: counts for view, counts in sorted(views.items()) if counts.any()}
    total = sum(int(counts.sum()) for counts in seen.values())
    if not total:
        raise InputError("There are no records to fit a joint table to.")

    channels = {axes: table_channels(design, [columns[axis] for axis in axes]) for _, axes in seen}

    def forward(view: View, shares: Floats) -> Floats:
        """The expected shares of what the records of a view show."""
        group, axes = view
        visible = shares.sum(axis=tuple(axis for axis in range(len(shape)) if axis not in axes))
        return visible if group == DIRECT else disguise_shares(channels[axes], visible)

    def transpose(view: View, ratio: Floats) -> Floats:
        group, axes = view
        if group != DIRECT:
            ratio = disguise_shares(channels[axes], ratio, back=True)
        return np.expand_dims(ratio, tuple(axis for axis in range(len(shape)) if axis not in axes))

    def evaluate(rows: Floats, _: NDArray[np.intp]) -> tuple[Floats, Floats]:
        shares = rows.reshape(shape)
        height, gradient = 0.0, np.zeros(shape)
        for view, counts in seen.items():
            expected = forward(view, shares)
            mask = counts > 0
            height += float(counts[mask] @ np.log(expected[mask]))
            gradient += transpose(view, np.divide(counts, expected, out=np.zeros(counts.shape), where=mask))
        return np.array([height]), gradient.reshape(1, -1)

    even = np.full(shape, 1 / prod(shape))
    if any((counts[forward(view, even) == 0] > 0).any() for view, counts in seen.items()):
        raise InputError("Some records are impossible under this design.")
    limit = min(LIMIT, 20 + work // (prod(shape) * len(seen)))
    (fit,) = climb(even.reshape(1, -1), np.array([float(total)]), evaluate, limit, TOLERANCE)
    return replace(fit, shares=fit.shares.reshape(shape))


def worthwhile(cells: int, views: int, work: int = WORK) -> bool:
    """Whether a fit of this many cells to this many views gets near the optimum within the allowed work."""
    return cells * views * LEAST <= work


def table_channels(design: Design, columns: Sequence[int]) -> tuple[TableChannel, ...]:
    """The channels that, one after the other, disguise a table with an axis for each column where all were asked."""
    shape = table_shape(design, columns)
    by_block: dict[int, list[int]] = {}
    for axis, column in enumerate(columns):
        by_block.setdefault(design.place(column)[0], []).append(axis)
    channels: list[TableChannel] = []
    for place, axes in sorted(by_block.items()):
        inside = [columns[axis] - design.first_columns[place] for axis in axes]
        channels += design.blocks[place].patterns.along(axes, inside, shape)
    return tuple(channels)


def disguise_shares(channel: Sequence[TableChannel], table: Floats, *, back: bool = False) -> Floats:
    """Apply the channels of `table_channels` to a distribution; `back` applies the transpose."""
    for piece in channel:
        table = piece.disguise(table, back=back)
    return table
