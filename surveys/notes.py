"""Notes to the workers ("look at run 7"), which the broker carries.

What there is to do stands in the database, and a duty leaves the note again; so a note that is lost costs time alone.
A note names a task and does not import it: tasks call what the system does, and what the system does leaves notes.
"""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app
from django.utils.translation import gettext_noop
from kombu.exceptions import OperationalError
from redis import AuthenticationError, ResponseError

MAKE_RELEASE, REHEARSE = "surveys.tasks.make_release", "surveys.tasks.rehearse"

log = logging.getLogger(__name__)


def send(task: str, *arguments: int, **options: Any) -> None:
    """Have a worker call this task. OperationalError where the broker takes no note; the options are Celery's."""
    current_app.send_task(task, arguments, **options)


def leave(task: str, *arguments: int, waits: str, **options: Any) -> None:
    """The same; if the broker takes no note, the log says why, and what waits."""
    try:
        send(task, *arguments, **options)
    except OperationalError as error:
        log.warning("%s; %s.", refusal(error.__cause__) or "The broker is away", waits)


def refusal(error: BaseException | None) -> str:
    """What a broker says that answers and takes nothing, in English; "" if it does not answer at all."""
    if isinstance(error, AuthenticationError):
        return gettext_noop("The broker refuses the name or password of CELERY_BROKER_URL")
    return f"The broker refuses: {str(error).rstrip('.')}" if isinstance(error, ResponseError) else ""
