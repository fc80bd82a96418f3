"""Records and answers as tables of codes, and the files they are read from and written to.

A file ending in .jsonl holds JSON lines, any other is CSV with a header. Rows are numbered as a spreadsheet or an
editor numbers them: in CSV the header is row 1, in JSON lines the first object is.
"""

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from privacy.design import YES_NO, Design, arguments
from privacy.design.design import require_design
from privacy.design.fields import Field, choice, code_type
from privacy.design.reading import kind
from privacy.errors import InputError, InputWarning
from privacy.files import FileBlock, check_ending, whole_file
from privacy.output import count_of
from privacy.records import csv_cells, json_lines, parquet
from privacy.records.bits import Batch, Bits
from privacy.records.columns import open_texts, own_names
from privacy.records.frames import codes_of_column, codes_of_frame, column_of_codes, open_column
from privacy.result import DataFrame, Result, TextColumns, data_frame

DIRECT = choice("direct", YES_NO)
LAYOUTS = {".csv": csv_cells, ".jsonl": json_lines, parquet.ENDING: parquet}
NO_RECORDS = "There are no records, so there is nothing to estimate."
SHOWN = 5  # records that stand for all of them


@dataclass(frozen=True, repr=False, eq=False)
class Records(Result):
    """Disguised answers with the design they were disguised by.

    `candor.disguise` makes them, `candor.read_records` reads them, `Records.from_frame` takes them from a DataFrame.
    `codes` has a row per respondent and a column per item, `direct` marks those who answered undisguised; the order of
    rows means nothing.

    A code is the index of an option, or of a step on a scale, in the design's `code_type`: uint8 as long as no item has
    more than 255 values. `design.not_asked` stands where an item was not asked. `open_columns` may stand beside the
    answers: a weight, a group, an age (see `privacy.records.open_columns`).
    """

    design: Design
    codes: np.ndarray
    direct: np.ndarray
    open_columns: Mapping[str, np.ndarray] = field(default_factory=dict)
    named: bool = False  # whether they surely have this design: their file names it, or they were disguised here

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def from_frame(cls, frame: DataFrame, design: Design) -> "Records":
        """Take records from a DataFrame with a column per item and the column `direct`.

        Parameters
        ----------
        frame : DataFrame
            Answers as `candor.disguise` takes them, missing where a sampled block did not ask. Without a column
            `direct` nobody answered undisguised; where the design lets people, a warning says so. Other columns are
            kept as undisguised columns: weights, groups, an age; dates among them as texts, such as ``2026-11-20``.
        design : Design
            The design that the records were disguised by.

        Raises
        ------
        InputError
            Where a column is missing or a value is not one of its item; the sentence names the row and the column.

        Examples
        --------
        >>> import candor, pandas as pd
        >>> frame = pd.DataFrame({"drugs": [1, 0, 0], "town": ["Aachen", "Bonn", "Aachen"]})
        >>> records = candor.Records.from_frame(frame, candor.models.warner(["drugs"], theta=0.7, direct=False))
        >>> records.to_frame()
           direct  drugs    town
        0   False      1  Aachen
        1   False      0    Bonn
        2   False      0  Aachen
        """
        frame, design = arguments.frame(frame), require_design(design)
        frame = frame.set_axis(own_names(frame.columns, [field.name for field in design.fields], "frame"), axis=1)
        codes = codes_of_frame(frame, design, design.fields)
        if "direct" in frame.columns:
            direct = codes_of_column(frame, DIRECT) == 1
        else:
            direct = without_direct(design, len(frame), source="frame")
        items = {"direct", *(field.name for field in design.fields)}
        others = {str(name): open_column(frame, name) for name in frame.columns if name not in items}
        check_codes(design, codes, source="frame", row_names=frame.index.tolist())
        check_direct(design, direct, len(codes), source="frame")
        check_answers(design, codes, direct, source="frame", row_names=frame.index.tolist())
        return cls(design, codes, direct, others)

    def to_frame(self) -> DataFrame:
        """Return a column `direct` and one per item: 0 and 1, or labels; missing where it was not asked.

        Undisguised columns stand after them. The rows are in the order of the records, and numbered.
        """
        columns: dict[str, Any] = {"direct": self.direct}
        for item, codes in zip(self.design.fields, self.codes.T, strict=True):
            columns[item.name] = column_of_codes(item, codes, codes != self.design.not_asked)
        return data_frame(columns | dict(self.open_columns))

    def to_json(self) -> list[dict[str, Any]]:
        """Return a list with an object per record, as the lines of a .jsonl file; undisguised columns are left out."""
        names = ["direct", *(field.name for field in self.design.fields)]
        return [dict(zip(names, row, strict=True)) for row in self._rows()]

    def write(self, path: str | Path) -> None:
        """Write the records to a file, which appears only when it is complete.

        Undisguised columns stand after the answers; `candor.read_records` with `open_columns=True` reads them, too.

        Parameters
        ----------
        path : str or Path
            JSON lines where it ends in .jsonl, Parquet where it ends in .parquet, CSV otherwise; `candor.read_records`
            reads them all.

        Examples
        --------
        >>> import candor, pandas as pd, tempfile
        >>> design = candor.models.warner(["drugs"], theta=0.7, direct=False)
        >>> records = candor.Records.from_frame(pd.DataFrame({"drugs": [1, 0, 0]}), design)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     records.write(f"{folder}/records.jsonl")
        ...     len(candor.read_records(f"{folder}/records.jsonl", design))
        3
        """
        write_records(self, arguments.path(path))

    def contents(self) -> Iterator[str | TextColumns]:
        count, fields = len(self), self.design.fields
        said = f"{count_of(count, 'record')} of {count_of(len(fields), 'item')}"
        yield f"{said}, {int(self.direct.sum())} of them direct"
        if count:
            yield TextColumns(["direct", *(field.name for field in fields)], list(islice(self._rows(), SHOWN)))
        if count > SHOWN:
            yield "…"

    def _rows(self) -> Iterator[list[object]]:
        """Yield each record as a row for JSON: the flag of the group, then the answers."""
        fields, not_asked = self.design.fields, self.design.not_asked
        for direct, row in zip(self.direct, self.codes, strict=True):
            answers = zip(fields, row.tolist(), strict=True)
            yield [int(direct), *(_value(field, code, not_asked) for field, code in answers)]


