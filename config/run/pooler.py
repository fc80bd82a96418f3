"""Check that DATABASE_POOL (PgBouncer) and DATABASE_URL point to the same database.

They are two settings, and after a restore one of them may still name the database from before: what people send would
go there, with a receipt, and nobody would ever seal it.
"""

import logging
import os
import threading
import time
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, ProgrammingError
from django.db.utils import ConnectionHandler

from config.environment import for_visitors, refuse

log = logging.getLogger(__name__)

# No two databases of a server have one oid, and no two servers started in the same microsecond: not one and its copy
# either, which share all that lies on the disk.
IDENTITY = "SELECT pg_postmaster_start_time(), oid FROM pg_database WHERE datname = current_database()"
AGAIN = 30.0  # seconds for which it is believed that they lead to one database

ANOTHER = "DATABASE_POOL points to another database than DATABASE_URL"

_same = False  # what was seen last
_due = 0.0  # when to look again


def is_used() -> bool:
    """Whether DATABASE_POOL names a pooler, so that visitors reach the database by another address."""
    return "://" in os.environ.get("DATABASE_POOL", "")


def refuse_another() -> None:
    """Stop a start whose two addresses lead to two databases. One that does not answer may pass: it may come back."""
    global _same
    if not is_used():
        return
    seen = _look()
    if seen is False:
        refuse(f"{ANOTHER}: name the same one in both, and in pgbouncer.ini (docs/deploy.md).")
    _same = bool(seen)  # who asks a process that is forked from this one, while it looks itself


def is_same() -> bool:
    """Whether both addresses lead to one database, as last seen; if that is too long ago, this looks first."""
    if time.monotonic() >= _due:
        _look_again()
    return _same


def was_same() -> bool:
    """Return the last known answer at once; now and then a thread checks again."""
    global _due
    if time.monotonic() >= _due:
        _due = time.monotonic() + AGAIN
        threading.Thread(target=_look_again, daemon=True).start()
    return _same


def _look_again() -> None:
    global _same, _due
    _due = time.monotonic() + AGAIN
    seen = _look()
    _same = _same if seen is None else seen
    if not _same:
        _due = time.monotonic() + 1
    if seen is False:
        log.error("%s: no respondent is answered (docs/deploy.md).", ANOTHER)


def _look() -> bool | None:
    """Compare both databases; None if one does not answer. The direct one is asked before and after."""
    direct, visitors = settings.DATABASE, for_visitors(settings.DATABASE)
    try:
        before, theirs, after = (_identity(way) for way in (direct, visitors, direct))
    except (DatabaseError, InterfaceError) as error:
        if isinstance(error, ProgrammingError):  # not away: this role may not ask
            log.warning("Could not check where DATABASE_POOL points: %s.", " ".join(str(error).split()))
        return None
    return theirs in (before, after)


def _identity(way: dict[str, Any]) -> Any:
    """Ask the server who it is, by a connection that later forks do not inherit."""
    connection = ConnectionHandler({"default": dict(way)})["default"]
    try:
        with connection.cursor() as cursor:
            cursor.execute(IDENTITY)
            return cursor.fetchone()
    finally:
        connection.close()
