"""A question for a place: its map and outline, what is entered and published of it, and how its answers are shown."""

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.draw.map import Heat, Map, draw_map
from privacy.errors import EntryError, InputError
from privacy.location.outline import LARGEST_FILE, check_lines, read_outline
from surveys.definition import Definition, read_question
from surveys.displays import PlaceMap
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.document import Draft, EnteredBlock
from surveys.models import Survey
from surveys.questions import NOBODY, Answers, type_of
from surveys.studio.zones import block_from_zones
from tests.surveys.documents import WORDS
from tests.surveys.making import MAP, compose_draft, town_survey, write

RING = [[13.0, 52.0], [13.1, 52.0], [13.1, 52.05], [13.0, 52.05], [13.0, 52.0]]
TOWN = {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Polygon"}}]}
TOWN["features"][0]["geometry"]["coordinates"] = [RING]


def entry(**map_: Any) -> dict[str, Any]:
    return {"id": "home", "type": "place", "sensitive": True, "text": WORDS, "map": {**MAP, **map_}}


def test_a_place_is_published_with_its_map_and_zones() -> None:
    """The map stands in the question, the zones and the square in the design, both for the same cells."""
    published = compose_draft(town_survey())

    (page,) = published.source["pages"]
    assert page["questions"][0]["map"] == MAP
    (block,) = published.source["design"]["blocks"]
    assert (block["place"], block["zones"], block["items"]) == ("zones", [[40, 30, 20, 20]], [{"id": "home", **MAP}])
    assert Definition.parse(published.to_bytes()).to_bytes() == published.to_bytes()


def test_a_survey_with_zones_is_judged_by_the_odds_inside_them() -> None:
    """γ is infinite, and still no override is needed while ε keeps the odds within the limit."""
    survey = town_survey()

    assert missing(Draft.load(survey)) == []
    assert 7.38 < float(compose_draft(survey).design.odds) < 7.39


def test_what_is_missing_of_a_place_is_said() -> None:
    assert missing(Draft.load(town_survey(settings={}))) == ["“home?” has no map yet."]
    Survey.objects.all().delete()
    assert missing(Draft.load(town_survey(settings={"map": MAP}))) == ["“home?”: mark at least one sensitive zone."]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"map": None}, "question 'home'.map: a map has a width, a height and a cell."),
        ({"map": {**MAP, "tiles": "x"}}, "question 'home'.map: a map has a width, a height and a cell."),
        (
            {"map": {**MAP, "cell": 3}},
            "question 'home'.map.width: 1000 is not a whole number of cells of 3, at most 65536.",
        ),
        (
            {"map": {**MAP, "lines": [[0, 0, 2000, 1]]}},
            "question 'home'.map: its lines lie on the map, and are not too many.",
        ),
        ({"map": {**MAP, "degrees": [1, 2, 3]}}, "question 'home'.map: its degrees are four numbers."),
        ({"sensitive": False}, "question 'home'.block: a place is always disguised: give the question a block."),
    ],
)
def test_a_map_that_cannot_be_shown_is_refused(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        read_question({**entry(), **changed}, ["en"])

    assert str(refused.value) == sentence


def test_an_outline_becomes_metres_from_the_bottom_left() -> None:
    """A town of .1 by .05 degrees at 52° north: some 6.9 by 5.6 kilometres."""
    outline = read_outline(json.dumps(TOWN).encode())

    assert (outline.width, outline.height, outline.cell) == (6860, 5580, 20)
    assert outline.lines[0][:4] == [0, 0, outline.lines[0][2], 0]
    assert abs(outline.lines[0][2] - 6850) < 5
    assert outline.degrees[:2] == [13.0, 52.0]
    assert check_lines(outline.lines, outline.width, outline.height)


def test_an_outline_of_very_many_points_is_drawn_with_few() -> None:
    angle = np.linspace(0, 2 * np.pi, 20_000)
    ring = np.column_stack([13 + 0.1 * np.cos(angle), 52 + 0.1 * np.sin(angle) + 0.001 * np.sin(400 * angle)]).tolist()

    outline = read_outline(json.dumps({"type": "LineString", "coordinates": ring}).encode())

    assert sum(map(len, outline.lines)) <= 4000
    assert len(json.dumps(outline.lines)) < 40_000


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{}", "the file is not GeoJSON."),
        (b"\xff\xfe", "the file is not GeoJSON."),
        (b'{"type": "Polygon", "coordinates": 5}', "the file is not GeoJSON."),
        (b'{"type": "Polygon", "coordinates": [[["a", "b"]]]}', "the file is not GeoJSON."),
        (b'{"type": "Point", "coordinates": [13, 52]}', "the file holds no lines and no areas."),
        (
            b'{"type": "LineString", "coordinates": [[400, 5], [401, 6]]}',
            "400 is not a longitude or latitude in degrees.",
        ),
        (
            b'{"type": "LineString", "coordinates": [[4, 5], [4, 5]]}',
            "the outline is less than 10 metres wide or high.",
        ),
        (b" " * (LARGEST_FILE + 1), f"the file has {LARGEST_FILE + 1} bytes, more than {LARGEST_FILE}."),
    ],
)
def test_a_file_that_is_no_outline_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(EntryError) as refused:
        read_outline(content)

    assert str(refused.value) == sentence


