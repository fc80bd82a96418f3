"""The figures of the README are those that the library computes."""

import re
from math import ceil

import pytest

import candor
from tests.servers import ROOT

WITHIN = 0.03 / 1.96  # the standard error of a share that is known to ±3 points


@pytest.mark.parametrize(
    ("row_of", "questions", "yes"),
    [("1", 1, None), ("3", 3, None), ("10", 10, None), ("10, to which about 5 of 100 say yes", 10, 0.05)],
)
def test_the_table_of_costs_is_true(row_of: str, questions: int, yes: float | None) -> None:
    """So many respondents are needed directly, at γ = 9 and at γ = 19."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {row_of} \|(.+)\|$", readme, re.MULTILINE)
    assert row is not None
    written = [int(cell.replace(" ", "")) for cell in row[1].split("|")]
    designs = [
        candor.advise(items=questions, respondents=1000, gamma=gamma, length=1, prevalence=yes) for gamma in (9, 19)
    ]
    share = 0.5 if yes is None else yes
    assert written == [ceil(share * (1 - share) / WITHIN**2), *(design.reach(WITHIN).respondents for design in designs)]
