"""Places from the command line: guarantee, disguise and distribution, as the formats say."""

import json
from pathlib import Path
from typing import Any

import pytest

from candor.commands import main
from tests.commands import Shell

DESIGN: dict[str, Any] = {
    "candor": 1,
    "direct": True,
    "blocks": [
        {"place": "square", "epsilon": 2, "items": [{"id": "home", "width": 100, "height": 80, "cell": 5}]},
        {
            "place": "zones",
            "epsilon": 2,
            "zones": [[40, 30, 20, 20]],
            "items": [{"id": "work", "width": 100, "height": 80, "cell": 5}],
        },
    ],
}


@pytest.fixture
def design(tmp_path: Path) -> str:
    path = tmp_path / "design.json"
    path.write_text(json.dumps(DESIGN))
    return str(path)


@pytest.fixture
def records(design: str, tmp_path: Path) -> str:
    """2 000 people at two places each: at home in the left half, at work in the zone or in a corner."""
    answers = tmp_path / "answers.csv"
    rows = [f"{place % 10}:{place % 16},{'9:7' if place % 4 else '19:15'}" for place in range(2000)]
    answers.write_text("home,work\n" + "\n".join(rows) + "\n")
    out = str(tmp_path / "records.csv")
    assert main(["disguise", str(answers), design, "-o", out, "--seed", "1", "--direct-share", "0.1"]) == 0
    return out


def test_the_table_of_a_guarantee_says_what_zones_do_not_protect(design: str, shell: Shell) -> None:
    assert "Outside its zones a place is not protected" in shell.out("guarantee", design)


@pytest.mark.long
def test_the_distribution_of_a_place_has_rows_from_the_bottom(records: str, design: str, shell: Shell) -> None:
    """Shares and errors by row and column, edges in the units of the item, and no zones where there are none."""
    (distribution,) = shell.json("reconstruct", records, design, "--distribution", "home", "--grid", "2x4", "--json")[
        "distributions"
    ]
    assert distribution.keys() == {"item", "edges", "shares", "se"}
    assert distribution["edges"] == {"x": [0, 50, 100], "y": [0, 20, 40, 60, 80]}
    assert [len(distribution["shares"]), *map(len, distribution["shares"])] == [4, 2, 2, 2, 2]
    assert sum(map(sum, distribution["shares"])) == pytest.approx(1)
    left = sum(row[0] for row in distribution["shares"])
    assert left > 0.8


def test_the_share_of_each_zone_comes_with_its_error(records: str, design: str, shell: Shell) -> None:
    """Three of four people work in the zone."""
    (distribution,) = shell.json("reconstruct", records, design, "--distribution", "work", "--grid", "4x4", "--json")[
        "distributions"
    ]
    zone, elsewhere = distribution["zones"]
    assert (zone["zone"], elsewhere["zone"]) == ([40, 30, 20, 20], "elsewhere")
    assert abs(zone["share"] - 0.75) < 4.5 * zone["se"]
    assert zone["share"] + elsewhere["share"] == pytest.approx(1)
    assert 0 < zone["se"] < 0.02


def test_bins_and_grid_each_go_to_the_items_of_as_many_scales(tmp_path: Path, shell: Shell) -> None:
    """A number takes --bins, a place --grid, in one call of both."""
    number = {"number": "square-wave", "epsilon": 2, "items": [{"id": "drinks", "min": 0, "max": 9, "step": 1}]}
    design, records = tmp_path / "both.json", tmp_path / "both.csv"
    design.write_text(json.dumps({"candor": 1, "direct": False, "blocks": [DESIGN["blocks"][0], number]}))
    records.write_text("direct,home,drinks\n" + "".join(f"0,{n % 20}:{n % 16},{n % 10}\n" for n in range(60)))
    wanted = ["--distribution", "home", "--distribution", "drinks", "--bins", "5", "--grid", "2x4"]

    home, drinks = shell.json("reconstruct", str(records), str(design), *wanted, "--json")["distributions"]
    assert [len(home["shares"]), len(home["shares"][0]), len(drinks["shares"])] == [4, 2, 5]


def test_people_read_a_table_of_bins_and_the_zones(records: str, design: str, shell: Shell) -> None:
    said = shell.out("reconstruct", records, design, "--distribution", "work", "--grid", "2x2")
    assert "x from  x below  y from  y below" in said
    assert "zone 40, 30, 20 × 20: " in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["table", "--items", "home,work"],
        ["table", "--items", "home", "--estimator", "pooled"],
        ["reconstruct", "--pattern", "home"],
        ["compare", "--figure", "home => work", "--later", "RECORDS", "DESIGN"],
        ["regress", "--outcome", "work", "--on", "home"],
        ["careless", "--anchor", "home:0.3"],
    ],
    ids=" ".join,
)
def test_every_command_that_needs_options_refuses_a_place_in_one_line(
    records: str, design: str, arguments: list[str], shell: Shell
) -> None:
    name, *options = [{"RECORDS": records, "DESIGN": design}.get(word, word) for word in arguments]

    error = shell.refusal(name, records, design, *options)
    assert error.endswith("'home' lies on a grid and has no options to match; ask for its distribution.\n")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--distribution", "home", "--bins", "4"], "'home' is a place: it has a grid of columns and rows"),
        (["--distribution", "home", "--grid", "4"], "--grid: '4' is not columns x rows, such as 16x16."),
        (["--distribution", "home", "--grid", "40x4"], "grid: 40 of 'home' is outside 1 to 20."),
        (["--distribution", "home", "--above", "1"], "'home' is a place; only numbers can be compared."),
        (["--pattern", "home=1:1"], "home"),
    ],
)
def test_what_a_place_has_not_is_refused_in_one_line(
    records: str, design: str, arguments: list[str], sentence: str, shell: Shell
) -> None:
    error = shell.refusal("reconstruct", records, design, *arguments)
    assert sentence in error
    assert error.count("\n") == 1


def test_the_smallest_map_holds_all_places(tmp_path: Path, shell: Shell) -> None:
    """Half as many cells to the north, and a bit of one: without a map nobody lies outside it."""
    (tmp_path / "places.csv").write_text("x,y\n0,0\n7,4\n3,2\n")

    assert shell.out("places", str(tmp_path / "places.csv"), "--epsilons", "8", "--cell", "1.6").startswith(
        "3 places, in cells of 1.6"
    )
