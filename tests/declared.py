"""Designs whose items have any fields: the types of items to come, of which records know the fields alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from privacy.design import ONE, Design, Item
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.fields import YES_NO, Field, choice
from privacy.records import Records

PLAIN = choice("", YES_NO)


@dataclass(frozen=True)
class Declared(Item):
    declared: Field = PLAIN

    def field(self, optional: bool) -> Field:
        return replace(self.declared, optional=optional)


def block(fields: Sequence[Field], ask: int | None = None) -> CoinBlock:
    """A block whose items have these fields, and whose coin always keeps the truth."""
    items = tuple(Declared(field.name, noise=(ONE // 2, ONE // 2), declared=field) for field in fields)
    return CoinBlock(items, ONE, ask)


def design(*fields: Field, ask: int | None = None) -> Design:
    return Design((block(fields, ask),), direct=True)


def drawn(of_design: Design, rows: int, seed: int) -> Records:
    """Records of a design of one block at random, the smallest and the greatest value of every field among them."""
    rng = np.random.default_rng(seed)
    sizes = np.array([field.size for field in of_design.fields], np.uint64)
    codes = rng.integers(0, sizes, (rows, len(sizes)), np.uint64)
    codes[:1], codes[1:2] = 0, sizes - 1
    (only,) = of_design.blocks
    if only.items_per_person < len(sizes):
        order = rng.permuted(np.tile(np.arange(len(sizes)), (rows, 1)), axis=1)
        codes[order >= only.items_per_person] = of_design.not_asked
    return Records(of_design, codes.astype(of_design.code_type), rng.random(rows) < 0.5)
