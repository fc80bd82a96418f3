"""A restore that did not end: a table marks the database from before the first row comes back until after the last.

PostgreSQL's pg_restore commits before the tables that were copied apart come back. Without the mark a site would start
on what there is by then, without invitations, and would store every retry again. SQLite's file is whole or not there.
"""

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

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
