"""Erasing by hand in the studio: it names what will go, asks for the short name, and leaves a record."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from surveys.domain.people.roles import Role, give
from surveys.models import Erasure, Survey
from tests.surveys.making import make_survey
from tests.surveys.results.making import survey_with_results

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client: Client) -> Survey:
    owner = User.objects.create(username="ann", is_staff=True)
    client.force_login(owner)
    own = survey_with_results(200, closed=True).survey
    give(own, owner, Role.OWNER)
    return own


def test_it_says_what_will_go_and_what_stays(client: Client, survey: Survey) -> None:
    """Versions, responses, traces; the record, files that were taken, and backups."""
    page = client.get(f"/staff/studio/{survey.pk}/erase/").content.decode()
    for said in (
        "1 published version is deleted",
        "All responses are deleted, sealed and waiting: 200 answers.",
        "Traces in the database files are overwritten",
        "A record stays under “Erased surveys”",
        "This does not erase downloaded files or backups of the site.",
        "Type study to erase it",
    ):
        assert said in page


def test_only_its_short_name_erases_it(client: Client, survey: Survey) -> None:
    """Then the page of records shows it."""
    assert client.post(f"/staff/studio/{survey.pk}/erase/", {"slug": "studie"}).status_code == 422
    assert Survey.objects.filter(pk=survey.pk).exists()

    done = client.post(f"/staff/studio/{survey.pk}/erase/", {"slug": "study"}, follow=True)

    assert done.redirect_chain == [("/staff/studio/erased/", 302)]
    assert "“Study” is erased." in done.content.decode()
    assert (Survey.objects.count(), Erasure.objects.count()) == (0, 1)


def test_what_is_in_the_way_has_a_link_for_those_who_see_it(client: Client, survey: Survey) -> None:
    """Runs are on a page of administrators: others read only what must be deleted."""
    request_run(survey, MiningRequest(0.2, 0.5))
    pages = []
    for administers in False, True:
        User.objects.filter(username="ann").update(is_superuser=administers)
        pages.append(client.get(f"/staff/studio/{survey.pk}/erase/").content.decode().partition('id="refers"')[2])
    assert ['href="/staff/runs/"' in page for page in pages] == [False, True]
    assert ["mining runs: 1" in page for page in pages] == [True, True]


def test_a_draft_says_only_what_there_is(client: Client) -> None:
    """It has no responses and no links, and leaves no record."""
    user = User.objects.create(username="ann", is_staff=True)
    client.force_login(user)
    draft = make_survey()
    give(draft, user, Role.OWNER)
    page = client.get(f"/staff/studio/{draft.pk}/erase/").content.decode()
    assert ("responses" in page, "A record stays" in page) == (False, False)


def test_what_is_in_the_way_is_named(client: Client, survey: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no button then: nobody loses a report unnoticed."""
    monkeypatch.setattr("mining.domain.request.hint", lambda _run: None)
    request_run(survey, MiningRequest(0.2, 0.5))
    page = client.get(f"/staff/studio/{survey.pk}/erase/").content.decode()
    assert "mining runs: 1" in page
    assert "Erase everything" not in page
