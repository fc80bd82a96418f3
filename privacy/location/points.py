"""How exactly places in a file are reported by the square mechanism, and with sensitive zones: no draw, no simulation.

The coin and the draw behind it are averaged over exactly, so a place's figure is the expected squared distance of what
is sent of it, (5) of the paper of 2023; the mean over the places of a file is its figures 3 to 5 for any map.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import numpy as np

from privacy.arrays import Floats
from privacy.errors import InputError
from privacy.location.square_mechanism import CellMechanism, Cells, best_mechanism, whole_map
from privacy.location.zones import Rectangle
from privacy.output import count_of, to_json_value
from privacy.result import DataFrame, Result, TextColumns, data_frame

MOST_TRACK = 1000
MOST_CELLS = 4096  # along a side of the map
ROUNDING = 1e-9  # of a side: what division may add
HEADINGS = ("zones", "epsilon", "side", "square", "with_zones", "with_their_best_side")


def square_errors(mechanism: CellMechanism, x: Cells, y: Cells) -> Floats:
    """The expected squared distance, in cells, of each place from the one that is sent."""
    far = np.zeros(len(x))
    near = np.zeros(len(x))
    numbers = mechanism.zone_numbers(x, y)
    beta = mechanism.coins[numbers]
    for number, zone in enumerate(mechanism.zones):
        share, inside = mechanism.anywhere[number], numbers == number
        for place, low, length in ((x, zone.left, zone.width), (y, zone.bottom, zone.height)):
            far += share * _mean_square_distance(place, low, length)
            corner = np.clip(place - mechanism.side // 2, low, low + length - mechanism.side)
            near += np.where(inside, _mean_square_distance(place, corner, mechanism.side), 0.0)
    return beta * near + (1 - beta) * far


def _mean_square_distance(place: Cells, low: Any, length: float) -> Floats:
    """The mean squared distance along one axis from each place to `length` cells from `low` on."""
    return np.asarray((low + (length - 1) / 2 - place) ** 2 + (length**2 - 1) / 12)


def usual_zones(map_: Rectangle) -> dict[str, tuple[Rectangle, ...]]:
    """The zones of the paper's figures 3 to 5: a rectangle of half the map's sides, in the centre and in each corner.

    >>> usual_zones(Rectangle(0, 0, 8, 4))["top left"]
    (Rectangle(left=0, bottom=2.0, width=4.0, height=2.0),)
    """
    wide, high = map_.width / 2, map_.height / 2
    corners = {
        "centre": (wide / 2, high / 2), "bottom left": (0, 0), "top left": (0, high), "bottom right": (wide, 0),
        "top right": (wide, high),
    }  # fmt: skip
    return {name: (Rectangle(map_.left + x, map_.bottom + y, wide, high),) for name, (x, y) in corners.items()}


@dataclass(frozen=True, repr=False)
class PlaceErrors(Result):
    """The mean squared error of reported places, with and without zones; `candor.places` makes it."""

    points: int
    cell: float
    rows: tuple[tuple[Any, ...], ...]
    track: int = 1

    def contents(self) -> Iterator[str | TextColumns]:
        yield f"{count_of(self.points, 'place')}, in cells of {self.cell:g}: the mean squared distance of what is sent"
        heads = ["zones", "epsilon", "side", "square alone", "with zones", "with their best side"]
        if self.track == 1:
            yield TextColumns(heads, [list(row) for row in self.rows])
            return
        yield f"A person who sends {self.track} places, each with its ε, is promised all of these together."
        heads[1:2] = ["epsilon of each", "together"]
        yield TextColumns(heads, [[row[0], row[1], row[1] * self.track, *row[2:]] for row in self.rows])

    def to_frame(self) -> DataFrame:
        """Return a row for each layout of zones and each ε of a place."""
        return data_frame(self.rows, columns=list(HEADINGS))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `candor places`."""
        errors = [dict(zip(HEADINGS, row, strict=True)) for row in self.rows]
        if self.track > 1:
            errors = [row | {"together": row["epsilon"] * self.track} for row in errors]
        return to_json_value({"points": self.points, "cell": self.cell, "errors": errors})


def place_errors(
    points: Floats,
    map_: Rectangle,
    cell: float,
    epsilons: Sequence[Fraction],
    layouts: Mapping[str, Sequence[tuple[Rectangle, Fraction | None]]],
    track: int = 1,
) -> PlaceErrors:
    """Compute the errors of places (rows of x and y) for each layout of zones and each ε.

    A zone that has an ε of its own keeps it where it is the lesser. The side is that of the square alone, as in the
    paper, and beside it the best one for the zones. Of a `track` of so many places of a person each ε is tried twice:
    for each place, and divided among all. Their coins are independent, so the factors by which reports change the odds
    between two tracks multiply, and ε adds up.

    >>> map_ = Rectangle(0, 0, 10, 10)
    >>> zones = {"centre": [(Rectangle(2, 2, 6, 6), None)]}
    >>> made = place_errors(np.array([[2.5, 2.5]]), map_, 1, [Fraction(8)], zones, track=2)
    >>> made.to_frame()["epsilon"].tolist()
    [8.0, 4.0]
    """
    if not 1 <= track <= MOST_TRACK:
        raise InputError(f"track: {track} is not from 1 to {MOST_TRACK} places.")
    parts = (1, track) if track > 1 else (1,)
    columns, rows = (ceil(length / cell * (1 - ROUNDING)) for length in (map_.width, map_.height))
    if not (1 < columns <= MOST_CELLS and 1 < rows <= MOST_CELLS):
        raise InputError(f"cell: {cell:g} makes {columns} x {rows} cells of the map; a side has 2 to {MOST_CELLS}.")
    at = (points - [map_.left, map_.bottom]) / cell
    outside = ((at < 0) | (at > np.array([columns, rows]) * (1 + ROUNDING))).any(axis=1)
    x, y = np.minimum(at.astype(np.int64), [columns - 1, rows - 1]).T  # the far edges belong to the last cells
    if outside.any():
        raise InputError(f"{count_of(int(outside.sum()), 'place')} of {len(at)} lie outside the map.")
    whole = whole_map(columns, rows)

    def error(mechanism: CellMechanism) -> float:
        return float(square_errors(mechanism, x, y).mean() * cell**2)

    made = []
    for name, layout in layouts.items():
        zones = tuple(_in_cells(zone, map_, cell) for zone, _ in layout)
        for epsilon, part in product(epsilons, parts):
            each = epsilon / part
            own = tuple(min(each, (own or epsilon) / part) for _, own in layout)
            alone, best = best_mechanism(columns, rows, (whole,), (each,)), best_mechanism(columns, rows, zones, own)
            with_zones = best_mechanism(columns, rows, zones, own, alone.side)
            made.append((name, float(each), alone.side * cell, error(alone), error(with_zones), error(best)))
    return PlaceErrors(len(at), cell, tuple(made), track)


def _in_cells(zone: Rectangle, map_: Rectangle, cell: float) -> Rectangle:
    """Round a zone to whole cells; edges within rounding error of a cell's edge are that edge."""
    left, bottom = zone.left - map_.left, zone.bottom - map_.bottom
    return Rectangle(*(round(length / cell, 6) for length in (left, bottom, zone.width, zone.height))).outward