def test_it_is_said_what_becomes_of_zones() -> None:
    """Two that overlap join, one beyond the map is clipped, a narrow one grows."""
    block = EnteredBlock("home", "zones", {"epsilon": 2.0, "side": 100})
    zones = [[100, 100, 200, 200], [200, 200, 200, 200], [700, 500, 20, 20], [900, 0, 300, 150]]

    made = block_from_zones(block, {"map": MAP, "zones": zones})

    assert made.zones == [[100, 100, 300, 300], [660, 460, 100, 100], [900, 0, 100, 150]]
    assert "grown to the square of 100" in made.said
    assert "ε = 2" in made.said


def test_zones_with_an_epsilon_of_their_own_are_published_as_the_design_says() -> None:
    """The page says what is sent of each, and the block has a coin for each."""
    zones = [[0, 0, 400, 300, 1.5], [500, 400, 400, 300]]

    made = block_from_zones(EnteredBlock("home", "zones", {"epsilon": 2.0, "side": 200}), {"map": MAP, "zones": zones})
    (block,) = compose_draft(town_survey(settings={"map": MAP, "zones": zones})).design.document["blocks"]

    assert "no more than ε = 1; 2 against any other place" in made.said  # at 1 the wide zone loses less than at 1.5
    assert [zone[4] < block["near"] for zone in block["zones"]] == [True, False]


def test_a_cell_that_is_not_shown_looks_otherwise_than_one_of_nobody() -> None:
    """It is hatched, and the legend says so; where a zone has a share of its own its cells are its colour."""
    shares, labels = [[0.0, None], [None, 0.4]], [["", ""], ["", ""]]
    (blank, zoned, whole) = (
        draw_map("Home", Map(2, 2), Heat([0, 1, 2], [0, 1, 2], shares, labels, zones, "not shown"))
        for shares, zones in (
            (shares, ()),
            (shares, (((1, 0, 1, 1), 0.3, ""), ((0, 1, 1, 1), 0.3, ""))),
            ([[0.0, 0.1], [0.2, 0.4]], ()),
        )
    )
    assert [one.count("url(#") for one in (blank, zoned, whole)] == [3, 0, 0]  # two cells, and one in the legend
    assert ["not shown" in one for one in (blank, zoned, whole)] == [True, False, False]


def test_a_map_names_the_epsilon_of_each_zone_where_they_differ() -> None:
    """The lesser one is the darker zone; where all are alike none is named."""
    zones = [[0, 0, 40, 40], [60, 60, 40, 40]]

    drawn = draw_map("Home", Map(100, 100, zones=zones, levels=[1.5, 2]))

    assert re.findall(r">(ε = [^<]+)<", drawn) == ["ε = 1.5", "ε = 2"]
    assert re.findall(r'fill-opacity="([^"]+)"', drawn) == ["0.3", "0.18"]
    assert "ε" not in draw_map("Home", Map(100, 100, zones=zones))


@pytest.mark.parametrize(
    ("zones", "kind", "said"),
    [
        ([[5000, 5000, 10, 10]], "zones", "the zone lies outside the map."),
        ([[0, 0, 9, 9, 3]], "zones", "the epsilon 3 of a zone is not above 0 and at most 2, that of the block."),
        ([[10, 10, 0, 10]], "zones", "a zone has a width and a height above 0."),
        ([], "zones", "mark at least one sensitive zone."),
        ([[1, 2, 3, 4]], "coin", "Zones need a map, and a block with sensitive zones."),
    ],
)
def test_of_zones_that_cannot_be_used_it_is_said_why(zones: list[list[float]], kind: str, said: str) -> None:
    """In place of the zones."""
    made = block_from_zones(EnteredBlock("home", kind, {"epsilon": 2.0}), {"map": MAP, "zones": zones})
    assert (made.zones, said in made.said) == ([], True)


def shown_of(x: Any, y: Any, settled: bool = True) -> PlaceMap:
    """The map of people who are at these cells, each reported as it is outside the zone of the town."""
    Survey.objects.all().delete()
    published = compose_draft(town_survey())
    codes = (np.asarray(x) * 80 + np.asarray(y))[:, np.newaxis].astype(published.design.code_type)
    records = disguise(published.design, codes, take=words_from_seed(1))
    question = published.questions[0]
    (shown,) = type_of(question).displays(Answers(question, entry(), "en", NOBODY, records, 100, settled))
    return shown


