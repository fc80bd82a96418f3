"""The process in which bench_sealing measures: it prints its figures as JSON."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import django

django.setup()

import numpy as np
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from surveys.domain.database.checkpoints import shorten_log
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import opening, seal, sealing_keys, snapshots
from surveys.models import Part, Snapshot, SurveyVersion
from tests.surveys.inbox import wait
from tests.surveys.making import add_question, make_survey

TURNS = 3
PIECE = 5_000
SIZE = 100  # responses of each of many parts: a list costs what it costs, whatever they hold


def main() -> None:
    count, *parts = map(int, sys.argv[1:])
    call_command("migrate", verbosity=0)
    sealing_keys.prepare()
    survey = make_survey("bench")
    add_question(survey, "n", type="number", position=9)
    version = publish(survey)
    sealed = {number: 1e6 / count * fastest(version, count, number) for number in (1, opening.processors())}
    agreements = 1e6 * key_agreement()
    rows = [
        [min(number, opening.MOST), round(1e6 / spent[0]), *map(round, map(float, spent))]
        for number, spent in sealed.items()
    ]
    ratio = float(sealed[1][1:].sum()) / agreements
    let_wait(version, count)
    memory = memory_of(seal.seal_all)
    listed_parts = [listed(number) for number in parts]
    print(json.dumps({"sealed": rows, "memory": memory, "ratio": ratio, "listed": listed_parts}))


def fastest(version: SurveyVersion, count: int, processors: int) -> np.ndarray:
    """Seconds by the clock, and of processor of each who takes part; the turn that was done soonest."""
    turns = []
    for _ in range(TURNS):
        let_wait(version, count)
        with patch.object(opening, "processors", lambda: processors):
            turns.append(spent_on(seal.seal_all))
    return min(turns, key=lambda spent: float(spent[0]))


def let_wait(version: SurveyVersion, count: int) -> None:
    """So many responses, a piece at a time, so that this process keeps no memory for them."""
    for start in range(0, count, PIECE):
        wait(version, [Stored(b"\0", b'{"n":%d}' % number) for number in range(start, min(start + PIECE, count))])
        shorten_log()  # as the sealing job does every few seconds


def memory_of(work: Callable[[], object]) -> int:
    """The most MiB that this process has at any moment of it, as Linux tells."""
    Path("/proc/self/clear_refs").write_text("5")
    work()
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) >> 10


def listed(count: int) -> list[float]:
    """Seconds by the clock and of processor for the list of a new snapshot, and for reading it."""
    version = publish(make_survey(f"bench-{count}"))
    today, records = timezone.localdate(), bytes(SIZE)
    digest = snapshots.part_hash(version, records, b"")
    days = {"first_day": today, "last_day": today}
    parts = Part.objects.bulk_create(
        [Part(version=version, size=SIZE, records=records, open=b"", sha256=digest, **days) for _ in range(count)]
    )
    whole = snapshots.list_hash(version, [digest] * count)
    snapshot = Snapshot.objects.create(version=version, sha256=whole, respondents=SIZE * count, **days)
    made = spent_on(lambda: snapshot.parts.set([part.pk for part in parts]))
    read = spent_on(lambda: snapshots.sealed(snapshot))
    return [count, *(round(float(value), 3) for spent in (made, read) for value in (spent[0], spent[1:].sum()))]


def spent_on(work: Callable[[], object]) -> np.ndarray:
    start, before = time.monotonic(), processor_seconds()
    work()
    return np.array([time.monotonic() - start, *(processor_seconds() - before)])


def processor_seconds() -> np.ndarray:
    """Of this process, of those that it has started and waited for, and of PostgreSQL's for this connection."""
    children, database = resource.getrusage(resource.RUSAGE_CHILDREN), 0.0
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            fields = Path(f"/proc/{cursor.fetchone()[0]}/stat").read_text().rpartition(")")[2].split()
        database = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return np.array([time.process_time(), children.ru_utime + children.ru_stime, database])


def key_agreement() -> float:
    """Seconds of processor for one."""
    own, other = X25519PrivateKey.generate(), X25519PrivateKey.generate().public_key()
    start = time.process_time()
    for _ in range(10_000):
        own.exchange(other)
    return (time.process_time() - start) / 10_000


if __name__ == "__main__":
    main()
