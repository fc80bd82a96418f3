"""Every formula, definition, figure and table of the five papers: how anybody gets it, what comes out, what is printed.

A row is computed when the table is made. Where ours is what the paper prints, the verdict is "the same"; where the
paper prints no number (a definition, a curve), it is "runs"; in all other cases the row says why, or there is no table.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

NOTHING = "–"  # in place of a number that a paper does not print
SAME, RUNS = "the same", "runs"
SHORT = {
    "breaches": "Li and others",
    "2010": "Zhu and others",
    "2019": "notes of 2019",
    "2023": "Feng and Zhu",
    "grouped": "Kan and Cao",
}
TITLE = "## All rows: ours beside what the papers print"
LEGEND = (
    "Each figure is computed by `make papers`. A dash is where a paper defines something, or draws a curve, and prints "
    "no number; then the verdict is that it runs."
)
HEADINGS = ("paper", "row", "command", "ours", "printed", "verdict")
Tables = Callable[[str], list[dict[str, str]]]


@dataclass(frozen=True)
class Row:
    """One thing that a paper has. `ours` computes it; `reads`: from the tables that the parts have written."""

    paper: str
    name: str
    command: str
    ours: Callable[[Tables], str]
    printed: str = NOTHING
    why: str = ""
    reads: bool = False

    def verdict(self, ours: str) -> str:
        """Say how our number and the paper's go together."""
        if self.why:
            return self.why
        if self.printed == NOTHING:
            return RUNS
        if ours != self.printed:
            raise ValueError(f"{self.name}: {ours} is not {self.printed}, and nothing says why.")
        return SAME

    def written(self, tables: Tables) -> tuple[str, ...]:
        """The cells of the row."""
        ours = self.ours(tables)
        return SHORT[self.paper], self.name, self.command, ours, self.printed, self.verdict(ours)


def tables_in(folder: Path) -> Tables:
    """What reads the CSV files of a folder by their names."""

    def read(name: str) -> list[dict[str, str]]:
        with (folder / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    return read


def written(rows: Iterable[Row], tables: Tables) -> list[tuple[str, ...]]:
    """Compute rows; those whose data is not here are left out."""
    done = []
    for row in rows:
        try:
            done.append(row.written(tables))
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
    """The words of the paper; where they do not hold there is no table."""
    if not holds:
        raise ValueError(f"It is not so: {words}.")
    return words
