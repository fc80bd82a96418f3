"""Damage of the database file: found, shown to everybody who can repair it; no answer is taken meanwhile.

What was found stands in a file of the data folder, because a damaged database is not to be written to. This is about
SQLite; PostgreSQL checks its pages itself.

Of a restore that did not end a table marks the database from before the first row comes back until after the last.
PostgreSQL's pg_restore commits before the tables that were copied apart come back. Without the mark a site would start
on what there is by then, without invitations, and would store every retry again. SQLite's file is whole or not there.
"""

import logging
import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

log = logging.getLogger(__name__)

DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
PAUSE = 5.0  # seconds in which a process looks at the inbox once, however many ask for a questionnaire
_next_look = 0.0


def check_database() -> None:
    """A duty: read the whole database and report what is wrong; if nothing is, an earlier alarm ends."""
    if connection.vendor != "sqlite":
        return
    if wrong := _wrong():
        report(wrong)
    elif is_reported():
        Path(_note()).unlink(missing_ok=True)
        log.warning("The database is undamaged again; questionnaires are served.")


def inbox_is_damaged() -> bool:
    """Whether the database is damaged, so that no response could be kept; looks at the inbox every PAUSE seconds."""
    global _next_look
    if is_reported():
        return True
    if connection.vendor == "sqlite" and time.monotonic() >= _next_look:
        _next_look = time.monotonic() + PAUSE
        if wrong := _wrong("surveys_inbox"):
            report(wrong)
            return True
    return False


def is_damage(error: BaseException) -> bool:
    return getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF in DAMAGED


def is_reported() -> bool:
    return os.path.exists(_note())


def report(wrong: str) -> None:
    """Raise the alarm: in the log, in the administration and in `manage.py check --deploy`; questionnaires close."""
    if not is_reported():
        log.critical("THE DATABASE IS DAMAGED, so no answers are accepted (see docs/deploy.md): %s", wrong)
        Path(_note()).write_text(f"{wrong}\n")


def _wrong(table: str = "") -> str:
    """Describe the damage that SQLite finds in the table, or without a name in the whole database; empty if none."""
    with connection.cursor() as cursor:
        try:
            cursor.execute(f"PRAGMA quick_check({table})" if table else "PRAGMA quick_check(10)")
            lines = [str(row[0]) for row in cursor.fetchall()]
        except DatabaseError as error:
            if not is_damage(error):
                raise
            lines = [str(error)]
    return "" if lines == ["ok"] else "; ".join(" ".join(line.split()) for line in lines)


def _note() -> str:
    """The path of the file that marks damage; a text, as every request asks for it, and a Path takes longer to make."""
    return f"{settings.CANDOR_DATA}/database_is_damaged"


MARK = "candor_restore_did_not_end"


def begin() -> None:
    """Mark the database as half restored, in a transaction of its own; the mark of an earlier try may be there."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {MARK} ()")


def end() -> None:
    """Remove the mark. Called in the transaction that writes the last row."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE {MARK}")


def failure() -> str:
    """The sentence that says that the database is half restored; empty if it is not."""
    if connection.vendor != "postgresql" or MARK not in connection.introspection.table_names():
        return ""
    return (
        f"A restore into the database {settings.DATABASES['default']['NAME']} did not end, and answers or invitations "
        "are missing: restore into a new, empty database (docs/deploy.md)."
    )


def refuse_half() -> None:
    """Exit if the database is half restored: web server, worker and sealing job call this before they start.

    A database that does not answer is not refused: it may come back, and until then each page says what is wrong. Some
    parts fork other processes, which must have no connection and no pool in common with this one.
    """
    with suppress(DatabaseError, InterfaceError):
        if half := failure():
            raise SystemExit(half)
    if connection.vendor == "postgresql":
        database: Any = connection  # only this kind has a pool
        database.close()
        database.close_pool()
