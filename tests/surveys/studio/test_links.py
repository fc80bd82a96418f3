"""Every link of every page of staff leads to a page, in every state of a survey and for every role."""

from collections.abc import Callable
from datetime import timedelta
from html.parser import HTMLParser
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from mining.domain.claim import claim, finish
from mining.domain.result import mine_run
from surveys.domain.closed.erase import erase
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.rehearsal import ask as rehearsing
from surveys.domain.rehearsal.ask import fill
from surveys.models import Survey, SurveyVersion
from surveys.releases import decide
from surveys.releases.ask import ask
from surveys.results import sharing
from tests.cases import first
from tests.mining.surveys import queued_run
from tests.surveys.making import make_survey, write
from tests.surveys.results import making
from tests.surveys.results.releasing import ASKED, work
from tests.surveys.sending import send, submission

pytestmark = pytest.mark.django_db

VARIANTS = 6  # of one address, with other values after its question mark


class Links(HTMLParser):
    """What a page offers to open: links, pictures, what scripts ask for, and forms that are sent by GET as they are."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.places: set[str] = set()
        self._form: str | None = None
        self._fields: list[tuple[str, str]] = []
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attributes}
        self.places.add(of.get("id", ""))
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


def follow(client: Client, start: str) -> dict[str, str]:
    """Every address that leads nowhere, and the page that offers it: breadth first, on this site."""
    broken, queue, asked, pages = {}, [("", start)], {start}, {}
    variants: dict[str, int] = {}
    fragments: list[tuple[str, str, str]] = []
    while queue:
        at, address = queue.pop(0)
        answer = client.get(address)
        if 300 <= answer.status_code < 400:
            offered = [answer["Location"]]
        elif answer.status_code not in (200, 422):  # 422: a page that says what a draft lacks for it
            broken[f"{address} ({answer.status_code})"] = at
            continue
        elif not answer.streaming and answer["Content-Type"].startswith("text/html"):
            links = Links(answer.content.decode())
            pages[address], offered = links.places, links.found
        else:
            answer.getvalue()  # the file that it streams is read, and closed
            continue
        for one in offered:
            whole = urlsplit(urljoin(f"http://testserver{address}", one))
            if whole.netloc != "testserver" or whole.path.startswith(("/static/", "/docs/", "/client/")):
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
        run = queued_run(survey, **parameters)
        finish(run.pk, claim(run.pk), *mine_run(run, lambda *_: None))
    queued_run(survey, min_support=0.15)
    return survey


def with_releases() -> Survey:
    version = with_answers(800, closed=True)
    made = ask(version, ASKED, None)
    work(made.pk)
    decide.release(made.pk)
    work(ask(version, ASKED | {"method": "local"}, None).pk)
    ask(version, ASKED | {"suppression": 0.1}, None)
    return version.survey


def with_shared_report() -> Survey:
    version = with_answers(800, closed=True)
    sharing.share(version, "Colleague", ("answers", "trust"), 30, User.objects.first())  # type: ignore[arg-type]
    return version.survey


def after_erasing() -> Survey:
    survey = with_answers(300, closed=True).survey
    erase(survey)
    return survey


def half_erased() -> Survey:
    survey = with_answers(300, closed=True).survey
    Survey.objects.filter(pk=survey.pk).update(erasing_since=timezone.now())
    return survey


OTHERS: dict[str, Callable[[], Survey]] = {
    "empty": empty,
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
    "mined": with_runs,
    "released": with_releases,
    "shared": with_shared_report,
    "erased": after_erasing,
    "half erased": half_erased,
}


@pytest.mark.parametrize(
    ("state", "roles"),
    first(1, [(next(iter(OTHERS)), (Role.VIEWER,)), *((name, tuple(Role.values)) for name in ("rehearsed", *OTHERS))]),
)
def test_every_link_of_staff_leads_to_a_page(
    state: str, roles: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each role, and for somebody with every right: no page offers what is not there, or what they may not do."""
    monkeypatch.setattr("surveys.releases.ask.hint", lambda _pk: None)
    users = {role: User.objects.create(username=role, is_staff=True) for role in roles}
    if Role.OWNER in users:
        users[Role.OWNER].user_permissions.add(Permission.objects.get(codename="add_survey"))
    users["all"] = User.objects.create(username="all", is_staff=True, is_superuser=True)
    survey = (OTHERS | {"rehearsed": with_rehearsal})[state]()
    broken = {}
    for role, user in users.items():
        if role != "all" and Survey.objects.filter(pk=survey.pk).exists():
            give(survey, user, role)
        client = Client(raise_request_exception=False)
        client.force_login(user)
        if missing := follow(client, "/staff/"):
            broken[role] = missing
    assert broken == {}
