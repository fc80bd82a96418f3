"""A patterned block: `block.py` has the mechanism and its plans, `tables.py` its best tables, `form.py` its form."""

from privacy.design.blocks.patterned.block import PatternedBlock, PatternedPlan

__all__ = ["PatternedBlock", "PatternedPlan"]
