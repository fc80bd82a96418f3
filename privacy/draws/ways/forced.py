"""Forced response (Boruch 1971): the draw says "yes", "no", or to answer the question."""

from privacy.draws.way import OneQuestion
from privacy.errors import to_translate

WAY = OneQuestion(
    "forced",
    (3, 0),
    to_translate("Of two answers by one draw, a yes beside a no can only be true."),
    presses=(("yes", (1, 1)), ("no", (0, 0)), ("truth", (0, 1))),
)
