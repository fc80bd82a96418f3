"""Tables of a closed version are released whole, once, and never so that an earlier release is broken."""

import csv
import io
from collections import Counter
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from privacy.errors import InputError
from surveys.models import SurveyVersion, TableRelease
from surveys.releases import claim as claiming
from surveys.releases.ask import ask, take_up
from surveys.releases.make import made_of, report_of, work
from tests.surveys.results.making import survey_with_results

pytestmark = pytest.mark.django_db
ASKED = {"roles": {"faculty": "known", "mood": "steps"}, "k": 5, "l": 2, "share": 0.05, "language": "en"}
State = TableRelease.State


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests do the work themselves."""
    monkeypatch.setattr("surveys.releases.ask.hint", lambda _pk: None)


@pytest.fixture
def version() -> SurveyVersion:
    return survey_with_results(800)


def somebody(*actions: str) -> Client:
    user = User.objects.create_user("-".join(actions) or "nobody", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=[f"{action}_survey" for action in actions]))
    client = Client()
    client.force_login(user)
    return client


def rows(release: TableRelease) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(bytes(release.table).decode(), newline="")))


def done(version: SurveyVersion, **other: object) -> TableRelease:
    release = ask(version, ASKED | other, None)
    work(release.pk)
    return TableRelease.objects.get(pk=release.pk)


def test_a_release_has_every_response_and_enough_who_are_alike(version: SurveyVersion) -> None:
    """Counted from the file; disguised columns are in it, questions that were left out are not."""
    release = done(version)

    found = rows(release)
    classes = Counter((row["direct"], row["faculty"], row["mood"]) for row in found)
    hidden = classes.pop(("*", "*", "*"), 0)
    assert (release.state, release.share, len(found), hidden) == (State.DONE, 1, 800, release.report["suppressed"])
    assert min(classes.values()) >= 5
    assert list(found[0]) == ["direct", "faculty", "mood", "drugs", "cheating", "theft", "age"]


def test_work_that_is_done_twice_is_done_once(version: SurveyVersion) -> None:
    """A task may arrive twice: the second finds nothing to do."""
    release = done(version)
    work(release.pk)

    again = TableRelease.objects.get(pk=release.pk)
    assert (again.attempts, again.ended_at, bytes(again.table)) == (1, release.ended_at, bytes(release.table))


def test_a_worker_that_was_given_up_writes_nothing(version: SurveyVersion) -> None:
    """It is killed half way; another makes the release; the first comes back and finds its token void."""
    release = ask(version, ASKED, None)
    token = claiming.claim(release.pk)
    assert token is not None
    assert claiming.claim(release.pk) is None
    made = made_of(release, lambda share: claiming.renew(release.pk, token, share))
    TableRelease.objects.filter(pk=release.pk).update(lease_until=timezone.now() - timedelta(seconds=1))

    take_up()
    assert TableRelease.objects.get(pk=release.pk).state == State.QUEUED
    work(release.pk)
    late = claiming.finish(release.pk, token, report_of(made), b"late", made.fingerprint)

    found = TableRelease.objects.get(pk=release.pk)
    assert (late, found.state, bytes(found.table) == b"late", claiming.renew(release.pk, token, 0.5)) == (
        False, State.DONE, False, False,
    )  # fmt: skip


def test_a_release_whose_workers_all_died_ends(version: SurveyVersion) -> None:
    """After three attempts it says so, and nothing of it is published."""
    release = ask(version, ASKED, None)
    for _ in range(3):
        claiming.claim(release.pk)
        TableRelease.objects.filter(pk=release.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        take_up()

    found = TableRelease.objects.get(pk=release.pk)
    assert (found.state, str(found.reason), bytes(found.table)) == (
        State.FAILED, "Its worker died 3 times; ask again.", b"",
    )  # fmt: skip


def test_a_release_that_would_break_an_earlier_one_is_refused(
    version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is kept, and no table; the same release once more tells nothing new."""
    done(version)
    assert done(version).state == State.DONE

    monkeypatch.setattr("privacy.release.earlier.newly_told", lambda _new, _earlier: {"drugs": 7})
    refused = done(version, roles={"faculty": "steps", "mood": "known"})

    assert (refused.state, bytes(refused.table), refused.report) == (State.FAILED, b"", {})
    assert "would tell “drugs” of 7 of them" in str(refused.reason)


def test_what_cannot_be_fulfilled_ends_with_the_reason(version: SurveyVersion) -> None:
    """Nobody has 700 others who are alike."""
    assert "too many responses would have to be hidden" in str(done(version, k=700, share=0.0).reason)


def test_only_a_closed_version_is_released() -> None:
    """While people may still answer, nothing is asked for."""
    with pytest.raises(InputError, match=r"closed|collects"):
        ask(survey_with_results(300, closed=False), ASKED, None)


def test_a_release_needs_an_answer_that_others_may_know(version: SurveyVersion) -> None:
    """One sentence says so."""
    with pytest.raises(InputError, match="Say of at least one question"):
        ask(version, ASKED | {"roles": {"faculty": "kept"}}, None)


def test_a_researcher_asks_on_the_page_and_reads_what_came_of_it(version: SurveyVersion) -> None:
    """The form makes a release; its page has risk, lattice, losses and first rows; three files can be had."""
    client = somebody("view", "change")
    address = reverse("admin:surveys_releases", args=[version.pk])
    assert client.get(address).status_code == 200

    sent = client.post(address, {"k": 5, "l": 2, "share": "0.05", "role-faculty": "known", "role-mood": "steps"})
    release = TableRelease.objects.get()
    waiting = client.get(sent["Location"]).content.decode()
    work(release.pk)
    shown = client.get(sent["Location"]).content.decode()

    assert sent["Location"] == reverse("admin:surveys_release", args=[version.pk, release.pk])
    assert ("<progress" in waiting, "<progress" in shown, "<svg" in shown) == (True, False, True)
    files = {
        kind: client.get(reverse("admin:surveys_release_file", args=[version.pk, release.pk, kind]))
        for kind in ("csv", "json", "html", "exe")
    }
    assert {kind: answer.status_code for kind, answer in files.items()} == {
        "csv": 200, "json": 200, "html": 200, "exe": 404,
    }  # fmt: skip
    assert files["json"].json()["asked"] == ASKED
    assert files["csv"].content == bytes(TableRelease.objects.get().table)
    assert "<svg" in files["html"].content.decode()


def test_wrong_values_are_said_at_the_form(version: SurveyVersion) -> None:
    """Nothing is asked for."""
    answer = somebody("change").post(
        reverse("admin:surveys_releases", args=[version.pk]), {"k": 1, "l": 2, "share": 0.1}
    )

    assert (answer.status_code, "errorlist" in answer.content.decode(), TableRelease.objects.count()) == (200, True, 0)


def test_who_may_only_look_can_neither_ask_nor_take_files(version: SurveyVersion) -> None:
    """403, and no form; who may not look gets 403 for the pages, too."""
    release = done(version)
    viewer, stranger = somebody("view"), somebody()
    pages = [
        reverse("admin:surveys_releases", args=[version.pk]),
        reverse("admin:surveys_release", args=[version.pk, release.pk]),
    ]
    file = reverse("admin:surveys_release_file", args=[version.pk, release.pk, "csv"])

    assert [viewer.get(page).status_code for page in pages] == [200, 200]
    assert [stranger.get(page).status_code for page in pages] == [403, 403]
    assert (viewer.get(file).status_code, viewer.post(pages[0], {}).status_code) == (403, 403)
    assert "role-faculty" not in viewer.get(pages[0]).content.decode()
