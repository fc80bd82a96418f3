"""Every refusal has its status, a short message that echoes nothing, and stores nothing. Runs on both databases."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import Client

from surveys.definition import BODY_LIMIT
from surveys.domain.database import busy
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import receive
from surveys.models import Inbox, Submission, Survey, SurveyVersion
from tests.cases import first, only_on
from tests.surveys.databases import hold_lock
from tests.surveys.making import add_question, make_survey, set_block
from tests.surveys.sending import send, submission

CANARY = "canary-4f1d"


@pytest.fixture
def version() -> SurveyVersion:
    """Three disguised questions and undisguised ones of several kinds."""
    survey = make_survey()
    add_question(survey, "age", type="number", min="18", max="120")
    add_question(survey, "note", type="text", max="20")
    add_question(survey, "born", type="date")
    add_question(survey, "story", type="text", max="4000")
    return publish(survey)


def check_refusal(response: HttpResponse, status: int) -> None:
    assert response.status_code == status
    answer = json.loads(response.content)
    assert answer.keys() == {"error", "message"}
    assert len(answer["message"]) < 100
    assert CANARY not in response.content.decode()
    assert Inbox.objects.count() == Submission.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(b"", 400, id="empty"),
        pytest.param(b'{"open": "canary-4f1d\xff"}', 400, id="broken UTF-8"),
        pytest.param('{"open": "canary-4f1d"}'.encode("utf-16"), 400, id="UTF-16"),
        pytest.param(b'\xef\xbb\xbf{"open": "canary-4f1d"}', 400, id="byte order mark"),
        pytest.param(b'{"open": "canary-4f1d\x00"}', 400, id="NUL"),
        pytest.param(b'{"open": "canary-4f1d\\u0000"}', 400, id="NUL escaped"),
        pytest.param(b'{"open": "canary-4f1d\\ud800"}', 400, id="lone surrogate"),
        pytest.param(b'{"\\udfff": "canary-4f1d"}', 400, id="lone surrogate in a name"),
        pytest.param(b'{"open": 1, "open": "canary-4f1d"}', 400, id="duplicate key"),
        pytest.param(b'{"open": {"b": 1, "b": "canary-4f1d"}}', 400, id="duplicate key inside"),
        pytest.param(b'{"open": NaN}', 400, id="NaN"),
        pytest.param(b'{"open": -Infinity}', 400, id="infinity"),
        pytest.param(b'{"open": 1e999}', 400, id="overflow"),
        pytest.param(b'{"open": 1e-400}', 400, id="underflow"),
        pytest.param(b'{"open": ' + b"7" * 5000 + b"}", 400, id="5000-digit number"),
        pytest.param(b"[" * 100_000, 400, id="100 000 lists deep"),
        pytest.param(b'{"open":' * 8_000, 400, id="8 000 objects deep"),
        pytest.param(b'["canary-4f1d"]', 400, id="no object"),
        pytest.param(b'{"open": 1} {}', 400, id="two values"),
        pytest.param(b'{"open": "' + b"a" * BODY_LIMIT + b'"}', 413, id="over 64 KiB"),
        pytest.param(b'{"open": "' + b"\xc3\xa9" * BODY_LIMIT + b'"}', 413, id="over 64 KiB, within a letter"),
        pytest.param(b'{"open": "canary-4f1d"}', 422, id="another object"),
    ],
)
def test_a_malformed_body_is_refused(client: Client, version: SurveyVersion, body: bytes, status: int) -> None:
    """What is not the JSON of a submission."""
    check_refusal(send(client, "study", body), status)


def with_field(name: str, value: Any) -> Callable[[SurveyVersion], dict[str, Any]]:
    return lambda version: submission(version, **{name: value})


def leave_out(name: str) -> Callable[[SurveyVersion], dict[str, Any]]:
    return lambda version: {key: value for key, value in submission(version).items() if key != name}


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(with_field("record", [True, 0, 0]), id="true for an integer"),
        pytest.param(with_field("record", [1.0, 0, 0]), id="1.0 for an integer"),
        pytest.param(with_field("record", ["1", 0, 0]), id="text for an integer"),
        pytest.param(with_field("record", [2, 0, 0]), id="option out of range"),
        pytest.param(with_field("record", [-1, 0, 0]), id="option below range"),
        pytest.param(with_field("record", [10**20, 0, 0]), id="option far out of range"),
        pytest.param(with_field("record", [None, 0, 0]), id="question left out"),
        pytest.param(with_field("record", [0, 0]), id="question missing"),
        pytest.param(with_field("record", [0, 0, 0, 0]), id="question too many"),
        pytest.param(with_field("record", {"drugs": 1}), id="record by name"),
        pytest.param(with_field("direct", True), id="true for direct"),
        pytest.param(with_field("direct", 2), id="direct out of range"),
        pytest.param(with_field("truth", [1, 1, 1]), id="a field for true answers"),
        pytest.param(with_field("answers", {"drugs": CANARY}), id="a field for answers by name"),
        pytest.param(with_field("open", {"drugs": "1"}), id="sensitive answer given openly"),
        pytest.param(with_field("open", {"name": CANARY}), id="answer to no question"),
        pytest.param(with_field("open", {"age": 17}), id="number below min"),
        pytest.param(with_field("open", {"age": 121}), id="number above max"),
        pytest.param(with_field("open", {"age": True}), id="true for a number"),
        pytest.param(with_field("open", {"age": "42"}), id="text for a number"),
        pytest.param(with_field("open", {"note": ""}), id="empty text"),
        pytest.param(with_field("open", {"note": CANARY * 2}), id="text too long"),
        pytest.param(with_field("open", {"born": "2026-02-30"}), id="no such day"),
        pytest.param(with_field("open", []), id="open as a list"),
        pytest.param(with_field("key", CANARY), id="key not hexadecimal"),
        pytest.param(with_field("key", "A" * 32), id="key in capitals"),
        pytest.param(with_field("version", CANARY), id="version not hexadecimal"),
        pytest.param(with_field("pad", 7), id="pad not a text"),
        pytest.param(with_field("token", CANARY), id="token not an object"),
        *(
            pytest.param(leave_out(name), id=f"no {name}")
            for name in ("version", "key", "direct", "record", "open", "pad")
        ),
    ],
)
def test_a_message_that_does_not_fit_is_422(
    client: Client, version: SurveyVersion, message: Callable[[SurveyVersion], dict[str, Any]]
) -> None:
    """What is JSON, but no answer to this questionnaire."""
    check_refusal(send(client, "study", message(version)), 422)


def test_direct_answers_need_the_researchers_leave(client: Client) -> None:
    """A survey that disguises everybody refuses a record flagged direct."""
    version = publish(make_survey(direct=False))
    check_refusal(send(client, "study", submission(version, direct=1)), 422)


@pytest.mark.parametrize("record", [[0, 0, 0], [0, None, None], [None, None, None]])
def test_a_sampled_block_is_answered_as_it_was_asked(survey: Survey, client: Client, record: list[int | None]) -> None:
    """Two of three were asked: three, one or no answers do not fit."""
    set_block(survey, settings={"keep": 0.3, "theta": 0.6, "ask": 2})
    version = publish(survey)
    check_refusal(send(client, "study", submission(version, record=record)), 422)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_another_content_type_is_415(client: Client, version: SurveyVersion, kind: str) -> None:
    """Only JSON is read: a form on another page cannot send a response."""
    response = client.post("/s/study/responses", json.dumps(submission(version)).encode(), content_type=kind)
    check_refusal(response, 415)


@pytest.mark.parametrize(
    "origin",
    ["https://elsewhere.example", "null", "https://testserver", "http://testserver:81", "", "http://[bad"],
)
def test_a_foreign_origin_is_403(client: Client, version: SurveyVersion, origin: str) -> None:
    """Another host, scheme or port is another site."""
    check_refusal(send(client, "study", submission(version), Origin=origin), 403)


def test_the_own_origin_is_welcome(client: Client, version: SurveyVersion) -> None:
    """The respondent's page names its own origin."""
    assert send(client, "study", submission(version), Origin="http://testserver").status_code == 201


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("get", "responses", "POST"),
        ("put", "responses", "POST"),
        ("post", "questionnaire", "GET"),
        ("delete", "receipts/" + 64 * "0", "GET"),
    ],
)
def test_another_method_is_405(client: Client, version: SurveyVersion, method: str, path: str, allowed: str) -> None:
    """The answer names the method that is read."""
    response = getattr(client, method)(f"/s/study/{path}")
    check_refusal(response, 405)
    assert response["Allow"] == allowed


