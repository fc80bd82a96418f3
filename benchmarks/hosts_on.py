"""The process in which bench_hosts measures: it prints its figures as JSON."""

# ruff: noqa: E402 - the settings must be read before models are imported
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import django
from django.conf import settings

django.setup()

import numpy as np
from django.core.management import call_command
from django.db import connection

from benchmarks.own_process import ROOT
from surveys.domain.questionnaire.publish import close, publish
from surveys.domain.responses import sealing_keys
from surveys.domain.responses.seal import PART_SIZE
from surveys.domain.responses.snapshots import latest
from surveys.models import Inbox, Submission, Survey, SurveyVersion, UsedEntry, UsedPage
from tests.servers import free_port, pgbouncer_program, running_broker, running_pgbouncer, running_site, wait_until
from tests.surveys.killing import SEALING_JOB, SENDERS, WEB_WORKER, Device, killing, numbered, once_up
from tests.surveys.making import add_question, make_survey
from tests.surveys.sealed import open_answers
from tests.surveys.thief import alignment, matches, neighbours

TURNS = 6
HOSTS = (1, 2)
PAUSE = 4.0  # seconds between two kills of a host; more in a long run, which else mostly waits for hosts that start

KEYS = ["surveys_submission", "surveys_usedpage", "surveys_usedentry"]  # where the hash of a key may stand


def main() -> None:
    submissions, killed = (int(word) for word in sys.argv[1:])
    call_command("migrate", verbosity=0)
    sealing_keys.prepare()
    survey = make_survey("bench")
    add_question(survey, "n", type="number", position=9)
    version = publish(survey)
    measured = rates(version, submissions)
    for model in (Inbox, Submission, UsedPage, UsedEntry):
        model.objects.all().delete()
    before = written()
    kills = under_kills(numbered(version, killed))
    snapshot = latest(survey)
    sealed = [answer["n"] for answer in open_answers(snapshot)] if snapshot else []
    killed_counts = {
        "sent": killed,
        "kills": kills,
        "lost": killed - len(set(sealed)),
        "doubled": len(sealed) - len(set(sealed)),
        "in their place (chance: 1)": matches(sealed),
        "beside who came beside them (chance: 2)": neighbours(sealed),
        "rank correlation in a part, in standard errors": max((aligned(part) for part in in_parts(sealed)), key=abs),
    }
    print(json.dumps({"rates": measured, "kills": killed_counts, "bytes": bytes_of(killed, before)}))


def in_parts(sealed: list[int]) -> list[list[int]]:
    """That a part is full before the next one begins may be told (docs/design.md); what is inside it may not."""
    return [sealed[start : start + PART_SIZE] for start in range(0, len(sealed), PART_SIZE)]


def aligned(part: list[int]) -> float:
    return round(float(alignment(part) * np.sqrt(len(part) - 1)), 1)


