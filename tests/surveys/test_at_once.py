"""Many at once: every response once, no place given twice, nobody turned away for long."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from privacy.errors import EntryError
from surveys.domain.database import scrub, used
from surveys.domain.messages.invite import BITS, invite
from surveys.domain.messages.submission import Refused
from surveys.domain.questionnaire import closing
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import receive as receiving, seal
from surveys.domain.responses.receive import receive
from surveys.domain.responses.snapshots import latest, records
from surveys.models import DraftDocument, Inbox, Snapshot, Submission, Survey, SurveyVersion
from tests.cases import only_on
from tests.client.invitations import to_text
from tests.servers import PATIENCE, wait_until
from tests.surveys.making import add_question, make_survey
from tests.surveys.sending import sign_in_the_open, submission

pytestmark = pytest.mark.django_db(transaction=True)


def post(live: LiveServer, message: dict[str, Any], what: str = "responses") -> tuple[int, dict[str, Any]]:
    """Sent as the page does: again after a pause where the answer is 503."""
    headers = {"Content-Type": "application/json"}
    for _ in range(20):
        request = urllib.request.Request(f"{live.url}/s/study/{what}", json.dumps(message).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refusal:
            if refusal.code != 503:
                return refusal.code, json.load(refusal)
    raise AssertionError("the server stayed busy")


def send_at_once(
    live: LiveServer, messages: list[dict[str, Any]], what: str = "responses"
) -> list[tuple[int, dict[str, Any]]]:
    with ThreadPoolExecutor(25) as pool:
        return list(pool.map(lambda message: post(live, message, what), messages))


@only_on("postgresql", "SQLite has no connection that could end")
def test_a_response_is_kept_once_though_the_database_has_ended_the_connection(version: SurveyVersion) -> None:
    """A restarted PostgreSQL: the first request over an old connection waits a moment longer, and loses nothing."""
    first, message = (json.dumps(submission(version)).encode() for _ in range(2))
    receive("study", first)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        mine = cursor.fetchone()[0]
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [mine])
    other.close()
    kept, again = receive("study", message), receive("study", message)
    assert (kept[1], again) == (True, (kept[0], False))
    assert Inbox.objects.count() == Submission.objects.count() == 2


def in_own_connection(task: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return task(*arguments)
    finally:
        connection.close()


def test_one_response_sent_fifty_times_at_once_is_stored_once(live: LiveServer, version: SurveyVersion) -> None:
    """One 201, 49 times 200, one receipt, one row."""
    answers = send_at_once(live, [submission(version)] * 50)
    assert sorted(status for status, _ in answers) == [200] * 49 + [201]
    assert len({answer["receipt"] for _, answer in answers}) == 1
    assert Inbox.objects.count() == Submission.objects.count() == 1


@pytest.mark.long
def test_an_invitation_is_good_for_one_response_when_all_come_at_once(live: LiveServer) -> None:
    """Of 50 devices with one link one gets its signature; of 50 responses with one token one is stored."""
    version = publish(make_survey(access="invitation"))
    (secret,) = invite(version.survey, "first", 1)
    blinded = [to_text((place + 2).to_bytes(BITS // 8)) for place in range(50)]
    asked = [{"version": version.sha256, "invitation": secret, "blinded": one} for one in blinded]
    token = sign_in_the_open(version, bytes(32))

    exchanged = send_at_once(live, asked, "invitations")
    answers = send_at_once(live, [submission(version, token=token) for _ in range(50)])

    assert sorted(status for status, _ in exchanged) == [200] + [409] * 49
    assert sorted(status for status, _ in answers) == [201] + [409] * 49
    assert Inbox.objects.count() == Submission.objects.count() == 1


def test_the_quota_holds_when_all_come_at_once(live: LiveServer) -> None:
    """Of 50 for ten places ten are stored and forty hear that the survey is closed."""
    version = publish(make_survey(quota=10))
    answers = send_at_once(live, [submission(version) for _ in range(50)])
    assert sorted(status for status, _ in answers) == [201] * 10 + [410] * 40
    assert Inbox.objects.count() == Submission.objects.count() == 10


@contextmanager
def sealing() -> Iterator[None]:
    """Responses are sealed, traces removed and arrivals mixed, again and again."""
    done = threading.Event()

    def tend() -> None:
        while not done.is_set():
            seal.seal_all()
            scrub.remove()
            scrub.mix_arrivals()
        connection.close()

    tending = threading.Thread(target=tend)
    tending.start()
    try:
        yield
    finally:
        done.set()
        tending.join()


@pytest.mark.long
def test_the_quota_holds_while_responses_are_sealed(live: LiveServer) -> None:
    """Sealing takes no place away and gives none: of 120 for ninety places ninety are stored."""
    version = publish(make_survey(quota=90))
    with sealing():
        answers = send_at_once(live, [submission(version) for _ in range(120)])
    assert sorted(status for status, _ in answers) == [201] * 90 + [410] * 30
    snapshot = latest(version.survey)
    assert (len(records(snapshot)) if snapshot else 0) + Inbox.objects.count() == 90


@pytest.mark.long
def test_nothing_is_lost_while_responses_are_sealed_and_traces_removed(
    live: LiveServer, version: SurveyVersion
) -> None:
    """Fifty and fifty more are sent, until some were sealed meanwhile: each is sealed once or waits."""
    answers = []
    with sealing():
        while len(answers) < 150 or latest(version.survey) is None:  # a busy machine may seal once in some seconds
            assert len(answers) < 1000, "nothing is sealed"
            answers += send_at_once(live, [submission(version) for _ in range(50)])
    assert {status for status, _ in answers} == {201}
    snapshot = latest(version.survey)
    assert snapshot is not None
    assert len(records(snapshot)) + Inbox.objects.count() == len(answers)
    assert len(list(used.receipts(version.survey_id))) == len(answers)


@pytest.fixture
def in_threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor() as pool:
        yield pool


@pytest.mark.long
def test_a_response_that_is_being_kept_when_its_survey_ends_is_sealed_with_the_last(
    in_threads: ThreadPoolExecutor, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sealing waits for it: left behind in the inbox it would be sealed alone, and recognised."""
    kept, go_on = threading.Event(), threading.Event()
    Survey.objects.filter(pk=version.survey_id).update(closes_at=timezone.now() + timedelta(days=1))

    def keep() -> None:
        with transaction.atomic():
            receive("study", json.dumps(submission(version)).encode())
            kept.set()
            assert go_on.wait(PATIENCE)
        connection.close()

    receive("study", json.dumps(submission(version)).encode())
    keeping = in_threads.submit(keep)
    assert kept.wait(PATIENCE)
    monkeypatch.setattr(seal.clock, "read_sure", lambda: timezone.now() + timedelta(days=2))
    sealing = in_threads.submit(in_own_connection, seal.seal_closed)
    wait([sealing], timeout=1)
    go_on.set()
    keeping.result(PATIENCE)
    sealing.result(PATIENCE)
    assert (Snapshot.objects.get().respondents, Inbox.objects.count()) == (2, 0)


