"""What was used once, submission keys with their proofs and spent tokens, so that a retry is recognised for ever.

It moves through three places (docs/decisions/0048-what-was-used.md), and a trigger on the first
(surveys.schema.refuse_used) looks in the other two:

1. `Submission` and `SpentToken`: a row for each, as it comes. A sealing empties them.
2. `UsedPage`: of each survey up to twice GROUP, sorted and packed, PAGE to a row. A sealing rewrites the table.
3. `UsedEntry`: a row for each again, in the order of the hashes. No sealing rewrites this table.

An entry has 32 bytes: a key of 16 and its proof, or a token. A place is the prefix of the kind and the survey, then the
entry; that of a page is that of its first entry.
"""

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.db.models import QuerySet

from surveys.models import SpentToken, Submission, Survey, UsedEntry, UsedPage

GROUP = 65_536  # as many as the responses of a full part
ROWS_AT_ONCE = 65_536  # so many move in one transaction; who sends waits for its last step
PAGE = 28  # entries; a row then has its place in a leaf of either database, without pages of its own
SIZE = 32  # bytes of an entry
LOCK_TIMEOUT = "1s"  # requests that send wait behind a lock that is waited for


@dataclass(frozen=True)
class UsedTable:
    """A table into which used keys or tokens are written first, and the columns that make up one entry."""

    letter: str
    model: Any
    columns: tuple[str, ...]

    def prefix(self, survey: int) -> bytes:
        """What the places of this kind begin with for a survey (its key): "k12:" for receipts, "t12:" for tokens."""
        return f"{self.letter}{survey}:".encode()


RECEIPTS = UsedTable("k", Submission, ("key", "proof"))
TOKENS = UsedTable("t", SpentToken, ("token",))
KINDS = (RECEIPTS, TOKENS)


def receipt_of(survey: int, key: bytes) -> bytes | None:
    """The proof stored with this submission key of a survey, if the key was used; else None."""
    proof = Submission.objects.filter(key=key, survey=survey).values_list("proof", flat=True).first()
    entry = _find_moved_entry(RECEIPTS.prefix(survey), key) if proof is None else key + bytes(proof)
    return entry and entry[len(key) :]


def is_spent(survey: int, token: bytes) -> bool:
    return (
        SpentToken.objects.filter(token=token, survey=survey).exists()
        or _find_moved_entry(TOKENS.prefix(survey), token) is not None
    )


