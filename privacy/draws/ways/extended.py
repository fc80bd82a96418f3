"""Extended crosswise (Heck, Hoffmann and Moshagen 2018): half of the people, by a public lot, see the opposite fact.

The record of that half is turned over before it is stored, so that its 1 means the same; the look is stored openly.
"""

from privacy.draws.way import OneQuestion
from privacy.draws.ways.crosswise import PRESSES, TOGETHER

WAY = OneQuestion("extended", (4, 0), TOGETHER, look=True, presses=PRESSES)
