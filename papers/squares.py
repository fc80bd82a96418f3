"""The square mechanism of Hong, Jung and Shim and its utility-optimised form of 2023, on a map without cells.

A place p in a sensitive zone is reported from a square around it with a high density, from all zones with a low one,
and from nowhere else; a place outside stays as it is with the chance β, and else is reported from all zones alike:

    p in a zone    α e^ε on the square C(p), α on the rest of the zones     C(p): the square of side w in p's zone
    p elsewhere    α on the zones, and p itself with the chance β           whose centre is nearest to p
    α = 1 / (S + E w²),   β = α E w²,   E = e^ε − 1,   S = the area of all zones                     (8), (9), (10)

Where one zone covers the map, this is the square mechanism, (2) and (3): one class holds both. Each is a coin: with the
chance β the report comes from the square alone (or is p), and otherwise from all zones alike, whatever p is.

For reports from zones the density of any two places differs by the factor e^ε at most. A report from elsewhere is true
(utility-optimised local differential privacy). The paper's corollary 3, that zones lower the squared error, holds on
average over places: the place of a person in a wide zone may be less exact than without zones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import expm1, inf

import numpy as np
from numpy.typing import NDArray

from privacy.errors import InputError
from privacy.location.square_mechanism import MOST_EPSILON
from privacy.location.zones import Rectangle, distances, join_overlapping, prepare_zones

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SquareMechanism:
    """The mechanism on a map with zones that are prepared, none narrower than `side` and none over another."""

    map_: Rectangle
    zones: tuple[Rectangle, ...]
    epsilon: float
    side: float

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        narrowest = min(zone.narrowest for zone in self.zones)
        if not 0 < self.side <= narrowest * (1 + 1e-12):
            raise InputError(f"side: {self.side:.10g} is not above 0 and at most {narrowest:.10g}, a zone's side.")

    @cached_property
    def sensitive(self) -> float:
        """S, the area of all zones."""
        return sum(zone.area for zone in self.zones)

    @property
    def alpha(self) -> float:
        """The density of a report, outside the square, wherever the person is."""
        return 1 / (self.sensitive + expm1(self.epsilon) * self.side**2)

    @property
    def beta(self) -> float:
        """The chance that a place outside all zones is reported as it is."""
        return self.alpha * expm1(self.epsilon) * self.side**2

    @property
    def error_in_zones(self) -> float:
        """The expected squared distance for a uniform place of the zones, (12)."""
        far = distances(self.zones, self.zones) * self.alpha
        near = self.sensitive * self.side**2 / 6 + self.side**3 / 12 * _sides(self.zones)
        return (far + self.beta * near) / self.sensitive

    @property
    def error_elsewhere(self) -> float:
        """The expected squared distance for a uniform place outside the zones, (13); 0 where there is none."""
        outside = self.map_.area - self.sensitive
        if outside <= 0:
            return 0.0
        return self.alpha * (distances([self.map_], self.zones) - distances(self.zones, self.zones)) / outside

    @property
    def error(self) -> float:
        """The expected squared distance for a uniform place of the map; for the square mechanism this is (6)."""
        share = self.sensitive / self.map_.area
        return share * self.error_in_zones + (1 - share) * self.error_elsewhere

    def corners(self, places: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """The bottom left corner of the square of each place, and the zone it lies in: −1 outside all of them."""
        corner, zone_of = places.copy(), np.full(len(places), -1)
        for number, zone in enumerate(self.zones):
            low, high = np.array([zone.left, zone.bottom]), np.array([zone.right, zone.top])
            inside = ((places >= low) & (places <= high)).all(axis=1)
            corner[inside] = np.clip(places[inside] - self.side / 2, low, high - self.side)
            zone_of[inside] = number
        return corner, zone_of

    def square_errors(self, places: Floats) -> Floats:
        """The expected squared distance of each place (rows of x and y) from its report: (5), within a place."""
        corner, zone_of = self.corners(places)
        near = np.where(zone_of >= 0, _square_distances(places, corner, self.side, self.side), 0.0)
        far = np.zeros(len(places))
        for zone in self.zones:
            low = np.array([zone.left, zone.bottom])
            far += zone.area / self.sensitive * _square_distances(places, low, zone.width, zone.height)
        return self.beta * near + (1 - self.beta) * far


def _square_distances(places: Floats, low: Floats, width: float, height: float) -> Floats:
    """The expected squared distance of each place from a uniform one of the rectangle that begins at `low`."""
    centre = low + np.array([width, height]) / 2
    return np.asarray(((places - centre) ** 2).sum(axis=1) + (width**2 + height**2) / 12)


def square_mechanism(map_: Rectangle, epsilon: float) -> SquareMechanism:
    """The square mechanism on a map, with the side that has the least expected squared error, (7).

    >>> mechanism = square_mechanism(Rectangle(0, 0, 2000, 2000), epsilon=5)
    >>> round(mechanism.side, 3), round(mechanism.error)
    (601.573, 165985)
    """
    return SquareMechanism(map_, (map_,), epsilon, best_side(map_, (map_,), epsilon))


def zone_mechanism(
    map_: Rectangle, zones: Sequence[Rectangle], epsilon: float, side: float | None = None
) -> SquareMechanism:
    """The utility-optimised square mechanism with these sensitive zones.

    The zones are given as they were drawn, and are prepared for the side here. `side` is the full side w of the square;
    without it that of the square mechanism on this map, as in the paper.

    >>> map_, zone = Rectangle(0, 0, 2000, 2000), Rectangle(500, 500, 1000, 1000)
    >>> mechanism = zone_mechanism(map_, [zone], epsilon=5)
    >>> round(mechanism.error_in_zones), round(mechanism.error_elsewhere), round(mechanism.error)
    (100955, 18400, 39039)

    With the side that is best for these zones the error is smaller:

    >>> side = best_side(map_, [zone], epsilon=5)
    >>> round(side, 3), round(zone_mechanism(map_, [zone], 5, side).error)
    (519.537, 37101)
    """
    side = best_side(map_, (map_,), epsilon) if side is None else side
    return SquareMechanism(map_, prepare_zones(zones, map_, side), epsilon, side)


def best_side(map_: Rectangle, zones: Sequence[Rectangle], epsilon: float) -> float:
    """The side of the square with the least expected squared error of a uniform place, for zones that do not grow.

    It is the positive root of

        3 E s w⁵ + 4 E S w⁴ + 5 S s w³ + 8 S² w² = 24 K,

    s the sum of the sides of the zones and K the squared distance of a place of the map and one of the zones, summed
    over both; for the square mechanism 24 K = 4 S² q, q the sum of the squared sides. The root is capped at the
    narrowest side of a zone, into which the square must fit.

    Zones that overlap count as one; the map itself is the zone of the square mechanism.

    >>> map_ = Rectangle(0, 0, 2000, 2000)
    >>> round(best_side(map_, [map_], epsilon=10), 3)
    188.418
    """
    from scipy.optimize import brentq  # not above: a design with a place must not load it

    check_epsilon(epsilon)
    zones = join_overlapping(zones)
    area, sides, grown = sum(zone.area for zone in zones), _sides(zones), expm1(epsilon)
    pairs = distances([map_], zones)

    def slope(side: float) -> float:
        rest = 5 * area * sides * side**3 + 8 * area**2 * side**2 - 24 * pairs
        return 3 * sides * side**5 + 4 * area * side**4 + rest / grown

    widest = min(zone.narrowest for zone in zones)
    return widest if slope(widest) <= 0 else float(brentq(slope, 0, widest, xtol=1e-12, rtol=1e-14))


def check_epsilon(epsilon: float) -> None:
    if not 0 < epsilon < inf:
        raise InputError(f"epsilon: {epsilon:.10g} is not a number above 0 and below infinity.")
    if epsilon > MOST_EPSILON:
        raise InputError(f"epsilon: {epsilon:.10g} is above {MOST_EPSILON} and protects nothing.")


def _sides(zones: Sequence[Rectangle]) -> float:
    return sum(zone.width + zone.height for zone in zones)
