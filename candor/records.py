"""Answers and records as DataFrames and files: true answers in, disguised records out."""

from collections.abc import Iterator, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from candor import arguments
from candor.results import Result, TextColumns
from privacy import disguise as core_disguise
from privacy import records as core
from privacy.design.fields import Field
from privacy.design.rationals import numerator
from privacy.design.reading import shown
from privacy.disguise.random_words import Take, seeded_words, system_words
from privacy.errors import InputError
from privacy.output import counted
from privacy.records import records as core_records
from privacy.records.columns import missing_column, refusal, store
from privacy.records.json_lines import looked_up
from privacy.records.open_columns import read_columns, records_of
from privacy.records.open_texts import OPEN_VALUES

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from privacy.design import Design as AnyDesign

SHOWN = 5  # records that stand for all of them


class Records(Result, core.Records):
    """Disguised answers with the design they were disguised by.

    `candor.disguise` makes them, `candor.read_records` reads them, `Records.from_frame` takes them from a DataFrame.
    `codes` holds option indexes, `direct` marks those who answered undisguised; the order of rows means nothing.
    """

    @classmethod
    def of(cls, records: core.Records) -> "Records":
        """Return records of the library as ones that print.

        Parameters
        ----------
        records : privacy.records.Records
            What `privacy` made of answers or read from a file.

        Returns
        -------
        Records

        Examples
        --------
        >>> import candor, privacy.records, tempfile
        >>> design = candor.models.warner(["drugs"], theta=0.7)
        >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        ...     _ = file.write("direct,drugs\\n0,1\\n0,0\\n")
        ...     file.flush()
        ...     candor.Records.of(privacy.records.read_records(file.name, design))
        2 records of 1 item, 0 of them direct
        direct  drugs
             0      1
             0      0
        """
        return cls(*(getattr(records, field.name) for field in fields_of(records)))

    @classmethod
    def from_frame(cls, frame: "pd.DataFrame", design: "AnyDesign") -> "Records":
        """Take records from a DataFrame with a column per item and the column `direct`.

        Parameters
        ----------
        frame : DataFrame
            Answers as `candor.disguise` takes them, missing where a sampled block did not ask. Without a column
            `direct` nobody answered undisguised; where the design lets people, a warning says so. Other columns are
            kept as open columns: weights, groups, an age; dates among them as texts, such as ``2026-11-20``.
        design : Design
            The design that the records were disguised by.

        Returns
        -------
        Records

        Raises
        ------
        InputError
            Where a column is missing or a value is none of its item; the sentence names the row and the column.

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
        frame, design = arguments.frame(frame), arguments.design(design)
        codes = _codes(frame, design, design.fields)
        if "direct" in frame.columns:
            direct = _coded(frame, core_records.DIRECT) == 1
        else:
            direct = core_records.without_direct(design, len(frame), source="frame")
        items = {"direct", *(field.name for field in design.fields)}
        others = {str(name): _kept(frame, name) for name in frame.columns if name not in items}
        records = core.Records(design, codes, direct, others)
        core.check_codes(design, codes, source="frame", row_names=frame.index.tolist())
        core.check_direct(design, direct, len(codes), source="frame")
        return cls.of(records)

    def to_frame(self) -> "pd.DataFrame":
        """Return a column `direct` and one per item: 0 and 1, or labels; missing where it was not asked.

        Open columns stand after them. The rows are in the order of the records, and numbered.
        """
        import pandas as pd

        columns: dict[str, Any] = {"direct": self.direct}
        for field, codes in zip(self.design.fields, self.codes.T, strict=True):
            columns[field.name] = _shown(field, codes, codes != self.design.not_asked)
        return pd.DataFrame(columns | dict(self.open_columns))

    def to_json(self) -> list[dict[str, Any]]:
        """Return a list with an object per record, as the lines of a .jsonl file; open columns are left out."""
        names = ["direct", *(field.name for field in self.design.fields)]
        return [dict(zip(names, row, strict=True)) for row in self._rows()]

    def write(self, path: str | Path) -> None:
        """Write the records to a file, which appears only when it is complete.

        Open columns stand after the answers; `candor.read_records` with `open_columns=True` reads them, too.

        Parameters
        ----------
        path : str or Path
            JSON lines where it ends in .jsonl, CSV otherwise; `candor.read_records` reads both.

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
        core.write_records(self, arguments.path(path))

    def contents(self) -> Iterator[str | TextColumns]:
        count, fields = len(self), self.design.fields
        said = f"{counted(count, 'record')} of {counted(len(fields), 'item')}"
        yield f"{said}, {int(self.direct.sum())} of them direct"
        if count:
            yield TextColumns(["direct", *(field.name for field in fields)], list(islice(self._rows(), SHOWN)))
        if count > SHOWN:
            yield "…"

    def picture(self) -> str:
        """What is stored of each item, in shares of those who were asked; it estimates nothing."""
        from candor.stored_picture import stored_picture

        return stored_picture(self)

    def _rows(self) -> Iterator[list[object]]:
        fields, not_asked = self.design.fields, self.design.not_asked
        for direct, row in zip(self.direct, self.codes, strict=True):
            answers = zip(fields, row.tolist(), strict=True)
            yield [int(direct), *(_value(field, code, not_asked) for field, code in answers)]


