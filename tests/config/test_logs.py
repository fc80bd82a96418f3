"""However much strangers send, the log stays short, and it names nobody."""

import json
import logging
import sys
from itertools import pairwise

import pytest
import redis

from config.web import logs
from config.web.logs import Bounded, BrokerAway, Nameless, ShortLine
from tests.clocks import set_time
from tests.servers import run_python


def record(message: str, *values: object) -> logging.LogRecord:
    return logging.LogRecord("surveys.api", logging.WARNING, "api.py", 1, message, values, None)


def test_a_line_has_a_length() -> None:
    """Of a long one, what it begins and ends with, and how much is missing."""
    line = ShortLine("{levelname}: {message}", style="{").format(record("a" * 100_000 + "b"))
    assert line == f"WARNING: {'a' * 3966} ... 92060 characters are left out ... {'a' * 3974}b"
    assert len(line) <= 8_000


def test_lines_of_one_kind_come_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever their values are; another kind is still written, and after a minute one line says what was left out."""
    now = [1000.0]
    set_time(monkeypatch, logs, lambda: now[0])
    bounded = Bounded()
    assert [bounded.filter(record("Busy %s.", number)) for number in range(50)] == [True] * 20 + [False] * 30
    assert bounded.filter(record("Something else."))
    now[0] += 61
    logged = record("Busy %s.", 50)
    assert bounded.filter(logged)
    assert logged.getMessage() == "Busy 50. (30 lines were left out.)"


def test_an_error_of_the_web_server_names_no_path() -> None:
    """The web server would write the path, which may hold a receipt."""
    failed = record("Exception while serving %s", "/s/study/receipts/2f9a77")
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        failed.exc_info = sys.exc_info()
    assert Nameless().filter(failed)
    assert failed.getMessage() == "The web server failed with a request."


def chain_errors(logger: str, message: str, *errors: Exception) -> logging.LogRecord:
    """A line about the last of these errors, each raised while the one before was handled."""
    line = logging.LogRecord(logger, logging.ERROR, "bootsteps.py", 1, message, (), None)
    for before, error in pairwise(errors):
        error.__context__ = before
    line.exc_info = (type(errors[-1]), errors[-1], None)
    return line


@pytest.mark.parametrize(
    ("logger", "errors"),
    [
        ("celery.bootsteps", [redis.ConnectionError("closed"), AttributeError("connection_errors")]),
        ("celery.worker.consumer.consumer", [redis.TimeoutError("reading")]),
        ("surveys.notes", [redis.ConnectionError("refused")]),
    ],
)
def test_a_broker_that_is_away_is_one_line(logger: str, errors: list[Exception]) -> None:
    """Of Celery also where it fails in another way while it handles that; the lines of a message become one."""
    line = chain_errors(logger, "Cannot connect.\nTrying again.\n", *errors)
    assert BrokerAway().filter(line)
    assert ShortLine("{message}", style="{").format(line) == "Cannot connect. Trying again."


@pytest.mark.parametrize(
    ("logger", "errors"),
    [
        ("celery.bootsteps", [KeyError("x")]),
        ("django.request", [redis.ConnectionError("closed"), ZeroDivisionError("a fault of ours")]),
    ],
)
def test_what_is_no_matter_of_the_broker_keeps_its_traceback(logger: str, errors: list[Exception]) -> None:
    line = chain_errors(logger, "It failed.", *errors)
    assert BrokerAway().filter(line)
    assert line.exc_info
    assert line.exc_info[1] is errors[-1]


# What the servers under Candor write of themselves is written as Candor's own lines are.


# Each lets the part set its log up as at its start, and then say that a process of it was killed.
WEB_SERVER = """
from gunicorn.config import Config
from gunicorn.glogging import Logger
import config.gunicorn as chosen

own = Config()
for name in ("accesslog", "loglevel", "logconfig_dict"):
    own.set(name, getattr(chosen, name))
Logger(own).error("Process %s was killed.", 7)
"""
WORKER = """
import django

django.setup()
from celery.utils.log import get_multiprocessing_logger
from config.celery import app

app.log.setup_logging_subsystem(loglevel="WARNING")
get_multiprocessing_logger().error("Process %s was killed.", 7)
"""


def run_and_read_log(script: str, log_format: str) -> list[str]:
    done = run_python("-c", script, LOG_FORMAT=log_format, DJANGO_SETTINGS_MODULE="config.settings")
    return (done.stdout + done.stderr).splitlines()


@pytest.mark.long
@pytest.mark.parametrize(("script", "logger"), [(WEB_SERVER, "gunicorn.error"), (WORKER, "multiprocessing")])
def test_a_part_whose_process_was_killed_says_so_once_and_without_the_time(script: str, logger: str) -> None:
    """As a line, and as an object where lines are objects."""
    assert run_and_read_log(script, "line") == [f"ERROR {logger}: Process 7 was killed."]
    (line,) = run_and_read_log(script, "json")
    assert json.loads(line) == {"level": "ERROR", "logger": logger, "message": "Process 7 was killed."}
