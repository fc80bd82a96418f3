"""The process in which bench_profile times the steps of submissions: it prints them as JSON."""

# ruff: noqa: E402 - the settings must be read before models are imported
import io
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from ipaddress import ip_network
from typing import Any
from unittest.mock import patch

import django

django.setup()

from django.conf import settings
from django.core.management import call_command

from config.wsgi import application
from surveys import api
from surveys.domain.messages import strict_json
from surveys.domain.questionnaire.publish import publish
from surveys.domain.responses import receive, sealing_keys, waiting
from tests.servers import running_broker
from tests.surveys.killing import numbered
from tests.surveys.making import add_question, make_survey

STEPS = {
    "reading the JSON": [(strict_json, "read")],
    "holding it against the questionnaire": [(receive, "envelope"), (receive, "_definition"), (receive, "stored")],
    "its receipt": [(receive, "receipt")],
    "encrypting it to the sealing keys": [(waiting, "close")],
    "the database": [(receive, "_insert")],
    "counting what an address sends": [(api.rate, "check_stored"), (api.rate, "count_stored")],
}
REST = "Django and the middleware"
WARM = 200
addresses = iter(ip_network("10.0.0.0/8"))  # of each of them few responses are taken


class Clock:
    """Adds up what steps take, each without the steps that it calls."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.inner = [[0.0, 0.0]]

    def timed(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            self.inner.append([0.0, 0.0])
            begun = time.perf_counter(), time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                taken = time.perf_counter() - begun[0], time.thread_time() - begun[1]
                for kind, own in enumerate(self.inner.pop()):
                    self.spent[step][kind] += taken[kind] - own
                    self.inner[-1][kind] += taken[kind]

        return run


def main() -> None:
    count = int(sys.argv[1])
    call_command("migrate", verbosity=0)
    sealing_keys.prepare()
    survey = make_survey("bench")
    add_question(survey, "n", type="number", position=9)
    messages = numbered(publish(survey), WARM + count)
    with running_broker(settings.BROKER_SOCKET):
        print(json.dumps(steps(messages)))


def steps(messages: list[bytes]) -> list[tuple[str, float, float]]:
    """Microseconds of each step of a message, by the clock and of processor."""
    for message in messages[:WARM]:
        send(message)
    clock = Clock()
    for step, functions in STEPS.items():
        for home, name in functions:
            patch.object(home, name, clock.timed(step, getattr(home, name))).start()
    sending = clock.timed(REST, send)
    for message in messages[WARM:]:
        sending(message)
    taken = {step: [1e6 * seconds / (len(messages) - WARM) for seconds in clock.spent[step]] for step in (*STEPS, REST)}
    return [(step, by_clock, of_processor) for step, (by_clock, of_processor) in taken.items()]


def send(message: bytes) -> None:
    """A request as gunicorn hands it over; anything but a response that is kept is an error."""
    statuses: list[str] = []
    environment = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/s/bench/responses",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8000",
        "HTTP_HOST": "localhost",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(message)),
        "REMOTE_ADDR": str(next(addresses)),
        "wsgi.input": io.BytesIO(message),
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
    }

    def begin(status: str, _headers: object, _problem: object = None, /) -> Callable[[bytes], object]:
        statuses.append(status)
        return lambda _written: None  # the old way to answer, which Django does not take

    with closing(application(environment, begin)) as answer:
        b"".join(answer)
    if statuses != ["201 Created"]:
        raise SystemExit(f"A submission was answered {statuses[0]}.")


if __name__ == "__main__":
    main()
