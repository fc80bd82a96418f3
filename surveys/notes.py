"""Notes to the workers ("look at run 7"), which the broker carries.

What there is to do stands in the database, and a duty leaves the note again; so a note that is lost costs time alone.
A note names a task and does not import it: tasks call what the system does, and what the system does leaves notes.
"""

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from celery import current_app
from django.conf import settings
from django.utils.translation import gettext_noop
from kombu.exceptions import OperationalError
from redis import AuthenticationError, Redis, RedisError, ResponseError

MAKE_RELEASE, REHEARSE = "surveys.tasks.make_release", "surveys.tasks.rehearse"
SEND_MAIL, SEND_NOTICES = "surveys.tasks.send_mail", "surveys.tasks.send_notices"
WAITING = "celery"  # the list of the broker that holds notes until a worker takes them
MANY = 1000  # notes that no worker has taken; duties add none to them

log = logging.getLogger(__name__)


def send(task: str, *arguments: int, **options: Any) -> None:
    """Have a worker call this task with these keys. OperationalError if the broker takes no note. Options: Celery's."""
    current_app.send_task(task, arguments, **options)


def leave(task: str, *arguments: int, waits: str, **options: Any) -> bool:
    """Send a note and return whether the broker took it; if not, the log says why, and `waits`: what has to wait."""
    try:
        send(task, *arguments, **options)
    except OperationalError as error:
        log.warning("%s; %s.", refusal(error.__cause__) or "The broker is away", waits)
        return False
    return True


def leave_again(hint: Callable[[int], bool], waiting: Iterable[int]) -> None:
    """Call `hint` for each key that waits, until the broker does not take a note: the next turn goes on.

    A duty does it, in the one process that also seals, and a broker that hangs takes nine seconds for each note.
    """
    if _count_waiting() < MANY:  # they would become ever more while no worker runs
        for pk in waiting:
            if not hint(pk):
                return


def _count_waiting() -> int:
    """How many notes no worker has taken yet; 0 if the broker does not say so within a second."""
    broker = Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    with suppress(RedisError), broker:
        return int(broker.llen(WAITING))
    return 0


def refusal(error: BaseException | None) -> str:
    """The words of a broker that answers but refuses notes, in English; "" if it does not answer at all."""
    if isinstance(error, AuthenticationError):
        return gettext_noop("The broker refuses the name or password of CELERY_BROKER_URL")
    return f"The broker refuses: {str(error).rstrip('.')}" if isinstance(error, ResponseError) else ""
