"""The square mechanism and its utility-optimised form are those of the paper, to the digits of an independent table."""

import csv
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papers import places
from papers.places import best_side_by_cobyla
from papers.reference import how_to_get, reference_file
from papers.squares import SquareMechanism, best_side, square_mechanism, zone_mechanism
from privacy.location import Rectangle, prepare_zones
from tests.cases import every, first
from tests.refusals import refusal_of

MAP = Rectangle(0, 0, 2000, 2000)
CENTRE = Rectangle(500, 500, 1000, 1000)
CORNERS = tuple(Rectangle(x, y, 500, 500) for x in (0, 1500) for y in (0, 1500))


@pytest.fixture(scope="module")
def published() -> dict[str, list[dict[str, float]]]:
    if not reference_file("location.json").exists():
        pytest.skip(how_to_get("location.json"))
    return json.loads(reference_file("location.json").read_text())


def _digits(figure: float, as_printed: float) -> bool:
    """Whether a figure is the printed one in all digits that are printed."""
    text = repr(as_printed)
    decimals = len(text.split(".")[1]) if "." in text and not text.endswith(".0") else 0
    return abs(figure - as_printed) <= 0.51 * 10**-decimals


def test_the_square_mechanism_has_the_published_sides_and_errors(published: dict[str, Any]) -> None:
    for row in published["sm"]:
        mechanism = square_mechanism(MAP, row["eps"])

        assert [_digits(mechanism.side, row["w"]), _digits(mechanism.error, row["mse"])] == [True, True], row


def test_zones_have_the_published_errors_inside_and_outside(published: dict[str, Any]) -> None:
    for row in published["usm_central_square_1000"]:
        mechanism = zone_mechanism(MAP, [CENTRE], row["eps"])

        figures = (mechanism.error_in_zones, mechanism.error_elsewhere, mechanism.error)
        printed = (row["sensitive"], row["non_sensitive"], row["overall"])
        assert list(map(_digits, figures, printed)) == [True] * 3, row


def test_the_side_that_is_best_for_zones_is_the_published_one(published: dict[str, Any]) -> None:
    for row in published["usm_own_optimum"]:
        side = best_side(MAP, [CENTRE], row["eps"])
        error = zone_mechanism(MAP, [CENTRE], row["eps"], side).error

        assert _digits(side, row["w"]), row
        assert error == pytest.approx(row["overall"], rel=2e-4)


@pytest.mark.parametrize("map_", first(1, [MAP, Rectangle(0, 0, 1000, 800), Rectangle(0, 0, 900, 100)]))
@pytest.mark.parametrize("epsilon", every(3, [0.5, 1, 2, 5, 10, 15, 20]))
def test_the_root_and_the_papers_method_find_the_same_side(map_: Rectangle, epsilon: float) -> None:
    """COBYLA knows neither the equation nor its root."""
    assert best_side_by_cobyla(map_, epsilon) == pytest.approx(best_side(map_, [map_], epsilon), rel=1e-4)


@pytest.mark.parametrize("zones", [(CENTRE,), CORNERS, (Rectangle(0, 0, 2000, 100), Rectangle(800, 900, 300, 700))])
@pytest.mark.parametrize("epsilon", [1, 5, 10, 20])
def test_no_other_side_is_better_for_zones_that_do_not_grow(zones: tuple[Rectangle, ...], epsilon: float) -> None:
    """The root of the equation against the closed errors (12) and (13) on a grid of sides."""
    narrowest = min(zone.narrowest for zone in zones)
    best = SquareMechanism(MAP, zones, epsilon, best_side(MAP, zones, epsilon)).error

    others = [SquareMechanism(MAP, zones, epsilon, side).error for side in np.linspace(narrowest / 500, narrowest, 500)]
    assert best <= min(others) * (1 + 1e-12)


def test_zones_that_cover_the_map_are_the_square_mechanism() -> None:
    """With A = D, in every figure and in the reports themselves; also where the zone was drawn beyond the map."""
    square = square_mechanism(MAP, 3)
    zones = zone_mechanism(MAP, [Rectangle(-500, -1, 4000, 4000)], 3)

    assert zones == square
    assert best_side(MAP, [MAP], 3) == square.side


