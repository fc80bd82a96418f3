"""Whether the database is busy: locked, full, away, read-only or damaged. A wrong query is no such thing."""

from __future__ import annotations

import sqlite3

from django.db import InterfaceError, InternalError, OperationalError

RETRY_AFTER = "5"  # seconds until whoever was sent away comes again
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
_POSTGRESQL = {"25006", "XX001", "XX002"}  # read-only, damaged data, a damaged index


def is_busy(error: BaseException | None) -> bool:
    cause = getattr(error, "__cause__", None)
    if isinstance(error, InternalError):
        return getattr(cause, "sqlstate", None) in _POSTGRESQL
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE
    return isinstance(error, (OperationalError, InterfaceError))  # PostgreSQL: the server, not the query
