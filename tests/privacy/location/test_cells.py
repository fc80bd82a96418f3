"""The mechanism on cells keeps its promise exactly, and is the mechanism of the paper where cells are small."""

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st

from papers.squares import square_mechanism, zone_mechanism
from privacy.guarantee import epsilon as log_of
from privacy.location import CellMechanism, Rectangle, best_mechanism, keep_of, log_above, mechanism_of, prepare_zones
from tests.cases import every, first
from tests.refusals import refusal_of

CENTRE = Rectangle(500, 500, 1000, 1000)


def on_cells(columns: int, rows: int, zones: list[Rectangle], epsilon: float, side: int | None = None) -> CellMechanism:
    """The mechanism of these zones; without any it is the square mechanism."""
    return in_levels(columns, rows, zones or [Rectangle(0, 0, columns, rows)], [epsilon], side)


def in_levels(
    columns: int, rows: int, zones: list[Rectangle], epsilons: list[float], side: int | None = None
) -> CellMechanism:
    """The mechanism of zones with an ε each."""
    drawn, exact = tuple(zones), tuple(Fraction(str(epsilon)) for epsilon in epsilons)
    made = mechanism_of(columns, rows, drawn, exact, side) if side else best_mechanism(columns, rows, drawn, exact)
    assert made is not None
    return made


def zone_of(mechanism: CellMechanism, cell: tuple[int, int]) -> Rectangle | None:
    """The zone that holds a cell, by its borders."""
    inside = (z for z in mechanism.zones if z.left <= cell[0] < z.right and z.bottom <= cell[1] < z.top)
    return next(inside, None)


SMALL = {
    "square": on_cells(12, 9, [], 2),
    "even square": on_cells(12, 9, [], 2, side=4),
    "one cell": on_cells(7, 5, [], 3, side=1),
    "the whole shorter side": on_cells(12, 5, [], 0.01, side=5),
    "two zones": on_cells(12, 9, [Rectangle(0, 0, 3, 2), Rectangle(6, 5, 2, 3)], 1, side=3),
    "touching zones": on_cells(12, 9, [Rectangle(0, 0, 4, 4), Rectangle(4, 0, 4, 9)], 3),
    "overlapping zones": on_cells(12, 9, [Rectangle(0, 0, 4, 4), Rectangle(3, 3, 4, 4)], 3),
    "two levels": in_levels(12, 9, [Rectangle(0, 0, 4, 3), Rectangle(6, 3, 5, 5)], [2, 3], side=3),
    "three levels": in_levels(
        12, 9, [Rectangle(0, 0, 4, 3), Rectangle(6, 3, 5, 5), Rectangle(0, 5, 3, 3)], [3.5, 3, 4], side=3
    ),
    "levels everywhere": in_levels(9, 6, [Rectangle(0, 0, 5, 6), Rectangle(5, 0, 4, 6)], [2, 2.5], side=2),
}


@pytest.mark.parametrize("name", first(1, reversed(SMALL)))
def test_chances_sum_to_one_and_their_error_is_the_declared_one(name: str) -> None:
    """By definition: over every place and every report of the map."""
    mechanism = SMALL[name]
    cells = list(product(range(mechanism.columns), range(mechanism.rows)))

    total = Fraction(0)
    for place in cells:
        chances = {sent: mechanism.chance(place, sent) for sent in cells}
        assert sum(chances.values()) == 1
        total += sum(
            chance * ((place[0] - sent[0]) ** 2 + (place[1] - sent[1]) ** 2) for sent, chance in chances.items()
        )
    assert total / len(cells) == mechanism.error


@pytest.mark.parametrize("name", first(1, reversed(SMALL)))
def test_the_factor_is_that_of_the_worst_pair_of_places(name: str) -> None:
    """For every report from a zone: the largest over the smallest chance of any two places, exactly."""
    mechanism = SMALL[name]
    cells = list(product(range(mechanism.columns), range(mechanism.rows)))

    worst = Fraction(1)
    for sent in cells:
        chances = [mechanism.chance(place, sent) for place in cells]
        if zone_of(mechanism, sent):
            worst = max(worst, max(chances) / min(chances))
        else:  # corollary 2: only the place itself is reported from outside the zones
            assert [place for place, chance in zip(cells, chances, strict=True) if chance] == [sent]
    assert worst == mechanism.factor


