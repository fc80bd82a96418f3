"""Generalisation hierarchies: for every value of an attribute the ever coarser labels that may stand in its place.

After Samarati (2001): the labels of a level are a domain, each level generalises the one below it, and the last one has
a single label. The labels form a tree, so that each has one parent. Level 0 is the value itself.
"""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.design.reading import shown
from privacy.errors import InputError
from privacy.records.files import read_text

__all__ = ["ROOT", "Hierarchy", "by_ranges", "by_rows", "by_tree", "by_truncation", "read_hierarchy", "suggested"]

ROOT = "*"
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The labels of each level, and for every value which of them stands in its place.

    `labels[0]` are the values; `places[level][value]` is the place of the value's label in `labels[level]`.
    """

    labels: tuple[tuple[str, ...], ...]
    places: tuple[Ints, ...]
    source: str

    @property
    def height(self) -> int:
        """The last level."""
        return len(self.labels) - 1

    @cached_property
    def codes(self) -> Mapping[str, int]:
        """The place of every value."""
        return {value: place for place, value in enumerate(self.labels[0])}

    def coded(self, column: Sequence[str] | NDArray[Any], name: str) -> Ints:
        """Return the places of the values of a column.

        Parameters
        ----------
        column : sequence of str
            The values of an attribute.
        name : str
            Of the attribute, for the refusal.

        Returns
        -------
        array of int

        Raises
        ------
        InputError
            Where a value does not stand in the hierarchy; the sentence names it and where it is missing.
        """
        import pandas as pd  # sorts nothing, and so is many times as fast as numpy's unique on texts

        places, values = pd.factorize(np.asarray(column, object))
        missing = next((value for value in values if value not in self.codes), None)
        if missing is not None:
            raise InputError(f"{self.source}: the value {shown(missing)} of the column {shown(name)} is missing.")
        return np.array([self.codes[value] for value in values], np.int64)[places]

    def leaves(self, level: int) -> Ints:
        """How many values each label of a level covers."""
        return np.bincount(self.places[level], minlength=len(self.labels[level]))


def by_rows(rows: Iterable[Sequence[str]], source: str) -> Hierarchy:
    """Build a hierarchy from a row per value: the value, its label on level 1, and so on.

    Parameters
    ----------
    rows : iterable of sequence of str
        As ARX writes them to CSV: ``["34", "30-39", "*"]``.
    source : str
        Where the rows come from, for the refusals.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        Where a row is of another length, a value stands twice, a label has two parents, or there is no single root.

    Examples
    --------
    >>> sizes = by_rows([["s", "small", "*"], ["m", "small", "*"], ["xl", "large", "*"]], "sizes")
    >>> sizes.height, sizes.labels[1]
    (2, ('small', 'large'))
    """
    table = [tuple(row) for row in rows]
    if not table:
        raise InputError(f"{source}: the hierarchy has no rows.")
    for row in table:
        if not all(isinstance(label, str) for label in row):
            raise InputError(f"{source}: the row {shown(list(row))} holds what is no text.")
        if len(row) != len(table[0]):
            raise InputError(
                f"{source}: the row of {shown(row[0] if row else '')} has {len(row)} levels, and the first row "
                f"has {len(table[0])}."
            )
    if len(table[0]) < 2:
        raise InputError(f"{source}: the hierarchy has no level above its values; it needs at least the root.")
    labels, places = [], []
    for level, column in enumerate(zip(*table, strict=True)):
        numbers: dict[str, int] = {}
        places.append(np.array([numbers.setdefault(label, len(numbers)) for label in column], np.int64))
        labels.append(tuple(numbers))
        if level == 0 and len(numbers) < len(table):
            twice = next(value for place, value in enumerate(column) if value in column[:place])
            raise InputError(f"{source}: the value {shown(twice)} stands twice.")
    for level, (below, above) in enumerate(pairwise(places)):
        first = np.unique(below, return_index=True)[1]  # the first value under each label
        astray = above != above[first][below]
        if astray.any():
            value = int(astray.argmax())
            label = shown(labels[level][below[value]])
            one, other = (shown(labels[level + 1][above[row]]) for row in (first[below[value]], value))
            raise InputError(
                f"{source}: {label} of level {level} stands under {one} and under {other}; a label has one parent."
            )
    if len(labels[-1]) > 1:
        raise InputError(
            f"{source}: the last level has {shown(labels[-1][0])} and {shown(labels[-1][1])}; it needs a single "
            f"root, such as {ROOT}."
        )
    return Hierarchy(tuple(labels), tuple(places), source)


def read_hierarchy(path: str | Path) -> Hierarchy:
    """Read a hierarchy from a CSV file without a header: ``value;level1;…``, as ARX writes it.

    Parameters
    ----------
    path : str or Path
        UTF-8, with semicolons between the levels.

    Returns
    -------
    Hierarchy
    """
    try:
        rows = list(csv.reader(io.StringIO(read_text(path), newline=""), delimiter=";", strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: this is no CSV, {error}.") from error
    return by_rows([row for row in rows if row], str(path))


def by_tree(tree: Mapping[str, Any], source: str) -> Hierarchy:
    """Build a hierarchy from a tree: a label with the labels under it, down to lists of values.

    A branch that is shorter than another repeats its lowest label.

    Parameters
    ----------
    tree : mapping
        One root, such as ``{"*": {"spouse": ["Married"], "no spouse": ["Divorced", "Widowed"]}}``.
    source : str
        Where the tree comes from, for the refusals.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> by_tree({"*": {"Europe": ["France"], "Asia": {"East": ["Japan"]}}}, "countries").labels[1]
    ('Europe', 'East')
    """
    if len(tree) != 1:
        raise InputError(f"{source}: a tree has one root, and this one has {len(tree)}.")
    paths = list(_paths(tree, (), source))
    longest = max(map(len, paths))
    return by_rows([[path[-1], *[path[-2]] * (longest - len(path)), *path[-2::-1]] for path in paths], source)


def _paths(tree: Any, above: tuple[str, ...], source: str) -> Iterable[tuple[str, ...]]:
    """The way from the root to every value."""
    if isinstance(tree, Mapping):
        for label, below in tree.items():
            yield from _paths(below, (*above, label), source)
    elif isinstance(tree, list | tuple):
        for value in tree:
            if not isinstance(value, str):
                raise InputError(f"{source}: {shown(value)} is not a value; a tree ends in lists of texts.")
            yield (*above, value)
    else:
        raise InputError(f"{source}: {shown(tree)} is neither a branch nor a list of values.")


def by_truncation(values: Iterable[str], lengths: Sequence[int], source: str) -> Hierarchy:
    """Build a hierarchy that keeps ever fewer leading characters, as of post codes and dates; 0 gives ``*``.

    Parameters
    ----------
    values : iterable of str
        The values of the attribute.
    lengths : sequence of int
        How many characters each level keeps, falling. A level that would change no value is left out.
    source : str
        For the refusals.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> by_truncation(["12300", "12345"], [5, 3, 0], "zip").labels
    (('12300', '12345'), ('123',), ('*',))
    """
    if not all(isinstance(length, int) and not isinstance(length, bool) and length >= 0 for length in lengths):
        raise InputError(f"{source}: {shown(list(lengths))} is not a list of how many characters each level keeps.")
    for one, other in pairwise(lengths):
        if other >= one:
            raise InputError(f"{source}: {other} characters after {one} are not fewer.")
    different = list(dict.fromkeys(values))
    longest = max(map(len, different), default=0)
    kept = [length for length in lengths if 0 < length < longest]
    return by_rows([[value, *(value[:length] for length in kept), ROOT] for value in different], source)


def by_ranges(values: Iterable[str], breaks: Sequence[Sequence[float | Decimal]], source: str) -> Hierarchy:
    """Build a hierarchy of ranges for numbers: each level has its break points, among those of the level below.

    Parameters
    ----------
    values : iterable of str
        The values of the attribute, numbers as they are written.
    breaks : sequence of sequence of number
        The break points of each level, rising. A range holds its lower end and not its upper one; the last range of
        a level holds both.
    source : str
        For the refusals.

    Returns
    -------
    Hierarchy
        Labels are ``[20, 40)`` and, of the last range, ``[40, 80]``.

    Examples
    --------
    >>> by_ranges(["5", "20", "80"], [[0, 20, 40, 80], [0, 80]], "income").labels[1]
    ('[0, 20)', '[20, 40)', '[40, 80]')
    """
    if not breaks:
        raise InputError(f"{source}: ranges need at least one level of break points.")
    levels = [_break_points(points, source) for points in breaks]
    for one, other in pairwise(levels):
        stray = [point for point in other if point not in one]
        if stray:
            raise InputError(f"{source}: {_written(stray[0])} is no break point of the level below.")
        if (other[0], other[-1]) != (one[0], one[-1]):
            raise InputError(f"{source}: every level goes from {_written(one[0])} to {_written(one[-1])}.")
    different = list(dict.fromkeys(values))
    numbers = [_number(value, source) for value in different]
    low, high = levels[0][0], levels[0][-1]
    for value, number in zip(different, numbers, strict=True):
        if not low <= number <= high:
            raise InputError(f"{source}: the value {shown(value)} is outside {_written(low)} to {_written(high)}.")
    rows = []
    for value, number in zip(different, numbers, strict=True):
        above = [_range(points, number) for points in levels]
        rows.append([value, *above, *([ROOT] if len(levels[-1]) > 2 else [])])
    hierarchy = by_rows(rows, source)
    return _in_order(hierarchy, numbers)


def _break_points(points: Any, source: str) -> list[Decimal]:
    if not isinstance(points, Sequence) or isinstance(points, str) or len(points) < 2:
        raise InputError(f"{source}: {shown(points)} is not a list of at least two break points.")
    numbers = [_number(point, source) for point in points]
    for one, other in pairwise(numbers):
        if other <= one:
            raise InputError(f"{source}: the break point {_written(other)} after {_written(one)} does not rise.")
    return numbers


def _number(value: Any, source: str) -> Decimal:
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        number = Decimal("nan")
    if isinstance(value, bool) or not number.is_finite():
        raise InputError(f"{source}: {shown(value)} is not a number.")
    return number


def _range(points: Sequence[Decimal], number: Decimal) -> str:
    place = next((place for place, end in enumerate(points[1:]) if number < end), len(points) - 2)
    closing = "]" if place == len(points) - 2 else ")"
    return f"[{_written(points[place])}, {_written(points[place + 1])}{closing}"


def _written(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _in_order(hierarchy: Hierarchy, numbers: Sequence[Decimal]) -> Hierarchy:
    """The same hierarchy with its values and labels from the smallest to the largest."""
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    rows = [
        [hierarchy.labels[level][places[value]] for level, places in enumerate(hierarchy.places)] for value in order
    ]
    return by_rows(rows, hierarchy.source)


def suggested(values: Iterable[str], source: str) -> Hierarchy:
    """Propose a hierarchy for a column: ranges of numbers, truncated dates and codes, else the value or nothing.

    Parameters
    ----------
    values : iterable of str
        The values of the attribute.
    source : str
        What to call the hierarchy in refusals.

    Returns
    -------
    Hierarchy
        To be looked at before it is used: only people know which values belong together.

    Examples
    --------
    >>> suggested(["1999-02-03", "2001-12-24"], "born").labels[1:]
    (('1999-02', '2001-12'), ('1999', '2001'), ('*',))
    >>> suggested(["red", "green"], "colour").labels[1:]
    (('*',),)
    """
    different = sorted(dict.fromkeys(values))
    lengths = set(map(len, different))
    if lengths == {10} and all(value[4] == value[7] == "-" and value.replace("-", "").isdigit() for value in different):
        return by_truncation(different, [7, 4, 0], source)
    if len(lengths) == 1 and min(lengths) >= 4 and all(map(str.isdigit, different)):
        return by_truncation(different, [*range(min(lengths) - 1, 0, -1), 0], source)
    try:
        numbers = [_number(value, source) for value in different]
    except InputError:
        return by_rows([[value, ROOT] for value in different], source)
    return by_ranges(different, _doubling(min(numbers), max(numbers)), source)


def _doubling(low: Decimal, high: Decimal) -> list[list[Decimal]]:
    """Break points of about eight ranges of a round width, then of twice that width, up to one range."""
    wanted = (high - low) / 8 or Decimal(1)
    power = Decimal(10) ** wanted.adjusted()
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= wanted)
    first = math.floor(low / width)
    count = 1
    while (first + count) * width < high:
        count *= 2
    ends = [width * (first + place) for place in range(count + 1)]
    return [ends[:: 1 << level] for level in range(count.bit_length())]