def test_an_epsilon_so_small_that_the_square_reaches_the_shorter_side_is_as_good_as_a_blind_report() -> None:
    """On a long map the square grows with a smaller ε until it fills the short side, and then stays there."""
    map_ = Rectangle(0, 0, 1000, 100)
    sides = [square_mechanism(map_, epsilon).side for epsilon in (8, 4, 1, 0.001)]

    blind = (1000**2 + 100**2) / 6
    assert 0 < sides[0] < 100
    assert sides[2:] == [100, 100]
    assert 0.998 * blind < square_mechanism(map_, 0.001).error < blind


@pytest.mark.parametrize("mechanism", [square_mechanism(MAP, 2), zone_mechanism(MAP, CORNERS, 4, 300)])
def test_squares_stay_inside_at_borders_and_corners(mechanism: SquareMechanism) -> None:
    """A place on the border belongs to its zone, and its square touches the border."""
    corner, zone = mechanism.corners(np.array([[0.0, 0.0], [2000.0, 2000.0], [0.0, 1999.5]]))

    side = mechanism.side
    assert (zone >= 0).all()
    assert corner.tolist() == [[0, 0], [2000 - side, 2000 - side], [0, 2000 - side]]


@pytest.mark.parametrize("zones", [(MAP,), (CENTRE,), CORNERS])
@pytest.mark.parametrize("epsilon", [1, 5, 10, 15, 20])
def test_the_errors_of_places_have_the_closed_means(zones: tuple[Rectangle, ...], epsilon: float) -> None:
    """Uniform places: within 4.5 standard errors, inside zones, outside, and over the map."""
    _compare_with_places(zones, epsilon, 20_000)


@pytest.mark.parametrize("mechanism", [square_mechanism(MAP, 2), zone_mechanism(MAP, [CENTRE], 3)])
def test_reports_drawn_by_their_densities_are_as_far_away_as_expected(mechanism: SquareMechanism) -> None:
    """Reports are drawn here point by point of a fine grid, from α, α e^ε and β, and from no other formula."""
    ticks = np.arange(5, 2000, 10.0)
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    in_zones = mechanism.corners(grid)[1] >= 0
    places = np.array([[700.0, 900.0], [520.0, 1480.0], [1990.0, 10.0]])

    expected = []
    for place in places:
        (corner,), (zone,) = mechanism.corners(place[np.newaxis])
        square = ((grid >= corner) & (grid <= corner + mechanism.side)).all(axis=1) & (zone >= 0)
        density = mechanism.alpha * np.where(square, math.exp(mechanism.epsilon), 1.0) * in_zones
        expected.append(float((density * ((grid - place) ** 2).sum(axis=1)).sum() * 10**2))

    assert mechanism.square_errors(places) == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("epsilon", [1, 5, 20])
def test_densities_differ_by_epsilon_at_most_and_sum_to_one(epsilon: float) -> None:
    """Corollary 1 in the numbers that make the densities: α e^ε over the square and α over the other zones."""
    mechanism = zone_mechanism(MAP, [CENTRE], epsilon)

    square = mechanism.side**2
    dense = mechanism.beta / square + (1 - mechanism.beta) / mechanism.sensitive
    assert dense == pytest.approx(mechanism.alpha * math.exp(epsilon), rel=1e-9)
    assert (1 - mechanism.beta) / mechanism.sensitive == pytest.approx(mechanism.alpha, rel=1e-6)


def test_zones_help_on_average_and_not_everybody() -> None:
    """Corollary 3 holds for the mean over the map, by (12) and (13); who is far from the zones may fare worse."""
    square = square_mechanism(MAP, 0.1)
    zones = zone_mechanism(MAP, [Rectangle(0, 0, 1000, 1000)], 0.1)
    far_corner = np.full((1, 2), 2000.0)

    assert zones.error < 0.9 * square.error
    assert zones.square_errors(far_corner)[0] > 1.2 * square.square_errors(far_corner)[0]


