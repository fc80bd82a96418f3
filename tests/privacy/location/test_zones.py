"""Zones are prepared: they grow to the side of the square, stay on the map, and do not overlap."""

import pytest
from hypothesis import given, strategies as st

from privacy.errors import InputError
from privacy.location import Rectangle, prepare_zones

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


def test_a_narrow_zone_grows_about_its_centre() -> None:
    assert prepare_zones([Rectangle(28, 10, 4, 30)], MAP, 20) == (Rectangle(20, 10, 20, 30),)


def test_a_zone_at_the_border_grows_inwards() -> None:
    """Clipped, it would be too narrow for the square again."""
    assert prepare_zones([Rectangle(0, 38, 2, 2)], MAP, 10) == (Rectangle(0, 30, 10, 10),)


def test_a_zone_that_leaves_the_map_is_clipped() -> None:
    assert prepare_zones([Rectangle(50, 30, 100, 100)], MAP, 5) == (Rectangle(50, 30, 10, 10),)


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
    with pytest.raises(InputError) as refused:
        prepare_zones([zone], MAP, 5)

    assert str(refused.value) == sentence


@pytest.mark.parametrize("side", [0, -1, 41])
def test_a_square_that_does_not_fit_into_the_map_is_refused(side: float) -> None:
    with pytest.raises(InputError) as refused:
        prepare_zones([MAP], MAP, side)

    assert str(refused.value) == f"side: {side} is not above 0 and at most 40, the map's shorter side."


def _cells(zone: Rectangle) -> list[tuple[int, int]]:
    return [(x, y) for x in range(int(zone.left), int(zone.right)) for y in range(int(zone.bottom), int(zone.top))]
