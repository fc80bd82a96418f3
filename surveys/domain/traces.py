"""Removing what sealing leaves behind: order of arrival in files, pages, write-ahead log and row versions.

The transaction that seals leaves a row in Residue, `remove` takes it away: after a crash in between, the next round
still removes the traces. What cannot be reached from here (backups, archived logs, blocks that a file system
or an SSD has freed but not overwritten) is named in docs/trust.md.
"""

from __future__ import annotations

import logging
import time

from django.db import OperationalError, ProgrammingError, connection, transaction
from django.db.backends.utils import CursorWrapper

from surveys.models import NO_ORDER, Part, Residue, Snapshot

log = logging.getLogger(__name__)

# What waits for a table here, everybody who sends waits behind: so it gives up soon, and comes again.
LOCK_TIMEOUT = "1s"
# A try keeps writers out while it lasts, 20 ms at most. Busy writers leave a gap after a few; who reads for long leaves
# none, and costs the writers 0.12 s of each round.
PAUSES = (0.02, 0.04, 0.08, 0.16, 0.32)  # seconds between tries, in which one who waits gets his turn


def remove() -> bool:
    """Remove the traces of sealing, where there are any; False while somebody's reading keeps them in place.

    In two steps, each noted when it is done: a reader that stands in the way of the second does not cause the first,
    which is work, again. A sealing that comes meanwhile has a note of its own.
    """
    postgresql = connection.vendor == "postgresql"
    try:
        if fresh := list(Residue.objects.filter(rewritten=False).values_list("pk", flat=True)):
            if postgresql:
                _rewrite_postgresql()
            else:
                _rewrite_sqlite()
            Residue.objects.filter(pk__in=fresh).update(rewritten=True)
        done = list(Residue.objects.filter(rewritten=True).values_list("pk", flat=True))
        let_go = not done or (_let_go_postgresql() if postgresql else _let_go_sqlite())
    except OperationalError:  # locked by somebody for longer than the timeout
        let_go = False
    if let_go:
        Residue.objects.filter(pk__in=done).delete()
    else:
        log.info("The traces of sealing are in use; the next round removes them.")
    return let_go


def _rewrite_sqlite() -> None:
    """VACUUM writes the whole database anew, tables in the order of their keys."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")


def _let_go_sqlite() -> bool:
    """Cut the log to nothing, in a moment when nobody writes: tried so often that one is found among busy writers."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute("PRAGMA busy_timeout = 20")
        try:
            for pause in PAUSES:
                if _is_cut(cursor):
                    return True
                time.sleep(pause)
            return _is_cut(cursor)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")


def _is_cut(cursor: CursorWrapper) -> bool:
    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    busy, _, _ = cursor.fetchone()
    return not busy


def _rewrite_postgresql() -> None:
    """Every row of the no-order tables written anew, in the order of random keys, into new files.

    TRUNCATE drops the old files at commit; ctid and xmin of the new rows tell only this transaction. One table at a
    time: who sends waits for the one, and no two transactions wait for each other in a circle.
    """
    for model in NO_ORDER:
        table, key = model._meta.db_table, model._meta.pk.column
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
            cursor.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            cursor.execute(f"CREATE TEMPORARY TABLE rewritten ON COMMIT DROP AS SELECT * FROM {table}")
            cursor.execute(f"TRUNCATE {table}")
            cursor.execute(f"INSERT INTO {table} SELECT * FROM rewritten ORDER BY {key}")


def _let_go_postgresql() -> bool:
    """The tables of sealed parts hold no order inside a part, but dead row versions of older parts: VACUUM FULL drops
    them. A checkpoint then lets go of the write-ahead log, where the role may order one (docs/trust.md).
    """
    with connection.cursor() as cursor:
        parts = (Part, Snapshot, Snapshot.parts.through)
        cursor.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}'")
        try:
            cursor.execute(f"VACUUM (FULL) {', '.join(model._meta.db_table for model in parts)}")
        finally:
            cursor.execute("RESET lock_timeout")
        try:
            cursor.execute("SELECT pg_switch_wal()")
            cursor.execute("CHECKPOINT")
        except ProgrammingError:
            log.warning("PostgreSQL keeps its write-ahead log: this role may not order a checkpoint (docs/trust.md).")
    return True
