"""A patterned block: which yes/no answers are turned over is drawn from a table over sets of places in an order."""

from privacy.design.block import Kind
from privacy.design.blocks.patterned.advise import ADVISOR, sketch
from privacy.design.blocks.patterned.design import PatternedBlock
from privacy.design.blocks.patterned.disguise import disguise
from privacy.design.blocks.patterned.explain import WORDS
from privacy.design.blocks.patterned.invert import PatternedPatterns
from privacy.design.blocks.patterned.recipe import RECIPES

KIND = Kind(
    PatternedBlock,
    WORDS,
    disguise,
    patterns=PatternedPatterns,
    sketch=sketch,
    advisor=ADVISOR,
    recipes=RECIPES,
)
