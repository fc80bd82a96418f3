"""A survey is kept no longer than its day says; what was erased, and when, stands in a record that nobody changes."""

import json
from datetime import date, timedelta
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, OperationalError, transaction
from django.test import Client
from django.utils import timezone

from mining.models import MiningRun
from surveys.domain.closed import erase as erasing
from surveys.domain.closed.erase import erase, erase_due, note_removed, records
from surveys.domain.people.roles import Role, give
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses.snapshots import cite
from surveys.models import Erasure, Residue, Snapshot, Survey
from tests.clocks import stop_days, trust_clock
from tests.mining.surveys import queued_run, sealed_survey
from tests.surveys.databases import count_queries
from tests.surveys.making import make_survey
from tests.surveys.staff import somebody

NOW = timezone.now()
YESTERDAY, TODAY, LATER = (timezone.localdate(NOW) + timedelta(days=days) for days in (-1, 0, 30))


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_days(monkeypatch, TODAY)
    trust_clock(monkeypatch, lambda: NOW)


def last_record() -> dict[str, Any]:
    """The last record, without its time."""
    content = json.loads(bytes(Erasure.objects.latest("id").content))
    assert timezone.now() - timezone.datetime.fromisoformat(content.pop("erased")) < timedelta(minutes=5)
    return content


# ---- the duty -------------------------------------------------------------------------------------------------------


def test_after_its_day_a_survey_is_erased_with_all_that_was_found() -> None:
    """Also what otherwise forbids it, a mining run; the record says what there was, and that nothing is left."""
    survey = sealed_survey(300, keep_until=YESTERDAY, least=20)
    queued_run(survey)
    version, name = survey.versions.get(), cite(Snapshot.objects.get())
    erase_due()
    erase_due()  # however often it looks

    assert (Survey.objects.count(), MiningRun.objects.count(), Snapshot.objects.count()) == (0, 0, 0)
    assert Erasure.objects.count() == 1
    assert last_record() == {
        "candor": 1,
        "survey": "study",
        "why": "date",
        "versions": [{"number": 1, "version": version.sha256, "respondents": 300, "cited": name}],
        "made": {"mining.miningrun": 1},
        "statement": None,
        "left": 0,
        "before": None,
    }


@pytest.mark.parametrize("until", [None, TODAY, LATER])
def test_until_its_day_is_over_it_stays(until: date | None) -> None:
    """The day itself is the last one."""
    sealed_survey(300, keep_until=until)
    erase_due()
    assert (Survey.objects.count(), Erasure.objects.count()) == (1, 0)


def test_a_draft_is_not_erased_and_leaves_no_record() -> None:
    """Nobody has sent anything to it."""
    draft = make_survey(keep_until=YESTERDAY)
    erase_due()
    assert Survey.objects.count() == 1
    erase(draft)
    assert Erasure.objects.count() == 0


def test_a_duty_that_dies_half_way_is_done_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile the survey is closed, all of it is there, and there is no record."""
    survey = sealed_survey(300, keep_until=YESTERDAY)
    with monkeypatch.context() as broken:
        broken.setattr(erasing, "_delete", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            erase_due()
    survey.refresh_from_db()
    assert (survey.closed_at is not None, Snapshot.objects.count(), Erasure.objects.count()) == (True, 1, 0)

    erase_due()
    assert (Survey.objects.count(), Erasure.objects.count()) == (0, 1)


def test_one_that_cannot_be_erased_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is tried again."""
    for slug in ("first", "second"):
        sealed_survey(300, slug, keep_until=YESTERDAY)
    with monkeypatch.context() as broken:
        delete = erasing._delete
        once = [OperationalError("lock timeout")]
        broken.setattr(erasing, "_delete", lambda survey: (_ for _ in ()).throw(once.pop()) if once else delete(survey))
        erase_due()
    assert Survey.objects.count() == 1
    erase_due()
    assert Survey.objects.count() == 0


