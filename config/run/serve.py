"""The whole site with one command: broker, database, web server, worker, sealing job.

`make run` calls `python -m config.run.serve`. On one of several machines ROLE names the one part that runs there; its
broker is another machine's.
"""

import errno
import http.client
import logging
import os
import resource
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

from config import settings
from config.environment import PREPARED, private_folder, refuse, writable_folder
from config.run import broker
from config.run.processes import (
    Child,
    end_groups,
    kill_started,
    read_first_line,
    restart_if_changed,
    times_of_files,
    write,
)
from config.web.logs import announce
from surveys.domain.database import locks

GRACE = 10.0  # seconds in which a request or a task may end by itself when the site stops
SITE_STARTS = 60.0  # seconds in which the site must answer
BROKER_ANSWERS = 10.0  # seconds for which a start waits for a broker of CELERY_BROKER_URL
SQLITE_MENDED = (3, 51, 3)  # from here on a checkpoint beside a commit loses nothing (docs/decisions/0014)
PRIVATE_BROKER = not os.environ.get("CELERY_BROKER_URL")
PARTS = {"web": "web server", "worker": "worker", "tend": "sealing job"}  # by the ROLE that runs it alone
ROLE = settings.ROLE
DJANGO = [sys.executable, "-m", "django"]  # `manage.py` is not where the package is installed


def address(bind: str, port: int) -> str:
    """Return the address at which this machine reaches the web server."""
    if bind in ("127.0.0.1", "::1", "0.0.0.0", "::"):
        return f"http://localhost:{port}/"
    return f"http://{f'[{bind}]' if ':' in bind else bind}:{port}/"


ADDRESS = address(settings.BIND, settings.PORT)


def database_version() -> str:
    """A sentence on the database that keeps the answers; of SQLite also whether it has the WAL-reset error."""
    if settings.DATABASE["ENGINE"] != "django.db.backends.sqlite3":
        return "PostgreSQL keeps the answers."
    if sqlite3.sqlite_version_info >= SQLITE_MENDED:
        return f"SQLite {sqlite3.sqlite_version} keeps the answers; it does not have the WAL-reset error."
    return (
        f"SQLite {sqlite3.sqlite_version} keeps the answers; it has the WAL-reset error, which Candor's order of "
        "checkpoints avoids (docs/deploy.md)."
    )


def warn_of_root() -> None:
    if os.geteuid() == 0:
        announce(
            "Candor runs as root: an error in it could change the whole machine. Start it as its own user "
            "(docs/deploy.md).",
            logging.WARNING,
        )


def hold(run: Path) -> None:
    """Reserve the data folder for this process, as long as it lives."""
    path = run / "site.lock"
    file = locks.lock(path)
    if file is None:
        refuse(
            f"{f'The {PARTS[ROLE]} of Candor' if ROLE else 'Candor'} already runs on the folder "
            f"{settings.CANDOR_DATA} ({read_first_line(path)}): "
            "stop it first, or set CANDOR_DATA to another folder."
        )
    write(file, f"process {os.getpid()}{f', {ADDRESS}' if ROLE in ('', 'web') else ''}")


def reserve() -> socket.socket:
    """Take the port, on which the web server listens once it can answer: until then a proxy asks another one.

    It stays open while the web server is started again, so that no visitor is refused.
    """
    server = socket.socket(socket.AF_INET6 if ":" in settings.BIND else socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind((settings.BIND, settings.PORT))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            refuse(f"Port {settings.PORT} is taken: choose another, as in `PORT={settings.PORT % 65535 + 1}`.")
        if error.errno == errno.EACCES:
            refuse(f"Port {settings.PORT} is reserved for the system: choose one from 1024 up, as in `PORT=8000`.")
        refuse(f"BIND={settings.BIND} is not an address of this machine.")
    return server


def broker_answers() -> bool:
    import redis  # it loads while the web server does

    client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=2)
    try:
        return bool(client.ping())
    except redis.RedisError as error:
        from surveys.notes import refusal

        if said := refusal(error):
            refuse(f"{said}.")
        return False
    finally:
        client.close()


def page_answers() -> bool:
    """Whether the front page answers; a redirect to HTTPS or an error page counts as an answer."""
    connection = http.client.HTTPConnection(settings.BIND, settings.PORT, timeout=5)
    try:
        connection.request("GET", "/")
        connection.getresponse().read()
        return True
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def wait(until: Callable[[], object], children: list[Child], failure: str, seconds: float = SITE_STARTS) -> None:
    """Wait until the condition holds. If a child dies, or it takes too long, the start ends with this sentence."""
    if not comes_true(until, children, seconds):
        refuse(failure)


def comes_true(until: Callable[[], object], children: list[Child], seconds: float) -> bool:
    """Whether the condition holds within so many seconds, and before a child dies."""
    end = time.monotonic() + seconds
    while not until():
        if time.monotonic() > end or any(child.has_died for child in children):
            return False
        time.sleep(0.05)
    return True


