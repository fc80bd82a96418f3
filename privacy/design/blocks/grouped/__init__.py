"""A grouped block: one coin, and noise that says yes to all items or no to all. For study; it leaks."""

from privacy.design.block import Kind
from privacy.design.blocks.grouped.design import GroupedBlock
from privacy.design.blocks.grouped.disguise import disguise
from privacy.design.blocks.grouped.explain import WORDS
from privacy.design.blocks.grouped.invert import GroupedPatterns

KIND = Kind(
    GroupedBlock,
    WORDS,
    disguise,
    patterns=GroupedPatterns,
)
