"""How a place is inverted: as a distribution over a grid, or cut into its zones."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from privacy.design.blocks.place.design import PlaceBlock
from privacy.design.blocks.place.recipe import ZONES
from privacy.design.blocks.place.shares import PlaceShares
from privacy.design.grid.distributions import Bins
from privacy.design.grid.in_bins import Cut
from privacy.errors import EntryError, InputError


def distribution(block: PlaceBlock, bins: Bins | None, heaps: Sequence[Fraction] = ()) -> PlaceShares:
    """The distribution of the place in a grid of `bins` (columns, rows), 16 × 16 where None."""
    if heaps:
        raise InputError(f"heaps: {block.items[0].id!r} is a place; only numbers have heaps.")
    return PlaceShares.from_grid(block.items[0].id, block.mechanism, block.cell, block.zoned, bins)


def cut(block: PlaceBlock, texts: Sequence[str]) -> Cut:
    """Cut a map into its zones and the rest; the coin alone decides between these."""
    name, zones = block.items[0].id, block.mechanism.zones
    if not block.zoned or list(texts) != [ZONES]:
        raise EntryError(
            "{name!r} is a place; its only bins are its sensitive zones: write {name}=zones.", at="bins", name=name
        )
    labels = [f"zone {number}" for number in range(1, len(zones) + 1)]
    kinds = len(zones) if block.mechanism.everywhere else len(zones) + 1

    def zone_of(codes: np.ndarray) -> np.ndarray:
        numbers = block.mechanism.zone_numbers(*np.divmod(codes.astype(np.int64), block.mechanism.rows))
        return np.where(numbers < 0, len(zones), numbers)

    names = (*labels, "elsewhere")[:kinds]
    starts = tuple(range(kinds + 1))
    channel = block.mechanism.zone_channel[:kinds, :kinds]
    return Cut(names, starts, channel, np.arange(kinds), zone_of, zone_of, np.eye(kinds))
