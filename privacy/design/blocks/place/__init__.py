"""A place on a map: `block.py` has the mechanism, `shares.py` its inversion, `form.py` its form."""

from privacy.design.blocks.place.block import PlaceBlock

__all__ = ["PlaceBlock"]
