"""Rectangles of a map, and the preparation of sensitive zones: they are kept inside the map, joined, and grown.

A square of the mechanism must lie inside one zone, or a report from the edge of a narrow zone would tell more than ε
allows (the paper's corollary 1 needs this). So a zone that is narrower than the square grows about its centre, and
further to one side where the map ends on the other. Zones that overlap become one, the least rectangle around them,
before they grow, because what is joined is wide already, and after; zones that only touch share no place and stay two.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor

from privacy.errors import InputError


@dataclass(frozen=True, order=True)
class Rectangle:
    """A part of the map, from its bottom left corner; in any unit."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def top(self) -> float:
        return self.bottom + self.height

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def narrowest(self) -> float:
        """The length of the shorter side."""
        return min(self.width, self.height)

    @property
    def outward(self) -> "Rectangle":
        """The least rectangle of whole units around it."""
        left, bottom = floor(self.left), floor(self.bottom)
        return Rectangle(left, bottom, ceil(self.right) - left, ceil(self.top) - bottom)


def prepare_zones(
    zones: Iterable[Rectangle], map_: Rectangle, side: float, whole: bool = False
) -> tuple[Rectangle, ...]:
    """Clip, join and grow zones, so that a square of this side fits into each and none overlaps another.

    Every zone must share some place with the map, and `side` is at most the shorter side of that. `whole`: zones also
    grow to whole units, as cells need it. They come from left to right; preparing them again changes nothing.

    A zone of 20 × 400 grows to the side of 100, and takes in the zone beside it, which it overlaps then.

    >>> map_ = Rectangle(0, 0, 1000, 800)
    >>> prepare_zones([Rectangle(300, 200, 20, 400), Rectangle(330, 500, 100, 200)], map_, 100)
    (Rectangle(left=260.0, bottom=200.0, width=170.0, height=500.0),)
    """
    if not 0 < side <= map_.narrowest:
        raise InputError(f"side: {side:.10g} is not above 0 and at most {map_.narrowest:.10g}, the map's shorter side.")
    inside = join_overlapping(_grow(zone, map_, 0) for zone in zones)
    grown = [_grow(zone, map_, side) for zone in inside]
    return join_overlapping([zone.outward for zone in grown] if whole else grown)


def join_overlapping(zones: Iterable[Rectangle]) -> tuple[Rectangle, ...]:
    """Join overlapping zones into rectangles until none overlap.

    >>> join_overlapping([Rectangle(0, 0, 3, 3), Rectangle(2, 2, 3, 3)])
    (Rectangle(left=0, bottom=0, width=5, height=5),)
    """
    apart: list[Rectangle] = []
    for zone in zones:
        while (other := next((one for one in apart if overlap(one, zone)), None)) is not None:
            apart.remove(other)
            left, bottom = min(zone.left, other.left), min(zone.bottom, other.bottom)
            right, top = max(zone.right, other.right), max(zone.top, other.top)
            zone = Rectangle(left, bottom, right - left, top - bottom)
        apart.append(zone)
    return tuple(sorted(apart))


def distances(some: Sequence[Rectangle], others: Sequence[Rectangle], grain: int = 0) -> float:
    """The squared distance of two places, summed over all pairs: one place in `some`, the other in `others`.

    Two uniform places differ by their centres and their variances, (length² − grain²)/12 along each side. With the
    grain 0 the sum is an integral; with 1 it is the sum over whole cells.

    >>> distances([Rectangle(0, 0, 1, 1)], [Rectangle(2, 0, 1, 1)], grain=1)
    4.0
    """
    return sum(one.area * other.area * _mean_distance(one, other, grain) for one in some for other in others)


def _mean_distance(one: Rectangle, other: Rectangle, grain: int) -> float:
    across = (one.left + one.right - other.left - other.right) ** 2
    up = (one.bottom + one.top - other.bottom - other.top) ** 2
    spread = one.width**2 + one.height**2 + other.width**2 + other.height**2 - 4 * grain
    return (3 * (across + up) + spread) / 12


def _grow(zone: Rectangle, map_: Rectangle, side: float) -> Rectangle:
    """Clip a zone to the map, and widen it to at least `side` each way; refuse one without area, or outside the map."""
    if min(zone.width, zone.height) <= 0:
        raise InputError(f"zones: one is {zone.width:.10g} wide and {zone.height:.10g} high; both must be above 0.")
    if not overlap(zone, map_):
        raise InputError(f"zones: one that begins at {zone.left:.10g}, {zone.bottom:.10g} lies outside the map.")
    left, width = _grow_along(zone.left, zone.right, map_.left, map_.right, side)
    bottom, height = _grow_along(zone.bottom, zone.top, map_.bottom, map_.top, side)
    return Rectangle(left, bottom, width, height)


def _grow_along(low: float, high: float, least: float, most: float, side: float) -> tuple[float, float]:
    """Return start and length of a zone along one axis: grown about its centre to `side` and kept on the map."""
    missing = max(side - (high - low), 0)
    begin, end = max(low - missing / 2, least), min(high + missing / 2, most)
    if end - begin < side:  # it was clipped, so it grows to the other side
        begin, end = (begin, begin + side) if begin == least else (end - side, end)
    return begin, end - begin


def overlap(one: Rectangle, other: Rectangle) -> bool:
    """Whether the two zones share a place.

    >>> overlap(Rectangle(0, 0, 2, 2), Rectangle(1, 1, 2, 2)), overlap(Rectangle(0, 0, 2, 2), Rectangle(2, 0, 2, 2))
    (True, False)
    """
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > 0 and min(one.top, other.top) - max(one.bottom, other.bottom) > 0