LEVELS = {"two levels": [2.0, 3.0], "three levels": [3.5, 3.0, 4.0], "levels everywhere": [2.0, 2.5]}


@pytest.mark.parametrize("name", first(1, reversed(LEVELS)))
def test_no_report_tells_two_places_apart_by_more_than_the_lesser_of_their_epsilons(name: str) -> None:
    """Minimum identification, over every two places and every report from a zone; and each ε is used up."""
    mechanism = SMALL[name]
    promised = dict(zip(sorted([(zone.left, zone.bottom) for zone in mechanism.zones]), _in_order(name), strict=True))
    cells = list(product(range(mechanism.columns), range(mechanism.rows)))
    reports = [sent for sent in cells if zone_of(mechanism, sent)]
    rows = {place: [mechanism.chance(place, sent) for sent in reports] for place in cells}
    scale = math.lcm(*(chance.denominator for row in rows.values() for chance in row))
    whole = {place: [int(chance * scale) for chance in row] for place, row in rows.items()}
    worst: dict[tuple[object, object], Fraction] = {}
    for one, other in product(cells, cells):
        pair = zone_of(mechanism, one), zone_of(mechanism, other)
        factor = max(Fraction(a, b) for a, b in {*zip(whole[one], whole[other], strict=True)})
        worst[pair] = max(worst.get(pair, factor), factor)

    epsilon_of = {zone: promised[(zone.left, zone.bottom)] if zone else np.inf for pair in worst for zone in pair}
    for (one, other), factor in worst.items():
        if one or other:
            assert log_of(factor) <= min(epsilon_of[one], epsilon_of[other])
    for number, zone in enumerate(mechanism.zones):
        factors = [factor for pair, factor in worst.items() if zone in pair]
        assert max(factors) == mechanism.factors[number]
        assert worst[(zone, zone)] == mechanism.odds_in_zones[number]
        assert log_of(max(factors)) == pytest.approx(epsilon_of[zone], abs=1e-5)


def _in_order(name: str) -> list[float]:
    """Their ε from left to right and from bottom to top, as zones are kept."""
    drawn = {
        "two levels": [(0, 0), (6, 3)], "three levels": [(0, 0), (6, 3), (0, 5)], "levels everywhere": [(0, 0), (5, 0)],
    }[name]  # fmt: skip
    return [epsilon for _, epsilon in sorted(zip(drawn, LEVELS[name], strict=True))]


@given(st.integers(4, 40), st.integers(4, 40), st.data())
def test_levels_keep_their_promise_whatever_the_zones(columns: int, rows: int, data: st.DataObject) -> None:
    """From the five chances that there are by zone: near, and far of each two zones, by the numerators as published."""
    cells = st.tuples(st.integers(0, columns - 1), st.integers(0, rows - 1), st.integers(1, 9), st.integers(1, 9))
    zones = [Rectangle(*one) for one in data.draw(st.lists(cells, min_size=1, max_size=4))]
    own = [data.draw(st.fractions(Fraction(3, 2), 6, max_denominator=20)) for _ in zones]
    side = data.draw(st.integers(1, min(columns, rows)))
    made = mechanism_of(columns, rows, zones, own, side)
    if made is None:
        assert max(own) > min(own)
        return

    places = [(np.inf, made.keep), *zip((_least(zones, own, z) for z in made.zones), made.keeps, strict=True)]
    for (epsilon, keep), zone, weight in zip(places[1:], made.zones, made.weights, strict=True):
        far = Fraction(weight, sum(w * int(z.area) for w, z in zip(made.weights, made.zones, strict=True)))
        near = Fraction(keep, 2**32 * side**2) + (1 - Fraction(keep, 2**32)) * far
        for other, coin in places:
            least = (1 - Fraction(coin, 2**32)) * far
            assert log_above(near / least) <= min(epsilon, other) + Fraction(1, 10**40)
        assert zone.narrowest >= side


def _least(zones: list[Rectangle], epsilons: list[Fraction], kept: Rectangle) -> Fraction:
    """The least ε of the drawn zones with a middle in a kept one; what is drawn over the border counts as well."""
    return min(
        epsilon
        for zone, epsilon in zip(zones, epsilons, strict=True)
        if zone.left < kept.right and kept.left < zone.right and zone.bottom < kept.top and kept.bottom < zone.top
    )


