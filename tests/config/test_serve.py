"""`make run`: starts whole, keeps what it started, stops clean, and says in one sentence why it does not start."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery
from django.core.management import call_command
from django.db import OperationalError
from kombu import Exchange

from config import environment
from config.run.broker import socket_path
from config.run.processes import is_held
from tests.config.planting import Plant
from tests.servers import (
    PATIENCE,
    ROOT,
    Prepared,
    Site,
    free_port,
    outside,
    running_site,
    wait_until,
    worker_answers,
)

NAMES = ("broker", "sealing job", "web server", "worker")
CHILDREN = [f"{name}.pid" for name in NAMES]


# A space and a percent sign in the address of a socket are quoted, and a path too long for one is another one.
ODD, LONG = "with space & 100%41", "x" * 120


@pytest.fixture
def fresh(prepared: Prepared, tmp_path: Path) -> Iterator[Site]:
    """A site of one test."""
    with running_site(prepared.copied(tmp_path / "data")) as site:
        yield site


# Stands for a child of a parent that was killed: it holds its file, and the web server's holds the port.
OUTLIVES = """
import fcntl, os, socket, sys, time
file = open(sys.argv[1], "w")
print(os.getpid(), file=file, flush=True)
sockets = [socket.create_server(("127.0.0.1", int(port))) for port in sys.argv[2:]]
fcntl.flock(file, fcntl.LOCK_EX)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def restarted_site(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, set[int]]]:
    """A site, in a folder of an odd name, that found children of one whose parent was killed; and their numbers."""
    data, port = prepared.copied(tmp_path_factory.mktemp("replaced") / ODD), str(free_port())
    (data / "run").mkdir(mode=0o700, exist_ok=True)
    files = [data / "run" / name for name in CHILDREN]
    children = [
        subprocess.Popen(
            [sys.executable, "-c", OUTLIVES, file, *([port] if file.stem == "web server" else [])],
            start_new_session=True,
        )
        for file in files
    ]
    wait_until(lambda: all(map(is_held, files)), PATIENCE, "they hold their files")
    with running_site(data, PORT=port) as site:
        assert {child.wait(PATIENCE) for child in children} <= {-signal.SIGTERM, -signal.SIGKILL}
        yield site, {child.pid for child in children}


@pytest.fixture
def running(restarted_site: tuple[Site, set[int]]) -> Site:
    """The same site, for the tests that leave it running."""
    return restarted_site[0]


def failed_start_output(data: Path, **variables: str) -> str:
    """What a start that must not succeed prints."""
    done = subprocess.run(
        [sys.executable, "-m", "config.run.serve"],
        cwd=ROOT,
        env=outside() | {"CANDOR_DATA": str(data), "PORT": str(free_port())} | variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1), done.stdout + done.stderr
    return done.stderr


def test_everything_is_up_and_private(running: Site) -> None:
    """The page answers, all children live, and only the owner can reach the broker and the data."""
    assert "Candor" in running.get("/")
    assert running.held() == CHILDREN
    private = ("run", "run/broker.sock", "secret_key", "candor.sqlite3", "candor.sqlite3-wal")
    modes = [stat.S_IMODE((running.data / name).stat().st_mode) for name in private]
    assert modes == [0o700, 0o700, 0o600, 0o600, 0o600]


def test_no_process_leaves_its_memory_in_a_file(running: Site) -> None:
    """A core dump would hold sealing keys, responses, or the key of the hashes of addresses."""
    if not Path("/proc").is_dir():
        pytest.skip("only Linux shows the limits of a process")
    limits = [Path(f"/proc/{running.pid(name)}/limits").read_text() for name in NAMES]
    core = re.compile(r"^Max core file size +(\d+) +(\d+) ", re.MULTILINE)
    assert [core.findall(text) for text in limits] == [[("0", "0")]] * len(NAMES)


def test_a_second_run_keeps_the_data(prepared: Prepared, running: Site) -> None:
    """The administrator is made once; the password, which no log may hold, stands in a file for its owner alone."""
    first = prepared.data / "first_password"
    assert f"Administrator: admin, password: in the file {first} " in prepared.printed
    assert re.fullmatch(r"\S{16}\n", first.read_text())
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert first.read_text().strip() not in prepared.printed
    assert "password:" not in running.printed.read_text()


def test_a_killed_worker_is_started_again(running: Site) -> None:
    """Work goes on after kill -9, in a new process."""
    before = running.pid("worker")
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: running.pid("worker") != before and "worker.pid" in running.held(), PATIENCE, "a new worker")
    assert "The worker ended (killed by SIGKILL) and is started again." in running.printed.read_text()


@pytest.mark.long
def test_a_killed_web_server_is_started_again(running: Site) -> None:
    """The site comes back by itself; the port stays open meanwhile, so a visitor waits instead of being refused."""
    before = running.pid("web server")
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: running.pid("web server") != before, PATIENCE, "a new web server")
    assert "Candor" in running.get("/")


@pytest.mark.long
def test_a_web_server_removes_what_a_killed_one_was_making(running: Site) -> None:
    """Files of responses are made in the data folder: one that was left there would outlive its survey's erasing."""
    left = running.data / "files" / "tmp_killed"
    left.mkdir(parents=True)
    (left / "records.csv").write_text("answers")
    os.kill(running.pid("web server"), signal.SIGKILL)
    wait_until(lambda: not left.exists(), PATIENCE, "the file is gone")


