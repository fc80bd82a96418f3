"""A flip block: d of the yes/no answers are turned over, every set alike; `tables.py` has the best tables."""

from privacy.design.block import BlockKind
from privacy.design.blocks.flips.advise import ADVISOR, sketch
from privacy.design.blocks.flips.design import FlipBlock
from privacy.design.blocks.flips.disguise import disguise
from privacy.design.blocks.flips.explain import WORDS
from privacy.design.blocks.flips.invert import FlipPatterns
from privacy.design.blocks.flips.recipe import RECIPES

KIND = BlockKind(FlipBlock, WORDS, disguise, patterns=FlipPatterns, sketch=sketch, advisor=ADVISOR, recipes=RECIPES)
