"""The table of README: what a promise costs in people, as the studio with its defaults says."""

import re
from functools import cache

from surveys.domain.drafts.changes import apply
from surveys.domain.drafts.protect import judge_document, usual
from surveys.domain.questionnaire.document import Document, empty
from surveys.models import Survey
from tests.servers import ROOT

FAINT = "10, to which about 5 of 100 say yes"
ROWS = {"1": (1, "half"), "3": (3, "half"), "10": (10, "half"), FAINT: (10, "")}
"""The questions of a row, and what is guessed; a new survey guesses 5 %."""
SURE = (33, 50)  # percent, at most, of the columns
WITHIN = 3  # points


def people_in(row_of: str) -> list[int]:
    """The numbers of people in a row: asked directly, and for each promise."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {row_of} \|(.+)\|$", readme, re.MULTILINE)
    assert row is not None
    return [int(cell.replace(" ", "")) for cell in row[1].split("|")]


@cache
def plan_row(row_of: str, sure: int, people: int) -> Document:
    """A new survey of these questions as the studio plans it, for so many people."""
    count, guess = ROWS[row_of]
    survey, document = Survey(slug="new", title="New"), empty("New", ["en"]) | {"protection": usual()}
    lines = "\n".join(f"Have you ever done thing {letter}?" for letter in "abcdefghij"[:count])
    changes = [
        {"do": "add", "type": "yesno", "lines": lines, "sensitive": True, "skip": "yes"},
        {"do": "protect", "field": "within", "value": f"{WITHIN}"},
        {"do": "protect", "field": "sure", "value": f"{sure}"},
        {"do": "survey", "field": "expected", "value": people},
        *([{"do": "protect", "field": "guess", "value": guess}] if guess else []),
    ]
    for change in changes:
        document = apply(survey, document, change)
    return document


def enough(row_of: str, sure: int) -> int | None:
    """How many people are enough for its shares, as Protect says of a new survey."""
    document = plan_row(row_of, sure, 800)
    return judge_document(Survey(slug="new", title="New"), document).aims[0].needed