@pytest.mark.each
@pytest.mark.parametrize("epsilon", [0, -1, math.inf, math.nan, 701])
def test_an_epsilon_that_is_no_promise_or_beyond_floats_is_refused(epsilon: float) -> None:
    rule = "above 700 and protects nothing" if epsilon == 701 else "not a number above 0 and below infinity"
    assert refusal_of(lambda: square_mechanism(MAP, epsilon)) == f"epsilon: {epsilon} is {rule}."


def test_a_square_wider_than_a_zone_is_refused() -> None:
    assert (
        refusal_of(lambda: SquareMechanism(MAP, (CENTRE,), 2, 1001))
        == "side: 1001 is not above 0 and at most 1000, a zone's side."
    )


def _compare_with_places(zones: tuple[Rectangle, ...], epsilon: float, count: int) -> None:
    rng = np.random.default_rng(int(100 * epsilon) + len(zones))
    side = min(best_side(MAP, (MAP,), epsilon), min(zone.narrowest for zone in zones))
    mechanism = SquareMechanism(MAP, prepare_zones(zones, MAP, side), epsilon, side)
    places = rng.random((count, 2)) * 2000
    inside = mechanism.corners(places)[1] >= 0

    distances = mechanism.square_errors(places)

    parts = {
        "in zones": (distances[inside], mechanism.error_in_zones),
        "elsewhere": (distances[~inside], mechanism.error_elsewhere),
        "everywhere": (distances, mechanism.error),
    }
    for name, (errors, expected) in parts.items():
        if len(errors):
            assert abs(errors.mean() - expected) < 4.5 * errors.std() / math.sqrt(len(errors)), name


# The figures about places: sides and errors by ε, on cities that anybody can draw again.


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The part with fewer people, placements and values of ε, and with a third city in which people live anywhere."""
    folder = tmp_path_factory.mktemp("places")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "PEOPLE", 2000)
        patch.setattr(places, "PLACEMENTS", 3)
        patch.setattr(places, "EPSILONS", (5, 20))
        patch.setattr(places, "best_side_by_cobyla", lambda *_: 0.0)  # most of the time; a test of its own compares it
        patch.setitem(places.CITIES, "uniform", lambda rng: rng.uniform(0, places.SIDE, (2000, 2)))
        places.write(folder)
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_there_is_a_point_for_every_city_layout_mechanism_and_epsilon(folder: Path) -> None:
    table = rows(folder / "places.csv")

    assert len(table) == 3 * 9 * 3 * 2
    assert len(list(folder.glob("places-*.svg"))) == 3 * 9 + 1


def test_where_people_live_anywhere_the_simulation_is_the_closed_error(folder: Path) -> None:
    """Every point within 4.5 of its Monte Carlo errors."""
    for row in rows(folder / "places.csv"):
        if row["city"] == "uniform":
            apart = abs(float(row["squared_error"]) - float(row["expected_if_uniform"]))
            assert apart < 4.5 * float(row["se"]), row


def test_zones_have_the_smaller_error_in_every_city_and_layout(folder: Path) -> None:
    """The paper's finding, for the mean over people."""
    errors = {
        (row["city"], row["zones"], row["epsilon"], row["mechanism"]): float(row["squared_error"])
        for row in rows(folder / "places.csv")
    }

    for city, zones, epsilon, mechanism in errors:
        if mechanism != "square":
            assert errors[city, zones, epsilon, mechanism] < errors[city, zones, epsilon, "square"]


def test_the_side_falls_with_epsilon(folder: Path) -> None:
    """Figure 2: ε = 1 … 20."""
    table = rows(folder / "places-side.csv")
    sides = [float(row["side"]) for row in table]

    assert [int(row["epsilon"]) for row in table] == list(range(1, 21))
    assert sides == sorted(sides, reverse=True)


@pytest.mark.parametrize("name", places.CITIES)
def test_a_city_is_the_same_for_everybody_and_lies_on_the_map(name: str) -> None:
    once, again = (places.CITIES[name](np.random.default_rng(1)) for _ in range(2))

    assert (once == again).all()
    assert once.shape == (places.PEOPLE, 2)
    assert (once >= 0).all()
    assert (once <= places.SIDE).all()
