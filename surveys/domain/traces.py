"""Removing what sealing leaves behind: order of arrival in files, pages, write-ahead log and row versions.

The transaction that seals leaves a row in Residue, `remove` takes it away: after a crash in between, the next round
still removes the traces. What cannot be reached from here (backups, archived logs, blocks that a file system
or an SSD has freed but not overwritten) is named in docs/trust.md.
"""

from __future__ import annotations

import logging

from django.db import OperationalError, ProgrammingError, connection, transaction

from surveys.models import NO_ORDER, Part, Residue, Snapshot

log = logging.getLogger(__name__)


def remove() -> bool:
    """Remove the traces of sealing, where there are any; False while somebody's reading keeps them in place."""
    sealings = list(Residue.objects.values_list("pk", flat=True))
    if not sealings:
        return True
    try:
        removed = _rewrite_postgresql() if connection.vendor == "postgresql" else _rewrite_sqlite()
    except OperationalError:  # locked by somebody for longer than the timeout
        removed = False
    if removed:
        Residue.objects.filter(pk__in=sealings).delete()  # not those of a sealing that came meanwhile
    else:
        log.info("The traces of sealing are in use; the next round removes them.")
    return removed


def _rewrite_sqlite() -> bool:
    """VACUUM writes the whole database anew, tables in the order of their keys, and the log is cut to nothing."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy, _, _ = cursor.fetchone()
    return not busy


def _rewrite_postgresql() -> bool:
    """Every row of the no-order tables written anew by one transaction, in the order of random keys, into new files.

    TRUNCATE drops the old files at commit; ctid and xmin of the new rows tell only this transaction. The tables of
    sealed parts hold no order inside a part, but dead row versions of older parts, which VACUUM FULL drops. A
    checkpoint then lets go of the write-ahead log, where the role may order one (docs/trust.md).
    """
    tables = {model._meta.db_table: model._meta.pk.column for model in NO_ORDER}
    with transaction.atomic(), connection.cursor() as cursor:
        # In the order in which receiving touches them, so that neither waits for the other in a circle.
        cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        for table, key in tables.items():
            cursor.execute(f"CREATE TEMPORARY TABLE rewritten ON COMMIT DROP AS SELECT * FROM {table}")
            cursor.execute(f"TRUNCATE {table}")
            cursor.execute(f"INSERT INTO {table} SELECT * FROM rewritten ORDER BY {key}")
            cursor.execute("DROP TABLE rewritten")
    with connection.cursor() as cursor:
        parts = (Part, Snapshot, Snapshot.parts.through)
        cursor.execute(f"VACUUM (FULL) {', '.join(model._meta.db_table for model in parts)}")
        try:
            cursor.execute("SELECT pg_switch_wal()")
            cursor.execute("CHECKPOINT")
        except ProgrammingError:
            log.warning("PostgreSQL keeps its write-ahead log: this role may not order a checkpoint (docs/trust.md).")
    return True
