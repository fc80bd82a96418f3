"""A place on a map: the square mechanism, or its form with sensitive zones; `shares.py` has its distribution."""

from privacy.design.block import BlockKind
from privacy.design.blocks.place.design import RECIPES, WORDS, PlaceBlock, cut, disguise, distribution

KIND = BlockKind(PlaceBlock, WORDS, disguise, distribution=distribution, cut=cut, recipes=RECIPES)
