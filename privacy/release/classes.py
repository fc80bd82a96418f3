"""Tables with a row per person: their values as texts and as codes, and their classes.

A class are the records that are alike in everything that others may know. What is missing is no value: it makes no
class diverse, since a row without a value hides nobody's among it.
"""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.arrays import Bools, Floats, Ints
from privacy.design import arguments
from privacy.errors import InputError
from privacy.records.csv_rows import csv_text, read_csv
from privacy.result import DataFrame

Columns = Mapping[str, Sequence[str]]
SUPPRESSED = "*"
DENSE = 1 << 16  # so many different numbers, or some for each record, are counted in a table; more are sorted
SPARSE = 16  # so many for each record, where a table of single bytes suffices
NEAR = 1e-9  # a bound that is met exactly is met, whatever the last digit of a logarithm


@dataclass(frozen=True)
class Classes:
    """For every class its size, and how often each sensitive value occurs in it: one entry per value that does.

    Entries stand class by class, and within one in the order of values: `owner` is the class of an entry, `value` its
    sensitive value, `count` how many records of the class have it.
    """

    sizes: Ints
    owner: Ints
    value: Ints
    count: Ints
    overall: Floats  # the share of each sensitive value among all records

    @cached_property
    def records(self) -> int:
        return int(self.sizes.sum())

    def frequent(self, place: int) -> Ints:
        """How often the value at a place of each class occurs, from 0, the more frequent ones first; 0 without one.

        >>> classes_of([[20, 20, 20, 30]], ["flu", "cold", "flu", "flu"]).frequent(1).tolist()
        [1, 0]
        """
        return np.where(
            place < self.distinct, self._by_frequency[np.minimum(self._first + place, len(self.owner) - 1)], 0
        )

    @cached_property
    def _by_frequency(self) -> Ints:
        """The counts of the entries, within each class the largest first."""
        if self.count.dtype.kind != "i":
            return self.count[np.lexsort((-self.count, self.owner))]
        last = self.owner * (int(self.count.max()) + 1)  # one key of whole numbers is sorted in a tenth of the time
        return last - np.sort(last - self.count)

    @cached_property
    def _first(self) -> Ints:
        """The first entry of each class."""
        return np.cumsum(self.distinct) - self.distinct

    @cached_property
    def most(self) -> Ints:
        """How often the most frequent value of each class occurs."""
        return np.maximum.reduceat(self.count, self._first)

    @cached_property
    def distinct(self) -> Ints:
        """How many sensitive values each class has."""
        return np.bincount(self.owner, minlength=len(self.sizes))

    def sums(self, figures: Floats) -> Floats:
        """For each class the sum of `figures`, which has one for each entry."""
        return np.bincount(self.owner, weights=figures, minlength=len(self.sizes)).astype(np.float64, copy=False)


def classes_of(quasi: Sequence[ArrayLike], sensitive: ArrayLike) -> Classes:
    """Divide a table into its classes.

    Values are compared as they are. Raises `InputError` where there is no column or no record.

    >>> classes = classes_of([[20, 20, 30, 30], ["f", "f", "m", "m"]], ["flu", "cold", "flu", "flu"])
    >>> classes.sizes.tolist(), classes.distinct.tolist()
    ([2, 2], [2, 1])
    """
    columns = [np.asarray(column) for column in (*quasi, sensitive)]
    if len(columns) < 2:
        raise InputError("quasi: name at least one column that others may know.")
    if len({len(column) for column in columns}) > 1:
        raise InputError(f"columns: the lengths {', '.join(str(len(column)) for column in columns)} must be the same.")
    if not len(columns[0]):
        raise InputError("The table has no rows.")
    return tally(number_classes(columns[:-1]), _codes(columns[-1]))


def is_suppressed(columns: Sequence[ArrayLike]) -> Bools:
    """Say of each row whether it is suppressed: whether all of its quasi-identifiers are ``*``.

    >>> is_suppressed([["*", "*", "30"], ["*", "f", "m"]]).tolist()
    [True, False, False]
    """
    return np.logical_and.reduce([np.asarray(column, object) == SUPPRESSED for column in columns])


