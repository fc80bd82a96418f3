"""A damaged database takes no answers, and everybody who can mend it hears of it."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from surveys.domain.database import checkpoints, damage
from surveys.models import Inbox, SurveyVersion
from tests.surveys.sending import send, submission

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL checks its pages itself"),
]


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins whole, and its first look is not put off."""
    monkeypatch.setattr(damage, "_next_look", 0.0)
    yield
    Path(damage._note()).unlink(missing_ok=True)


@pytest.fixture
def damage_inbox(version: SurveyVersion) -> Iterator[None]:
    """The first page of the inbox holds what SQLite did not write; afterwards it is as it was."""
    checkpoints.empty_log()
    name = Path(connection.settings_dict["NAME"])
    connection.close()
    with closing(sqlite3.connect(name)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'surveys_inbox'").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    page = overwrite(name, (root - 1) * size, b"\xa5" * size)
    yield
    connection.close()
    overwrite(name, (root - 1) * size, page)


def overwrite(name: Path, start: int, content: bytes) -> bytes:
    """Write over bytes of a file, and return what stood there.

    In a process of its own: a process that closes a database file loses the locks of all its connections to it.
    """
    code = (
        "import sys; start, content = int(sys.argv[2]), sys.stdin.buffer.read()\n"
        "with open(sys.argv[1], 'r+b') as file:\n"
        "    file.seek(start); before = file.read(len(content)); file.seek(start); file.write(content)\n"
        "sys.stdout.buffer.write(before)"
    )
    return subprocess.run(
        [sys.executable, "-c", code, str(name), str(start)], input=content, capture_output=True, check=True
    ).stdout


def test_a_damaged_inbox_closes_the_questionnaire(client: Client, version: SurveyVersion, damage_inbox: None) -> None:
    """Nobody fills in what cannot be kept: the page gets its usual 503, and so does a response."""
    asked, sent = client.get("/s/study/questionnaire"), send(client, "study", submission(version))
    sentence = {"error": "busy", "message": "The server is busy; your device will try again."}
    assert [(answer.status_code, answer["Retry-After"], answer.json()) for answer in (asked, sent)] == [
        (503, "5", sentence),
        (503, "5", sentence),
    ]


def test_damage_that_a_response_meets_first_closes_the_questionnaire(
    client: Client, version: SurveyVersion, damage_inbox: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two looks the sender gets a 503 and keeps the answer; the next visitor sees it before sending."""
    with monkeypatch.context() as between:
        between.setattr(damage, "_next_look", float("inf"))
        sent = send(client, "study", submission(version))
    assert (sent.status_code, damage.is_reported()) == (503, True)
    assert client.get("/s/study/questionnaire").status_code == 503


def test_the_alarm_is_heard_everywhere(
    admin_client: Client, version: SurveyVersion, damage_inbox: None, caplog: pytest.LogCaptureFixture
) -> None:
    """In the log once, on every page of staff, in the check, where a load balancer asks, and in a file with
    what SQLite said.
    """
    damage.check_database()
    damage.check_database()
    (record,) = caplog.records
    assert record.levelname == "CRITICAL"
    assert record.getMessage().startswith("THE DATABASE IS DAMAGED, so no answers are accepted")
    assert admin_client.get("/readyz").status_code == 503
    assert "The database is damaged, so no answers are accepted." in admin_client.get("/staff/people/").content.decode()
    with pytest.raises(SystemCheckError, match=r"candor.C001\) The database is damaged"):
        call_command("check", deploy=True, stderr=StringIO())
    assert (Path(settings.CANDOR_DATA) / "database_is_damaged").read_text() != ""


def test_a_database_that_is_whole_again_ends_the_alarm(client: Client, version: SurveyVersion) -> None:
    """The next round of the sealing job finds it so, and questionnaires are handed out."""
    damage.report("told by an earlier look")
    refused = client.get("/s/study/questionnaire").status_code
    damage.check_database()
    assert (refused, client.get("/s/study/questionnaire").status_code) == (503, 200)


def test_a_look_at_the_inbox_is_shared(client: Client, version: SurveyVersion) -> None:
    """However many ask for the questionnaire, a process looks once in five seconds."""
    with CaptureQueriesContext(connection) as queries:
        for _ in range(3):
            client.get("/s/study/questionnaire")
    asked = [query["sql"] for query in queries if "quick_check" in query["sql"]]
    assert asked == ["PRAGMA quick_check(surveys_inbox)"]


def test_a_sound_database_raises_no_alarm(client: Client, version: SurveyVersion) -> None:
    """With responses in the inbox nothing is wrong."""
    send(client, "study", submission(version))
    damage.check_database()
    assert (damage.is_reported(), Inbox.objects.count()) == (False, 1)