def disguise(
    frame: "pd.DataFrame",
    design: "AnyDesign",
    *,
    direct: "float | ArrayLike" = 0.0,
    seed: int | None = None,
    open_columns: Sequence[str] = (),
) -> Records:
    """Do to a table of true answers what the browser of each respondent does to one of its rows.

    Parameters
    ----------
    frame : DataFrame
        A row per respondent and a column per item: bool, 0/1 or yes/no for yes/no items, an option's label otherwise.
        Answers for a sampled block are complete, or missing wherever a respondent was not asked. Other columns and
        the index are not looked at: who somebody is must not come along unseen.
    design : Design
        What happens to the answers.
    direct : float or array of bool
        The chance that a respondent answers undisguised, or who did; a Series has the index of the frame.
    seed : int, optional
        Makes the randomness repeatable, which is right for a study and must not protect anybody. Without it the
        randomness is the operating system's.
    open_columns : sequence of str
        Columns of the frame that are kept beside the answers, undisguised: a weight, a group, an age; dates as texts.

    Returns
    -------
    Records

    Raises
    ------
    InputError
        Where a column is missing or a value is none of its item; the sentence names the row and the column.

    Examples
    --------
    >>> import candor, pandas as pd
    >>> frame = pd.DataFrame({"drugs": [True, False] * 500, "cheating": [1, 0, 0, 0] * 250})
    >>> design = candor.models.improved_grouped(["drugs", "cheating"], p=0.3, theta=0.6)
    >>> candor.disguise(frame, design, direct=0.2, seed=7)
    1000 records of 2 items, 194 of them direct
    direct  drugs  cheating
         0      1         1
         0      0         1
         0      1         0
         0      0         1
         0      1         0
    …
    """
    import pandas as pd

    frame, design = arguments.frame(frame), arguments.design(design)
    if isinstance(direct, pd.Series):
        if not direct.index.equals(frame.index):
            raise InputError("direct: a Series has the index of the frame; an array goes by the order of its rows.")
        direct = arguments.column(direct)
    kept = {name: _kept(frame, _open(name, frame, design)) for name in arguments.texts(open_columns, "open_columns")}
    codes = _codes(frame, design, design.answer_fields)
    core.check_codes(design, codes, may_be_complete=True, source="frame", row_names=frame.index.tolist())
    records = disguised(design, codes, direct, seed)
    return Records.of(replace(records, open_columns={**records.open_columns, **kept}))


def _kept(frame: "pd.DataFrame", name: Any) -> np.ndarray:
    """A column of the frame as an open column; what no file can hold is refused here, and not when it is written."""
    values = arguments.column(frame[name])
    if values.dtype.kind not in "fiub":
        for value in values.tolist():
            if not isinstance(value, OPEN_VALUES):
                said = f"holds {shown(value)}, which is neither a number nor text."
                raise InputError(f"frame: the column {str(name)!r} {said}")
    return values


def _open(name: str, frame: "pd.DataFrame", design: "AnyDesign") -> str:
    if name in ("direct", *(field.name for field in (*design.fields, *design.answer_fields))):
        raise InputError(f"open_columns: {shown(name)} is disguised, so that it cannot be kept as it is.")
    if name not in frame.columns:
        raise InputError(f"open_columns: the frame has no column {shown(name)}.")
    return name


def disguised(
    design: "AnyDesign", codes: np.ndarray, direct: "float | Fraction | ArrayLike", seed: int | None
) -> core.Records:
    """Disguise a table of option indexes; a share of those who answer directly is drawn before anything else."""
    take = _random_words(seed)
    if isinstance(direct, Real) and not isinstance(direct, bool | np.bool_):
        share = _share(arguments.exact_number(direct, "direct"))
        if share and not design.direct:
            raise InputError("direct: this design lets nobody answer directly.")
        group = take(len(codes)) < numerator(share)
    else:
        try:
            group = np.asarray(direct)
            sound = group.dtype == bool or bool(np.isin(group, (0, 1)).all())
        except (TypeError, ValueError):  # rows of several lengths, or what is neither true nor false
            sound = False
        if not sound:
            raise InputError("direct: an array says of every respondent True or False.")
    return core_disguise.disguise(design, codes, group.astype(bool), take, source="frame")


