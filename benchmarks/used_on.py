"""The process in which bench_used measures: it prints a line of JSON for each size of the table."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import django

django.setup()

from django.core.management import call_command
from django.db import connection, transaction

from benchmarks.traces_on import processor_seconds
from surveys.domain.database import used
from surveys.models import UsedEntry
from tests.surveys.making import make_survey

TRIED = 4_000  # keys looked up, and keys sent
IS_POSTGRES = connection.vendor == "postgresql"


def main() -> None:
    call_command("migrate", verbosity=0)
    survey = make_survey("bench", names=()).pk
    there: list[bytes] = []  # one key of every round
    rows = 0
    for size in map(int, sys.argv[1:]):
        while rows < size:
            count = min(used.ROWS_AT_ONCE, size - rows)
            entries = drawn(survey, count)
            before = spent()
            with transaction.atomic():
                used._write(UsedEntry, [(entry,) for entry in entries])
            moved = (spent() - before) / count
            there.append(entries[0][len(used.RECEIPTS.prefix(survey)) :][:16])
            rows += count
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE surveys_usedentry")
        measured = {"keys": rows, "bytes a key": bytes_of() / rows, "moving one, µs": 1e6 * moved}
        measured |= {"a new key, µs": sent(survey), "one of them again, µs": looked_up(survey, there)}
        measured |= {"one that is not there, µs": looked_up(survey, [os.urandom(16) for _ in range(64)])}
        print(json.dumps({name: round(value, 1) for name, value in measured.items()}), flush=True)


def drawn(survey: int, count: int) -> list[bytes]:
    """As many as move together: sorted, and from all over the table."""
    prefix = used.RECEIPTS.prefix(survey)
    return sorted(prefix + os.urandom(used.SIZE) for _ in range(count))


def sent(survey: int) -> float:
    """Microseconds of a key that comes for the first time: the database looks into all places before it takes it."""
    table = "INSERT INTO surveys_submission (key, proof, survey_id) VALUES (%s, %s, %s)"
    with transaction.atomic(), connection.cursor() as cursor:
        before = spent()
        for _ in range(TRIED):
            cursor.execute(table, [os.urandom(16), os.urandom(16), survey])
        seconds = spent() - before
        transaction.set_rollback(True)
    return 1e6 * seconds / TRIED


def looked_up(survey: int, keys: list[bytes]) -> float:
    """Microseconds of asking for a key, as a retry asks."""
    before = spent()
    for place in range(TRIED):
        used.receipt_of(survey, keys[place * 7919 % len(keys)])
    return 1e6 * (spent() - before) / TRIED


def bytes_of() -> int:
    """The table with its index; on SQLite the whole file, in which there is nothing else of size."""
    with connection.cursor() as cursor:
        if IS_POSTGRES:
            cursor.execute("SELECT pg_total_relation_size('surveys_usedentry')")
            return int(cursor.fetchone()[0])
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    settings: dict[str, Any] = connection.settings_dict
    return Path(settings["NAME"]).stat().st_size


def spent() -> float:
    return processor_seconds() if IS_POSTGRES else time.process_time()


if __name__ == "__main__":
    main()
