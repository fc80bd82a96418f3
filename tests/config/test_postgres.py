"""What the site asks of PostgreSQL."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker

from config import environment
from surveys import children
from tests.cases import first
from tests.servers import PATIENCE, ROOT, outside, pgbouncer_program, running_pgbouncer, wait_until


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "more", "timeouts"),
    first(
        1,
        [
            ("config.wsgi", "", ["4s", "20s"]),
            ("django", "", ["4s", "0"]),  # the sealing job and the worker
            ("config.wsgi", "&options=-c%20lock_timeout%3D1s", ["1s", "20s"]),
        ],
    ),
)
def test_nobody_waits_for_a_lock_for_ever(postgres: str, module: str, more: str, timeouts: list[str]) -> None:
    """A lock gets four seconds, a statement of the web server twenty; DATABASE_URL may say otherwise."""
    ask = (
        f"import {module}, django; django.setup()\n"
        "from django.db import connection\n"
        "for name in ('lock_timeout', 'statement_timeout'):\n"
        "    print(connection.cursor().execute(f'SHOW {name}').fetchone()[0])"
    )
    own = {"DATABASE_URL": postgres + more, "DJANGO_SETTINGS_MODULE": "config.settings"}
    said = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, env=os.environ | own, capture_output=True, check=True)
    assert said.stdout.decode().split() == timeouts


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
@pytest.mark.parametrize(("pool", "answers"), first(1, [("2", True), ("", False), ("", True), ("2", False)]))
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
    said = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, env=os.environ | own, capture_output=True, text=True, check=True
    )
    assert said.stdout.split() == ["None", "{}", "1"]


@pytest.mark.long
def test_a_database_for_ascii_alone_is_refused_before_anything_is_made(
    postgres_server: tuple[Path, Path], tmp_path: Path
) -> None:
    """As createdb makes it where PostgreSQL was installed without a language; the sentence says how to make another."""
    programs, folder = postgres_server
    ascii_alone = ["--encoding=SQL_ASCII", "--locale=C", "--template=template0", "ascii"]
    subprocess.run([programs / "createdb", "-h", folder, "-U", "candor", *ascii_alone], check=True)
    own = {"DATABASE_URL": f"postgresql://candor@/ascii?host={folder}", "CANDOR_DATA": str(tmp_path)}
    started = subprocess.run(
        [sys.executable, "manage.py", "prepare"],
        cwd=ROOT,
        env=outside() | own,
        capture_output=True,
        text=True,
        check=False,
    )
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
    own = {"DATABASE_URL": f"postgresql://candor@db.example.org/candor{more}"}
    said = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, env=os.environ | own, capture_output=True, check=True)
    assert said.stdout.decode().split() == taken


def needs_pgbouncer() -> None:
    if pgbouncer_program() is None:
        pytest.skip("no PgBouncer found: install the package pgbouncer")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere these numbers have other names")
def test_the_system_asks_after_the_pooler_too(postgres: str) -> None:
    """The connection of a web server over TCP, as the kernel has it."""
    needs_pgbouncer()
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
        printed = subprocess.run(
            [sys.executable, "-c", ask], cwd=ROOT, env=os.environ | own, capture_output=True, check=True
        )
    assert printed.stdout.decode().split() == ["4", "2", "3", "10000"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing says whether the process has stopped")
def test_the_pooler_lets_go_of_a_server_that_stands_still(postgres: str) -> None:
    """Its kernel still answers, so nothing else would end the wait. The bound is cut to a second here."""
    needs_pgbouncer()
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