def test_a_version_nobody_published_is_409(client: Client, version: SurveyVersion) -> None:
    """The page says that the survey has changed."""
    check_refusal(send(client, "study", submission(version, version="0" * 64)), 409)


def test_an_unknown_survey_is_404(client: Client, version: SurveyVersion) -> None:
    """Sending to an address where there is nothing."""
    check_refusal(send(client, "nothing", submission(version)), 404)


@pytest.mark.parametrize("code", ["a%00b", "a%20b", "%C3%A9", "a" * 10_000])
def test_an_address_that_no_test_has_is_404(client: Client, version: SurveyVersion, code: str) -> None:
    """Whatever stands in it: a NUL, which PostgreSQL takes for no text, is asked of no database."""
    assert client.get(f"/t/{code}/test/questionnaire").status_code == 404


@contextmanager
def full() -> Iterator[None]:
    """SQLite may not grow by a page. PostgreSQL has no such limit: there the error it would give."""
    if connection.vendor == "postgresql":
        with patch.object(receive, "_store", side_effect=OperationalError("could not extend file")):
            yield
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA max_page_count = 1")  # SQLite takes it for as many as there are
        try:
            yield
        finally:
            cursor.execute("PRAGMA max_page_count = 1073741823")


@contextmanager
def read_only() -> Iterator[None]:
    """What a standby of PostgreSQL says, or a disk that the system has mounted for reading after an error."""
    on, off = ("PRAGMA query_only = 1", "PRAGMA query_only = 0")
    if connection.vendor == "postgresql":
        on, off = ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off")
    with connection.cursor() as cursor:
        cursor.execute(on)
        try:
            yield
        finally:
            cursor.execute(off)


