"""Every link leads somewhere: in every state of a survey, for every role, in both languages of staff.

Each file is downloaded, a Chinese page is Chinese, and no page says an error in the browser's console.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import numpy as np
import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone
from playwright.sync_api import ConsoleMessage, Page
from pytest_django.live_server_helper import LiveServer

from privacy.disguise import disguise
from privacy.records.packing import pack
from surveys.domain.closed.erase import erase
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.document import read_document
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal import ask as rehearsing
from surveys.domain.rehearsal.ask import fill, simulate_people
from surveys.domain.responses.seal import append
from surveys.models import Survey, SurveyVersion
from surveys.releases import decide
from surveys.releases.ask import ask
from surveys.results.sharing import share
from tests.cases import first
from tests.e2e.walking import sign_in
from tests.mining.surveys import mined_run, queued_run
from tests.surveys.making import add_block, add_question, make_survey, town_survey, write
from tests.surveys.results import making
from tests.surveys.results.releasing import ASKED, work
from tests.surveys.sending import send, submission

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_worker")]

VARIANTS = 6  # of one address, with other values after its question mark
FILE = re.compile(r'<button[^>]*name="file" value="([^"]*)"')

# What people read is between tags; what is marked as English, such as titles of the literature, is so on purpose.
APART = re.compile(
    r'<(script|style|template|code|pre|svg|textarea|noscript)\b.*?</\1>|<(\w+)\b[^>]*\slang="en".*?</\2>', re.S
)
READ = re.compile(r">([^<]+)<")
SENTENCE = re.compile(r"[A-Za-z]{2,} [a-z]{3,} [a-z]{3,}")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


class Links(HTMLParser):
    """What a page offers to open: links, pictures, what scripts ask for, and forms that are sent by GET as they are."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.places: Counter[str] = Counter()
        self._form: str | None = None
        self._fields: list[tuple[str, str]] = []
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attributes}
        self.places.update([of["id"]] if "id" in of else [])
        self.found += [of[name] for name in ("href", "src", "data-progress") if name in of and tag != "use"]
        if tag == "form" and of.get("method", "get").lower() == "get":
            self._form, self._fields = of.get("action", ""), []
        elif tag == "input" and of.get("name"):
            if of.get("type") not in ("checkbox", "radio", "submit") or "checked" in of:
                self._fields.append((of["name"], of.get("value", "")))
        elif tag == "select":
            self._select = of.get("name", "")
        elif tag == "option" and self._select and "selected" in of:
            self._fields.append((self._select, of.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        elif tag == "form" and self._form is not None:
            address, _, place = self._form.partition("#")
            self.found.append(f"{address.partition('?')[0]}?{urlencode(self._fields)}#{place}")
            self._form = None


def english_in(page: str, written: str) -> list[str]:
    """Sentences without a Chinese letter, but for what researchers wrote."""
    texts = [unescape(text).strip("() \n") for text in READ.findall(APART.sub("", page))]
    return [text for text in texts if SENTENCE.search(text) and not CHINESE.search(text) and text not in written]


def follow(client: Client, *start: str, language: str = "en") -> tuple[set[str], dict[str, str]]:
    """All addresses of this site that pages offer, breadth first; and those that lead nowhere, with the page that does.

    Of a page that has a name twice, that name: a label or a link would lead to the wrong part of it. Of a page of staff
    in Chinese, what is English in it.
    """
    broken, queue, asked, pages = {}, [("", address) for address in start], {*start}, {}
    written = json.dumps([*map(read_document, Survey.objects.all())], ensure_ascii=False)
    variants: dict[str, int] = {}
    fragments: list[tuple[str, str, str]] = []
    while queue:
        at, address = queue.pop(0)
        answer: Any = client.get(address, headers={"Accept-Language": language})
        if 300 <= answer.status_code < 400:
            offered = [answer["Location"]]
        elif answer.status_code not in (200, 422):  # 422: a page that says what a draft lacks for it
            broken[f"{address} ({answer.status_code})"] = at
            continue
        elif not answer.streaming and answer["Content-Type"].startswith("text/html"):
            text = answer.content.decode()
            links = Links(text)
            pages[address], offered = links.places, links.found
            wrong = [name for name, count in links.places.items() if count > 1]
            if language.startswith("zh") and address.startswith("/staff/") and "language=de" not in address:
                wrong += english_in(text, written)
            if wrong:
                broken[f"{address} ({wrong})"] = at
        else:
            answer.getvalue()  # the file that it streams is read, and closed
            continue
        for link in offered:
            whole = urlsplit(urljoin(f"http://testserver{address}", link))
            if (
                whole.netloc != "testserver"
                or whole.path.startswith(("/static/", "/docs/", "/client/"))
                or "logout" in whole.path
                or "/help/" in whole.path  # tests/config/test_guides.py follows these
            ):
                continue
            target = f"{whole.path}?{whole.query}".removesuffix("?")
            if whole.path.startswith("/staff/") and whole.fragment:
                fragments.append((address, target, whole.fragment))
            if target in asked:
                continue
            asked.add(target)
            variants[whole.path] = variants.get(whole.path, 0) + 1
            if variants[whole.path] <= VARIANTS:
                queue.append((address, target))
    for at, target, place in fragments:
        if place not in pages.get(target, {place}):
            broken[f"{target}#{place}"] = at
    return asked, broken


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


# ---- the states of a survey -----------------------------------------------------------------------------------------


def with_answers(count: int, *, closed: bool = False, **fields: object) -> SurveyVersion:
    return making.survey_with_results(count, closed=closed, **fields)  # type: ignore[arg-type]


def empty() -> Survey:
    return Survey.objects.create(slug="empty", title="Empty")


def with_rehearsal() -> Survey:
    survey = making.draft()
    fill(rehearsing.begin(survey, 200).pk)
    return survey


def being_rehearsed() -> Survey:
    survey = making.draft()
    rehearsing.begin(survey, 200)
    return survey


def with_version() -> Survey:
    survey = making.draft(override_by="Tests", override_reason="two blocks")
    publish(survey)
    return survey


def early() -> Survey:
    survey = with_version()
    Survey.objects.filter(pk=survey.pk).update(opens_at=timezone.now() + timedelta(days=1))
    return survey


def by_invitation() -> Survey:
    survey = make_survey(access="invitation")
    publish(survey)
    return survey


def being_sealed() -> Survey:
    version = with_answers(300)
    opened = {
        "remark": "none",
        "views": {"fair": "1"},
        "faculty": "law",
        "ways": ["bus"],
        "mood": "1",
        "hours": 4,
        "born": "2026-01-11",
    }
    for _ in range(5):
        answered = send(Client(), version.survey.slug, submission(version, open=opened))
        assert answered.status_code == 201, answered.content
    close(version.survey)
    return version.survey


def with_two_versions() -> Survey:
    survey = with_answers(300).survey
    write(survey, heading={"en": "New", "zh-hans": "新"})
    publish(survey, by="Tests", reason="two blocks")
    making.answer(survey.versions.last(), 250)  # type: ignore[arg-type]
    return survey


def with_runs() -> Survey:
    survey = with_answers(1500, closed=True).survey
    for parameters in ({}, {"min_support": 0.2}):
        mined_run(survey, **parameters)
    queued_run(survey, min_support=0.15)
    return survey


def with_tables(*, released: bool) -> Survey:
    version = with_answers(800, closed=True)
    table = ask(version, ASKED, None)
    work(table.pk)
    if released:
        decide.release(table.pk)
    else:
        work(ask(version, ASKED | {"method": "local"}, None).pk)
        ask(version, ASKED | {"suppression": 0.1}, None)
    return version.survey


def after_erasing() -> Survey:
    survey = with_answers(300, closed=True).survey
    erase(survey)
    return survey


def half_erased() -> Survey:
    survey = with_answers(300, closed=True).survey
    Survey.objects.filter(pk=survey.pk).update(erasing_since=timezone.now())
    return survey


def closed_town() -> Survey:
    """150 people said where they live, and a number."""
    survey = town_survey()
    survey.override_by, survey.override_reason = "Tests", "two blocks"
    survey.save()
    add_block(survey, "ages", "square-wave", settings={"epsilon": 2.0})
    add_question(survey, "age", type="number", block="ages", min="0", max="20")
    version = publish(survey)
    truth, direct = simulate_people(version.design, 150, np.random.default_rng(8))
    append(version, pack(disguise(version.design, truth, direct)), [b""] * 150)
    close(survey)
    return survey


STATES: dict[str, Callable[[], Survey]] = {
    "empty": empty,
    "rehearsed": with_rehearsal,
    "draft": making.draft,
    "being rehearsed": being_rehearsed,
    "published": with_version,
    "not open yet": early,
    "by invitation": by_invitation,
    "collecting, few": lambda: with_answers(30).survey,
    "collecting, enough": lambda: with_answers(300).survey,
    "being sealed": being_sealed,
    "closed, fewer than 20": lambda: with_answers(12, closed=True).survey,
    "closed, too few": lambda: with_answers(60, closed=True).survey,
    "closed": lambda: with_answers(1500, closed=True).survey,
    "superseded": with_two_versions,
    "a town": closed_town,
    "mined": with_runs,
    "tables made": lambda: with_tables(released=False),
    "released": lambda: with_tables(released=True),
    "shared": lambda: with_answers(800, closed=True).survey,
    "erased": after_erasing,
    "half erased": half_erased,
}


@pytest.mark.parametrize(
    ("state", "roles", "language"),
    first(
        1,
        [
            ("empty", (Role.VIEWER,), "en"),
            *((name, tuple(Role.values), ("en", "zh-CN")[place % 2]) for place, name in enumerate(STATES)),
            *((name, (), ("zh-CN", "en")[place % 2]) for place, name in enumerate(STATES)),
        ],
    ),
)
def test_every_link_leads_somewhere(client: Client, state: str, roles: tuple[str, ...], language: str) -> None:
    """For each role, and for somebody with every right: no page offers what is not there, or what they may not do. Each
    file that a page offers is given.
    """
    users = {role: User.objects.create(username=role, is_staff=True) for role in roles}
    if Role.OWNER in users:
        users[Role.OWNER].user_permissions.add(Permission.objects.get(codename="add_survey"))
    users["all"] = User.objects.create(username="all", is_staff=True, is_superuser=True)
    survey = STATES[state]()
    start = ["/staff/", f"/s/{survey.slug}/"]
    if state == "shared":
        start.append(f"/r/{share(survey.versions.get(), 'Colleague', ('answers', 'trust'), 30, users['all'])[1]}/")
    client.raise_request_exception = False
    broken: dict[str, object] = {}
    for role, user in users.items():
        if role != "all" and Survey.objects.filter(pk=survey.pk).exists():
            give(survey, user, role)
        client.force_login(user)
        if missing := follow(client, *start, language=language)[1]:
            broken[role] = missing
    if Survey.objects.filter(pk=survey.pk, erasing_since=None).exists():
        broken |= take_files(client, survey)
    assert broken == {}


def is_error(message: ConsoleMessage) -> bool:
    """Whether a page says an error: that the questionnaire of a closed survey is gone is none."""
    return message.type == "error" and "410 (Gone)" not in message.text


@pytest.mark.long
@pytest.mark.parametrize("state", ["empty", "draft", "collecting, enough", "closed", "a town", "mined", "shared"])
def test_no_page_says_an_error_in_the_console(live: LiveServer, page: Page, client: Client, state: str) -> None:
    """One of each kind of page, as a browser of an administrator opens it."""
    STATES[state]()
    sign_in(page, live)
    client.force_login(User.objects.get(username="ada"))
    pages: dict[tuple[object, ...], str] = {}
    for address in sorted(follow(client, "/staff/studio/")[0]):
        path = urlsplit(address).path
        if path.startswith(("/staff/", "/s/", "/r/")) and not path.endswith((".svg", ".csv", ".json", ".html")):
            found = resolve(path)
            pages.setdefault((found.view_name, found.kwargs.get("pk"), found.kwargs.get("slug")), path)

    said: list[tuple[str, str]] = []
    page.on("console", lambda message: said.append((page.url, message.text)) if is_error(message) else None)
    page.on("pageerror", lambda error: said.append((page.url, str(error))))
    for path in pages.values():
        if client.get(path, follow=True)["Content-Type"].startswith("text/html"):
            page.goto(live.url + path, wait_until="networkidle")

    assert len(pages) > 10
    assert said == []
