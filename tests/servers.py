"""Fixtures that start real servers: the broker, a worker, PostgreSQL, the whole of `make run`."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from config import broker as private_broker
from config import celery_app

ROOT = Path(__file__).resolve().parent.parent


def wait_until(true: Callable[[], object], seconds: float, what: str) -> None:
    """Ask until it is true; a failure says what was waited for."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"waited {seconds} s in vain: {what}"
        time.sleep(0.05)


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def live(live_server: LiveServer) -> LiveServer:
    """The site on a free port; answers stand in the test database, a file."""
    return live_server


@pytest.fixture(scope="session")
def broker() -> Iterator[redis.Redis]:
    """The private broker, where the settings expect it; emptied for nobody: use names of your own."""
    private_broker.private_folder(settings.BROKER_SOCKET.parent)
    process = subprocess.Popen(private_broker.command(settings.BROKER_SOCKET))
    client = redis.Redis.from_url(settings.REDIS_URL)

    def answers() -> bool:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False

    try:
        wait_until(answers, 10, "the broker answers PING")
        yield client
    finally:
        client.close()
        stop(process)


@pytest.fixture
def worker(broker: redis.Redis, transactional_db: None) -> Iterator[subprocess.Popen[bytes]]:
    """A real Celery worker on the test database."""
    broker.flushall()
    environment = dict(os.environ)
    if connection.vendor == "sqlite":
        environment["DATABASE_URL"] = f"sqlite:///{connection.settings_dict['NAME']}"
    command = [sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "-A", "config"]
    command += ["worker", "--pool=solo", "--loglevel=warning"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        wait_until(lambda: celery_app.control.ping(timeout=0.5), 20, "the worker answers")
        yield process
    finally:
        stop(process)


def postgres_programs() -> Path | None:
    """The folder with initdb and postgres: on PATH, or where Debian keeps them."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server on a unix socket, no TCP port; the URL of an empty database on it."""
    programs = postgres_programs()
    if programs is None:
        reason = "no PostgreSQL server found: install the package postgresql for the tests on it"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    folder = Path(tempfile.mkdtemp(prefix="candor-pg-"))
    root = os.getuid() == 0
    if root:  # initdb refuses root
        account = pwd.getpwnam("nobody")
        os.chown(folder, account.pw_uid, account.pw_gid)
    user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if root else {}
    data = folder / "data"
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "candor", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"],
        check=True, stdout=subprocess.DEVNULL, cwd=folder, **user,
    )  # fmt: skip
    server = subprocess.Popen(
        [programs / "postgres", "-D", data, "-c", f"unix_socket_directories={folder}", "-c", "listen_addresses="],
        stderr=subprocess.DEVNULL, cwd=folder, **user,
    )  # fmt: skip
    try:
        ready = [programs / "pg_isready", "-q", "-h", folder]
        wait_until(lambda: subprocess.run(ready, check=False).returncode == 0, 20, "PostgreSQL is ready")
        subprocess.run([programs / "createdb", "-h", folder, "-U", "candor", "candor"], check=True)
        yield f"postgresql://candor@/candor?host={folder}"
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder, ignore_errors=True)