def tally(member: Ints, secret: Ints, overall: Floats | None = None, count: Ints | None = None) -> Classes:
    """Count the sensitive values of every class; `overall` is their share in a larger table that these are a part of.

    `count`: for how many records each of these stands; without it, for itself.

    >>> tally(np.array([0, 0, 1]), np.array([1, 1, 0])).sizes.tolist()
    [2, 1]
    """
    if overall is None:
        overall = shares(secret)
    sizes = count_in_classes(member, count)
    pairs, counts = count_keys(member * len(overall) + secret, len(sizes) * len(overall), count)
    owner, value = np.divmod(pairs, len(overall))
    return Classes(sizes, owner, value, counts, overall)


def count_in_classes(member: Ints, count: Ints | Floats | None, classes: int = 0) -> Ints:
    """The records in each class, of at least so many classes; `count`: for how many records each of these stands.

    >>> count_in_classes(np.array([0, 2, 2]), np.array([5, 1, 2])).tolist()
    [5, 0, 3]
    """
    counts = np.bincount(member, count, classes)
    return counts if count is None else counts.astype(np.int64)  # sums of whole numbers are exact


def shares(secret: Ints) -> Floats:
    """The share of each sensitive value among the records that have one.

    >>> shares(np.array([0, 1, -1, 1, 1])).tolist()
    [0.25, 0.75]
    """
    known = secret[secret >= 0]
    return np.bincount(known) / max(len(known), 1)


def number_classes(columns: Sequence[ArrayLike]) -> Ints:
    """Number the classes of records that are alike in all columns, from 0 and without gaps.

    >>> number_classes([["a", "b", "b"], [1, 1, 1]]).tolist()
    [0, 1, 1]
    """
    member, *others = map(_codes, columns)
    for codes in others:  # made small again after each column, so that no product overflows
        more = int(codes.max(initial=0)) + 1
        member = compact(member * more + codes, (int(member.max(initial=0)) + 1) * more)[0]
    return member


def compact(keys: NDArray[Any], bound: int) -> tuple[Ints, int]:
    """Put numbers without gaps in place of keys below a bound, in their order; and count the different ones.

    >>> numbers, count = compact(np.array([7, 3, 7]), 8)
    >>> numbers.tolist(), count
    ([1, 0, 1], 2)
    """
    if bound > DENSE + SPARSE * len(keys):
        different, numbers = np.unique(keys, return_inverse=True)
        return numbers.astype(np.int64), len(different)
    seen = np.zeros(bound, bool)
    seen[keys] = True
    different = np.flatnonzero(seen)
    places = np.empty(bound, np.int64)
    places[different] = np.arange(len(different))
    return places[keys], len(different)


def count_keys(keys: Ints, bound: int, count: Ints | Floats | None) -> tuple[Ints, Ints]:
    """The different keys below a bound in their order, and how many records have each.

    >>> [one.tolist() for one in count_keys(np.array([7, 3, 7]), 8, np.array([1, 1, 2]))]
    [[3, 7], [1, 3]]
    """
    if bound > DENSE + 4 * len(keys):
        numbers, different = compact(keys, bound)
        firsts = np.empty(different, np.int64)
        firsts[numbers] = keys
        return firsts, count_in_classes(numbers, count)
    counts = np.bincount(keys, count, bound)
    different_keys = np.flatnonzero(counts > 0)  # several times as fast as of the counts themselves
    return different_keys, counts[different_keys].astype(np.int64)


