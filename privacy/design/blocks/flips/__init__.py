"""A flip block: `block.py` has the mechanism and its plans, `tables.py` the best tables, `form.py` its form."""

from privacy.design.blocks.flips.block import FlipBlock, FlipPlan

__all__ = ["FlipBlock", "FlipPlan"]
