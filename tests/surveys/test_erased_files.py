"""Once the traces of an erasing are removed, the files of the database hold nothing of the survey any more."""

import os
import re
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mining.models import MiningResult, RuleReview
from surveys.domain.closed import erase as erasing
from surveys.domain.closed.erase import erase
from surveys.domain.database import scrub
from surveys.domain.questionnaire.publish import trial
from surveys.models import (
    DraftChange,
    Erasure,
    ReceiptPiece,
    Residue,
    SharedReport,
    Statement,
    Survey,
    TableRelease,
    TrialResponse,
    UsedEntry,
)
from tests.cases import only_on
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, wait_until
from tests.surveys.making import set_question
from tests.surveys.results.making import draft
from tests.surveys.thief import forget_log_files, stolen_files

pytestmark = pytest.mark.django_db(transaction=True)

LONG = 20_000  # bytes, which PostgreSQL keeps outside of the row


def marked_survey(slug: str) -> tuple[Survey, dict[str, bytes]]:
    """A closed survey, with a mark of its own in what was found, published and noted of it."""
    names = ("question", "change", "result", "review", "table", "report", "statement", "receipts", "note")
    marks = {name: os.urandom(16).hex().encode() for name in names}
    text = {name: mark.decode() for name, mark in marks.items()}
    if connection.vendor == "postgresql":  # which would keep a long draft compressed, where no mark is found
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE surveys_draftdocument ALTER COLUMN document SET STORAGE EXTERNAL")
    now, user = timezone.now(), User.objects.get_or_create(username="researcher")[0]
    survey = sealed_survey(300, slug, closed=True)
    version, run = survey.versions.get(), queued_run(survey)
    set_question(survey, "q0", text={"en": text["question"]})
    DraftChange.objects.create(survey=survey, number=1, at=now, name="text", parts={"q0": text["change"]})
    MiningResult.objects.create(run=run, summary={}, columns=marks["result"] + os.urandom(LONG))
    RuleReview.objects.create(run=run, rule="q0 ⇒ q1", verdict=RuleReview.Verdict.DOUBT, note=text["review"], at=now)
    made: dict[str, Any] = {"version": version, "snapshot": "0" * 64, "asked": {}, "requested_at": now}
    TableRelease.objects.create(**made, table=marks["table"] + os.urandom(LONG))
    SharedReport.objects.create(version=version, token=marks["report"], expires_at=now, created_at=now)
    statement = Statement.objects.create(
        survey=survey, content=marks["statement"], sha256="0" * 64, salt=os.urandom(32)
    )
    ReceiptPiece.objects.create(statement=statement, number=0, receipts=marks["receipts"] + os.urandom(LONG))
    LogEntry.objects.log_actions(user.pk, [survey], CHANGE, text["note"], single_object=True)
    return survey, marks


def find_marks(marks: dict[str, bytes]) -> list[str]:
    """The marks that stand in the files of the database."""
    content = b"\n".join(content for _, content in stolen_files())
    return [name for name, mark in marks.items() if mark in content]


def remove_traces() -> None:
    """As the duties of the sealing job do."""
    wait_until(scrub.remove, PATIENCE, "traces are removed")
    erasing.note_removed()


def test_the_files_hold_nothing_of_what_was_erased_once_the_record_says_so() -> None:
    """Neither runs, tables and reports nor statement and notes; of another survey everything is still there."""
    forget_log_files()
    (goes, gone), (_, kept) = marked_survey("goes"), marked_survey("stays")
    assert find_marks(gone) == list(gone)
    erase(goes)
    assert Erasure.objects.get().removed_at is None
    remove_traces()
    assert Erasure.objects.get().removed_at is not None
    assert (find_marks(gone), find_marks(kept)) == ([], list(kept))


def test_the_files_hold_nothing_that_was_sent_to_try_a_draft_once_that_is_erased() -> None:
    """It leaves no record, and its words stay as dead rows for longer; what somebody may have answered does not."""
    forget_log_files()
    survey, marks = draft("tried"), {name: os.urandom(16).hex().encode() for name in ("record", "open")}
    TrialResponse.objects.create(key=os.urandom(16), proof=os.urandom(16), trial=trial(survey), **marks)
    assert find_marks(marks) == list(marks)
    erase(survey)
    wait_until(scrub.remove, PATIENCE, "traces are removed")
    assert (find_marks(marks), Erasure.objects.count()) == ([], 0)


def test_every_table_that_an_erasing_deletes_from_is_rewritten() -> None:
    """Also one that an app adds later, if its rows refer to a survey's."""
    survey, _ = marked_survey("goes")
    with CaptureQueriesContext(connection) as asked:
        erase(survey)
    said = " ".join(query["sql"] for query in asked.captured_queries)
    emptied = set(re.findall(r'DELETE FROM "(\w+)"', said))
    rewritten = {*scrub.IN_ORDER_OF_KEYS, UsedEntry, *scrub.SEALED, *scrub.tables_of_surveys()}
    assert {"mining_miningresult", "surveys_tablerelease", "django_admin_log"} <= emptied
    assert emptied - {model._meta.db_table for model in rewritten} == set()


def test_a_survey_that_is_erased_while_the_record_is_written_waits_for_its_own_removal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing says that its traces are gone before they are."""
    first, second = sealed_survey(60, "first"), sealed_survey(60, "second")
    erase(first)
    wait_until(scrub.remove, PATIENCE, "traces are removed")
    exists = type(Residue.objects.all()).exists
    late = [second]

    def then_erase(rows: Any) -> bool:
        answer = exists(rows)
        if rows.model is Residue and late:
            erase(late.pop())
        return answer

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("django.db.models.query.QuerySet.exists", then_erase)
        erasing.note_removed()
    assert [row.removed_at is not None for row in Erasure.objects.all()] == [True, False]


@only_on("postgresql", "SQLite rewrites its whole file")
def test_dead_rows_of_surveys_that_were_erased_before_go_with_the_next_removal() -> None:
    """The upgrade leaves a note for it, on PostgreSQL, where something was erased."""
    forget_log_files()
    upgrade = import_module("surveys.migrations.0042_dead_rows").look_again
    with connection.schema_editor() as editor:
        upgrade(apps, editor)
    assert not Residue.objects.exists()
    survey, gone = marked_survey("goes")
    erase(survey)
    Residue.objects.all().delete()  # a removal of the version before has left the dead rows in their places
    erasing.note_removed()
    assert "result" in find_marks(gone)
    with connection.schema_editor() as editor:
        upgrade(apps, editor)
    remove_traces()
    assert find_marks(gone) == []


@only_on("postgresql", "SQLite rewrites its whole file")
def test_whoever_still_looks_at_an_older_state_of_another_table_delays_the_removal() -> None:
    """For them PostgreSQL keeps dead rows everywhere, also where it rewrites a table."""
    forget_log_files()
    survey, gone = marked_survey("goes")
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("SELECT count(*) FROM auth_user")
            erase(survey)
            assert not scrub.remove()
            cursor.execute("ROLLBACK")
    finally:
        other.close()
    remove_traces()
    assert find_marks(gone) == []
