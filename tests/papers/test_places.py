"""The figures about places: sides and errors by ε, on cities that anybody can draw again."""

import csv
from pathlib import Path

import numpy as np
import pytest

from papers import places
from papers.squares import best_side
from tests.cases import first


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


@pytest.mark.parametrize("epsilon", first(3, [1, 10, 20, *range(2, 10), *range(11, 20)]))
def test_the_method_of_the_paper_finds_the_same_side(epsilon: int) -> None:
    """COBYLA, in figure 2."""
    best = best_side(places.MAP, [places.MAP], epsilon)

    assert places.best_side_by_cobyla(places.MAP, epsilon) == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("name", places.CITIES)
def test_a_city_is_the_same_for_everybody_and_lies_on_the_map(name: str) -> None:
    once, again = (places.CITIES[name](np.random.default_rng(1)) for _ in range(2))

    assert (once == again).all()
    assert once.shape == (places.PEOPLE, 2)
    assert (once >= 0).all()
    assert (once <= places.SIDE).all()
