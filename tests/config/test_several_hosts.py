"""One site on several machines: a part each by ROLE, one database, one broker, connections shared by a pool."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psycopg
import pytest
import redis
from django.conf import settings

from config.run.broker import socket_path
from tests.config.hosts import KEY, MAKE, SEALED, SEND, SIZES, ask_database, close, python
from tests.mining.killing import children_of
from tests.servers import (
    PATIENCE,
    ROOT,
    Prepared,
    Site,
    free_port,
    outside,
    pgbouncer_program,
    running_broker,
    running_pgbouncer,
    running_site,
    wait_until,
    worker_answers,
)
from tests.surveys.killing import send_all

LEADERS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"
KEYS = "SELECT count(*) FROM surveys_sealingkey k JOIN surveys_sealinground r ON k.round_id = r.key WHERE r.current"
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()"


@pytest.mark.long
def test_hosts_that_take_answers_and_hosts_that_seal_lose_and_double_nothing(
    tables: str, broker: redis.Redis, tmp_path: Path
) -> None:
    """Two web servers, and two sealing jobs of which the leading one is killed for good: the other seals everything."""
    bodies = [str(body).encode() for body in python(MAKE, tables, tmp_path / "maker", "60")]
    shared = {"DATABASE_URL": tables, "CELERY_BROKER_URL": settings.CELERY_BROKER_URL, "SECRET_KEY": KEY, "DEMO": "0"}
    with ExitStack() as parts:
        leading = parts.enter_context(running_site(tmp_path / "sealing", ROLE="tend", **shared))
        wait_until(lambda: ask_database(tables, LEADERS) == 1, PATIENCE, "a sealing job leads")
        parts.enter_context(running_site(tmp_path / "sealing too", ROLE="tend", **shared))
        wait_until(
            lambda: ask_database(tables, KEYS) == 2, PATIENCE, "responses are encrypted to the keys of both hosts"
        )
        ports = [free_port(), free_port()]
        for number, port in enumerate(ports):
            parts.enter_context(running_site(tmp_path / f"web {number}", ROLE="web", PORT=str(port), **shared))
        for port, mine in zip(ports, (bodies[:30], bodies[30:]), strict=True):
            send_all(port, "hosts", mine)
        leading.kill()
        python(SEALED, tables, tmp_path / "maker")
        wait_until(lambda: ask_database(tables, SIZES) == 60, PATIENCE, "the other has sealed all")
    assert python(SEALED, tables, tmp_path / "maker") == list(range(60))


@pytest.mark.long
def test_a_site_whose_broker_is_away_takes_and_seals_answers_and_looks_for_it(tables: str, tmp_path: Path) -> None:
    """Its machines start while it is down, and say what is missing; the worker works as soon as it is there."""
    bodies = [str(body).encode() for body in python(MAKE, tables, tmp_path / "maker", "60")]
    place = socket_path(tmp_path)
    broker_url = f"redis+socket://{place}?virtual_host=0"
    shared = {"DATABASE_URL": tables, "CELERY_BROKER_URL": broker_url, "SECRET_KEY": KEY, "DEMO": "0"}
    warning = (
        "The broker of CELERY_BROKER_URL does not answer: responses are still stored and sealed, but mining waits."
    )
    with running_site(tmp_path / "site", **shared) as site:
        assert site.printed.read_text().count(warning) == 1
        assert send_all(site.port, "hosts", bodies) == {201: 60}
        close(tables)
        wait_until(lambda: ask_database(tables, SIZES) == 60, PATIENCE, "all is sealed")
        with running_broker(place):
            wait_until(lambda: worker_answers(broker_url), PATIENCE, "the worker answers")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["psycopg's pool", "PgBouncer"])
def test_connections_are_shared_and_nobody_is_lost(kind: str, tables: str, broker: redis.Redis, tmp_path: Path) -> None:
    """Sixteen devices that send at once, and pages that read, over three connections of each process at most."""
    bodies = [str(body).encode() for body in python(MAKE, tables, tmp_path / "maker", "200")]
    shared = {"DATABASE_URL": tables, "CELERY_BROKER_URL": settings.CELERY_BROKER_URL, "SECRET_KEY": KEY, "DEMO": "0"}
    with ExitStack() as parts:
        if kind == "PgBouncer" and not pgbouncer_program():
            pytest.skip("no PgBouncer found: install the package pgbouncer")
        pool = parts.enter_context(running_pgbouncer(tables)) if kind == "PgBouncer" else "3"
        parts.enter_context(running_site(tmp_path / "sealing", ROLE="tend", **shared))
        site = parts.enter_context(running_site(tmp_path / "web", ROLE="web", DATABASE_POOL=pool, **shared))
        assert send_all(site.port, "hosts", bodies) == {201: 200}
        assert send_all(site.port, "hosts", bodies) == {200: 200}
        assert json.loads(site.get("/s/hosts/questionnaire"))["slug"] == "hosts"
        assert ask_database(tables, CONNECTIONS) <= 6 + 3
        python(SEALED, tables, tmp_path / "maker")
        wait_until(lambda: ask_database(tables, SIZES) == 200, PATIENCE, "all are sealed")


# A sealing job that stands still leads no more: another cuts it off, and it does no harm when it goes on.


# With a shorter bound, the signs of life come more often, too.
TEND = """
import sys
import django
django.setup()
from django.core.management import call_command
from surveys.domain.database import hosts
hosts.STILL, hosts.PAUSE = int(sys.argv[1]), int(sys.argv[1]) / 5
call_command("tend")
"""
LEADS = (
    "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
    " AND application_name = 'candor leads on {}'"
)
ROUND_OF_BOTH = (
    "SELECT count(*) / 2 FROM surveys_sealingkey k JOIN surveys_sealinground r ON k.round_id = r.key WHERE r.current"
)
SEALS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'candor leads' AND "


@contextmanager
def tending(name: str, still: int, url: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A sealing job of a machine of this name, and of a data folder of its own."""
    own = {"DATABASE_URL": url, "CANDOR_DATA": str(folder / name), "MACHINE": name, "SECRET_KEY": KEY}
    own["DJANGO_SETTINGS_MODULE"] = "config.settings"
    (folder / name).mkdir(exist_ok=True)
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", TEND, str(still)], cwd=ROOT, env=outside() | own, stderr=log, stdout=log
        )
    try:
        yield process
    finally:
        process.kill()  # also if it stands still
        process.wait()