def receipts(survey: int, first: bytes = b"", most: int | None = None) -> list[bytes]:
    """List a survey's receipts (key and proof) from the bytes `first` on, sorted, at most `most`.

    The places are read in the order in which entries move on. What is moved meanwhile is read twice, and is here once.
    """
    prefix = RECEIPTS.prefix(survey)
    came = Submission.objects.filter(survey=survey, key__gte=first[: len(first) // 2]).order_by("key")
    found = {bytes(key) + bytes(proof) for key, proof in came.values_list("key", "proof")[:most]}
    for page in _rows_of(UsedPage, prefix).values_list("entries", flat=True):
        found.update(_entries_on(page))
    places = _rows_of(UsedEntry, prefix, first).order_by("place")
    found.update(bytes(place)[len(prefix) :] for place in places.values_list("place", flat=True)[:most])
    return sorted(entry for entry in found if entry >= first)[:most]


def count(survey: int) -> int:
    """Count the rows that hold used keys and tokens of a survey."""
    moved = sum(_rows_of(model, kind.prefix(survey)).count() for model in (UsedPage, UsedEntry) for kind in KINDS)
    return moved + sum(kind.model.objects.filter(survey=survey).count() for kind in KINDS)


def erase(survey: int) -> bool:
    """Delete a survey's keys and tokens; True if some were in rows that no sealing rewrites. Called in a transaction.

    The pages come first: a move that has begun is waited for there, and none begins until this is done.
    """
    for kind in KINDS:
        _rows_of(UsedPage, kind.prefix(survey)).delete()
    for kind in KINDS:
        kind.model.objects.filter(survey=survey).delete()
    return sum(_rows_of(UsedEntry, kind.prefix(survey)).delete()[0] for kind in KINDS) > 0


def move(seconds: float = inf) -> bool:
    """Empty the tables that come first, and the pages of closed surveys; each step wholly, or not at all.

    False where it stopped between two steps because it had taken so many seconds, and there may be more. At least one
    step is done each time.
    """
    end = time.monotonic() + seconds
    for kind in KINDS:
        for step in (_move_some, _move_closed):
            while step(kind):
                if time.monotonic() >= end:
                    return False
    return True


def _move_some(kind: UsedTable) -> bool:
    """Move some of the new rows; say whether there may be more. Rows that come meanwhile are left to the next round."""
    table = kind.model._meta.db_table
    with transaction.atomic(), connection.cursor() as cursor:
        _keep_writers_out(cursor, UsedPage._meta.db_table)  # others that move, or erase; nobody who sends
        rows = list(kind.model.objects.order_by("survey").values_list("survey", *kind.columns)[:ROWS_AT_ONCE])
        for survey, came in groupby(rows, lambda row: row[0]):
            closed = Survey.objects.filter(pk=survey, closed_at__isnull=False).exists()
            _place_entries(kind.prefix(survey), [b"".join(map(bytes, row[1:])) for row in came], closed)
        keys = [bytes(row[1]) for row in rows]
        _keep_writers_out(cursor, table)  # from here on who sends waits, and then finds the pages as they will be
        if connection.vendor == "postgresql":
            cursor.execute(f"DELETE FROM {table} WHERE {kind.columns[0]} = ANY(%s)", [keys])
        else:
            cursor.executemany(f"DELETE FROM {table} WHERE {kind.columns[0]} = %s", [[key] for key in keys])
    return len(rows) == ROWS_AT_ONCE


def _move_closed(kind: UsedTable) -> bool:
    """Move the pages of one survey that has closed; say whether there was one."""
    text = "convert_to(%s, 'UTF8')" if connection.vendor == "postgresql" else "CAST(%s AS BLOB)"
    begin, end = (text % f"'{kind.letter}' || s.id || '{stop}'" for stop in ":;")
    with transaction.atomic(), connection.cursor() as cursor:
        _keep_writers_out(cursor, UsedPage._meta.db_table)
        cursor.execute(
            "SELECT s.id FROM surveys_survey s WHERE s.closed_at IS NOT NULL AND EXISTS"
            f" (SELECT 1 FROM surveys_usedpage p WHERE p.place >= {begin} AND p.place < {end}) LIMIT 1"
        )
        closed = cursor.fetchone()
        if closed is not None:
            _place_entries(kind.prefix(closed[0]), [], closed=True)
    return closed is not None


def _keep_writers_out(cursor: Any, table: str) -> None:
    """Let nobody else write to the table until the transaction ends. SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def _place_entries(prefix: bytes, came: list[bytes], closed: bool) -> None:
    """Add new entries to a survey's pages. Of more than twice GROUP all but GROUP move on, of a closed survey all."""
    held = b"".join(bytes(page) for page in _rows_of(UsedPage, prefix).values_list("entries", flat=True))
    entries = np.frombuffer(held + b"".join(came), np.uint8).reshape(-1, SIZE)
    stay = 0 if closed else len(entries) if len(entries) <= 2 * GROUP else GROUP
    order = np.argsort(np.frombuffer(os.urandom(8 * len(entries)), np.uint64))
    _rows_of(UsedPage, prefix).delete()
    _write(UsedPage, [(prefix + page[:SIZE], page) for page in _sort_in_pieces(entries[order[:stay]], PAGE)])
    _write(UsedEntry, [(prefix + entry,) for entry in _sort_in_pieces(entries[order[stay:]], 1)])


def _write(model: Any, rows: Sequence[tuple[bytes, ...]]) -> None:
    """Insert rows directly: Django's models would make an object of each."""
    columns = [field.column for field in model._meta.concrete_fields]
    into = f"{model._meta.db_table} ({', '.join(columns)})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            cursor.executemany(f"INSERT INTO {into} VALUES ({', '.join(['%s'] * len(columns))})", rows)


def _sort_in_pieces(entries: np.ndarray, size: int) -> Iterator[bytes]:
    """Sort the entries and cut them into pieces of `size` entries, as bytes."""
    numbers = entries.reshape(-1).view(">u8").reshape(-1, SIZE // 8)
    packed = entries[np.lexsort(numbers.T[::-1])].tobytes()
    return (packed[start : start + size * SIZE] for start in range(0, len(packed), size * SIZE))


def _find_moved_entry(prefix: bytes, name: bytes) -> bytes | None:
    """The moved entry that begins with `name`, if any. Pages are read first, because entries move on from there."""
    end = prefix + name.ljust(SIZE + 1, b"\xff")
    page = (
        _rows_of(UsedPage, prefix).filter(place__lte=end).order_by("-place").values_list("entries", flat=True).first()
    )
    for entry in _entries_on(page or b""):
        if entry.startswith(name):
            return entry
    place = UsedEntry.objects.filter(place__gte=prefix + name, place__lte=end).values_list("place", flat=True).first()
    return None if place is None else bytes(place)[len(prefix) :]


def _entries_on(page: bytes) -> Iterable[bytes]:
    packed = bytes(page)
    return (packed[start : start + SIZE] for start in range(0, len(packed), SIZE))


def _rows_of(model: Any, prefix: bytes, first: bytes = b"") -> QuerySet[Any]:
    """The rows whose places begin with `prefix`, which ends with a colon; only from prefix + `first` on.

    With one lower bound: of two SQLite takes the first in the query, and walks from there.
    """
    return model.objects.filter(place__gte=prefix + first, place__lt=prefix[:-1] + b";")