def test_answers_are_shown_as_a_map_with_its_table() -> None:
    """Shares by zone and cell with their error; the smallest cell stands with the empty ones.

    Reports tell nothing of half a zone that a square nearly fills, and the page says why such a cell is blank.
    """
    people = [600, 700, 500, 200]
    shown = shown_of(np.repeat([50, 10, 30, 70], people), np.repeat([40, 10, 10, 70], people))

    zone, elsewhere, *cells, rest = shown.table().rows
    assert (zone[0], elsewhere[0]) == ("zone 400–600, 300–500", "outside the zones")
    assert 20 < float(zone[1].removesuffix(" %")) < 40
    assert [cell[0] for cell in cells] == ["0–120, 100–200", "250–370, 100–200"]
    assert rest[0] == "all other places together"
    assert shown.svg("Home").count("<rect") >= 64
    assert "square of 200 by 200: narrower cells may have larger errors there than shown" in shown.said
    assert "cells that cut it are blank, and the zone has a share of its own" in shown.said


def test_a_zone_that_no_told_cell_lies_in_has_the_colour_of_its_own_share() -> None:
    """Every cell crosses its border, so none is reported. A zone that holds a reported cell is left to its cells."""
    people = [600, 700, 500, 200]
    shown = shown_of(np.repeat([50, 10, 30, 70], people), np.repeat([40, 10, 10, 70], people))
    around = replace(shown, zones=({"zone": [0, 0, 500, 400], "share": 0.3, "se": 0.01},))

    zone = shown.table().rows[0]
    (opacity,) = re.findall(rf'fill-opacity="([0-9.]+)"><title>{zone[0]}: {zone[1]}</title>', shown.svg("Home"))
    assert 0.5 < float(opacity) <= 1
    assert "<title>zone" not in around.svg("Home")


def test_of_fewer_people_than_the_survey_reports_on_nothing_is_shown() -> None:
    nothing = shown_of(np.full(50, 50), np.full(50, 40))

    assert (nothing.n, nothing.svg("Home")) == (0, "")


def test_a_cell_of_few_outside_the_zones_looks_like_an_empty_one() -> None:
    """Three people in a far corner change nothing in what is named, and the corner has no figure."""
    crowd = np.repeat([50, 10, 30], [600, 1000, 400])
    shown, without = (shown_of(np.r_[crowd, np.full(count, 95)], np.r_[crowd, np.full(count, 75)]) for count in (3, 0))

    assert (shown.shares[7][7], without.shares[7][7]) == (None, None)
    assert [[share is None for share in row] for row in shown.shares] == [
        [share is None for share in row] for row in without.shares
    ]
    assert "870–1000, 700–800: –" in shown.svg("Home")
    assert "Cells of fewer than 100 people are blank" in shown.said


@pytest.mark.parametrize(
    ("outside", "settled", "said"),
    [
        (0, True, "Fewer than 100 people are outside the zones, too few to report on"),
        (7, True, "Fewer than 100 people are outside the zones, too few to report on"),
        (1400, False, "after the version has closed"),
    ],
)
def test_where_few_people_are_outside_all_zones_or_more_can_answer_there_is_no_map(
    outside: int, settled: bool, said: str
) -> None:
    """The shares of the zones would tell how many are elsewhere. Somebody could look, forge places, and look again."""
    shown = shown_of(*(np.repeat(cells, [2000, outside]) for cells in ([50, 95], [40, 75])), settled)

    assert (shown.n, shown.zones, shown.rest, shown.shares) == (0, (), None, ())
    assert said in shown.said


@pytest.mark.long
def test_places_that_are_disguised_everywhere_are_told_while_a_version_collects() -> None:
    """Nobody's place arrives as it is."""
    Survey.objects.all().delete()
    published = compose_draft(town_survey("square", {"map": MAP}))
    codes = np.full((600, 1), 50 * 80 + 40).astype(published.design.code_type)
    records = disguise(published.design, codes, take=words_from_seed(1))
    question = published.questions[0]
    (shown,) = type_of(question).displays(Answers(question, entry(), "en", NOBODY, records, 100, False))

    assert shown.n == 600
    assert all(share is not None for row in shown.shares for share in row)


def test_the_question_about_the_disguise_needs_a_question_with_options() -> None:
    """It shows a stored answer as an example, which a place among thousands is not fit for."""
    survey = town_survey()
    write(survey, comprehension=True)

    with pytest.raises(EntryError, match="a question with options or a number as its example"):
        compose_draft(survey)