def test_equal_epsilons_are_one_level_and_levels_lose_less() -> None:
    """A level that all zones share is the mechanism without levels."""
    zones = (Rectangle(0, 0, 4, 3), Rectangle(6, 3, 5, 5))

    assert mechanism_of(12, 9, zones, (Fraction(2), Fraction(2)), 3) == on_cells(12, 9, list(zones), 2, side=3)
    assert SMALL["two levels"].error < on_cells(12, 9, list(zones), 2, side=3).error


@pytest.mark.long
@pytest.mark.parametrize("largest", every(2, [2, 1.2]))
def test_asking_less_of_the_wider_of_two_zones_never_makes_the_error_larger(largest: float) -> None:
    """A wide zone and a tiny one: above half the largest ε, keeping the wide one at that half can lose less."""
    zones = (Rectangle(0, 0, 8, 4), Rectangle(12, 12, 3, 3))
    asked = [Fraction(n, 10) for n in range(4, int(largest * 10))]

    errors = [float(best_mechanism(20, 20, zones, (one, Fraction(str(largest)))).error) for one in asked]

    assert all(after <= 1.001 * before for before, after in pairwise(errors))


@pytest.mark.long
@settings(max_examples=30)
@given(st.data())
def test_raising_any_of_different_epsilons_never_makes_the_error_larger(data: st.DataObject) -> None:
    """Two zones apart, each ε from .4 to 4: the design for less promises is never much worse than the earlier one.

    It is found by steps. Of 400 drawn pairs 399 were at most .1 % worse; two zones of four cells with .4 and .6, then
    .5 and .6, are the worst that is known: 36 %. (A design that is written with its ε is read again by the same steps:
    others would change what stored records mean.)
    """
    sizes = [data.draw(st.integers(2, 8)) for _ in range(4)]
    zones = (Rectangle(0, 0, *sizes[:2]), Rectangle(10, 10, *sizes[2:]))
    before = data.draw(st.lists(st.integers(4, 40), min_size=2, max_size=2, unique=True))
    raised = data.draw(st.sampled_from([0, 1]))
    after = [epsilon + (data.draw(st.integers(1, 10)) if zone == raised else 0) for zone, epsilon in enumerate(before)]
    assume(after[0] != after[1])

    first, second = (best_mechanism(20, 20, zones, tuple(Fraction(n, 10) for n in one)) for one in (before, after))

    assert float(second.error) <= 1.4 * float(first.error)


RAISED = {
    "the larger, far above twice the lesser": [(10, epsilon) for epsilon in (11, 12, 13, 15, 17, 19, 25, 40)],
    "the lesser": [(epsilon, 6) for epsilon in (2, 3, 4, 5, 6)],
    "small ones": [(1, epsilon) for epsilon in (1, 1.2, 1.5, 1.9, 3)],
}


@pytest.mark.parametrize("name", every(3, RAISED))
def test_a_weaker_promise_never_makes_the_error_larger(name: str) -> None:
    """Every zone keeps what is asked of it, and what is found is the best up to a thousandth."""
    zones = (Rectangle(0, 0, 12, 12), Rectangle(24, 24, 12, 12))
    made = [best_mechanism(40, 40, zones, (Fraction(str(a)), Fraction(str(b)))) for a, b in RAISED[name]]

    errors = [float(one.error) for one in made]
    assert all(after <= 1.001 * before for before, after in pairwise(errors))
    for one, asked in zip(made, RAISED[name], strict=True):
        assert all(
            log_above(factor) <= Fraction(str(most))
            for factor, most in zip(one.factors, asked if len(one.zones) > 1 else [min(asked)], strict=True)
        )


@given(
    st.integers(2, 3000),
    st.integers(2, 3000),
    st.fractions(Fraction(1, 100), 20),
    st.data(),
)
def test_the_factor_never_exceeds_e_to_the_epsilon(columns: int, rows: int, epsilon: Fraction, data: object) -> None:
    """Whatever the map and the side; and one numerator more would exceed it."""
    side = data.draw(st.integers(1, min(columns, rows)))
    sensitive = data.draw(st.integers(side**2, columns * rows))
    keep = keep_of(epsilon, sensitive, side)
    zone = Rectangle(0, 0, sensitive, 1)

    mechanism = CellMechanism(sensitive, 1, (zone,), side, keep)

    assert log_of(mechanism.factor) <= float(epsilon) + 1e-15
    if keep + 1 < 2**32:
        more = CellMechanism(sensitive, 1, (zone,), side, keep + 1)
        assert log_of(more.factor) >= float(epsilon) - 1e-15


