"""A place on a map: the square mechanism, or its form with sensitive zones; `shares.py` has its distribution."""

from privacy.design.block import BlockKind
from privacy.design.blocks.place.design import PlaceBlock
from privacy.design.blocks.place.disguise import disguise
from privacy.design.blocks.place.explain import WORDS
from privacy.design.blocks.place.invert import cut, distribution
from privacy.design.blocks.place.recipe import RECIPES

KIND = BlockKind(PlaceBlock, WORDS, disguise, distribution=distribution, cut=cut, recipes=RECIPES)
