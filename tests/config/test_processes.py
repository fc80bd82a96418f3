"""Children that are kept running."""

import json
import logging
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.run import processes
from config.run.processes import LOOK, STANDS, STEADY, Child, find_stopped
from config.web import logs
from tests.mining.killing import children_of
from tests.servers import PATIENCE, wait_until

MOMENT = 0.001


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The time as `Child.keep` reads it: its one entry."""
    now = [1000.0]
    monkeypatch.setattr(processes.time, "monotonic", lambda: now[0])
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


LONG = [sys.executable, "-c", "import time; time.sleep(600)"]
PARENT = """
import subprocess, sys, time
while True:
    subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"])
    time.sleep(0.1)
"""


def test_a_child_that_was_stopped_is_ended_and_started_again(tmp_path: Path, clock: list[float]) -> None:
    """It holds what it had, does nothing, and dies of nothing: on one machine nobody else takes its work over."""
    if not hasattr(os, "waitid"):
        pytest.skip("this system does not tell a parent that its child was stopped")
    child = Child("long", LONG, tmp_path)
    child.start()
    first = child.process
    assert first is not None
    try:
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
    finally:
        processes.kill_started()
        child.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of the processes of others")
def test_a_process_of_a_child_that_was_stopped_is_ended_alone(
    tmp_path: Path, clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    """As one of a worker's pool, or of the web server: who started it starts another, and the rest works on."""
    child = Child("parent", [sys.executable, "-c", PARENT], tmp_path)
    child.start()
    first = child.process
    assert first is not None
    try:
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
    finally:
        processes.kill_started()
        child.wait()
    assert capsys.readouterr().err == "A process of the parent no longer responds and is stopped.\n"


def test_a_child_that_goes_on_in_time_stays(tmp_path: Path, clock: list[float]) -> None:
    """Somebody looked into it, and let it go on: the seconds of two stops do not add up."""
    child = Child("long", LONG, tmp_path)
    child.start()
    first = child.process
    assert first is not None
    try:
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
    finally:
        processes.kill_started()
        child.wait()
