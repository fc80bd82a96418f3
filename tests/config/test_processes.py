"""Children that are kept running."""

import json
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from config.environment import PREPARED
from config.run import processes, serve
from config.run.processes import LOOK, STANDS, STEADY, Child, end_groups, find_stopped
from config.web import logs
from tests.clocks import set_time
from tests.mining.killing import children_of
from tests.servers import PATIENCE, ROOT, free_port, listens, wait_until

MOMENT = 0.001


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The time as `Child.keep` reads it: its one entry."""
    now = [1000.0]
    set_time(monkeypatch, processes, lambda: now[0])
    yield now
    del processes.STARTED[:]


def test_what_the_start_says_is_an_object_where_lines_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A part that ended, too; without LOG_FORMAT=json they are sentences."""
    logs.announce("A sentence.")
    monkeypatch.setattr(logs.settings, "LOG_FORMAT", "json")
    logs.announce("A part ended.", logging.WARNING)
    printed = capsys.readouterr()
    assert printed.out == "A sentence.\n"
    assert json.loads(printed.err) == {"level": "WARNING", "logger": "config.run", "message": "A part ended."}


def pause_after(child: Child, lived: float, clock: list[float]) -> float:
    """Let the child live so long and end; the seconds until it is started again."""
    child.wait()
    clock[0] += lived
    died = clock[0]
    child.keep()
    while child.process is None:
        clock[0] += 0.5
        child.keep()
    return clock[0] - died


def short_lived(folder: Path) -> Child:
    child = Child("short", [sys.executable, "-c", ""], folder)
    child.start()
    return child


def test_a_child_that_does_not_stay_is_started_after_growing_pauses(tmp_path: Path, clock: list[float]) -> None:
    """A program that fails at its start does not keep the machine busy."""
    child = short_lived(tmp_path)
    assert [pause_after(child, MOMENT, clock) for _ in range(7)] == [1, 3, 7, 15, 30, 30, 30]
    child.wait()


def test_a_child_that_had_stayed_is_started_at_once(tmp_path: Path, clock: list[float]) -> None:
    """However often it died before: a process that was up and working comes back without a pause, and starts over."""
    child = short_lived(tmp_path)
    lived = [MOMENT, MOMENT, STEADY + 1, STEADY + 1, MOMENT]
    assert [pause_after(child, seconds, clock) for seconds in lived] == [1, 3, 0, 0, 1]
    child.wait()


LONG = "import time; time.sleep(600)"
PARENT = """
import subprocess, sys, time
while True:
    subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"])
    time.sleep(0.1)
"""


@contextmanager
def running_child(name: str, code: str, folder: Path) -> Iterator[tuple[Child, subprocess.Popen[bytes]]]:
    child = Child(name, [sys.executable, "-c", code], folder)
    child.start()
    assert child.process is not None
    try:
        yield child, child.process
    finally:
        processes.kill_started()
        child.wait()


