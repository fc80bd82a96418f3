"""The process in which bench_signin measures: it prints a line of JSON for nobody and for each kind of guesser."""

# ruff: noqa: E402 - the settings must be read before models are imported
import http.client
import json
import random
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import django
from django.conf import settings

django.setup()

from django.core.management import call_command
from django.urls import reverse

from benchmarks.withstand_on import LONGEST, honest
from surveys.domain.questionnaire.publish import publish
from tests.servers import running_site
from tests.surveys.making import add_question, make_survey

TOKEN = "a" * 32  # a form's token is right if it is that of the cookie
LOOKED_AT = 200  # the page again, with the sentence that it was wrong


def main() -> None:
    guessers, seconds = (int(word) for word in sys.argv[1:])
    call_command("migrate", verbosity=0)
    survey = make_survey("bench")
    add_question(survey, "n", type="number", position=9)
    version = publish(survey)
    with running_site(Path(settings.CANDOR_DATA), HTTPS="1") as site:
        report("nobody", honest(site.port, version, seconds), Counter())
        for beside, everywhere in ((f"{guessers} at one account", False), (f"{guessers} from everywhere", True)):
            with guessing(site.port, guessers, everywhere) as statuses:
                times = honest(site.port, version, seconds)
            report(beside, times, statuses)


def report(beside: str, times: list[float], statuses: Counter[int]) -> None:
    row = {
        "beside": beside,
        "asked": len(times),
        "usual": round(statistics.median(times), 4),
        "worst": round(max(times), 4),
        "failed": sum(spent >= LONGEST for spent in times),
        "guesses": statuses.total(),
        "looked at": statuses[LOOKED_AT],
    }
    print(json.dumps(row), flush=True)


@contextmanager
def guessing(port: int, guessers: int, everywhere: bool) -> Iterator[Counter[int]]:
    """Strangers who guess as fast as they are answered; the statuses of the answers."""
    done, statuses = threading.Event(), Counter[int]()

    def guess() -> None:
        while not done.is_set():
            address = f"198.51.{random.randrange(256)}.{random.randrange(256)}" if everywhere else "198.51.100.7"
            name = f"person{random.randrange(10**6)}" if everywhere else "admin"
            statuses[status_of(port, name, address)] += 1

    threads = [threading.Thread(target=guess) for _ in range(guessers)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    try:
        yield statuses
    finally:
        done.set()
        for thread in threads:
            thread.join()


def status_of(port: int, name: str, address: str) -> int:
    form = urlencode({"username": name, "password": "guess", "csrfmiddlewaretoken": TOKEN})
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"{settings.CSRF_COOKIE_NAME}={TOKEN}",
        "Origin": f"https://127.0.0.1:{port}",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": address,
    }
    stranger = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        stranger.request("POST", reverse("admin:login"), form, headers)
        answer = stranger.getresponse()
        answer.read()
        return answer.status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        stranger.close()


if __name__ == "__main__":
    main()
