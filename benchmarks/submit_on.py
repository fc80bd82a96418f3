"""One database of bench_submit, in a process of its own: prints its row of the table as JSON."""

# ruff: noqa: E402 - the settings must stand before models are imported
import json
import os
import signal
import subprocess
import sys
import threading
from itertools import cycle
from pathlib import Path

import django
from django.conf import settings

django.setup()

from django.core.management import call_command

from benchmarks.bench_submit import ROOT, send_all
from surveys.domain.publish import close, publish
from surveys.domain.snapshots import latest, open_answers
from surveys.models import Inbox, Question, Submission, Survey, SurveyVersion
from tests.servers import Site, free_port, running_site
from tests.surveys.making import add_question, make_survey

TURNS = 6
VICTIMS = (*["web worker"] * 4, "sealing job", *["web worker"] * 4, "web server")


def main() -> None:
    submissions, killed = (int(word) for word in sys.argv[1:])
    call_command("migrate", verbosity=0)
    survey = make_survey("bench")
    add_question(survey, "n", type=Question.Type.NUMBER, position=9)
    version = publish(survey)
    ours, bare = rates(["config.wsgi", "benchmarks.submit_bare"], [bodies(version, submissions) for _ in range(2)])
    Inbox.objects.all().delete()
    Submission.objects.all().delete()
    kills = under_kills(bodies(version, killed))
    close(survey)
    call_command("tend", once=True)
    snapshot = latest(Survey.objects.get(slug="bench"))
    found = [answer["n"] for answer in open_answers(snapshot)] if snapshot else []
    lost, doubled = killed - len(set(found)), len(found) - len(set(found))
    print(json.dumps([round(ours), round(bare), killed, kills, lost, doubled]))


def bodies(version: SurveyVersion, count: int) -> list[bytes]:
    """Distinct submissions of one length, as the respondent's page pads them."""
    size = version.parsed.pad
    made = []
    for number in range(count):
        message = {
            "version": version.sha256,
            "key": os.urandom(16).hex(),
            "direct": 0,
            "record": [number & 1, number >> 1 & 1, number >> 2 & 1],
            "open": {"n": number},
            "pad": "",
        }
        message["pad"] = " " * (size - len(json.dumps(message)))
        made.append(json.dumps(message).encode())
    return made


def rates(applications: list[str], messages: list[list[bytes]]) -> list[float]:
    """Accepted per second by each application under gunicorn with two workers, in turns: all share the weather."""
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
                spent, _ = send_all(port, messages[place][turn :: TURNS + 1])
                seconds[place] += spent if turn else 0  # the first turn warms up
    finally:
        for server in servers:
            server.terminate()
            server.wait()
    return [TURNS / (TURNS + 1) * len(mine) / spent for mine, spent in zip(messages, seconds, strict=True)]


def under_kills(messages: list[bytes]) -> int:
    """Send everything while processes of the site are killed; returns how many were."""
    database = {name: os.environ[name] for name in ("DATABASE_URL",) if name in os.environ}
    done, kills = threading.Event(), 0

    def kill(site: Site) -> None:
        nonlocal kills
        victims = cycle(VICTIMS)
        while not done.wait(2.5):
            kills += kill_one(site, next(victims))

    with running_site(Path(settings.CANDOR_DATA), **database) as site:
        killer = threading.Thread(target=kill, args=[site])
        killer.start()
        try:
            send_all(int(site.url.rsplit(":", 1)[1]), messages)
        finally:
            done.set()
            killer.join()
    return kills


def kill_one(site: Site, victim: str) -> int:
    """A worker of gunicorn, its master or the sealing job; the site starts each again."""
    try:
        target = site.pid("web server" if victim == "web worker" else victim)
        if victim == "web worker":
            target = int(Path(f"/proc/{target}/task/{target}/children").read_text().split()[0])
        os.kill(target, signal.SIGKILL)
    except (OSError, ValueError, IndexError):  # gone already
        return 0
    return 1


if __name__ == "__main__":
    main()
