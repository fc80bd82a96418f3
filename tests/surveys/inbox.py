"""Responses that wait, as receiving leaves them, and what is in them."""

from collections.abc import Iterable

from django.db import transaction

from surveys.domain.messages.submission import Stored
from surveys.domain.responses import waiting
from surveys.models import SurveyVersion


def wait(version: SurveyVersion, responses: Iterable[Stored]) -> None:
    """Let responses wait that nobody has sent."""
    with transaction.atomic():
        waiting.add_waiting(version, responses)


def responses_waiting(version: SurveyVersion) -> list[Stored]:
    """What waits, as only the sealing job can read it; every one can be opened."""
    opened = waiting.open_waiting(version)
    assert opened.lost == 0
    return list(opened.rows.values())
