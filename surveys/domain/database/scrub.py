"""Removing the traces of sealing: the order of arrival in files, pages, the write-ahead log and old row versions.

So are the traces of erasing: PostgreSQL leaves a deleted row in its file until another takes the room.

The transaction that seals or erases adds a row to Residue, and `remove` deletes it when the traces are gone. If the
process dies in between, the next round removes the traces. docs/storage.md names what cannot be reached from here:
backups, archived logs, and blocks that a file system or an SSD has freed but not overwritten.
"""

import logging
import time
from collections.abc import Iterable

from django.contrib.admin.models import LogEntry
from django.db import OperationalError, ProgrammingError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import ManyToOneRel, Model

from surveys.domain.database import duties, used
from surveys.domain.database.checkpoints import empty_log
from surveys.models import (
    REWRITTEN,
    CopyKey,
    Erasure,
    GroupCount,
    Inbox,
    Part,
    QuotaCount,
    Residue,
    Snapshot,
    SpentToken,
    Submission,
    Survey,
    UsedEntry,
)
from surveys.schema import REWRITING

log = logging.getLogger(__name__)

# While this waits for a table, everybody who sends waits behind it. So it gives up soon, and tries again later.
LOCK_TIMEOUT = "1s"
SECONDS = 3.0  # for which moving what was used keeps other duties waiting
PAUSES = (0.05, 0.1, 0.2, 0.4)  # seconds between two looks at who is still at work

# Who may still look at rows that were there before the transaction `now`: sessions here, but not a plain VACUUM, which
# holds no row; standby servers, which have no database of their own, and their slots; and transactions in two phases.
_OLDER = """
    SELECT (SELECT count(*) FROM pg_stat_activity
            WHERE (datname = current_database() OR datname IS NULL)
              AND pid <> pg_backend_pid() AND pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)
              AND greatest(age(backend_xid), age(backend_xmin)) > age(%(now)s::xid))
         + (SELECT count(*) FROM pg_replication_slots WHERE age(xmin) > age(%(now)s::xid))
         + (SELECT count(*) FROM pg_prepared_xacts
            WHERE database = current_database() AND age(transaction) > age(%(now)s::xid))
"""

ARRIVING: tuple[type[Model], ...] = (Inbox, Submission, SpentToken)  # one row of each comes with a response
MOST_MIXED = 16_384  # rows: who sends meanwhile waits for a third of a second; more are left to the sealing
IN_ORDER_OF_KEYS: tuple[type[Model], ...] = (*REWRITTEN, QuotaCount)
SEALED: tuple[type[Model], ...] = (Part, Snapshot, Snapshot.parts.through, CopyKey, GroupCount)


def remove() -> object:
    """A duty: remove traces of sealing. True: done; False: a reader keeps them in place; MORE: call it again soon.

    There are two steps, and each is noted when it is done: if a reader stops the second step, the first one, which is
    expensive, need not be repeated. A sealing that happens meanwhile has its own row in Residue. Before both, what was
    used moves on. Tens of millions of keys take minutes, as after a version that kept all in one place; so this works
    for SECONDS and then says that there is more.
    """
    postgresql = connection.vendor == "postgresql"
    try:
        if not_rewritten := dict(Residue.objects.filter(rewritten=False).values_list("pk", "erased")):
            if not used.move(SECONDS):
                return duties.MORE
            if postgresql:
                erased = [UsedEntry] if any(not_rewritten.values()) else []
                _rewrite_postgresql([*IN_ORDER_OF_KEYS, *erased])
            else:
                _rewrite_sqlite()
            Residue.objects.filter(pk__in=list(not_rewritten)).update(rewritten=True)
        rewritten = list(Residue.objects.filter(rewritten=True).values_list("pk", flat=True))
        removed = not rewritten or (_drop_old_postgresql() if postgresql else empty_log())
    except OperationalError:  # locked by somebody for longer than the timeout
        removed = False
    if removed:
        Residue.objects.filter(pk__in=rewritten).delete()
    else:
        log.info("The traces of sealing are in use; a later round removes them.")
    return removed


