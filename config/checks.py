"""What `manage.py check --deploy` says beyond Django's own checks."""

from contextlib import suppress
from typing import Any

from django.core.checks import CheckMessage, Critical, Warning, register
from django.db import DatabaseError

from config.run import last_backup
from surveys.domain.database import damage


@register(deploy=True)
def database_is_whole(**_: Any) -> list[CheckMessage]:
    """Report a database that was found damaged."""
    if not damage.is_reported():
        return []
    return [Critical("The database is damaged, so no answers are accepted (docs/deploy.md).", id="candor.C001")]


@register(deploy=True)
def database_was_restored_to_the_end(**_: Any) -> list[CheckMessage]:
    """Report a database whose restore did not end; a start refuses it, too."""
    half = ""
    with suppress(DatabaseError):  # of one that does not answer the start says what is wrong
        half = damage.failure()
    return [Critical(half, id="candor.C002")] if half else []


@register(deploy=True)
def backups_are_made(**_: Any) -> list[CheckMessage]:
    """Warn if the database has no backup, or only an old one."""
    try:
        age = last_backup.age()
    except DatabaseError:
        return []
    if age is None:
        return [Warning("No backup of this database has been made (docs/deploy.md).", id="candor.W001")]
    if age > last_backup.LATE:
        late = f"The last good backup of this database is {age / 3600:.0f} hours old (docs/deploy.md)."
        return [Warning(late, id="candor.W002")]
    return []
