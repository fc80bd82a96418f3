"""The test database as another process meets it: its address, and a lock that somebody else holds."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


def database_url() -> str:
    """The test database, for a site of its own."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{given['NAME']}"
    return f"postgresql://{given['USER']}@/{given['NAME']}?host={given['OPTIONS']['host']}"


@contextmanager
def hold_lock() -> Iterator[None]:
    """Another process holds what an insert needs, as a migration or a backup tool does."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("BEGIN; LOCK TABLE surveys_inbox")
            else:
                cursor.execute("BEGIN IMMEDIATE")
            yield
            cursor.execute("ROLLBACK")
    finally:
        other.close()