@contextmanager
def locked_for_long() -> Iterator[None]:
    """By somebody else, for longer than is waited: four seconds, of which a tenth is enough here."""
    briefly, again = ("PRAGMA busy_timeout = 100", "PRAGMA busy_timeout = 4000")
    if connection.vendor == "postgresql":
        briefly, again = ("SET lock_timeout = '100ms'", "RESET lock_timeout")
    with hold_lock(), connection.cursor() as cursor:
        cursor.execute(briefly)
        try:
            yield
        finally:
            cursor.execute(again)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("trouble", first(1, [full, locked_for_long, read_only]))
def test_a_database_that_cannot_write_is_503(
    client: Client, version: SurveyVersion, trouble: Callable[[], AbstractContextManager[None]]
) -> None:
    """The device is asked to try again, within the seconds that a lock is waited for, and afterwards is served."""
    big = submission(version, open={"story": "x" * 4000})
    with trouble():
        response = send(client, "study", big)
    check_refusal(response, 503)
    assert int(response["Retry-After"]) > 0
    assert send(client, "study", big).status_code == 201


@only_on("sqlite", "PostgreSQL lets many write at once")
def test_a_queue_of_writers_is_503(client: Client, version: SurveyVersion) -> None:
    """Who has waited as long as the database would have let it wait is asked to try again, and afterwards is served."""
    held, body = threading.Lock(), submission(version)
    held.acquire()
    with patch.object(receive, "_WRITER", held), patch.dict(connection.settings_dict["OPTIONS"], timeout=0.01):
        response = send(client, "study", body)
    check_refusal(response, 503)
    assert Inbox.objects.count() == 0
    assert send(client, "study", body).status_code == 201


def raised_by_django(cause: Exception) -> OperationalError:
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


def test_the_log_says_why_no_database_is_reached() -> None:
    """In the words of the driver, which has not sent anything yet; where there is no key, in ours."""
    psycopg = pytest.importorskip("psycopg")
    with pytest.raises(psycopg.OperationalError) as away:
        psycopg.connect("host=127.0.0.1 port=1 dbname=candor")
    said = busy.why(raised_by_django(away.value))
    assert said.startswith("OperationalError: ")
    assert '"127.0.0.1", port 1 failed: Connection refused' in said
    assert "\n" not in said
    assert busy.why(OperationalError("No sealing key is ready.")) == "OperationalError: No sealing key is ready."


def test_the_log_repeats_nothing_that_a_database_says() -> None:
    """Of what a server answers to a command, and of SQLite, it has the kind alone."""
    psycopg = pytest.importorskip("psycopg")
    assert busy.why(raised_by_django(psycopg.errors.LockNotAvailable(CANARY))) == "LockNotAvailable"
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA query_only = 1")
        with pytest.raises(sqlite3.OperationalError) as full:
            database.execute(f'CREATE TABLE "{CANARY}" (name)')
    assert busy.why(raised_by_django(full.value)) == "SQLITE_READONLY"
