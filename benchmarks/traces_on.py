"""The process in which bench_traces measures: it prints its rows as JSON."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django

django.setup()

import numpy as np
from django.core.management import call_command
from django.db import connection

from surveys.domain.database import used
from surveys.domain.database.traces import remove
from surveys.models import Residue, Submission, Survey, UsedEntry, UsedPage
from tests.surveys.making import make_survey

SMALL = 20_000  # answers to one survey, where a site has many
CAME = 20_000  # since the last sealing: over a hundred a second
TABLES = ("surveys_submission", "surveys_usedpage", "surveys_usedentry")


def main() -> None:
    call_command("migrate", verbosity=0)
    rows = []
    for size in map(int, sys.argv[1:]):
        for surveys in (1, size // SMALL):
            for model in (Submission, UsedPage, UsedEntry, Survey):
                model.objects.all().delete()
            ids = [make_survey(f"bench-{number}", names=()).pk for number in range(surveys)]
            for survey in ids:
                fill(survey, size // surveys)
            remove_noted()  # old row versions of what was filled in
            with connection.cursor() as cursor:
                cursor.execute(f"VACUUM ANALYZE {', '.join(TABLES)}")
                bytes_of = 0
                for table in TABLES:
                    cursor.execute("SELECT pg_total_relation_size(%s)", [table])
                    bytes_of += cursor.fetchone()[0]
            come(ids, CAME)
            with sending(ids[0]) as waits:
                start, before = time.monotonic(), processor_seconds()
                remove_noted()
                seconds, spent = time.monotonic() - start, processor_seconds() - before
            rows.append(
                [size, surveys, round(seconds, 2), round(spent, 2), round(max(waits), 2), round(bytes_of / size, 1)]
            )
            print(rows[-1], file=sys.stderr)
    print(json.dumps(rows))


def processor_seconds() -> float:
    """Of this process, and of the process of PostgreSQL that does what it asks."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        fields = Path(f"/proc/{cursor.fetchone()[0]}/stat").read_text().rpartition(")")[2].split()
    return time.process_time() + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fill(survey: int, count: int) -> None:
    """Keys that came long ago, where sealings leave them."""
    prefix = used.RECEIPTS.prefix(survey)
    stay = count if count <= 2 * used.GROUP else used.GROUP
    with connection.cursor() as cursor:
        if count > stay:
            cursor.execute(
                "INSERT INTO surveys_usedentry SELECT %s || uuid_send(gen_random_uuid())"
                " || uuid_send(gen_random_uuid()) FROM generate_series(1, %s)",
                [prefix, count - stay],
            )
        with cursor.copy("COPY surveys_usedpage (place, entries) FROM STDIN") as rows:
            for page in used._pieces(
                np.frombuffer(os.urandom(used.SIZE * stay), np.uint8).reshape(-1, used.SIZE), used.PAGE
            ):
                rows.write_row((prefix + page[: used.SIZE], page))


def come(surveys: list[int], count: int) -> None:
    Submission.objects.bulk_create(
        (
            Submission(key=os.urandom(16), proof=os.urandom(16), survey_id=surveys[number % len(surveys)])
            for number in range(count)
        ),
        batch_size=10_000,
    )


def remove_noted() -> None:
    Residue.objects.create()
    while not remove():
        pass


@contextmanager
def sending(survey: int) -> Iterator[list[float]]:
    """Somebody who sends a key every hundredth of a second, and how long each was waited for."""
    waits, done = [0.0], threading.Event()

    def send() -> None:
        while not done.wait(0.01):
            start = time.monotonic()
            Submission(key=os.urandom(16), proof=os.urandom(16), survey_id=survey).save(force_insert=True)
            waits.append(time.monotonic() - start)
        connection.close()

    sender = threading.Thread(target=send)
    sender.start()
    try:
        yield waits
    finally:
        done.set()
        sender.join()


if __name__ == "__main__":
    main()
