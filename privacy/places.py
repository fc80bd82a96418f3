"""A map in coordinates of one's own, and how exactly the places of a file would be reported on it: `candor.places`."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import cos, isfinite, radians

import numpy as np

from privacy.arrays import Floats
from privacy.design import Design, arguments
from privacy.design.design import require_design
from privacy.design.rationals import parse_fraction
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.location.outline import METRES, USUAL_CELLS
from privacy.location.points import PlaceErrors, place_errors, usual_zones
from privacy.location.square_mechanism import MOST_EPSILON
from privacy.location.zones import Rectangle
from privacy.options.notation import number
from privacy.output import count_of
from privacy.result import DataFrame

PLANAR, DEGREES = "planar", "EPSG:4326"
CRS = (PLANAR, DEGREES)
EPSILONS = (5, 10, 15, 20)


@dataclass(frozen=True)
class OwnMap:
    """A map in the coordinates of a file: its corner there, how many units one of them has, and its size in units."""

    left: float
    bottom: float
    across: float
    up: float
    width: float
    height: float

    def to_units(self, points: Floats) -> Floats:
        """Turn places in coordinates of the file into units from the bottom left of the map."""
        return np.asarray((points - [self.left, self.bottom]) * [self.across, self.up])

    def steps(self, columns: int, rows: int) -> tuple[float, float]:
        """How wide and how high a cell is in these coordinates; the map of cells must have the same shape."""
        if abs(self.width * rows / (self.height * columns) - 1) > 1.5 / min(columns, rows):
            raise InputError(
                f"map: it is {self.width:g} wide and {self.height:g} high; one of {columns} x {rows} cells has another "
                "shape."
            )
        return self.width / self.across / columns, self.height / self.up / rows


def read_map(written: str, crs: str) -> OwnMap:
    """Read a map: ``left,bottom,right,top``.

    >>> read_map("0,10,20,50", "planar")
    OwnMap(left=0.0, bottom=10.0, across=1.0, up=1.0, width=20.0, height=40.0)
    """
    crs = arguments.choice(crs, "crs", CRS)
    left, bottom, right, top = _read_corners(arguments.text(written, "map"), "map")
    return _map_around(left, bottom, right, top, crs)


def places(
    frame: DataFrame,
    columns: Sequence[str] = ("x", "y"),
    *,
    map: str | None = None,
    crs: str = PLANAR,
    cell: float | None = None,
    epsilons: Sequence[float | str] = EPSILONS,
    zones: Sequence[str] = (),
    track: int = 1,
) -> PlaceErrors:
    """Compute how exactly places would be reported by the square mechanism, and with sensitive zones.

    Parameters
    ----------
    frame : DataFrame
        A row per place.
    columns : sequence of str
        Its two columns of coordinates: to the east, and to the north.
    map : str, optional
        ``left,bottom,right,top`` in these coordinates. Without it the map is the smallest around all
        places, which tells where they are.
    crs : {'planar', 'EPSG:4326'}
        Coordinates in one unit, such as metres, or longitudes and latitudes, which are laid flat in metres.
    cell : float, optional
        The side of a cell; 200 along the longer side without it.
    epsilons : sequence of float or str
        Each ε that is tried.
    zones : sequence of str
        Sensitive zones, ``left,bottom,right,top``, and perhaps a zone's own ε, which it keeps where it is the lesser;
        it is refused where it is above all that are tried.
        Without them those of the paper's figures 3 to 5: a rectangle of half the sides, in the centre and in each
        corner, one after the other.
    track : int
        How many places each person sends. Each ε is then tried for each of them, and divided among all.

    Raises
    ------
    InputError
        Where a coordinate is missing, a place lies outside the map, or a zone's own ε would change nothing.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"x": [100, 500, 900], "y": [100, 500, 900]})
    >>> candor.places(frame, map="0,0,1000,1000", cell=100, epsilons=[5], zones=["250,250,750,750"])
    3 places, in cells of 100: the mean squared distance of what is sent
    zones  epsilon  side  square alone  with zones  with their best side
    yours        5   300       45466.4       11636                 11636
    """
    crs, points = arguments.choice(crs, "crs", CRS), coordinates(frame, columns)
    (left, bottom), (right, top) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    own = _map_around(left, bottom, right, top, crs) if map is None else read_map(map, crs)
    cell = max(own.width, own.height) / USUAL_CELLS if cell is None else cell
    if not 0 < cell < float("inf"):
        raise InputError(f"cell: {cell!r} is not above 0.")
    flat = Rectangle(0.0, 0.0, own.width, own.height)
    tried = [_read_epsilon(epsilon) for epsilon in epsilons]
    usual = {name: [(zone, None) for zone in drawn] for name, drawn in usual_zones(flat).items()}
    layouts = {"yours": [_read_zone(own, written, tried) for written in zones]} if zones else usual
    return place_errors(own.to_units(points), flat, cell, tried, layouts, arguments.whole_number(track, "track"))


def cells(
    frame: DataFrame, design: Design, item: str, columns: Sequence[str] = ("x", "y"), *, map: str, crs: str = PLANAR
) -> list[str]:
    """Find the cell of each place on the map of a design, as answers to its item are written.

    Parameters
    ----------
    frame : DataFrame
        A row per respondent.
    design : Design
        A design with the item.
    item : str
        An item that is a place.
    columns : sequence of str
        The two columns of coordinates: to the east, and to the north.
    map : str
        ``left,bottom,right,top`` in these coordinates, where the map of the design lies.
    crs : {'planar', 'EPSG:4326'}
        As in `candor.places`.

    Returns
    -------
    list of str

    Raises
    ------
    InputError
        Where a coordinate is missing, a place lies outside the map, or the map has another shape than the design's.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> home = {"id": "home", "width": 1000, "height": 1000, "cell": 100}
    >>> design = candor.Design.parse({"blocks": [{"place": "square", "epsilon": 5, "items": [home]}]})
    >>> frame = pd.DataFrame({"lon": [6.101, 6.199], "lat": [49.5, 49.55]})
    >>> frame["home"] = candor.cells(frame, design, "home", ["lon", "lat"], map="6.1,49.5,6.2,49.565", crs="EPSG:4326")
    >>> frame["home"].tolist()
    ['0:0', '9:7']
    """
    own, points = read_map(map, crs), coordinates(frame, columns)
    steps = require_design(design).items[design.column(item)].steps
    if len(steps) != 2:
        raise InputError(f"{quote(item)} is no place.")
    across, up = len(steps[0]), len(steps[1])
    at = (points - [own.left, own.bottom]) / own.steps(across, up)
    outside = ((at < 0) | (at > [across, up])).any(axis=1)
    if outside.any():
        raise InputError(f"{count_of(int(outside.sum()), 'place')} of {len(at)} lie outside the map.")
    x, y = np.minimum(np.floor(at), [across - 1, up - 1]).astype(int).T.tolist()
    return [f"{column}:{row}" for column, row in zip(x, y, strict=True)]


def coordinates(frame: DataFrame, columns: Sequence[str]) -> Floats:
    """The places of a table, rows of two coordinates, which may be texts."""
    table, columns = arguments.frame(frame), arguments.texts(columns, "columns")
    if len(columns) != 2:
        raise InputError(f"columns: {len(columns)} are named; a place has two coordinates.")
    for name in columns:
        if name not in table.columns:
            raise InputError(f"The table has no column {quote(name)}.")
    try:
        points = np.array([np.asarray(table[name], np.float64) for name in columns]).T
    except (TypeError, ValueError):
        raise InputError(f"columns: {', '.join(columns)} hold something that is no number.") from None
    if not len(points):
        raise InputError("The table has no rows.")
    if not np.isfinite(points).all():
        raise InputError(f"columns: {', '.join(columns)} lack a number somewhere.")
    return points


def _map_around(left: float, bottom: float, right: float, top: float, crs: str) -> OwnMap:
    across = up = 1.0
    if crs == DEGREES:
        if max(abs(left), abs(right)) > 180 or max(abs(bottom), abs(top)) > 90:
            raise InputError("map: it leaves the longitudes and latitudes that there are.")
        across, up = METRES * cos(radians((bottom + top) / 2)), float(METRES)
    if not (left < right and bottom < top):
        raise InputError(f"map: {left:g},{bottom:g},{right:g},{top:g} is not left, bottom, right, top.")
    return OwnMap(float(left), float(bottom), across, up, float(right - left) * across, float(top - bottom) * up)


def _read_zone(own: OwnMap, written: str, tried: Sequence[Fraction]) -> tuple[Rectangle, Fraction | None]:
    corners, epsilon = written, None
    if written.count(",") == 4:
        corners, _, last = written.rpartition(",")
        epsilon = _read_epsilon(last, "zones")
        if tried and epsilon > max(tried):
            raise InputError(
                f"zones: {quote(written)} has an epsilon of its own above all that are tried "
                f"({', '.join(f'{float(one):g}' for one in tried)}), so it would change nothing."
            )
    left, bottom, right, top = _read_corners(corners, "zones")
    (x, y), (end, height) = own.to_units(np.array([[left, bottom], [right, top]])).tolist()
    return Rectangle(x, y, end - x, height - y), epsilon


def _read_corners(written: str, where: str) -> list[float]:
    try:
        corners = [number(part) for part in written.split(",")]
    except ValueError:
        corners = []
    if len(corners) != 4 or not all(map(isfinite, corners)):
        raise InputError(f"{where}: {quote(written)} is not left,bottom,right,top.")
    return corners


def _read_epsilon(written: float | str, where: str = "epsilons") -> Fraction:
    epsilon = parse_fraction(str(written)) or Fraction(0)
    if not 0 < epsilon <= MOST_EPSILON:
        raise InputError(f"{where}: {quote(str(written))} is not above 0 and up to {MOST_EPSILON}.")
    return epsilon
