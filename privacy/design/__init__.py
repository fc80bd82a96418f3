"""Designs: all the randomness a browser applies, in blocks, with exact probabilities, read, checked and hashed."""

from privacy.design.design import (
    NOT_ASKED,
    ONE,
    YES_NO,
    Block,
    CoinBlock,
    Design,
    FlipBlock,
    GroupedBlock,
    Item,
    asked,
    check_item,
)

__all__ = [
    "NOT_ASKED",
    "ONE",
    "YES_NO",
    "Block",
    "CoinBlock",
    "Design",
    "FlipBlock",
    "GroupedBlock",
    "Item",
    "asked",
    "check_item",
]
