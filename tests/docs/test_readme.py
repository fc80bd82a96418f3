"""The figures of the README are those that the library computes."""

import re
from math import ceil

import pytest

import candor
from tests.servers import ROOT

WITHIN = 0.03 / 1.96  # the standard error of a share that is known to ±3 points


@pytest.mark.parametrize("questions", [1, 3, 10])
def test_the_table_of_costs_is_true(questions: int) -> None:
    """So many respondents are needed directly, at γ = 9 and at γ = 19."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {questions} \|(.+)\|$", readme, re.MULTILINE)
    assert row is not None
    written = [int(cell.replace(" ", "")) for cell in row[1].split("|")]
    designs = [candor.advise(items=questions, respondents=1000, gamma=gamma, length=1) for gamma in (9, 19)]
    assert written == [ceil(0.25 / WITHIN**2), *(design.reach(WITHIN).respondents for design in designs)]
