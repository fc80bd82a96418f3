"""What several hosts settle through their database: which process leads, and whose turn it is to make the tables.

On PostgreSQL these are advisory locks; on SQLite, which one machine uses, they are locks on files beside the
database. Both end with the process that holds them, however it ends. A machine that vanishes without a word is noticed
by PostgreSQL after about ten seconds, and so is a process that stands still.

The lock of what one process of all hosts does at a time is an advisory one. It lasts as long as the session that took
it, so this is a session of its own, and nobody else's command or pool can end it. A thread asks something over it every
two seconds. A process that stands still (it was stopped, or its host hangs while the kernel goes on) asks nothing, and
after STILL seconds PostgreSQL itself ends the session, as it ends that of a machine that vanishes without a word. The
thread asks no more, too, where the one that works has used no processor for STUCK seconds: it waits for a disk that
does not answer. (Who waits for PostgreSQL wakes ten times a second.)

The work is done over the process's usual session, which bears the name of the work meanwhile. Who takes the lock ends
all other sessions of this name first: so what the one before has begun is undone, and its locks are free. Should that
one wake, it works over no other session (`working`). So whatever it does comes before the takeover, or not at all.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from surveys.domain.database import locks

log = logging.getLogger(__name__)

STILL = 10  # seconds of silence after which PostgreSQL ends the session of the lock
PAUSE = 2.0  # seconds between two signs of life
STUCK = 30.0  # seconds without any work after which there are no more of them
LAST_STEP = 5_000  # milliseconds that a session may need for its last step, when it is ordered to end
_NOTICE = "SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3"
_NAME = "SELECT set_config('application_name', %s, false)"
_HOLDER = (
    "SELECT application_name FROM pg_locks JOIN pg_stat_activity a USING (pid) WHERE locktype = 'advisory' AND granted"
    " AND datname = current_database() AND application_name LIKE %s"
)
_END_OTHERS = (
    "SELECT count(*), count(*) FILTER (WHERE NOT pg_terminate_backend(pid, %s)) FROM pg_stat_activity"
    " WHERE application_name = %s AND datname = current_database() AND usename = current_user AND pid <> %s"
)


class TakenOverError(OperationalError):
    """This process stood still or lost its session, and another may have taken over."""


class Sole:
    """A lock that one process of all hosts holds at a time; `number` tells it from others, `name` names the work."""

    def __init__(self, number: int, name: str) -> None:
        self._number, self._name = number, f"candor {name}"
        self._session: BaseDatabaseWrapper | None = None  # that of the lock
        self._is_mine = False
        self._works_over: Any = None  # the usual session, once it bears the name
        self._released = threading.Event()

    def is_taken(self) -> bool:
        """Return whether this process has the lock now: takes it if it is free, and checks one that it has."""
        if self._session is None:
            self._open_session()
        if not self._is_mine and self._ask_session("SELECT pg_try_advisory_lock(%s)", self._number):
            if not self._end_other_workers():
                self.release()
                return False
            self._is_mine = True
        if self._is_mine:
            self._name_session_after_work()
            self._ask_session("SELECT true")  # fails if the session has ended: another may have come before the name
        return self._is_mine

    def holder(self) -> str:
        """The name of the machine that has the lock; empty if none has, or a process of an older version."""
        assert self._session is not None
        with self._session.cursor() as cursor:
            cursor.execute(_HOLDER, [f"{self._name} on %"])
            row = cursor.fetchone()
        return row[0].removeprefix(f"{self._name} on ") if row else ""

    @contextmanager
    def working(self) -> Iterator[None]:
        """Inside the block a command over another session than the one with the work's name raises TakenOverError."""
        if connection.vendor == "postgresql":
            with connection.execute_wrapper(self._refuse_other_sessions):
                yield
        else:
            yield

    def release(self) -> None:
        """Give the lock back, so that another process can take it at once; the usual session goes on."""
        self._released.set()
        with suppress(DatabaseError, InterfaceError):
            if self._works_over is not None and self._works_over is connection.connection:
                with connection.cursor() as cursor:
                    cursor.execute("RESET application_name")
        with suppress(DatabaseError, InterfaceError):
            if self._session is not None:
                self._session.close()
        self._session, self._works_over, self._is_mine = None, None, False

    def _open_session(self) -> None:
        self._session, self._released = connection.copy(), threading.Event()
        with self._session.cursor() as cursor:
            cursor.execute(_NOTICE)
            cursor.execute(f"SET idle_session_timeout = '{STILL}s'")
            cursor.execute(_NAME, [f"{self._name} on {settings.MACHINE}"])
        living = (self._session, self._released, threading.get_ident())
        threading.Thread(target=_keep_alive, args=living, name=self._name, daemon=True).start()

    def _ask_session(self, question: str, *values: int) -> bool:
        assert self._session is not None
        with self._session.cursor() as cursor:
            cursor.execute(question, values)
            (answer,) = cursor.fetchone()
        return bool(answer)

    def _end_other_workers(self) -> bool:
        """End the sessions over which other processes did this work; False if one of them does not end in time."""
        assert self._session is not None
        connection.ensure_connection()
        with self._session.cursor() as cursor:
            cursor.execute(_END_OTHERS, [LAST_STEP, self._name, connection.connection.info.backend_pid])
            sessions, left = cursor.fetchone()
        if sessions:
            log.warning("Took over from a process that had stopped answering (%s).", self._name)
        return not left

    def _name_session_after_work(self) -> None:
        connection.ensure_connection()
        if self._works_over is not connection.connection:
            with connection.cursor() as cursor:
                cursor.execute(_NAME, [self._name])
            self._works_over = connection.connection

    def _refuse_other_sessions(self, execute: Callable[..., Any], *command: Any) -> Any:
        """A wrapper of commands: TakenOverError if Django has opened another session meanwhile."""
        if connection.connection is not self._works_over:
            raise TakenOverError("This process has lost its session; another may have taken over.")
        return execute(*command)


def _keep_alive(session: BaseDatabaseWrapper, released: threading.Event, worker: int) -> None:
    """Keep the session of a lock alive until the lock is released, while the worker makes progress."""
    driver = session.connection
    used, since = -1.0, 0.0
    with suppress(DatabaseError, InterfaceError), session.wrap_database_errors:
        while not released.wait(PAUSE):
            before, used = used, _processor_seconds(worker)
            since = time.monotonic() if used != before else since
            if time.monotonic() - since < STUCK:
                driver.execute("SELECT 1")


def _processor_seconds(thread: int) -> float:
    """The processor seconds that the thread has used; where the system cannot say, a number that always grows."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic()
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


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
