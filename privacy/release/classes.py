"""The classes of a table: records that are alike in everything that others may know."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privacy.errors import InputError

__all__ = ["SUPPRESSED", "Classes", "classes_of", "numbered", "tally"]

SUPPRESSED = "*"
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Classes:
    """For every class its size, and how often each sensitive value occurs in it: one entry per value that does.

    Entries stand class by class, and within one the more frequent values first: `owner` is the class of an entry,
    `value` its sensitive value, `count` how many records of the class have it.
    """

    sizes: Ints
    owner: Ints
    value: Ints
    count: Ints
    suppressed: int  # records that are in no class
    overall: Floats  # the share of each sensitive value among all records

    @cached_property
    def records(self) -> int:
        """How many records are in classes."""
        return int(self.sizes.sum())

    @cached_property
    def rank(self) -> Ints:
        """The place of each entry in its class, from 0."""
        first = np.searchsorted(self.owner, np.arange(len(self.sizes)))
        return np.arange(len(self.owner)) - first[self.owner]

    @cached_property
    def distinct(self) -> Ints:
        """How many sensitive values each class has."""
        return np.bincount(self.owner, minlength=len(self.sizes))

    def sums(self, figures: Floats) -> Floats:
        """The sum over the entries of each class."""
        return np.bincount(self.owner, weights=figures, minlength=len(self.sizes)).astype(np.float64, copy=False)


def classes_of(quasi: Sequence[ArrayLike], sensitive: ArrayLike) -> Classes:
    """Divide a table into its classes.

    Parameters
    ----------
    quasi : sequence of array
        The columns that others may know. Values are compared as they are.
    sensitive : array
        The column that they may not learn.

    Returns
    -------
    Classes

    Raises
    ------
    InputError
        Where there is no column or no record, or every record is suppressed.

    Examples
    --------
    >>> classes = classes_of([[20, 20, 30, 30], ["f", "f", "m", "m"]], ["flu", "cold", "flu", "flu"])
    >>> classes.sizes.tolist(), classes.distinct.tolist()
    ([2, 2], [2, 1])
    """
    columns = [np.asarray(column) for column in (*quasi, sensitive)]
    if len(columns) < 2:
        raise InputError("quasi: name at least one column that others may know.")
    if len({len(column) for column in columns}) > 1:
        raise InputError(f"columns: lengths {', '.join(str(len(column)) for column in columns)} are not one.")
    if not len(columns[0]):
        raise InputError("The table has no rows.")
    hidden = np.logical_and.reduce([column == SUPPRESSED for column in columns[:-1]])
    if np.all(hidden):
        raise InputError("Every row of the table is suppressed; there is nothing to measure.")
    secret = _codes(columns[-1])
    shown = np.broadcast_to(~np.asarray(hidden), secret.shape)
    return tally(numbered([column[shown] for column in columns[:-1]]), secret[shown], secret)


def tally(member: Ints, secret: Ints, all_secrets: Ints | None = None) -> Classes:
    """Count the sensitive values of every class.

    Parameters
    ----------
    member : array of int
        The class of each record that is shown, from 0 and without gaps.
    secret : array of int
        The code of its sensitive value, from 0.
    all_secrets : array of int, optional
        The same of all records, if some are suppressed.

    Returns
    -------
    Classes
    """
    everyone = secret if all_secrets is None else all_secrets
    overall = np.bincount(everyone) / len(everyone)
    pairs, count = np.unique(member * len(overall) + secret, return_counts=True)
    owner, value = np.divmod(pairs, len(overall))
    order = np.lexsort((value, -count, owner))
    return Classes(np.bincount(member), owner[order], value[order], count[order], len(everyone) - len(secret), overall)


def numbered(columns: Sequence[ArrayLike]) -> Ints:
    """Number the classes of records that are alike in all columns.

    Parameters
    ----------
    columns : sequence of array
        At least one. Values are compared as they are.

    Returns
    -------
    array of int
        The class of each record, from 0 and without gaps.

    Examples
    --------
    >>> numbered([["a", "b", "b"], [1, 1, 1]]).tolist()
    [0, 1, 1]
    """
    member, *others = (_codes(np.asarray(column)) for column in columns)
    for codes in others:  # made small again after each column, so that no product overflows
        member = _codes(member * (int(codes.max(initial=0)) + 1) + codes)
    return member


def _codes(column: NDArray[Any]) -> Ints:
    """Numbers 0, 1, … in place of values; many tables are objects of mixed type, which do not sort."""
    if column.dtype == object:
        numbers: dict[Any, int] = {}
        return np.fromiter((numbers.setdefault(value, len(numbers)) for value in column), np.int64, len(column))
    return np.unique(column, return_inverse=True)[1].astype(np.int64)
