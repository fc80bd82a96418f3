"""Crews of which somebody is killed, or the broker, or the database, while they count: for the test and the benchmark.

One run is open at a time, and one thing happens to it, at a moment drawn by lot. Afterwards it is swept as the tending
process does, until it has ended.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from django.db import OperationalError, connections

from mining.domain.claim import cancel
from mining.domain.request import take_up
from mining.models import MiningRun
from tests.mining.killing import children_at_work, end, start_worker
from tests.servers import wait_until

OF_A_CREW = ("leader", "member", "worker of the leader", "worker of a member")
# A survey and a run of it that is mostly counting: 2.5 seconds of processor for a hundred thousand respondents.
OF_SECONDS: dict[str, Any] = {"items": 24, "block": {"ask": 12}, "closed": True}
SECONDS: dict[str, Any] = {"min_support": 0.02, "max_length": 4, "engine": "bitset", "cases": "complete"}
_OPEN = ("queued", "running")
_LONGEST = 300  # seconds for anything that is waited for


@dataclass(frozen=True)
class Blow:
    """What happened to one run, when, and what came of it."""

    to: str
    after: float  # seconds since somebody else counted
    counted: float  # processor seconds that whom it hit had counted
    taken_up: float | None  # seconds until somebody had claimed the run anew, if anybody had to
    ended: float  # seconds until the run had ended
    right: bool  # one result, the same as that of one process; of a cancelled run none


def strike_crews(
    queue: Callable[[int], MiningRun],
    right: bytes,
    blows: list[str],
    seed: int,
    others: Mapping[str, Callable[[], None]] | None = None,
    longest: float = 2.0,
    workers: int = 3,
) -> list[Blow]:
    """Strike at one of a crew, or at what `others` names, once in each run; `right` is what every run must find."""
    others = others or {}
    chance = random.Random(seed)
    crew = _Crew([start_worker() for _ in range(workers)])
    done: list[Blow] = []
    tries = 0
    try:
        while len(done) < len(blows):
            tries += 1
            assert tries < 20 * len(blows) + 20, f"the runs are too short to strike at: {done}"
            blow = _struck(crew, queue(tries), right, blows[len(done)], chance.uniform(0, longest), others)
            done += [blow] if blow else []
            print("#", blow, file=sys.stderr, flush=True)
    finally:
        for worker in crew.every:
            end(worker)
    return done


def table(blows: list[Blow]) -> tuple[list[str], list[list[object]]]:
    """Headings and rows: what came of the blows, by what was hit."""
    headings = [
        "hit",
        "times",
        "right",
        "counted before, s",
        "claimed anew",
        "after, s",
        "most",
        "ended after, s",
        "most",
    ]
    rows: list[list[object]] = []
    for to in dict.fromkeys(blow.to for blow in blows):
        of = [blow for blow in blows if blow.to == to]
        claimed = [blow.taken_up for blow in of if blow.taken_up is not None]
        ended = [blow.ended for blow in of]
        counted = round(median(blow.counted for blow in of), 1)
        rows.append(
            [to, len(of), sum(blow.right for blow in of), counted, len(claimed), *_middle(claimed), *_middle(ended)]
        )
    return headings, rows


def _middle(seconds: list[float]) -> tuple[float, float]:
    """The median and the most; of none 0."""
    return (round(median(seconds), 1), round(max(seconds), 1)) if seconds else (0.0, 0.0)


@dataclass
class _Crew:
    workers: list["subprocess.Popen[bytes]"]

    def __post_init__(self) -> None:
        self.every = list(self.workers)

    def renew(self) -> None:
        """Start another for each that has ended."""
        for place, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.workers[place] = start_worker()
                self.every.append(self.workers[place])


def _struck(
    crew: _Crew, run: MiningRun, right: bytes, to: str, after: float, others: Mapping[str, Callable[[], None]]
) -> Blow | None:
    """Strike once at this run, if there is still somebody to strike at when the moment comes."""
    wait_until(lambda: _swept(run) or children_at_work("counting"), _LONGEST, "a crew counts")
    time.sleep(after)
    leader, members = list(children_at_work()), list(children_at_work("counting"))
    if not leader or not members or not _is_open(run):
        wait_until(lambda: _swept(run), _LONGEST, "the run ended")
        return None
    at = leader[0] if "leader" in to else members[0]
    counted, attempts = _spent(at), _now(run).attempts
    began = time.monotonic()
    if to in others:
        others[to]()
    elif to == "cancelled":
        assert cancel(run.pk)
    elif to == "member stands still":
        with _standing_still(at):
            wait_until(lambda: _swept(run), _LONGEST, "the run ended")
    else:
        victim = _worker_of(at) if to.startswith("worker") else at
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    wait_until(lambda: _swept(run) or _now(run).attempts > attempts, _LONGEST, "the run is taken up")
    taken_up = time.monotonic() - began if _now(run).attempts > attempts else None
    wait_until(lambda: _swept(run), _LONGEST, "the run ended")
    ended_after = time.monotonic() - began
    wait_until(lambda: not children_at_work() | children_at_work("counting"), _LONGEST, "nobody counts any more")
    crew.renew()
    ended = _now(run)
    result = getattr(ended, "result", None)
    stored = None if result is None else bytes(result.columns)
    is_right = (ended.state, stored) == (("cancelled", None) if to == "cancelled" else ("done", right))
    return Blow(to, after, counted, taken_up, ended_after, is_right)


def _now(run: MiningRun) -> MiningRun:
    return MiningRun.objects.select_related("result").get(pk=run.pk)


def _is_open(run: MiningRun) -> bool:
    return MiningRun.objects.filter(pk=run.pk, state__in=_OPEN).exists()


def _swept(run: MiningRun) -> bool:
    """Sweep as the tending process does; whether the run has ended. While the database is away it has not."""
    try:
        take_up()
        return not _is_open(run)
    except OperationalError:
        connections.close_all()
        return False


def _worker_of(process: int) -> int:
    """The worker whose warm process has forked this one."""
    return _parent(_parent(process))


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _spent(pid: int) -> float:
    """The processor seconds of a process."""
    try:
        return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])) / os.sysconf(
            "SC_CLK_TCK"
        )
    except OSError:
        return 0.0


@contextlib.contextmanager
def _standing_still(process: int) -> Iterator[None]:
    """One process does nothing; afterwards it goes on, and says what nobody waits for any more."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)