@pytest.mark.long  # that another host leads is tried of each database by itself
@pytest.mark.parametrize("still", [4, 10])
def test_a_sealing_job_that_stands_still_while_it_seals_is_followed(still: int, tables: str, tmp_path: Path) -> None:
    """It is stopped within its transaction, where it holds the survey: the other undoes that and seals everything.

    When it goes on, what it still wants to write is refused; nothing is lost or sealed twice. It leads again when the
    other one dies.
    """
    bodies = python(MAKE, tables, tmp_path / "maker", "60")
    with ExitStack() as hosts:
        first = hosts.enter_context(tending("first", still, tables, tmp_path))
        wait_until(lambda: ask_database(tables, LEADS.format("first")), PATIENCE, "the first leads")
        second = hosts.enter_context(tending("second", still, tables, tmp_path))
        wait_until(lambda: ask_database(tables, ROUND_OF_BOTH), PATIENCE, "responses are encrypted for both")
        assert python(SEND, tables, tmp_path / "maker", json.dumps(bodies)) == [True] * 60
        with psycopg.connect(tables) as session:
            session.execute("LOCK TABLE surveys_part")
            close(tables)
            wait_until(lambda: ask_database(tables, f"{SEALS} wait_event_type = 'Lock'"), PATIENCE, "it wants to write")
            os.kill(first.pid, signal.SIGSTOP)
        wait_until(
            lambda: ask_database(tables, f"{SEALS} state = 'idle in transaction'"), PATIENCE, "it holds the survey"
        )
        wait_until(lambda: ask_database(tables, SIZES) == 60, PATIENCE, "the other has sealed all")
        assert ask_database(tables, LEADS.format("second")) == 1
        os.kill(first.pid, signal.SIGCONT)
        said = tmp_path / "first.log"
        wait_until(lambda: "were not sealed (OperationalError)" in said.read_text(), PATIENCE, "it was refused")
        second.kill()
        wait_until(lambda: ask_database(tables, LEADS.format("first")), PATIENCE, "the first leads again")
    assert ask_database(tables, SIZES) == 60
    assert python(SEALED, tables, tmp_path / "maker") == list(range(60))


# Processes that are killed in the middle of a mining run, or stand still, on the site as `make run` starts it.


REQUEST = """
from mining.domain.request import request_run
from mining.engines.request import MiningRequest
from surveys.models import Survey
request_run(Survey.objects.get(slug="demo-ten"), MiningRequest(min_support=0.05, min_confidence=0.5))
"""


def request(site: Site) -> None:
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", REQUEST]
    subprocess.run(command, cwd=ROOT, env=outside() | {"CANDOR_DATA": str(site.data)}, check=True)


def state(site: Site) -> str:
    with closing(sqlite3.connect(f"file:{site.data}/candor.sqlite3?mode=ro", uri=True)) as database:
        (value,) = database.execute("SELECT state FROM mining_miningrun").fetchone()
    return str(value)


@pytest.mark.long
def test_the_run_is_taken_up_again(prepared: Prepared, tmp_path: Path) -> None:
    """Its lease runs out, the next worker takes it, and it ends with its result: never "running" for ever."""
    with running_site(prepared.copied(tmp_path / "data"), MINING_LEASE="2") as site:
        request(site)
        wait_until(lambda: state(site) == "running", PATIENCE, "the run has begun")
        os.killpg(site.pid("worker"), signal.SIGKILL)
        wait_until(lambda: state(site) == "done", PATIENCE, "the run is done")
    assert "The worker ended (killed by SIGKILL) and is started again." in site.printed.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of the processes of others")
@pytest.mark.long
def test_processes_of_a_pool_that_stand_still_are_replaced(prepared: Prepared, tmp_path: Path) -> None:
    """The main processes of worker and web server live and say so, but would let runs and visitors wait for ever."""
    with running_site(prepared.copied(tmp_path / "data"), MINING_LEASE="2") as site:
        pools = {}
        for name in ("worker", "web server"):
            leader = site.pid(name)
            wait_until(lambda leader=leader: len(children_of(leader)) == 2, PATIENCE, f"the {name} has its pool")
            pools[leader] = children_of(leader)
        for pool in pools.values():
            for process in pool:
                os.kill(process, signal.SIGSTOP)
        request(site)
        wait_until(lambda: state(site) == "done", PATIENCE, "the run is done")
        assert "Candor" in site.get("/")
        for leader, pool in pools.items():
            wait_until(lambda at=(leader, pool): not {*at[1]} & {*children_of(at[0])}, PATIENCE, "all are replaced")
    printed = site.printed.read_text()
    assert printed.count("A process of the worker no longer responds and is stopped.") == 2
    assert printed.count("A process of the web server no longer responds and is stopped.") == 2
    assert "is started again" not in printed
