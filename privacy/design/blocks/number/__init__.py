"""A number behind a square wave; `shares.py` has the distribution that is reconstructed."""

from privacy.design.block import BlockKind
from privacy.design.blocks.number.design import RECIPES, WORDS, NumberBlock, disguise
from privacy.design.blocks.number.invert import cut, distribution

KIND = BlockKind(NumberBlock, WORDS, disguise, distribution=distribution, cut=cut, recipes=RECIPES)