def test_rows_that_are_left_undo_the_erasing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count is made in the same transaction, so that no record can say what is not so."""
    survey = sealed_survey(300)
    monkeypatch.setattr(erasing, "count_left", lambda *_: 1)
    with pytest.raises(erasing.EntryError, match="could not be erased now"):
        erase(survey)
    assert (Snapshot.objects.count(), Erasure.objects.count()) == (1, 0)


# ---- the record -----------------------------------------------------------------------------------------------------


def test_of_few_the_record_tells_no_number() -> None:
    """As no report does."""
    erase(sealed_survey(60))
    assert (last_record()["versions"][0]["respondents"], last_record()["why"]) == (None, "hand")


def test_each_record_names_the_one_before_and_is_signed() -> None:
    """One that is changed is told, and so is one whose predecessor was taken out."""
    for slug in ("a", "b", "c"):
        erase(publish(make_survey(slug)).survey)
    first, second, third = Erasure.objects.all()
    assert json.loads(bytes(third.content))["before"] == second.sha256
    assert [one.holds for one in records(Erasure.objects.all())] == [True, True, True]

    third.content = bytes(third.content).replace(b'"left":0', b'"left":1')
    assert [one.holds for one in records([third])] == [False]
    Erasure.objects.filter(pk=first.pk).delete()
    assert [one.holds for one in records([second])] == [False]


@pytest.mark.parametrize("field", ["content", "mark", "sha256"])
def test_the_database_refuses_to_change_a_record(field: str) -> None:
    """No matter who tries; the time at which traces were gone is set once."""
    erase(publish(make_survey()).survey)
    with pytest.raises(IntegrityError, match="a record of erasing stays"), transaction.atomic():
        Erasure.objects.update(**{field: "0" if field == "sha256" else b"0"})
    Residue.objects.all().delete()
    note_removed()
    with pytest.raises(IntegrityError, match="a record of erasing stays"), transaction.atomic():
        Erasure.objects.update(removed_at=None)


def test_traces_are_gone_when_none_wait_to_be_removed() -> None:
    """Not before."""
    erase(publish(make_survey()).survey)
    note_removed()
    waiting = Erasure.objects.get().removed_at
    Residue.objects.all().delete()
    note_removed()
    assert (waiting, Erasure.objects.get().removed_at is not None) == (None, True)


# ---- the day --------------------------------------------------------------------------------------------------------


@pytest.fixture
def editor(client: Client) -> Client:
    client.force_login(User.objects.create(username="ed", is_staff=True))
    return client


def publish_own(client: Client, **fields: Any) -> Survey:
    survey = make_survey(**fields)
    give(survey, User.objects.get(pk=client.session["_auth_user_id"]), Role.EDITOR)
    publish(survey)
    return survey


def send(client: Client, survey: Survey, until: Any, **more: Any) -> Any:
    return client.post(f"/staff/studio/{survey.pk}/dates/", {"keep_until": until, **more})


@pytest.mark.parametrize(
    ("stored", "sent", "kept"),
    [
        (LATER, TODAY, TODAY),
        (None, LATER, LATER),
        (TODAY, LATER, TODAY),
        (TODAY, "", TODAY),
    ],
)
def test_the_day_of_a_published_survey_only_comes_earlier(
    editor: Client, stored: date | None, sent: Any, kept: date
) -> None:
    """Set later it is earlier than never. The page refuses the rest with a sentence and the database with a trigger."""
    survey = publish_own(editor, keep_until=stored)
    answer = send(editor, survey, sent)
    assert Survey.objects.get().keep_until == kept
    assert ("only choose an earlier day" in answer.content.decode()) is (answer.status_code == 422) is (kept == stored)
    with pytest.raises(IntegrityError, match="can only come earlier"), transaction.atomic():
        Survey.objects.update(keep_until=kept + timedelta(days=1))


def test_the_day_of_a_draft_is_free(editor: Client) -> None:
    """Nobody has relied on it."""
    survey = make_survey(keep_until=TODAY)
    Survey.objects.update(keep_until=LATER)
    Survey.objects.update(keep_until=None)
    survey.refresh_from_db()
    assert survey.keep_until is None


def test_a_day_that_has_passed_asks_first(editor: Client) -> None:
    """It names what will happen; after consent the duty erases it."""
    survey = publish_own(editor)
    asked = send(editor, survey, YESTERDAY)
    assert "the survey is closed and erased for good" in asked.content.decode()
    assert Survey.objects.get().keep_until is None

    editor.post(f"/staff/studio/{survey.pk}/dates/", dict(asked.context["kept"]))
    erase_due()
    assert Survey.objects.count() == 0


def test_a_closed_survey_takes_a_day_and_nothing_else(editor: Client) -> None:
    """Other dates are over; what is sent of them is not read."""
    survey = publish_own(editor)
    close(survey)
    send(editor, survey, LATER, closes_at="2030-01-01T00:00", quota=5)
    survey.refresh_from_db()
    assert (survey.keep_until, survey.closes_at, survey.quota) == (LATER, None, None)
    page = editor.get(f"/staff/studio/{survey.pk}/fieldwork/").content.decode()
    assert "everything is erased" in page


def test_it_is_not_erased_before_it_closes(editor: Client) -> None:
    """The two days are compared."""
    survey = publish_own(editor)
    closes = f"{timezone.localtime() + timedelta(days=60):%Y-%m-%dT%H:%M}"
    answer = send(editor, survey, LATER, closes_at=closes)
    assert "It would be erased before it closes." in answer.content.decode()
    assert Survey.objects.get().keep_until is None


# ---- the page -------------------------------------------------------------------------------------------------------


def test_records_are_read_by_those_who_had_a_role(client: Client) -> None:
    """And by administrators; by nobody else, and not without signing in."""
    assert client.get("/staff/studio/erased/").status_code == 302
    had, other = (User.objects.create(username=name, is_staff=True) for name in ("had", "other"))
    survey = publish(make_survey("gone-for-good")).survey
    give(survey, had, Role.VIEWER)
    erase(survey)
    pages = []
    for user in (had, somebody(), other):
        client.force_login(user)
        pages.append(client.get("/staff/studio/erased/").content.decode())
    assert ["gone-for-good" in page for page in pages] == [True, True, False]
    assert "whole, and signed by this site" in pages[0]


def test_the_page_asks_as_often_for_many_records_as_for_one(client: Client) -> None:
    """However many surveys were erased."""
    queries = partial(count_queries, lambda: client.get("/staff/studio/erased/"))
    client.force_login(somebody())
    erase(publish(make_survey("one")).survey)
    queries()  # what a process reads once
    one = queries()
    for slug in ("two", "three"):
        erase(publish(make_survey(slug)).survey)
    assert queries() == one
