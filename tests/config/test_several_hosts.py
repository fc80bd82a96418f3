"""One site on several machines: a part each by ROLE, one database, one broker, connections shared by a pool."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from django.conf import settings

from config.run.broker import socket_path
from tests.config.hosts import KEY, MAKE, SEALED, SIZES, ask_database, close, python
from tests.servers import (
    PATIENCE,
    free_port,
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
