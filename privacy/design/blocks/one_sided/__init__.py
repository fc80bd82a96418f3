"""A one-sided block ("hard garbling"): a harmless answer is turned into the other one with a chance, each apart."""

from privacy.design.block import BlockKind
from privacy.design.blocks.apart import PARTS
from privacy.design.blocks.one_sided.advise import ADVISOR
from privacy.design.blocks.one_sided.design import RECIPES, WORDS, OneSidedBlock

KIND = BlockKind(OneSidedBlock, WORDS, advisor=ADVISOR, recipes=RECIPES, **PARTS)
