"""A coin block: with the chance `keep` the true answers stay, else every one is replaced by a draw from its noise."""

from privacy.design.block import BlockKind
from privacy.design.blocks.coin.advise import ADVISOR, sketch
from privacy.design.blocks.coin.design import RECIPES, WORDS, CoinBlock, CoinPatterns, disguise

KIND = BlockKind(CoinBlock, WORDS, disguise, patterns=CoinPatterns, sketch=sketch, advisor=ADVISOR, recipes=RECIPES)
