"""The truth to all, or else a coin for each question, of which heads is yes."""

from fractions import Fraction

from privacy.draws.way import ByCoins
from privacy.errors import to_translate

WAY = ByCoins(
    "coins",
    (1, Fraction(3, 2)),
    to_translate("One coin for two questions makes both answers alike, so that a yes beside a no can only be true."),
    others="coins",
    instead="coins",
)
