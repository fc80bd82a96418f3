"""Places: the side of the square by ε, and the squared error of reports with and without sensitive zones.

The experiments of the paper on the utility-optimised square mechanism (2023): figure 2, and figures 3 to 6 on two
synthetic cities, because the paper's own data cannot be passed on. The map is 2 000 × 2 000. Zones are a central square
of half the side, a square of a quarter of the side in each corner, and 2, 4 or 6 random squares of an eighth of it,
ten times; and for figure 5 one zone of half the side in each of four positions. Three mechanisms: the square mechanism,
zones with its side as in the paper, and zones with the side that is best for them.

*The cities.* Both have 20 000 people, drawn again for each placement of zones, one in ten of them anywhere. In the
compact city six in ten of the others live around the centre (normal, standard deviation 160) and four in ten in its
suburbs (480). In the scattered one the others live in eight towns: the k-th has a share of 1/k before shares are made
to sum to 1, its place is uniform over the middle four fifths of the map along each axis, and its standard deviation
lies between 60 and 120. Who falls outside the map is drawn again.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from papers import about, write_chart, write_table
from papers.squares import SquareMechanism, best_side, square_mechanism, zone_mechanism
from privacy.arrays import Floats
from privacy.draw.chart import Axis, Line, chart
from privacy.location import Rectangle
from privacy.location.points import usual_zones

TITLE = "Places: the side of the square by ε, and its error with and without sensitive zones in two synthetic cities"
ABOUT = about("places")

SEED = 2023
PEOPLE = 20_000
PLACEMENTS = 10
SIDE = 2000.0
MAP = Rectangle(0, 0, SIDE, SIDE)
CENTRE = [Rectangle(SIDE / 4, SIDE / 4, SIDE / 2, SIDE / 2)]
CORNERS = [Rectangle(x, y, SIDE / 4, SIDE / 4) for x, y in product((0, SIDE * 3 / 4), repeat=2)]
POSITIONS = {name: list(zones) for name, zones in usual_zones(MAP).items() if name != "centre"}
EPSILONS = range(5, 21)
MECHANISMS = ("square", "zones, the paper's side", "zones, their best side")


def compact_city(rng: np.random.Generator) -> Floats:
    """One centre with its suburbs."""
    spreads = np.where(rng.random(PEOPLE) < 0.6, 160, 480)
    return _draw_homes(rng, np.full((PEOPLE, 2), SIDE / 2), spreads)


def city_of_towns(rng: np.random.Generator) -> Floats:
    """Eight towns of unequal size."""
    towns, spreads = rng.uniform(0.1 * SIDE, 0.9 * SIDE, (8, 2)), rng.uniform(60, 120, 8)
    sizes = 1 / np.arange(1, 9)
    town = rng.choice(8, PEOPLE, p=sizes / sizes.sum())
    return _draw_homes(rng, towns[town], spreads[town])


CITIES = {"compact": compact_city, "scattered": city_of_towns}


def random_zones(count: int, rng: np.random.Generator) -> list[Rectangle]:
    """Squares of an eighth of the side, anywhere on the map; two that overlap become one."""
    corners = rng.uniform(0, SIDE * 7 / 8, (count, 2))
    return [Rectangle(x, y, SIDE / 8, SIDE / 8) for x, y in corners.tolist()]


def write(folder: Path) -> None:
    _write_sides(folder)
    rows: list[list[object]] = []
    for number, (city, people) in enumerate(CITIES.items()):
        rng = np.random.default_rng([SEED, number])
        layouts = {"centre": [CENTRE], "corners": [CORNERS]} | {name: [zones] for name, zones in POSITIONS.items()}
        layouts |= {f"{n}-random": [random_zones(n, rng) for _ in range(PLACEMENTS)] for n in (2, 4, 6)}
        for name, placements in layouts.items():
            measured = list(_errors([people(rng) for _ in placements], placements))
            rows += [[city, name, *row] for row in measured]
            write_chart(folder / f"places-{city}-{name.replace(' ', '-')}.svg", _chart(city, name, measured))
    headings = ["city", "zones", "epsilon", "mechanism", "squared_error", "se", "expected_if_uniform"]
    write_table(folder / "places.csv", headings, rows)


def _write_sides(folder: Path) -> None:
    """Figure 2, with d = 1 000, half the side of the map."""
    epsilons = list(range(1, 21))
    roots = [best_side(MAP, [MAP], epsilon) for epsilon in epsilons]
    cobyla = [best_side_by_cobyla(MAP, epsilon) for epsilon in epsilons]
    centre = [best_side(MAP, CENTRE, epsilon) for epsilon in epsilons]
    errors = [square_mechanism(MAP, epsilon).error for epsilon in epsilons]
    headings = ["epsilon", "side", "side_by_cobyla", "squared_error", "side_for_a_central_zone"]
    write_table(folder / "places-side.csv", headings, zip(epsilons, roots, cobyla, errors, centre, strict=True))
    write_chart(
        folder / "places-side.svg",
        chart(
            "The best side of the square by ε, d = 1 000",
            [
                Line("square mechanism", epsilons, roots, markers=True),
                Line("zones: a central square of 1 000", epsilons, centre, markers=True),
            ],
            Axis("ε"),
            Axis("side w", low=0.0),
            description="; ".join(f"ε {e}: {root:.4g}" for e, root in zip(epsilons, roots, strict=True)),
        ),
    )


def best_side_by_cobyla(map_: Rectangle, epsilon: float) -> float:
    """The best side of the square mechanism by the paper's method: COBYLA on the expected error, within its bounds."""
    widest = map_.narrowest
    scale = SquareMechanism(map_, (map_,), epsilon, widest).error

    def error(share: Floats) -> float:
        side = float(np.clip(share[0], 1e-9, 1)) * widest
        return SquareMechanism(map_, (map_,), epsilon, side).error / scale

    optimum = minimize(error, np.array([0.5]), method="COBYLA", bounds=[(0.0, 1.0)], tol=1e-10)
    return float(np.clip(optimum.x[0], 0, 1)) * widest


