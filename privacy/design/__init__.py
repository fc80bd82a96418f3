"""Designs: all the randomness a browser applies, in blocks, with exact probabilities, read, checked and hashed."""

from privacy.design import models  # whose rows a design may name
from privacy.design.block import Block
from privacy.design.design import Design, read_design
from privacy.design.items import YES_NO, Item, check_item
from privacy.design.rationals import ONE
