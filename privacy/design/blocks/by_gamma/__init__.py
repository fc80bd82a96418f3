"""A coin that knows what it asks: each set of questions that may be asked has a coin of its own, which spends all of γ.

`design.py` has the block, `naming.py` the one that names several answers, `invert.py` how records are read, `advise.py`
what the advisor may vary.
"""

from privacy.design.block import BlockKind
from privacy.design.blocks.by_gamma import naming
from privacy.design.blocks.by_gamma.advise import ADVISOR, sketch
from privacy.design.blocks.by_gamma.design import RECIPES, WORDS, GammaBlock, disguise
from privacy.design.blocks.by_gamma.invert import NamingPatterns, patterns_of

KIND = BlockKind(GammaBlock, WORDS, disguise, patterns=patterns_of, sketch=sketch, advisor=ADVISOR, recipes=RECIPES)
NAMING = BlockKind(naming.NamingBlock, naming.WORDS, naming.disguise, patterns=NamingPatterns, sketch=sketch)
