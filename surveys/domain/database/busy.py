"""Whether the database is busy (locked, full, away, read-only or damaged), and asking over a connection that may have
ended.
"""

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, InternalError, OperationalError, connection

T = TypeVar("T")


def reconnecting(ask: Callable[[], T]) -> T:
    """Return what `ask` returns; if the connection had ended, call `ask` once more over a new connection.

    Other requests first ask whether their connection still lives, which is a round trip on PostgreSQL. What respondents
    send and ask most often does without; `ask` must be safe to call twice.
    """
    if connection.in_atomic_block:
        return ask()
    setattr(connection, "health_check_done", True)  # noqa: B010 - Django's stubs do not know it
    try:
        return ask()
    except (OperationalError, InterfaceError):
        if connection.is_usable():
            raise
        connection.close()
        return ask()


RETRY_AFTER = "5"  # seconds after which a client that was sent away tries again
_SQLITE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PROTOCOL,  # several processes that open the file at once
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CORRUPT,  # surveys.domain.database.damage raises the alarm
    sqlite3.SQLITE_NOTADB,
}
_LONGEST = 300  # characters of a message
_POSTGRESQL = {"25006", "XX001", "XX002"}  # read-only, damaged data, a damaged index


def is_busy(error: BaseException | None) -> bool:
    cause = getattr(error, "__cause__", None)
    if isinstance(error, InternalError):
        return getattr(cause, "sqlstate", None) in _POSTGRESQL
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE
    return isinstance(error, (OperationalError, InterfaceError))  # PostgreSQL: the server, not the query


def why(error: BaseException) -> str:
    """The part of an error that may be logged: the driver's words if no database was reached, else only its kind.

    A database that has been reached may repeat in its message what somebody has sent.
    """
    cause = error.__cause__ or error
    kind = getattr(cause, "sqlite_errorname", type(cause).__name__)
    is_servers = isinstance(cause, sqlite3.Error) or getattr(cause, "sqlstate", None) is not None
    said = "" if is_servers or not isinstance(error, OperationalError) else " ".join(str(cause).split())
    return f"{kind}: {said[:_LONGEST]}" if said else str(kind)
