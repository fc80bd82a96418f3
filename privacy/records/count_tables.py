"""Tables of few items each, as a database counts them: any few items are together in one of them.

The items are in groups, and a table has the items of some groups. A row is `table, cell, count`. A table is named by
the numbers of its items in the design, from 1; its cell is a number whose lowest digit is the direct group, followed by
a digit for each item: the place of its option, or after the last one that it was not asked.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from math import log2, prod
from typing import TYPE_CHECKING

import numpy as np

from privacy.design import Design
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.files import FileBlock
from privacy.records.counts import CELL, COLUMNS, COUNT, MOST, TABLE, texts_of, whole_numbers
from privacy.records.parquet import ParquetPart
from privacy.records.records import NO_RECORDS, Records, pieces

if TYPE_CHECKING:
    import pandas as pd

WRONG = "wrong"  # the name of a table of records that the design cannot have
MOST_CELLS = 4096  # of a table, unless its items have more by themselves; the direct group doubles them


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
        if need > room + 1e-9:
            groups.append([])
            room = log2(MOST_CELLS) / length
        groups[-1] += unit
        room -= need
    return [tuple(sorted(chain(*some))) for some in combinations(groups, min(length, len(groups))) if some]


def _units(design: Design) -> Iterator[list[int]]:
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        columns = [first + inside for inside, item in enumerate(block.items) if item.has_options]
        yield from [columns] if columns and block.patterns.by_record is not None else ([column] for column in columns)


@dataclass(frozen=True, eq=False)
class CountTable:
    """One table: a record for each cell, as if nobody had been asked the other items, and how many people these are."""

    columns: tuple[int, ...]
    records: Records
    counts: np.ndarray

    @cached_property
    def by_powers_of_two(self) -> list[Records]:
        """The records whose number has each bit, from the highest bit to the lowest."""
        bits = reversed(range(int(self.counts.max()).bit_length()))
        return [self.select(self.counts >> bit & 1 == 1).records for bit in bits]

    @cached_property
    def sizes(self) -> list[int]:
        """How many people answered disguised, and how many directly."""
        return np.bincount(self.records.direct, self.counts, 2).astype(int).tolist()

    def select(self, rows: np.ndarray) -> "CountTable":
        some = Records(self.records.design, self.records.codes[rows], self.records.direct[rows])
        return CountTable(self.columns, some, self.counts[rows])


@dataclass(frozen=True, eq=False)
class CountTables:
    """All tables of some records."""

    design: Design
    tables: tuple[CountTable, ...]

    @cached_property
    def _holders(self) -> np.ndarray:
        """Which tables hold each column, as bits: columns × bytes."""
        return np.packbits([[column in table.columns for table in self.tables] for column in self._columns], axis=1)

    @property
    def _columns(self) -> range:
        return range(len(self.design.items))

    def places(self, columns: np.ndarray) -> np.ndarray:
        """For each row of columns the first table that holds them all; refused where none does."""
        common = np.unpackbits(np.bitwise_and.reduce(self._holders[columns], axis=1), axis=1)
        if not (found := common.any(axis=1)).all():
            items = ", ".join(repr(self.design.items[column].id) for column in columns[found.argmin()])
            raise InputError(
                f"counts: no table has {items} together; take a larger `candor sql --length`, or ask for fewer items."
            )
        return common.argmax(axis=1)

    def holding(self, columns: Sequence[int]) -> CountTable:
        """The first table that holds all these columns; refused where none does."""
        return self.tables[int(self.places(np.array([columns]))[0])] if columns else self.tables[0]

    def require_length(self, length: int) -> None:
        """Refuse tables in which some items, so many or fewer, are not together."""
        columns = np.array([column for unit in _units(self.design) for column in unit])
        first = columns[np.unique(self._holders[columns], axis=0, return_index=True)[1]]  # of those in the same tables
        self.places(np.array([*combinations(np.sort(first).tolist(), min(length, len(first)))]))

    def without_direct(self) -> "CountTables":
        return CountTables(self.design, tuple(table.select(~table.records.direct) for table in self.tables))


def read_count_tables(blocks: Iterable[FileBlock | ParquetPart], design: Design) -> CountTables:
    """Read the tables that the statement of `candor sql --length` counts.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"], "direct": True})
    >>> block = FileBlock("counts.csv", 2, b"1,2,40\\n1,0,60\\n", ("table", "cell", "count"))
    >>> tables = read_count_tables([block], design)
    >>> tables.tables[0].sizes, tables.tables[0].records.codes.tolist()
    ([100, 0], [[0], [1]])
    """
    import pandas as pd

    parts, path = list[pd.DataFrame](), ""
    for block in blocks:
        path = str(block.path)
        for piece in pieces(block, [], True, COLUMNS):
            names, counts = texts_of(piece, TABLE).astype(str), whole_numbers(piece, COUNT, 1, MOST)
            if (wrong := (texts_of(piece, CELL).isna() | (names == WRONG)).to_numpy()).any():
                raise InputError(
                    f"{path}: {counts[wrong][0]} of the counted records have a value that is no answer, or not "
                    "as many answers as the design asks."
                )
            parts.append(pd.DataFrame({TABLE: names, CELL: whole_numbers(piece, CELL, 0, MOST), COUNT: counts}))
    if not sum(map(len, parts)):
        raise InputError(NO_RECORDS)
    rows = pd.concat(parts).groupby([TABLE, CELL])[COUNT].sum()  # several databases may have counted
    tables = {str(name): _table(path, design, str(name), own) for name, own in rows.groupby(level=TABLE)}
    people = {f"{sum(table.sizes)} records, {table.sizes[1]} of them direct": name for name, table in tables.items()}
    if len(people) > 1:
        said = "; ".join(f"table {name!r} counts {count}" for count, name in people.items())
        raise InputError(f"{path}: {said}; both must be counts of the same records.")
    return CountTables(design, (*tables.values(),))


def _table(path: str, design: Design, name: str, rows: "pd.Series[int]") -> CountTable:
    columns = tuple(int(text) - 1 if text.isdecimal() else -1 for text in name.split(" "))
    if sorted(chain(*(unit for unit in _units(design) if {*unit} & {*columns}))) != [*columns]:
        raise InputError(f"{path}: {quote(name)} is not the name of a table of this design.")
    cells = np.array(rows.index.get_level_values(CELL))
    most = 2 * prod(design.fields[column].value_count for column in columns)
    wrong = cells[(cells >= most) | (cells % 2 > design.direct)]
    if len(wrong):
        raise InputError(f"{path}: table {name!r}: {wrong[0]} is not the number of one of its cells.")
    codes = np.full((len(cells), len(design.items)), design.not_asked, design.code_type)
    rest, direct = np.divmod(cells, 2)
    for column in columns:
        size = design.fields[column].size
        rest, place = np.divmod(rest, design.fields[column].value_count)
        codes[:, column] = np.where(place == size, design.not_asked, place)
    return CountTable(columns, Records(design, codes, direct == 1), rows.to_numpy())
