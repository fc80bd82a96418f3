"""A number with noise: `noises.py` has the noises, `shares.py` the distribution that is reconstructed."""

from privacy.design.block import BlockKind
from privacy.design.blocks.number.design import NumberBlock
from privacy.design.blocks.number.disguise import disguise
from privacy.design.blocks.number.explain import WORDS
from privacy.design.blocks.number.invert import cut, distribution
from privacy.design.blocks.number.recipe import RECIPES

KIND = BlockKind(NumberBlock, WORDS, disguise, distribution=distribution, cut=cut, recipes=RECIPES)
