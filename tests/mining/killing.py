"""Workers that are killed at random moments of a run, for the test and the benchmark of it."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from django.db import connection

from mining.domain.request import take_up
from mining.models import MiningResult, MiningRun
from tests.servers import ROOT, wait_until

LEASE = 2


def kill_workers(runs: list[MiningRun], kills: int, seed: int, pool: str = "solo") -> dict[str, object]:
    """Kill one worker after another while it is at work, sweep, and let a last one finish; what was seen.

    Of a prefork worker, which is what a site runs, the main process dies, or one of its pool, or all of them at once.
    """
    chance = random.Random(seed)
    started = time.monotonic()
    workers = [start_worker(pool), start_worker(pool)]
    started_all = list(workers)
    killed = 0
    try:
        while killed < kills and _open(runs):
            wait_until(lambda: _at_work(runs) or _swept(runs), 300, "a worker took a run")
            time.sleep(chance.uniform(0, 1.5))
            _strike(workers[0], pool, chance)
            killed += 1
            take_up()
            if workers[0].poll() is not None:
                workers = [*workers[1:], start_worker(pool)]
                started_all.append(workers[-1])
        wait_until(lambda: _swept(runs), 300, "every run ended")
    finally:
        for worker in started_all:
            _end(worker)
    states = [MiningRun.objects.get(pk=run.pk) for run in runs]
    results = list(MiningResult.objects.filter(run__in=runs).values_list("run_id", flat=True))
    return {
        "runs": len(runs),
        "kills": killed,
        "results": len(results),
        "doubled": len(results) - len(set(results)),
        "lost": sum(run.state != "done" or run.pk not in results for run in states),
        "attempts": sum(run.attempts for run in states),
        "seconds": round(time.monotonic() - started, 1),
    }


def start_worker(pool: str = "solo") -> subprocess.Popen[bytes]:
    """A worker, with all that it starts in a group of its own."""
    environment = dict(os.environ, MINING_LEASE=str(LEASE))
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


def children_at_work() -> list[int]:
    """The processes that mine in this test's database, on a system that has /proc."""
    found = []
    database = str(connection.settings_dict["NAME"]).encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            mines = b"mining.child" in (process / "cmdline").read_bytes()
            if mines and database in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def _strike(worker: subprocess.Popen[bytes], pool: str, chance: random.Random) -> None:
    forked = _forked_by(worker) if pool == "prefork" else []
    victim = chance.choice(["worker", "pool", "all"]) if forked else "worker"
    if victim == "pool":
        os.kill(chance.choice(forked), signal.SIGKILL)
        return
    os.killpg(worker.pid, signal.SIGKILL) if victim == "all" else worker.kill()
    worker.wait()


def _forked_by(worker: subprocess.Popen[bytes]) -> list[int]:
    """The processes of its pool, on a system that has /proc."""
    try:
        return [int(child) for child in Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()]
    except OSError:
        return []


def _end(worker: subprocess.Popen[bytes]) -> None:
    """The worker and whatever of its group outlived it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def _swept(runs: list[MiningRun]) -> bool:
    """Sweep as the tending process does; whether every run has ended."""
    take_up()
    time.sleep(0.3)
    return not _open(runs)


def _at_work(runs: list[MiningRun]) -> bool:
    return MiningRun.objects.filter(pk__in=[run.pk for run in runs], state="running").exists()


def _open(runs: list[MiningRun]) -> bool:
    return MiningRun.objects.filter(pk__in=[run.pk for run in runs], state__in=("queued", "running")).exists()
