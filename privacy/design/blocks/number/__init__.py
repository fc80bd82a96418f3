"""A noisy number: `block.py` has the mechanism, `noises.py` what noise does, `shares.py` inverts it, `form.py` asks."""

from privacy.design.blocks.number.block import NumberBlock

__all__ = ["NumberBlock"]
