"""Who may do what with a mining run: every address of a run, walked by every role in its survey."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver, reverse

from mining.models import MiningRun
from surveys.domain.people.roles import Role, give
from surveys.models import Survey
from tests.cases import first
from tests.mining.surveys import finished_run, sealed_survey
from tests.surveys.staff import leave_unwritten
from tests.surveys.studio.walking import addresses

OWNER, EDITOR, ANALYST, VIEWER, CLERK, INTERVIEWER = Role.values
ALL, MINERS = {*Role.values} - {CLERK, INTERVIEWER}, {OWNER, ANALYST}
STRANGER = "stranger"

# Whom each page of one run lets in. An address that is missing here fails the walk.
PAGES = {
    "mining_run_progress": ALL,
    "mining_run_cancel": MINERS,
    "mining_run_again": MINERS,
    "mining_run_review": MINERS,
    "mining_run_picture": ALL,
    "mining_run_export": ALL,
    "mining_run": ALL,
    "mining_run_delete": set(),
}
ONLY_POST = {"mining_run_cancel", "mining_run_again", "mining_run_review"}


def people(survey: Survey) -> dict[str, Client]:
    clients = {}
    for name in (*Role.values, STRANGER):
        user = User.objects.create(username=name, is_staff=True)
        if name != STRANGER:
            give(survey, user, name)
        clients[name] = Client()
        clients[name].force_login(user)
    return clients


@pytest.mark.parametrize("step", first(1, [2, 1]))
def test_every_page_of_a_run_lets_in_whom_it_should(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """By the role in its survey; a person without one finds no page and no file. Each page is asked for by all, or by
    every other one by turns; pages are not written out.
    """
    leave_unwritten(monkeypatch)
    run = finished_run()
    visitors = people(run.survey)
    walked: dict[str, set[str]] = {}
    expected: dict[str, set[str]] = {}
    asked = [(name, pattern) for name, pattern in addresses(get_resolver().url_patterns) if "<int:run_id>" in pattern]
    for place, (name, pattern) in enumerate(asked):
        if not name.startswith("mining_run"):
            continue
        own = dict(list(visitors.items())[place % step :: step])
        expected[name] = PAGES.get(name, set()) & own.keys()
        file = "rules.csv" if name == "mining_run_export" else "tree"
        address = "/" + pattern.replace("<int:run_id>", str(run.pk))
        address = address.replace("<str:name>", file)
        for who, client in own.items():
            answer = (client.post if name in ONLY_POST else client.get)(address)
            if answer.status_code != 403 and not (answer.status_code == 404 and who == STRANGER):
                walked.setdefault(name, set()).add(who)

    assert {name: walked.get(name, set()) for name in expected} == expected
    assert expected.keys() == PAGES.keys()


def test_an_analyst_mines_their_own_surveys_and_no_others() -> None:
    """Another survey has no such page for them."""
    own, other = sealed_survey(300, "study", closed=True), sealed_survey(200, "other", closed=True)
    client = people(own)[ANALYST]
    address, elsewhere = (reverse("mining_start", args=[survey.pk]) for survey in (own, other))
    asked = {
        "min_support": "0.1",
        "min_confidence": "0.3",
        "max_length": "2",
        "estimator": "stratified",
        "engine": "auto",
    }
    refused = [client.get(elsewhere).status_code, client.post(elsewhere, asked).status_code]
    started = client.post(address, asked)
    run = MiningRun.objects.get()

    assert (refused, started["Location"], run.survey) == ([404, 404], run.get_absolute_url(), own)


def test_the_list_of_runs_holds_those_of_ones_surveys() -> None:
    """A viewer sees them and starts none; a stranger has no such page."""
    run, _other = finished_run(), sealed_survey(300, "other")
    visitors = people(run.survey)
    address = reverse("mining_runs")
    give(_other, User.objects.create(username="elsewhere", is_staff=True), VIEWER)
    elsewhere = Client()
    elsewhere.force_login(User.objects.get(username="elsewhere"))

    seen = {who: visitors[who].get(address) for who in (VIEWER, ANALYST)} | {"elsewhere": elsewhere.get(address)}
    assert {who: run.get_absolute_url() in page.content.decode() for who, page in seen.items()} == {
        VIEWER: True,
        ANALYST: True,
        "elsewhere": False,
    }
    form, asked = reverse("mining_start", args=[run.survey.pk]), {"min_support": "0.1", "min_confidence": "0.3"}
    assert [visitors[who].get(form).status_code for who in (VIEWER, ANALYST, CLERK, STRANGER)] == [200, 200, 404, 404]
    assert [visitors[who].post(form, asked).status_code for who in (VIEWER, ANALYST)] == [403, 302]
    assert visitors[STRANGER].get(address).status_code == 403


def test_the_bar_leads_reviewers_to_what_waits_for_them() -> None:
    """By their role in a survey; who may review nothing is not led there."""
    visitors = people(sealed_survey(300))
    entry = f'<a href="{reverse("mining_runs")}">To review</a>'
    led = {who for who, client in visitors.items() if entry in client.get("/staff/studio/").content.decode()}
    assert led == MINERS
