"""The process in which bench_workers measures runs of a site: it seals responses, and has them mined by real workers.

It prints a line of JSON for each run: who counted, seconds, processor seconds of all that took part, the largest
process, and the bytes that went through the broker.
"""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import django

django.setup()

import numpy as np
import redis
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from benchmarks.bench_mining import CONFIDENCE, SETTINGS, K
from config.environment import private_folder
from config.run import broker
from mining.models import MiningRun
from mining.tasks import take
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import close, publish
from surveys.domain.responses.seal import PART_SIZE, _make_parts
from surveys.domain.responses.snapshots import list_hash
from surveys.models import Snapshot, SurveyVersion
from tests.mining.killing import children_of as children
from tests.mining.surveys import queued_run
from tests.servers import ROOT, stop, wait_until
from tests.surveys.making import make_survey

AT_ONCE = 8 * PART_SIZE
ITEMS = 50
ALONE = str(10**15)  # answers from which on workers count together, where none shall


def main() -> None:
    count, setting, ways = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
    call_command("migrate", verbosity=0)
    private_folder(settings.BROKER_SOCKET.parent)
    process = subprocess.Popen(broker.command(settings.BROKER_SOCKET))
    try:
        wait_until(settings.BROKER_SOCKET.exists, 30, "the broker listens")
        begun = time.perf_counter()
        version = sealed(count, *SETTINGS[setting])
        print(f"# sealed in {time.perf_counter() - begun:.1f} s", file=sys.stderr, flush=True)
        for number, (workers, spread, copies) in enumerate(ways):
            if not copies:
                shutil.rmtree(Path(settings.CANDOR_DATA) / "copies", ignore_errors=True)
            print(json.dumps(measured(version, number, workers, spread)), flush=True)
    finally:
        stop(process)


def sealed(count: int, p: float, theta: float) -> SurveyVersion:
    """A closed survey with so many responses of four hidden groups, each with habits of its own, made in chunks."""
    names = tuple(f"q{place}" for place in range(ITEMS))
    survey = make_survey("study", names, override_by="Benchmark", override_reason="to have many items in one block")
    survey.blocks.update(settings={"keep": p, "theta": theta})
    version = publish(survey)
    chance = np.random.default_rng(1)
    habits = chance.beta(1.5, 3, ITEMS) * chance.uniform(0.5, 1.5, (4, ITEMS))  # the same, however many answer
    parts = []
    for start in range(0, count, AT_ONCE):
        rows = min(AT_ONCE, count - start)
        direct = chance.random(rows) < K
        truth = chance.random((rows, ITEMS), np.float32) < habits[chance.integers(0, 4, rows)]
        keep = direct | (chance.random(rows) < p)
        codes = np.where(keep[:, None], truth, chance.random((rows, ITEMS), np.float32) < theta).astype(np.uint8)
        with transaction.atomic():
            parts += _make_parts(version, pack(Records(version.design, codes, direct)), [b""] * rows, False)
    today = timezone.localdate()
    about = {"version": version, "respondents": count, "first_day": today, "last_day": today}
    snapshot = Snapshot.objects.create(**about, sha256=list_hash(version, [part.sha256 for part in parts]))
    snapshot.parts.set(parts)
    close(survey)
    return version


def measured(version: SurveyVersion, number: int, workers: int, spread: bool) -> dict[str, object]:
    """One run by so many workers."""
    own = {"MINING_SECONDS": "3600", "OMP_NUM_THREADS": "1", "MINING_SPREAD_FROM": "1" if spread else ALONE}
    environment = {**os.environ, **own}
    run = queued_run(
        version.survey,
        min_support=0.1,
        min_confidence=CONFIDENCE + number * 1e-9,  # a run of its own, with the same rules
        max_length=3,
        estimator="pooled",
        engine="bitset",
    )
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.flushall()
    command = [sys.executable, "-W", "ignore:You're running", "-m", "celery", "--quiet", "-A", "config", "worker"]
    command += ["--pool=solo", "--loglevel=warning", "--without-gossip", "--without-mingle"]
    processes = [subprocess.Popen(command, cwd=ROOT, env=environment) for _ in range(workers)]
    seen = Seen()
    try:
        wait_until(lambda: len(seen.listening(client)) >= workers, 60, "the workers listen")
        before, cpu = traffic(client), sum(map(spent, processes))
        begun = time.perf_counter()
        threading.Thread(target=seen.watch, args=(processes,), daemon=True).start()
        take.delay(run.pk)
        wait_until(lambda: not MiningRun.objects.get(pk=run.pk).is_open, 3600, "the run ends")
        wall = time.perf_counter() - begun
        wait_until(lambda: not any(children(process.pid) for process in processes), 30, "nobody counts any more")
        run.refresh_from_db()
        return {
            "workers": workers,
            "together": spread,
            "took part": run.result.summary.get("workers", 1),
            "state": run.state,
            "wall": round(wall, 2),
            "cpu": round(sum(map(spent, processes)) - cpu, 2),
            "MiB": round(seen.largest / 2**20),
            "broker MB": round((traffic(client) - before) / 1e6, 2),
            "candidates": sum(run.result.summary["candidates"]),
            "rules": run.result.summary["rules"],
        }
    finally:
        seen.ended = True
        for process in processes:
            process.terminate()
            process.wait()


class Seen:
    """The largest process that counted."""

    def __init__(self) -> None:
        self.largest, self.ended = 0, False

    def listening(self, client: "redis.Redis") -> list[object]:
        return [one for one in client.client_list() if one["cmd"].startswith("brpop")]

    def watch(self, processes: list["subprocess.Popen[bytes]"]) -> None:
        while not self.ended:
            for process in processes:
                for child in children(process.pid):
                    with suppress(OSError):
                        told = Path(f"/proc/{child}/status").read_text().split("VmHWM:")
                        self.largest = max(self.largest, int(told[1].split()[0]) << 10 if told[1:] else 0)
            time.sleep(0.1)


def spent(process: "subprocess.Popen[bytes]") -> float:
    """Processor seconds of a worker and of everything it has started and waited for."""
    times = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:15]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def traffic(client: "redis.Redis") -> int:
    told = client.info("stats")
    return int(told["total_net_input_bytes"]) + int(told["total_net_output_bytes"])


if __name__ == "__main__":
    main()
