"""The square mechanism on whole cells, with exact chances: what devices apply and records hold.

A map of columns × rows cells, prepared zones of whole cells, a square of `side` × `side` cells, and one coin that falls
on its near side with the chance β = keep/2³²:

    near    a place in a zone: a cell of its square, each as likely; a place elsewhere: its own cell
    far     a cell of all zones, each as likely, wherever the person is

So P(y | x) = β/side² [y in the square of x] + (1−β)/S [y in a zone] is an exact fraction for a place in a zone, and the
largest factor by which two places differ in the chance of a cell of the zones is 1 + β S / ((1−β) side²). `keep` is the
largest numerator with which this is at most e^ε. Cells are numbered from 0; the square of an even side reaches one cell
further to the left and to the bottom.

Zones may have levels, an ε_z each. Then each has its own coin β_z and a weight, by which the far side favours its
cells: f_z for each of them. A place outside the zones has the largest coin. No report changes the odds between two
places by more than e to the lesser of their ε (minimum identification: Gu, Li, Xiong and Cao 2020):

    1 − β_z = M/E_z    f_z = (1/M − 1/E_z) / (side² (E_z/E − 1/E_z))    Σ S_z f_z = 1    E_z = e^ε_z, E their largest

For a cell of zone z is sent from a place near it with f_z g_z, g_z = β_z/(side² f_z) + 1 − β_z = M E_z/E, and from one
that is far, of the coin j, with f_z (1 − β_j) = f_z M/E_j. So it tells them apart by the factor E_z E_j/E, which is at
most the lesser of E_z and E_j, and is E_z outside and in the zones of the largest ε. Two places of a zone are
distinguished by E_z²/E: all are within twice the least ε of each other, so the largest must be below that. Where more
is asked, or where it loses less, the largest are lowered: a mechanism for smaller ε keeps what larger ones ask.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Floats
from privacy.location.zones import Rectangle, distances, overlap, prepare_zones

ONE = 2**32
MOST_EPSILON = 700  # e^ε is a float up to there
MOST_SIDES = 1024  # sides that are compared in a first round when the best one is looked for
MOST_LEVEL_SIDES = 128  # the same of zones with levels, which take exact fractions
FEW_SIDES = 32  # up to which all are compared with lowered zones, too
COARSER = 4  # steps between sides where there are more
CAPS = 8  # steps from the least ε to the largest, in which a cap on them is sought first
Cells = NDArray[np.int64]
Zones = frozenset[int]  # their places in the list
_PRECISE = Context(prec=60, rounding=ROUND_FLOOR)
_OUTWARD = Context(prec=60, rounding=ROUND_CEILING)


@dataclass(frozen=True)
class CellMechanism:
    """Everything in cells. `zones` are prepared; the square mechanism has the whole map as its only zone.

    `levels` are the numerator and the weight of each zone, where they differ; `keep` is then the largest numerator.
    """

    columns: int
    rows: int
    zones: tuple[Rectangle, ...]
    side: int
    keep: int
    levels: tuple[tuple[int, int], ...] = ()

    @cached_property
    def sensitive(self) -> int:
        """How many cells lie in zones."""
        return sum(int(zone.area) for zone in self.zones)

    @property
    def draw_size(self) -> int:
        """The number of equally likely draws of the far side: each cell counts by the weight of its zone."""
        return self._ends[-1]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """For each zone the number after its last draw, where the draws of all zones are counted through."""
        return tuple(accumulate(int(zone.area) * weight for zone, weight in zip(self.zones, self.weights, strict=True)))

    @cached_property
    def keeps(self) -> tuple[int, ...]:
        """The numerator of each zone's coin."""
        return tuple(keep for keep, _ in self.levels) or (self.keep,) * len(self.zones)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """How often each cell of a zone counts among the draws of the far side."""
        return tuple(weight for _, weight in self.levels) or (1,) * len(self.zones)

    @cached_property
    def coins(self) -> Floats:
        """β of each zone, and last that of places outside zones, which the index −1 finds."""
        return np.array([*self.keeps, self.keep]) / ONE

    @cached_property
    def anywhere(self) -> Floats:
        """The chance that the far side sends a cell of each zone; last 0 for outside."""
        return np.array([*np.diff(self._ends, prepend=0), 0]) / self.draw_size

    @property
    def zone_channel(self) -> Floats:
        """P(sent in a zone or outside | true in a zone or outside); the place within a zone does not matter."""
        return np.asarray(np.diag(self.coins) + np.outer(1 - self.coins, self.anywhere))

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
        return max(self.factors)

    @property
    def factors(self) -> tuple[Fraction, ...]:
        """The largest factor by which a report changes the odds of a place in each zone and any other place."""
        most = max(self._peaks)
        return tuple(
            max(peak / (ONE - self.keep), most / (ONE - keep))
            for peak, keep in zip(self._peaks, self.keeps, strict=True)
        )

    @property
    def odds_in_zones(self) -> tuple[Fraction, ...]:
        """The largest factor between two places of each zone; 1 where one square fills the zone."""
        return tuple(
            peak / (ONE - keep) if zone.area > self.side**2 else Fraction(1)
            for zone, peak, keep in zip(self.zones, self._peaks, self.keeps, strict=True)
        )

    @cached_property
    def _peaks(self) -> tuple[Fraction, ...]:
        """g_z · 2³²: how many times as likely a cell of each zone is from near it as its weight on the far side."""
        return tuple(
            Fraction(keep * self.draw_size, weight * self.side**2) + ONE - keep
            for keep, weight in zip(self.keeps, self.weights, strict=True)
        )

    @property
    def error(self) -> Fraction:
        """The expected squared distance, in cells, of a report from a place that is uniform over the map."""

        def far(part: Rectangle) -> Fraction:
            """Sum the squared distances from all places of a part to the cells that the far side draws."""
            return Fraction(sum(w * distances([part], [z], 1) for w, z in zip(self.weights, self.zones, strict=True)))

        total = (ONE - self.keep) * far(whole_map(self.columns, self.rows)) / self.draw_size
        for zone, keep in zip(self.zones, self.keeps, strict=True):
            total += keep * Fraction(int(_near_distance(zone, self.side)), self.side**2)
            if keep != self.keep:
                total += (self.keep - keep) * far(zone) / self.draw_size
        return total / (ONE * self.columns * self.rows)

    def chance(self, place: tuple[int, int], sent: tuple[int, int]) -> Fraction:
        """P(a cell is sent | the place), exactly."""
        own, other = (int(self.zone_numbers(*np.array([[at] for at in one]))[0]) for one in (place, sent))
        beta = self.beta if own < 0 else Fraction(self.keeps[own], ONE)
        far = (1 - beta) * (self.weights[other] if other >= 0 else 0) / self.draw_size
        if own < 0:
            return far + beta * (sent == place)
        left, bottom = self._corner(self.zones[own], *(np.array([at]) for at in place))
        near = 0 <= sent[0] - left < self.side and 0 <= sent[1] - bottom < self.side
        return far + bool(near) * beta / self.side**2

    def zone_numbers(self, x: Cells, y: Cells) -> Cells:
        """The number of the zone that holds each cell; −1 outside all of them."""
        numbers = np.full(len(x), -1)
        for number, zone in enumerate(self.zones):
            inside = (zone.left <= x) & (x < zone.right) & (zone.bottom <= y) & (y < zone.top)
            numbers[inside] = number
        return numbers

    def near_cells(self, x: Cells, y: Cells, across: Cells, up: Cells) -> tuple[Cells, Cells]:
        """The cell that the near side sends: in a zone that at `across` and `up` in its square, else its own."""
        numbers, sent = self.zone_numbers(x, y), (x.copy(), y.copy())
        for number, zone in enumerate(self.zones):
            inside = numbers == number
            corner = self._corner(zone, x[inside], y[inside])
            for one, begin, further in zip(sent, corner, (across, up), strict=True):
                one[inside] = begin + further[inside]
        return sent

    def far(self, numbers: Cells) -> tuple[Cells, Cells]:
        """Turn random numbers below `draw_size` into cells of zones: zone by zone, column by column, by weight."""
        zone = np.searchsorted(self._ends, numbers, side="right")
        begin = np.array([0, *self._ends])[zone]
        bounds = np.array([[zone.left, zone.bottom, zone.height] for zone in self.zones], np.int64)[zone]
        across, up = np.divmod((numbers - begin) // np.array(self.weights)[zone], bounds[:, 2])
        return bounds[:, 0] + across, bounds[:, 1] + up

    def _corner(self, zone: Rectangle, x: Cells, y: Cells) -> tuple[Cells, Cells]:
        """The left and bottom cell of each place's square: centred at the place, but inside the zone, (8)."""
        half, side = self.side // 2, self.side
        across = np.clip(x - half, int(zone.left), int(zone.right) - side)
        return across, np.clip(y - half, int(zone.bottom), int(zone.top) - side)


def keep_of(epsilon: Fraction, sensitive: int, side: int) -> int:
    """The largest numerator of β with which no report changes odds by more than e^ε.

    `sensitive` counts the cells of the zones after they have grown; `side` is that of the square, in cells.

    >>> round(keep_of(Fraction(1), sensitive=12, side=3) / 2**32, 4)
    0.5631
    """
    if epsilon > MOST_EPSILON:
        return ONE
    grown = (_exp_below(epsilon) - 1) * side**2
    return int(grown * ONE / (sensitive + grown))


def mechanism_of(
    columns: int, rows: int, zones: Sequence[Rectangle], epsilons: Sequence[Fraction], side: int
) -> CellMechanism | None:
    """The mechanism with an ε for each zone; None where these are too far apart for this side.

    Zones that are joined have the least of their ε. `epsilons` has one for each zone, or one for all of them.

    >>> apart = [Rectangle(0, 0, 4, 4), Rectangle(6, 6, 4, 4)]
    >>> made = mechanism_of(10, 10, apart, [Fraction(2), Fraction(3)], 3)
    >>> [round(float(log_above(factor)), 4) for factor in made.factors]
    [2.0, 3.0]
    """
    kept = prepare_zones(zones, whole_map(columns, rows), side, whole=True)
    own = list(epsilons) * (len(zones) if len(epsilons) == 1 else 1)
    if max(own) >= 2 * min(own):
        return None
    least = [min(epsilon for zone, epsilon in zip(zones, own, strict=True) if overlap(zone, one)) for one in kept]
    areas = [int(zone.area) for zone in kept]
    if len(set(least)) == 1:
        return CellMechanism(columns, rows, kept, side, keep_of(least[0], sum(areas), side))
    factors = [_exp_below(min(epsilon, Fraction(MOST_EPSILON))) for epsilon in least]
    most = max(factors)
    apart = [factor / most - 1 / factor for factor in factors]
    each = list(zip(areas, factors, apart, strict=True))
    inverse = (side**2 + sum(area / (factor * gap) for area, factor, gap in each)) / sum(
        area / gap for area, _factor, gap in each
    )
    weights = [int((ONE - 1) * (inverse - 1 / factor) / (side**2 * gap)) for _area, factor, gap in each]
    if min(weights) < 1:
        return None
    # Weights are whole, so M is the least with which all zones keep their promise.
    drawn = sum(area * weight for area, weight in zip(areas, weights, strict=True))
    tall = [Fraction(drawn, weight * side**2) for weight in weights]
    level = max(one / ((one - 1) / factor + factor / most) for one, factor in zip(tall, factors, strict=True))
    keeps = [int(ONE * (1 - level / factor)) for factor in factors]
    if min(keeps) < 0:
        return None
    return CellMechanism(columns, rows, kept, side, max(keeps), tuple(zip(keeps, weights, strict=True)))


@lru_cache(maxsize=256)
def best_mechanism(
    columns: int, rows: int, zones: tuple[Rectangle, ...], epsilons: tuple[Fraction, ...], side: int | None = None
) -> CellMechanism:
    """The mechanism with the least expected squared error, of this side or of the best; arguments as of `mechanism_of`.

    A mechanism for smaller ε keeps what is asked and may lose less: where the largest are lowered to a cap, or where
    some zones are lowered to little more than half the cap, so that their coin falls on the far side almost always.
    So these are compared, too: first with caps from the least ε to the largest, then around the best, in thousandths.

    >>> apart = Rectangle(0, 0, 4, 4), Rectangle(6, 6, 4, 4)
    >>> best_mechanism(10, 10, apart, (Fraction(2), Fraction(3))).side
    4
    >>> far = best_mechanism(10, 10, apart, (Fraction(1), Fraction(3)))
    >>> [round(float(log_above(factor)), 2) for factor in far.factors]
    [1.0, 2.0]
    """
    if len(set(epsilons)) == 1 and not side:
        side = best_side_in_cells(columns, rows, zones, epsilons[0])

    def best(
        caps: Iterable[Fraction], lowered: Iterable[Zones], sides: Iterable[int]
    ) -> list[tuple[CellMechanism, Fraction, Zones]]:
        """The mechanism with the least error, its cap and lowered zones; of equals that with the larger cap first."""
        made = [
            (one, cap, zones_lowered)
            for cap, zones_lowered, own in product(sorted(caps, reverse=True), lowered, sides)
            if (one := mechanism_of(columns, rows, zones, _lower(epsilons, cap, zones_lowered), own))
        ]
        return sorted(made, key=lambda one: one[0].error)[:1]

    low, high = min(epsilons), min(max(epsilons), 2 * min(epsilons))
    most = min(columns, rows)
    far = 1 if side else -(-most // MOST_LEVEL_SIDES)
    sides = [side] if side else range(1, most + 1, far)
    step = (high - low) / CAPS
    caps = {low + n * step for n in range(CAPS + 1)}
    none, *choices = _choices(epsilons)
    firsts = best(caps, [none], sides)  # there is one: with the least cap all zones have one coin
    if choices:
        far *= 1 if side or most <= FEW_SIDES else COARSER
        firsts += best(caps, choices, sides if side else range(1, most + 1, far))
    found, cap, lowered = min(firsts, key=lambda first: first[0].error)
    while step > Fraction(1, 1000):
        step /= 4
        tried = {min(max(round(cap + n * step, 3), low), high) for n in range(-4, 5)}
        ((found, cap, lowered),) = best({cap, *tried}, [lowered], [found.side])
        near = [side] if side else range(max(found.side - far, 1), min(found.side + far, most) + 1)
        ((found, cap, lowered),) = best([cap], [lowered], near)
    return found


def _choices(epsilons: Sequence[Fraction]) -> list[Zones]:
    """Which zones may be lowered: none, one of them, or all but those of the largest ε."""
    if len(set(epsilons)) == 1:
        return [frozenset()]
    smaller = frozenset(zone for zone, epsilon in enumerate(epsilons) if epsilon < max(epsilons))
    each = [frozenset([zone]) for zone in range(len(epsilons))]
    return [frozenset(), *each, *([smaller] if len(smaller) > 1 else [])]


def _lower(epsilons: Sequence[Fraction], cap: Fraction, lowered: Zones) -> list[Fraction]:
    """Lower every ε to the cap, and those of the `lowered` zones to just above half of it."""
    least = cap / 2 + Fraction(1, 10_000)
    return [min(epsilon, least if zone in lowered else cap) for zone, epsilon in enumerate(epsilons)]


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
        """The expected squared error of one side, or of an array of sides where no zone grows."""
        kept = zones if everywhere else prepare_zones(zones, map_, side, whole=True)
        area = sum(zone.area for zone in kept)
        near = sum(_near_distance(zone, side) for zone in kept)
        return (grown * near + distances([map_], kept, grain=1)) / (area + grown * side**2)

    def best(sides: range) -> int:
        if everywhere:
            return sides[int(np.argmin(error(np.array(sides, float))))]
        return min(sides, key=error)

    most = min(columns, rows)
    step = -(-most // MOST_SIDES)
    about = best(range(1, most + 1, step))
    return best(range(max(about - step, 1), min(about + step, most) + 1))


def _near_distance(zone: Rectangle, side: int) -> int:
    """The squared distance of a cell of the zone and one of its square, summed over both.

    Along one side of length a: the square reaches l cells to one way and side − 1 − l to the other. Each l comes once,
    and that of a square in the middle a − side times more. Q(n) = 1 + 4 + … + n².
    """
    width, height = int(zone.width), int(zone.height)
    middle = sum(last * (last + 1) * (2 * last + 1) // 6 for last in (side // 2, side - 1 - side // 2))
    across, up = ((side - 1) * side**2 * (side + 1) // 6 + (length - side) * middle for length in (width, height))
    return side * (height * across + width * up)


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


@lru_cache(maxsize=4096)  # sides are compared with the same powers
def _exp_below(power: Fraction) -> Fraction:
    """A fraction below e^power by less than one in 10^55."""
    exponent = _PRECISE.divide(Decimal(power.numerator), Decimal(power.denominator))
    return Fraction(_PRECISE.next_minus(_PRECISE.exp(exponent)))
