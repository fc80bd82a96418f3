"""What several hosts settle through their database: which process leads, and whose turn it is to make the tables.

On PostgreSQL these are advisory locks. Each lasts as long as the session that took it, so each has a session of its
own, and nobody else's command or pool can end it. On SQLite, which one machine uses, they are locks on files beside
the database. Both end with the process that holds them, however it ends. A machine that vanishes without a word is
noticed by the server after about ten seconds.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, InterfaceError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

_LEADING, _PREPARING = 0x63616E646F72, 0x63616E646F73  # numbers that no other program's locks have
_NOTICE = "SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"


class Leader:
    """Whether this process does what one of all hosts shall do at a time. Ask before each piece of work.

    What a leader does is also right if two do it, because each piece of work takes locks of its own: for some seconds
    a leader may go on that does not know yet that its session has ended.
    """

    def __init__(self) -> None:
        self._session: BaseDatabaseWrapper | None = None
        self._file: int | None = None

    def leads(self) -> bool:
        """Take the lock if it is free; see whether it is still held if this process has it."""
        return self._leads_on_postgresql() if connection.vendor == "postgresql" else self._leads_on_sqlite()

    def resign(self) -> None:
        """Let another host take over at once."""
        if self._session is not None:
            with suppress(DatabaseError, InterfaceError):
                self._session.close()
        if self._file is not None:
            os.close(self._file)
        self._session = self._file = None

    def _leads_on_postgresql(self) -> bool:
        try:
            if self._session is not None:
                with self._session.cursor() as cursor:
                    cursor.execute("SELECT 1")  # fails if the session has ended, and the lock with it
                return True
            self._session = connection.copy()
            with self._session.cursor() as cursor:
                cursor.execute(_NOTICE)
                cursor.execute("SELECT pg_try_advisory_lock(%s)", [_LEADING])
                (is_mine,) = cursor.fetchone()
        except (DatabaseError, InterfaceError):
            is_mine = False
        if not is_mine:
            self.resign()
        return bool(is_mine)

    def _leads_on_sqlite(self) -> bool:
        if self._file is None:
            file = _open("leader")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._file = file
            except BlockingIOError:
                os.close(file)
        return self._file is not None


@contextmanager
def preparing_alone() -> Iterator[None]:
    """Wait until no other host makes tables: hosts that start together would make the same ones."""
    if connection.vendor == "postgresql":
        session = connection.copy()
        try:
            with session.cursor() as cursor:
                cursor.execute(_NOTICE)  # else a machine that vanishes here holds up every start for hours
                cursor.execute("SET lock_timeout = 0")
                cursor.execute("SELECT pg_advisory_lock(%s)", [_PREPARING])
            yield
        finally:
            session.close()
    else:
        connection.ensure_connection()  # says what is wrong with its place, if anything is
        file = _open("preparing")
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
        finally:
            os.close(file)


def _open(name: str) -> int:
    return os.open(f"{connection.settings_dict['NAME']}-{name}", os.O_RDWR | os.O_CREAT, 0o600)
