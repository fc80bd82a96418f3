"""The process in which bench_workers measures runs of a site: it seals responses, and has them mined by real workers.

It prints a line of JSON for each run, the ways of counting in turns: who counted, seconds, processor seconds of all
that took part, the largest process, and the bytes that went through the broker. Workers have mined something small
before, as on a site.
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
from functools import cache
from itertools import count as count_from
from pathlib import Path
from typing import Any

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
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.questionnaire.publish import close, publish
from surveys.domain.responses.seal import PART_SIZE, _make_parts
from surveys.domain.responses.snapshots import list_hash
from surveys.models import Snapshot, Survey, SurveyVersion
from tests.mining.killing import all_below, children_at_work
from tests.mining.surveys import queued_run, sealed_survey
from tests.servers import ROOT, stop, wait_until
from tests.surveys.making import make_survey

AT_ONCE = 8 * PART_SIZE
DRAWN = 16  # chunks of people that are drawn; beyond eight million the same people come again, in other orders
ITEMS = 50
ALONE = str(10**15)  # answers from which on workers count together, where none shall


def main() -> None:
    count, setting, times, ways = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
    call_command("migrate", verbosity=0)
    private_folder(settings.BROKER_SOCKET.parent)
    process = subprocess.Popen(broker.command(settings.BROKER_SOCKET))
    try:
        wait_until(settings.BROKER_SOCKET.exists, 30, "the broker listens")
        begun = time.perf_counter()
        version = sealed(count, *SETTINGS[setting])
        print(f"# sealed in {time.perf_counter() - begun:.1f} s", file=sys.stderr, flush=True)
        for _ in range(times):
            for way in ways:
                line = json.dumps(measured(version, process, **way))
                print("#", line, file=sys.stderr, flush=True)
                print(line, flush=True)
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

    def people(rows: int) -> np.ndarray:
        direct = chance.random(rows) < K
        truth = chance.random((rows, ITEMS), np.float32) < habits[chance.integers(0, 4, rows)]
        keep = direct | (chance.random(rows) < p)
        codes = np.where(keep[:, None], truth, chance.random((rows, ITEMS), np.float32) < theta).astype(np.uint8)
        return pack(Records(version.design, codes, direct))

    drawn: list[np.ndarray] = []
    parts = []
    for place, start in enumerate(range(0, count, AT_ONCE)):
        rows = min(AT_ONCE, count - start)
        if place < DRAWN:
            drawn.append(people(rows))
        with transaction.atomic():
            parts += _make_parts(version, drawn[place % DRAWN][:rows], [b""] * rows, False)
    today = timezone.localdate()
    about = {"version": version, "respondents": count, "first_day": today, "last_day": today}
    snapshot = Snapshot.objects.create(**about, sha256=list_hash(version, [part.sha256 for part in parts]))
    snapshot.parts.set(parts)
    close(survey)
    return version


def measured(
    version: SurveyVersion,
    broker_process: "subprocess.Popen[bytes]",
    who: str,
    workers: int,
    spread: bool,
    engine: str,
    copies: bool,
) -> dict[str, Any]:
    """One run by so many workers, with the copies that are there or with none."""
    if not copies:
        shutil.rmtree(Path(settings.CANDOR_DATA) / "copies", ignore_errors=True)
    own = {"MINING_SECONDS": "3600", "OMP_NUM_THREADS": "1", "MINING_SPREAD_FROM": "1" if spread else ALONE}
    environment = {**os.environ, **own}
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.flushall()
    command = [sys.executable, "-W", "ignore:You're running", "-m", "celery", "--quiet", "-A", "config", "worker"]
    command += ["--pool=solo", "--loglevel=warning", "--without-gossip", "--without-mingle"]
    processes = [subprocess.Popen(command, cwd=ROOT, env=environment, stdout=sys.stderr) for _ in range(workers)]
    everybody = [*processes, broker_process]
    largest = LargestProcess()
    try:
        wait_until(lambda: len(listening(client)) >= workers, 60, "the workers listen")
        while not all(all_below(process.pid) for process in processes):
            ended(queued(small(), "bitset"))
        before, spent_before = traffic(client), list(map(spent, everybody))
        threading.Thread(target=largest.watch, args=(processes,), daemon=True).start()
        run = ended(queued(version.survey, engine))
        assert run.ended_at
        wall = (run.ended_at - run.requested_at).total_seconds()  # as people wait for it
        wait_until(lambda: not children_at_work() | children_at_work("counting"), 30, "nobody counts any more")
        *by_worker, by_broker = (now - then for now, then in zip(map(spent, everybody), spent_before, strict=True))
        result = run.result
        return {
            "who counts": who,
            "took part": result.summary.get("workers", 1),
            "wall s": round(wall, 2),
            "CPU s": round(sum(by_worker), 2),
            "by worker": " + ".join(f"{seconds:.2f}" for seconds in by_worker),
            "broker CPU s": round(by_broker, 2),
            "µs for one": round(1e6 * sum(by_worker) / result.summary["n"], 3),
            "largest, MiB": round(largest.size / 2**20),
            "broker MB": round((traffic(client) - before) / 1e6, 2),
            "candidates": sum(result.summary["candidates"]),
            "rules": result.summary["rules"],
        }
    finally:
        largest.ended = True
        for process in processes:
            process.terminate()
            process.wait()


_numbers = count_from(1)


def queued(survey: Survey, engine: str) -> MiningRun:
    """A run of its own, with the same rules as the others."""
    confidence = CONFIDENCE + next(_numbers) * 1e-9
    asked = {"min_support": 0.1, "min_confidence": confidence, "max_length": 3, "estimator": "pooled"}
    return queued_run(survey, engine=engine, **asked)


def ended(run: MiningRun) -> MiningRun:
    wait_until(lambda: not MiningRun.objects.get(pk=run.pk).is_open, 3600, "the run ends")
    run.refresh_from_db()
    assert run.state == "done", run.reason
    return run


@cache
def small() -> Survey:
    return sealed_survey(1000, slug="small")


def listening(client: "redis.Redis") -> list[object]:
    return [one for one in client.client_list() if one["cmd"].startswith("brpop")]


class LargestProcess:
    """The largest process that counted."""

    def __init__(self) -> None:
        self.size, self.ended = 0, False

    def watch(self, processes: list["subprocess.Popen[bytes]"]) -> None:
        while not self.ended:
            for process in processes:
                for child in all_below(process.pid):
                    with suppress(OSError):
                        sizes = Path(f"/proc/{child}/status").read_text().split("VmHWM:")
                        self.size = max(self.size, int(sizes[1].split()[0]) << 10 if sizes[1:] else 0)
            time.sleep(0.1)


def spent(process: "subprocess.Popen[bytes]") -> float:
    """Processor seconds of a process and of everything that it has started."""
    ticks = 0
    for pid in [process.pid, *all_below(process.pid)]:
        with suppress(OSError):
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def traffic(client: "redis.Redis") -> int:
    statistics = client.info("stats")
    return int(statistics["total_net_input_bytes"]) + int(statistics["total_net_output_bytes"])


if __name__ == "__main__":
    main()
