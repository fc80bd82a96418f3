"""What a worker hears through the broker: notes, and whether it is there. All else is dropped.

Otherwise one message of a person who can write to the broker would stop every worker. One that lacks what Celery
expects is taken for a connection that was lost: the worker connects again, gets it again, and so on for ever. What is
no message ends the worker, and with it, three times, the run that it works on. And Celery obeys anybody who orders it
to stop listening, or to do a task of Celery's own.
"""

import logging
from collections.abc import Callable
from queue import Empty
from typing import Any

from kombu.exceptions import KombuError
from kombu.transport import redis

log = logging.getLogger(__name__)

_ANSWERED = {"ping", "hello"}  # a worker that starts says hello
# Of a note: no time limit that the pool of the worker could not read, and nothing that is to wait.
_PLAIN: dict[str, Any] = {"timelimit": [None, None], "eta": None, "retries": 0}
_MALFORMED = (LookupError, TypeError, ValueError, AttributeError, RecursionError, KombuError)
_RedisChannel: Any = redis.Channel  # Kombu has no types


class QueueChannel(_RedisChannel):
    def _brpop_read(self, **options: Any) -> Any:
        """Read a message; one that is malformed is dropped, as if nothing had come."""
        try:
            return super()._brpop_read(**options)
        except _MALFORMED as error:
            _say_dropped(error)
            raise Empty from None  # as if nothing had come

    def basic_consume(self, queue: str, no_ack: bool, callback: Callable[[Any], Any], *more: Any, **named: Any) -> Any:
        """Hand on only messages that this site can have sent; others are dropped with a line in the log."""
        is_of_notes = not queue.endswith(".pidbox") and not queue.startswith("celeryev")  # those are Celery's own

        def hear(message: Any) -> Any:
            try:
                if is_of_notes:
                    require_note(message)
                return callback(message)
            except _MALFORMED as error:
                _say_dropped(error)
                return message.reject()  # or it would come back

        return super().basic_consume(queue, no_ack, hear, *more, **named)


def hear_notes_alone() -> None:
    """Make a worker that has not connected yet take nothing but notes, and answer only Celery's ping and hello."""
    from celery.worker.control import Panel  # it loads what workers alone need

    redis.Transport.Channel = QueueChannel
    for order in Panel.data.keys() - _ANSWERED:
        del Panel.data[order]


def require_note(message: Any) -> None:
    """Refuse what is no note: a task of this site, the one key of what it shall look at, and nothing that follows."""
    task, (keys, named, follows) = message.headers["task"], message.payload
    is_plain = all(message.headers[name] == value for name, value in _PLAIN.items())
    has_one_key = [type(key) for key in keys] == [int] and not named
    if task.startswith("celery.") or not has_one_key or any(follows.values()) or not is_plain:
        raise ValueError


def _say_dropped(error: Exception) -> None:
    log.warning("A message from the broker is not from this site and was dropped (%s).", type(error).__name__)
