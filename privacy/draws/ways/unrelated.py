"""Unrelated question (Greenberg and others 1969): the draw says to answer the question, or a harmless fact instead.

For a group one draw says "the truth to all", or a fact of its own for each question.
"""

from privacy.draws.way import ByCoins
from privacy.errors import to_translate

WAY = ByCoins(
    "unrelated",
    (1, 2),
    to_translate("Two answers with one fact instead are alike, so that a yes beside a no can only be true."),
    others="each",
    instead="other",
)