def mix_arrivals() -> bool:
    """A duty: on PostgreSQL, write what came since the last call again, so that ctid and xmin do not tell its order.

    All rows of a table then have one xmin, and stand in the order of their random keys, as do the entries of its
    indexes. Nothing is done where that is so already. False: a reader is in the way.
    """
    if connection.vendor == "postgresql":
        try:
            _rewrite_postgresql(filter(_tells_order, ARRIVING))
        except OperationalError:
            return False
    return True


def _tells_order(model: type[Model]) -> bool:
    """Whether the rows of a table were written by several transactions, and are few enough to be written again."""
    with connection.cursor() as cursor:
        rows = f"SELECT xmin::text FROM {model._meta.db_table} LIMIT {MOST_MIXED + 1}"
        cursor.execute(f"SELECT count(*), count(DISTINCT xmin) FROM ({rows}) AS came")
        many, written = cursor.fetchone()
    return written > 1 and many <= MOST_MIXED


def _rewrite_sqlite() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")


def _rewrite_postgresql(models: Iterable[type[Model]]) -> None:
    """Write every row of these tables into new files, in the order of the random keys.

    TRUNCATE drops the old files at commit; ctid and xmin of the new rows tell of this transaction only. The tables are
    locked one at a time: so a sender waits for one table only, and no two transactions wait for each other.
    """
    for model in models:
        table, key = model._meta.db_table, model._meta.pk.column
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
            cursor.execute(f"SET LOCAL {REWRITING} = 'on'")
            cursor.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            cursor.execute(f"CREATE TEMPORARY TABLE rewritten ON COMMIT DROP AS SELECT * FROM {table}")
            cursor.execute(f"TRUNCATE {table}")
            cursor.execute(f"INSERT INTO {table} SELECT * FROM rewritten ORDER BY {key}")


def _drop_old_postgresql() -> bool:
    """Drop old row versions of what is sealed, and of all that was erased; then the write-ahead log.

    Inside a part there is no order, but dead rows hold older parts, counts and destroyed keys: VACUUM FULL drops these,
    one table after the other, and its indexes with it. A checkpoint drops the log, if the database role may order one
    (docs/storage.md). False while somebody could still look at the old rows.
    """
    # Only where dead rows of an erased survey may still lie in the files are all tables rewritten.
    is_erased = Residue.objects.filter(erased=True).exists() or Erasure.objects.filter(removed_at=None).exists()
    models = [*SEALED, *(tables_of_surveys() if is_erased else ())]
    with connection.cursor() as cursor:
        if not _old_readers_are_gone(cursor):
            return False
        cursor.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}'")
        try:
            cursor.execute(f"VACUUM (FULL) {', '.join(model._meta.db_table for model in models)}")
        finally:
            cursor.execute("RESET lock_timeout")
        try:
            cursor.execute("SELECT pg_switch_wal()")
            cursor.execute("CHECKPOINT")
        except ProgrammingError:
            log.warning("PostgreSQL keeps its write-ahead log: this role may not order a checkpoint (docs/storage.md).")
    return True


def _old_readers_are_gone(cursor: CursorWrapper) -> bool:
    """Whether every transaction that could still look at old rows is over; those that are short are waited for.

    For the others VACUUM FULL copies dead rows, too, also in tables that they never read.
    """
    cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text")
    (now,) = cursor.fetchone()
    for pause in (*PAUSES, 0):
        cursor.execute(_OLDER, {"now": now})
        if cursor.fetchone() == (0,):
            return True
        time.sleep(pause)
    return False


def tables_of_surveys() -> list[type[Model]]:
    """The models of all other tables with rows of surveys, of any app: those that refer to a survey, directly or not.

    Found and not listed, so that none is forgotten that is new. The administration's notes refer to a survey by its
    name alone.
    """
    found: list[type[Model]] = [Survey]
    for model in found:  # and what is added meanwhile
        for relation in model._meta.get_fields(include_hidden=True):
            if isinstance(relation, ManyToOneRel) and relation.field.model not in found:
                found.append(relation.field.model)
    return [LogEntry, *(model for model in found if model not in (*IN_ORDER_OF_KEYS, *SEALED))]