def require_records(value: Any) -> Records:
    """Return the records; refuse other types, such as a DataFrame, and empty records.

    >>> require_records(None)
    Traceback (most recent call last):
    privacy.errors.InputError: records: nothing is not records; candor.Records.from_frame makes them of a DataFrame.
    """
    if isinstance(value, Records):
        if not len(value):
            raise InputError(NO_RECORDS)
        return value
    raise InputError(f"records: {kind(value)} is not records; candor.Records.from_frame makes them of a DataFrame.")


def design_of(records: Any, design: Any = None) -> Design:
    """The design of records, or the one by which a file or a table of them is to be read; refuse two that differ.

    >>> design, other = (Design.parse({"model": "warner", "theta": theta, "items": ["drugs"]}) for theta in (0.7, 0.8))
    >>> design_of("records.csv", design) is design
    True
    >>> design_of(Records(design, np.array([[1]], np.uint8), np.zeros(1, bool)), other)
    Traceback (most recent call last):
    privacy.errors.InputError: design: these records have another design; leave this one out.
    """
    if not isinstance(records, Records) and design is not None:
        return require_design(design)
    own = require_records(records).design
    if design is not None and require_design(design).sha256 != own.sha256:
        raise InputError("design: these records have another design; leave this one out.")
    return own


def read_answer_codes(path: Any, design: Design) -> np.ndarray:
    """Read a file of true answers as codes: `read_answers` makes a DataFrame of them.

    `path`: JSON lines where it ends in .jsonl, CSV otherwise: a column per item, and nothing else. In a sampled block
    either every respondent answers all items, or every one answers as many as are asked.

    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs", "cheating"]})
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("cheating,drugs\\n1,0\\n")
    ...     file.flush()
    ...     read_answer_codes(file.name, design).tolist()
    [[0, 1]]
    """
    layout = layout_of(path)
    tables = (
        layout.table(piece, design.answer_fields)
        for block in layout.blocks(path)
        for piece in pieces(block, design.answer_fields, others=False)
    )
    codes = whole_table(tables, design.fields)
    check_codes(design, codes, may_be_complete=True, source=path, first_row=layout.FIRST_ROW)
    check_answers(design, codes, source=path, first_row=layout.FIRST_ROW)
    return codes


def record_blocks(path: Any) -> Iterator[FileBlock | parquet.ParquetPart]:
    """Cut a file of disguised records into blocks, which several processes may read."""
    yield from layout_of(path).blocks(path)


def names_design(source: Any, design: Design) -> bool:
    """Whether a file of records says that its answers were disguised by this design; one that names another is refused.

    >>> names_design("records.csv", Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]}))
    False
    """
    if not isinstance(source, str | Path) or layout_of(source) is not parquet:
        return False
    named = [block.names(design) for block in parquet.blocks(source)]
    return bool(named) and all(named)


def pieces(
    block: FileBlock | parquet.ParquetPart, fields: Sequence[Field], others: bool, besides: Sequence[str] = ()
) -> Iterator[FileBlock | parquet.ParquetPart]:
    """Yield a block in pieces that memory holds: those of a Parquet file, whose row groups may have any size."""
    if isinstance(block, parquet.ParquetPart):
        yield from parquet.pieces(block, fields, others, besides)
    else:
        yield block


