"""Workers that are killed at random moments of a run, for the test of it."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.db import connection

from mining.domain.request import start_due_runs
from mining.models import MiningResult, MiningRun
from surveys.domain.database.leases import MOST_ATTEMPTS
from tests.servers import ROOT, wait_until

LEASE = 4  # seconds: several times what a busy machine may keep a worker from renewing it
# A survey and a run of it that is mostly counting: 2.5 seconds of processor for a hundred thousand respondents.
OF_SECONDS: dict[str, Any] = {"items": 24, "block": {"ask": 12}, "closed": True}
SECONDS: dict[str, Any] = {"min_support": 0.02, "max_length": 4, "engine": "bitset", "cases": "complete"}
_LONGEST_WAIT = 1.5  # seconds between noticing that a worker mines and its death: about as long as a run takes
_OPEN = ("queued", "running")


def kill_workers(queue: Callable[[int], MiningRun], kills: int, seed: int, pool: str = "solo") -> dict[str, object]:
    """Kill one worker after another while it is at work, sweep, and let the last ones finish; what was seen.

    `queue` makes the run of a number: there are as many as it takes for two workers to have work until the last kill.
    Of a prefork worker, which is what a site runs, the main process dies, or one of its pool, or all of them at once.
    A run that loses its worker three times ends with that reason, by design, so nobody dies while a run is at its last
    attempt. The worker stands still while that is looked up: it takes no run meanwhile.
    """
    chance = random.Random(seed)
    started = time.monotonic()
    runs: list[MiningRun] = []
    workers = [start_worker(pool), start_worker(pool)]
    every = list(workers)
    killed = 0
    try:
        while killed < kills:
            while _count(runs, *_OPEN) < 3:
                runs.append(queue(len(runs)))
            _sweep(every)
            time.sleep(0.1)
            at_work = [worker for worker in workers if _mined_by(worker)]
            if not at_work:
                assert time.monotonic() - started < 600 + 60 * kills, "the workers take no run"
                continue
            worker = chance.choice(at_work)
            time.sleep(chance.uniform(0, _LONGEST_WAIT))
            with _standing_still(worker):
                if MiningRun.objects.filter(state="running", attempts=MOST_ATTEMPTS).exists():
                    continue
                _strike(worker, pool, chance)
            killed += 1
            if worker.poll() is not None:
                place = workers.index(worker)
                workers[place] = start_worker(pool)
                every.append(workers[place])
        wait_until(lambda: _sweep_and_look(runs, every), 300, "every run ended")
    except AssertionError:
        print("runs:", *MiningRun.objects.filter(state__in=_OPEN).values(), "mined by:", children_at_work(), sep="\n")
        print("workers:", *((worker.pid, worker.poll(), all_below(worker.pid)) for worker in every), sep="\n")
        raise
    finally:
        for worker in every:
            end(worker)
    results = list(MiningResult.objects.values_list("run_id", flat=True))
    done = set(MiningRun.objects.filter(state="done").values_list("pk", flat=True))
    asked = {run.pk for run in runs}
    return {
        "runs": len(runs),
        "kills": killed,
        "results": len(results),
        "doubled": len(results) - len(set(results)),
        "lost": len(asked - (done & set(results))),
        "attempts": sum(MiningRun.objects.filter(pk__in=asked).values_list("attempts", flat=True)),
        "seconds": round(time.monotonic() - started, 1),
    }


def start_worker(pool: str = "solo") -> subprocess.Popen[bytes]:
    """A worker, with all that it starts in a group of its own."""
    environment = {"MINING_LEASE": str(LEASE), **os.environ}
    command = [sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "-A", "config"]
    return subprocess.Popen(
        [
            *command,
            "worker",
            f"--pool={pool}",
            "--concurrency=2",
            "--loglevel=error",
            "--without-mingle",
            "--without-gossip",
        ],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
    )


def children_at_work() -> dict[int, int]:
    """The runs that are mined in this test's database, by the processes that mine them."""
    runs = {}
    database = str(connection.settings_dict["NAME"]).encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            name, _, run = (process / "comm").read_text().partition(" ")
            if name == "mining" and database in (process / "environ").read_bytes():
                runs[int(process.name)] = int(run)
        except OSError:
            continue
    return runs


def _mined_by(worker: subprocess.Popen[bytes]) -> list[int]:
    """The runs that the worker, or a process of its pool, mines at this moment."""
    children = children_at_work()
    return [children[pid] for pid in all_below(worker.pid) if pid in children]


def children_of(pid: int) -> list[int]:
    """The processes that a process started, from any of its threads; none once it has ended."""
    children = []
    with contextlib.suppress(OSError):  # it, or a thread of it, may end meanwhile
        for thread in Path(f"/proc/{pid}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                children += [int(child) for child in thread.read_text().split()]
    return children


def all_below(pid: int) -> list[int]:
    """The same, and those that these started, and so on."""
    children = children_of(pid)
    return children + [below for child in children for below in all_below(child)]


@contextlib.contextmanager
def _standing_still(worker: subprocess.Popen[bytes]) -> Iterator[None]:
    """The worker and all that it has started do nothing; afterwards those that are left go on."""
    os.killpg(worker.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        _go_on(worker)


def _go_on(worker: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGCONT)


def _strike(worker: subprocess.Popen[bytes], pool: str, chance: random.Random) -> None:
    forked = children_of(worker.pid) if pool == "prefork" else []
    victim = chance.choice(["worker", "pool", "all"]) if forked else "worker"
    if victim == "pool":
        os.kill(chance.choice(forked), signal.SIGKILL)
        return
    os.killpg(worker.pid, signal.SIGKILL) if victim == "all" else worker.kill()
    worker.wait()


def end(worker: subprocess.Popen[bytes]) -> None:
    """The worker and whatever of its group outlived it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def _sweep_and_look(runs: list[MiningRun], workers: list[subprocess.Popen[bytes]]) -> bool:
    _sweep(workers)
    time.sleep(0.3)
    return not _count(runs, *_OPEN)


def _sweep(workers: list[subprocess.Popen[bytes]]) -> None:
    """As the tending process does; and one that still stands still is woken.

    A process that was just being forked while its group was stopped, and to go on a few milliseconds later,
    was seen to stand still from its first step on.
    """
    start_due_runs()
    for worker in workers:
        _go_on(worker)


def _count(runs: list[MiningRun], *states: str) -> int:
    return MiningRun.objects.filter(pk__in=[run.pk for run in runs], state__in=states).count()
