"""Related question (Warner 1965): the draw says which of two opposite sentences to answer."""

from privacy.draws.way import OneQuestion
from privacy.errors import to_translate

WAY = OneQuestion(
    "warner",
    (3, 0),
    to_translate("Two answers by one draw, both true or both turned over, show whether the true answers are the same."),
    presses=(("truth", (0, 1)), ("opposite", (1, 0))),
)
