"""One site on several machines: a part each by ROLE, one database, one broker, connections shared by a pool."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from django.conf import settings

from config.run.broker import socket_path
from tests.config.hosts import KEY, MAKE, SEALED, SIZES, asked, python
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
    postgres: str, broker: redis.Redis, tmp_path: Path
) -> None:
    """Two web servers, and two sealing jobs of which the leading one is killed for good: the other seals everything."""
    bodies = [str(body).encode() for body in python(MAKE, postgres, tmp_path / "maker", "60")]
    shared = {"DATABASE_URL": postgres, "CELERY_BROKER_URL": settings.CELERY_BROKER_URL, "SECRET_KEY": KEY, "DEMO": "0"}
    with ExitStack() as parts:
        leading = parts.enter_context(running_site(tmp_path / "sealing", ROLE="tend", **shared))
        wait_until(lambda: asked(postgres, LEADERS) == 1, PATIENCE, "a sealing job leads")
        parts.enter_context(running_site(tmp_path / "sealing too", ROLE="tend", **shared))
        wait_until(lambda: asked(postgres, KEYS) == 2, PATIENCE, "responses are encrypted to the keys of both hosts")
        ports = [free_port(), free_port()]
        for number, port in enumerate(ports):
            parts.enter_context(running_site(tmp_path / f"web {number}", ROLE="web", PORT=str(port), **shared))
        for port, mine in zip(ports, (bodies[:30], bodies[30:]), strict=True):
            send_all(port, "hosts", mine)
        leading.kill()
        python(SEALED, postgres, tmp_path / "maker")
        wait_until(lambda: asked(postgres, SIZES) == 60, PATIENCE, "the other has sealed all")
    assert python(SEALED, postgres, tmp_path / "maker") == list(range(60))


def test_a_broker_that_is_away_keeps_neither_web_server_nor_sealing_job_from_starting(
    postgres: str, tmp_path: Path
) -> None:
    """Machines start while it is down: answers are kept and sealed, and each start says what is missing."""
    bodies = [str(body).encode() for body in python(MAKE, postgres, tmp_path / "maker", "60")]
    away = f"redis://127.0.0.1:{free_port()}/0"
    shared = {"DATABASE_URL": postgres, "CELERY_BROKER_URL": away, "SECRET_KEY": KEY, "DEMO": "0"}
    warning = "The broker of CELERY_BROKER_URL does not answer: answers are kept and sealed, and mining waits."
    with ExitStack() as parts:
        sealing = parts.enter_context(running_site(tmp_path / "sealing", ROLE="tend", **shared))
        wait_until(lambda: asked(postgres, KEYS) == 1, PATIENCE, "responses can be encrypted")
        port = free_port()
        web = parts.enter_context(running_site(tmp_path / "web", ROLE="web", PORT=str(port), **shared))
        send_all(port, "hosts", bodies)
        assert [part.printed.read_text().count(warning) for part in (sealing, web)] == [1, 1]
        sealing.kill()
        python(SEALED, postgres, tmp_path / "maker")
        parts.enter_context(running_site(tmp_path / "sealing", ROLE="tend", **shared))
        wait_until(lambda: asked(postgres, SIZES) == 60, PATIENCE, "all is sealed")


def test_a_worker_whose_broker_is_away_looks_for_it(postgres: str, tmp_path: Path) -> None:
    """It starts all the same, and works as soon as the broker is there."""
    place = socket_path(tmp_path)
    broker_url = f"redis+socket://{place}?virtual_host=0"
    shared = {"DATABASE_URL": postgres, "CELERY_BROKER_URL": broker_url, "SECRET_KEY": KEY, "DEMO": "0"}
    with running_site(tmp_path / "works", ROLE="worker", **shared), running_broker(place):
        wait_until(lambda: worker_answers(broker_url), PATIENCE, "the worker answers")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["psycopg's pool", "PgBouncer"])
def test_connections_are_shared_and_nobody_is_lost(
    kind: str, postgres: str, broker: redis.Redis, tmp_path: Path
) -> None:
    """Sixteen devices that send at once, and pages that read, over three connections of each process at most."""
    bodies = [str(body).encode() for body in python(MAKE, postgres, tmp_path / "maker", "200")]
    shared = {"DATABASE_URL": postgres, "CELERY_BROKER_URL": settings.CELERY_BROKER_URL, "SECRET_KEY": KEY, "DEMO": "0"}
    with ExitStack() as parts:
        if kind == "PgBouncer" and not pgbouncer_program():
            pytest.skip("no PgBouncer found: install the package pgbouncer")
        pool = parts.enter_context(running_pgbouncer(postgres)) if kind == "PgBouncer" else "3"
        parts.enter_context(running_site(tmp_path / "sealing", ROLE="tend", **shared))
        site = parts.enter_context(running_site(tmp_path / "web", ROLE="web", DATABASE_POOL=pool, **shared))
        assert send_all(site.port, "hosts", bodies) == {201: 200}
        assert send_all(site.port, "hosts", bodies) == {200: 200}
        assert json.loads(site.get("/s/hosts/questionnaire"))["slug"] == "hosts"
        assert asked(postgres, CONNECTIONS) <= 6 + 3
        python(SEALED, postgres, tmp_path / "maker")
        wait_until(lambda: asked(postgres, SIZES) == 200, PATIENCE, "all are sealed")
