"""How settings become a block in two arms: those of one coin or flips, and how much the second arm keeps."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from privacy.design.blocks.arms.design import ArmsBlock
from privacy.design.blocks.coin.recipe import RECIPES as COINS
from privacy.design.blocks.flips.recipe import RECIPES as FLIPS
from privacy.design.recipes import Recipe, Values
from privacy.errors import EntryError

_PART = "stronger"


def _in_arms(recipe: Recipe, name: str) -> Recipe:
    """The recipe of a kind, for two arms of it."""

    def write(values: Values, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        if values.get(_PART) is None:
            raise EntryError("enter the share of the first arm's answers that the second arm keeps.", at=_PART)
        return [entry | {ArmsBlock.mark: values[_PART]} for entry in recipe.write(values, items)]

    return replace(recipe, name=name, write=write)


RECIPES: tuple[Recipe, ...] = (_in_arms(COINS[0], "coin-arms"), _in_arms(FLIPS[0], "flip-arms"))
