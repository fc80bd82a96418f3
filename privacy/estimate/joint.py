"""Joint tables: the disguise applied to a whole distribution, and the counts of records in its cells.

A table has one axis for each of some columns, up to 2^20 cells. A respondent of a sampled block shows only some axes:
such records are views of the same table, each with its own counts.

>>> design = Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs", "cheating"]})
>>> table_shape(design, [0, 1]), disguise_shares(table_channels(design, [0]), np.array([0.7, 0.3])).round(6).tolist()
((2, 2), [0.6, 0.4])
>>> records = Records(design, np.array([[1, 0], [0, 0], [0, 0]], np.uint8), np.array([False, False, True]))
>>> {view: counts.tolist() for view, counts in view_counts(records, [0]).items()}
{(0, (0,)): [1, 1], (1, (0,)): [1, 0]}
"""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from privacy.design import Design
from privacy.design.channels import Floats, TableChannel
from privacy.records import Records

Axes = tuple[int, ...]
View = tuple[int, Axes]
"""A group (0 disguised, 1 direct) and the axes, of the table's columns, that its records show."""
MOST_CELLS = 2**20


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
