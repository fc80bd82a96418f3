"""The process in which bench_quota measures: for each number that waits, a line with it, and in ms what nine of
ten responses take at least, without a quota and with one."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import sys
import time

import django

django.setup()

from django.core.management import call_command

from surveys.domain.messages.submission import Stored
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import sealing_keys
from surveys.domain.responses.receive import receive
from surveys.models import SurveyVersion
from tests.surveys.inbox import wait
from tests.surveys.making import make_survey
from tests.surveys.sending import submission

TIMED = 200


def milliseconds(version: SurveyVersion) -> float:
    body = json.dumps(submission(version)).encode()
    start = time.perf_counter()
    receive(version.survey.slug, body)
    return 1000 * (time.perf_counter() - start)


def main() -> None:
    call_command("migrate", verbosity=0)
    sealing_keys.prepare()
    for waiting in map(int, sys.argv[1:]):
        versions = []
        for kind, quota in (("without", None), ("with", 10_000_000)):
            versions.append(publish(make_survey(f"{kind}-{waiting}", quota=quota, title=f"{kind} {waiting}")))
            wait(versions[-1], [Stored(b"\0", b"")] * waiting)
        turns = [[milliseconds(version) for version in versions] for _ in range(TIMED)]
        print(waiting, *(sorted(taken)[TIMED // 10] for taken in zip(*turns, strict=True)))


if __name__ == "__main__":
    main()
