"""What several hosts settle through their database: which process leads, and whose turn it is to make the tables.

On PostgreSQL these are advisory locks (`sole`); on SQLite, which one machine uses, they are locks on files beside the
database. Both end with the process that holds them, however it ends. A machine that vanishes without a word is noticed
by PostgreSQL after about ten seconds, and so is a process that stands still.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from surveys.domain.database import locks
from surveys.domain.database.sole import Sole

log = logging.getLogger(__name__)

_LEADING, _PREPARING = 0x63616E646F72, 0x63616E646F73  # numbers that no other program's locks have


class Leader:
    """Whether this process does what one of all hosts shall do at a time. Ask before each piece of work.

    What a leader does is also right if two do it, because each piece of work takes locks of its own: a moment may pass
    before a leader knows that another has taken over.
    """

    def __init__(self) -> None:
        self._lock = Sole(_LEADING, "leads")
        self._file: int | None = None

    def leads(self) -> bool:
        """Return whether this process leads now: takes the lock if it is free, and checks one that it has."""
        if connection.vendor != "postgresql":
            return self._leads_on_sqlite()
        try:
            return self._lock.is_taken()
        except (DatabaseError, InterfaceError):
            self._lock.release()
            return False

    def do(self, work: Callable[[], object]) -> object:
        """Call `work` as the leader and return its result; call `leads` right before."""
        with self._lock.working():
            return work()

    def resign(self) -> None:
        self._lock.release()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _leads_on_sqlite(self) -> bool:
        if self._file is None:
            self._file = locks.lock(_lock_file("leader"))
        return self._file is not None


@contextmanager
def preparing_alone() -> Iterator[None]:
    """Wait until no other host makes tables: hosts that start together would make the same ones."""
    if connection.vendor == "postgresql":
        lock, waits = Sole(_PREPARING, "prepares"), False
        try:
            while not lock.is_taken():
                if not waits:
                    log.warning(
                        "%s prepares the database; this start waits for it.", lock.holder() or "Another machine"
                    )
                waits = True
                time.sleep(1.0)
            log.info("%s prepares the database alone; other machines that start wait for it.", settings.MACHINE)
            with lock.working():
                yield
        finally:
            lock.release()
    else:
        connection.ensure_connection()  # says what is wrong with its place, if anything is
        with locks.turn(_lock_file("preparing")):
            yield


def _lock_file(name: str) -> str:
    """The path of a file beside the database's file that serves for a lock alone."""
    return f"{connection.settings_dict['NAME']}-{name}"
