"""Notes to the workers ("look at run 7"), which the broker carries.

What there is to do stands in the database, and a duty leaves the note again; so a note that is lost costs time alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.utils.translation import gettext_noop
from kombu.exceptions import OperationalError
from redis import AuthenticationError, ResponseError

log = logging.getLogger(__name__)


def leave(note: Callable[[], object], waits: str) -> None:
    """Leave a note. If the broker takes none, the log says why, and what waits."""
    try:
        note()
    except OperationalError as error:
        log.warning("%s; %s.", refusal(error.__cause__) or "The broker is away", waits)


def refusal(error: BaseException | None) -> str:
    """What a broker says that answers and takes nothing, in English; "" if it does not answer at all."""
    if isinstance(error, AuthenticationError):
        return gettext_noop("The broker refuses the name or password of CELERY_BROKER_URL")
    return f"The broker refuses: {str(error).rstrip('.')}" if isinstance(error, ResponseError) else ""
