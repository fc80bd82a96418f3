"""How surely a disguised record is the truth, once the distribution of true answers is known.

γ bounds what a record can do to any belief. Here the belief is the reconstructed distribution itself: what someone who
read the published statistics can conclude from one record. On long questionnaires an improved grouped record with an
unlikely pattern is almost surely true, and in the predecessor model every mixed record is: one coin keeps all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.design import Design
from privacy.design.channels import Floats, TableChannel
from privacy.errors import InputError
from privacy.estimate.weights import MOST_TABLE_CELLS, disguise_shares, table_channels, table_shape


@dataclass(frozen=True)
class Risk:
    """Tables with one axis for each item; a cell stands for one record, and is NaN where there is no such record.

    seen: how often the record occurs; record: the chance that all of it is true; items[i]: that its answer to i is.
    """

    seen: Floats
    record: Floats
    items: tuple[Floats, ...]

    def surest(self, most: int = 10) -> list[tuple[tuple[int, ...], float, float]]:
        """Return the records most surely true: their answers, the chance that they are true, how often they occur."""
        order = np.argsort(-np.nan_to_num(self.record, nan=-1), axis=None, kind="stable")[:most]
        cells = [tuple(map(int, np.unravel_index(place, self.record.shape))) for place in order]
        return [(cell, float(self.record[cell]), float(self.seen[cell])) for cell in cells if self.seen[cell] > 0]


def risk(design: Design, shares: ArrayLike, columns: Sequence[int] | None = None) -> Risk:
    """Compute how surely a disguised record is the truth, under a distribution of the true answers.

    `shares`: the distribution, with one axis for each column, as the joint reconstruction gives it. `columns`: those
    that someone sees; all where they are not given.

    >>> chances = risk(Design.parse({"model": "warner", "theta": 0.75, "items": ["drugs"]}), [0.9, 0.1])
    >>> chances.record.round(3).tolist()
    [0.964, 0.25]
    """
    columns = range(len(design.items)) if columns is None else columns
    truth = _check_shares(design, np.asarray(shares, dtype=float), columns)
    channel = table_channels(design, columns)
    seen = disguise_shares(channel, truth)
    kept = truth * _chance_to_stay(channel, truth.shape)
    items = []
    for axis, size in enumerate(truth.shape):
        at = [
            tuple(slice(o, o + 1) if other == axis else slice(None) for other in range(truth.ndim)) for o in range(size)
        ]
        true, rest = np.empty_like(truth), seen
        for only in at[1:]:
            held = np.zeros_like(truth)
            held[only] = truth[only]
            both = disguise_shares(channel, held)  # the truth has this option, and the record is y
            true[only], rest = both[only], rest - both
        true[at[0]] = rest[at[0]]
        items.append(_divide_by_seen(true, seen))
    return Risk(seen, _divide_by_seen(kept, seen), tuple(items))


def _chance_to_stay(channel: Sequence[TableChannel], shape: tuple[int, ...]) -> Floats:
    """P(record = y | truth = y) for every y."""
    chance = np.ones(shape)
    for piece in channel:
        chance = chance * piece.stays()
    return chance


def _divide_by_seen(joint: Floats, seen: Floats) -> Floats:
    possible = seen > 1e-15
    return np.clip(np.divide(joint, seen, out=np.full(seen.shape, np.nan), where=possible), 0, 1)


def _check_shares(design: Design, truth: NDArray[np.float64], columns: Sequence[int]) -> Floats:
    shape = table_shape(design, columns)
    if truth.shape != shape:
        raise InputError(f"shares: a table of shape {truth.shape} does not fit items of {shape} options.")
    if truth.size > MOST_TABLE_CELLS:
        raise InputError(f"shares: {truth.size} cells are more than {MOST_TABLE_CELLS}.")
    if not np.isfinite(truth).all() or truth.min() < 0 or abs(truth.sum() - 1) > 1e-9:
        raise InputError("shares: a distribution is not negative and sums to 1; a raw estimate may not be one.")
    for block in design.blocks:
        chosen = sum(design.items[column] in block.items for column in columns)
        if chosen > block.items_per_person:
            raise InputError(f"columns: nobody is asked {chosen} items of a block that asks {block.items_per_person}.")
    return truth
