"""PgBouncer that leads to another database than DATABASE_URL is refused: answers would go where nobody seals them."""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, ProgrammingError
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from config import environment
from config.run import pooler
from surveys import children
from tests.clocks import set_time
from tests.servers import PATIENCE, empty_database, pgbouncer_program, run_python, running_pgbouncer, wait_until

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
AWAY = OperationalError("away")

by_pgbouncer = pytest.mark.skipif(
    pgbouncer_program() is None, reason="no PgBouncer found: install the package pgbouncer"
)


@by_pgbouncer
def test_a_pooler_that_leads_to_another_database_is_refused_and_not_ready(
    postgres: str, postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """After a restore DATABASE_URL names the new database, and PgBouncer still the old one. Also once it runs."""

    def run(*command: str, pool: str) -> tuple[int, str, str]:
        own = {"DATABASE_URL": postgres, "DATABASE_POOL": pool, "CANDOR_DATA": str(tmp_path), "DEMO": "0"}
        done = run_python(*command, **own, DJANGO_SETTINGS_MODULE="config.settings")
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
    """What three looks find, one after the other, or raise: `AWAY` is a database that does not answer."""
    looks = SimpleNamespace(found=[], now=0.0, says=threading.Event())
    looks.says.set()

    def identity(_way: object) -> str:
        looks.says.wait(PATIENCE)
        found: str | Exception = looks.found.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(pooler, "_identity", identity)
    monkeypatch.setattr(pooler, "for_visitors", dict)
    monkeypatch.setattr(pooler, "_same", False)
    monkeypatch.setattr(pooler, "_due", 0.0)
    set_time(monkeypatch, pooler, lambda: looks.now)
    return looks


def test_a_database_that_does_not_answer_leaves_what_was_seen_before(ways: SimpleNamespace) -> None:
    """Before anything was seen nothing is known; a server that starts again between the looks is no other one."""
    seen = []
    for found in ([AWAY], ["a", "b", "b"], [AWAY], ["b", "c", "b"]):
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
    ways.now = -1.0  # no look is due: another thread looks
    assert pooler.is_same()


def test_a_role_that_may_not_ask_where_the_pooler_leads_is_told_so(
    ways: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    """The site is not ready, and the log says why."""
    ways.found[:] = [ProgrammingError("permission denied for function\npg_postmaster_start_time")]
    assert not pooler.is_same()
    assert caplog.messages == [
        "Could not check where DATABASE_POOL points: permission denied for function pg_postmaster_start_time."
    ]


def test_visitors_go_by_what_was_seen_and_a_thread_looks_again(
    ways: SimpleNamespace, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody who visits waits for a database that says nothing; the log says why all are turned away."""
    ways.says.clear()
    ways.found[:] = ["a", "a", "a"]
    assert not pooler.was_same()
    ways.says.set()
    wait_until(pooler.was_same, PATIENCE, "a thread has looked")
    ways.says.clear()
    ways.now, ways.found[:] = pooler.AGAIN, ["a", "b", "a"]
    assert pooler.was_same()
    ways.says.set()
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


# What the site asks of PostgreSQL.


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "more", "timeouts"),
    [
        ("config.wsgi", "", ["4s", "20s"]),
        ("django", "", ["4s", "0"]),  # the sealing job and the worker
        ("config.wsgi", "&options=-c%20lock_timeout%3D1s", ["1s", "20s"]),
    ],
)
def test_nobody_waits_for_a_lock_for_ever(postgres: str, module: str, more: str, timeouts: list[str]) -> None:
    """A lock gets four seconds, a statement of the web server twenty; DATABASE_URL may say otherwise."""
    ask = (
        f"import {module}, django; django.setup()\n"
        "from django.db import connection\n"
        "for name in ('lock_timeout', 'statement_timeout'):\n"
        "    print(connection.cursor().execute(f'SHOW {name}').fetchone()[0])"
    )
    said = run_python("-c", ask, DATABASE_URL=postgres + more, DJANGO_SETTINGS_MODULE="config.settings")
    assert said.stdout.split() == timeouts, said.stderr


def test_what_mines_waits_for_a_lock_as_long_as_a_run_may_take(
    postgres: str,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    django_db_blocker: DjangoDbBlocker,
    tmp_path: Path,
) -> None:
    """Tending locks the tables of parts, for longer the larger they are: no attempt of a run is lost by that."""
    monkeypatch.setenv("DATABASE_URL", f"{postgres}&options=-c%20lock_timeout%3D1s")
    own = ConnectionHandler({"default": environment.database(tmp_path)})["default"]
    monkeypatch.setattr(children, "connection", own)
    settings.MINING_SECONDS = 77
    with django_db_blocker.unblock(), closing(own):
        children.wait_for_locks()
        assert own.cursor().execute("SHOW lock_timeout").fetchone() == ("77s",)


@pytest.mark.long
@pytest.mark.parametrize(("pool", "answers"), [("2", True), ("", False), ("", True), ("2", False)])
def test_a_web_server_that_has_looked_at_the_database_forks_none_of_its_sessions(
    postgres: str, tmp_path: Path, pool: str, answers: bool
) -> None:
    """It looks whether a restore has ended. Where nobody answers it starts as well, and pages say what is wrong."""
    if pool:
        pytest.importorskip("psycopg_pool")
    ask = (
        "import config.wsgi, threading\n"
        "from django.db import connection\n"
        "print(connection.connection, connection._connection_pools, threading.active_count())"
    )
    url = postgres if answers else f"postgresql://candor@/candor?host={tmp_path}"
    own = {"DATABASE_URL": url, "DATABASE_POOL": pool, "DJANGO_SETTINGS_MODULE": "config.settings"}
    said = run_python("-c", ask, **own)
    assert said.stdout.split() == ["None", "{}", "1"], said.stderr


@pytest.mark.long
def test_a_database_for_ascii_alone_is_refused_before_anything_is_made(
    postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """As createdb makes it where PostgreSQL was installed without a language; the sentence says how to make another."""
    programs, folder = postgres_server
    ascii_alone = ["--encoding=SQL_ASCII", "--locale=C", "--template=template0", "ascii"]
    subprocess.run([programs / "createdb", "-h", folder, "-U", "candor", *ascii_alone], check=True)
    own = {"DATABASE_URL": f"postgresql://candor@/ascii?host={folder}", "CANDOR_DATA": str(tmp_path)}
    started = run_python("manage.py", "prepare", **own)
    sentence = "The database ascii holds SQL_ASCII, not UTF8: make it with `createdb --encoding=UTF8` (docs/deploy.md)."
    assert (started.returncode, started.stderr.strip().splitlines()[-1]) == (1, sentence)
    with psycopg.connect(own["DATABASE_URL"]) as session:
        assert session.execute("SELECT to_regclass('django_migrations')").fetchone() == (None,)


OPTIONS = ("keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout")


@pytest.mark.long
@pytest.mark.parametrize(
    ("more", "taken"),
    [("", ["4", "2", "3", "10000"]), ("?keepalives_idle=60&tcp_user_timeout=0", ["60", "2", "3", "0"])],
)
def test_a_server_that_has_vanished_holds_nobody_for_hours(more: str, taken: list[str]) -> None:
    """Each connection asks after its peer every few seconds; DATABASE_URL may say otherwise."""
    ask = f"from config.settings import DATABASES as d; print(*map(d['default']['OPTIONS'].get, {OPTIONS}))"
    said = run_python("-c", ask, DATABASE_URL=f"postgresql://candor@db.example.org/candor{more}")
    assert said.stdout.split() == taken, said.stderr


@by_pgbouncer
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere these numbers have other names")
def test_the_system_asks_after_the_pooler_too(postgres: str) -> None:
    """The connection of a web server over TCP, as the kernel has it."""
    ask = (
        "import config.wsgi, django, os, socket; django.setup()\n"
        "from django.db import connection\n"
        "connection.ensure_connection()\n"
        "here = socket.socket(fileno=os.dup(connection.connection.fileno()))\n"
        "names = ('TCP_KEEPIDLE', 'TCP_KEEPINTVL', 'TCP_KEEPCNT', 'TCP_USER_TIMEOUT')\n"
        "print(*(here.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in names))"
    )
    with running_pgbouncer(postgres) as pool:
        own = {"DATABASE_URL": postgres, "DATABASE_POOL": pool, "DJANGO_SETTINGS_MODULE": "config.settings"}
        said = run_python("-c", ask, **own)
    assert said.stdout.split() == ["4", "2", "3", "10000"], said.stderr


@by_pgbouncer
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing says whether the process has stopped")
def test_the_pooler_lets_go_of_a_server_that_stands_still(postgres: str) -> None:
    """Its kernel still answers, so nothing else would end the wait. The bound is cut to a second here."""
    with running_pgbouncer(postgres, {"query_timeout = 25": "query_timeout = 1"}) as pool, ExitStack() as after:
        session, pid = next(filter(None, (borrow_session(pool) for _ in range(PATIENCE))))
        after.callback(session.close)
        os.kill(pid, signal.SIGSTOP)
        after.callback(os.kill, pid, signal.SIGCONT)
        state = Path(f"/proc/{pid}/stat")
        wait_until(lambda: state.read_text().rpartition(")")[2].split()[0] == "T", PATIENCE, "it stands still")
        with pytest.raises(psycopg.OperationalError, match="query timeout"):
            session.execute("SELECT 1")


def borrow_session(pool: str) -> tuple[psycopg.Connection, int] | None:
    """A session by the pooler, and the server's process for it; None where a busy machine took a second for that."""
    with suppress(psycopg.OperationalError):
        session = psycopg.connect(pool, autocommit=True)
        for (pid,) in session.execute("SELECT pg_backend_pid()"):
            return session, pid
    return None
