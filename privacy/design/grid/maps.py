"""Read the map of a place from its width, height and cell."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from privacy.design import reading
from privacy.design.fields import MOST_STEPS, Steps
from privacy.design.rationals import ONE
from privacy.errors import EntryError


def read_map(entry: Mapping[str, Any], where: str) -> tuple[tuple[Steps, ...], Fraction]:
    """The columns and rows of a map by its width, height and cell, and the cell.

    >>> (columns, rows), cell = read_map({"width": 1000, "height": 800, "cell": 10}, "items[0]")
    >>> len(columns), len(rows), cell
    (100, 80, Fraction(10, 1))
    """
    cell = reading.number(entry, "cell", where) if "cell" in entry else Fraction(1)
    if cell <= 0:
        raise EntryError("the cell {cell:g} is not above 0.", at=f"{where}.cell", cell=float(cell))
    counts = [_cells(entry, key, where, cell) for key in ("width", "height")]
    if not 1 < counts[0] * counts[1] < ONE:
        raise EntryError(
            "the map has {count} cells; it needs from 2 to {most}.", at=where, count=counts[0] * counts[1], most=ONE - 1
        )
    return tuple(Steps(count) for count in counts), cell


def _cells(entry: Mapping[str, Any], key: str, where: str, cell: Fraction) -> int:
    """How many cells a side of the map has."""
    length = reading.number(entry, key, where)
    if length <= 0:
        raise EntryError("the length {length:g} is not above 0.", at=f"{where}.{key}", length=float(length))
    count = length / cell
    if count.denominator != 1 or count > MOST_STEPS:
        raise EntryError(
            "{length:g} is not a whole number of cells of {cell:g}, at most {most}.",
            at=f"{where}.{key}",
            length=float(length),
            cell=float(cell),
            most=MOST_STEPS,
        )
    return int(count)
