"""The table of README: what a promise costs in people."""

import re

from tests.servers import ROOT

FAINT = "10, to which about 5 of 100 say yes"


def people_in(row_of: str) -> list[int]:
    """The numbers of people in a row: asked directly, at γ = 9, at γ = 19."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {row_of} \|(.+)\|$", readme, re.MULTILINE)
    assert row is not None
    return [int(cell.replace(" ", "")) for cell in row[1].split("|")]
