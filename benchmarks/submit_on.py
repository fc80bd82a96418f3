"""One database of bench_submit, in a process of its own: prints its row of the table as JSON."""

# ruff: noqa: E402 - the settings must stand before models are imported
import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import django
from django.conf import settings

django.setup()

from django.core.management import call_command

from benchmarks.bench_submit import ROOT, send_all
from surveys.domain.publish import close, publish
from surveys.domain.snapshots import latest, open_answers
from surveys.models import Inbox, Question, Submission, Survey, SurveyVersion
from tests.servers import Site, end_site, free_port, run_site, wait_until
from tests.surveys.making import add_question, make_survey

TURNS = 6


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
    gunicorn = [sys.executable, "-m", "gunicorn", "--workers", "2", "--threads", "4", "--log-level", "error"]
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
    site = run_site(
        Path(settings.CANDOR_DATA), **{name: os.environ[name] for name in ("DATABASE_URL",) if name in os.environ}
    )
    done, kills = threading.Event(), 0

    def kill() -> None:
        nonlocal kills
        chance = random.Random(1)
        while not done.wait(chance.uniform(1, 4)):
            kills += kill_one(site, chance)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        send_all(int(site.url.rsplit(":", 1)[1]), messages)
    finally:
        done.set()
        killer.join()
        wait_until(lambda: site.get("/"), 60, "the site is up again")
        end_site(site)
    return kills


def kill_one(site: Site, chance: random.Random) -> int:
    """A worker of gunicorn mostly, now and then its master or the sealing job."""
    try:
        master = site.pid("web server")
        children = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        target = chance.choice([*children * 3, master, site.pid("sealing job")])
        os.kill(int(target), signal.SIGKILL)
    except (OSError, ValueError):  # gone already
        return 0
    return 1


if __name__ == "__main__":
    main()
