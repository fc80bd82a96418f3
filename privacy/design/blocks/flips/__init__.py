"""A flip block: d of the yes/no answers are turned over, every set alike; `tables.py` has the best tables."""

from privacy.design.block import BlockKind
from privacy.design.blocks.flips.advise import ADVISOR, sketch
from privacy.design.blocks.flips.design import RECIPES, WORDS, FlipBlock, FlipPatterns, disguise

KIND = BlockKind(FlipBlock, WORDS, disguise, patterns=FlipPatterns, sketch=sketch, advisor=ADVISOR, recipes=RECIPES)
