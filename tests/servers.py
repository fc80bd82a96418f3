"""Fixtures that start real servers: the broker, a worker, PostgreSQL, the whole of `make run`."""

import fcntl
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler
from itertools import count
from pathlib import Path
from socketserver import BaseServer
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import pytest
import redis
from celery import Celery
from django.conf import settings
from django.core.servers.basehttp import WSGIServer
from pytest_django.live_server_helper import LiveServer

from config.celery import app as celery_app
from config.environment import broker as broker_address, private_folder
from config.run import broker as private_broker
from config.run.processes import end_groups, is_held, read_first_line

ROOT = Path(__file__).resolve().parent.parent
SERVE = (sys.executable, "-m", "config.run.serve")
PATIENCE = 120  # seconds for what takes one or two, on a machine that has other work to do
WSGIServer.request_queue_size = 1024  # Django's ten are fewer than the visitors that tests send at once

# Below the ports that any system hands out by itself (gVisor begins at 16 000, Linux at 32 768), so that nobody gets
# one between its choice and its use. The processes that share a run's tests begin as far from each other as may be, and
# those of another run elsewhere.
_PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
_PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
_ports = count(10_000 + (os.getppid() * 50 + 5_000 * _PROCESS // _PROCESSES) % 5_000)


def wait_until(true: Callable[[], object], seconds: float, what: str) -> None:
    """Ask until it is true; a failure says what was waited for."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"waited {seconds} s in vain: {what}"
        time.sleep(0.05)


def committed(folder: Path) -> str:
    """Make a checkout of a folder; returns its commit as versions name it."""
    own = ("git", "-C", str(folder), "-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    subprocess.run([*own, "add", "--all"], check=True)
    subprocess.run([*own, "commit", "--quiet", "--no-gpg-sign", "--message", "All of it"], check=True)
    return subprocess.check_output([*own, "rev-parse", "--short=12", "HEAD"], text=True).strip()


def copied(source: Path, folder: Path) -> None:
    """A file or a folder of the checkout into a folder, without what Python has compiled of it."""
    target = folder / source.name
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    for port in _ports:
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("every port is taken")


def listens(port: int) -> bool:
    """Whether somebody takes connections there; one that met itself at a free port is nobody."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        return bool(connection.getsockname() != connection.getpeername())
    return False


Server = TypeVar("Server", bound=BaseServer)


@contextmanager
def answering(server: Server) -> Iterator[Server]:
    """A server of the standard library, in a thread of its own."""
    with server:
        Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


class Quiet(BaseHTTPRequestHandler):
    """What is asked gets its `answer` in one piece, and is written into no log."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def answer(self) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def reply(self, body: bytes, headers: Iterable[tuple[str, str]] = (), status: int = 200) -> None:
        self.send_response_only(status)
        for name, value in [("Content-Length", str(len(body))), *headers]:  # first: what follows may break a line
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Files(SimpleHTTPRequestHandler, Quiet):
    """Those of a folder."""


@pytest.fixture
def live(live_server: LiveServer) -> LiveServer:
    """The site on a free port; answers stand in the test database, a file."""
    return live_server


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is called: what is to be mined, made, rehearsed or mailed is left to the test."""
    for room in (
        "mining.domain.request",
        "surveys.domain.rehearsal.ask",
        "surveys.releases.ask",
        "surveys.domain.mail.send",
    ):
        monkeypatch.setattr(f"{room}.hint", lambda *_: None)


@contextmanager
def running_broker(path: Path) -> Iterator[redis.Redis]:
    """The private broker on this socket, and a client that reaches it by the address that a site would use."""
    private_folder(path.parent)
    process = subprocess.Popen(private_broker.command(path))
    client = redis.Redis.from_url(broker_address(path)[1])

    def answers() -> bool:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False

    try:
        wait_until(answers, PATIENCE, "the broker answers PING")
        yield client
    finally:
        client.close()
        stop(process)


@pytest.fixture(scope="session")
def broker() -> Iterator[redis.Redis]:
    """The private broker, where the settings expect it; emptied for nobody: use names of your own."""
    with running_broker(settings.BROKER_SOCKET) as client:
        yield client


@pytest.fixture
def worker(broker: redis.Redis, transactional_db: None) -> Iterator[subprocess.Popen[bytes]]:
    """A real Celery worker on the test database."""
    broker.flushall()
    command = [sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "-A", "config"]
    command += ["worker", "--pool=solo", "--loglevel=warning"]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        wait_until(lambda: celery_app.control.ping(limit=1, timeout=1), PATIENCE, "the worker answers")
        yield process
    finally:
        stop(process)


def worker_answers(broker_url: str) -> bool:
    """Whether a worker answers through this broker. Tasks of this process still go to its own: an application that is
    made becomes the one that its thread sends to, for good, unless that is forbidden.
    """
    with Celery(broker=broker_url, set_as_current=False) as application:
        return bool(application.control.ping(limit=1, timeout=1))


@dataclass(frozen=True)
class Site:
    """What `make run` starts, on a data folder of its own."""

    process: subprocess.Popen[bytes]
    data: Path
    url: str
    printed: Path

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def pid(self, name: str) -> int:
        """Of a child; those of a part that runs alone (ROLE) lie in a folder of its own."""
        return int(read_first_line(next((self.data / "run").rglob(f"{name}.pid"), Path(name))))

    def held(self) -> list[str]:
        """The children that live, by their files."""
        return sorted(path.name for path in (self.data / "run").glob("*.pid") if is_held(path))

    def is_up(self) -> bool:
        """Whether it has said where it is; a start that ended is a failure with what it printed."""
        assert self.process.poll() is None, self.printed.read_text()
        printed = self.printed.read_text()
        return f"Candor is at {self.url}/" in printed or " runs here" in printed

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.end_parts(1)

    def kill(self) -> None:
        """As a machine dies: everything at once, and nothing is started again."""
        self.process.kill()
        self.process.wait()
        self.end_parts(0)

    def end_parts(self, patience: float) -> None:
        end_groups(list((self.data / "run").rglob("*.pid")), patience)

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())


def outside() -> dict[str, str]:
    """The environment without what the tests themselves have set."""
    own = {"DATABASE_URL", "DJANGO_ALLOW_ASYNC_UNSAFE", "DJANGO_SETTINGS_MODULE", "SECRET_KEY"}
    return {name: value for name, value in os.environ.items() if name not in own}


def run_python(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program of the checkout, in the environment of a site: how it ended, and what it printed."""
    own, command = outside() | environment, [sys.executable, *words]
    return subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=False, timeout=PATIENCE)


@contextmanager
def running_site(
    data: Path, *, command: Sequence[Path | str] = SERVE, folder: Path = ROOT, **environment: str
) -> Iterator[Site]:
    """The site, up; at the end stopped by Ctrl-C, and by force where that does not do."""
    port = environment.setdefault("PORT", str(free_port()))
    printed = data / "printed.txt"
    data.mkdir(exist_ok=True)
    with printed.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=outside() | {"CANDOR_DATA": str(data)} | environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    site = Site(process, data, f"http://localhost:{port}", printed)
    try:
        wait_until(site.is_up, PATIENCE, "the site is up")
        yield site
    finally:
        site.end()


@dataclass(frozen=True)
class Prepared:
    """A data folder as the first start of a site leaves it, with the demo: to be copied, never to be changed."""

    data: Path
    printed: str

    def copied(self, data: Path) -> Path:
        shutil.copytree(self.data, data)
        return data


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """What most starts of a site may begin with instead of making tables and demo again.

    The processes of one run of the tests share it: the first that needs it makes it, and the others wait.
    """
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    data, printed = shared / "prepared", shared / "prepared.txt"
    with (shared / "prepared.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not printed.exists():
            shutil.rmtree(data, ignore_errors=True)  # of a process that was stopped half way
            data.mkdir()
            with (shared / "tables.lock").open("w") as tables:  # `same_tables` of conftest.py, where that has made them
                fcntl.flock(tables, fcntl.LOCK_EX)
                if (made := shared / "tables.sqlite3").exists():
                    shutil.copy(made, data / "candor.sqlite3")
                    (data / "candor.sqlite3").chmod(0o600)
            done = subprocess.run(
                [sys.executable, "manage.py", "prepare"],
                cwd=ROOT,
                env=outside() | {"CANDOR_DATA": str(data)},
                umask=0o077,
                capture_output=True,
                text=True,
                check=True,
            )
            printed.write_text(done.stdout)
    return Prepared(data, printed.read_text())


def postgres_programs() -> Path | None:
    """The folder with initdb and postgres: on PATH, or where Debian keeps them."""
    if path := shutil.which("initdb"):
        return Path(path).resolve().parent
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


@contextmanager
def postgres_folder(programs: Path) -> Iterator[Path]:
    """A folder for the data, the socket and the log of a PostgreSQL server that does not run yet."""
    folder = Path(tempfile.mkdtemp(prefix="candor-pg-"))
    if os.getuid() == 0:
        account = pwd.getpwnam("nobody")
        os.chown(folder, account.pw_uid, account.pw_gid)
    subprocess.run(
        [programs / "initdb", "-D", folder / "data", "-U", "candor", "-A", "trust", "-E", "UTF8", "--no-sync",
         "--locale=C.UTF-8"],
        check=True, stdout=subprocess.DEVNULL, cwd=folder, **_postgres_user(),
    )  # fmt: skip
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start_postgres(programs: Path, folder: Path, fsync: bool) -> subprocess.Popen[bytes]:
    """A PostgreSQL server on a unix socket, no TCP port. Tests forgo fsync."""
    options = (f"unix_socket_directories={folder}", "listen_addresses=", f"fsync={'on' if fsync else 'off'}")
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            [programs / "postgres", "-D", folder / "data", *(word for option in options for word in ("-c", option))],
            stderr=log, cwd=folder, **_postgres_user(),
        )  # fmt: skip


def postgres_answers(programs: Path, folder: Path) -> bool:
    return subprocess.run([programs / "pg_isready", "-q", "-h", folder], check=False).returncode == 0


def _postgres_user() -> dict[str, Any]:
    """Neither initdb nor the server works for root."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.getuid() == 0 else {}


@contextmanager
def running_postgres(programs: Path, fsync: bool) -> Iterator[Path]:
    """A PostgreSQL server; the folder of its socket and its log."""
    with postgres_folder(programs) as folder:
        server = start_postgres(programs, folder, fsync)
        try:
            wait_until(lambda: postgres_answers(programs, folder), PATIENCE, "PostgreSQL is ready")
            yield folder
        finally:
            server.send_signal(signal.SIGINT)  # at once, with connections still open
            server.wait(PATIENCE)


def empty_database(programs: Path, folder: Path, *options: str) -> str:
    """The URL of a new database on the server whose socket is in the folder."""
    name = f"candor_{secrets.token_hex(4)}"
    subprocess.run([programs / "createdb", "-h", folder, "-U", "candor", *options, name], check=True)
    return f"postgresql://candor@/{name}?host={folder}"


def pgbouncer_program() -> str | None:
    return shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")  # Debian keeps it from the PATH of users


def shipped(name: str, replaced: dict[str, str]) -> str:
    """A file of `deploy/` with what must be another here: places and ports."""
    text = (ROOT / "deploy" / name).read_text()
    for ours, theirs in replaced.items():
        assert ours in text
        text = text.replace(ours, theirs)
    return text


@contextmanager
def running_pgbouncer(url: str, replaced: dict[str, str] | None = None) -> Iterator[str]:
    """The pooler by the shipped file, before a database on this machine; the URL under which it stands for it.

    It lends out six connections in place of twenty, fewer than tests have devices that send at once.
    """
    parts = urlsplit(url)
    name, host = parts.path[1:], parse_qs(parts.query)["host"][0]
    place, port = Path(tempfile.mkdtemp(prefix="candor-pgb-")), free_port()
    (place / "userlist.txt").write_text('"candor" "secret"\n')
    (place / "pgbouncer.ini").write_text(
        shipped(
            "pgbouncer.ini",
            {
                "candor = host=db.example.org": f"{name} = host={host}",
                "listen_port = 6432": f"listen_port = {port}",
                "/etc/pgbouncer": str(place),
                "server_tls_sslmode = verify-full": "server_tls_sslmode = disable",
                "server_tls_ca_file": ";server_tls_ca_file",
                "default_pool_size = 20": "default_pool_size = 6",
                **(replaced or {}),
            },
        )
    )
    if os.getuid() == 0:  # it refuses root
        for path in (place, *place.iterdir()):
            shutil.chown(path, "nobody", "nogroup")
    process = subprocess.Popen([str(pgbouncer_program()), "-q", place / "pgbouncer.ini"], cwd=place, **_postgres_user())
    try:
        wait_until(lambda: listens(port), PATIENCE, "PgBouncer listens")
        yield f"postgresql://candor:secret@127.0.0.1:{port}/{name}"
    finally:
        stop(process)
        shutil.rmtree(place, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[tuple[Path, Path]]:
    """A PostgreSQL server: the folder of its programs and the folder of its socket."""
    programs = postgres_programs()
    if programs is None:
        reason = "no PostgreSQL server found: install the package postgresql for the tests on it"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with running_postgres(programs, fsync=False) as folder:
        yield programs, folder


@pytest.fixture
def postgres(postgres_server: tuple[Path, Path]) -> str:
    """The URL of an empty database."""
    return empty_database(*postgres_server)


@pytest.fixture(scope="session")
def tables_to_copy(postgres_server: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database to be copied: making its tables takes longer than most tests on them."""
    url = empty_database(*postgres_server)
    own = {"DATABASE_URL": url, "CANDOR_DATA": str(tmp_path_factory.mktemp("tables"))}
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=ROOT, env=outside() | own, check=True)
    return urlsplit(url).path[1:]


@pytest.fixture
def tables(postgres_server: tuple[Path, Path], tables_to_copy: str) -> str:
    """The URL of a database with the tables of a site."""
    return empty_database(*postgres_server, f"--template={tables_to_copy}")