def test_a_response_that_comes_while_the_last_are_sealed_is_refused(
    in_threads: ThreadPoolExecutor, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds the survey open and waits for the sealing, which has closed it when it ends."""
    is_sealing, go_on = threading.Event(), threading.Event()

    def append(*arguments: Any, **options: Any) -> Snapshot:
        is_sealing.set()
        assert go_on.wait(PATIENCE)
        return appended(*arguments, **options)

    appended = seal.append
    receive("study", json.dumps(submission(version)).encode())
    monkeypatch.setattr(seal, "append", append)
    with monkeypatch.context() as until_sealed:
        until_sealed.setattr(closing, "has_ended", lambda _survey, _moment: True)
        sealing = in_threads.submit(in_own_connection, seal.seal_closed)
        assert is_sealing.wait(PATIENCE)
    late = in_threads.submit(in_own_connection, receive, "study", json.dumps(submission(version)).encode())
    wait([late], timeout=1)
    go_on.set()
    sealing.result(PATIENCE)
    with pytest.raises(Refused, match="closed"):
        late.result(PATIENCE)
    assert (Snapshot.objects.get().respondents, Inbox.objects.count()) == (1, 0)


@only_on("postgresql", "SQLite has one writer, who reads nothing before it writes")
@pytest.mark.parametrize("end", [closing.close, lambda survey: publish_another(survey)], ids=["closed", "replaced"])
def test_a_response_that_was_read_before_the_end_and_is_stored_after_the_last_were_sealed_is_refused(
    in_threads: ThreadPoolExecutor, version: SurveyVersion, monkeypatch: pytest.MonkeyPatch, end: Callable[..., Any]
) -> None:
    """However long the database stands between reading that the survey collects and its lock: sealed alone it would
    be distinguished."""
    receive("study", json.dumps(submission(version)).encode())
    stalled = receiving._COLLECTING + "AND pg_advisory_xact_lock_shared(1) IS NOT NULL"
    with monkeypatch.context() as while_it_is_sent, held_lock(1) as let_go:
        while_it_is_sent.setattr(receiving, "_COLLECTING", stalled)
        receiving._single_command.cache_clear()
        late = in_threads.submit(in_own_connection, receive, "study", json.dumps(submission(version)).encode())
        wait_until(somebody_waits_for_a_lock, PATIENCE, "the command has read that the survey collects")
        end(version.survey)
        seal.seal_closed()
        let_go()
        wait([late], PATIENCE)
    receiving._single_command.cache_clear()
    with pytest.raises(Refused):
        late.result()
    assert (Snapshot.objects.get().respondents, Inbox.objects.count()) == (1, 0)


def publish_another(survey: Survey) -> None:
    add_question(survey, "another")
    publish(survey)


@contextmanager
def held_lock(number: int) -> Iterator[Callable[[], None]]:
    """A lock of another session, and how to let it go."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [number])
    try:
        yield other.close
    finally:
        other.close()


def somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        return bool(cursor.fetchone()[0])


def outcomes(pool: ThreadPoolExecutor, *tasks: Callable[[], Any]) -> list[str]:
    """What came of tasks that were begun at one moment, each over a connection of its own: "", or the refusal."""
    starting = threading.Barrier(len(tasks))

    def attempt(task: Callable[[], Any]) -> str:
        starting.wait(PATIENCE)
        try:
            task()
        except EntryError as refusal:
            return str(refusal)
        return ""

    return sorted(pool.map(lambda task: in_own_connection(attempt, task), tasks))


def test_a_draft_that_two_publish_at_one_moment_is_published_once(in_threads: ThreadPoolExecutor) -> None:
    """The second one hears so."""
    mine = make_survey()
    theirs = Survey.objects.get(pk=mine.pk)

    assert outcomes(in_threads, lambda: publish(mine), lambda: publish(theirs)) == [
        "",
        "This questionnaire is already published, word for word.",
    ]
    assert [version.number for version in mine.versions.all()] == [1]


def test_a_version_that_two_end_at_one_moment_ends_once(in_threads: ThreadPoolExecutor, version: SurveyVersion) -> None:
    """Neither ends the next one with it."""
    ends = [lambda: closing.end_version(Survey.objects.get(), "1")] * 2

    assert outcomes(in_threads, *ends) == ["", ""]
    assert Survey.objects.get().newest == 2
    publish_another(Survey.objects.get())
    with pytest.raises(EntryError, match="A newer version of this survey was published meanwhile"):
        closing.end_version(version.survey, "1")
    assert Survey.objects.get().newest == 2


def test_a_survey_that_was_closed_while_its_page_was_open_is_published_no_more(version: SurveyVersion) -> None:
    """The closed one would have a version that nobody can answer."""
    seen = Survey.objects.get()
    add_question(seen, "another")
    closing.close(version.survey)

    with pytest.raises(EntryError, match="This survey is closed"):
        publish(seen)
    assert seen.versions.count() == 1


def test_a_draft_that_was_changed_while_somebody_looked_at_it_is_not_published(survey: Survey, client: Client) -> None:
    """What is published is what the page showed; the page shows it again, and then it is."""
    client.force_login(User.objects.create_superuser("boss"))
    address = f"/staff/studio/{survey.pk}/publish/"
    seen = client.get(address).context["seen"]
    DraftDocument.objects.filter(survey=survey).update(number=int(seen) + 1)  # as each change does

    with pytest.raises(EntryError, match="The draft was changed meanwhile"):
        publish(survey, seen=seen)
    assert not survey.versions.exists()
    assert publish(survey, seen=client.get(address).context["seen"]).number == 1
