"""A one-sided block ("hard garbling"): a harmless answer is turned into the other one with a chance, each apart."""

from privacy.design.block import Kind
from privacy.design.blocks.coin.advise import sketch
from privacy.design.blocks.coin.invert import CoinPatterns
from privacy.design.blocks.one_sided.advise import ADVISOR
from privacy.design.blocks.one_sided.design import OneSidedBlock
from privacy.design.blocks.one_sided.disguise import disguise
from privacy.design.blocks.one_sided.explain import WORDS
from privacy.design.blocks.one_sided.recipe import RECIPES

KIND = Kind(
    OneSidedBlock,
    WORDS,
    disguise,
    patterns=lambda block: CoinPatterns(block.coins),
    sketch=lambda block, items: sketch(block.coins, items),
    advisor=ADVISOR,
    recipes=RECIPES,
)
