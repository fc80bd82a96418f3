"""Records and answers as tables of codes, and the files they are read from and written to.

A file ending in .jsonl holds JSON lines, any other is CSV with a header. Rows are numbered as a spreadsheet or an
editor numbers them: in CSV the header is row 1, in JSON lines the first object is.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import numpy as np

from privacy.design import YES_NO, Design
from privacy.design.fields import Field, choice, code_type
from privacy.errors import InputError, InputWarning
from privacy.records import csv_cells, json_lines
from privacy.records.files import Block, check_ending, whole_file
from privacy.records.open_texts import open_texts

DIRECT = choice("direct", YES_NO)


@dataclass(frozen=True, eq=False)
class Records:
    """Disguised answers: `codes` has a row per respondent and a column per item; `direct` marks the group.

    A code is the index of an option, or of a step on a scale, in the design's `code_type`: uint8 as long as no item has
    more than 255 values. `design.not_asked` stands where an item was not asked. `open_columns` may stand beside the
    answers: a weight, a group, an age, which arm a device drew (see `privacy.records.open_columns`).
    """

    design: Design
    codes: np.ndarray
    direct: np.ndarray
    open_columns: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.codes)


def read_answers(path: str | Path, design: Design) -> np.ndarray:
    """Read a file of true answers.

    Parameters
    ----------
    path : str or Path
        JSON lines where it ends in .jsonl, CSV otherwise: a column per item, and nothing else. In a sampled block
        either every respondent answers all items, or every one answers as many as are asked.
    design : Design
        Its items are the columns.

    Returns
    -------
    array
        Codes, a row per respondent and a column per item.

    Raises
    ------
    InputError
        Where there is no such file or it does not fit the design; the sentence names the row and the column.

    Examples
    --------
    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs", "cheating"]})
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("cheating,drugs\\n1,0\\n")
    ...     file.flush()
    ...     read_answers(file.name, design).tolist()
    [[0, 1]]
    """
    layout = _layout(path)
    codes = _whole((layout.table(block, design.answer_fields) for block in layout.blocks(path)), design.fields)
    check_codes(design, codes, may_be_complete=True, source=path, first_row=layout.FIRST_ROW)
    check_answers(design, codes, source=path, first_row=layout.FIRST_ROW)
    return codes


def read_records(path: str | Path, design: Design) -> Records:
    """Read a file of disguised records.

    Parameters
    ----------
    path : str or Path
        JSON lines where it ends in .jsonl, CSV otherwise: the column `direct`, and a column per item. Open answers may
        stand in columns of their own, which are not looked at.
    design : Design
        What the records were disguised by.

    Returns
    -------
    Records

    Raises
    ------
    InputError
        Where there is no such file or it does not fit the design; the sentence names the row and the column.

    Examples
    --------
    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> records = Records(design, np.array([[1], [0]], np.uint8), np.array([True, False]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_records(records, f"{folder}/records.jsonl")
    ...     read_records(f"{folder}/records.jsonl", design).direct.tolist()
    [True, False]
    """
    parts = list(read_record_parts(path, design))
    codes = _whole((part.codes for part in parts), design.fields)
    return Records(design, codes, np.concatenate([part.direct for part in parts] or [np.zeros(0, bool)]))


def read_record_parts(path: str | Path, design: Design) -> Iterator[Records]:
    """Read a file of disguised records some at a time: it may be larger than the memory.

    Parameters
    ----------
    path, design
        As `read_records` takes them.

    Yields
    ------
    Records
        The next rows of the file.

    Raises
    ------
    InputError
        At the first rows that do not fit the design; those before them have been given then.

    Examples
    --------
    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "records.csv").write_text("direct,drugs\\n1,1\\n0,0\\n")
    ...     sum(len(part) for part in read_record_parts(f"{folder}/records.csv", design))
    2
    """
    for block in record_blocks(path):
        yield read_block(block, design)


def record_blocks(path: str | Path) -> Iterator[Block]:
    """Cut a file of disguised records into blocks, which several processes may read.

    Parameters
    ----------
    path : str or Path
        As `read_records` takes it.

    Yields
    ------
    Block
        The next rows of the file, not yet looked at.

    Raises
    ------
    InputError
        Where the file cannot be read, or cannot be cut into rows.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "records.csv").write_text("direct,drugs\\n1,1\\n0,0\\n")
    ...     [(block.row, block.content) for block in record_blocks(f"{folder}/records.csv")]
    [(2, b'1,1\\n0,0\\n')]
    """
    yield from _layout(path).blocks(path)


def read_block(block: Block, design: Design) -> Records:
    """Read a block of a file of disguised records.

    Parameters
    ----------
    block : Block
        As `record_blocks` made it.
    design : Design
        What the records were disguised by.

    Returns
    -------
    Records

    Raises
    ------
    InputError
        Where a row does not fit the design.

    Examples
    --------
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> read_block(Block("records.csv", 2, b"1,1\\n0,0\\n", ("direct", "drugs")), design).direct.tolist()
    [True, False]
    """
    table = _layout(block.path).table(block, [DIRECT, *design.fields], others=True)
    codes, direct = np.ascontiguousarray(table[:, 1:]), table[:, 0] == 1
    check_codes(design, codes, source=block.path, first_row=block.row)
    check_direct(design, direct, len(codes), source=block.path, first_row=block.row)
    check_answers(design, codes, direct, source=block.path, first_row=block.row)
    return Records(design, codes, direct)


def _whole(tables: Iterable[np.ndarray], fields: Sequence[Field]) -> np.ndarray:
    """All rows of a file as one table."""
    return np.concatenate([np.empty((0, len(fields)), code_type(fields)), *tables])


def write_records(records: Records, path: str | Path) -> None:
    """Write records, and the open columns after their answers, to a file that appears only when it is complete.

    Parameters
    ----------
    records : Records
        They must fit their design.
    path : str or Path
        JSON lines where it ends in .jsonl, CSV otherwise.

    Returns
    -------
    None

    Raises
    ------
    InputError
        Where the name ends as that of another format, a record does not fit the design, an open column holds something
        else than texts, numbers, true and false, or the file cannot be written; no file is left then.

    Examples
    --------
    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> records = Records(design, np.array([[1], [0]], np.uint8), np.array([True, False]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_records(records, f"{folder}/records.csv")
    ...     Path(folder, "records.csv").read_text()
    '"direct","drugs"\\n1,1\\n0,0\\n'
    """
    check_ending(path, ".csv", ".jsonl")
    check_records(records)
    opened = open_texts(records.open_columns)
    table = np.column_stack([records.direct, records.codes.astype(records.design.code_type, copy=False)])
    with whole_file(path) as file:
        for part in _layout(path).write([DIRECT, *records.design.fields], table, opened):
            file.write(part)


def check_records(records: Records) -> None:
    """Refuse records that do not fit their design, before they are written to where codes lose their meaning."""
    check_codes(records.design, records.codes, source="The records")
    check_direct(records.design, records.direct, len(records), source="The records")


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

    Parameters
    ----------
    design : Design
        Whose items the columns are.
    codes : ndarray
        Option indexes, a row for each respondent.
    may_be_complete : bool
        Whether all items may be answered though the design asks some.
    source : str or Path
        What is named where the table is refused.
    first_row : int
        The number of the first row, as it is named then.
    row_names : sequence of object, optional
        The names of the rows, where they have others than their numbers.

    Returns
    -------
    bool
        Whether every answer is there.

    Raises
    ------
    InputError
        Where a row does not fit; the sentence names it.

    Examples
    --------
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> check_codes(design, np.array([[1], [0]], np.uint8))
    True
    """
    if codes.ndim != 2 or codes.shape[1] != len(design.items) or codes.dtype.kind not in "iu":
        raise InputError(
            f"{source}: {codes.dtype} of shape {codes.shape} is no table of option indexes for the "
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
        wrong = answered != block.asked
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                f"{source}: row {named[row]} answers {answered[row]} of the {len(block.items)} items from "
                f"{block.items[0].id!r} to {block.items[-1].id!r}, and this design asks {block.asked} of them."
            )
    return False


def _check_complete(design: Design, here: np.ndarray, source: str | Path, named: Sequence[object]) -> None:
    """Refuse an answer that is missing where more rows answer every item than answer as many as are asked."""
    starts = list(design.first_columns)
    answered = np.add.reduceat(here, starts, axis=1, dtype=np.intp)
    sampled = (answered == [block.asked for block in design.blocks]).all(axis=1).sum()
    complete = here.all(axis=1)
    if complete.sum() > sampled:
        row = int(complete.argmin())
        item = design.items[int(here[row].argmin())]
        raise InputError(
            f"{source}: row {named[row]}, column {item.id!r}: nothing is given. Most rows answer every item, so "
            "all must; the disguise itself chooses which are asked."
        )


def check_answers(
    design: Design,
    codes: np.ndarray,
    rows: np.ndarray | None = None,
    *,
    source: str | Path = "the table",
    first_row: int = 0,
) -> None:
    """Refuse true answers, in all rows or in these, that nobody may give: a record on a grid may hold more.

    Parameters
    ----------
    design : Design
        Whose items the columns are.
    codes : ndarray
        Codes that `check_codes` has taken.
    rows : ndarray of bool, optional
        The rows that hold true answers; all without it.
    source : str or Path
        What is named where the answer is refused.
    first_row : int
        The number of the first row, as it is named then.

    Returns
    -------
    None

    Raises
    ------
    InputError
        Where an answer is one that nobody may give, as a number outside its range.

    Examples
    --------
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
            low, high = (":".join(steps[end] for steps in item.steps) for end in (0, -1))
            raise InputError(
                f"{source}: row {first_row + row}, column {item.id!r}: {given} is no answer; answers are from {low} to "
                f"{high}."
            )


def check_direct(
    design: Design, direct: np.ndarray, rows: int, *, source: str | Path = "the table", first_row: int = 0
) -> None:
    """Refuse a direct group that is not marked for every row, or that the design does not offer.

    Parameters
    ----------
    design : Design
        It says whether anybody may answer directly.
    direct : ndarray of bool
        Who did.
    rows : int
        How many respondents there are.
    source : str or Path
        What is named where the mark is refused.
    first_row : int
        The number of the first row, as it is named then.

    Returns
    -------
    None

    Raises
    ------
    InputError
        Where somebody answered directly who could not, or a row is not marked.

    Examples
    --------
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> check_direct(design, np.array([True, False]), 2)
    Traceback (most recent call last):
    privacy.errors.InputError: the table: row 0 is in the direct group, and this design lets nobody answer directly.
    """
    if direct.shape != (rows,):
        raise InputError(f"{source}: the direct group is marked for {direct.size} rows, and there are {rows}.")
    if direct.any() and not design.direct:
        row = first_row + int(direct.argmax())
        raise InputError(f"{source}: row {row} is in the direct group, and this design lets nobody answer directly.")


def without_direct(design: Design, rows: int, *, source: str | Path) -> np.ndarray:
    """Who answered directly where no column says it: nobody, with a warning where the design lets people.

    Parameters
    ----------
    design : Design
        It says whether anybody may answer directly.
    rows : int
        How many respondents there are.
    source : str or Path
        What is named in the warning.

    Returns
    -------
    ndarray of bool

    Examples
    --------
    >>> without_direct(Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]}), 2, source="records.csv")
    array([False, False])
    """
    if design.direct:
        said = (
            "the column 'direct' is missing, so that nobody is taken to have answered directly, as this design allows."
        )
        warnings.warn(f"{source}: {said}", InputWarning, stacklevel=3)
    return np.zeros(rows, bool)


def _layout(path: str | Path) -> ModuleType:
    return json_lines if Path(path).suffix.lower() == ".jsonl" else csv_cells
