"""The process in which bench_progress measures: for each pair both times, and how often it stored progress."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import os
import subprocess
import sys
from collections.abc import Callable

import django

django.setup()

from django.core.management import call_command

from mining.domain import request
from mining.domain import run as running
from mining.engines.allocating import counting_environment
from mining.models import MiningRun
from surveys.children.forked import child_environment
from tests.mining.surveys import queued_run, sealed_survey

TOLD = """
import sys
import django
django.setup()
from mining import child
child.main(int(sys.argv[1]), sys.argv[2])
"""
SILENT = TOLD.replace("child.main", "child.Progress.__call__ = lambda *_: None\nchild.main")


def main() -> None:
    pairs = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    request.hint = lambda run_id: True  # noqa: ARG005
    survey = sealed_survey(100_000, items=40)
    run = queued_run(survey, min_support=0.02, min_confidence=0.8, max_length=4, engine="bitset")
    stored = 0
    renew = running.renew

    def counting(run_id: int, token: str, **progress: object) -> bool:
        nonlocal stored
        stored += bool(progress)
        return renew(run_id, token, **progress)

    running.renew = counting
    kinds = [("told", own_process(TOLD)), ("silent", own_process(SILENT))]
    running.start_child = kinds[0][1]  # type: ignore[assignment]
    seconds(run)  # the first run reads files for the first time, so it is not measured
    measured = []
    for place in range(pairs):
        stored = 0
        pair = {}
        for kind, start in kinds[:: -1 if place % 2 else 1]:
            running.start_child = start  # type: ignore[assignment]
            pair[kind] = seconds(run)
        measured.append({"told": pair["told"], "silent": pair["silent"], "stored": stored})
    print(json.dumps(measured))


def seconds(run: MiningRun) -> float:
    """The processor time of this process and of the child that it waited for."""
    request.run_again(run)
    before = os.times()
    running.work(run.pk)
    after = os.times()
    run.refresh_from_db()
    assert run.state == "done", run.reason
    return sum(after[:4]) - sum(before[:4])


def own_process(code: str) -> "Callable[[int, str], subprocess.Popen[bytes]]":
    """What starts a process that mines, in place of one that is forked: its processor time can be told."""

    def start(run_id: int, token: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-c", code, str(run_id), token]
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_environment(counting_environment())
        )

    return start


if __name__ == "__main__":
    main()
