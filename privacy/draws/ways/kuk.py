"""Kuk (1990) with one card: two packs, and the person says the colour from the pack of the true answer.

Red is record 1. The outcomes are those of the pack of those who would say yes; `other` is the pack of the others.
"""

from privacy.draws.way import OneQuestion
from privacy.errors import to_translate

WAY = OneQuestion(
    "kuk",
    (4, 0),
    to_translate("Two answers by the same two cards show whether the true answers are the same, where these differ."),
    others="one",
    presses=(("yes", (None, 1)), ("no", (None, 0))),
)
