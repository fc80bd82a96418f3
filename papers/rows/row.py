"""Every formula, definition, figure and table of the five papers: how anybody gets it, what comes out, what is printed.

A row is computed when the table is made, and its verdict is worked out from what came out. Ours is compared with what
the paper prints, or, where it prints no number, with what follows from its formulas by hand. Where ours is known to
differ, the row says what comes out `instead`, and why. Anything else "differs", and then there is no page.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

NOTHING = "–"  # in place of a number that a paper does not print
SAME, WORKED, NOT_COMPARED, DIFFERS = "the same", "as worked out", "no number to compare", "differs"
SHORT = {
    "breaches": "Li and others",
    "2010": "Zhu and others",
    "2019": "notes of 2019",
    "2023": "Feng and Zhu",
    "grouped": "Kan and Cao",
}
TITLE = "## All rows: ours beside what the papers print"
LEGEND = (
    "Each figure is computed by `make papers`, and each verdict from it. A dash is where a paper prints no number: it "
    "defines something, or draws a curve. Worked out: by hand, from the formula that the row names."
)
HEADINGS = ("paper", "row", "command", "ours", "the paper says", "worked out", "verdict")
Tables = Callable[[str], list[dict[str, str]]]


@dataclass(frozen=True)
class Row:
    """One thing that a paper has. `ours` computes it; `reads`: from the tables that the parts have written.

    `printed`: what the paper says, `worked`: what follows from its formula, `instead`: what comes out here in place of
    that, which `why` explains.
    """

    paper: str
    name: str
    command: str
    ours: Callable[[Tables], str]
    printed: str = NOTHING
    worked: str = NOTHING
    instead: str = ""
    why: str = ""
    reads: bool = False

    @property
    def expected_cell(self) -> str:
        return self.instead or (self.printed if self.worked == NOTHING else self.worked)

    def verdict(self, ours: str) -> str:
        """Whether what came out agrees with the paper: “the same”, “differs”, or the reason why not."""
        if self.expected_cell == NOTHING:
            return NOT_COMPARED
        if ours != self.expected_cell:
            return DIFFERS
        return self.why or (SAME if self.worked == NOTHING else WORKED)

    def row_cells(self, tables: Tables) -> tuple[str, ...]:
        ours = self.ours(tables)
        return SHORT[self.paper], self.name, self.command, ours, self.printed, self.worked, self.verdict(ours)


def tables_in(folder: Path) -> Tables:
    """A function that reads a CSV file of this folder, by its name without “.csv”."""

    def read(name: str) -> list[dict[str, str]]:
        with (folder / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    return read


def compute_rows(rows: Iterable[Row], tables: Tables) -> list[tuple[str, ...]]:
    """Compute rows; those whose data is not here are left out."""
    done = []
    for row in rows:
        try:
            done.append(row.row_cells(tables))
        except FileNotFoundError as error:
            print(f"{row.name} is left out: there is no {error.filename}.")
    return done


def as_markdown(cells: Sequence[Sequence[str]]) -> list[str]:
    """The end of the page: the table, its title and what a dash means."""
    lines = [HEADINGS, ["---"] * len(HEADINGS), *cells]
    table = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    return [TITLE, "", LEGEND, "", *table]


def percent(share: Fraction | float, digits: int = 0) -> str:
    return f"{100 * float(share):.{digits}f} %"


def claim(holds: bool, words: str) -> str:
    """The words of the paper, or that it is not so."""
    return words if holds else f"not so: {words}"
