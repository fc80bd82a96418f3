"""PostgreSQL's own log, which has a time in every line, holds nothing of what people send."""

from pathlib import Path

import pytest
from django.db import connection
from django.test import Client

from surveys.domain.questionnaire.publish import publish
from tests.surveys.making import add_question, make_survey
from tests.surveys.sending import send, submission

pytestmark = pytest.mark.django_db(transaction=True)

CANARY = "canary-4f1d"


def test_a_message_that_cannot_be_kept_is_not_written_to_the_log(client: Client) -> None:
    """PostgreSQL logs each statement that fails: here one sent again, one under a used key, one that finds a lock."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no log of statements")
    before = len(_log())
    survey = make_survey()
    add_question(survey, "story", type="text", max="4000")
    version = publish(survey)
    first, late = (submission(version, open={"story": CANARY}, key=key * 16) for key in ("c0", "de"))
    answers = [send(client, "study", message) for message in (first, first, first | {"record": [1, 1, 1]})]
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("BEGIN; LOCK TABLE surveys_inbox")
        answers.append(send(client, "study", late))
    other.close()
    log = _log()[before:]
    assert [answer.status_code for answer in answers] == [201, 200, 409, 503]
    assert "lock timeout" in log
    assert "duplicate key" not in log
    receipt = answers[0].json()["receipt"]
    secrets = (CANARY, CANARY.encode().hex(), "c0" * 16, "de" * 16, receipt[:32], receipt[32:])
    assert [secret for secret in secrets if secret in log] == []


def _log() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        return Path(cursor.fetchone()[0]).with_name("log").read_text()
