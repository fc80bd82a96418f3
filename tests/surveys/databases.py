"""The test database as another process meets it: its address, somebody who holds a lock, and one who reads.

And how often it is asked.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext


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


@contextmanager
def reader(sql: str) -> Iterator[None]:
    """Another connection that has read and is not done, as a dump or a long export."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute(sql)
            cursor.fetchall()
            yield
            cursor.execute("ROLLBACK")
    finally:
        other.close()


def count_queries(do: Callable[[], object]) -> int:
    """How often the database is asked by what is done."""
    with CaptureQueriesContext(connection) as asked:
        do()
    return len(asked)
