"""Rows of the paper on places."""

from fractions import Fraction
from itertools import pairwise, product
from math import exp, isclose

import numpy as np

from papers.places import CENTRE, CORNERS, MAP, POSITIONS, best_side_by_cobyla
from papers.rows.row import Row, Tables, claim
from papers.squares import best_side, square_mechanism, zone_mechanism
from privacy.design import Design
from privacy.guarantee import guarantee
from privacy.guarantee.channel import breach
from privacy.location.square_mechanism import CellMechanism, keep_of
from privacy.location.zones import Rectangle, prepare_zones

SIDES, FIVE = "python -m papers: places-side.csv", 5.0
LAYOUTS = {
    "figures 3 and 4: a zone in the centre": ["centre"],
    **{f"figure 5 ({letter}): one zone at the {name}": [name] for letter, name in zip("abcd", POSITIONS, strict=True)},
    "figure 6: 2, 4 and 6 random zones": ["2-random", "4-random", "6-random"],
}


def _zones_win(tables: Tables, *layouts: str) -> str:
    errors = {
        (row["city"], row["zones"], row["epsilon"], row["mechanism"]): float(row["squared_error"])
        for row in tables("places")
        if row["zones"] in layouts
    }
    least = [errors[*key[:3], "zones, the paper's side"] < errors[key] for key in errors if key[3] == "square"]
    return claim(bool(least) and all(least), "zones err less at every ε")


def _best_sides() -> list[float]:
    return [best_side(MAP, [MAP], epsilon) for epsilon in range(1, 21)]


def _ratio_of_densities() -> float:
    """By how much the chance of one cell of a design differs between two places, at most."""
    home = {"id": "home", "width": 2000, "height": 2000, "cell": 100}
    design = Design.parse({"blocks": [{"place": "square", "epsilon": FIVE, "items": [home]}]})
    return float(design.gamma)


def _epsilon_of_track() -> float:
    """The ε of four places of one person, 2 each: blocks of one design."""
    homes = [{"id": f"home{index}", "width": 2000, "height": 2000, "cell": 100} for index in range(4)]
    blocks = [{"place": "square", "epsilon": 2, "items": [home]} for home in homes]
    return float(guarantee(Design.parse({"blocks": blocks})).epsilon)


def _epsilons_of_levels() -> str:
    """The ε of a place in each of two zones against any other place: minimum identification."""
    home = {"id": "home", "width": 2000, "height": 2000, "cell": 100}
    zones = [[200, 200, 600, 600, 3], [1200, 1200, 600, 600, 5]]
    design = Design.parse({"blocks": [{"place": "zones", "epsilon": FIVE, "zones": zones, "items": [home]}]})
    (block,) = guarantee(design).to_json()["blocks"]
    return " and ".join(f"{epsilon:.3f}" for epsilon in block["epsilon_zones"])


def _obeys_corollary_2() -> bool:
    """A place outside the zones is reported as itself, or from the zones, and so never as another place outside."""
    mechanism = CellMechanism(20, 20, (Rectangle(5, 5, 10, 10),), 3, 3 << 30)
    sent = [(x, y) for x in range(20) for y in range(20) if mechanism.chance((1, 1), (x, y))]
    return {*sent} == {(1, 1), *((x, y) for x in range(5, 15) for y in range(5, 15))}


_CORNER, _EDGE = np.array([[0.0, 0.0]]), np.array([[CENTRE[0].left + 1, CENTRE[0].bottom + 1]])


def _errors_by_width() -> list[float]:
    """The error by the width of one zone in the centre, up to that of the map."""
    widths = (700, 1000, 1500, MAP.width)
    zones = [Rectangle((MAP.width - width) / 2, (MAP.height - width) / 2, width, width) for width in widths]
    return [zone_mechanism(MAP, [zone], FIVE).error for zone in zones]


def _odds_of_report() -> float:
    """By how much the chance of a report from a zone differs between any two places of a small map, at most."""
    zone = Rectangle(2, 2, 4, 4)
    mechanism = CellMechanism(8, 8, (zone,), 2, keep_of(Fraction(5), 16, 2))
    places, sent = list(product(range(8), range(8))), list(product(range(2, 6), range(2, 6)))
    chances = [[mechanism.chance(place, cell) for place in places] for cell in sent]
    return float(max(max(chance) / min(chance) for chance in chances))


