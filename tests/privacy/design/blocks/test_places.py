"""Blocks with a place: how they are written, what they promise, and what is refused."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from privacy.design import Design
from privacy.errors import InputError
from privacy.guarantee import guarantee
from tests.cases import first
from tests.refusals import refusal_of

HOME = {"id": "home", "width": 1000, "height": 800, "cell": 1}
SQUARE: dict[str, Any] = {"place": "square", "epsilon": 2, "items": [HOME]}
ZONES: dict[str, Any] = {"place": "zones", "epsilon": 2, "zones": [[400, 300, 200, 200]], "items": [HOME]}


def design(block: dict[str, Any]) -> Design:
    return Design.parse({"candor": 1, "direct": True, "blocks": [block]})


def figures(block: dict[str, Any]) -> dict[str, Any]:
    return guarantee(design(block)).to_json()["blocks"][0]


def without(block: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in block.items() if key not in keys}


VARIANTS = {
    "square": SQUARE,
    "square with its side": {**SQUARE, "side": 300},
    "zones": ZONES,
    "zones that grow": {**ZONES, "side": 350, "zones": [[0, 0, 10, 10], [500, 100, 400, 400]]},
    "levels": {**ZONES, "zones": [[0, 0, 300, 300, 1.25], [500, 100, 400, 400]]},
    "levels with their side": {**ZONES, "side": 180, "zones": [[500, 100, 400, 400, 1.7], [0, 0, 300, 300, 2]]},
    "cells of 25": {**ZONES, "items": [{**HOME, "cell": 25}]},
    "half cells": {**ZONES, "epsilon": 0.75, "items": [{"id": "p", "width": 40, "height": 20.5, "cell": 0.5}]}
    | {"zones": [[1.3, 2.2, 4.1, 3]]},
}


@pytest.mark.parametrize("name", first(2, VARIANTS))
def test_a_place_is_read_back_as_it_was_written(name: str) -> None:
    """In decimals and in exact numerators, and its hash is that of the exact form."""
    read_back = design(VARIANTS[name])

    assert Design.parse(read_back.to_json()) == read_back
    assert Design.parse(read_back.canonical()) == read_back
    assert Design.parse(json.dumps(read_back.to_json())).sha256 == read_back.sha256


STORED = json.loads(Path(__file__).with_name("stored_places.json").read_text())


@pytest.mark.parametrize("name", STORED)
def test_designs_that_were_written_earlier_keep_their_bytes(name: str) -> None:
    """Of each shape: what a design with its side says in decimals, and what was published, is the same channel."""
    exact = STORED[name]["exact"]

    assert Design.parse(STORED[name]["written"]).canonical().decode() == exact
    assert Design.parse(exact).canonical().decode() == exact


def test_decimals_show_epsilon_as_it_was_asked_for_and_the_side_in_use() -> None:
    assert design(SQUARE).to_json()["blocks"] == [{**SQUARE, "side": 489}]
    assert design({**ZONES, "epsilon": 3.25}).to_json()["blocks"] == [{**ZONES, "epsilon": 3.25, "side": 200}]


def test_the_exact_form_holds_whole_cells_for_the_browser() -> None:
    blocks = design({**ZONES, "items": [{**HOME, "cell": 50}]}).document["blocks"]

    near = blocks[0]["near"]
    item = {**HOME, "cell": 50}
    assert blocks == [{"place": "zones", "near": near, "side": 4, "zones": [[8, 6, 4, 4]], "items": [item]}]
    assert 0 < near < 2**32


def test_records_hold_cells_counted_from_the_bottom_left() -> None:
    """x:y, from 0, of columns and rows, in as many bits as they need."""
    field = design({**SQUARE, "items": [{**HOME, "cell": 100}]}).fields[0]

    assert [field.text(code) for code in (0, 1, 8, field.size - 1)] == ["0:0", "0:1", "1:0", "9:7"]
    assert field.bits == 7


def test_the_guarantee_tells_the_side_and_the_expected_error() -> None:
    """For the square mechanism γ is the promise; for zones γ is infinite and the promise is that of the zones."""
    square, zones = figures(SQUARE), figures(ZONES)

    assert {key: square[key] for key in ("side", "asked")} == {"side": 489, "asked": 1}
    assert square["expected_squared_error"] == pytest.approx(134_485, rel=1e-5)
    assert 2 - 1e-6 < square["epsilon"] <= 2
    assert "merged" not in square
    assert (zones["gamma"], zones["side"], zones["merged"]) == ("Infinity", 200, [[400, 300, 200, 200]])
    assert zones["beta"] == pytest.approx(1 - math.exp(-2), abs=1e-6)
    assert 2 - 1e-6 < zones["epsilon_sensitive"] <= 2
    assert zones["odds"] == pytest.approx(math.exp(zones["epsilon_sensitive"]))


def test_figures_are_in_the_units_of_the_item() -> None:
    """Ten metres a cell instead of one: the side ten times, the squared error a hundred times."""
    metres = [figures({**SQUARE, "items": [{"id": "home", "width": w, "height": h, "cell": c}]}) for w, h, c in _SCALES]

    assert metres[1]["side"] == 10 * metres[0]["side"]
    assert metres[1]["expected_squared_error"] == pytest.approx(100 * metres[0]["expected_squared_error"])


_SCALES = ((100, 80, 1), (1000, 800, 10))


def test_zones_that_cover_the_map_promise_what_the_square_mechanism_does() -> None:
    """With A = D γ is finite, and the channel is the same."""
    square, zones = design(SQUARE).blocks[0], design({**ZONES, "zones": [[0, 0, 1000, 800]]}).blocks[0]

    assert zones.mechanism == square.mechanism
    assert (zones.gamma, zones.odds) == (square.gamma, square.gamma)
    assert zones.kind.words.explain([zones])[0][1] == square.kind.words.explain([square])[0][1]


def test_zones_are_grown_and_joined_before_anything_is_sent() -> None:
    """Narrow ones grow to the side, those that overlap then become one, and borders move outward to whole cells."""
    grown = figures({**ZONES, "side": 100, "zones": [[0, 0, 10, 10], [90, 0, 100, 100], [700.5, 700, 100, 90]]})

    assert grown["merged"] == [[0, 0, 190, 100], [700, 695, 101, 100]]


def test_only_places_outside_the_zones_are_certain() -> None:
    block = design({**ZONES, "items": [{**HOME, "cell": 100}]}).blocks[0]
    codes = np.array([[0], [4 * 8 + 3], [5 * 8 + 4], [6 * 8 + 4]])

    assert block.certain(codes).tolist() == [True, False, False, True]


def test_a_survey_with_zones_is_judged_by_the_odds_of_a_place_in_them() -> None:
    """γ is infinite, but nothing leaks that should be protected; the odds multiply with those of other blocks."""
    both = Design.parse({"blocks": [ZONES, {"keep": 0.5, "items": [{"id": "a", "theta": 0.5}]}]})

    assert (both.gamma, both.leaks) == (math.inf, False)
    assert both.odds == both.blocks[0].odds * 3


LEVELS = {**ZONES, "zones": [[0, 0, 300, 300, 1.25], [500, 100, 400, 400]], "items": [{**HOME, "cell": 50}]}


def test_the_guarantee_of_levels_says_what_is_told_of_each_zone_and_within_it() -> None:
    """1.25 against any place and at most 2·1.25 − 2 within; 2 in the other; the promise is that of the weakest."""
    told = figures({**LEVELS, "side": 200})

    assert told["epsilon_zones"] == pytest.approx([1.25, 2], abs=1e-5)
    assert told["epsilon_within"] == pytest.approx([0.5, 2], abs=1e-5)
    assert all(one <= most for one, most in zip(told["epsilon_zones"], (1.25, 2), strict=True))
    assert told["epsilon_sensitive"] == told["epsilon_zones"][1]
    assert told["merged"] == [[0, 0, 300, 300], [500, 100, 400, 400]]
    assert "epsilon_zones" not in figures({**LEVELS, "zones": [[0, 0, 300, 300, 2], [500, 100, 400, 400]]})
    _odds, printed = [
        part for part in guarantee(design({**LEVELS, "side": 200})).contents() if not isinstance(part, str)
    ]
    told_of = zip(told["merged"], told["epsilon_zones"], told["epsilon_within"], strict=True)
    assert [list(row) for row in printed.rows] == [[*zone, against, within] for zone, against, within in told_of]


def test_zones_with_levels_are_published_with_a_coin_and_a_weight_each() -> None:
    """The largest coin is that outside; zones that share one ε are published as ever."""
    (block,) = design({**LEVELS, "side": 200}).document["blocks"]

    (*first, one, small), (*second, other, large) = block["zones"]
    assert (first, second) == ([0, 0, 6, 6], [10, 2, 8, 8])
    assert 0 < one < other == block["near"] < 2**32
    assert 0 < 36 * small + 64 * large < 2**32
    same = {**LEVELS, "zones": [[*zone[:4], 1.5] for zone in LEVELS["zones"]]}
    plain = {**LEVELS, "epsilon": 1.5, "zones": [zone[:4] for zone in LEVELS["zones"]]}
    assert design(same).canonical() == design(plain).canonical()


def test_zones_that_join_have_the_lesser_epsilon() -> None:
    told = design({**LEVELS, "zones": [[0, 0, 300, 300, 1.25], [200, 200, 400, 400]]})

    assert told.to_json()["blocks"][0]["epsilon"] == 1.25


@pytest.mark.parametrize(
    ("zones", "sentence"),
    [
        (
            [[0, 0, 6, 6, 5, 1], [10, 2, 8, 8]],
            "blocks[0].zones[1]: a coin and a weight are missing, which other zones have.",
        ),
        ([[0, 0, 6, 6, 5, 1], [10, 2, 8, 8, 5, 1]], "blocks[0].near: it is not the largest coin of its zones."),
        ([[0, 0, 6, 6, -1, 1], [10, 2, 8, 8, None, 1]], "blocks[0].near: it is not the largest coin of its zones."),
        ([[0, 0, 6, 6, 5, 0], [10, 2, 8, 8, None, 1]], "blocks[0].zones: their weights are not above 0, or too large."),
        (
            [[0, 0, 6, 6, 5, 1], [10, 2, 8, 8, None, 2**26]],
            "blocks[0].zones: their weights are not above 0, or too large.",
        ),
        ([[0, 0, 6, 6, 5]], "blocks[0].zones[0]: a zone has four numbers: left, bottom, width and height."),
    ],
)
def test_levels_that_no_device_could_draw_are_refused(zones: list[list[Any]], sentence: str) -> None:
    """None is the largest coin."""
    exact = design(LEVELS).document
    (block,) = exact["blocks"]
    block["zones"] = [[block["near"] if length is None else length for length in zone] for zone in zones]

    assert refusal_of(lambda: Design.parse(exact)) == sentence


@pytest.mark.parametrize("ask", [lambda block: block.sketch((0,)), lambda block: block.patterns.factors(0, [])])
def test_a_place_has_no_patterns_and_no_advice(ask: Callable[[Any], Any]) -> None:
    with pytest.raises(InputError):
        ask(design(SQUARE).blocks[0])


def _item(**changes: Any) -> dict[str, Any]:
    return {**SQUARE, "items": [HOME | changes]}


@pytest.mark.parametrize(
    ("block", "sentence"),
    [
        ({**SQUARE, "place": "circle"}, "blocks[0].place: 'circle' is not one of square, zones."),
        (
            {**SQUARE, "epsilon": 0},
            "blocks[0].epsilon: epsilon 0 is not above 0, so every place would be equally likely.",
        ),
        ({**SQUARE, "epsilon": math.inf}, "blocks[0].epsilon: inf is too large a number."),
        ({**SQUARE, "epsilon": "Infinity"}, "blocks[0].epsilon: 'Infinity' is not a number."),
        (
            {**SQUARE, "epsilon": 60},
            "blocks[0].epsilon: the epsilon is so large that steps of 2^-32 cannot tell it from no disguise.",
        ),
        (
            {**SQUARE, "epsilon": 1e-12},
            "blocks[0].epsilon: the epsilon is so small that no place would be kept in steps of 2^-32.",
        ),
        (without(SQUARE, "epsilon"), "blocks[0]: epsilon is missing."),
        (
            {**SQUARE, "side": 801},
            "blocks[0].side: the side 801 is not above 0 and at most 800, the shorter side of the map.",
        ),
        (
            {**SQUARE, "side": 0},
            "blocks[0].side: the side 0 is not above 0 and at most 800, the shorter side of the map.",
        ),
        (
            {**SQUARE, "zones": [[0, 0, 1, 1]]},
            "blocks[0]: the key 'zones' is unknown here; known keys are place, epsilon, side, items.",
        ),
        (without(ZONES, "zones"), "blocks[0]: zones is missing."),
        ({**ZONES, "zones": []}, "blocks[0].zones: the list is empty; it needs at least one entry."),
        (
            {**ZONES, "zones": [[0, 0, 1]]},
            "blocks[0].zones[0]: a zone has four numbers: left, bottom, width and height.",
        ),
        ({**ZONES, "zones": [[0, 0, 0, 5]]}, "blocks[0].zones[0]: a zone has a width and a height above 0."),
        ({**ZONES, "zones": [[0, 0, 5, -5]]}, "blocks[0].zones[0]: a zone has a width and a height above 0."),
        ({**ZONES, "zones": [[1000, 0, 5, 5]]}, "blocks[0].zones[0]: the zone lies outside the map."),
        ({**ZONES, "zones": [[-5, 0, 5, 5]]}, "blocks[0].zones[0]: the zone lies outside the map."),
        ({**ZONES, "zones": [[0, 0, "a", 5]]}, "blocks[0].zones[0][2]: 'a' is not a number."),
        (
            {**ZONES, "zones": [[0, 0, 5, 5, 2.5]]},
            "blocks[0].zones[0][4]: the epsilon 2.5 of a zone is not above 0 and at most 2, that of the block.",
        ),
        (
            {**ZONES, "zones": [[0, 0, 5, 5, 0]]},
            "blocks[0].zones[0][4]: the epsilon 0 of a zone is not above 0 and at most 2, that of the block.",
        ),
        ({**ZONES, "zones": [[0, 0, 5, 5, "a"]]}, "blocks[0].zones[0][4]: 'a' is not a number."),
        ({**ZONES, "zones": [[0, 0, 5, 5]] * 51}, "blocks[0].zones: 51 zones are more than 50."),
        (
            {**SQUARE, "items": [HOME, {**HOME, "id": "b"}]},
            "blocks[0].items: 2 items are given; a place needs its own block.",
        ),
        (_item(cell=0), "blocks[0].items[0].cell: the cell 0 is not above 0."),
        (_item(width=0), "blocks[0].items[0].width: the length 0 is not above 0."),
        (_item(cell=3), "blocks[0].items[0].width: 1000 is not a whole number of cells of 3, at most 65536."),
        (_item(cell=0.01), "blocks[0].items[0].width: 1000 is not a whole number of cells of 0.01, at most 65536."),
        (
            _item(width=65536, height=65536),
            "blocks[0].items[0]: the map has 4294967296 cells; it needs from 2 to 4294967295.",
        ),
        (_item(cell=1000, height=1000), "blocks[0].items[0]: the map has 1 cells; it needs from 2 to 4294967295."),
    ],
)
def test_what_cannot_be_a_map_or_a_promise_is_refused(block: dict[str, Any], sentence: str) -> None:
    assert refusal_of(lambda: design(block)) == sentence


@pytest.mark.parametrize(
    "zones", [[[0, 0, 3, 3]], [[8, 6, 4, 4], [9, 6, 4, 4]], [[18, 0, 4, 4]], [[5, 5, 4, 4], [0, 0, 4, 4]]]
)
def test_exact_zones_that_are_not_prepared_are_refused(zones: list[list[int]]) -> None:
    """Too narrow for the square, one over the other, beyond the map, or not in their order."""
    exact = design({**ZONES, "items": [{**HOME, "cell": 50}]}).document
    exact["blocks"][0]["zones"] = zones

    assert (
        refusal_of(lambda: Design.parse(exact))
        == "blocks[0].zones: they overlap, leave the map, or are narrower than the side 4."
    )


def test_the_side_is_taken_in_whole_cells() -> None:
    """The nearest number of cells, one at least, and never more than fit."""
    sides = [figures({**SQUARE, "side": side, "items": [{**HOME, "cell": 40}]})["side"] for side in (1, 59, 60, 800)]

    assert sides == [40, 40, 80, 800]