def _codes(column: ArrayLike) -> Ints:
    """Numbers 0, 1, … in place of values; many tables are objects of mixed type, which do not sort."""
    if isinstance(column, list) and set(map(type, column)) == {str}:
        return codes_of_texts(column)[0].astype(np.int64)
    values = np.asarray(column)
    if values.dtype.kind in "bi" and len(values) and values.min() >= 0:
        return compact(values.astype(np.int64), int(values.max()) + 1)[0]
    if values.dtype.kind == "U":
        return codes_of_texts(values.tolist())[0].astype(np.int64)
    if values.dtype.kind == "O":
        return code_values(values)[0]
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def codes_of_texts(column: Sequence[Any]) -> tuple[NDArray[Any], list[str]]:
    """Number the entries of a column in the order of their texts, in few bytes, which sort fast; and list the texts.

    >>> codes_of_texts(["flu", 12, "cold"])
    (array([2, 0, 1], dtype=uint8), ['12', 'cold', 'flu'])
    """
    codes, different = code_values(column)
    places = {text: place for place, text in enumerate(sorted({str(one) for one in different}))}
    numbers = np.array([places[str(one)] for one in different], np.min_scalar_type(len(places)))
    return numbers[codes], list(places)


def code_values(column: ArrayLike) -> tuple[Ints, list[Any]]:
    """Number the different values of a column as they come, and list them.

    >>> codes, values = code_values(["flu", "cold", "flu"])
    >>> codes.tolist(), values
    ([0, 1, 0], ['flu', 'cold'])
    """
    entries = column if isinstance(column, list) else np.asarray(column, object).tolist()
    numbers = defaultdict[Any, int](itertools.count().__next__)  # a new value takes the next number
    return np.fromiter(map(numbers.__getitem__, entries), np.int64, len(entries)), list(numbers)


def is_missing(value: Any) -> bool:
    """Whether a cell is empty, or has blanks alone: people who read the table see nothing there.

    >>> [is_missing(value) for value in (None, "", " ", 0)]
    [True, True, True, False]
    """
    return value is None or not str(value).strip()


def require_values(column: Sequence[Any], name: str) -> None:
    """Refuse a sensitive column in which everything is missing."""
    if len(column) and all(map(is_missing, set(column))):
        raise InputError(f"The column {name!r} has no values, so nothing can be learned of it.")


def encode(column: Sequence[Any], values: Sequence[Any]) -> Ints:
    """Return the place of each entry of a column among the values; −1 of what is missing.

    >>> encode(["flu", "", "cold"], ["cold", "flu"]).tolist()
    [1, -1, 0]
    """
    places = {value: place for place, value in enumerate(values)}
    codes, different = code_values(column)
    return np.array([-1 if is_missing(value) else places[value] for value in different], np.int64)[codes]


def read_table(path: str | Path) -> dict[str, NDArray[np.str_]]:
    """Read a CSV file into its columns, values as they are written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("age,disease\\n31,flu\\n32,cold\\n")
    ...     read_table(f"{folder}/people.csv")["age"].tolist()
    ['31', '32']
    """
    return {name: np.array(column, dtype=str) for name, column in read_text_columns(path).items()}


def read_text_columns(path: str | Path) -> dict[str, list[str]]:
    """Read a CSV file into its columns, as lists.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("age,disease\\n31,flu\\n32,cold\\n")
    ...     read_text_columns(f"{folder}/people.csv")
    {'age': ['31', '32'], 'disease': ['flu', 'cold']}
    """
    names, rows = read_csv(path)
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


def as_csv(columns: Mapping[str, Sequence[str]]) -> bytes:
    """Write columns of one length as CSV in UTF-8 with a header, rows ending as RFC 4180 has it.

    >>> as_csv({"age": ["30-39", "30-39"], "disease": ["flu", "cold"]})
    b'"age","disease"\\r\\n"30-39","flu"\\r\\n"30-39","cold"\\r\\n'
    """
    return csv_text([columns, *zip(*columns.values(), strict=True)], "\r\n").encode()


def texts_of(frame: DataFrame | Columns, name: str = "frame") -> Columns:
    """The columns of a DataFrame as lists of texts, as a CSV file holds them; columns of texts as they are."""
    if isinstance(frame, Mapping):
        return frame
    table = arguments.frame(frame, name)
    return {str(one): [cell_text(value) for value in arguments.column(table[one]).tolist()] for one in table.columns}


def cell_text(value: Any) -> str:
    """A value as a CSV file holds it: nothing where it is missing.

    >>> cell_text(31), cell_text(None)
    ('31', '')
    """
    return "" if value is None or value != value else str(value)