def test_a_child_that_was_stopped_is_ended_and_started_again(tmp_path: Path, clock: list[float]) -> None:
    """It holds what it had, does nothing, and dies of nothing: on one machine nobody else takes its work over."""
    if not hasattr(os, "waitid"):
        pytest.skip("this system does not tell a parent that its child was stopped")
    with running_child("long", LONG, tmp_path) as (child, first):
        os.kill(first.pid, signal.SIGSTOP)
        wait_until(lambda: find_stopped(first.pid) == [first.pid], PATIENCE, "it stands still")
        child.keep()
        clock[0] += STANDS
        child.keep()
        assert first.poll() is None
        clock[0] += LOOK
        child.keep()
        assert first.returncode == -signal.SIGKILL
        assert child.process is not first


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of the processes of others")
def test_a_process_of_a_child_that_was_stopped_is_ended_alone(
    tmp_path: Path, clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    """As one of a worker's pool, or of the web server: who started it starts another, and the rest works on."""
    with running_child("parent", PARENT, tmp_path) as (child, first):
        wait_until(lambda: children_of(first.pid), PATIENCE, "it has started another")
        (below,) = children_of(first.pid)
        os.kill(below, signal.SIGSTOP)
        wait_until(lambda: find_stopped(first.pid) == [below], PATIENCE, "that stands still")
        child.keep()
        clock[0] += STANDS
        child.keep()
        assert children_of(first.pid) == [below]
        clock[0] += LOOK
        child.keep()
        wait_until(lambda: children_of(first.pid) not in ([], [below]), PATIENCE, "it has started one more")
        assert child.process is first
        assert not child.has_died
    assert capsys.readouterr().err == "A process of the parent no longer responds and is stopped.\n"


def test_a_child_that_goes_on_in_time_stays(tmp_path: Path, clock: list[float]) -> None:
    """Somebody looked into it, and let it go on: the seconds of two stops do not add up."""
    with running_child("long", LONG, tmp_path) as (child, first):
        for _ in range(3):
            os.kill(first.pid, signal.SIGSTOP)
            wait_until(lambda: find_stopped(first.pid) or not hasattr(os, "waitid"), PATIENCE, "it stands still")
            child.keep()
            clock[0] += STANDS / 2
            child.keep()
            os.kill(first.pid, signal.SIGCONT)
            wait_until(lambda: not find_stopped(first.pid), PATIENCE, "it goes on")
            clock[0] += LOOK
            child.keep()
            clock[0] += STANDS
        assert child.process is first


# What the start of a site says of the machine it runs on.


@pytest.mark.parametrize(
    ("bind", "address"),
    [
        ("127.0.0.1", "http://localhost:8001/"),
        ("0.0.0.0", "http://localhost:8001/"),
        ("::", "http://localhost:8001/"),
        ("10.0.0.11", "http://10.0.0.11:8001/"),
        ("fd00::11", "http://[fd00::11]:8001/"),
    ],
)
def test_the_address_that_a_start_says_is_one_on_which_it_listens(bind: str, address: str) -> None:
    """BIND may be the address of a tunnel, and then nothing answers at localhost."""
    assert serve.address(bind, 8001) == address


WEB_SERVER = """
import os, socket, sys, time
os.read(int(os.environ["CANDOR_PREPARED"]), 1)
socket.socket(fileno=int(sys.argv[1])).listen()
time.sleep(60)
"""


def test_nobody_is_let_in_before_the_tables_are_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """While a start waits for a broker or for tables, a proxy is refused at once, and asks another web server.

    The web server is started before, so that it loads meanwhile.
    """
    port = free_port()
    seen: list[tuple[bool, bool]] = []
    ends: list[Callable[[], object]] = []

    def look(*_: object) -> list[Child]:
        seen.append(((tmp_path / "web server.pid").exists(), listens(port)))
        return []

    def parts(run: Path, server: socket.socket | None, prepared: int) -> list[Child]:
        assert server is not None
        monkeypatch.setenv(PREPARED, str(prepared))
        command = [sys.executable, "-c", WEB_SERVER, str(server.fileno())]
        web_server = Child("web server", command, run, (server.fileno(), prepared))
        ends.extend([lambda: end_groups([web_server.path], 0.0), web_server.wait, server.close])
        ends.append(lambda: os.close(prepared))
        return [web_server]

    def stop_at_start() -> str:
        look()
        raise SystemExit

    monkeypatch.setattr(serve.settings, "PORT", port)
    monkeypatch.setattr(serve, "start_broker", look)
    monkeypatch.setattr(serve, "prepare", lambda _run: SimpleNamespace(wait=lambda: len(look())))
    monkeypatch.setattr(serve, "parts", parts)
    monkeypatch.setattr(serve, "page_answers", lambda: listens(port))
    monkeypatch.setattr(serve, "greeting", stop_at_start)
    with pytest.raises(SystemExit):
        serve.serve(tmp_path)
    for end in ends:
        end()
    assert seen == [(False, False), (True, False), (True, True)]


@pytest.mark.long
def test_a_web_server_that_has_loaded_waits_for_the_tables(tmp_path: Path) -> None:
    """It looks at the database only when `make run` has prepared it."""
    prepared, preparing = os.pipe()
    environment = {**os.environ, "CANDOR_DATA": str(tmp_path), PREPARED: str(prepared)}
    loading = subprocess.Popen(
        [sys.executable, "-c", "import config.wsgi"], cwd=ROOT, env=environment, pass_fds=(prepared,)
    )
    with pytest.raises(subprocess.TimeoutExpired):
        loading.wait(5)
    os.close(preparing)
    assert loading.wait(PATIENCE) == 0
    os.close(prepared)