def warn_of_absent_broker() -> None:
    """Warn that the broker does not answer: only mining waits for it."""
    if not comes_true(broker_answers, [], BROKER_ANSWERS):
        announce(
            "The broker of CELERY_BROKER_URL does not answer: responses are still stored and sealed, but mining waits.",
            logging.WARNING,
        )


def start_broker(run: Path) -> list[Child]:
    if ROLE and PRIVATE_BROKER:
        wait(broker_answers, [], f"ROLE={ROLE} needs a running broker: name it in CELERY_BROKER_URL.", 2.0)
        return []
    if not PRIVATE_BROKER:
        warn_of_absent_broker()
        return []
    private_folder(settings.BROKER_SOCKET.parent)
    # A second server on this socket would take it over without a word.
    if settings.BROKER_SOCKET.exists() and broker_answers():
        refuse(f"Another broker answers on {settings.BROKER_SOCKET}: stop it first.")
    child = Child("broker", broker.command(settings.BROKER_SOCKET), run)
    child.start()
    return [child]


def prepare(run: Path) -> Child:
    """Begin to make tables, demo and first administrator, in a process of their own, so that this one stays small."""
    child = Child("preparation", [*DJANGO, "prepare"], run)
    child.start()
    return child


def parts(run: Path, server: socket.socket | None, prepared: int) -> list[Child]:
    """The processes of this site, or the one that ROLE names. The web server waits until the pipe `prepared` closes."""
    os.environ[PREPARED] = str(prepared)
    if settings.DEVELOPMENT:  # these processes have no terminal: `breakpoint()` waits on a port of this machine
        os.environ.setdefault("PYTHONBREAKPOINT", "celery.contrib.rdb.set_trace")
    python = [sys.executable, "-W", "ignore:You're running the worker with superuser", "-m"]
    port = server.fileno() if server else 0
    gunicorn = ["gunicorn", "--config", "python:config.gunicorn", "--bind", f"fd://{port}", "config.wsgi"]
    celery = ["celery", "--quiet", "-A", "config", "worker", "--without-gossip", "--concurrency", "2"]
    celery += ["--loglevel", "warning"]
    children = [
        Child("web server", [*python, *gunicorn], run, (port, prepared) if server else ()),
        Child("worker", [*python, *celery], run),
        Child("sealing job", [*DJANGO, "tend"], run),
    ]
    return [child for child in children if child.name == PARTS.get(ROLE, child.name)]


def start_site(run: Path, server: socket.socket | None, brokers: list[Child]) -> list[Child]:
    """Prepare the database while web server and broker load; then it listens, and the other parts start."""
    prepared, preparing = os.pipe()
    children = parts(run, server, prepared)
    preparation = prepare(run)  # first: it takes longest
    for child in children[: bool(server)]:
        child.start()
    if brokers:
        where = settings.BROKER_SOCKET.parent
        wait(broker_answers, brokers, f"The broker does not start: see {where}/broker.log.")
    if preparation.wait() != 0:
        raise SystemExit(1)  # the child has said why
    os.close(preparing)
    for child in children[bool(server) :]:
        child.start()
    if server:
        wait(page_answers, children, "The site does not start: its messages are above.")
    return children


def serve(run: Path) -> None:
    end_groups(list(run.glob("*.pid")), GRACE)  # processes that a killed run has left
    server = reserve() if ROLE in ("", "web") else None
    files = times_of_files() if settings.DEVELOPMENT else {}  # before they are loaded
    brokers = start_broker(run)
    children = brokers + start_site(run, server, brokers)
    warn_of_root()
    announce(database_version())
    announce(greeting())
    while True:
        for child in children:
            child.keep()
        if files:
            files = restart_if_changed(files, [child for child in children if child.name != "broker"])
        time.sleep(1.0 if files else 0.2)


def greeting() -> str:
    if not ROLE:
        return f"Candor is at {ADDRESS} and its studio at {ADDRESS}{settings.STAFF_PATH[1:]} (Ctrl-C stops it)."
    place = f" at {ADDRESS}" if ROLE == "web" else ""
    return f"Candor's {PARTS[ROLE]} runs here{place} (Ctrl-C stops it)."


def end(run: Path) -> None:
    """End everything, the broker last, because the others use it. A second Ctrl-C waits for no request and no task."""
    last = run / "broker.pid"
    others = [path for path in run.glob("*.pid") if path != last]
    try:
        end_groups(others, GRACE)
        end_groups([last], GRACE)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        end_groups([*others, last], 0.0)
    kill_started()


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # each raises KeyboardInterrupt
    os.chdir(settings.BASE_DIR)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.umask(0o077)  # files are readable by their owner alone, also in a data folder that others may enter
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold keys and answers
    run = private_folder(writable_folder(settings.CANDOR_DATA) / "run")
    if ROLE:  # parts that are started apart may share a data folder, and each keeps what it started to itself
        run = private_folder(run / ROLE)
    hold(run)
    try:
        serve(run)
    except KeyboardInterrupt:
        announce("\nCandor stops.")
    finally:
        end(run)


if __name__ == "__main__":
    main()