def read_records(path: str | Path, design: "AnyDesign", *, open_columns: bool = False) -> Records:
    """Read a file of disguised records.

    Parameters
    ----------
    path : str or Path
        JSON lines where it ends in .jsonl, CSV otherwise: the column `direct`, and a column per item.
    design : Design
        The design that the records were disguised by.
    open_columns : bool
        Whether the file may have columns that name no item, such as an age or a weight; they are kept, and `direct` may
        be absent (with a warning where the design lets people answer directly). Otherwise such columns are passed by.

    Returns
    -------
    Records

    Raises
    ------
    InputError
        Where there is no such file or it does not fit the design; the sentence names the row and the column.

    Examples
    --------
    >>> import candor, tempfile
    >>> design = candor.models.warner(["drugs"], theta=0.7)
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("direct,drugs\\n0,1\\n1,0\\n")
    ...     file.flush()
    ...     candor.read_records(file.name, design)
    2 records of 1 item, 1 of them direct
    direct  drugs
         0      1
         1      0
    """
    path, design = arguments.path(path), arguments.design(design)
    if arguments.flag(open_columns, "open_columns"):
        return Records.of(records_of(read_columns(path), design, path))
    return Records.of(core.read_records(path, design))


def read_answers(path: str | Path, design: "AnyDesign") -> "pd.DataFrame":
    """Read a file of true answers, as `candor disguise` does.

    Parameters
    ----------
    path : str or Path
        JSON lines where it ends in .jsonl, CSV otherwise: a column per item of the design, and nothing else.
    design : Design
        What the answers are to be disguised by.

    Returns
    -------
    DataFrame
        A column per item, ready for `candor.disguise`.

    Raises
    ------
    InputError
        Where there is no such file or it does not fit the design; the sentence names the row and the column.

    Examples
    --------
    >>> import candor, tempfile
    >>> design = candor.models.warner(["drugs"], theta=0.7)
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("drugs\\n1\\n0\\n")
    ...     file.flush()
    ...     candor.read_answers(file.name, design)
       drugs
    0      1
    1      0
    """
    design = arguments.design(design)
    codes = core.read_answers(arguments.path(path), design)
    records = Records(design, codes, np.zeros(len(codes), bool))
    return records.to_frame().drop(columns="direct")


def _codes(frame: "pd.DataFrame", design: "AnyDesign", fields: tuple[Field, ...]) -> np.ndarray:
    """The codes of a DataFrame's columns: the fields of records, or of true answers."""
    missing = [field for field in fields if field.name not in frame.columns]
    if missing:
        raise missing_column("frame", missing[0], list(frame.columns), fields)
    codes = np.empty((len(frame), len(fields)), design.code_type)
    for column, field in enumerate(fields):
        store(_coded(frame, field), field, codes[:, column])
    return codes


def _coded(frame: "pd.DataFrame", field: Field) -> np.ndarray:
    """The codes of one column; each of its different values is looked up once."""
    import pandas as pd

    column = frame[field.name]
    try:
        places, values = pd.factorize(column)  # what is missing has the place −1, that of None here
    except TypeError:  # a list in a cell, say
        raise InputError(f"frame: the column {field.name!r} holds what is neither a number nor text.") from None
    codes = looked_up([*(_plain(value, field) for value in values), None], field)[places]
    if (codes < 0).any():
        row = int((codes < 0).argmax())
        value = None if places[row] < 0 else _plain(column.iloc[row], field)
        raise refusal("frame", frame.index[row], field, value)
    return codes


def _plain(value: Any, field: Field) -> Any:
    """Python's own value of one of numpy's; 1.0 is what pandas makes of 1 where another value is missing."""
    value = value.item() if isinstance(value, np.generic) else value
    return int(value) if isinstance(value, float) and value.is_integer() and not field.numeric else value


def _shown(field: Field, codes: np.ndarray, asked: np.ndarray) -> Any:
    """A column of codes as pandas holds it: 0 and 1, numbers, or labels; missing where it was not asked."""
    import pandas as pd

    if field.boolean:
        numbers = codes.astype(np.int64)
        return numbers if asked.all() else pd.arrays.IntegerArray(numbers * asked, ~asked)
    if field.numeric:
        different, places = np.unique(codes[asked], return_inverse=True)
        read = float if len(field.scales) == 1 else str
        column = np.full(len(codes), np.nan, float if read is float else object)
        column[asked] = np.array([read(field.text(int(code))) for code in different], column.dtype)[places]
        return column
    places = np.where(asked, codes.astype(np.int16), np.int16(-1))
    return pd.Categorical.from_codes(places.tolist(), categories=pd.Index(field.scales[0]))


def _value(field: Field, code: int, not_asked: int) -> object:
    """One answer as JSON lines hold it."""
    if code == not_asked:
        return None
    if field.boolean:
        return code
    text = field.text(code)
    return float(text) if field.numeric and len(field.scales) == 1 else text


def _share(direct: Fraction) -> Fraction:
    if not 0 <= direct <= 1:
        raise InputError(f"direct: {float(direct):g} is not a share from 0 to 1.")
    return direct


def _random_words(seed: int | None) -> Take:
    return system_words() if seed is None else seeded_words(arguments.seed(seed))
