"""What an operator does to a PostgreSQL that is in use: a VACUUM FULL of all of it, and a dump that takes for ever."""

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection

from mining.domain.request import start_due_runs
from mining.domain.result import mine_run
from mining.engines.request import silent
from mining.models import MiningRun
from surveys.domain.database import scrub
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal
from surveys.domain.responses.receive import receive
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, Residue, SurveyVersion
from tests.mining.killing import LEASE, OF_SECONDS, SECONDS, end, start_worker
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import PATIENCE, postgres_programs, wait_until
from tests.surveys.making import make_survey
from tests.surveys.sending import submission

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="an operator of SQLite has neither"),
]
OPEN = ("queued", "running")


@contextmanager
def vacuum() -> Iterator[None]:
    """Every table is rewritten, again and again."""
    done, times = threading.Event(), []

    def vacuum() -> None:
        with connection.cursor() as cursor:
            while not done.wait(0.2):
                with suppress(OperationalError):  # it gave up after four seconds: somebody else holds a table
                    cursor.execute("VACUUM FULL")
                    times.append(1)
        connection.close()

    vacuuming = threading.Thread(target=vacuum)
    vacuuming.start()
    try:
        yield
    finally:
        done.set()
        vacuuming.join()
    assert times


@contextmanager
def hold_dump() -> Iterator[None]:
    """A pg_dump has locked every table and gets no further: it waits for one more, which nobody gives it."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as session:
        session.execute("CREATE TABLE the_last (n int)")
        try:
            with session.transaction():
                session.execute("LOCK TABLE the_last")
                command = [f"{postgres_programs()}/pg_dump", "--file=/dev/null", os.environ["DATABASE_URL"]]
                with subprocess.Popen(command) as dump:
                    try:
                        wait_until(dump_waits, PATIENCE, "the dump has locked what it will write")
                        yield
                        assert dump_waits()
                    finally:
                        dump.kill()
        finally:
            session.execute("DROP TABLE the_last")


def dump_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE application_name = 'pg_dump'"
            " AND wait_event_type = 'Lock' AND relation = 'surveys_part'::regclass AND granted"
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.parametrize("maintained", [vacuum, hold_dump])
def test_a_run_and_sealing_go_on_beside_it(
    maintained: Callable[[], AbstractContextManager[None]],
    broker: object,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The run has the result that it has without, nothing that is sent is lost, and traces are removed in the end."""
    monkeypatch.setenv("MINING_LEASE", str(LEASE))
    settings.MINING_LEASE = LEASE
    with monkeypatch.context() as small:
        small.setattr(seal, "PART_SIZE", 300)
        mined = sealed_survey(30_000, slug="mined", **OF_SECONDS)
    _, right = mine_run(queued_run(mined, **SECONDS), silent)
    MiningRun.objects.all().delete()
    collecting, sent = publish(make_survey()), 0
    workers = [start_worker() for _ in range(2)]
    try:
        with maintained():
            run, looks = queued_run(mined, **SECONDS), 0
            while MiningRun.objects.filter(pk=run.pk, state__in=OPEN).exists():
                sent += receive_some(collecting, 2)
                if looks % 10 == 0:  # every few seconds, as the tending process does
                    seal.seal_all()
                    scrub.remove()
                with suppress(OperationalError):
                    start_due_runs()
                looks += 1
                time.sleep(0.2)
    finally:
        for worker in workers:
            end(worker)
    run = MiningRun.objects.select_related("result").get(pk=run.pk)
    assert (run.state, bytes(run.result.columns)) == ("done", right)
    seal.seal_all()
    snapshot = latest(collecting.survey)
    assert (snapshot.respondents if snapshot else 0) + Inbox.objects.count() == sent
    wait_until(scrub.remove, PATIENCE, "traces are removed")
    assert not Residue.objects.exists()


def receive_some(version: SurveyVersion, count: int) -> int:
    """As devices do, which send again where the site is busy."""
    for _ in range(count):
        body = json.dumps(submission(version)).encode()
        while True:
            with suppress(OperationalError):
                receive("study", body)
                break
    return count
