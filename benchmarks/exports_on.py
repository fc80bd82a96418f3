"""Run by bench_exports in a process of its own: files of that many responses to 30 questions."""

# ruff: noqa: E402 - the settings must be read before models are imported
import csv
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable

import django
import numpy as np

django.setup()

from django.core.management import call_command

from privacy.disguise import disguise
from privacy.disguise.random_words import seeded_words
from privacy.records.packing import pack
from surveys.domain.exports import files
from surveys.domain.questionnaire.publish import close, publish
from surveys.domain.responses.seal import PART_SIZE, append
from surveys.models import Snapshot
from tests.surveys.making import add_question, make_survey

ITEMS, OPEN = 20, 10


def main(count: int) -> None:
    call_command("migrate", verbosity=0)
    names = tuple(f"q{place}" for place in range(ITEMS))
    survey = make_survey("large", names, direct=False, override_by="bench", override_reason="many items")
    for place in range(OPEN):
        add_question(survey, f"n{place}", type="number")
    version = publish(survey)
    chance = np.random.default_rng(1)
    for start in range(0, count, PART_SIZE):
        rows = min(PART_SIZE, count - start)
        truth = (chance.random((rows, ITEMS)) < 0.3).astype(np.uint8)
        records = disguise(version.design, truth, np.zeros(rows, bool), seeded_words(start + 1))
        answers = chance.integers(0, 1000, (rows, OPEN)).tolist()
        lines = [json.dumps({f"n{place}": value for place, value in enumerate(row)}).encode() for row in answers]
        append(version, pack(records), lines)
    close(survey)
    snapshot = Snapshot.objects.latest("id")

    def seconds(work: Callable[[], object]) -> float:
        before = time.process_time()
        work()
        return time.process_time() - before

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

    def written(name: str) -> Callable[[], object]:
        def work() -> None:
            with files.made(snapshot, name):
                pass

        return work

    def bare() -> None:
        with tempfile.TemporaryFile("w", newline="") as file:
            csv.writer(file).writerows(bare_rows)

    bare_rows = [["0"] * (ITEMS + OPEN + 1)] * count
    baseline = seconds(bare)
    memory = peak()
    print(
        f"{count} responses x {ITEMS + OPEN} questions; {baseline:.2f} s CPU for a bare csv.writer; {memory} MiB before"
    )
    ratio = 0.0
    for name in ("records.csv", "records.jsonl", "records.parquet", "records.dta", "records.sav"):
        spent = seconds(written(name))
        ratio = ratio or spent / baseline
        print(
            f"{name}: {spent:.2f} s CPU, {spent / baseline:.1f} x bare, {count / spent:,.0f} rows/s, peak {peak()} MiB"
        )
    print(ratio)


if __name__ == "__main__":
    main(int(sys.argv[1]))
