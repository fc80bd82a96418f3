"""Every link leads somewhere: in every state of a survey, for every role, in both languages of staff.

Each file is downloaded, a Chinese page is Chinese, and no page says an error in the browser's console.
"""

import json
import re
from collections import Counter, deque
from html import unescape
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve, reverse
from playwright.sync_api import ConsoleMessage, Page
from pytest_django.live_server_helper import LiveServer

from mining.models import MiningRun
from privacy.disguise import disguise
from privacy.records.packing import pack
from surveys.domain.closed.erase import erase
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal.ask import simulate_people
from surveys.domain.responses.seal import append
from surveys.models import Survey
from surveys.results.sharing import share
from tests.cases import first
from tests.e2e.walking import sign_in
from tests.mining.surveys import finished_run
from tests.surveys.making import add_block, add_question, make_survey, town_survey
from tests.surveys.results.making import survey_with_results

pytestmark = pytest.mark.django_db

LINK = re.compile(r'<(?:a|link|img|script|form method="get")\b[^>]*?(?:href|src|action)="([^"]*)"')
NAME = re.compile(r'<[a-z][^>]*?\sid="([^"]*)"')
FILE = re.compile(r'<button[^>]*name="file" value="([^"]*)"')
MOST = 1500

# What people read is between tags; what is marked as English, such as titles of the literature, is so on purpose.
APART = re.compile(
    r'<(script|style|template|code|pre|svg|textarea|noscript)\b.*?</\1>|<(\w+)\b[^>]*\slang="en".*?</\2>', re.S
)
READ = re.compile(r">([^<]+)<")
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{3,} [a-z]{3,}")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def every_state(people: dict[Role, User]) -> list[str]:
    """An empty draft, a draft, a survey that collects, a closed one, one with a run and a shared report, an erased one.

    The closed one asks for options, numbers and words; another one for a disguised place and number.
    """
    town, blank = closed_town(), make_survey("blank", ())
    draft = make_survey("draft")
    collecting = survey_with_results(200, False, "collecting").survey
    closed = survey_with_results(200, True, "closed").survey
    run = finished_run()
    reported = run.survey
    empty = publish(make_survey("empty")).survey
    erased = publish(make_survey("erased")).survey
    for survey in (blank, draft, collecting, closed, reported, town, empty, erased):
        for role, person in people.items():
            give(survey, person, role)
    _shared, token = share(run.snapshot.version, "Colleague", ["answers", f"rules-{run.pk}"], 7, people[Role.OWNER])
    erase(erased)
    return [f"/r/{token}/", *(f"/s/{survey.slug}/" for survey in (collecting, closed, reported, town, empty))]


def closed_town() -> Survey:
    """150 people said where they live, and a number."""
    survey = town_survey()
    survey.slug, survey.override_by, survey.override_reason = "town", "Tests", "two blocks"
    survey.save()
    add_block(survey, "ages", "square-wave", settings={"epsilon": 2.0})
    add_question(survey, "age", type="number", block="ages", min="0", max="20")
    version = publish(survey)
    truth, direct = simulate_people(version.design, 150, np.random.default_rng(8))
    append(version, pack(disguise(version.design, truth, direct)), [b""] * 150)
    close(survey)
    return survey


def english_in(page: str, written: str) -> list[str]:
    """Sentences without a Chinese letter, but for what researchers wrote."""
    texts = [unescape(text).strip("() \n") for text in READ.findall(APART.sub("", page))]
    return [text for text in texts if SENTENCE.search(text) and not CHINESE.search(text) and text not in written]


