"""However much strangers send, the log stays short, and it names nobody."""

import logging
import sys
from itertools import pairwise

import pytest
import redis

from config.web import logs
from config.web.logs import Bounded, BrokerAway, Nameless, ShortLine


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
    monkeypatch.setattr(logs.time, "monotonic", lambda: now[0])
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


def test_advice_of_celery_is_not_written() -> None:
    advice = logging.LogRecord("py.warnings", logging.WARNING, "", 1, "CPendingDeprecationWarning: In 5.1", (), None)
    other = logging.LogRecord("py.warnings", logging.WARNING, "", 1, "RuntimeWarning: divide by zero", (), None)
    assert [BrokerAway().filter(line) for line in (advice, other)] == [False, True]
