"""A one-sided block: `block.py` has the mechanism and its plans, `form.py` its form."""

from privacy.design.blocks.one_sided.block import OneSidedBlock

__all__ = ["OneSidedBlock"]
