"""The SQL that counts records where they lie: distinct records, or tables of few items (`count_tables`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import mul

from privacy.design import Design
from privacy.design.fields import Field
from privacy.design.reading import quote
from privacy.errors import InputError
from privacy.records.count_tables import LARGEST_CELL, WRONG, columns_of_tables, fields_of_table, name_of_table
from privacy.records.counts import CELL, COUNT, TABLE, refuse_item_named_count
from privacy.records.records import DIRECT

_WIDEST = 2**31  # cells of a table whose number is an integer of any database


@dataclass(frozen=True)
class Dialect:
    """How a database writes names and texts, and how it tells 0 and 1 from anything else."""

    mark: str  # around a name
    mark_inside: str
    quote_inside: str = "''"
    escapes: str = ""  # in what a backslash is doubled: names, texts
    is_no_answer: str = "CAST({} AS INTEGER) NOT IN (0, 1)"
    most_tables: int = 2500

    def name(self, name: str) -> str:
        doubled = name.replace("\\", "\\\\") if "names" in self.escapes else name
        return f"{self.mark}{doubled.replace(self.mark, self.mark_inside)}{self.mark}"

    def text(self, text: str) -> str:
        doubled = text.replace("\\", "\\\\") if "texts" in self.escapes else text
        return "'" + doubled.replace("'", self.quote_inside) + "'"


DIALECTS = {
    "duckdb": Dialect('"', '""'),
    "postgresql": Dialect('"', '""'),
    "spark": Dialect("`", "``", "\\'", "texts"),
    "bigquery": Dialect("`", "\\`", "\\'", "names, texts"),
    # It would take any text for 0, and joins at most 500 queries.
    "sqlite": Dialect('"', '""', is_no_answer="{} NOT IN (0, 1, '0', '1')", most_tables=499),
}


def statement(design: Design, dialect: str = "duckdb", table: str = "records", length: int | None = None) -> str:
    """Return the SQL that counts a table of records, whose name is written as it is given.

    Without `length` it counts distinct records, with it tables in which any `length` items are together.

    >>> design = Design.parse({"model": "warner", "theta": 0.7, "items": ["drugs"]})
    >>> print(statement(design, table="people"))
    SELECT 0 AS "direct", CAST("drugs" AS INTEGER) AS "drugs", COUNT(*) AS "count"
    FROM people
    GROUP BY 2;
    >>> print(statement(design, length=1)[:105])
    SELECT '1' AS "table", "cell", COUNT(*) AS "count" FROM (SELECT 2 * CAST("drugs" AS INTEGER) AS "cell" FR
    """
    names: dict[str, str] = {}
    for name in [DIRECT.name, *([COUNT] if length is None else []), *(field.name for field in design.fields)]:
        other = names.setdefault(name.casefold(), name)
        if other != name and dialect != "postgresql":
            raise InputError(f"--dialect: in {dialect} the columns {other!r} and {name!r} are one; rename an item.")
    if length is None:
        return _distinct_records(design, DIALECTS[dialect], table)
    return _tables(design, DIALECTS[dialect], table, length)


def _distinct_records(design: Design, dialect: Dialect, table: str) -> str:
    refuse_item_named_count(design)
    fields = {dialect.name(field.name): field for field in [DIRECT, *design.fields]}
    columns = [f"CAST({name} AS INTEGER) AS {name}" if field.boolean else name for name, field in fields.items()]
    if not design.direct:  # the table need not have the column
        columns[0] = f"0 AS {dialect.name(DIRECT.name)}"
    places = range(1 if design.direct else 2, len(columns) + 1)
    return (
        f"SELECT {', '.join(columns)}, COUNT(*) AS {dialect.name(COUNT)}\n"
        f"FROM {table}\nGROUP BY {', '.join(map(str, places))};"
    )


def _tables(design: Design, dialect: Dialect, table: str, length: int) -> str:
    tables = columns_of_tables(design, length)
    if not tables:
        raise InputError("No item of this design has options, so there is nothing to count.")
    if len(tables) > dialect.most_tables:
        raise InputError(
            f"--length: {length} makes {len(tables)} tables, more than the {dialect.most_tables} that a statement of "
            "this dialect may have; take a smaller one, or fewer items."
        )
    columns = sorted({*chain(*tables)})
    cell, head = dialect.name(CELL), ", ".join(map(dialect.name, (TABLE, CELL)))

    def count(name: str, number: str, where: str = "") -> str:
        return (
            f"SELECT '{name}' AS {head}, COUNT(*) AS {dialect.name(COUNT)} "
            f"FROM (SELECT {number} AS {cell} FROM {table}) AS coded{where} GROUP BY {cell}"
        )

    wrong = f"CASE WHEN {' OR '.join(_wrong(design, dialect, columns)) or '1 = 0'} THEN 1 ELSE 0 END"
    counts = [count(name_of_table(own), _cell(design, dialect, own)) for own in tables]
    return "\nUNION ALL\n".join([*counts, count(WRONG, wrong, f" WHERE {cell} = 1")]) + ";"


def _cell(design: Design, dialect: Dialect, columns: Sequence[int]) -> str:
    """The number of a record's cell; nothing where an answer is missing or no option has its name."""
    fields = fields_of_table(design, columns)
    *widths, cells = accumulate((field.value_count for field in fields), mul, initial=1)
    if cells > LARGEST_CELL:
        raise InputError(f"--length: {quote(fields[1].name)} and the items beside it have too many cells for a table.")
    terms = [f"{width} * {_code(dialect, field, cells)}" for width, field in zip(widths, fields, strict=True)]
    return " + ".join(terms[0 if design.direct else 1 :])


def _code(dialect: Dialect, field: Field, cells: int) -> str:
    name = dialect.name(field.name)
    code = f"CAST({name} AS INTEGER)"
    if not field.boolean:
        options = (f"WHEN {dialect.text(field.text(code))} THEN {code}" for code in range(field.size))
        code = f"CASE {name} {' '.join(options)} END"
    if field.optional:
        code = f"CASE WHEN {name} IS NULL THEN {field.size} ELSE {code} END"
    return code if cells < _WIDEST else f"CAST({code} AS BIGINT)"


def _wrong(design: Design, dialect: Dialect, columns: Sequence[int]) -> list[str]:
    """What is true of records with a yes/no answer that is neither, or with as many answers as nobody is asked."""
    fields = fields_of_table(design, columns)[0 if design.direct else 1 :]
    made = [dialect.is_no_answer.format(dialect.name(field.name)) for field in fields if field.boolean]
    for first, block in zip(design.first_columns, design.blocks, strict=True):
        if block.items_per_person < len(block.items):
            own = design.fields[first : first + len(block.items)]
            asked = (f"CASE WHEN {dialect.name(field.name)} IS NULL THEN 0 ELSE 1 END" for field in own)
            made.append(f"{' + '.join(asked)} <> {block.items_per_person}")
    return made
