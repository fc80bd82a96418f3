"""The square mechanism on whole cells, with exact chances: what devices apply and records hold.

A map of columns × rows cells, prepared zones of whole cells, a square of `side` × `side` cells, and one coin that falls
on its near side with the chance β = keep/2³²:

    near    a place in a zone: a cell of its square, each as likely; a place elsewhere: its own cell
    far     a cell of all zones, each as likely, wherever the person is

So P(y | x) = β/side² [y in the square of x] + (1−β)/S [y in a zone] is an exact fraction for a place in a zone, and the
largest factor by which two places differ in the chance of a cell of the zones is 1 + β S / ((1−β) side²). `keep` is the
largest numerator with which this is at most e^ε. Cells are numbered from 0; the square of an even side reaches one cell
further to the left and to the bottom.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.location.zones import Rectangle, distances, prepared

ONE = 2**32
MOST_EPSILON = 700  # e^ε is a float up to there
MOST_SIDES = 1024  # sides that are compared in a first round when the best one is looked for
Cells = NDArray[np.int64]
_PRECISE = Context(prec=60, rounding=ROUND_FLOOR)
_OUTWARD = Context(prec=60, rounding=ROUND_CEILING)


@dataclass(frozen=True)
class CellMechanism:
    """Everything in cells. `zones` are prepared; the square mechanism has the whole map as its only zone."""

    columns: int
    rows: int
    zones: tuple[Rectangle, ...]
    side: int
    keep: int

    @cached_property
    def sensitive(self) -> int:
        """How many cells lie in zones."""
        return self._ends[-1]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """Behind the last cell of each zone, where cells of zones are counted through."""
        return tuple(accumulate(int(zone.area) for zone in self.zones))

    @property
    def everywhere(self) -> bool:
        """Whether the zones cover the map, so that no report gives its cell away."""
        return self.sensitive == self.columns * self.rows

    @property
    def beta(self) -> Fraction:
        """The chance of the near side: with it, a place outside the zones is reported as it is."""
        return Fraction(self.keep, ONE)

    @property
    def factor(self) -> Fraction:
        """The largest factor by which a report from a zone changes the odds between two places; at most e^ε."""
        return 1 + Fraction(self.keep * self.sensitive, (ONE - self.keep) * self.side**2)

    @property
    def error(self) -> Fraction:
        """The expected squared distance, in cells, of a report from a place that is uniform over the map."""
        near = Fraction(int(sum(_near(zone, self.side) for zone in self.zones)), self.side**2)
        far = Fraction(distances([whole_map(self.columns, self.rows)], self.zones, grain=1)) / self.sensitive
        return (self.beta * near + (1 - self.beta) * far) / (self.columns * self.rows)

    def zone_of(self, x: int, y: int) -> Rectangle | None:
        inside = (zone for zone in self.zones if zone.left <= x < zone.right and zone.bottom <= y < zone.top)
        return next(inside, None)

    def chance(self, place: tuple[int, int], sent: tuple[int, int]) -> Fraction:
        """P(a cell is sent | the place), exactly."""
        zone = self.zone_of(*place)
        far = (1 - self.beta) / self.sensitive if self.zone_of(*sent) else Fraction(0)
        if zone is None:
            return far + self.beta * (sent == place)
        left, bottom = self._corner(zone, *(np.array([at]) for at in place))
        near = 0 <= sent[0] - left < self.side and 0 <= sent[1] - bottom < self.side
        return far + bool(near) * self.beta / self.side**2

    def zone_numbers(self, x: Cells, y: Cells) -> Cells:
        """The number of the zone that holds each cell; −1 outside all of them."""
        numbers = np.full(len(x), -1)
        for number, zone in enumerate(self.zones):
            inside = (zone.left <= x) & (x < zone.right) & (zone.bottom <= y) & (y < zone.top)
            numbers[inside] = number
        return numbers

    def near(self, x: Cells, y: Cells, across: Cells, up: Cells) -> tuple[Cells, Cells]:
        """What is sent of each place by the near side: its own cell, or in a zone this cell of its square."""
        numbers, sent = self.zone_numbers(x, y), (x.copy(), y.copy())
        for number, zone in enumerate(self.zones):
            inside = numbers == number
            corner = self._corner(zone, x[inside], y[inside])
            for one, begin, further in zip(sent, corner, (across, up), strict=True):
                one[inside] = begin + further[inside]
        return sent

    def far(self, numbers: Cells) -> tuple[Cells, Cells]:
        """The cells of zones, counted through: zone by zone, in each column by column from its bottom."""
        zone = np.searchsorted(self._ends, numbers, side="right")
        begin = np.array([0, *self._ends])[zone]
        bounds = np.array([[one.left, one.bottom, one.height] for one in self.zones], np.int64)[zone]
        across, up = np.divmod(numbers - begin, bounds[:, 2])
        return bounds[:, 0] + across, bounds[:, 1] + up

    def _corner(self, zone: Rectangle, x: Cells, y: Cells) -> tuple[Cells, Cells]:
        """The first cell of the square along both axes: centred at the place, but inside the zone, (8)."""
        half, side = self.side // 2, self.side
        across = np.clip(x - half, int(zone.left), int(zone.right) - side)
        return across, np.clip(y - half, int(zone.bottom), int(zone.top) - side)


def keep_of(epsilon: Fraction, sensitive: int, side: int) -> int:
    """The largest numerator of β with which the factor is at most e^ε.

    `sensitive` counts the cells of the zones after they have grown; `side` is that of the square, in cells.

    >>> round(keep_of(Fraction(1), sensitive=12, side=3) / 2**32, 4)
    0.5631
    """
    if epsilon > MOST_EPSILON:
        return ONE
    grown = (_exp_below(epsilon) - 1) * side**2
    return int(grown * ONE / (sensitive + grown))


@lru_cache(maxsize=256)
def best_side_in_cells(columns: int, rows: int, zones: Sequence[Rectangle], epsilon: Fraction) -> int:
    """The side, in cells, with the least expected squared error of a uniform place, where zones grow with the side.

    On a large map sides are compared in steps, and then one by one around the best of them.

    `columns` and `rows` are the cells of the map; zones may overlap.

    >>> map_ = Rectangle(0, 0, 2000, 2000)
    >>> best_side_in_cells(2000, 2000, (map_,), Fraction(5)), best_side_in_cells(2000, 2000, (map_,), Fraction(20))
    (601, 16)
    """
    map_, grown = whole_map(columns, rows), float(_exp_below(min(epsilon, Fraction(MOST_EPSILON))) - 1)
    everywhere = tuple(zones) == (map_,)

    def error(side: Any) -> Any:
        """Of one side, or of an array of them where no zone grows."""
        kept = zones if everywhere else prepared(zones, map_, side, whole=True)
        area = sum(zone.area for zone in kept)
        near = sum(_near(zone, side) for zone in kept)
        return (grown * near + distances([map_], kept, grain=1)) / (area + grown * side**2)

    def best(sides: range) -> int:
        if everywhere:
            return sides[int(np.argmin(error(np.array(sides, float))))]
        return min(sides, key=error)

    most = min(columns, rows)
    step = -(-most // MOST_SIDES)
    about = best(range(1, most + 1, step))
    return best(range(max(about - step, 1), min(about + step, most) + 1))


def _near(zone: Rectangle, side: int) -> int:
    """The squared distance of a cell of the zone and one of its square, summed over both.

    Along one side of length a: the square reaches l cells to one way and side − 1 − l to the other. Each l comes once,
    and that of a square in the middle a − side times more. Q(n) = 1 + 4 + … + n².
    """
    across, up = (_near_along(int(length), side) for length in (zone.width, zone.height))
    return side * (int(zone.height) * across + int(zone.width) * up)


def _near_along(length: int, side: int) -> int:
    half = side // 2
    return (side - 1) * side**2 * (side + 1) // 6 + (length - side) * (_squares(half) + _squares(side - 1 - half))


def _squares(last: int) -> int:
    return prod((last, last + 1, 2 * last + 1)) // 6


def whole_map(columns: int, rows: int) -> Rectangle:
    """The rectangle of cells that is the whole map.

    >>> whole_map(4, 3)
    Rectangle(left=0, bottom=0, width=4, height=3)
    """
    return Rectangle(0, 0, columns, rows)


def log_above(factor: Fraction) -> Fraction:
    """A fraction above ln(factor) by less than one in 10^50, and 0 for the factor 1.

    >>> round(float(log_above(Fraction(2))), 6)
    0.693147
    """
    if factor == 1:
        return Fraction(0)
    ratio = _OUTWARD.divide(Decimal(factor.numerator), Decimal(factor.denominator))
    return Fraction(_OUTWARD.next_plus(_OUTWARD.ln(ratio)))


def _exp_below(power: Fraction) -> Fraction:
    """A fraction below e^power by less than one in 10^55."""
    exponent = _PRECISE.divide(Decimal(power.numerator), Decimal(power.denominator))
    return Fraction(_PRECISE.next_minus(_PRECISE.exp(exponent)))