def written() -> int:
    """The bytes that PostgreSQL has written to its write-ahead log."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_lsn() - '0/0'")
        return int(cursor.fetchone()[0])


def bytes_of(responses: int, before: int) -> dict[str, float]:
    """What one response takes: on its way, in the log, and in the tables once it is sealed."""
    sizes = {"sent": len(numbered(SurveyVersion.objects.get(), 1)[0]), "log": (written() - before) / responses}
    with connection.cursor() as cursor:
        for name, tables in (("hash of its key", KEYS), ("sealed", ["surveys_part"])):
            cursor.execute("SELECT sum(pg_total_relation_size(one::regclass)) FROM unnest(%s::text[]) AS one", [tables])
            sizes[name] = float(cursor.fetchone()[0]) / responses
    return {name: round(size, 1) for name, size in sizes.items()}


def rates(version: SurveyVersion, submissions: int) -> list[list[float | str]]:
    """Per way to the database and number of hosts: accepted a second, median and 99th percentile of what a sender
    waits, the bare view's rate, and microseconds of processor that a submission takes of the web servers and of
    PostgreSQL.

    All take turns, so that they meet the same load of the machine; the first turn warms up.
    """
    with ExitStack() as stack:
        pooled = stack.enter_context(running_pgbouncer(os.environ["DATABASE_URL"])) if pgbouncer_program() else ""
        ours = {"directly": {}, "PgBouncer": {"DATABASE_POOL": pooled}} if pooled else {"directly": {}}
        ports = {
            way: [stack.enter_context(serving("config.wsgi", **environment)) for _ in HOSTS]
            for way, environment in ours.items()
        }
        ports["bare"] = [stack.enter_context(serving("benchmarks.submit_bare")) for _ in HOSTS]
        seconds = {(way, hosts): 0.0 for hosts in HOSTS for way in ports}
        waited: dict[tuple[str, int], list[float]] = {case: [] for case in seconds}
        used = {case: np.zeros(2) for case in seconds}
        bodies = {case: numbered(version, submissions) for case in seconds}
        for turn in range(TURNS + 1):
            for (way, hosts), mine in bodies.items():
                start, before = time.monotonic(), processor_seconds()
                times = send(ports[way][:hosts], mine[turn :: TURNS + 1])
                if turn:
                    seconds[way, hosts] += time.monotonic() - start
                    waited[way, hosts] += times
                    used[way, hosts] += processor_seconds() - before
    counted = submissions * TURNS / (TURNS + 1)
    return [
        [
            hosts,
            way,
            round(counted / seconds[way, hosts]),
            *(round(1000 * float(time), 1) for time in np.percentile(waited[way, hosts], [50, 99])),
            round(counted / seconds["bare", hosts]),
            *(round(1e6 * float(spent) / counted) for spent in used[way, hosts]),
        ]
        for hosts in HOSTS
        for way in ours
    ]


def processor_seconds() -> np.ndarray:
    """What the web servers and PostgreSQL have used so far; those of this benchmark, whatever else the machine does."""
    commands, fields = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended meanwhile
            commands[int(folder.name)] = (folder / "cmdline").read_bytes()
            fields[int(folder.name)] = (folder / "stat").read_text().rpartition(")")[2].split()
    above = {process: int(fields_of_one[1]) for process, fields_of_one in fields.items()}
    ticks = np.zeros(2)
    for process, fields_of_one in fields.items():
        for place, name in enumerate((b"gunicorn", b"postgres")):
            if name in commands[process] and os.getppid() in ancestors(process, above):  # bench_hosts
                ticks[place] += int(fields_of_one[11]) + int(fields_of_one[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def ancestors(process: int, above: dict[int, int]) -> Iterator[int]:
    while process := above.get(process, 0):
        yield process


@contextmanager
def serving(application: str, **environment: str) -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:config.gunicorn"]
    server = subprocess.Popen(
        [*command, "--bind", f"127.0.0.1:{port}", application], cwd=ROOT, env=os.environ | environment
    )
    try:
        yield port
    finally:
        server.terminate()
        server.wait()


def send(ports: list[int], bodies: list[bytes]) -> list[float]:
    """Send everything, each sender to one of the ports; what each submission waited until it was accepted."""

    def one(place: int) -> list[float]:
        device, times = Device(ports[place % len(ports)], "bench"), []
        with closing(device.connection):
            for body in bodies[place::SENDERS]:
                start = time.monotonic()
                device.send(body)
                times.append(time.monotonic() - start)
        return times

    with ThreadPoolExecutor(SENDERS) as pool:
        return list(chain.from_iterable(pool.map(one, range(SENDERS))))


def under_kills(bodies: list[bytes]) -> int:
    """Send everything to two hosts while processes of four are killed, close, and wait until all is sealed."""
    pause = max(PAUSE, len(bodies) / 7_000)
    data = Path(settings.CANDOR_DATA)
    socket = data / "shared" / "broker.sock"
    shared: dict[str, Any] = {
        "DATABASE_URL": os.environ["DATABASE_URL"],
        "CELERY_BROKER_URL": f"redis+socket://{socket}",
        "SECRET_KEY": settings.SECRET_KEY,
        "DEMO": "0",
    }
    with running_broker(socket), ExitStack() as parts:
        tending = [
            parts.enter_context(running_site(data / f"tend{number}", ROLE="tend", **shared)) for number in range(2)
        ]
        web = [parts.enter_context(running_site(data / f"web{number}", ROLE="web", **shared)) for number in range(2)]
        with ExitStack() as killers:
            killed = [
                killers.enter_context(killing(site, once_up(site, "bench", victims), seconds))
                for site, victims, seconds in (
                    *((site, (WEB_WORKER, WEB_WORKER, "web server"), pause) for site in web),
                    *((site, (SEALING_JOB,), 3 * pause) for site in tending),  # it is to get something done between
                )
            ]
            send([site.port for site in web], bodies)
        survey = Survey.objects.get(slug="bench")
        close(survey)
        wait_until(lambda: respondents(survey) == len(bodies), 1200, "all are sealed")
        return sum(counts.total() for counts in killed)


def respondents(survey: Survey) -> int:
    snapshot = latest(survey)
    return snapshot.respondents if snapshot else 0


if __name__ == "__main__":
    main()