@pytest.mark.long
def test_a_start_after_kill_9_of_everything_is_clean(fresh: Site) -> None:
    """Nothing that a crash leaves behind stops the next start."""
    fresh.process.kill()
    fresh.process.wait()
    for name in NAMES:
        os.killpg(fresh.pid(name), signal.SIGKILL)
    with running_site(fresh.data) as again:
        assert again.held() == CHILDREN


def test_children_that_outlive_their_parent_are_replaced(restarted_site: tuple[Site, set[int]]) -> None:
    """The next start ends what still runs and takes its place, port included."""
    site, before = restarted_site
    assert site.held() == CHILDREN
    assert {site.pid(name) for name in NAMES} & before == set()


@pytest.mark.long
def test_children_of_a_site_that_was_killed_are_replaced(fresh: Site) -> None:
    """The same after kill -9 of a whole site's parent alone."""
    before = {fresh.pid(name) for name in NAMES}
    fresh.process.kill()
    fresh.process.wait()
    assert fresh.held() == CHILDREN
    with running_site(fresh.data, PORT=str(fresh.port)) as again:
        assert {again.pid(name) for name in NAMES} & before == set()


def test_a_second_start_on_the_same_folder_is_refused(running: Site) -> None:
    """One sentence names the folder and the process, and the first site is not disturbed."""
    wait_until(lambda: running.held() == CHILDREN, PATIENCE, "what another test killed is back")
    before = [running.pid(name) for name in NAMES]

    assert failed_start_output(running.data) == (
        f"Candor already runs on the folder {running.data} (process {running.process.pid}, {running.url}/): "
        "stop it first, or set CANDOR_DATA to another folder.\n"
    )
    assert [running.pid(name) for name in NAMES] == before
    assert running.held() == CHILDREN


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    """One sentence, and how to choose another."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert failed_start_output(tmp_path, PORT=str(port)).startswith(
            f"Port {port} is taken: choose another, as in `PORT="
        )


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """One sentence with the folder and the variable that sets it."""
    (tmp_path / "file").touch()
    place = tmp_path / "file" / "data"
    expected = f"The data folder {place} cannot be made (Not a directory): set CANDOR_DATA to your own folder.\n"
    assert failed_start_output(place) == expected


@pytest.mark.long
def test_a_database_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """One sentence, in the words of the database, and no traceback."""
    absent = tmp_path / "absent" / "candor.sqlite3"
    said = failed_start_output(tmp_path / "data", DATABASE_URL=f"sqlite:///{absent}")
    assert said == f"The database {absent} cannot be used: unable to open database file.\n"


def test_a_start_beside_somebody_who_reads_the_tables_for_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup of the night holds what an upgrade changes; PostgreSQL speaks of a timeout of a lock alone."""

    class LockedError(Exception):
        sqlstate = "55P03"

    def migrate(*_: object, **__: object) -> None:
        raise OperationalError("canceling statement due to lock timeout") from LockedError()

    monkeypatch.setattr("config.management.commands.prepare.call_command", migrate)
    with pytest.raises(SystemExit, match="cannot be changed during a long read"):
        call_command("prepare")


@pytest.mark.long
def test_any_folder_name_works(running: Site) -> None:
    """Spaces and percent signs are quoted in the address of the broker."""
    assert running.data.name == ODD
    url, _ = environment.broker(socket_path(running.data))
    wait_until(lambda: worker_answers(url), PATIENCE, "the worker answers through the broker")


def test_a_pickle_in_the_queue_is_never_run(running: Site, tmp_path: Path) -> None:
    """As a task, and as a message of control: the worker drops both and goes on."""
    (url, place), ran = environment.broker(socket_path(running.data)), tmp_path / "ran"
    plant = Plant(ran)
    wait_until(lambda: worker_answers(url), PATIENCE, "the worker answers")
    before = running.pid("worker")
    task = {"task": "mining.tasks.mine", "id": "1", "args": [plant], "kwargs": {}}
    control = {"method": "ping", "arguments": {"x": plant}, "destination": None}
    with Celery(broker=url, set_as_current=False) as application, application.connection() as connection:
        producer = connection.Producer(serializer="pickle")
        producer.publish(task, routing_key="celery", exchange="", headers={"task": "mining.tasks.mine", "id": "1"})
        producer.publish([[plant], {}, {}], routing_key="celery", exchange="")
        producer.publish(control, exchange=Exchange("celery.pidbox", type="fanout"))
    with redis.Redis.from_url(place) as broker:
        wait_until(lambda: broker.llen("celery") == 0, PATIENCE, "the worker has taken everything")
    wait_until(lambda: worker_answers(url), PATIENCE, "the worker answers")
    assert (running.pid("worker"), ran.exists()) == (before, False)


@pytest.mark.long
def test_a_long_folder_name_works(prepared: Prepared, tmp_path: Path) -> None:
    """A path too long for a socket gives way to a short private one."""
    with running_site(prepared.copied(tmp_path / LONG)) as site:
        url, _ = environment.broker(socket_path(site.data))
        wait_until(lambda: worker_answers(url), PATIENCE, "the worker answers through the broker")


def test_ctrl_c_stops_everything(fresh: Site) -> None:
    """No process stays, and the end is an orderly one."""
    fresh.process.send_signal(signal.SIGINT)
    assert fresh.process.wait(PATIENCE) == 0
    assert fresh.held() == []
    assert "Traceback" not in fresh.printed.read_text()
