"""Reference data: published tables that others own, used by the papers and their tests, and not in the repository.

They lie in one folder: the one that CANDOR_REFERENCE names, or `../shared/reference`, seen from where the command
runs. Where a file is missing, the error names the folder that was searched and how to get the file.

The Adult data set (Becker and Kohavi 1996) is as the paper of 2010 uses it: eight quasi-identifiers and the occupation.
The hierarchies of the paper are not printed; these have its shape: three levels for marital status and work class, two
for the other categories, and numbers as ranges.
"""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from privacy.release import read_table
from privacy.release.attributes import Quasi
from privacy.release.hierarchies import Hierarchy, by_rows, read_hierarchy

VARIABLE = "CANDOR_REFERENCE"
DEFAULT = "../shared/reference"


def reference_file(name: str) -> Path:
    """Where a file of the reference data is, or should be."""
    return Path(os.environ.get(VARIABLE, DEFAULT), name).resolve()


def how_to_get(name: str) -> str:
    """What to tell somebody who lacks the file: where it was looked for, and how to get it."""
    chosen = f"the folder that {VARIABLE} names" if VARIABLE in os.environ else f"{DEFAULT}, as {VARIABLE} is not set"
    path = reference_file(name)
    return (
        f"There is no {path} ({chosen}). CONTRIBUTING.md says under “Reference data” how to get it; "
        f"then set {VARIABLE} to its folder."
    )


ADULT = "adult/adult.csv"
NUMBERS = ("age", "education-num")
SECRET = "occupation"
GRADES = (
    *("Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college"),
    *("Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate"),
)
Table = dict[str, NDArray[np.str_]]


def adult() -> tuple[Table, list[str]]:
    """The table, and the names of its quasi-identifiers."""
    table = read_table(reference_file(ADULT))
    return table, [name for name in table if name != SECRET]


def code_labels(column: NDArray[np.str_]) -> NDArray[np.int64]:
    """The place of each entry among the different ones."""
    return np.unique(column, return_inverse=True)[1].astype(np.int64)


def paper_tree(name: str, column: NDArray[np.str_]) -> Hierarchy:
    """The hierarchy of a category; one that is not printed anywhere has its values and a root."""
    file = reference_file(f"adult/paper-hierarchies/adult_{name.replace('-', '_')}.txt")
    if not file.exists():
        return by_rows([[value, "*"] for value in sorted(set(column.tolist()))], name)
    rows = [line.strip().split(";") for line in file.read_text().splitlines() if line.strip()]
    longest = max(map(len, rows))
    return by_rows([[row[0]] * (1 + longest - len(row)) + row[1:] for row in rows], file.name)


def in_levels(table: Table, names: list[str]) -> list[Quasi]:
    """Adult for full-domain generalisation, with the hierarchies of ARX: 4 320 nodes."""
    quasis = []
    for name in names:
        graded = name == "education-num"
        column = [GRADES[int(value) - 1] for value in table[name]] if graded else table[name].tolist()
        file = reference_file(f"adult/hierarchies/adult_hierarchy_{'education' if graded else name}.csv")
        tree = read_hierarchy(file)
        quasis.append(Quasi(name, tree, tree.encode(column, name)))
    return quasis
