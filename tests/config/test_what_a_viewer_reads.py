"""What a viewer reads of undisguised answers: pages, pictures, the API, a shared report and two mining runs."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import product
from urllib.parse import urldefrag, urljoin

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from config.signin import tokens
from privacy.disguise import disguise
from privacy.disguise.table import words_from_seed
from privacy.records.packing import pack
from surveys.domain.drafts import history
from surveys.domain.drafts.history import Editor
from surveys.domain.drafts.protect import judge_version, usual
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.document import empty
from surveys.domain.questionnaire.forecast import judge_pairs_of_version
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.releases import decide
from surveys.releases.ask import ask
from surveys.results import sharing
from surveys.results.report import data_of
from tests.mining.surveys import mined_run
from tests.surveys.making import add_question, edit_draft, set_question, write
from tests.surveys.results.game import ITEMS, LEAST, OPEN, People, make_small, people_with, seal_in
from tests.surveys.results.releasing import ASKED, work
from tests.surveys.results.whom import numbers_of

pytestmark = pytest.mark.django_db(transaction=True)

RARE = (
    *("an option", "a direct answer", "a number", "no answer", "an answer to a filtered question"),
    *("no text", "an answer of several", "a point of a statement"),
)
DRAWN = ("weights=hours", "weights=year", "cluster=faculty", "strata=year", "weights=hours&strata=faculty")
FEW = ("/results/", "/compare/?first=drugs.1&by=faculty", "/weighted/?weights=hours", "/answers")
PEOPLE = re.compile(  # but "from about 1 900 people" of a forecast
    r"(?<!up to )(?<!from )(?<!about )(?<![\d.,\u202f])(\d[\d\u202f]*)(?:</\w+>)?\s+(?:people|answers|responses)\b"
    r'|\bn = (\d[\d\u202f]*)|"(?:n|people|respondents|direct|left_out)": ?(\d+)[,}\s]'
)
PANEL = {"by": "prolific", "name": "Prolific", "number": "PROLIFIC_PID", "sent": "SENT", "out": "", "full": "FULL"}
RELEASED = ASKED | {
    "attributes": {
        "faculty": {"role": "quasi", "hierarchy": [["arts", "*"], ["law", "*"], ["music", "*"]]},
        "drugs": {"role": "sensitive"},
    }
}
Reading = Callable[[str, int, bool], dict[str, bytes]]
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
        *(
            f"/staff/studio/{version.survey_id}/{page}/"
            for page in ("fieldwork", "results", "files", "history", "mining")
        ),
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
    """What a viewer finds of one version, of whose people a panel sent some, groups have enough and a table is
    released; `whole`: also on all pages behind.
    """
    survey: Survey = make_small("viewed")
    with edit_draft(survey) as document:  # a group can only be full before anything sensitive is asked
        asked_last, asked_first = document["pages"]
        document["pages"] = [asked_first | {"number": 1}, asked_last | {"number": 2}]
    set_question(survey, "faculty", enough={"arts": 60, "law": 200})
    write(survey, panel=PANEL)
    Survey.objects.update(quota=5000)
    version = seal_in(survey, add_more(survey, people_with(rare, few), rare, few))
    released = ask(version, RELEASED | ({"model": {"k": 5}} if rare == "a direct answer" else {}), None)
    work(released.pk)
    assert decide.release(released.pk)
    keys = ("answers", "trust", *(f"table.drugs.{by}" for by in ("theft", *OPEN)), "regression.drugs.1.faculty")
    asked = [one for one in addresses(version) if whole or one.endswith(FEW)]
    return read_site(
        [version], [*asked, f"/staff/studio/versions/{version.pk}/results/releases/{released.pk}/"], keys, whole
    )


def read_versions(rare: str, few: int, whole: bool) -> dict[str, bytes]:
    """What a viewer finds of two versions, in the first of which so many people gave a rare answer."""
    survey = Survey.objects.create(slug="viewed", title="Viewed", least=LEAST)
    by = Editor(User.objects.create_superuser("writer"), "tab", 10**6)
    history.begin(survey, empty("Viewed", ["en"]) | {"protection": usual(), "expected": 600, "direct": True})
    lines = "\n".join(f"Have you done {one}?" for one in ("this", "that", "more", "less", "much"))
    history.change(survey, by, {"do": "add", "type": "yesno", "lines": lines, "sensitive": True})
    history.change(survey, by, {"do": "protect", "field": "way", "value": "word"})
    write(survey, **{name: {"en": name} for name in ("heading", "who", "why", "consent", "closing")})
    faculties = tuple((one, one) for one in OPEN["faculty"])
    add_question(survey, "faculty", type="choice", page=0, required=True, options=faculties, enough={"law": 300})
    Survey.objects.update(quota=5000)
    versions = [answer_version(survey, 400, rare, few)]
    write(survey, why={"en": "why now"})
    versions.append(answer_version(survey, 600, "", 0))
    Survey.objects.update(closed_at=timezone.now())
    item, asked = versions[0].design.items[0].id, list[str]()
    for version in SurveyVersion.objects.order_by("number"):
        results = f"/staff/studio/versions/{version.pk}/results/"
        api = f"/api/surveys/{survey.slug}/versions/{version.number}"
        asked += [f"{results}{page}" for page in ("", "versions/", f"table/?answer={item}&by=faculty")]
        asked += [f"{results}weighted/?cluster=faculty", f"{results}compare/?first={item}.1&by=faculty"]
        asked += [api, f"{api}/answers", f"{api}/shares?pattern={item}&pattern=!{item}"]
    asked += [f"/staff/studio/{survey.pk}/{page}/" for page in ("field", "results", "files", "history", "mining")]
    return read_site([*SurveyVersion.objects.all()], asked, ("answers", "trust", "versions"), whole)


def answer_version(survey: Survey, disguised: int, rare: str, few: int) -> SurveyVersion:
    """Publish the next version, with the answers of so many people and of 60 direct ones."""
    version, n = publish(survey), disguised + 60
    chance, direct = np.random.default_rng(disguised), np.arange(n) >= disguised
    truth = (chance.random((n, len(version.design.items))) < 0.3).astype(np.uint8)
    truth[-60:, 0] = np.arange(60) < (few if rare == "a direct answer" else 0)
    faculties = ["law" if one % 2 else "arts" for one in range(n)]
    faculties[:LEAST] = ["music" if rare == "an option" and one < few else "law" for one in range(LEAST)]
    records = disguise(version.design, truth, direct, words_from_seed(disguised))
    append(version, pack(records), [b'{"faculty": "%s"}' % one.encode() for one in faculties])
    survey.refresh_from_db()
    return version


def read_site(versions: list[SurveyVersion], waiting: list[str], keys: Sequence[str], whole: bool) -> dict[str, bytes]:
    """What a viewer finds there, without what changes by chance or the clock; `whole`: also on all pages behind."""
    survey = versions[-1].survey
    viewer = User.objects.create_user("viewer", is_staff=True)
    give(survey, viewer, Role.VIEWER)
    for support in (0.05, 0.2)[: 1 + whole]:
        mined_run(survey, min_support=support, min_confidence=0.1, max_length=2)
    _shared, secret = sharing.share(versions[-1], "All", keys, 30, viewer)
    token = tokens.make(viewer, "tests", ("read",), 30)[1]
    client = Client(headers={"Authorization": f"Bearer {token}"})
    client.force_login(viewer)
    own = ("/staff/runs/", f"/r/{secret}/", f"/api/surveys/{survey.slug}")
    own += tuple(f"/staff/studio/versions/{version.pk}/" for version in versions)
    waiting = [*waiting, "/staff/runs/", f"/r/{secret}/"]
    found = dict[str, bytes]()
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        answer = client.get(address)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        found[address] = b"%d " % answer.status_code + CHANGES.sub(b"#", content)
        links = [one for one in links_of(address, content) if one.startswith(own)]
        waiting += whole * [one for one in links if "/change/?" not in one]  # a form, with each order of a run's lists
    return {address.replace(secret, "secret"): content for address, content in found.items()}


def links_of(address: str, content: bytes) -> Iterator[str]:
    """The pages and pictures that a page leads to."""
    for link in re.findall(r'(?:href|src)="([^"]+)"', content.decode(errors="ignore")):
        yield urldefrag(urljoin(address, unescape(link))).url


def check_same(rare: str, counts: Iterable[int], whole: bool, read: Reading = read_everything) -> None:
    """Every byte is the same, whether so many people gave a rare undisguised answer, or nobody."""
    worlds = []
    for few in (0, *counts):
        with transaction.atomic():
            worlds.append(read(rare, few, whole))
            transaction.set_rollback(True)
    nobody, *others = worlds
    assert sum(content.startswith(b"200") for content in nobody.values()) > (60 if whole else 5)
    for other in others:
        assert other.keys() == nobody.keys()
        assert {address for address in nobody if other[address] != nobody[address]} == set()


def test_nothing_that_a_viewer_reads_tells_nobody_from_a_few() -> None:
    """The report, a comparison in groups, shares with weights, rules, a shared report, and answers of the API."""
    check_same("an option", [LEAST - 1], whole=False)


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.parametrize("rare", RARE[:2])
def test_nothing_that_a_viewer_reads_on_any_page_of_two_versions_tells_nobody_from_a_few(rare: str) -> None:
    """Reports of both, figures over time, and all pages that these lead to."""
    check_same(rare, [1, LEAST - 1], whole=True, read=read_versions)


@pytest.mark.long
def test_every_number_of_people_on_any_page_is_that_of_a_figure_that_is_looked_at() -> None:
    """Pages, pictures, the API, rules and a shared report print no other number, but the minimum and forecasts."""
    found = read_everything("an option", LEAST - 1, whole=True)
    numbers = {LEAST, 60, 200, 5000} | numbers_of(data_of(SurveyVersion.objects.get())) | people_that_would_do()

    assert len(said := people_said(found)) > 300
    assert {one for one in said if one[0] not in numbers} == set()


def people_that_would_do() -> set[int]:
    """The forecasts of how many people an aim takes, by what was guessed when a version was published."""
    versions = SurveyVersion.objects.all()
    aims = [aim for version in versions for aim in judge_version(version, 1_000).aims]
    return {
        aim.needed or 0 for aim in (*aims, *(judge_pairs_of_version(version, 1_000) for version in versions)) if aim
    }


def people_said(found: dict[str, bytes]) -> set[tuple[int, str]]:
    """Every number of people that is printed, with the page that says it."""
    return {
        (int("".join(filter(str.isdecimal, "".join(one)))), address)
        for address, content in found.items()
        for one in PEOPLE.findall(content.decode(errors="ignore"))
    }
