"""Designs whose items have any fields, of which records know these alone; and the noise of numbers by definition."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

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


def square_wave(epsilon: float, numbers: np.ndarray, chance: np.random.Generator, steps: int = 100) -> np.ndarray:
    """Li et al. (2020): one of the 2r + 1 places near a number is e^ε times as likely as any other."""
    ratio, far_places = exp(epsilon), steps - 1
    reach = round((epsilon * ratio - ratio + 1) / (2 * ratio * (ratio - 1 - epsilon)) * far_places)
    near = 2 * reach + 1
    inside = chance.random(len(numbers)) < ratio * near / (ratio * near + far_places)
    far = chance.integers(0, far_places, len(numbers))
    return np.where(inside, numbers + chance.integers(0, near, len(numbers)), np.where(far < numbers, far, far + near))
