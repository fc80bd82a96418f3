"""The errors of places in a file are those of the mechanism, counted cell by cell, and the paper's without cells."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import candor
from candor.commands import main
from papers.places import MAP
from papers.squares import square_mechanism, zone_mechanism
from privacy.errors import InputError
from privacy.location import CellMechanism, Rectangle
from privacy.location.points import square_errors, usual_zones
from tests.commands import Shell

COLUMNS, ROWS = 7, 5
ZONES = (Rectangle(0, 1, 3, 4), Rectangle(4, 0, 3, 2))


def test_the_error_of_each_place_is_the_sum_over_all_that_may_be_sent() -> None:
    """By brute force over the exact chances of every cell, with a side that is odd and one that is even."""
    places = np.array(list(product(range(COLUMNS), range(ROWS))))
    levels = ((2**30, 7), (3 * 2**30, 4))
    for zones, side in ((ZONES, 2), ((Rectangle(0, 0, COLUMNS, ROWS),), 3)):
        mechanism = CellMechanism(COLUMNS, ROWS, zones, side, 3 * 2**30, levels if zones is ZONES else ())

        found = square_errors(mechanism, places[:, 0], places[:, 1])

        counted = [
            float(
                sum(
                    mechanism.chance((x, y), (a, b)) * ((a - x) ** 2 + (b - y) ** 2)
                    for a, b in product(range(COLUMNS), range(ROWS))
                )
            )
            for x, y in places.tolist()
        ]
        assert found.tolist() == pytest.approx(counted)
        assert found.mean() == pytest.approx(float(mechanism.error))


def test_a_fine_grid_of_places_has_the_errors_of_the_paper() -> None:
    """ε = 5 on 2 000 × 2 000, places everywhere: the closed errors (6), (12) and (13), up to the cells."""
    steps = np.arange(5, 2000, 10.0)
    x, y = (axis.ravel() for axis in np.meshgrid(steps, steps))
    table = candor.places(pd.DataFrame({"x": x, "y": y}), map="0,0,2000,2000", epsilons=[5]).to_frame()

    assert table["zones"].tolist() == ["centre", "bottom left", "top left", "bottom right", "top right"]
    for row, zones in zip(table.itertuples(), usual_zones(MAP).values(), strict=True):
        square = square_mechanism(MAP, 5)
        assert row.square == pytest.approx(square.error, rel=0.01)
        assert row.with_zones == pytest.approx(zone_mechanism(MAP, zones, 5, square.side).error, rel=0.02)
        assert row.with_zones < row.square


def test_a_track_has_an_epsilon_for_each_place_or_one_for_all(tmp_path: Path, shell: Shell) -> None:
    """Of 4 places with ε = 8: 8 for each is 32 together, 2 for each is 8; γ of four blocks says the same."""
    frame = pd.DataFrame({"x": [1.5, 5.5, 8.5], "y": [1.5, 5.5, 8.5]})
    frame.to_csv(tmp_path / "places.csv", index=False)
    command = ["places", str(tmp_path / "places.csv"), "--map", "0,0,10,10", "--cell", "1", "--zone", "2,2,8,8"]

    whole, divided = shell.json(*command, "--epsilon", "8", "--track", "4", "--json")["errors"]

    assert [(row["epsilon"], row["together"]) for row in (whole, divided)] == [(8, 32), (2, 8)]
    for row in (whole, divided):
        (alone,) = candor.places(
            frame, map="0,0,10,10", cell=1, epsilons=[row["epsilon"]], zones=["2,2,8,8"]
        ).to_json()["errors"]
        assert alone == {name: value for name, value in row.items() if name != "together"}
        homes = [{"id": f"home{n}", "width": 10, "height": 10, "cell": 1} for n in range(4)]
        blocks = [{"place": "square", "epsilon": row["epsilon"], "items": [home]} for home in homes]
        epsilon = candor.guarantee(candor.Design.parse({"blocks": blocks})).epsilon
        assert row["together"] - 1e-6 < float(epsilon) <= row["together"]
    assert whole["with_zones"] < divided["with_zones"]


def test_a_zone_of_its_own_level_is_reported_as_its_design_says(tmp_path: Path, shell: Shell) -> None:
    """One place in each of 12 by 12 cells: errors are those of the guarantee; a larger ε of a zone is refused."""
    middles = np.arange(12) + 0.5
    x, y = (axis.ravel() for axis in np.meshgrid(middles, middles))
    pd.DataFrame({"x": x, "y": y}).to_csv(tmp_path / "places.csv", index=False)
    command = ["places", str(tmp_path / "places.csv"), "--map", "0,0,12,12", "--cell", "1", "--epsilon", "3", "--json"]
    home = {"id": "home", "width": 12, "height": 12, "cell": 1}
    errors = []
    for own in ("2", "3"):
        errors.append(shell.json(*command, "--zone", f"0,0,4,4,{own}", "--zone", "5,5,11,11")["errors"][0])
    zones = [[0, 0, 4, 4, 2], [5, 5, 6, 6]]
    levels, plain = (
        candor.Design.parse(
            {"blocks": [{"place": "zones", "epsilon": 3, "zones": [zone[:most] for zone in zones], "items": [home]}]}
        )
        for most in (5, 4)
    )

    best = [error["with_their_best_side"] for error in errors]
    assert best[0] == pytest.approx(candor.guarantee(levels).to_json()["blocks"][0]["expected_squared_error"])
    assert best[1] == pytest.approx(candor.guarantee(plain).to_json()["blocks"][0]["expected_squared_error"])
    assert main([*command, "--zone", "0,0,4,4,9"]) == 2


def test_the_command_reads_coordinates_in_degrees(tmp_path: Path, shell: Shell) -> None:
    """A map of .01 by .01 degrees at the equator is 1 113.2 metres wide: the same as a planar one of this size."""
    degrees = pd.DataFrame({"lon": [0.001, 0.005, 0.009], "lat": [-0.004, 0.0, 0.004]})
    degrees.to_csv(tmp_path / "degrees.csv", index=False)
    zone = {"lon": (0.002, 0.006), "lat": (-0.003, 0.001)}
    corners = ",".join(str(zone[name][end]) for end in (0, 1) for name in ("lon", "lat"))
    command = ["places", str(tmp_path / "degrees.csv"), "--columns", "lon,lat", "--map", "0,-0.005,0.01,0.005"]

    (found,) = shell.json(
        *command, "--crs", "EPSG:4326", "--cell", "55.66", "--epsilon", "5", "--zone", corners, "--json"
    )["errors"]

    metres = pd.DataFrame({"x": degrees["lon"] * 111_320, "y": (degrees["lat"] + 0.005) * 111_320})
    flat = ",".join(str(value * 111_320) for value in (0.002, 0.002, 0.006, 0.006))
    planar = candor.places(metres, map="0,0,1113.2,1113.2", cell=55.66, epsilons=[Fraction(5)], zones=[flat])
    (expected,) = planar.to_json()["errors"]
    assert (found.pop("zones"), expected.pop("zones")) == ("yours", "yours")
    assert found == pytest.approx(expected, rel=1e-4)


def test_a_place_beyond_the_edge_is_outside_however_near() -> None:
    """The far edges are on the map; less than a cell beyond them is not."""
    corner = pd.DataFrame({"x": [10.0], "y": [8.0]})

    assert candor.places(corner, map="0,0,10,8", cell=1, epsilons=[5]).points == 1
    for beyond in ({"x": [10.5]}, {"y": [8.001]}, {"x": [-0.001]}):
        with pytest.raises(InputError, match="1 place of 1 lie outside the map"):
            candor.places(corner.assign(**beyond), map="0,0,10,8", cell=1, epsilons=[5])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"map": "0,0,10"}, "map: '0,0,10' is not left,bottom,right,top."),
        ({"map": "5,0,1,10"}, "map: 5,0,1,10 is not left, bottom, right, top."),
        ({"map": "a.geojson"}, "map: 'a.geojson' is not left,bottom,right,top."),
        ({"crs": "EPSG:1"}, "crs: 'EPSG:1' is not one of planar, EPSG:4326."),
        ({"epsilons": [0]}, "epsilons: '0' is not above 0 and up to 700."),
        ({"columns": ["x"]}, "columns: 1 are named; a place has two coordinates."),
        ({"columns": ["x", "z"]}, "The table has no column 'z'."),
        ({"track": 0}, "track: 0 is not from 1 to 1000 places."),
        ({"cell": 0.0}, "cell: 0.0 is not above 0."),
        ({"zones": ["0,0,5,5,0"]}, "zones: '0' is not above 0 and up to 700."),
    ],
)
def test_what_is_no_map_is_refused(options: dict[str, object], sentence: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError) as refused:
        candor.places(pd.DataFrame({"x": [1.0, 9.0], "y": [1.0, 9.0]}), **({"map": "0,0,10,10"} | options))  # type: ignore[arg-type]

    assert str(refused.value) == sentence


def test_places_are_disguised_and_found_again_in_their_own_coordinates(tmp_path: Path, shell: Shell) -> None:
    """Two of three live in the west of a map in degrees: so say the shares of the bins, whose edges are longitudes."""
    home = {"id": "home", "width": 1200, "height": 1200, "cell": 100}
    zones = {"place": "zones", "epsilon": 12, "zones": [[0, 0, 600, 1200]], "items": [home]}
    (tmp_path / "design.json").write_text(json.dumps({"candor": 1, "blocks": [zones]}))
    random = np.random.default_rng(5)
    lon = np.where(np.arange(3000) % 3 > 0, random.uniform(8.5, 8.55, 3000), random.uniform(8.55, 8.6, 3000))
    pd.DataFrame({"lon": lon, "lat": random.uniform(0, 0.1, 3000)}).to_csv(tmp_path / "people.csv", index=False)
    answers, design, records = (str(tmp_path / name) for name in ("people.csv", "design.json", "records.csv"))
    own = ["--map", "8.5,0,8.6,0.1", "--crs", "EPSG:4326"]

    assert main(["disguise", answers, design, "-o", records, "--places", "home=lon,lat", *own, "--seed", "1"]) == 0
    (found,) = shell.json("reconstruct", records, design, "--distribution", "home", "--grid", "2x1", *own, "--json")[
        "distributions"
    ]

    assert found["edges"] == {"x": pytest.approx([8.5, 8.55, 8.6]), "y": pytest.approx([0, 0.1])}
    west = int((lon < 8.55).sum()) / 3000
    assert found["shares"] == [[pytest.approx(west, abs=0.005), pytest.approx(1 - west, abs=0.005)]]
    assert found["zones"][0]["zone"] == pytest.approx([8.5, 0, 0.05, 0.1])
    undisguised = candor.read_records(records, candor.read_design(design)).to_frame()["home"]
    cells = candor.cells(pd.DataFrame({"x": [8.5, 8.6], "y": [0, 0.1]}), candor.read_design(design), "home", map=own[1])
    assert cells == ["0:0", "11:11"]
    assert undisguised.str.fullmatch(r"\d+:\d+").all()


@pytest.mark.parametrize(
    ("added", "sentence"),
    [
        (["--places", "home=lon,lat"], "--places: give it together with --map."),
        (["--map", "0,0,1,1"], "--places: give it together with --map."),
        (
            ["--places", "home=lon,lat", "--map", "0,0,2,1"],
            "--map: it is 2 wide and 1 high; one of 12 x 12 cells has another shape.",
        ),
        (["--places", "home=lon,lat", "--map", "3,3,4,4"], "1 place of 1 lie outside the map."),
        (["--places", "home=lon,nowhere", "--map", "0,0,1,1"], "The table has no column 'nowhere'."),
    ],
)
def test_places_without_their_map_are_refused(added: list[str], sentence: str, tmp_path: Path, shell: Shell) -> None:
    """In one line, and nothing is written."""
    home = {"id": "home", "width": 12, "height": 12, "cell": 1}
    (tmp_path / "design.json").write_text(json.dumps({"blocks": [{"place": "square", "epsilon": 5, "items": [home]}]}))
    (tmp_path / "people.csv").write_text("lon,lat\n0.5,0.5\n")
    files = [str(tmp_path / name) for name in ("people.csv", "design.json")]

    assert (
        shell.refusal("disguise", *files, "-o", str(tmp_path / "out.csv"), *added) == f"candor disguise: {sentence}\n"
    )
    assert not (tmp_path / "out.csv").exists()
