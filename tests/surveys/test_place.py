"""A question for a place: its map and outline, what is entered and published of it, and how its answers are shown."""

import json
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.errors import EntryError, InputError
from privacy.records import Records
from surveys.definition import Definition, read_question
from surveys.domain.questionnaire.check import missing
from surveys.domain.questionnaire.write import Draft, compose
from surveys.models import Block, Question, Survey
from surveys.questions import Answers, type_of
from surveys.questions.outline import LARGEST_FILE, check_lines, read_outline
from tests.surveys.admin.pages import entered, errors, question_page, somebody, visit
from tests.surveys.making import add_question, make_survey
from tests.surveys.test_definition import WORDS

MAP = {"width": 1000, "height": 800, "cell": 10}
ZONES = [[400, 300, 200, 200]]
RING = [[13.0, 52.0], [13.1, 52.0], [13.1, 52.05], [13.0, 52.05], [13.0, 52.0]]
TOWN = {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Polygon"}}]}
TOWN["features"][0]["geometry"]["coordinates"] = [RING]


def town_survey(kind: str = "zones", settings: Any = None) -> Survey:
    """A draft with one question for a place, in a block of its own."""
    survey = make_survey(names=(), direct=False)
    survey.blocks.all().delete()
    block = Block.objects.create(survey=survey, name="places", kind=kind, settings={"epsilon": 2.0})
    add_question(
        survey,
        "home",
        type="place",
        block=block,
        settings={"map": MAP, "zones": ZONES} if settings is None else settings,
    )
    return survey


def entry(**map_: Any) -> dict[str, Any]:
    return {"id": "home", "type": "place", "sensitive": True, "text": WORDS, "map": {**MAP, **map_}}


@pytest.mark.django_db
def test_a_place_is_published_with_its_map_and_zones() -> None:
    """The map stands in the question, the zones and the square in the design, both for the same cells."""
    published = compose(town_survey())

    (page,) = published.source["pages"]
    assert page["questions"][0]["map"] == MAP
    (block,) = published.source["design"]["blocks"]
    assert (block["place"], block["zones"], block["items"]) == ("zones", [[40, 30, 20, 20]], [{"id": "home", **MAP}])
    assert Definition.parse(published.to_bytes()).to_bytes() == published.to_bytes()


@pytest.mark.django_db
def test_a_survey_with_zones_is_judged_by_the_odds_inside_them() -> None:
    """γ is infinite, and still no override is needed while ε keeps the odds within the limit."""
    survey = town_survey()

    assert missing(Draft.stored(survey)) == []
    assert 7.38 < float(compose(survey).design.odds) < 7.39


@pytest.mark.django_db
def test_what_is_missing_of_a_place_is_said() -> None:
    assert missing(Draft.stored(town_survey(settings={}))) == ["“home” has no map yet."]
    Survey.objects.all().delete()
    assert missing(Draft.stored(town_survey(settings={"map": MAP}))) == ["“home”: mark at least one sensitive zone."]


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
    found = read_outline(json.dumps(TOWN).encode())

    assert (found.width, found.height, found.cell) == (6860, 5580, 20)
    assert found.lines[0][:4] == [0, 0, found.lines[0][2], 0]
    assert abs(found.lines[0][2] - 6850) < 5
    assert found.degrees[:2] == [13.0, 52.0]
    assert check_lines(found.lines, found.width, found.height)


def test_an_outline_of_very_many_points_is_drawn_with_few() -> None:
    angle = np.linspace(0, 2 * np.pi, 20_000)
    ring = np.column_stack([13 + 0.1 * np.cos(angle), 52 + 0.1 * np.sin(angle) + 0.001 * np.sin(400 * angle)]).tolist()

    found = read_outline(json.dumps({"type": "LineString", "coordinates": ring}).encode())

    assert sum(map(len, found.lines)) <= 4000
    assert len(json.dumps(found.lines)) < 40_000


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


@pytest.mark.django_db
def test_a_map_its_outline_and_zones_are_entered_on_the_page_of_the_question() -> None:
    """The outline comes as a file, and stays when the page is sent again; zones are one a line."""
    researcher: User = somebody()
    asked = Question.objects.get(survey=town_survey(settings={}))
    file = SimpleUploadedFile("town.geojson", json.dumps(TOWN).encode())
    page = question_page(asked)

    visit(
        researcher, page, entered(researcher, page) | {"map:cell": "20", "map:file": file, "zones": "1000 1000 500 500"}
    )
    first = Question.objects.get().settings
    again = {f"map:{part}": str(first["map"][part]) for part in ("width", "height", "cell")}
    again |= {"map:stored": json.dumps({key: first["map"][key] for key in ("lines", "degrees")})}
    answer = visit(researcher, page, entered(researcher, page) | again | {"zones": "0 0 500 500\n1000, 1000, 100, 100"})

    assert answer.status_code == 302
    second = Question.objects.get().settings
    assert second["map"] == first["map"]
    assert second["zones"] == [[0, 0, 500, 500], [1000, 1000, 100, 100]]
    assert compose(asked.survey).design.blocks[0].figures["side"] > 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({"zones": "1 2 3"}, {"zones": ["Write four numbers a line: left, bottom, width and height."]}),
        ({"zones": "1 2 3 x"}, {"zones": ["Write four numbers a line: left, bottom, width and height."]}),
        ({"map:width": "x"}, {"map": ["A map has a width, a height and a cell, all numbers."]}),
        ({"map:cell": "7"}, {"map": ["1000 is not a whole number of cells of 7, at most 65536."]}),
        ({"map:file": b"x"}, {"map": ["the file is not GeoJSON."]}),
    ],
)
def test_what_is_wrong_with_a_map_is_said_at_its_field(changes: dict[str, Any], refused: dict[str, Any]) -> None:
    researcher: User = somebody()
    page = question_page(Question.objects.get(survey=town_survey()))
    sent = {"map:width": "1000", "map:height": "800", "map:cell": "10", "zones": "400 300 200 200"} | changes
    if "map:file" in sent:
        sent["map:file"] = SimpleUploadedFile("town.geojson", sent["map:file"])

    answer = visit(researcher, page, entered(researcher, page) | sent)

    assert errors(answer) == refused


@pytest.mark.django_db
def test_answers_are_shown_as_a_map_with_its_table() -> None:
    """Shares by zone and cell with their error; nothing where fewer answered than the survey reports on."""
    published = compose(town_survey())
    codes = np.full((400, 1), 50 * 80 + 40)
    records = disguise(published.design, codes.astype(published.design.code_type), take=seeded_words(1))
    question = published.questions[0]
    few = Records(records.design, records.codes[:50], records.direct[:50])

    (shown,), (nothing,) = (
        type_of(question).shown(Answers(question, entry(), "en", [], those, 100)) for those in (records, few)
    )

    zone, elsewhere, *cells = shown.table().rows
    assert (zone[0], elsewhere[0]) == ("zone 400–600, 300–500", "outside the zones")
    assert float(zone[1].removesuffix(" %")) > 90
    assert len(cells) == 64
    assert shown.svg("Home").count("<rect") >= 64
    assert (nothing.n, nothing.svg("Home")) == (0, "")


@pytest.mark.django_db
def test_the_question_about_the_disguise_needs_a_question_with_options() -> None:
    """It shows a stored answer as an example, which a place among thousands is not fit for."""
    survey = town_survey()
    survey.comprehension = True

    with pytest.raises(EntryError, match="about a question with options, and there is none"):
        compose(survey)
