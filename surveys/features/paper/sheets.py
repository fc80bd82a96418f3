"""Rows of a file, or of what was typed, as responses: one row a sheet, one column a question, one number a box.

    version,lot,born,copied
    812fb0f7,1,2,1

`version` begins the hash of the version, as sheets print it. A cell holds the number of the box that is crossed, from
1; it is empty where none is, or where the sheet does not ask. `lot` says which sheet it is, where there are several.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain

from privacy.errors import EntryError
from privacy.own_draw.person_draw import LOOK, LOOKS
from surveys.domain.messages.submission import Envelope, Refused, bytes_to_store
from surveys.features.paper import LOT, MODE, PAPER_MODE, SHEET, VERSION
from surveys.features.paper.form import MARK, SheetField, SheetForm, SheetLot
from surveys.features.paper.layout import lay_out

Row = Mapping[str, str]
# Columns of ODK and of KoBo: times, devices and who sent it stand beside them, and nothing reads those.
BY_PROGRAMS = frozenset(("KEY", "_uuid"))
FIRST, SECOND, NEITHER = SETTLED = ("first", "second", "neither")  # what a sheet shows that was entered in two ways


@dataclass(frozen=True)
class SheetTable:
    """What was sent: its columns, its rows, and its bytes; `token` tells a typed stack from others that are alike."""

    names: Sequence[str]
    rows: Sequence[Row]
    content: bytes
    token: str = ""


def read_sheets(form: SheetForm, table: SheetTable) -> list[Envelope]:
    """Each row as a response under a key of its own; EntryError names the row and what is wrong with it."""
    if lacking := [name for name in form.columns if name not in table.names]:
        raise EntryError("The file has no column “{name}”: is a part of it missing?", name=lacking[0])
    strange = [name for name in table.names if name not in (*form.columns, SHEET)]
    if strange and BY_PROGRAMS.isdisjoint(table.names):
        raise EntryError("No sheet of this survey has the column “{name}”.", name=strange[0])
    return [_read_sheet(form, number, row) for number, row in enumerate(table.rows, 1)]


def hash_sheets(sheets: Sequence[Envelope], token: str) -> bytes:
    """What tells a stack from others: the token of a typed one, whose sheets may be taken back; else what was read.

    That is the same from files that differ in line ends or quotes.
    """
    read: list[object] = [token] if token else ["", *((sheet.record, sheet.open) for sheet in sheets)]
    return sha256(json.dumps(read, sort_keys=True).encode()).digest()


@dataclass(frozen=True)
class EntryDifference:
    """What two entries of a sheet differ in: a question, or else its lot, and with it the whole sheet.

    `row` is that of the first entry, from 1; `number` that on the sheet; `second` has cells of the second entry.
    """

    row: int
    field: SheetField | None
    number: int
    typed: tuple[str, str]
    second: Row

    @property
    def name(self) -> str:
        return f"{self.row}-{self.field.name if self.field else LOT}"


@dataclass(frozen=True)
class SecondEntry:
    """How many drawn answers were entered twice, how many of them otherwise, and all that differs, undisguised too."""

    compared: int = 0
    differing: int = 0
    differences: tuple[EntryDifference, ...] = ()
    typed_once: bytes = b""  # a hash of the sheets that were not: nobody mends these; empty where there are none


def compare(form: SheetForm, first: SheetTable, sheets: Sequence[Envelope], table: SheetTable) -> SecondEntry:
    """What differs between the first entry, whose `sheets` were read, and those that were entered again."""
    if SHEET not in table.names:
        raise EntryError("The second entry has no column “{name}”: which sheets of the first are these?", name=SHEET)
    names = [row.get(SHEET, "").strip() for row in table.rows]
    if doubled := next((name for name in names if names.count(name) > 1), None):
        raise EntryError("The second entry has sheet “{sheet}” twice.", sheet=doubled[:20])
    codes: list[tuple[int | None, int | None]] = []
    found: list[EntryDifference] = []
    once = dict(enumerate(sheets))
    for name, row, second in zip(names, table.rows, read_sheets(form, table), strict=True):
        if (place := _read_place(name, len(sheets))) is None:
            raise EntryError(
                "The second entry has sheet “{sheet}”; the first has sheets 1 to {most}.",
                sheet=name[:20],
                most=len(sheets),
            )
        del once[place]
        codes += [pair for pair in zip(sheets[place].record, second.record, strict=True) if None not in pair]
        found += _differences(form, place + 1, first.rows[place], row)
    typed_once = hash_sheets([*once.values()], "") if once else b""
    return SecondEntry(len(codes), sum(one != other for one, other in codes), tuple(found), typed_once)


def _differences(form: SheetForm, place: int, row: Row, again: Row) -> Iterator[EntryDifference]:
    lots = [_lot(form, place, each) for each in (row, again)]
    if lots[0] != lots[1]:
        yield EntryDifference(place, None, 0, (form.lot_name(lots[0]), form.lot_name(lots[1])), again)
        return
    for number, field in enumerate(chain.from_iterable(lay_out(form, lots[0])), 1):
        typed = _box(row, field), _box(again, field)
        if typed[0] != typed[1]:
            yield EntryDifference(place, field, number, typed, {field.name: typed[1]})


def _box(row: Row, field: SheetField) -> str:
    """The number of the box as a sheet prints it, of a cell that was read."""
    return str(int(cell)) if (cell := row.get(field.name, "").strip()) else ""


def settle(first: SheetTable, found: Sequence[EntryDifference], settled: Mapping[str, str]) -> SheetTable:
    """The rows as the differing sheets show them; a sheet that shows neither is left out."""
    rows = {number: dict(row) for number, row in enumerate(first.rows, 1)}
    for one in found:
        if settled[one.name] == NEITHER:
            rows.pop(one.row, None)
        elif settled[one.name] == SECOND and one.row in rows:
            rows[one.row] |= one.second
    return replace(first, rows=tuple(rows.values()))


def _read_sheet(form: SheetForm, number: int, row: Row) -> Envelope:
    mark = row.get(VERSION, "").strip().lower()
    if len(mark) < MARK or not form.version.sha256.startswith(mark):
        raise EntryError(
            "Sheet {row}: a sheet of version “{other}” cannot be entered; the survey takes version {mark}.",
            row=number,
            other=mark[:64],
            mark=form.mark,
        )
    lot = _lot(form, number, row)
    crossed = {field: row.get(field.name, "").strip() for field in form.fields_of(lot)}
    if not all(crossed.values()) and (missing := _missing_page(form, lot, crossed)):
        raise EntryError(
            "Sheet {row}: nothing is crossed on page {page}. Is it missing? Set the sheet aside.",
            row=number,
            page=missing,
        )
    if other := next((one for one in form.fields if one not in crossed and row.get(one.name, "").strip()), None):
        raise EntryError("Sheet {row}: this lot does not ask “{name}”.", row=number, name=other.name)
    record: list[int | None] = [None] * len(form.version.design.items)
    given: dict[str, str] = {MODE: PAPER_MODE} | ({LOOK: LOOKS[lot.look]} if form.says_look else {})
    for field, box in crossed.items():
        value = _value(field, number, box)
        if field.place is not None:
            record[field.place] = int(value or 0) ^ (lot.look if field.place in form.swapped else 0)
        elif value is not None:
            given[field.name] = value
    sent = Envelope(form.version.sha256, os.urandom(16), 0, record, given, None)
    try:
        bytes_to_store(sent, form.version.parsed)
    except Refused:
        raise EntryError("Sheet {row}: the design of this survey cannot give this record.", row=number) from None
    return sent


def _missing_page(form: SheetForm, lot: SheetLot, crossed: Mapping[SheetField, str]) -> int | None:
    """The number of a page of the sheet on which nothing is crossed, where another one has something."""
    pages = lay_out(form, lot)
    empty = [number for number, page in enumerate(pages, 1) if page and not any(crossed[field] for field in page)]
    return empty[0] if empty and len(pages) > 1 else None


def _lot(form: SheetForm, number: int, row: Row) -> SheetLot:
    if len(form.lots) == 1:
        return form.lots[0]
    said = row.get(LOT, "").strip()
    if (place := _read_place(said, len(form.lots))) is None:
        raise EntryError(
            "Sheet {row}: “{lot}” is no lot of this survey, which has {least} to {most}.",
            row=number,
            lot=said[:20],
            least=form.lot_name(form.lots[0]),
            most=form.lot_name(form.lots[-1]),
        )
    return form.lots[place]


def _value(field: SheetField, number: int, box: str) -> str | None:
    if not box:
        if field.required:
            raise EntryError(
                "Sheet {row}: no box of “{name}” is crossed. Set the sheet aside, and leave its row out.",
                row=number,
                name=field.name,
            )
        return None
    if (place := _read_place(box, len(field.boxes))) is None:
        raise EntryError(
            "Sheet {row}: “{box}” is no box of “{name}”, which has 1 to {most}.",
            row=number,
            box=box[:20],
            name=field.name,
            most=len(field.boxes),
        )
    return field.boxes[place]


def _read_place(cell: str, most: int) -> int | None:
    """The place that a cell numbers from 1 to `most`; None where it holds anything else, of whatever length."""
    return int(cell) - 1 if cell.isdecimal() and len(cell) < 10 and 1 <= int(cell) <= most else None
