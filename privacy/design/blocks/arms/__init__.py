"""A block in two strengths: half of the devices, drawn by chance, disguise by the stronger chances."""

from privacy.design.block import Kind
from privacy.design.blocks.arms.design import ArmsBlock
from privacy.design.blocks.arms.explain import WORDS
from privacy.design.blocks.arms.recipe import RECIPES

KIND = Kind(
    ArmsBlock,
    WORDS,
    recipes=RECIPES,
)
