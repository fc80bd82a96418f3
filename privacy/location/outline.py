"""The outline of a map from a GeoJSON file: its lines in metres from the bottom left, few enough for every page.

Longitudes and latitudes are laid flat as a rectangle: a degree of latitude has 111 320 metres, and one of longitude as
many as in the middle of the file. That is right to a few metres in a thousand for a city or a region; maps of half a
continent are stretched at their edges, which the disguise does not mind.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, cos, floor, isfinite, log10, radians
from typing import Any

from privacy.errors import EntryError

LARGEST_FILE = 2**20
MOST_FILE_POINTS = 100_000
MOST_POINTS = 2_000  # that a page loads
MOST_LINES = 200
METRES = 111_320  # of a degree of latitude
USUAL_CELLS = 200  # along the longer side

Line = list[int]
"""x, y, x, y, … in metres."""


@dataclass(frozen=True)
class Outline:
    """`degrees` are west, south, and the metres of a degree to the east and to the north."""

    width: int
    height: int
    cell: int
    lines: list[Line]
    degrees: list[float]


def read_outline(content: bytes, cell: float | None = None) -> Outline:
    """Read the lines and the borders of areas in a GeoJSON file; EntryError says what is wrong with it.

    >>> outline = read_outline(b'{"type": "LineString", "coordinates": [[0, 0], [0.01, 0.01]]}')
    >>> outline.width, outline.height, outline.cell
    (1115, 1115, 5)
    """
    if len(content) > LARGEST_FILE:
        raise EntryError("the file has {size} bytes, more than {most}.", size=len(content), most=LARGEST_FILE)
    if content.count(b"[") > MOST_FILE_POINTS * 2 or content.count(b"{") > MOST_FILE_POINTS:  # before they are values
        raise EntryError("the file has more than {most} points or objects.", most=MOST_FILE_POINTS)
    try:
        document = json.loads(content.decode("utf-8-sig"))
        lines = [[_read_position(point) for point in line] for line in _line_coordinates(document, 0)]
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError, TypeError, AttributeError, KeyError, IndexError):
        raise EntryError("the file is not GeoJSON.") from None
    points = [point for line in lines for point in line]
    if not points:
        raise EntryError("the file holds no lines and no areas.")
    if len(points) > MOST_FILE_POINTS:
        raise EntryError("the outline has {count} points, more than {most}.", count=len(points), most=MOST_FILE_POINTS)
    west, east = min(x for x, _ in points), max(x for x, _ in points)
    south, north = min(y for _, y in points), max(y for _, y in points)
    across = METRES * cos(radians((south + north) / 2))
    extents = ((east - west) * across, (north - south) * METRES)
    if min(extents) < 10:
        raise EntryError("the outline is less than 10 metres wide or high.")
    step = max(int(cell or _round(max(extents) / USUAL_CELLS)), 1)
    width, height = (ceil(extent / step) * step for extent in extents)
    metres = [[((x - west) * across, (y - south) * METRES) for x, y in line] for line in lines]
    degrees = [round(west, 6), round(south, 6), round(across, 3), float(METRES)]
    drawn = _simplify(metres, width, height)
    if not check_lines(drawn, width, height):
        raise EntryError("the outline cannot be drawn with {most} points: simplify it.", most=MOST_POINTS)
    return Outline(width, height, step, drawn, degrees)


def check_lines(lines: Any, width: float, height: float) -> bool:
    """Whether these are lines within a map of this size, with few enough points.

    >>> check_lines([[0, 0, 10, 10]], 10, 10), check_lines([[0, 0, 11, 10]], 10, 10)
    (True, False)
    """
    if not isinstance(lines, list) or len(lines) > MOST_LINES:
        return False
    for line in lines:
        if not isinstance(line, list) or len(line) < 4 or len(line) % 2:
            return False
        if not all(isinstance(number, int | float) and not isinstance(number, bool) for number in line):
            return False
        inside = (0 <= x <= width for x in line[::2]), (0 <= y <= height for y in line[1::2])
        if not all(map(all, inside)):
            return False
    return sum(map(len, lines)) <= 2 * MOST_POINTS


def _line_coordinates(node: Any, depth: int) -> Iterator[list[Any]]:
    kind = node["type"]
    if depth > 10:
        raise TypeError
    match kind:
        case "FeatureCollection":
            for feature in node["features"]:
                yield from _line_coordinates(feature, depth + 1)
        case "Feature":
            if node["geometry"]:
                yield from _line_coordinates(node["geometry"], depth + 1)
        case "GeometryCollection":
            for geometry in node["geometries"]:
                yield from _line_coordinates(geometry, depth + 1)
        case "LineString":
            yield node["coordinates"]
        case "MultiLineString" | "Polygon":
            yield from node["coordinates"]
        case "MultiPolygon":
            for polygon in node["coordinates"]:
                yield from polygon
        case "Point" | "MultiPoint":  # nothing to draw
            return
        case _:
            raise TypeError


def _read_position(point: Any) -> tuple[float, float]:
    longitude, latitude = point[0], point[1]
    for degrees, most in ((longitude, 180), (latitude, 90)):
        if isinstance(degrees, bool) or not isinstance(degrees, int | float) or not isfinite(degrees):
            raise TypeError
        if abs(degrees) > most:
            raise EntryError("{degrees:g} is not a longitude or latitude in degrees.", degrees=float(degrees))
    return float(longitude), float(latitude)


def _round(length: float) -> float:
    """The nearest of 1, 2, 5, 10, 20, … at least 1."""
    power = 10 ** floor(log10(max(length, 1)))
    return min((1, 2, 5, 10), key=lambda digit: abs(digit * power - length)) * power


def _simplify(lines: list[list[tuple[float, float]]], width: int, height: int) -> list[Line]:
    """Simplify lines: move points to a coarser and coarser raster and drop doubles until few points are left."""
    steps = 2_000
    while True:
        raster = max(width, height) / steps
        coarse = [_move_to_raster(line, raster, width, height) for line in lines]
        drawn = sorted((line for line in coarse if len(line) >= 4), key=len, reverse=True)
        if (len(drawn) <= MOST_LINES and sum(map(len, drawn)) <= 2 * MOST_POINTS) or steps < 50:
            return drawn[:MOST_LINES]
        steps = steps * 3 // 4


def _move_to_raster(line: list[tuple[float, float]], raster: float, width: int, height: int) -> Line:
    points: list[tuple[int, int]] = []
    for x, y in line:
        point = (min(round(round(x / raster) * raster), width), min(round(round(y / raster) * raster), height))
        if not points or point != points[-1]:
            points.append(point)
    return [number for point in points for number in point]
