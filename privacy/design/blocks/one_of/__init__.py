"""A one-of block: everybody answers all questions, and one word of a public list is sent, or nothing."""

from privacy.design.block import BlockKind
from privacy.design.blocks.one_of.advise import ADVISOR, sketch
from privacy.design.blocks.one_of.design import OneOfBlock
from privacy.design.blocks.one_of.disguise import disguise
from privacy.design.blocks.one_of.explain import GROUP_WORDS, WORDS
from privacy.design.blocks.one_of.group_of import GroupOfBlock
from privacy.design.blocks.one_of.invert_at_least import patterns_of
from privacy.design.blocks.one_of.invert_groups import GroupPatterns
from privacy.design.blocks.one_of.recipe import RECIPES

KIND = BlockKind(OneOfBlock, WORDS, disguise, patterns=patterns_of, sketch=sketch, advisor=ADVISOR, recipes=RECIPES)
GROUPS = BlockKind(GroupOfBlock, GROUP_WORDS, disguise, patterns=GroupPatterns, sketch=sketch)
