"""The process in which bench_receipts measures: it prints the table and, in the last line, the ratio."""

# ruff: noqa: E402 - the settings must be read before models are imported
import hashlib
import json
import os
import resource
import sys
import time

import django

django.setup()

from django.core.management import call_command
from django.db.models import Sum
from django.db.models.functions import Length

from privacy.output import as_table
from surveys.domain.closed import statement
from surveys.domain.questionnaire.publish import close, publish
from surveys.models import Submission
from tests.surveys.making import make_survey


def main() -> None:
    count = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    survey = publish(make_survey("bench")).survey
    rows = (Submission(key=os.urandom(16), proof=os.urandom(16), survey=survey) for _ in range(count))
    Submission.objects.bulk_create(rows, batch_size=5000)
    close(survey)
    before, start, longest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter(), 0.0
    steps = statement.steps(survey)
    while True:
        began = time.perf_counter()
        ended = next(steps, "ended") == "ended"
        longest = max(longest, time.perf_counter() - began)
        if ended:
            break
    taken = time.perf_counter() - start
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    stated = statement.Statement.published.get(survey=survey)
    start = time.perf_counter()
    for receipt in [os.urandom(32)] * count:
        hashlib.sha256(receipt).digest()
    bare = time.perf_counter() - start
    listed = stated.pieces.aggregate(bytes=Sum(Length("receipts")))["bytes"]
    assert json.loads(bytes(stated.content))["receipts"]["count"] == count
    figures: list[list[object]] = [
        ["seconds until it is published", f"{taken:.2f}"],
        ["seconds of the longest step", f"{longest:.2f}"],
        ["MiB more at the most", f"{memory:.0f}"],
        ["pieces", stated.pieces.count()],
        ["bytes of the list", listed],
        ["bytes of the statement", len(bytes(stated.content))],
        ["bytes that one respondent loads", len(bytes(stated.content)) + min(count, statement.PIECE) * 32],
    ]
    print(as_table([f"{count} receipts", ""], figures))
    print(taken / bare)


if __name__ == "__main__":
    main()