def follow(client: Client, begin: list[str], language: str) -> tuple[set[str], dict[str, tuple[object, str]]]:
    """All addresses of this site that links name; and those that do not answer, with status and the page that links.

    Of a page that has a name twice, that name: a label or a link would lead to the wrong part of it. Of a page of staff
    in Chinese, what is English in it.
    """
    waiting, known = deque((address, "") for address in begin), {*begin}
    written = json.dumps([*map(read_document, Survey.objects.all())], ensure_ascii=False)
    broken: dict[str, tuple[object, str]] = {}
    while waiting and len(known) < MOST:
        address, came_from = waiting.popleft()
        answer: Any = client.get(address, headers={"Accept-Language": language}, follow=True)
        if answer.status_code >= 400:
            broken[address] = (answer.status_code, came_from)
        if answer.streaming or not answer["Content-Type"].startswith("text/html"):
            continue
        text = answer.content.decode()
        if language.startswith("zh") and address.startswith("/staff/") and (english := english_in(text, written)):
            broken[address] = (english, came_from)
        names = Counter(NAME.findall(text))
        if twice := [name for name, count in names.items() if count > 1]:
            broken[address] = (twice, came_from)
        for link in LINK.findall(text):
            there = urldefrag(urljoin(answer.request["PATH_INFO"], unescape(link))).url
            parts = urlsplit(there)
            if parts.netloc or not parts.path.startswith(("/staff/", "/s/", "/r/")) or "logout" in parts.path:
                continue
            place = parts.path if parts.path in known else there
            if place not in known:
                known.add(place)
                waiting.append((place, address))
    return known, broken


def take_files(client: Client, survey: Survey) -> dict[str, tuple[object, str]]:
    """The files of a survey that are not given, or are empty."""
    address = reverse("studio:files", args=[survey.pk])
    broken: dict[str, tuple[object, str]] = {}
    for file in FILE.findall(client.get(address).content.decode()):
        answer: Any = client.post(address, {"file": file})
        size = sum(map(len, answer.streaming_content)) if answer.streaming else 0
        if answer.status_code != 200 or not size:
            broken[file] = (answer.status_code, address)
    return broken


def test_every_link_of_a_draft_and_of_what_was_published_leads_somewhere(client: Client) -> None:
    """For somebody who may only look."""
    viewer = User.objects.create(username="viewer", is_staff=True)
    for survey in (make_survey("draft"), publish(make_survey("empty")).survey):
        give(survey, viewer, Role.VIEWER)
    client.force_login(viewer)

    known, broken = follow(client, ["/staff/studio/"], "en")

    assert len(known) > 15
    assert broken == {}


@pytest.mark.long
@pytest.mark.parametrize("language", first(1, ["en", "zh-CN"]))
def test_every_link_of_every_state_leads_somewhere(
    client: Client, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """For an owner, an editor, an analyst, a viewer and a clerk, and an administrator."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    people = {role: User.objects.create(username=role.value, is_staff=True) for role in Role}
    public = every_state(people)
    everybody = [*people.values(), User.objects.create_superuser("admin")]
    assert Survey.objects.count() == 7
    assert MiningRun.objects.count() == 1

    counts: list[int] = []
    broken: dict[tuple[str, str], tuple[object, str]] = {}
    for person in everybody:
        client.force_login(person)
        known, found = follow(client, ["/staff/studio/", *public], language)
        counts.append(len(known))
        broken |= {(person.username, address): why for address, why in found.items()}
    for survey in Survey.objects.all():
        broken |= {("admin", name): why for name, why in take_files(client, survey).items()}

    assert [f"{who} {address}: {why}" for (who, address), why in broken.items()] == []
    assert 20 < min(counts) < max(counts) < MOST  # a clerk may open the fewest


def is_error(message: ConsoleMessage) -> bool:
    """Whether a page says an error: that the questionnaire of a closed survey is gone is none."""
    return message.type == "error" and "410 (Gone)" not in message.text


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_no_page_of_any_state_says_an_error_in_the_console(
    live: LiveServer, page: Page, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each kind of page one for each survey, as a browser of an administrator opens it."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run_id: None)
    public = every_state({role: User.objects.create(username=role.value, is_staff=True) for role in Role})
    sign_in(page, live)
    client.force_login(User.objects.get(username="ada"))
    known, _broken = follow(client, ["/staff/studio/", *public], "en")
    pages: dict[tuple[object, ...], str] = {}
    for address in sorted(known):
        path = urlsplit(address).path
        if not path.endswith((".svg", ".csv", ".json", ".html")):
            found = resolve(path)
            pages.setdefault((found.view_name, found.kwargs.get("pk"), found.kwargs.get("slug")), path)

    said: list[tuple[str, str]] = []
    page.on("console", lambda message: said.append((page.url, message.text)) if is_error(message) else None)
    page.on("pageerror", lambda error: said.append((page.url, str(error))))
    for path in pages.values():
        kind = client.get(path, follow=True)["Content-Type"]
        if kind.startswith("text/html"):
            page.goto(live.url + path, wait_until="networkidle")

    assert len(pages) > 100
    assert said == []
