"""How old the last good backup of this database is: a row of it, which `manage.py backup` writes when it has succeeded.

The machines of a site share the database alone: each has folders of its own, and a broker may be emptied. No backup
holds the row, because it tells of backups of this database: one that was restored has none yet, even if another was
backed up each night on the machine that is gone.

The time is kept to the hour, because nobody needs to know how long a backup took.
"""

from django.utils import timezone

from config.models import Backup

LATE = 36 * 3600.0  # seconds; one is made each night


def note() -> None:
    """Record that a good backup was made in this hour."""
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    Backup.objects.update_or_create(row=1, defaults={"made_at": hour})


def age() -> float | None:
    """Return the age of the last good backup in seconds; None if there is none."""
    made_at = Backup.objects.values_list("made_at", flat=True).first()
    return None if made_at is None else (timezone.now() - made_at).total_seconds()
