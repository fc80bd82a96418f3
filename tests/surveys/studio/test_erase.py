"""Erasing by hand in the studio: it names what will go, asks for the short name, and leaves a record."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from mining.models import MiningRun
from surveys.domain.closed import erase as erasing
from surveys.domain.people.roles import Role, give
from surveys.models import Erasure, SharedReport, Survey, TableRelease
from surveys.results.sharing import share
from tests.surveys.making import make_survey
from tests.surveys.results.making import survey_with_results


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
        "All responses are deleted, sealed and waiting.",
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


def test_a_draft_says_only_what_there_is(client: Client) -> None:
    """It has no responses and no links, and leaves no record."""
    user = User.objects.create(username="ann", is_staff=True)
    client.force_login(user)
    draft = make_survey()
    give(draft, user, Role.OWNER)
    page = client.get(f"/staff/studio/{draft.pk}/erase/").content.decode()
    assert ("responses" in page, "A record stays" in page) == (False, False)


def test_what_was_made_of_the_responses_is_named_and_goes_along(client: Client, survey: Survey) -> None:
    """Runs, tables and links to the report, each with their number, above the button, and in the record.

    A table that was made and not released is in neither: whether one could be made tells of people.
    """
    request_run(survey, MiningRequest(0.2, 0.5))
    for state in (TableRelease.State.DONE, TableRelease.State.READY):
        fields = {"snapshot": "0" * 64, "asked": {}, "requested_at": timezone.now()}
        TableRelease.objects.create(version=survey.versions.get(), state=state, **fields)
    share(survey.versions.get(), "the board", ["answers"], 7, User.objects.get(username="ann"))

    page = client.get(f"/staff/studio/{survey.pk}/erase/").content.decode()
    done = client.post(f"/staff/studio/{survey.pk}/erase/", {"slug": "study"})
    record = client.get("/staff/studio/erased/").content.decode()

    assert "released tables: 1, searches: 1, shared reports: 1." in " ".join(page.split())
    assert "released tables: 1, searches: 1, shared reports: 1</dd>" in record
    assert "Erase everything" in page
    assert done.status_code == 302
    assert [one.objects.count() for one in (MiningRun, TableRelease, SharedReport, Survey)] == [0] * 4


def test_what_had_another_name_in_an_older_version_is_shown_by_that(
    client: Client, survey: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasing keeps which rows went along; the program that reads it later may have them no more."""
    monkeypatch.setattr(erasing, "what_goes_along", lambda _survey: {"mining.MiningRun": 1, "gone.Search": 2})

    done = client.post(f"/staff/studio/{survey.pk}/erase/", {"slug": "study"})
    record = client.get("/staff/studio/erased/").content.decode()

    assert done.status_code == 302
    assert "gone.Search: 2, searches: 1</dd>" in record
