"""What stands in a design for a block whose answers were binned: its item has the bins as options."""

from dataclasses import dataclass

from privacy.design.block import Block, Kind, Words
from privacy.design.items import Item


@dataclass(frozen=True)
class InBins(Block):
    """It is never written, and can do nothing by itself: its bins were made of a block that was checked."""

    items: tuple[Item, ...]


Kind(InBins, Words(""))
