"""Log lines that say what happened, but not to whom."""

import json
import logging
import sys
import threading
import time
from collections import Counter

from config import settings


class RouteOnly(logging.Filter):
    """Write the route in place of the path in Django's lines about requests, because a path may hold a receipt."""

    def filter(self, record: logging.LogRecord) -> bool:
        match = getattr(getattr(record, "request", None), "resolver_match", None)
        if isinstance(record.args, tuple) and len(record.args) == 2:
            record.args = (record.args[0], match.route if match else "no page of ours")
        return True


class Nameless(logging.Filter):
    """Write that the web server failed with a request, with the traceback, but not at which path."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info:
            record.msg, record.args = "The web server failed with a request.", ()
        return True


LONGEST, NOTE = 8_000, 50  # characters; the note between the halves needs fewer


def shorten(text: str) -> str:
    """At most LONGEST characters: of what is longer, the beginning and the end."""
    if len(text) <= LONGEST:
        return text
    half = (LONGEST - NOTE) // 2
    return f"{text[:half]} ... {len(text) - 2 * half} characters are left out ... {text[-half:]}"


class ShortLine(logging.Formatter):
    """Lines that are not long, a traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        return shorten(super().format(record))


class JsonLine(logging.Formatter):
    """The same lines for programs that collect logs: one JSON object each, without the time, which collectors add.

    A line about a visitor would else be as exact as the clock; docs/storage.md says what logs must not hold.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {"level": record.levelname, "logger": record.name, "message": record.getMessage()}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps({name: shorten(text) for name, text in line.items()}, ensure_ascii=False)


class BrokerAway(logging.Filter):
    """Say in one line that the broker is away. Celery adds a traceback, which is the same each time, and advice."""

    def filter(self, record: logging.LogRecord) -> bool:
        import redis  # where they are not loaded yet, a site that starts need not wait for them
        from kombu.exceptions import OperationalError

        away = (redis.ConnectionError, redis.TimeoutError, OperationalError)
        if record.name == "py.warnings" and "CPendingDeprecationWarning" in record.getMessage():
            return False  # nine lines about a default of a later Celery
        by_celery = record.name.startswith(("celery.", "kombu."))
        error = record.exc_info[1] if record.exc_info else None
        while by_celery and error and not isinstance(error, away):  # it fails in other ways while it handles that
            error = error.__cause__ or error.__context__
        if isinstance(error, away):
            record.exc_info = record.exc_text = None
        if isinstance(error, away) or record.name.startswith("celery.worker.consumer"):
            record.msg, record.args = " ".join(record.getMessage().split()), ()
        return True


class Bounded(logging.Filter):
    """Let a process write at most 20 lines of one kind in a minute; then one line says how many were left out.

    Lines are of one kind if they have the same words before their values are filled in. Requests that fail for one
    reason are so, and somebody can send a thousand of them in a second.
    """

    LINES, SECONDS = 20, 60.0

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.lock = threading.Lock()
        self.began, self.left_out = 0.0, 0
        self.written = Counter[tuple[str, int, str]]()

    def filter(self, record: logging.LogRecord) -> bool:
        kind = (record.name, record.levelno, str(record.msg)[:200])
        with self.lock:
            now = time.monotonic()
            if now - self.began > self.SECONDS:
                if self.left_out:
                    record.msg, record.args = f"{record.getMessage()} ({self.left_out} lines were left out.)", ()
                self.began, self.left_out, self.written = now, 0, Counter()
            self.written[kind] += 1
            is_one_more = self.written[kind] > self.LINES
            self.left_out += is_one_more
            return not is_one_more


def announce(sentence: str, level: int = logging.INFO) -> None:
    """Print what `config.run.serve` says itself: a sentence, or with LOG_FORMAT=json an object like every line."""
    if settings.LOG_FORMAT == "json":
        sentence = JsonLine().format(logging.LogRecord("config.run", level, "", 0, sentence.strip(), (), None))
    print(sentence, file=sys.stdout if level == logging.INFO else sys.stderr, flush=True)
