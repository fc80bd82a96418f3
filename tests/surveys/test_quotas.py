"""A survey with a quota keeps count: each response costs the same, however many wait, and no place is given twice."""

import json
import os
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.run import backups
from surveys.domain.database import scrub
from surveys.domain.messages.submission import Refused
from surveys.domain.questionnaire import quotas
from surveys.domain.questionnaire.closing import close
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal, sealing_keys
from surveys.domain.responses.receive import receive
from surveys.models import Inbox, QuotaCount, Residue, Survey, SurveyVersion
from tests.surveys.making import make_survey
from tests.surveys.sending import sign_in_the_open, submission


def receive_some(version: SurveyVersion, count: int) -> None:
    for _ in range(count):
        receive("study", json.dumps(submission(version)).encode())


def stored_counts(version: SurveyVersion) -> list[int]:
    return list(QuotaCount.objects.filter(survey=version.survey).values_list("responses", flat=True))


@pytest.fixture
def version() -> SurveyVersion:
    return publish(make_survey(quota=1000))


def commands(do: Callable[[], Any]) -> list[str]:
    """What the database is asked, without names of savepoints."""
    with CaptureQueriesContext(connection) as asked:
        do()
    return [query["sql"].split("'")[0].split("\\x")[0][:60] for query in asked if "SAVEPOINT" not in query["sql"]]


def test_a_response_costs_the_same_however_many_wait(version: SurveyVersion) -> None:
    """The lock, what stores it, and whether it took the last place; no model of Django's is made, no row counted."""
    receive_some(version, 1)
    stored = ["WITH"] if connection.vendor == "postgresql" else ["INSERT", "INSERT"]
    few = commands(lambda: receive_some(version, 1))
    receive_some(version, 60)
    assert commands(lambda: receive_some(version, 1)) == few
    assert [command.split()[0] for command in few] == ["SELECT", *stored, "SELECT"]
    assert not [command for command in few if "COUNT(" in command.upper() and "surveys_inbox" in command]


def test_a_quota_that_was_removed_is_asked_for_no_more(version: SurveyVersion) -> None:
    receive_some(version, 1)
    version.survey.quota = None
    version.survey.save(update_fields=["quota"])
    receive_some(version, 1)
    assert "SELECT" not in [command.split()[0] for command in commands(lambda: receive_some(version, 1))]


def test_who_asks_for_a_questionnaire_has_nothing_counted(client: Client, version: SurveyVersion) -> None:
    receive_some(version, 3)
    with CaptureQueriesContext(connection) as asked:
        assert client.get("/s/study/questionnaire").status_code == 200
    assert not [query for query in asked if 'FROM "surveys_inbox"' in query["sql"]]


def test_the_count_is_what_counting_would_find(version: SurveyVersion) -> None:
    """Through responses that are new, sent again, refused, sealed, and encrypted again."""
    message = json.dumps(submission(version)).encode()
    for _ in range(2):
        receive("study", message)
    with pytest.raises(Refused):
        receive("study", json.dumps(submission(version, version="0" * 64)).encode())
    receive_some(version, 40)
    for _ in range(2):
        seal.seal_all()
        scrub.used.move()
        receive("study", message)
        receive_some(version, 1)
    assert stored_counts(version) == [43] == [quotas._count_rows(version.survey)]


def test_an_invitation_that_was_used_takes_no_second_place() -> None:
    version = publish(make_survey(quota=5, access="invitation"))
    token = {"token": sign_in_the_open(version, os.urandom(32))}
    receive("study", json.dumps(submission(version, **token)).encode())
    with pytest.raises(Refused, match="has been used"):
        receive("study", json.dumps(submission(version, **token)).encode())
    assert stored_counts(version) == [1]


def test_a_web_server_of_the_version_before_is_counted_with(version: SurveyVersion) -> None:
    """It counts all rows under the survey's lock, and knows no count that is kept."""
    receive_some(version, 2)
    with connection.cursor() as cursor:
        key = [os.urandom(16), os.urandom(16), version.survey_id]
        cursor.execute("INSERT INTO surveys_submission (key, proof, survey_id) VALUES (%s, %s, %s)", key)
    assert stored_counts(version) == [3]


def test_a_count_that_is_missing_is_made_under_the_lock(version: SurveyVersion) -> None:
    """A site that was upgraded while people answer, or came back from a backup."""
    receive_some(version, 30)
    seal.seal_all()
    QuotaCount.objects.all().delete()
    assert quotas.count_received(version.survey) == 30
    assert stored_counts(version) == []
    receive_some(version, 1)
    assert stored_counts(version) == [31]


def test_nothing_is_kept_of_a_survey_without_a_quota_or_of_one_that_is_closed(version: SurveyVersion) -> None:
    endless = publish(make_survey("endless"))
    receive("endless", json.dumps(submission(endless)).encode())
    receive_some(version, 1)
    assert stored_counts(endless) == []
    close(version.survey)
    assert stored_counts(version) == []


def test_a_survey_that_is_full_keeps_the_day_of_its_end_alone() -> None:
    """The moment would be that of the last response."""
    full = publish(make_survey(quota=2))
    receive_some(full, 2)
    closed_at = Survey.objects.get(pk=full.survey_id).closed_at
    assert closed_at is not None
    assert (closed_at.date(), closed_at.time()) == (timezone.now().date(), time.min)


def test_what_is_given_up_is_taken_from_the_count(version: SurveyVersion, tmp_path: Path) -> None:
    """Its places can be taken by others."""
    receive_some(version, 3)
    with override_settings(CANDOR_DATA=tmp_path):
        for _ in range(3):  # the other host has no key ready any more
            sealing_keys.renew()
        receive_some(version, 2)
        assert stored_counts(version) == [5]
        call_command("lost_responses", give_up=True)
        receive_some(version, 1)
        assert stored_counts(version) == [3] == [Inbox.objects.count()]


def test_no_backup_holds_the_count() -> None:
    """It counts those that wait, which a backup leaves out: the survey would be full too soon."""
    assert QuotaCount._meta.db_table in backups.LEFT_OUT


@pytest.mark.django_db(transaction=True)
def test_no_older_count_stays_in_the_database(version: SurveyVersion) -> None:
    """On PostgreSQL each response leaves the row as it was before; a sealing drops these with the rest."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite writes a number over the one before")
    receive_some(version, 5)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_relation_filenode('surveys_quotacount')")
        before = cursor.fetchone()
        Residue.objects.create()
        assert scrub.remove()
        cursor.execute("SELECT pg_relation_filenode('surveys_quotacount')")
        assert cursor.fetchone() != before
    assert stored_counts(version) == [5]


@pytest.mark.django_db(transaction=True)
def test_what_is_rewritten_is_counted_once(version: SurveyVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of responses that come while a sealing moves the earlier ones lie in the table that is rewritten."""
    monkeypatch.setattr(scrub.used, "move", lambda _seconds: True)
    receive_some(version, 5)
    Residue.objects.create()
    assert scrub.remove()
    assert stored_counts(version) == [5]


@pytest.mark.parametrize(("stored", "quota"), [(100, 99), (None, 5000)])
def test_the_database_refuses_a_lower_quota(stored: int | None, quota: int) -> None:
    """No matter who asks it."""
    publish(make_survey(quota=stored))
    with pytest.raises(IntegrityError, match="quota can only be raised after publication"), transaction.atomic():
        Survey.objects.update(quota=quota)
    assert Survey.objects.get().quota == stored