def _errors(
    places: Sequence[Floats], placements: Sequence[Sequence[Rectangle]]
) -> Iterator[tuple[int, str, float, float, float]]:
    """ε, mechanism, expected squared error over people and placements, its error by who was drawn, that of uniform
    places."""
    for epsilon in EPSILONS:
        square = square_mechanism(MAP, epsilon)
        for name, mechanisms in zip(
            MECHANISMS,
            (
                [square for _ in placements],
                [zone_mechanism(MAP, zones, epsilon, square.side) for zones in placements],
                [zone_mechanism(MAP, zones, epsilon, best_side(MAP, zones, epsilon)) for zones in placements],
            ),
            strict=True,
        ):
            squares = [mechanism.square_errors(place) for mechanism, place in zip(mechanisms, places, strict=True)]
            means = [errors.mean() for errors in squares]
            variance = sum(errors.var(ddof=1) / len(errors) for errors in squares) / len(squares) ** 2
            uniform = float(np.mean([mechanism.error for mechanism in mechanisms]))
            yield epsilon, name, float(np.mean(means)), sqrt(variance), uniform


def _chart(city: str, zones: str, rows: list[tuple[int, str, float, float, float]]) -> str:
    lines = []
    for name in MECHANISMS:
        own = [row for row in rows if row[1] == name]
        epsilon, mean, se = [row[0] for row in own], [row[2] for row in own], [row[3] for row in own]
        low = [value - 1.96 * error for value, error in zip(mean, se, strict=True)]
        high = [value + 1.96 * error for value, error in zip(mean, se, strict=True)]
        lines.append(Line(name, epsilon, mean, low, high, markers=True))
    said = {"centre": "a zone in the centre", "corners": "zones in the corners"}
    said |= {name: f"a zone at the {name}" for name in POSITIONS}
    return chart(
        f"Squared error by ε in the {city} city: {said.get(zones, zones.replace('-', ' ') + ' zones')}",
        lines,
        Axis("ε"),
        Axis("mean squared error", log=True),
        description=f"{PEOPLE} people; each point with the 95 % band of drawing them; the table has every figure.",
    )


def _draw_homes(rng: np.random.Generator, centres: Floats, spreads: Floats) -> Floats:
    """A place for each person, normal about the centre; one in ten lives anywhere."""
    places = rng.normal(centres, spreads[:, np.newaxis])
    anywhere = rng.random(PEOPLE) < 0.1
    places[anywhere] = rng.uniform(0, SIDE, (int(anywhere.sum()), 2))
    while (outside := ((places < 0) | (places > SIDE)).any(axis=1)).any():
        places[outside] = rng.normal(centres[outside], spreads[outside, np.newaxis])
    return places