PLACES = [
    Row(
        "2023", "definition 1, (3): the ratio of two densities at ε = 5", "candor guarantee",
        lambda _: claim(_ratio_of_densities() <= exp(FIVE) * (1 + 1e-12), "at most e^ε"), "at most e^ε",
    ),
    Row("2023", "(6): the squared error at ε = 5", SIDES, lambda _: f"{square_mechanism(MAP, FIVE).error:.0f}"),
    Row(
        "2023", "(7): the best side by COBYLA and by a root, ε = 5", SIDES,
        lambda _: f"{best_side_by_cobyla(MAP, FIVE):.2f}, {best_side(MAP, [MAP], FIVE):.2f}",
    ),
    Row(
        "2023", "figure 2: w by ε", SIDES,
        lambda _: claim(all(later < earlier for earlier, later in pairwise(_best_sides())), "falls"), "falls",
    ),
    Row(
        "2023", "(8), (9): the chances of a place in a zone sum to 1", "candor guarantee",
        lambda _: claim(
            isclose(
                (one := zone_mechanism(MAP, CENTRE, FIVE)).alpha * (one.sensitive + (exp(FIVE) - 1) * one.side**2), 1
            ), "1"
        ), "1",
    ),
    Row(
        "2023", "(10): the chance that a place outside is sent as it is, ε = 5", "candor guarantee",
        lambda _: f"{zone_mechanism(MAP, CENTRE, FIVE).beta:.3f}",
    ),
    Row(
        "2023", "(12), (13): the error in zones and elsewhere, ε = 5", "candor guarantee",
        lambda _: f"{(one := zone_mechanism(MAP, CENTRE, FIVE)).error_in_zones:.0f}, {one.error_elsewhere:.0f}",
    ),
    Row(
        "2023", "definition 2, 1), corollary 2: outside, only the place itself is sent, or one in a zone",
        "candor disguise",
        lambda _: claim(_obeys_corollary_2(), "so"), "so",
    ),
    Row(
        "2023", "corollary 3: zones err less than one square, four corners, ε = 5", SIDES,
        lambda _: claim(zone_mechanism(MAP, CORNERS, FIVE).error < square_mechanism(MAP, FIVE).error, "less"), "less",
        why="the same on average over places; not for each place, which the proof does not show",
    ),
    *(
        Row(
            "2023", name, "candor places FILE" if len(layouts) == 1 else "python -m papers: places.csv",
            lambda tables, layouts=layouts: _zones_win(tables, *layouts), "zones err less at every ε",  # type: ignore[misc]
            why="the same finding, on two made-up cities: the paper's data cannot be passed on", reads=True,
        )
        for name, layouts in LAYOUTS.items()
    ),
    Row("2023", "outlook: two levels of zones, ε = 3 and 5", "candor guarantee", lambda _: _epsilons_of_levels()),
    Row(
        "2023", "outlook: ε of a track of four places, 2 each", "candor places --track 4",
        lambda _: f"{_epsilon_of_track():.3f}",
    ),
    Row(
        "2023", "definition 2: ε of a channel whose third input, which is plain, may show itself",
        "candor breach CHANNEL --plain",
        lambda _: f"{breach([[0.6, 0.4, 0], [0.4, 0.6, 0], [0.4, 0.4, 0.2]], plain=['2']).uldp:.4f}, which is ln 1.5",
    ),
    Row(
        "2023", "definition 2, 2), corollary 1, (11): odds of a report from a zone, over all places",
        "candor guarantee",
        lambda _: claim(_odds_of_report() <= exp(FIVE), "at most e^ε"), "at most e^ε",
    ),
    Row(
        "2023", "(2): the square of a place in the corner of the map", SIDES,
        lambda _: claim(not square_mechanism(MAP, FIVE).corners(_CORNER)[0].any(), "within the map"), "within the map",
    ),
    Row(
        "2023", "(8), figure 1: the square of a place at the edge of a zone", SIDES,
        lambda _: claim(
            zone_mechanism(MAP, CENTRE, FIVE).corners(_EDGE)[0].tolist() == [[CENTRE[0].left, CENTRE[0].bottom]],
            "within the zone",
        ), "within the zone",
    ),
    Row(
        "2023", "(4), (5): the squared error in a corner and in the middle, ε = 5", SIDES,
        lambda _: ", ".join(
            f"{error:.0f}" for error in square_mechanism(MAP, FIVE).square_errors(np.vstack([_CORNER, _CORNER + 1000]))
        ),
    ),
    Row(
        "2023", "step 1: a zone of 100 where the square has 300", SIDES,
        lambda _: f"grows to {prepare_zones([Rectangle(900, 900, 100, 100)], MAP, 300)[0].narrowest:.0f}",
    ),
    Row(
        "2023", "corollary 3: the error of a wider zone", SIDES,
        lambda _: claim(all(one < other for one, other in pairwise(_errors_by_width())), "grows"), "grows",
    ),
    Row(
        "2023", "corollary 3: a zone that is the map, against one square", SIDES,
        lambda _: claim(isclose(_errors_by_width()[-1], square_mechanism(MAP, FIVE).error), "the same"), "the same",
    ),
]  # fmt: skip