def read_batches(block: FileBlock | parquet.ParquetPart, design: Design) -> Iterator[Batch]:
    """Read a block as those who count take it, some rows at a time: their codes, or bits where it has them already, and
    who is direct.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> ((codes, direct),) = read_batches(FileBlock("records.csv", 2, b"1,1\\n0,0\\n", ("direct", "drugs")), design)
    >>> codes.tolist(), direct.tolist()
    ([[1], [0]], [True, False])
    """
    for piece in pieces(block, [DIRECT, *design.fields], others=True):
        yield read_batch(piece, design)


def read_batch(piece: FileBlock | parquet.ParquetPart, design: Design) -> Batch:
    """Read a piece of a block as `read_batches` gives it."""
    codes: np.ndarray | Bits
    if isinstance(piece, parquet.ParquetPart):
        piece.names(design)
        codes, direct = parquet.batch(piece, DIRECT, design)
    elif piece.header and DIRECT.name not in piece.header and not design.direct:  # a table that was released, say
        codes = layout_of(piece.path).table(piece, design.fields, others=True)
        direct = np.zeros(len(codes), bool)
    else:
        table = layout_of(piece.path).table(piece, [DIRECT, *design.fields], others=True)
        codes, direct = np.ascontiguousarray(table[:, 1:]), table[:, 0] == 1
    check_direct(design, direct, len(codes), source=piece.path, first_row=piece.row)
    if isinstance(codes, Bits) and codes.asks(design):
        return codes, direct  # every bit is an answer
    whole = np.asarray(codes)
    check_codes(design, whole, source=piece.path, first_row=piece.row)
    check_answers(design, whole, direct, source=piece.path, first_row=piece.row)
    return codes, direct


def whole_table(tables: Iterable[np.ndarray], fields: Sequence[Field]) -> np.ndarray:
    """Join tables of these fields, or of true answers, whose codes may be of a narrower type."""
    kind, most = code_type(fields), np.iinfo(code_type(fields)).max
    same = (np.where(part == np.iinfo(part.dtype).max, most, part) if part.dtype != kind else part for part in tables)
    return np.concatenate([np.empty((0, len(fields)), kind), *same])


def write_records(records: Records, path: str | Path) -> None:
    """Write records, and the undisguised columns after their answers, to a file that appears only when it is complete.

    `path`: JSON lines where it ends in .jsonl, Parquet where it ends in .parquet, CSV otherwise. Undisguised columns
    hold texts, numbers, true and false.

    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> records = Records(design, np.array([[1], [0]], np.uint8), np.array([True, False]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_records(records, f"{folder}/records.csv")
    ...     Path(folder, "records.csv").read_text()
    '"direct","drugs"\\n1,1\\n0,0\\n'
    """
    check_ending(path, *LAYOUTS)
    check_codes(records.design, records.codes, source="The records")  # in a file codes lose their meaning
    check_direct(records.design, records.direct, len(records), source="The records")
    opened = open_texts(records.open_columns)
    table = np.column_stack([records.direct, records.codes.astype(records.design.code_type, copy=False)])
    layout, content = layout_of(path), ([DIRECT, *records.design.fields], table, opened)
    with whole_file(path) as file:
        for part in layout.write(*content, records.design) if layout is parquet else layout.write(*content):
            file.write(part)


def check_codes(
    design: Design,
    codes: np.ndarray,
    *,
    may_be_complete: bool = False,
    source: str | Path = "the table",
    first_row: int = 0,
    row_names: Sequence[object] | None = None,
) -> bool:
    """Refuse a table of option indexes that does not fit the design; return whether it holds every answer.

    Every row answers just as many items of a block as the block asks; a table that `may_be_complete` may also answer
    all items in all rows.

    A refusal names `source`, and the row: by its number from `first_row` on, or by its name of `row_names`.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> check_codes(design, np.array([[1], [0]], np.uint8))
    True
    """
    if codes.ndim != 2 or codes.shape[1] != len(design.items) or codes.dtype.kind not in "iu":
        raise InputError(
            f"{source}: {codes.dtype} of shape {codes.shape} is not a table of option indexes for the "
            f"{len(design.items)} items of this design."
        )
    sizes = np.array([field.size for field in design.fields], design.code_type)
    named = range(first_row, first_row + len(codes)) if row_names is None else row_names
    here = codes != design.not_asked
    wrong = here & ((codes < 0) | (codes >= sizes))
    if wrong.any():
        row, column = (int(place) for place in np.unravel_index(wrong.argmax(), wrong.shape))
        raise InputError(
            f"{source}: row {named[row]}, column {design.items[column].id!r}: {codes[row, column]} is not the "
            f"index of one of its {sizes[column]} options."
        )
    if here.all() and (may_be_complete or not design.sampled):
        return True
    if may_be_complete and design.sampled:
        _check_complete(design, here, source, named)
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        answered = here[:, first : first + len(block.items)].sum(axis=1)
        wrong = answered != block.items_per_person
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                f"{source}: row {named[row]} answers {answered[row]} of the {len(block.items)} items from "
                f"{block.items[0].id!r} to {block.items[-1].id!r}, and this design asks "
                f"{block.items_per_person} of them."
            )
    return False


