"""Crosswise (Yu, Tian and Tang 2008): whether exactly one of two sentences is true, of which one is a harmless fact."""

from privacy.draws.way import OneQuestion
from privacy.errors import to_translate

PRESSES = (("fact", (1, 0)), ("not", (0, 1)))
TOGETHER = to_translate("Two answers with one fact show whether the two true answers are the same.")

WAY = OneQuestion("crosswise", (4, 0), TOGETHER, presses=PRESSES)
