"""PgBouncer that leads to another database than DATABASE_URL is refused: answers would go where nobody seals them."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import OperationalError, ProgrammingError

from config.run import pooler
from tests.servers import PATIENCE, ROOT, empty_database, pgbouncer_program, running_pgbouncer, wait_until

READY = """
import django; django.setup()
from django.test import Client
print(Client().get("/readyz").content.decode())
visitor = Client(SERVER_NAME="localhost")
asked = [visitor.post("/s/none/responses", "{}", "application/json"), visitor.get("/s/none/questionnaire"),
         visitor.get("/staff/admin/login/"), visitor.get("/robots.txt")]
print([answer.status_code for answer in asked])
"""
ANOTHER = (
    "DATABASE_POOL points to another database than DATABASE_URL: name the same one in both, and in pgbouncer.ini "
    "(docs/deploy.md).\n"
)


def test_a_pooler_that_leads_to_another_database_is_refused_and_not_ready(
    postgres: str, postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """After a restore DATABASE_URL names the new database, and PgBouncer still the old one. Also once it runs."""
    if not pgbouncer_program():
        pytest.skip("no PgBouncer found: install the package pgbouncer")

    def run(*command: str, pool: str) -> tuple[int, str, str]:
        own = {"DATABASE_URL": postgres, "DATABASE_POOL": pool, "CANDOR_DATA": str(tmp_path), "DEMO": "0"}
        env = os.environ | own | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        done = subprocess.run([sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    with running_pgbouncer(postgres) as pool:
        assert run("manage.py", "prepare", pool=pool)[0] == 0
        right = run("-c", READY, pool=pool)[1].splitlines()
    with running_pgbouncer(empty_database(*postgres_server)) as pool:
        starts = [run("manage.py", "prepare", pool=pool), run("-c", "import config.wsgi", pool=pool)]
        wrong = run("-c", READY, pool=pool)[1].splitlines()

    seen = {"database": True, "tables": True, "damaged": False, "key": True}
    assert json.loads(right[0]) == {"ready": True, **seen, "pool": True}
    assert starts == [(1, "", ANOTHER)] * 2
    assert json.loads(wrong[0]) == {"ready": False, **seen, "pool": False}
    assert [json.loads(one[1]) for one in (right, wrong)] == [[422, 404, 200, 200], [503, 503, 200, 200]]


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What three looks find, one after the other; None is a database that does not answer."""
    looks = SimpleNamespace(found=[], now=0.0)

    def identity(_way: object) -> str:
        found: str | None = looks.found.pop(0)
        if found is None:
            raise OperationalError("away")
        return found

    monkeypatch.setattr(pooler, "_identity", identity)
    monkeypatch.setattr(pooler, "for_visitors", dict)
    monkeypatch.setattr(pooler, "_same", False)
    monkeypatch.setattr(pooler, "_due", 0.0)
    monkeypatch.setattr(pooler, "time", SimpleNamespace(monotonic=lambda: looks.now))
    return looks


def test_a_database_that_does_not_answer_leaves_what_was_seen_before(ways: SimpleNamespace) -> None:
    """Before anything was seen nothing is known; a server that starts again between the looks is no other one."""
    seen = []
    for found in ([None], ["a", "b", "b"], [None], ["b", "c", "b"]):
        ways.found[:] = found
        ways.now += pooler.AGAIN
        seen.append(pooler.is_same())
    assert seen == [False, True, True, False]


def test_who_asks_beside_the_first_look_hears_what_the_start_has_seen(
    ways: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new process would else be taken out of service for a moment."""
    monkeypatch.setenv("DATABASE_POOL", "postgres://pool.example.org/candor")
    ways.found[:] = ["a", "a", "a"]
    pooler.refuse_another()
    monkeypatch.setattr(pooler, "_due", 1.0)  # another thread looks
    assert pooler.is_same()


def test_a_role_that_may_not_ask_where_the_pooler_leads_is_told_so(
    ways: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The site is not ready, and the log says why."""

    def refuse_query(_way: object) -> str:
        raise ProgrammingError("permission denied for function\npg_postmaster_start_time")

    monkeypatch.setattr(pooler, "_identity", refuse_query)
    assert not pooler.is_same()
    assert caplog.messages == [
        "Could not check where DATABASE_POOL points: permission denied for function pg_postmaster_start_time."
    ]


def test_visitors_go_by_what_was_seen_and_a_thread_looks_again(
    ways: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody who visits waits for a database that says nothing; the log says why all are turned away."""
    says = threading.Event()
    monkeypatch.setattr(pooler, "_identity", lambda _way: says.wait(PATIENCE) and ways.found.pop(0))
    ways.found[:] = ["a", "a", "a"]
    assert not pooler.was_same()
    says.set()
    wait_until(pooler.was_same, PATIENCE, "a thread has looked")
    says.clear()
    ways.now, ways.found[:] = pooler.AGAIN, ["a", "b", "a"]
    assert pooler.was_same()
    says.set()
    wait_until(lambda: caplog.messages, PATIENCE, "a thread has looked again")
    assert not pooler.was_same()
    assert caplog.messages == [f"{pooler.ANOTHER}: no respondent is answered (docs/deploy.md)."]


def test_what_was_seen_is_believed_for_half_a_minute(ways: SimpleNamespace) -> None:
    """Load balancers ask every second, and each look makes three connections."""
    ways.found[:] = ["a", "a", "a", "a", "b", "a"]
    assert pooler.is_same()
    ways.now = pooler.AGAIN - 1
    assert pooler.is_same()
    assert len(ways.found) == 3
    ways.now = pooler.AGAIN
    assert not pooler.is_same()