@pytest.mark.parametrize("epsilon", [1, 2, 5, 10, 15])
def test_on_small_cells_side_and_error_are_those_of_the_paper(epsilon: float) -> None:
    """2 000 × 2 000 cells: the best side is the root of the equation to a cell, and the error the closed one."""
    map_ = Rectangle(0, 0, 2000, 2000)

    square, continuous = on_cells(2000, 2000, [], epsilon), square_mechanism(map_, epsilon)
    zones = on_cells(2000, 2000, [CENTRE], epsilon, square.side)

    assert abs(square.side - continuous.side) <= 1
    assert float(square.error) == pytest.approx(continuous.error, rel=3e-3)
    assert float(zones.error) == pytest.approx(zone_mechanism(map_, [CENTRE], epsilon).error, rel=6e-3)


@pytest.mark.parametrize(("epsilon", "side"), [(1, 1000), (5, 519), (10, 164), (15, 49), (20, 14)])
def test_the_best_side_for_zones_is_their_own_optimum(epsilon: float, side: int) -> None:
    """519.5, 164.2, 48.9 and 14.2 by the equation; at ε = 1 the square fills the zone, which does not grow."""
    mechanism = on_cells(2000, 2000, [CENTRE], epsilon)

    assert abs(mechanism.side - side) <= 1
    assert mechanism.zones == (CENTRE,)


def test_a_tiny_zone_beside_a_wide_one_grows_because_that_is_better() -> None:
    """With a side of one cell most reports would come from anywhere; the best side lets the tiny zone grow."""
    wide, tiny = Rectangle(100, 100, 200, 200), Rectangle(500, 500, 1, 1)

    mechanism = on_cells(1000, 800, [wide, tiny], 5)

    assert mechanism.side > 50
    assert mechanism.error < on_cells(1000, 800, [wide, tiny], 5, side=1).error / 10


@pytest.mark.parametrize(("columns", "rows"), [(37, 21), (60, 60)])
@pytest.mark.parametrize("zones", [[], [Rectangle(3, 3, 4, 9), Rectangle(15, 2, 6, 6)]])
def test_no_side_is_better_than_the_best(columns: int, rows: int, zones: list[Rectangle]) -> None:
    """Every side of a small map, with the coin that each would have."""
    best = on_cells(columns, rows, zones, 1.5)

    others = [on_cells(columns, rows, zones, 1.5, side).error for side in range(1, min(columns, rows) + 1)]
    assert float(best.error) == pytest.approx(float(min(others)), rel=1e-7)


