"""What time it surely is, for what cannot be undone: a survey is erased after its day, or closed by its date.

One pass of the duties under a wrong clock would erase for good. So a moment has passed only if this machine's clock
has said so twice, an hour apart and without a jump between, and a second clock says so, too: how long the machine has
run, which nobody sets, since the earliest start that its clock has said; and the clock of PostgreSQL, which may be on
another machine (docs/decisions/0039-a-day-until-which-it-is-kept.md).

Nothing is written while no clock jumps: the moment at which the machine started, by its clock, stays the same.
"""

import logging
import time
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

from django.db import connection
from django.utils import timezone

from surveys.models import ClockReading

log = logging.getLogger(__name__)

HOUR = timedelta(hours=1)
JUMP = timedelta(minutes=5)  # less is the drift of a clock, and its being set right

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_MACHINE = _BOOT.read_text().strip() if _BOOT.exists() else str(uuid4())  # else only this process can be compared
_RUNNING = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # the first goes on while a machine sleeps


def read_sure() -> datetime | None:
    """The latest moment that has surely passed; None until the clock has run evenly for an hour.

    Only the duties ask, on the machine that leads: what they read is kept, and another machine starts again.
    """
    now, running = timezone.now(), seconds_running()
    start = now - timedelta(seconds=running)
    reading = ClockReading.objects.filter(machine=_MACHINE).first()
    if reading is None:
        fields = {"machine": _MACHINE, "first_start": start, "start": start, "even_since": running}
        reading, _ = ClockReading.objects.update_or_create(row=1, defaults=fields)
    elif abs(jump := start - reading.start) > JUMP:
        log.warning("The clock of this machine jumped by %s: nothing is erased or closed by it for an hour.", jump)
        reading.start, reading.even_since = start, running
        reading.first_start = min(reading.first_start, start)  # a clock that was set back may come forward again
        reading.save(update_fields=["first_start", "start", "even_since"])
    if running - reading.even_since < HOUR.total_seconds():
        return None
    return min(now, now - _ahead(reading), _of_database() or now) - HOUR


def seconds_running() -> float:
    return time.clock_gettime(_RUNNING)


def difference() -> timedelta:
    """By how much the clocks differ, for those who run the site; nothing where that is no jump."""
    now, reading = timezone.now(), ClockReading.objects.first()
    ahead, beside = _ahead(reading) if reading else timedelta(), now - (_of_database() or now)
    largest = max(abs(ahead), abs(beside))
    return largest if largest > JUMP else timedelta()


def _ahead(reading: ClockReading) -> timedelta:
    """How much the clock is ahead of what it has been, and of how long the machine has run since."""
    return reading.start - reading.first_start


def _of_database() -> datetime | None:
    """The clock of the database's machine; None with SQLite, which has this one's."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment
