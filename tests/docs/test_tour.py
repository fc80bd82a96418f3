"""The tour at the top of docs/design.md: twelve stops that an answer passes, and a picture of what may import what."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse

from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from tests.docs.pages import text_of
from tests.imports import KNOWS, ROOMS
from tests.servers import ROOT
from tests.surveys.making import make_survey
from tests.surveys.sending import send, submission
from tests.surveys.staff import browser_of, somebody

PAGE = ROOT / "docs" / "design.md"


class Stop(NamedTuple):
    number: int
    file: Path
    line: str

    @property
    def line_number(self) -> int:
        (before, _after) = text_of(self.file).split(self.line)
        return before.count("\n") + 1


STOPS = [
    Stop(int(number), (PAGE.parent / file).resolve(), line)
    for number, file, line in re.findall(r"^\| (\d+) \|.*\]\((\S+)\) \| `(.+)` \|$", text_of(PAGE), re.MULTILINE)
]


@contextmanager
def lines_reached(stops: list[Stop]) -> Iterator[list[int]]:
    """The numbers of these stops, in the order in which Python first reaches their lines."""
    reached: list[int] = []
    numbers = {(str(stop.file), stop.line_number): stop.number for stop in stops}
    files = {file for file, _line in numbers}

    def note(frame: FrameType, event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename not in files:
            return None
        number = numbers.get((frame.f_code.co_filename, frame.f_lineno))
        if event == "line" and number and number not in reached:
            reached.append(number)
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        yield reached
    finally:
        sys.settrace(before)


def test_each_line_of_the_tour_stands_once_in_its_file() -> None:
    """Twelve stops, from the press to the sentence."""
    assert [stop.number for stop in STOPS] == [*range(1, 13)]
    assert [(stop.number, text_of(stop.file).count(stop.line)) for stop in STOPS] == [(n, 1) for n in range(1, 13)]


@pytest.mark.django_db
def test_an_answer_goes_the_way_of_the_tour(client: Client) -> None:
    """One is sent, sealed with those of others and reported: it reaches the lines of Python in their order."""
    version = publish(make_survey())
    for number in range(1, 120):
        assert send(client, "study", submission(version, record=[int(number % 5 < 3), 0, 0])).status_code == 201

    with lines_reached([stop for stop in STOPS if stop.file.suffix == ".py"]) as reached:
        assert send(client, "study", submission(version, record=[1, 0, 0])).status_code == 201
        close(version.survey)
        seal.seal_closed()
        page = browser_of(somebody("view")).get(reverse("studio:results", args=[version.pk])).content.decode()

    assert reached == [*range(5, 12)]
    assert f"{STOPS[-1].line}Of 100 people, about 60 (30–88) answer “Yes”." in page


# The picture of the rooms.


(PICTURE,) = re.findall(r"^```\n(\+-.*?)^```$", text_of(PAGE), re.MULTILINE | re.DOTALL)
BOXES = ("config", "mining", "candor", "surveys", "mining/engines", "privacy")


def box_of(name: str) -> set[tuple[int, int]]:
    """The places inside the lines around this name."""
    rows = PICTURE.splitlines()
    (start,) = [(y, row.index(f"| {name}/ ") + 1) for y, row in enumerate(rows) if f"| {name}/ " in row]
    inside, beside = set(), [start]
    while beside:
        y, x = beside.pop()
        if (y, x) not in inside and rows[y][x] not in "+-|":
            inside.add((y, x))
            beside += [(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)]
    return inside


def test_the_picture_shows_what_may_import_what() -> None:
    """A box that lies below another is one that it may import."""
    boxes = {name: box_of(name) for name in BOXES}

    def lies_below(lower: str, upper: str) -> bool:
        return any(x == over_x and y > over_y for y, x in boxes[lower] for over_y, over_x in boxes[upper])

    for name in BOXES:
        below = {other.replace("/", ".") for other in BOXES if other != name and lies_below(other, name)}
        assert below == KNOWS[name.replace("/", ".")] - {name.replace("/", ".")}


@pytest.mark.parametrize("name", ["privacy", "surveys"])
def test_the_rooms_of_a_box_are_in_their_order(name: str) -> None:
    """That in which one may import those before it."""
    rows = PICTURE.splitlines()
    text = "".join(rows[y][x] for y, x in sorted(box_of(name)))
    named = re.findall(r"[a-z]+(?=,|\s*$)", re.split(r"[:.] +(?=\w+, )", text)[-1])

    assert len(named) > 5
    assert named == sorted(named, key=ROOMS[name].index)
