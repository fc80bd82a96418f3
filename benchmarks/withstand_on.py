"""The process in which bench_withstand measures: it prints a line of JSON for each kind of stranger."""

# ruff: noqa: E402 - the settings must be read before models are imported
import http.client
import json
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import django
from django.conf import settings

django.setup()

from django.core.management import call_command
from django.db import connection

from benchmarks.strangers import PROXIED, SAID
from surveys.domain.questionnaire.publish import publish
from surveys.models import SurveyVersion
from tests.servers import running_site, stop
from tests.surveys.killing import numbered
from tests.surveys.making import add_question, make_survey

LONGEST = 10.0  # seconds after which a respondent gives up
FLOODERS = 16  # connections of one device that sends malformed messages, as fast as they are answered
GROWTH = 3.0  # seconds until all strangers are there


def main() -> None:
    connections, seconds = (int(word) for word in sys.argv[1:])
    call_command("migrate", verbosity=0)
    survey = make_survey("bench")
    add_question(survey, "n", type="number", position=9)
    version = publish(survey)
    with running_site(Path(settings.CANDOR_DATA), HTTPS="1") as site:
        report("nobody", honest(site.port, version, seconds))
        for kind in [kind for kind in SAID if kind != "malformed"]:
            beside(kind, site.port, connections, version, seconds)
        if connection.vendor == "sqlite":
            with locked(), senders(site.port, version, 40):
                report("a locked database (page)", measured(site.port, [("GET", "/s/bench/", None)] * 20, 6))
                files = [("GET", "/client/main.js", None)] * 20
                report("a locked database (file)", measured(site.port, files, 6))
        beside("malformed", site.port, FLOODERS, version, seconds)  # last, because it used to shut everybody out


def beside(kind: str, port: int, connections: int, version: SurveyVersion, seconds: float) -> None:
    with strangers(kind, port, connections):
        report(f"{connections} {kind}", honest(port, version, seconds))
    time.sleep(5)  # the site may still have answers for those who have gone


def report(beside: str, times: list[float]) -> None:
    good = [spent for spent in times if spent < LONGEST]
    row = {
        "beside": beside,
        "asked": len(times),
        "usual": round(statistics.median(times), 4),
        "worst": round(max(times), 4),
        "failed": len(times) - len(good),
    }
    print(json.dumps(row), flush=True)


def honest(port: int, version: SurveyVersion, seconds: float) -> list[float]:
    bodies = iter(numbered(version, 20_000))
    asked: list[tuple[str, str, bytes | None]] = []
    for body in bodies:
        asked += [("GET", "/s/bench/", None), ("GET", "/s/bench/questionnaire", None)]
        asked.append(("POST", "/s/bench/responses", body))
        if len(asked) > 600:
            break
    return measured(port, asked, seconds)


def measured(port: int, asked: Sequence[tuple[str, str, bytes | None]], seconds: float) -> list[float]:
    """The seconds that each request took, one after the other on connections of their own, for so long."""
    times, end = list[float](), time.monotonic() + seconds
    for method, path, body in asked:
        start = time.monotonic()
        try:
            visitor = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)
            visitor.request(method, path, body, PROXIED | ({"Content-Type": "application/json"} if body else {}))
            answer = visitor.getresponse()
            answer.read()
            times.append(time.monotonic() - start if answer.status < 400 else LONGEST)
        except (OSError, http.client.HTTPException):
            times.append(LONGEST)
        finally:
            visitor.close()
        if time.monotonic() > end:
            break
        time.sleep(0.02)
    return times


@contextmanager
def strangers(kind: str, port: int, connections: int) -> Iterator[None]:
    command = [sys.executable, "-m", "benchmarks.strangers", kind, str(port), str(connections)]
    process = subprocess.Popen(command)
    try:
        time.sleep(GROWTH)
        yield
    finally:
        stop(process)


@contextmanager
def locked() -> Iterator[None]:
    other = sqlite3.connect(settings.DATABASES["default"]["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


@contextmanager
def senders(port: int, version: SurveyVersion, count: int) -> Iterator[None]:
    """Devices that send while the measurement lasts."""
    done = threading.Event()

    def send(bodies: list[bytes]) -> None:
        while not done.is_set():
            measured(port, [("POST", "/s/bench/responses", body) for body in bodies], 1)

    bodies = numbered(version, count, first=100_000)
    devices = [threading.Thread(target=send, args=([body],)) for body in bodies]
    for device in devices:
        device.start()
    time.sleep(1)
    try:
        yield
    finally:
        done.set()
        for device in devices:
            device.join()


if __name__ == "__main__":
    main()
