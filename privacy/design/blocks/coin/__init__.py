"""A coin block: with the chance `keep` the true answers stay, else every one is replaced by a draw from its noise."""

from privacy.design.block import BlockKind
from privacy.design.blocks.coin.advise import ADVISOR, sketch
from privacy.design.blocks.coin.design import CoinBlock
from privacy.design.blocks.coin.disguise import disguise
from privacy.design.blocks.coin.explain import WORDS
from privacy.design.blocks.coin.invert import CoinPatterns
from privacy.design.blocks.coin.recipe import RECIPES

KIND = BlockKind(CoinBlock, WORDS, disguise, patterns=CoinPatterns, sketch=sketch, advisor=ADVISOR, recipes=RECIPES)
