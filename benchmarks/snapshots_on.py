"""The process in which bench_snapshots measures: it prints the table and, in the last line, the ratio."""

# ruff: noqa: E402 - the settings must be read before models are imported
import sys
import time
from collections.abc import Callable

import django

django.setup()

import numpy as np
from django.core.management import call_command
from django.db import transaction

from privacy.output import as_table
from privacy.records import Records
from privacy.records.packing import pack
from surveys.domain.database import traces
from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import seal, sealing_keys, snapshots
from tests.surveys.inbox import wait
from tests.surveys.making import make_survey

WAITING = 20_000


def main() -> None:
    count = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    sealing_keys.prepare()
    names = tuple(f"item{number}" for number in range(10))
    version = publish(make_survey("bench", names, override_by="bench", override_reason="speed alone"))
    chance = np.random.default_rng(1)
    codes = chance.integers(0, 2, (count, len(names)), dtype=np.uint8)
    with transaction.atomic():
        seal.append(version, pack(Records(version.design, codes, chance.random(count) < 0.2)), [b""] * count)
    traces.remove()
    snapshot = version.snapshots.get()
    bare = best(lambda: b"".join(snapshot.parts.values_list("records", flat=True)))
    read = best(lambda: snapshots.records(snapshot))
    wait(version, [Stored(bytes(2), b"")] * (2 * seal.BATCH))  # one half of them stays back
    figures = [
        ["read its bytes", bare],
        ["read into columns", read],
        ["seal a batch of 20", seconds(seal.seal_all)],
        ["remove its traces", seconds(traces.remove)],
        [f"let {WAITING} more wait, encrypted", seconds(lambda: wait(version, [Stored(bytes(2), b"")] * WAITING))],
        ["open and seal them", seconds(seal.seal_all)],
    ]
    print(as_table([f"{count} responses", "seconds"], figures))
    print(read / bare)


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def best(run: Callable[[], object]) -> float:
    return min(seconds(run) for _ in range(3))


if __name__ == "__main__":
    main()
