"""The responses of a snapshot as rows that leave the site: shuffled over all parts, some thousands at a time.

The order is drawn by a key that SECRET_KEY and the snapshot give, so that the same file has the same bytes whenever it
is made. Texts have an order of their own, and stand beside nothing else, unless respondents have read that they will.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from hashlib import shake_256
from typing import Any

import numpy as np
from django.conf import settings
from django.utils.crypto import salted_hmac

from privacy.design import Design
from privacy.errors import EntryError
from privacy.records import Records
from privacy.records.packing import pack, row_bytes, unpack
from surveys.domain.exports.columns import FileColumn, columns_of
from surveys.domain.responses import disclosure
from surveys.features import MODE, modes_of
from surveys.models import Snapshot
from surveys.questions.question import ColumnKind

ROWS = 8192  # made at a time

Rows = list[list[Any]]
"""The values of each column, as many as there are rows; None where a cell is empty."""


@dataclass(frozen=True)
class Sheet:
    """What a file holds. `columns` leaves texts out where they must not stand beside anything."""

    snapshot: Snapshot
    columns: tuple[FileColumn, ...]

    @property
    def design(self) -> Design:
        return self.snapshot.version.design

    @property
    def language(self) -> str:
        languages: list[str] = self.snapshot.version.parsed.source["languages"]
        return languages[0]

    def rows(self) -> Iterator[Rows]:
        """Yield the responses in shuffled order, some thousands at a time, as a list of values for each column."""
        items = [np.array([*_texts(self.design, index), None], dtype=object) for index in range(len(self.design.items))]
        opened = [column for column in self.columns if column.of]
        for records, lines in shuffle_responses(self.snapshot):
            codes = np.minimum(records.codes, [field.size for field in self.design.fields])
            columns: Rows = [["1" if direct else "0" for direct in records.direct.tolist()]]
            columns += [
                texts[codes[:, index]].tolist() if len(texts) > 1 else _numeric(self.design, index, codes[:, index])
                for index, texts in enumerate(items)
            ]
            answers = [json.loads(line) if line else {} for line in lines] or [{}] * len(records)
            for column in opened:
                name, of = column.question, column.of
                assert of is not None
                columns.append([of(answer[name]) if name in answer else None for answer in answers])
            yield columns


def refusal(snapshot: Snapshot) -> EntryError | None:
    """Why there are no files of responses (the version collects, or too few people answered); None if there are."""
    try:
        disclosure.require_open(snapshot)
    except EntryError as error:
        return error
    return None


def sheet_of(snapshot: Snapshot) -> Sheet:
    """What a file of a snapshot holds: no undisguised columns if people are few, texts only if kept in the rows."""
    definition = snapshot.version.parsed
    columns = columns_of(definition)
    if disclosure.is_of_few(snapshot):
        columns = [column for column in columns if not column.of]
    if hides_mode(snapshot):
        columns = [column for column in columns if column.name != MODE]
    return Sheet(
        snapshot, tuple(column for column in columns if definition.keeps_texts_in_records or not is_apart(column))
    )


def hides_mode(snapshot: Snapshot) -> bool:
    """Whether files leave out how responses came: fewer people, or nobody, came by web or on paper than are reported
    on.
    """
    has_modes = modes_of(snapshot.version.parsed.source) and not disclosure.is_of_few(snapshot)
    return bool(has_modes) and _hides_mode(snapshot.pk, snapshot.sha256, disclosure.is_settled(snapshot))


@lru_cache(maxsize=64)
def _hides_mode(pk: int, _sha256: str, settled: bool) -> bool:
    snapshot = Snapshot.objects.select_related("version__survey").get(pk=pk)
    lines = (line for _records, lines in disclosure.responses(snapshot) for line in lines) if settled else ()
    came = Counter(json.loads(line)[MODE] for line in lines)
    return any(came[mode] < snapshot.version.survey.least for mode in modes_of(snapshot.version.parsed.source))


def is_apart(column: FileColumn) -> bool:
    """Whether the column holds what people wrote in their own words."""
    return column.kind is ColumnKind.TEXT and not column.disguised


def texts_apart(snapshot: Snapshot) -> list[tuple[str, str]]:
    """The name of the column and the text of every text that people wrote, in an order that nothing else has."""
    definition = snapshot.version.parsed
    columns = [column for column in columns_of(definition) if is_apart(column)]
    texts = []
    for _records, lines in disclosure.responses(snapshot):
        for answer in (json.loads(line) for line in lines if line):
            texts += [
                (column.variable, column.of(answer[column.question]))
                for column in columns
                if column.of and column.question in answer
            ]
    return [texts[place] for place in _random_order(snapshot, "texts", len(texts))]


def shuffle_responses(snapshot: Snapshot) -> Iterator[tuple[Records, list[bytes]]]:
    """Yield all records in a random order with their lines of undisguised answers, at most ROWS at a time.

    Each is put, by lot, into one of as many heaps as there are parts, and each heap is shuffled. So no more than about
    one part is in memory, and every order of all is equally likely.
    """
    design = snapshot.version.design
    count = max(snapshot.parts.count(), 1)
    if count == 1:
        for records, lines in disclosure.responses(snapshot):
            yield from _in_portions(design, pack(records), lines, _random_order(snapshot, "rows 0", len(records)))
        return
    width = row_bytes(design)
    with ExitStack() as heaps_end:
        # They have no name, so that nothing is left of them when this process is killed.
        heaps = [heaps_end.enter_context(tempfile.TemporaryFile(dir=settings.CANDOR_DATA)) for _ in range(count)]
        for index, (records, lines) in enumerate(disclosure.responses(snapshot)):
            chosen = _random_numbers(snapshot, f"heaps {index}", len(records)) % np.uint64(count)
            packed, answers = pack(records), lines or [b""] * len(records)
            for row, heap in enumerate(chosen.tolist()):
                heaps[heap].write(packed[row].tobytes() + answers[row] + b"\n")
        for place, heap_file in enumerate(heaps):
            heap_file.seek(0)
            packed_rows, lines = [], []
            while row_start := heap_file.read(width):
                packed_rows.append(row_start)
                lines.append(heap_file.readline()[:-1])
            table = np.frombuffer(b"".join(packed_rows), np.uint8).reshape(-1, width)
            yield from _in_portions(design, table, lines, _random_order(snapshot, f"rows {place}", len(table)))


def _in_portions(
    design: Design, packed: np.ndarray, lines: Sequence[bytes], order: np.ndarray
) -> Iterator[tuple[Records, list[bytes]]]:
    for start in range(0, len(order), ROWS):
        rows = order[start : start + ROWS]
        yield unpack(design, packed[rows]), [lines[row] for row in rows] if lines else []


def _random_order(snapshot: Snapshot, purpose: str, count: int) -> np.ndarray:
    return np.argsort(_random_numbers(snapshot, purpose, count), kind="stable")


def _random_numbers(snapshot: Snapshot, purpose: str, count: int) -> np.ndarray:
    """Return `count` numbers of 64 bits, drawn by SHAKE-256 from a key that only this site has."""
    key = salted_hmac(f"candor: order of {purpose}", snapshot.sha256, algorithm="sha256").digest()
    return np.frombuffer(shake_256(key).digest(8 * count), np.uint64)


def _texts(design: Design, place: int) -> Sequence[str]:
    """The text of each code of the design's item at `place`; empty for a number, which has too many."""
    field = design.fields[place]
    return () if field.numeric else tuple(field.scales[0])


def _numeric(design: Design, place: int, codes: np.ndarray) -> list[str | None]:
    """The texts of a number's codes; None where it was not asked."""
    field = design.fields[place]
    known = {code: field.text(code) if code < field.size else None for code in set(codes.tolist())}
    return [known[code] for code in codes.tolist()]
