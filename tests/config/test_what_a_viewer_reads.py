"""What a viewer reads of undisguised answers: pages, pictures, the API, a shared report and two mining runs."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import unescape
from itertools import product
from urllib.parse import urldefrag, urljoin

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from config.signin import tokens
from mining.domain.claim import claim, finish
from mining.domain.request import request_run
from mining.domain.result import mine_run
from mining.engines.request import MiningRequest
from surveys.domain.people.roles import Role, give
from surveys.models import Survey, SurveyVersion
from surveys.results import sharing
from tests.surveys.making import add_question
from tests.surveys.results.game import ITEMS, LEAST, OPEN, People, make_small, people_with, seal_in

pytestmark = pytest.mark.django_db(transaction=True)

RARE = (
    *("an option", "a direct answer", "a number", "no answer", "an answer to a filtered question"),
    *("no text", "an answer of several", "a point of a statement"),
)
DRAWN = ("weights=hours", "weights=year", "cluster=faculty", "strata=year", "weights=hours&strata=faculty")
FEW = ("/results/", "/compare/?first=drugs.1&by=faculty", "/weighted/?weights=hours", "/answers")
CHANGES = re.compile(  # by chance, by the clock or by all that was stored: hashes, secrets, times
    rb"(?<![\d.])[0-9a-f]{12,64}|[\w-]{43,64}|\d{4}-\d\d-\d\d[ T]\d\d:\d\d[\d:.+Z]*|\d[\d.,]*\xc2?\xa0? ?(?:s|ms)\b"
    rb'|"seconds": ?[\d.e-]+'
)


def addresses(version: SurveyVersion) -> list[str]:
    """Every kind of figure that the forms of the report offer, and the API."""
    everything = (*ITEMS, *OPEN)
    results, api = f"/staff/studio/versions/{version.pk}/results", f"/api/surveys/{version.survey.slug}"
    asked = [f"table/?answer={one}&by={by}" for one, by in product(ITEMS, everything) if one != by]
    asked += [f"table/?answer=drugs&by=theft&also={by}" for by in OPEN]
    asked += [f"regression/?answer=drugs.1&on={by}&direct=on" for by in ("theft", *OPEN)]
    asked += [f"compare/?first=drugs.1&by={by}" for by in OPEN]
    asked += ["compare/?first=drugs.1&among=theft.1&second=drugs.1", "versions/", "share/", "words/", "releases/", ""]
    asked += [f"weighted/?{drawn}" for drawn in DRAWN]
    asked += [f"table/?answer=drugs&by={by}&{drawn}" for by, drawn in product(("theft", *OPEN), DRAWN)]
    asked += ["weighted/?margin-faculty-0=50&margin-faculty-1=30&margin-faculty-2=20"]
    number = f"{api}/versions/{version.number}"
    patterns = "&".join(f"pattern={one}" for one in (*ITEMS, "drugs,theft", "drugs,!theft"))
    return [
        *(f"{results}/{one}" for one in asked),
        *(f"/staff/studio/{version.survey_id}/{page}/" for page in ("field", "results", "files", "history", "mining")),
        *(api, number, f"{number}/answers", f"{number}/shares?{patterns}", "/api/runs", f"{api}/exports"),
    ]


def add_more(survey: Survey, people: People, rare: str, few: int) -> People:
    """Two texts, several answers and a statement beside the small questions, and what these people say to them."""
    add_question(survey, "words", type="text", page=3, required=True, when={"question": "faculty", "is": ["law"]})
    add_question(survey, "remark", type="text", page=3)
    add_question(survey, "hobby", type="several", page=3, required=True, options=(("chess", "Chess"), ("golf", "Golf")))
    points = (("food", "Food"), ("1", "Bad"), ("2", "Good"), ("3", "Best"))
    add_question(survey, "canteen", type="matrix", page=3, required=True, options=points)
    answers = []
    for place, own in enumerate(people.answers):
        is_rare = place < few
        more: dict[str, object] = {
            "hobby": ["chess"] * (place % 2) + ["golf"] * (is_rare and rare == "an answer of several")
        }
        usual = str(1 + place // 2 % 2) if place >= LEAST else "2"  # those who may say 3 stand with those who say 2
        more |= {"canteen": {"food": "3" if is_rare and rare == "a point of a statement" else usual}}
        more |= {"words": f"word {place % 7}"} if own["faculty"] == "law" else {}
        more |= {} if is_rare and rare == "no text" else {"remark": f"remark {place % 5}"}
        answers.append(own | more)
    return replace(people, answers=answers)


def read_everything(rare: str, few: int, whole: bool) -> dict[str, bytes]:
    """What a viewer finds there, without what changes by chance or the clock; `whole`: also on all pages behind."""
    survey: Survey = make_small("viewed")
    version = seal_in(survey, add_more(survey, people_with(rare, few), rare, few))
    viewer = User.objects.create_user("viewer", is_staff=True)
    give(survey, viewer, Role.VIEWER)
    for support in (0.05, 0.2)[: 1 + whole]:
        run = request_run(survey, MiningRequest(support, 0.1, max_length=2))
        finish(run.pk, claim(run.pk), *mine_run(run, lambda *_state: None))
    keys = ("answers", "trust", *(f"table.drugs.{by}" for by in ("theft", *OPEN)), "regression.drugs.1.faculty")
    _shared, secret = sharing.share(version, "All", keys, 30, viewer)
    token = tokens.make(viewer, "tests", ("read",), 30)[1]
    client = Client(headers={"Authorization": f"Bearer {token}"})
    client.force_login(viewer)
    own = (f"/staff/studio/versions/{version.pk}/", "/staff/runs/", f"/r/{secret}/", f"/api/surveys/{survey.slug}")
    waiting = [one for one in addresses(version) if whole or one.endswith(FEW)]
    waiting += ["/staff/runs/", f"/r/{secret}/"]
    found = dict[str, bytes]()
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        answer = client.get(address)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        found[address] = b"%d " % answer.status_code + CHANGES.sub(b"#", content)
        waiting += whole * [one for one in links_of(address, content) if one.startswith(own)]
    return {address.replace(secret, "secret"): content for address, content in found.items()}


def links_of(address: str, content: bytes) -> Iterator[str]:
    """The pages and pictures that a page leads to."""
    for link in re.findall(r'(?:href|src)="([^"]+)"', content.decode(errors="ignore")):
        yield urldefrag(urljoin(address, unescape(link))).url


def check_same(rare: str, counts: Iterable[int], whole: bool) -> None:
    """Every byte is the same, whether so many people gave a rare undisguised answer, or nobody."""
    read = []
    for few in (0, *counts):
        with transaction.atomic():
            read.append(read_everything(rare, few, whole))
            transaction.set_rollback(True)
    nobody, *others = read
    assert sum(content.startswith(b"200") for content in nobody.values()) > (60 if whole else 5)
    for other in others:
        assert other.keys() == nobody.keys()
        assert {address for address in nobody if other[address] != nobody[address]} == set()


def test_nothing_that_a_viewer_reads_tells_nobody_from_a_few() -> None:
    """The report, a comparison in groups, shares with weights, rules, a shared report, and answers of the API."""
    check_same("an option", [LEAST - 1], whole=False)


def test_a_figure_is_not_taken_for_a_hash() -> None:
    """So the comparison sees every digit of a share."""
    assert CHANGES.sub(b"#", b'{"value": 0.26666666666666666, "hash": "0a1b2c3d4e5f"}') == (
        b'{"value": 0.26666666666666666, "hash": "#"}'
    )


@pytest.mark.long
@pytest.mark.parametrize("rare", RARE)
def test_nothing_that_a_viewer_reads_on_any_page_tells_nobody_from_a_few(rare: str) -> None:
    """Each kind of table and of sampling, each picture, and all pages that these lead to."""
    check_same(rare, [1, LEAST - 1], whole=True)