def test_zones_that_overlap_are_joined_before_they_grow() -> None:
    """Over every place and report, by the definition: in the least rectangle around both zones no side of a square has
    less than 1 582 m², which is the error of these two zones on 400 m × 300 m, in cells of 10 m."""
    zones = [Rectangle(10, 10, 10, 10), Rectangle(18, 15, 8, 10)]
    grid = np.array(list(product(range(40), range(30))))
    inside = ((grid >= [10, 10]) & (grid < [26, 25])).all(axis=1)
    squares = ((grid[:, np.newaxis] - grid[inside]) ** 2).sum(axis=2)  # of every place to every cell of the zone
    errors = {}
    for side in range(1, 16):
        odds = (np.exp(4) - 1) * side**2 / inside.sum()
        corner = np.clip(grid[inside] - side // 2, [10, 10], np.array([26, 25]) - side)
        apart = grid[inside] - corner[:, np.newaxis]
        near = (squares[inside] * ((apart >= 0) & (apart < side)).all(axis=2)).sum() / side**2
        errors[side] = (odds * near + squares.mean(axis=1).sum()) / (1 + odds) / len(grid)
    mechanism = on_cells(40, 30, zones, 4)
    assert (mechanism.side, mechanism.zones) == (min(errors, key=errors.__getitem__), (Rectangle(10, 10, 16, 15),))
    assert float(mechanism.error) == pytest.approx(min(errors.values()), rel=1e-6)
    assert round(100 * min(errors.values())) == 1582


def test_zones_that_cover_the_map_are_the_square_mechanism_on_cells() -> None:
    assert on_cells(12, 9, [Rectangle(0, 0, 12, 5), Rectangle(0, 4, 12, 5)], 2) == on_cells(12, 9, [], 2)


# Zones are prepared: they grow to the side of the square, stay on the map, and do not overlap.


MAP = Rectangle(0, 0, 60, 40)


@st.composite
def drawn_zones(draw: st.DrawFn) -> list[Rectangle]:
    zones = []
    for _ in range(draw(st.integers(1, 5))):
        left, bottom = draw(st.integers(0, 59)), draw(st.integers(0, 39))
        zones.append(Rectangle(left, bottom, draw(st.integers(1, 60 - left)), draw(st.integers(1, 40 - bottom))))
    return zones


def _inside(inner: Rectangle, outer: Rectangle) -> bool:
    across = outer.left <= inner.left and inner.right <= outer.right
    return across and outer.bottom <= inner.bottom and inner.top <= outer.top


@given(drawn_zones(), st.integers(1, 40))
def test_a_square_fits_into_every_prepared_zone_and_no_drawn_place_is_left_out(
    zones: list[Rectangle], side: int
) -> None:
    """Whatever was drawn: zones lie on the map in whole cells, none is too narrow, none overlaps another."""
    areas = prepare_zones(zones, MAP, side, whole=True)

    assert all(_inside(zone, MAP) and zone.narrowest >= side for zone in areas)
    assert all(any(_inside(zone, one) for one in areas) for zone in zones)
    assert sum(zone.area for zone in areas) == len({cell for zone in areas for cell in _cells(zone)})


@given(drawn_zones(), st.integers(1, 40), st.randoms(use_true_random=False))
def test_zones_are_prepared_once_and_in_any_order(zones: list[Rectangle], side: int, random: object) -> None:
    """What is prepared stays as it is, and the order in which zones were drawn does not matter."""
    areas = prepare_zones(zones, MAP, side, whole=True)
    random.shuffle(zones)

    assert prepare_zones(areas, MAP, side, whole=True) == areas
    assert prepare_zones(zones, MAP, side, whole=True) == areas


@pytest.mark.parametrize(
    ("drawn", "side", "prepared"),
    [
        ((28, 10, 4, 30), 20, (20, 10, 20, 30)),
        ((0, 38, 2, 2), 10, (0, 30, 10, 10)),  # clipped, it would be too narrow for the square again
        ((50, 30, 100, 100), 5, (50, 30, 10, 10)),
    ],
    ids=["a narrow one grows about its centre", "at the border it grows inwards", "outside of the map it is clipped"],
)
def test_a_zone_has_room_for_the_square(drawn: tuple[int, ...], side: int, prepared: tuple[int, ...]) -> None:
    assert prepare_zones([Rectangle(*drawn)], MAP, side) == (Rectangle(*prepared),)


def test_zones_that_overlap_become_one_and_zones_that_touch_stay_two() -> None:
    touching = [Rectangle(0, 0, 10, 10), Rectangle(10, 0, 10, 10)]

    assert prepare_zones(touching, MAP, 5) == tuple(touching)
    assert prepare_zones([*touching, Rectangle(9, 9, 2, 2)], MAP, 1) == (Rectangle(0, 0, 20, 11),)


@pytest.mark.parametrize(
    ("zone", "sentence"),
    [
        (Rectangle(5, 5, 0, 10), "zones: one is 0 wide and 10 high; both must be above 0."),
        (Rectangle(5, 5, 10, -1), "zones: one is 10 wide and -1 high; both must be above 0."),
        (Rectangle(60, 0, 5, 5), "zones: one that begins at 60, 0 lies outside the map."),
    ],
)
def test_a_zone_without_a_place_on_the_map_is_refused(zone: Rectangle, sentence: str) -> None:
    assert refusal_of(lambda: prepare_zones([zone], MAP, 5)) == sentence


@pytest.mark.parametrize("side", [0, -1, 41])
def test_a_square_that_does_not_fit_into_the_map_is_refused(side: float) -> None:
    assert (
        refusal_of(lambda: prepare_zones([MAP], MAP, side))
        == f"side: {side} is not above 0 and at most 40, the map's shorter side."
    )


def _cells(zone: Rectangle) -> list[tuple[int, int]]:
    return [(x, y) for x in range(int(zone.left), int(zone.right)) for y in range(int(zone.bottom), int(zone.top))]
