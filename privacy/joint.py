"""Joint tables: the disguise applied to a whole distribution, and the most likely distribution behind the records.

A table has one axis for each of some columns, up to 2^20 cells. A respondent of a sampled block shows only some axes:
such records are views of the same table, each with its own counts, and one likelihood joins them all.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from privacy.cells import DIRECT
from privacy.channels import coined, flipped
from privacy.design import NOT_ASKED, CoinBlock, Design, FlipBlock, GroupedBlock
from privacy.em import Fit, climb
from privacy.errors import InputError
from privacy.exact import ONE
from privacy.flips import eigenvalues
from privacy.records import Records

__all__ = ["MOST_CELLS", "View", "disguised", "fit_joint", "table_shape", "view_counts"]

Floats = NDArray[np.float64]
Axes = tuple[int, ...]
View = tuple[int, Axes]
"""A group (0 disguised, 1 direct) and the axes, of the table's columns, that its records show."""
MOST_CELLS = 2**20
TOLERANCE = 1e-4  # in units of log-likelihood: .014 standard errors at the most
LIMIT = 2_000
WORK = 2**21  # cells × views × iterations, a few seconds, that a fit may take; one that is cut short says so


def table_shape(design: Design, columns: Sequence[int]) -> tuple[int, ...]:
    return tuple(len(design.items[column].options) for column in columns)


def view_counts(records: Records, columns: Sequence[int]) -> dict[View, NDArray[np.int64]]:
    """Count the records in every cell of the columns, apart by group and by which of the columns were asked."""
    shape = table_shape(records.design, columns)
    codes = records.codes[:, list(columns)]
    asked = codes != NOT_ASKED
    kinds, kind = np.unique(np.column_stack([records.direct, asked]), axis=0, return_inverse=True)
    found = {}
    for place, (direct, *shown) in enumerate(kinds):
        axes = tuple(int(axis) for axis in np.flatnonzero(shown))
        if axes:
            rows = codes[kind == place][:, axes]
            sizes = tuple(shape[axis] for axis in axes)
            flat = np.ravel_multi_index(tuple(rows.T.astype(np.intp)), sizes)
            found[int(direct), axes] = np.bincount(flat, minlength=prod(sizes)).reshape(sizes)
    return found


def fit_joint(design: Design, columns: Sequence[int], views: dict[View, NDArray[np.int64]]) -> Fit:
    """The most likely joint distribution of the columns' true values; `shares` has one axis for each column."""
    shape = table_shape(design, columns)
    if prod(shape) > MOST_CELLS:
        raise InputError(f"The joint table of {len(columns)} items has {prod(shape)} cells, more than {MOST_CELLS}.")
    seen = {view: counts for view, counts in sorted(views.items()) if counts.any()}
    total = sum(int(counts.sum()) for counts in seen.values())
    if not total:
        raise InputError("There are no records to fit a joint table to.")

    even = np.full(shape, 1 / prod(shape))
    for view, counts in seen.items():
        if (counts[_shown(design, columns, view, even) == 0] > 0).any():
            raise InputError("There are records that this design can never give.")

    def evaluate(rows: Floats, _: NDArray[np.intp]) -> tuple[Floats, Floats]:
        shares = rows.reshape(shape)
        height, gradient = 0.0, np.zeros(shape)
        for view, counts in seen.items():
            expected = _shown(design, columns, view, shares)
            mask = counts > 0
            height += float(counts[mask] @ np.log(expected[mask]))
            ratio = np.divide(counts, expected, out=np.zeros(counts.shape), where=mask)
            gradient += _blamed(design, columns, view, ratio, shape)
        return np.array([height]), gradient.reshape(1, -1)

    limit = min(LIMIT, 50 + WORK // (prod(shape) * len(seen)))
    (fit,) = climb(even.reshape(1, -1), np.array([float(total)]), evaluate, limit, TOLERANCE)
    return replace(fit, shares=fit.shares.reshape(shape))


def disguised(design: Design, columns: Sequence[int], shares: Floats) -> Floats:
    """The distribution of disguised records over some columns, all asked, from that of the truth."""
    return _through(design, columns, shares, back=False)


def _shown(design: Design, columns: Sequence[int], view: View, shares: Floats) -> Floats:
    group, axes = view
    visible = shares.sum(axis=tuple(axis for axis in range(len(columns)) if axis not in axes))
    return visible if group == DIRECT else _through(design, [columns[axis] for axis in axes], visible, back=False)


def _blamed(design: Design, columns: Sequence[int], view: View, ratio: Floats, shape: tuple[int, ...]) -> Floats:
    """The transpose of `_shown`."""
    group, axes = view
    if group != DIRECT:
        ratio = _through(design, [columns[axis] for axis in axes], ratio, back=True)
    hidden = tuple(axis for axis in range(len(columns)) if axis not in axes)
    return np.broadcast_to(np.expand_dims(ratio, hidden), shape)


def _through(design: Design, columns: Sequence[int], table: Floats, back: bool) -> Floats:
    """Apply the channel of every block, or its transpose, along the axes of the block's items."""
    by_block: dict[int, list[int]] = {}
    for axis, column in enumerate(columns):
        by_block.setdefault(design.place(column)[0], []).append(axis)
    for place, axes in by_block.items():
        block = design.blocks[place]
        if isinstance(block, FlipBlock):
            table = flipped(table, axes, np.array(eigenvalues(block.flips), dtype=float))
            continue
        separate = isinstance(block, CoinBlock) and block.each
        for coin in [[axis] for axis in axes] if separate else [axes]:
            noise = _noise(block, [columns[axis] - design.first_columns[place] for axis in coin])
            across = noise.reshape([size if axis in coin else 1 for axis, size in enumerate(table.shape)])
            table = coined(table, coin, block.keep / ONE, across, back=back)
    return table


def _noise(block: CoinBlock | GroupedBlock, inside: Sequence[int]) -> Floats:
    """q over the product of the items' options."""
    if isinstance(block, GroupedBlock):
        noise = np.zeros((2,) * len(inside))
        noise.flat[0], noise.flat[-1] = 1 - block.theta / ONE, block.theta / ONE
        return noise
    noise = np.ones(())
    for j in inside:
        noise = np.multiply.outer(noise, np.array(block.items[j].noise) / ONE)
    return noise
