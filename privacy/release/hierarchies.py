"""Generalisation hierarchies: for every value of an attribute the ever coarser labels that may stand in its place.

After Samarati (2001): the labels of a level are a domain, each level generalises the one below it, and the last one has
a single label. The labels form a tree, so that each has one parent. Level 0 is the value itself.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Ints
from privacy.design.reading import quote
from privacy.errors import EntryError, InputError
from privacy.files import read_text
from privacy.records.csv_rows import csv_rows, what_is_wrong
from privacy.release.codes import code_values
from privacy.release.reasons import ReleaseError

ROOT = "*"
MISSING = ""  # of a value that nobody gave: it stays one until the root


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
        return len(self.labels) - 1

    @cached_property
    def codes(self) -> Mapping[str, int]:
        return {value: place for place, value in enumerate(self.labels[0])}

    def encode(self, column: Sequence[str] | NDArray[Any], name: str) -> Ints:
        """Return the places of the values of a column.

        Raises `InputError` where a value does not stand in the hierarchy; the sentence names it and where it is
        missing.
        """
        places, values = code_values(column)
        missing = next((value for value in values if value not in self.codes), None)
        if missing is not None:
            raise ReleaseError("missing", at=self.source, value=quote(missing), column=quote(name))
        return np.array([self.codes[value] for value in values], np.int64)[places]


def by_rows(rows: Iterable[Sequence[str]], source: str) -> Hierarchy:
    """Build a hierarchy from a row per value: the value, its label on level 1, and so on.

    Refusals name their `source`: a row of another length, a value that stands twice, a label with two parents, no
    single root.

    >>> sizes = by_rows([["s", "small", "*"], ["m", "small", "*"], ["xl", "large", "*"]], "sizes")
    >>> sizes.height, sizes.labels[1]
    (2, ('small', 'large'))
    """
    table = [tuple(row) for row in rows]
    if not table:
        raise EntryError("the hierarchy has no rows.", at=source)
    for row in table:
        if not all(isinstance(label, str) for label in row):
            raise InputError(f"{source}: the row {quote(list(row))} holds a cell that is not text.")
        if len(row) != len(table[0]):
            raise EntryError(
                "the row of {value} has {own} levels, and the first row has {first}.",
                at=source, value=quote(row[0] if row else ""), own=len(row), first=len(table[0]),
            )  # fmt: skip
    if len(table[0]) < 2:
        raise EntryError("the hierarchy has no level above its values; it needs at least the root.", at=source)
    labels, places = [], []
    for level, column in enumerate(zip(*table, strict=True)):
        numbers: dict[str, int] = {}
        places.append(np.array([numbers.setdefault(label, len(numbers)) for label in column], np.int64))
        labels.append(tuple(numbers))
        if level == 0 and len(numbers) < len(table):
            twice = Counter(column).most_common(1)[0][0]
            raise EntryError("the value {value} appears twice.", at=source, value=quote(twice))
    for level, (below, above) in enumerate(pairwise(places)):
        first = np.unique(below, return_index=True)[1]  # the first value under each label
        astray = above != above[first][below]
        if astray.any():
            value = int(astray.argmax())
            label = quote(labels[level][below[value]])
            one, other = (quote(labels[level + 1][above[row]]) for row in (first[below[value]], value))
            raise EntryError(
                "{label} of level {level} is under both {one} and {other}; a label must have one parent.",
                at=source, label=label, level=level, one=one, other=other,
            )  # fmt: skip
    if len(labels[-1]) > 1:
        raise EntryError(
            "the last level has {one} and {other}; it needs a single root, such as {root}.",
            at=source, one=quote(labels[-1][0]), other=quote(labels[-1][1]), root=ROOT,
        )  # fmt: skip
    return Hierarchy(tuple(labels), tuple(places), source)


def read_hierarchy(path: str | Path) -> Hierarchy:
    """Read a hierarchy from a CSV file without a header: ``value;level1;…``, as ARX writes it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "towns.csv").write_text("Ulm;south;*\\nBonn;west;*\\n")
    ...     read_hierarchy(f"{folder}/towns.csv").height
    2
    """
    return by_text(read_text(path), str(path))


def by_text(text: str, source: str) -> Hierarchy:
    """Build a hierarchy from the text of a CSV file as `read_hierarchy` reads it.

    >>> by_text("Ulm;south;*\\nBonn;west;*", "towns").labels[1]
    ('south', 'west')
    """
    try:
        rows = list(csv_rows(text, ";"))
    except csv.Error as error:
        raise InputError(f"{source}: this is not CSV, {what_is_wrong(error)}.") from error
    return by_rows([row for row in rows if row], source)


def by_tree(tree: Mapping[str, Any], source: str) -> Hierarchy:
    """Build a hierarchy from a tree: a label with the labels under it, down to lists of values.

    A branch that is shorter than another repeats its lowest label.
    """
    if len(tree) != 1:
        raise InputError(f"{source}: a tree must have one root; this one has {len(tree)}.")
    paths = list(_paths(tree, (), source))
    longest = max(map(len, paths))
    return by_rows([[path[-1], *[path[-2]] * (longest - len(path)), *path[-2::-1]] for path in paths], source)


def _paths(tree: Any, above: tuple[str, ...], source: str) -> Iterable[tuple[str, ...]]:
    """Yield for each value the labels from the root down to it."""
    if isinstance(tree, Mapping):
        for label, below in tree.items():
            yield from _paths(below, (*above, label), source)
    elif isinstance(tree, list | tuple):
        for value in tree:
            if not isinstance(value, str):
                raise InputError(f"{source}: {quote(value)} is not a value; a tree ends in lists of texts.")
            yield (*above, value)
    else:
        raise InputError(f"{source}: {quote(tree)} is neither a branch nor a list of values.")


def by_truncation(values: Iterable[str], lengths: Sequence[int], source: str) -> Hierarchy:
    """Build a hierarchy that keeps fewer leading characters on each level, for post codes and dates; 0 gives ``*``.

    A level that would change no value is left out.

    >>> by_truncation(["02138", "02141"], [4, 3], "zip").labels
    (('02138', '02141'), ('0213', '0214'), ('021',), ('*',))
    """
    if not all(isinstance(length, int) and not isinstance(length, bool) and length >= 0 for length in lengths):
        raise InputError(f"{source}: {quote(list(lengths))} is not a list of how many characters each level keeps.")
    for one, other in pairwise(lengths):
        if other >= one:
            raise EntryError("{other} characters after {one} are not fewer.", at=source, other=other, one=one)
    different = list(dict.fromkeys(values))
    longest = max(map(len, different), default=0)
    kept = [length for length in lengths if 0 < length < longest]
    return by_rows([[value, *(value[:length] for length in kept), ROOT] for value in different], source)