def _check_complete(design: Design, here: np.ndarray, source: str | Path, named: Sequence[object]) -> None:
    """Refuse a missing answer where a row answers every item: then all must, or none."""
    complete = here.all(axis=1)
    if not complete.any():
        return
    starts = list(design.first_columns)
    answered = np.add.reduceat(here, starts, axis=1, dtype=np.intp)
    sampled = (answered == [block.items_per_person for block in design.blocks]).all(axis=1)
    if complete.sum() > sampled.sum() or not (complete | sampled).all():
        row = int((complete | (sampled & (complete.sum() <= sampled.sum()))).argmin())
        item = design.items[int(here[row].argmin())]
        raise InputError(
            f"{source}: row {named[row]}, column {item.id!r}: nothing is given. Row {named[int(complete.argmax())]} "
            "answers every item, so all rows must; the disguise chooses which items are asked."
        )
    raise InputError(
        f"{source}: row {named[int(complete.argmax())]} answers every item and row {named[int(sampled.argmax())]} only "
        "as many as this design asks. All rows must answer every item, or all rows only the asked ones."
    )


def check_answers(
    design: Design,
    codes: np.ndarray,
    rows: np.ndarray | None = None,
    *,
    source: str | Path = "the table",
    first_row: int = 0,
    row_names: Sequence[object] | None = None,
) -> None:
    """Refuse values that are no possible true answer, in all rows or in these: records on a grid may hold more.

    >>> check_answers(Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]}), np.array([[1]], np.uint8))
    """
    for column, item in enumerate(design.items):
        if not item.beyond_answers:
            continue
        wrong = ~item.can_be_true(codes[:, column]) & (codes[:, column] != design.not_asked)
        wrong &= True if rows is None else rows
        if wrong.any():
            row = int(wrong.argmax())
            given = design.fields[column].text(int(codes[row, column]))
            low, high = (":".join(steps[end] for steps in item.steps or [item.options]) for end in (0, -1))
            name = first_row + row if row_names is None else row_names[row]
            raise InputError(
                f"{source}: row {name}, column {item.id!r}: {given} is no answer; answers are from {low} to {high}."
            )


def check_direct(
    design: Design, direct: np.ndarray, rows: int, *, source: str | Path = "the table", first_row: int = 0
) -> None:
    """Refuse a direct group that is not marked for every row, or that the design does not offer.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> check_direct(design, np.array([True, False]), 2)
    Traceback (most recent call last):
    privacy.errors.InputError: the table: row 0 is in the direct group, but this design allows no direct answers.
    """
    if direct.shape != (rows,):
        raise InputError(f"{source}: the direct group is marked for {direct.size} rows, and there are {rows}.")
    if direct.any() and not design.direct:
        row = first_row + int(direct.argmax())
        raise InputError(f"{source}: row {row} is in the direct group, but this design allows no direct answers.")


def without_direct(design: Design, rows: int, *, source: str | Path) -> np.ndarray:
    """Return the direct group of records without such a column: nobody; warn if the design allows direct answers.

    >>> without_direct(Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]}), 2, source="records.csv")
    array([False, False])
    """
    if design.direct:
        said = (
            "the column 'direct' is missing, so everybody is taken as disguised, although this design allows direct "
            "answers."
        )
        warnings.warn(f"{source}: {said}", InputWarning, stacklevel=3)
    return np.zeros(rows, bool)


def layout_of(path: Any) -> ModuleType:
    """The module that reads and writes files like this one: by the ending, that of a folder's files, or CSV."""
    if isinstance(path, str | Path) and os.path.isdir(path) and csv_cells.parts_of(path):
        return csv_cells
    return parquet if parquet.is_source(path) else LAYOUTS.get(Path(path).suffix.lower(), csv_cells)


def _value(field: Field, code: int, not_asked: int) -> object:
    """One answer as JSON lines hold it."""
    if code == not_asked:
        return None
    if field.boolean:
        return code
    text = field.text(code)
    return float(text) if field.numeric and len(field.scales) == 1 else text
