"""However much strangers send, the log stays short, and it names nobody."""

import logging
import sys

import pytest

from config.web import logs
from config.web.logs import Bounded, Nameless, ShortLine


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
