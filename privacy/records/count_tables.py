"""Tables of few items each, as a database counts them: any few items are together in one of them.

The items are in groups, and a table has the items of some groups. A row is `table, cell, count`. A table is named by
the numbers of its items in the design, from 1; its cell is a number whose lowest digit is the direct group, followed by
a digit for each item: the place of its option, or after the last one that it was not asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from math import log2, prod
from typing import Any

import numpy as np

from privacy.design import Design
from privacy.design.fields import Field
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.records.counts import CELL, COLUMNS, COUNT, MOST, TABLE, has_count_tables, texts_of, whole_numbers
from privacy.records.records import DIRECT, NO_RECORDS, Records, pieces, record_blocks

WRONG = "wrong"  # the name of a table of records that the design cannot have
MOST_CELLS = 4096  # of a table, unless its items have more by themselves; the direct group doubles them
LARGEST_CELL = 2**53  # number that floats tell apart


def columns_of_tables(design: Design, length: int) -> list[tuple[int, ...]]:
    """The columns of each table, so that any `length` items that have options are together in one.

    Items of a block whose records are read whole stay together. Numbers and places are in no table.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": [f"q{number}" for number in range(20)]})
    >>> len(columns_of_tables(design, 2)), columns_of_tables(design, 1)[1]
    (6, (12, 13, 14, 15, 16, 17, 18, 19))
    """
    groups: list[list[int]] = []
    room = 0.0
    for unit in _units(design):
        need = sum(log2(design.fields[column].value_count) for column in unit)
        if need > room + 1e-9 or not groups:
            groups.append([])
            room = log2(MOST_CELLS) / length
        groups[-1] += unit
        room -= need
    together = combinations(groups, min(length, len(groups)))
    return [tuple(sorted(chain(*some))) for some in together if some]


def _units(design: Design) -> Iterator[list[int]]:
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        columns = [first + inside for inside, item in enumerate(block.items) if item.has_options]
        yield from [columns] if columns and block.patterns.by_record is not None else ([column] for column in columns)


def name_of_table(columns: Sequence[int]) -> str:
    """How the rows of a table name it.

    >>> name_of_table([0, 4])
    '1 5'
    """
    return " ".join(str(column + 1) for column in columns)


def fields_of_table(design: Design, columns: Sequence[int]) -> list[Field]:
    """What the digits of a cell say, the lowest first.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> [field.name for field in fields_of_table(design, [0])]
    ['direct', 'drugs']
    """
    return [DIRECT, *(design.fields[column] for column in columns)]


@dataclass(frozen=True, eq=False)
class CountTable:
    """One table: the number of each cell in which there are records, and how many these are."""

    design: Design
    columns: tuple[int, ...]
    cells: np.ndarray
    counts: np.ndarray

    @property
    def rows(self) -> tuple[Records, np.ndarray]:
        """A record for each cell, as if nobody had been asked the other items, and how many there are."""
        codes = np.full((len(self.cells), len(self.design.items)), self.design.not_asked, self.design.code_type)
        rest, digits = np.divmod(self.cells, 2)
        for column in self.columns:
            field = self.design.fields[column]
            rest, place = np.divmod(rest, field.value_count)
            codes[:, column] = np.where(place == field.size, self.design.not_asked, place)
        return Records(self.design, codes, digits == 1), self.counts

    @cached_property
    def by_powers_of_two(self) -> list[Records]:
        """The records of `rows` whose number has each bit, from the highest bit to the lowest."""
        records, counts = self.rows
        inside = (counts >> bit & 1 == 1 for bit in reversed(range(int(counts.max()).bit_length())))
        return [Records(self.design, records.codes[here], records.direct[here]) for here in inside]

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """How many people answered disguised, and how many directly."""
        direct = int(self.counts[self.cells % 2 == 1].sum())
        return int(self.counts.sum()) - direct, direct


@dataclass(frozen=True, eq=False)
class CountTables:
    """All tables of some records."""

    design: Design
    tables: tuple[CountTable, ...]

    @cached_property
    def _holders(self) -> np.ndarray:
        """Which tables hold each column, as bits: columns × bytes."""
        held = [[column in table.columns for table in self.tables] for column in range(len(self.design.items))]
        return np.packbits(held, axis=1)

    def places(self, columns: np.ndarray) -> np.ndarray:
        """For each row of columns the first table that holds them all; refused where none does."""
        common = np.unpackbits(np.bitwise_and.reduce(self._holders[columns], axis=1), axis=1)
        if not (found := common.any(axis=1)).all():
            self._refuse(columns[int(found.argmin())])
        return common.argmax(axis=1)

    def holding(self, columns: Sequence[int]) -> CountTable:
        """The first table that holds all these columns; refused where none does."""
        return self.tables[int(self.places(np.array([columns]))[0])] if columns else self.tables[0]

    def require_length(self, length: int) -> None:
        """Refuse tables in which some items, so many or fewer, are not together."""
        held = self._holders[[column for unit in _units(self.design) for column in unit]]
        groups = np.unique(held, axis=0)  # of items that are in the same tables
        for some in combinations(range(len(groups)), min(length, len(groups))):
            if not np.bitwise_and.reduce(groups[[*some]]).any():
                items = [int((self._holders == groups[group]).all(axis=1).argmax()) for group in some]
                self._refuse(np.array(items))

    def without_direct(self) -> "CountTables":
        own = ((table, table.cells % 2 == 0) for table in self.tables)
        return replace(self, tables=tuple(replace(t, cells=t.cells[here], counts=t.counts[here]) for t, here in own))

    def _refuse(self, columns: np.ndarray) -> None:
        items = ", ".join(repr(self.design.items[column].id) for column in sorted(columns.tolist()))
        raise InputError(
            f"counts: no table has {items} together; take a larger `candor sql --length`, or ask for fewer items."
        )


def read_count_tables(path: Any, design: Design) -> CountTables | None:
    """Read the tables that the statement of `candor sql --length` counts; None where a file has something else.

    >>> import tempfile
    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("table,cell,count\\n1,2,40\\n1,0,60\\n")
    ...     file.flush()
    ...     tables = read_count_tables(file.name, design)
    >>> tables.tables[0].sizes, tables.tables[0].rows[0].codes.tolist()
    ((100, 0), [[0], [1]])
    """
    import pandas as pd

    parts: list[tuple[np.ndarray, ...]] = []
    for block in record_blocks(path):
        if not has_count_tables(block):
            return None
        for piece in pieces(block, [], True, COLUMNS):
            names = texts_of(piece, TABLE).fillna("").astype(str).to_numpy(object)
            counts = whole_numbers(piece, COUNT, 1, MOST)
            if (wrong := texts_of(piece, CELL).isna().to_numpy() | (names == WRONG)).any():
                raise InputError(
                    f"{block.path}: {counts[wrong][0]} of the counted records have a value that is no answer, or not "
                    "as many answers as the design asks."
                )
            parts.append((names, whole_numbers(piece, CELL, 0, LARGEST_CELL), counts))
    if not parts or not sum(len(part[0]) for part in parts):
        raise InputError(NO_RECORDS)
    texts, cells, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    place, different = pd.factorize(texts)
    order = np.argsort(place, kind="stable")
    each = np.split(order, np.flatnonzero(np.diff(place[order])) + 1)
    tables = [_table(path, design, name, cells[own], counts[own]) for name, own in zip(different, each, strict=True)]
    if other := next((table for table in tables if table.sizes != tables[0].sizes), None):
        first, second = (f"{sum(one.sizes)} records, {one.sizes[1]} of them direct" for one in (tables[0], other))
        raise InputError(
            f"{path}: table {different[0]!r} counts {first}, and table {name_of_table(other.columns)!r} {second}; both "
            "must be counts of the same records."
        )
    return CountTables(design, tuple(tables))


def _table(path: Any, design: Design, name: str, cells: np.ndarray, counts: np.ndarray) -> CountTable:
    """The table of these rows; cells that are counted several times, by several databases perhaps, add up."""
    columns = tuple(int(text) - 1 if text.isdecimal() else -1 for text in name.split(" "))
    units = [unit for unit in _units(design) if {*unit} & {*columns}]
    if sorted(chain(*units)) != [*columns]:
        raise InputError(f"{path}: {quote(name)} is not the name of a table of this design.")
    most = prod(field.value_count for field in fields_of_table(design, columns))
    wrong = (cells >= most) | ((cells % 2 == 1) & (not design.direct))
    if wrong.any():
        raise InputError(f"{path}: table {name!r}: {cells[wrong][0]} is not the number of one of its cells.")
    different, place = np.unique(cells, return_inverse=True)
    return CountTable(design, columns, different, np.bincount(place, counts).astype(np.int64))
