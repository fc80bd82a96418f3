"""Workers that are killed at random moments of a run, for the test and the benchmark of it."""

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


def kill_workers(runs: list[MiningRun], kills: int, seed: int) -> dict[str, object]:
    """Kill one worker after another while it is at work, sweep, and let a last one finish; what was seen."""
    chance = random.Random(seed)
    started = time.monotonic()
    workers = [start_worker(), start_worker()]
    killed = 0
    try:
        while killed < kills and _open(runs):
            wait_until(lambda: _at_work(runs) or not _open(runs), 60, "a worker took a run")
            time.sleep(chance.uniform(0, 1.5))
            _kill(workers.pop(0))
            killed += 1
            take_up()
            workers.append(start_worker())
        wait_until(lambda: _swept(runs), 300, "every run ended")
    finally:
        for worker in workers:
            _kill(worker)
    states = [MiningRun.objects.get(pk=run.pk) for run in runs]
    return {
        "kills": killed,
        "done": sum(run.state == "done" for run in states),
        "results": MiningResult.objects.filter(run__in=runs).count(),
        "attempts": sum(run.attempts for run in states),
        "seconds": time.monotonic() - started,
    }


def start_worker() -> subprocess.Popen[bytes]:
    environment = dict(os.environ, MINING_LEASE=str(LEASE))
    if connection.vendor == "sqlite":
        environment["DATABASE_URL"] = f"sqlite:///{connection.settings_dict['NAME']}"
    command = [sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "-A", "config"]
    return subprocess.Popen(
        [*command, "worker", "--pool=solo", "--loglevel=error", "--without-mingle", "--without-gossip"],
        cwd=ROOT,
        env=environment,
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


def _kill(worker: subprocess.Popen[bytes]) -> None:
    worker.send_signal(signal.SIGKILL)
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
