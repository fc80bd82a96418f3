"""The process in which bench_submit measures one database: it prints its row of the table as JSON."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import django
from django.conf import settings

django.setup()

from django.core.management import call_command

from benchmarks.own_process import ROOT
from surveys.domain.questionnaire.publish import close, publish
from surveys.domain.responses import sealing_keys
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, Submission, Survey
from tests.servers import free_port, running_site
from tests.surveys.killing import SEALING_JOB, WEB_WORKER, killing, numbered, once_up, send_all
from tests.surveys.making import add_question, make_survey
from tests.surveys.sealed import open_answers

TURNS = 6
# The master is killed every 25 s. It is started again at once, because it ran for longer than STEADY of
# config.run.processes.
VICTIMS = (*[WEB_WORKER] * 4, SEALING_JOB, *[WEB_WORKER] * 4, "web server")
PAUSE = 2.5


def main() -> None:
    submissions, killed = (int(word) for word in sys.argv[1:])
    call_command("migrate", verbosity=0)
    sealing_keys.prepare()
    survey = make_survey("bench")
    add_question(survey, "n", type="number", position=9)
    version = publish(survey)
    ours, bare = rates(["config.wsgi", "benchmarks.submit_bare"], [numbered(version, submissions) for _ in range(2)])
    Inbox.objects.all().delete()
    Submission.objects.all().delete()
    kills = under_kills(numbered(version, killed))
    close(survey)
    call_command("tend", once=True)
    snapshot = latest(Survey.objects.get(slug="bench"))
    sealed = [answer["n"] for answer in open_answers(snapshot)] if snapshot else []
    lost, doubled = killed - len(set(sealed)), len(sealed) - len(set(sealed))
    print(json.dumps([round(ours), round(bare), killed, kills, lost, doubled]))


def rates(applications: list[str], messages: list[list[bytes]]) -> list[float]:
    """How many each application accepts per second. They take turns, so that all meet the same load of the machine."""
    ports = [free_port() for _ in applications]
    gunicorn = [sys.executable, "-m", "gunicorn", "--config", "python:config.gunicorn"]
    servers = [
        subprocess.Popen([*gunicorn, "--bind", f"127.0.0.1:{port}", application], cwd=ROOT)
        for port, application in zip(ports, applications, strict=True)
    ]
    seconds = [0.0] * len(applications)
    try:
        for turn in range(TURNS + 1):
            for place, port in enumerate(ports):
                start = time.monotonic()
                send_all(port, "bench", messages[place][turn :: TURNS + 1])
                seconds[place] += time.monotonic() - start if turn else 0  # the first turn warms up
    finally:
        for server in servers:
            server.terminate()
            server.wait()
    return [TURNS / (TURNS + 1) * len(mine) / spent for mine, spent in zip(messages, seconds, strict=True)]


def under_kills(messages: list[bytes]) -> int:
    """Send everything while processes of the site are killed; return how many were killed."""
    database = {name: os.environ[name] for name in ("DATABASE_URL",) if name in os.environ}
    with (
        running_site(Path(settings.CANDOR_DATA), **database) as site,
        killing(site, once_up(site, "bench", VICTIMS), PAUSE) as killed,
    ):
        send_all(site.port, "bench", messages)
    return killed.total()


if __name__ == "__main__":
    main()
