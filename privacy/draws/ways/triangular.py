"""Triangular (Yu, Tian and Tang 2008): whether at least one of two sentences is true, of which one is harmless."""

from privacy.draws.way import OneQuestion
from privacy.errors import to_translate

WAY = OneQuestion(
    "triangular",
    (3, 0),
    to_translate("“Neither” once shows that the fact is false, so that “at least one” the other time proves a yes."),
    mark="one-sided",
    hides_no=False,
    presses=(("fact", (1, 1)), ("not", (0, 1))),
)
