"""Every link leads somewhere: in every state of a survey, for every role, in both languages of staff."""

import re
from collections import Counter, deque
from html import unescape
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client

from mining.models import MiningRun
from surveys.domain.closed.erase import erase
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.publish import publish
from surveys.models import Survey
from surveys.results.sharing import share
from tests.cases import first
from tests.mining.surveys import finished_run
from tests.surveys.making import make_survey
from tests.surveys.results.making import survey_with_results

pytestmark = pytest.mark.django_db

LINK = re.compile(r'<(?:a|link|img|script|form method="get")\b[^>]*?(?:href|src|action)="([^"]*)"')
NAME = re.compile(r'<[a-z][^>]*?\sid="([^"]*)"')
MOST = 1500


def every_state(people: dict[Role, User]) -> list[str]:
    """A draft, a survey that collects, a closed one, one with a run and a shared report, and one that is erased."""
    draft = make_survey("draft")
    collecting = survey_with_results(200, False, "collecting").survey
    closed = survey_with_results(200, True, "closed").survey
    run = finished_run()
    reported = run.survey
    empty = publish(make_survey("empty")).survey
    erased = publish(make_survey("erased")).survey
    for survey in (draft, collecting, closed, reported, empty, erased):
        for role, person in people.items():
            give(survey, person, role)
    _shared, token = share(run.snapshot.version, "Colleague", ["answers", f"rules-{run.pk}"], 7, people[Role.OWNER])
    erase(erased)
    return [f"/r/{token}/", *(f"/s/{survey.slug}/" for survey in (collecting, closed, reported, empty))]


def follow(client: Client, begin: list[str], language: str) -> tuple[set[str], dict[str, tuple[object, str]]]:
    """All addresses of this site that links name; and those that do not answer, with status and the page that links.

    Of a page that has a name twice, that name: a label or a link would lead to the wrong part of it.
    """
    waiting, known = deque((address, "") for address in begin), {*begin}
    broken: dict[str, tuple[object, str]] = {}
    while waiting and len(known) < MOST:
        address, came_from = waiting.popleft()
        answer: Any = client.get(address, headers={"Accept-Language": language}, follow=True)
        if answer.status_code >= 400:
            broken[address] = (answer.status_code, came_from)
        if answer.streaming or not answer["Content-Type"].startswith("text/html"):
            continue
        names = Counter(NAME.findall(answer.content.decode()))
        if twice := [name for name, count in names.items() if count > 1]:
            broken[address] = (twice, came_from)
        for link in LINK.findall(answer.content.decode()):
            there = urldefrag(urljoin(answer.request["PATH_INFO"], unescape(link))).url
            parts = urlsplit(there)
            if parts.netloc or not parts.path.startswith(("/staff/", "/s/", "/r/")) or "logout" in parts.path:
                continue
            place = parts.path if parts.path in known else there
            if place not in known:
                known.add(place)
                waiting.append((place, address))
    return known, broken


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
    assert Survey.objects.count() == 5
    assert MiningRun.objects.count() == 1

    counts, broken = [], {}
    for person in everybody:
        client.force_login(person)
        known, found = follow(client, ["/staff/studio/", *public], language)
        counts.append(len(known))
        broken |= {(person.username, address): why for address, why in found.items()}

    assert broken == {}
    assert 20 < min(counts) < max(counts) < MOST  # a clerk may open the fewest
