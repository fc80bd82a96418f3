"""The process in which bench_traces measures: it prints its rows as JSON."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import sys
import time

import django

django.setup()

from django.core.management import call_command
from django.db import connection

from surveys.domain.database.traces import remove
from surveys.models import Residue, Submission
from tests.surveys.making import make_survey


def main() -> None:
    call_command("migrate", verbosity=0)
    survey = make_survey("bench")
    rows = []
    with connection.cursor() as cursor:
        for size in map(int, sys.argv[1:]):
            cursor.execute(
                "INSERT INTO surveys_submission (key, proof, survey_id) "
                "SELECT uuid_send(gen_random_uuid()), uuid_send(gen_random_uuid()), %s FROM generate_series(1, %s)",
                [survey.pk, size - Submission.objects.count()],
            )
            Residue.objects.create()
            start = time.monotonic()
            remove()
            seconds = time.monotonic() - start
            cursor.execute("SELECT pg_total_relation_size('surveys_submission')")
            rows.append([size, round(seconds, 2), round(cursor.fetchone()[0] / size, 1)])
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
