"""The kinds of block: a module each, which says what a block is and what is done with it, and ends with its row `KIND`.

A long one is a folder: `design.py` says what a block is, the other modules what is done with it, `__init__.py` has the
row. To add one: write it, and its line in KINDS. What is not in its row it cannot do. Nobody else asks of which kind a
block is.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from privacy.design import by_person
from privacy.design.block import Block, BlockKind
from privacy.design.blocks import by_gamma, coin, flips, grouped, number, one_of, one_sided, place
from privacy.design.blocks.coin.advise import COIN_EACH, ONE_COIN, CoinPlan
from privacy.design.blocks.typed import TypedBlock, type_in as type_in
from privacy.design.notation import Notation
from privacy.design.plans import Advisor, PlannedBlock
from privacy.design.recipes import Advised, Recipe

KINDS: tuple[BlockKind, ...] = (
    coin.KIND,
    by_gamma.KIND,
    by_gamma.NAMING,
    flips.KIND,
    grouped.KIND,
    one_sided.KIND,
    one_of.KIND,
    one_of.GROUPS,
    number.KIND,
    place.KIND,
)

RECIPES: dict[str, Recipe] = {recipe.name: recipe for kind in KINDS for recipe in kind.recipes}
"""The ways of disguising that settings describe, by the name that is stored."""

ADVISED: dict[str, Advised] = {name: recipe.advised for name, recipe in RECIPES.items() if recipe.advised}
"""How the advisor disguises numbers and places, by the name of the recipe."""

ADVISORS: tuple[Advisor, ...] = tuple(kind.advisor for kind in KINDS if kind.advisor)
"""What the advisor may try of the kinds that it knows."""


def usual(scale: Mapping[str, Any]) -> str:
    """The default recipe for an item, by its scale: the one that the advisor takes.

    An item without a scale has options, which the first recipe takes.

    >>> usual({"min": 0, "max": 100}), usual({"width": 1000, "height": 800, "cell": 1})
    ('square-wave', 'square')
    """
    return next((name for name, advised in ADVISED.items() if advised.takes(scale)), next(iter(RECIPES)))


def read(entry: Mapping[str, Any], where: str, notation: Notation) -> Block:
    """The block of an entry in either notation; an entry that matches no kind is refused in the words of the first.

    Of kinds whose marks the entry has, the last one counts; errors of entry are read after the block that has them.

    >>> from privacy.design.notation import DECIMAL
    >>> read({"keep": 0.5, "items": [{"id": "drugs", "theta": 0.6}]}, "blocks[0]", DECIMAL).items_per_person
    1
    """
    blocks = [kind.block for kind in KINDS]
    own = {key: value for key, value in entry.items() if key != TypedBlock.mark}
    marks = {*own, by_person.mark_of(own)}
    block = next((block for block in reversed(blocks) if block.mark in marks), blocks[0]).read(own, where, notation)
    return TypedBlock.read(entry, where, notation, block) if TypedBlock.mark in entry else block


def alone(item: int, weight: float) -> PlannedBlock:
    """A block for one item that can be of any type.

    `weight` is its part of ln γ, relative to other blocks.

    >>> alone(2, 0.5).items
    (2,)
    """
    return CoinPlan((item,), 1, weight)


def apart(items: Sequence[int]) -> PlannedBlock:
    """Items of any type, all asked and each disguised separately, as one block of a recipe.

    >>> apart([0, 1]).ask
    2
    """
    return CoinPlan(tuple(items), len(items), each=True)


def matrix(block: Block) -> list[list[Fraction]]:
    """P(sent y | truth x) at [x][y], over the answers to the items asked first and their records, for small blocks."""
    here = range(block.items_per_person)
    codes = [np.arange(block.items[place].field(optional=False).size) for place in here]
    can_be_true = [block.items[place].can_be_true(codes[place]) for place in here]
    truths = product(*(all_[true].tolist() for all_, true in zip(codes, can_be_true, strict=True)))
    sent = list(product(*(all_.tolist() for all_ in codes)))
    return [[block.chance(here, truth, record) for record in sent] for truth in truths]
