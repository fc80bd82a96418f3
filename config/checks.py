"""What `manage.py check --deploy` says beyond Django's own checks."""

from contextlib import suppress
from typing import Any

from django.core.checks import CheckMessage, Critical, register
from django.db import DatabaseError

from surveys.domain.database import damage, restoring


@register(deploy=True)
def database_is_whole(**_: Any) -> list[CheckMessage]:
    """The alarm that the sealing job, or whoever met the damage, has raised."""
    if not damage.is_reported():
        return []
    return [Critical("The database is damaged, and no answers are taken (docs/deploy.md).", id="candor.C001")]


@register(deploy=True)
def database_was_restored_to_the_end(**_: Any) -> list[CheckMessage]:
    """A start says the same, and refuses."""
    half = ""
    with suppress(DatabaseError):  # of one that does not answer the start says what is wrong
        half = restoring.failure()
    return [Critical(half, id="candor.C002")] if half else []
